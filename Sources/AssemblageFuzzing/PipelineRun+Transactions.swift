import Assemblage
import AssemblageTesting

// Several edits as one change, taken back or not.
extension PipelineRun {
  func transact(_ operation: PipelineOperation) -> Bool {
    var draw = PipelineDraw(self, operation)
    guard let number = draw.pick({ _ in true }), let node = specimens[number]?.node else { return false }
    isComposite = true
    demandMinimality()
    // Otherwise a node outside the graph of this one reports its edits at once. A quiet transaction covers all nodes, because
    // nothing is linked inside.
    if draw.chance(3, in: 4) || operation.isQuiet, maySettle() { connect() }
    block("\(name(of: number)).performUpdates { () -> Void in") {
      node.performUpdates { performBody(of: operation) }
    }
    return true
  }

  /// Performs the body of a transaction.
  private func performBody(of operation: PipelineOperation) {
    let wasQuiet = isQuiet
    isQuiet = isQuiet || operation.isQuiet
    openTransactions += 1
    for inner in operation.body { perform(inner) }
    openTransactions -= 1
    isQuiet = wasQuiet
  }

  /// Makes a transaction whose body throws: everything has to be as it was before. No observer is notified, unless the
  /// graph was settled in between.
  func rollBack(_ operation: PipelineOperation) -> Bool {
    var draw = PipelineDraw(self, operation)
    guard let number = draw.pick({ _ in true }), let node = specimens[number]?.node else { return false }
    // Inside another transaction, an inverse by which a branch of a forest gets another handle is an ordinary change.
    if openTransactions > 0, isQuiet, specimens.values.contains(where: { $0.model is ForestModel }) { return false }
    isComposite = true
    demandMinimality()
    if maySettle() { connect() }
    let mark = journal.count
    reverting(.onRollback) {
      block("try? \(name(of: number)).performUpdates { () -> Void in") {
        try? node.performUpdates {
          performBody(of: operation)
          code?.add("throw CancellationError()")
          isRollingBack = true
          // Observers receive what has been settled when it has been taken back.
          if fault == nil { rollBackModels(to: mark) }
          throw CancellationError()
        }
      }
    }
    isRollingBack = false
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
        root.performUpdates { performBody(of: operation) }
      }
    }
    defer { code?.add("withExtendedLifetime(\(logName)) {}") }
    // What an observer did after the transaction is a step of its own.
    guard fault == nil, reactionCount == count, log.canUndo else { return fault == nil }
    let former = replacedModels(since: mark)
    let later = former.map { (specimen: $0.specimen, model: $0.specimen.model) }
    passage.beginEdit()
    setModels(former)
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
