import Assemblage
import AssemblageTesting

// Makes several edits as one change, which may be reverted.
extension PipelineRun {
  func transact(_ operation: PipelineOperation) -> Bool {
    var draw = PipelineDraw(self, operation)
    guard let number = draw.pick({ _ in true }), let node = specimens[number]?.node else { return false }
    isComposite = true
    demandMinimality()
    // Without the connection, a node outside the graph of this node reports its edits at once. A quiet transaction
    // covers all nodes, because nothing is linked inside it.
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

  /// Makes a transaction whose body throws. Afterwards everything has to be as it was before, but for the edits that are
  /// never reverted.
  ///
  /// No observer is notified, unless the graph was settled in between, or an edit stays.
  func rollBack(_ operation: PipelineOperation) -> Bool {
    var draw = PipelineDraw(self, operation)
    guard let number = draw.pick({ _ in true }), let node = specimens[number]?.node else { return false }
    // An inverse may give another handle to a branch of a forest. Inside another transaction, that inverse is an
    // ordinary change.
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
          // If the graph was settled, the observers receive the settled changes after these have been reverted.
          if fault == nil { rollBackModels(to: mark) }
          throw CancellationError()
        }
      }
    }
    isRollingBack = false
    // In an outer transaction, views that were not read in the inner one are read now or later.
    if fault == nil, openTransactions > 0, draw.chance(1, in: 2), maySettle() { readNodes() }
    return true
  }

  /// Makes a transaction, undoes the transaction, and sometimes redoes it.
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
    // If an observer made edits after the transaction, these edits are a step of their own.
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

  /// Runs a body that makes only edits which can be reverted in the given way.
  private func reverting(_ reversal: Reversal, _ body: () -> Void) {
    let former = self.reversal
    // Everything inside a body that will be undone has to be undoable.
    self.reversal = former == .always ? .always : reversal
    body()
    self.reversal = former
  }
}
