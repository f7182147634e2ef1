import Assemblage
import AssemblageTesting

// Several edits as one change, taken back or not.
extension PipelineRun {
  func transact(_ operation: PipelineOperation) -> Bool {
    var draw = PipelineDraw(self, operation)
    guard let number = draw.pick({ _ in true }), let node = specimens[number]?.node else { return false }
    isComposite = true
    demandMinimality()
    // Otherwise nodes that have nothing to do with this one hear at once.
    if draw.chance(3, in: 4) { connect() }
    block("\(name(of: number)).performUpdates { () -> Void in") {
      node.performUpdates {
        for inner in operation.body { perform(inner) }
      }
    }
    return true
  }

  /// Makes a transaction whose body throws: everything has to be as it was before, and no observer hears of it.
  func rollBack(_ operation: PipelineOperation) -> Bool {
    var draw = PipelineDraw(self, operation)
    guard let number = draw.pick({ _ in true }), let node = specimens[number]?.node else { return false }
    isComposite = true
    demandMinimality()
    connect()
    let mark = journal.count
    reverting(.onRollback) {
      block("try? \(name(of: number)).performUpdates { () -> Void in") {
        try? node.performUpdates {
          for inner in operation.body { perform(inner) }
          code?.add("throw CancellationError()")
          isRollingBack = true
          throw CancellationError()
        }
      }
    }
    isRollingBack = false
    if fault == nil { rewind(to: mark) }
    return true
  }

  /// Makes a transaction, undoes it, and perhaps does it again.
  func undo(_ operation: PipelineOperation) -> Bool {
    guard depth == 1 else { return false }
    var draw = PipelineDraw(self, operation)
    isComposite = true
    demandMinimality()
    observerCount += 1
    let (rootName, logName) = ("root\(observerCount)", "log\(observerCount)")
    let root = connect(as: rootName)
    let log = UndoLog(of: root)
    code?.add("let \(logName) = UndoLog(of: \(rootName))")
    let (mark, count) = (journal.count, reactionCount)
    reverting(.always) {
      block("\(rootName).performUpdates { () -> Void in") {
        root.performUpdates {
          for inner in operation.body { perform(inner) }
        }
      }
    }
    defer { code?.add("withExtendedLifetime(\(logName)) {}") }
    // What an observer did after the transaction is a step of its own.
    guard fault == nil, reactionCount == count, log.canUndo else { return fault == nil }
    let former = replacedModels(since: mark)
    let later = former.map { (specimen: $0.specimen, model: $0.specimen.model) }
    passage.beginEdit()
    setModels(former)
    // Taking a move between two sources back is a removal and an insertion.
    passage.replaced.formUnion(passage.moved)
    demandMinimality()
    code?.add("\(logName).undo()")
    log.undo()
    checkNodes()
    guard fault == nil, reactionCount == count, draw.chance(1, in: 2) else { return fault == nil }
    setModels(later)
    code?.add("\(logName).redo()")
    log.redo()
    return true
  }

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
