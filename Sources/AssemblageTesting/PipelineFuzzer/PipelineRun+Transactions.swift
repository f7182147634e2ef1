import Assemblage

// Several edits as one change, taken back or not.
extension PipelineRun {
  func transact(_ operation: PipelineOperation) -> Bool {
    var draw = PipelineDraw(self, operation)
    guard let number = draw.pick({ _ in true }), let node = specimens[number]?.node else { return false }
    isComposite = true
    demandMinimality()
    // Otherwise nodes that have nothing to do with this one hear at once.
    if draw.chance(3, in: 4) { connect() }
    block("\(name(of: number)).performUpdates {") {
      node.performUpdates {
        for inner in operation.body { perform(inner) }
      }
    }
    return true
  }

  /// Makes a transaction whose body throws: everything has to be as it was before, and nobody hears of it.
  func rollBack(_ operation: PipelineOperation) -> Bool {
    var draw = PipelineDraw(self, operation)
    guard let number = draw.pick({ _ in true }), let node = specimens[number]?.node else { return false }
    isComposite = true
    demandMinimality()
    connect()
    let mark = journal.count
    reverting(.onRollback) {
      block("try? \(name(of: number)).performUpdates {") {
        try? node.performUpdates {
          for inner in operation.body { perform(inner) }
          code?.add("throw CancellationError()")
          throw CancellationError()
        }
      }
    }
    if fault == nil { rewind(to: mark) }
    return true
  }

  func undo(_ operation: PipelineOperation) -> Bool { false }

  private func block(_ header: String, _ body: () -> Void) {
    if let code { code.block(header, body) } else { body() }
  }

  /// Runs a body in which nothing is done that could not be taken back.
  private func reverting(_ reversal: Reversal, _ body: () -> Void) {
    let former = self.reversal
    // Inside what is undone later, everything has to be undoable.
    self.reversal = former == .always ? .always : reversal
    body()
    self.reversal = former
  }
}
