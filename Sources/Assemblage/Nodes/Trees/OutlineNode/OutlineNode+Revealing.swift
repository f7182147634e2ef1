public import Foundation
import OffsetIndexing

extension OutlineNode {
  /// Expands all ancestors of a child, so that it has a row.
  ///
  /// - Parameters:
  ///   - path: a path in the tree.
  ///   - origin: who chooses that; by default the program, whose choices can be forgotten together.
  /// - Returns: the child's row.
  /// - Precondition: the path is not empty, and in range.
  /// - Complexity: that of `expand(row:by:)`, once for all ancestors; O(r) more for r records in a transaction that may be
  ///   rolled back.
  @discardableResult
  public func reveal(_ path: IndexPath, by origin: ExpansionOrigin = .program) -> Int {
    require(!path.isEmpty, "The path [] is the root of the outline, which has no row.")
    expandAncestors(of: Array(path), by: origin)
    guard let row = row(ofPath: path) else {
      trap("The path \(path.sentence) is out of range: there is no such child in the tree of the outline.")
    }
    return row
  }

  /// Expands the collapsed nodes above a path, as one change.
  private func expandAncestors(of path: [Int], by origin: ExpansionOrigin) {
    let known = knownAncestors(of: path)
    let unknown = path[known.count..<path.count - 1]
    let collapsed = known.filter { !state.value.translation.isExpanded($0) }
    if collapsed.isEmpty, unknown.isEmpty { return }
    hub.prepareForChange(.wait)
    let waiting = collapsed.compactMap { loadingNode(state.value.node($0)) }
    if waiting.isEmpty { return expand(collapsed, unknown, known, by: origin) }
    performUpdates {
      expand(collapsed, unknown, known, by: origin)
      for node in waiting { node.resumeLoads() }
    }
  }

  private func expand(
    _ collapsed: [Record], _ unknown: ArraySlice<Int>, _ known: [Record], by origin: ExpansionOrigin
  ) {
    let former = setting
    var rows = RowBlocks(count: count)
    hub.refusingChanges {
      for record in collapsed { chooseExpanded(record, by: origin) }
      let parent = known.last ?? TreeIndex.root
      let way = chooseExpanded(unknown, below: state.value.node(parent), by: origin)
      if let position = way.first,
        let child = state.value.sources.child(at: position, of: state.value.node(parent))
      {
        let plan = plan(
          OutlinePlan.Child(position: position, node: child, depth: known.count, way: way.dropFirst()))
        rows.append(.below(state.value.install(plan, at: position, of: parent)))
      }
    }
    for record in collapsed {
      state.value.translation.setExpanded(true, record)
      rows.append(.below(record))
    }
    var released: [any TreeNode] = []
    state.value.discard(state.value.translation.takeOrphans(), to: &released)
    defer { withExtendedLifetime(released) {} }
    publish(rows, inverseTo: former)
  }

  /// The records of the nodes above a path, as far as there are any.
  private func knownAncestors(of path: [Int]) -> [Record] {
    var records: [Record] = []
    for position in path.dropLast() {
      let parent = records.last ?? TreeIndex.root
      guard position >= 0, position < state.value.translation.shape.childCount(of: parent),
        let record = state.value.translation.record(ofChild: position, of: parent)
      else { break }
      records.append(record)
    }
    return records
  }

  private func chooseExpanded(_ record: Record, by origin: ExpansionOrigin) {
    guard let parent = state.value.translation.shape.parent(of: record) else { return }
    let position = state.value.translation.shape.position(of: record)
    guard let value = state.value.sources.element(at: position, of: parent) else { return }
    state.value.expansion.choose(true, for: functions.id(value), by: origin)
  }

  /// Chooses that nodes on a way down are expanded where they would not be.
  ///
  /// - Parameters:
  ///   - way: positions among the children of a node, of one of these, and so on; the indices are the depths.
  ///   - node: the node that the way begins at.
  ///   - origin: who chooses that.
  /// - Returns: the way, as far as there are nodes.
  private func chooseExpanded(
    _ way: ArraySlice<Int>, below node: SourceBranch, by origin: ExpansionOrigin
  ) -> ArraySlice<Int> {
    var parent = node
    for depth in way.indices {
      guard let child = state.value.sources.child(at: way[depth], of: parent) else { return way[..<depth] }
      let id = state.value.sources.element(at: way[depth], of: parent).map(functions.id)
      if let id, !state.value.expansion.isExpanded(id, depth: depth) {
        state.value.expansion.choose(true, for: id, by: origin)
      }
      parent = child
    }
    return way
  }
}
