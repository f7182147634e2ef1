import Assemblage
import AssemblageTesting
import Foundation
import TestSupport

/// A fault of a list of stages.
struct StageFault: Error, CustomStringConvertible {
  let description: String
}

/// Applies the stages of a change to a model of the view, and checks every law of stages.
///
/// - Returns: the number of stages.
@discardableResult
func checkStages<Element: Equatable>(
  of change: ChangeSet, for view: ChangeSet.ViewKind, from before: TreeSnapshot<Element>,
  to after: TreeSnapshot<Element>, knowing isKnown: (IndexPath) -> Bool = { _ in true }
) throws -> Int {
  func require(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    if !condition { throw StageFault(description: "\(what())\n  in \(change)\n  from \(before)\n  to \(after)") }
  }
  var isEverythingKnown = true
  let stages = change.stages(for: view) { path in
    if isKnown(path) { return before.count(at: path) ?? 0 }
    isEverythingKnown = false
    return nil
  }
  let log = { stages.map { "\n  stage: \($0)" }.joined() }
  try require(stages.count <= (view == .list ? 4 : 2), "\(stages.count) stages\(log())")
  var list = ListViewModel(before)
  let goal = view == .sequentialList ? after.rowsOnly : after
  var outline = OutlineViewModel(view == .sequentialList ? before.rowsOnly : before)
  var whole = ChangeSet()
  for stage in stages {
    guard case .batch(let batch) = stage else { throw StageFault(description: "an unwanted reload") }
    whole = whole.composed(with: batch.change)
    do {
      let source = ViewDataSource(goal, after: batch)
      switch view {
      case .list: try list.perform(batch, from: source)
      case .sequentialList, .outline: try outline.perform(batch, from: source)
      }
    } catch {
      try require(false, "\(error) in \(batch)\(log())")
    }
    // Only a parent that is being emptied has no path in the final tree.
    try require(
      batch.insertions.allSatisfy { batch.finalPath(of: $0) != nil },
      "an inserted path of \(batch) is not in the final tree\(log())")
    let total = whole.composed(with: batch.remaining)
    if isEverythingKnown, view == .outline || isShown(change) {
      var shown = change
      shown.updatesValue = false
      try require(total == shown, "\(batch) and what remains, \(batch.remaining), make \(total)\(log())")
    }
    try checkLists(of: batch)
  }
  switch view {
  case .list: try require(list == ListViewModel(after), "the stages end in \(list)\(log())")
  case .sequentialList, .outline:
    try require(outline == OutlineViewModel(goal), "the stages end in \(outline)\(log())")
  }
  return stages.count
}

extension TreeSnapshot {
  /// The rows of a list: the children and their children.
  fileprivate var rowsOnly: TreeSnapshot {
    TreeSnapshot(
      children: children.map { section in
        TreeSnapshot(value: section.value, children: section.children.map { TreeSnapshot(value: $0.value) })
      })
  }
}

/// Returns whether a list shows all parts of a change.
private func isShown(_ change: ChangeSet) -> Bool {
  change.children.allSatisfy(\.children.isEmpty)
    && change.transfers.allSatisfy {
      $0.source.count == 2 && $0.destination.count == 2 && $0.change.delta.isEmpty
        && !$0.change.hasChildren
    }
}

/// Checks that the lists of a batch mean the same as its change set.
private func checkLists(of batch: ChangeSet.Batch) throws {
  let paths = batch.change.paths
  let moves = batch.moves.allSatisfy { batch.change.path(after: $0.source) == $0.destination }
  let reloads = batch.reloads.allSatisfy { batch.change.path(after: $0.source) == $0.destination }
  let updates = Set(paths.updates)
  guard
    batch.deletions == paths.removals, batch.insertions == paths.insertions, moves, reloads,
    batch.moves.count == paths.moves.count, updates.isSuperset(of: batch.reloads.map(\.destination))
  else { throw StageFault(description: "\(batch) is not \(batch.change)") }
}

extension TreeSnapshot<Row> {
  /// The snapshot of a tree of identities.
  init(_ tree: ChangeTree) {
    self.init(
      value: Row(id: tree.id, version: tree.version), children: tree.children.map { TreeSnapshot($0) })
  }
}
