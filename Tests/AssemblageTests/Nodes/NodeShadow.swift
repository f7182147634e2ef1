import Assemblage
import Foundation
import TestSupport

/// An element that can be told from every other, and changed.
struct Row: Hashable, CustomStringConvertible {
  let id: Int
  var version = 0

  var description: String { version == 0 ? "\(id)" : "\(id)v\(version)" }
}

/// What a shadow or a check found wrong.
struct NodeFault: Error, CustomStringConvertible {
  let description: String
}

/// The contents of a node, at every depth, read through `element(at:)` and `child(at:)`.
func snapshot(of node: some TreeNode<Row>) -> NaiveTree<Row> {
  NaiveTree(
    value: node.value,
    children: (0..<node.count).map { position in
      guard let child = node.child(at: position) else { return NaiveTree(value: node.element(at: position)) }
      var tree = snapshot(of: child)
      tree.value = node.element(at: position)
      return tree
    })
}

/// Follows a node by its change sets alone.
final class NodeShadow {
  let node: any TreeNode<Row>
  private(set) var contents: NaiveTree<Row>
  private(set) var deliveries = 0
  /// Whether deliveries must be minimal: not where one transaction takes a row out and puts it back.
  var expectsMinimalChanges = true
  private var token: Observation?
  private(set) var fault: NodeFault?

  init(of node: any TreeNode<Row>) {
    self.node = node
    contents = snapshot(of: node)
    token = node.observe { [unowned self] in hear($0) }
  }

  /// Throws what went wrong in a delivery, or a disagreement with the node now.
  func check() throws {
    if let fault { throw fault }
    guard snapshot(of: node) == contents else {
      throw NodeFault(description: "\(node) is \(snapshot(of: node)), its shadow \(contents)")
    }
  }

  private func hear(_ change: ChangeSet) {
    deliveries += 1
    let present = snapshot(of: node)
    do {
      if change.isEmpty { throw NodeFault(description: "an empty change was delivered") }
      if !change.updatesValue, contents.value != present.value {
        throw NodeFault(description: "the node's own value changed unannounced")
      }
      let former = contents
      contents.children = try replay(change.delta, change.children, on: former.children, present.children)
      contents.value = present.value
      guard contents == present else {
        throw NodeFault(description: "\(former), after \(change), is \(contents), not \(present)")
      }
    } catch {
      fault = fault ?? NodeFault(description: "\(node): \(error)")
    }
  }

  private func replay(
    _ delta: Delta, _ changes: ChangeSet.Children, on former: [NaiveTree<Row>], _ present: [NaiveTree<Row>]
  ) throws -> [NaiveTree<Row>] {
    try checkMinimality(delta, former, present)
    var result = delta.applying(to: former) { $0 < present.count ? present[$0] : NaiveTree(value: nil) }
    for range in delta.updates {
      for position in range where position < result.count {
        guard let old = delta.position(before: position) else {
          throw NodeFault(description: "\(delta) updates what it inserts")
        }
        // An update is of the value alone; what is below must be told separately.
        result[position].children = former[old].children
      }
    }
    for child in changes {
      guard let old = delta.position(before: child.position), child.position < present.count else {
        throw NodeFault(description: "a change below \(child.position), which \(delta) inserts")
      }
      result[child.position].children = try replay(
        child.delta, child.children, on: former[old].children, present[child.position].children)
    }
    return result
  }

  /// No survivor is reported removed, and no more moved than have to be, where every row can be told from the others.
  private func checkMinimality(
    _ delta: Delta, _ former: [NaiveTree<Row>], _ present: [NaiveTree<Row>]
  ) throws {
    guard expectsMinimalChanges else { return }
    let before = former.compactMap(\.value?.id)
    let after = present.compactMap(\.value?.id)
    guard before.count == former.count, after.count == present.count,
      Set(before).count == before.count, Set(after).count == after.count
    else { return }
    let survivors = Set(before).intersection(after)
    let removed = delta.removals.flatMap { $0.map { before[$0] } }
    let inserted = delta.insertions.flatMap { $0.map { after[$0] } }
    guard survivors.isDisjoint(with: removed), survivors.isDisjoint(with: inserted) else {
      throw NodeFault(description: "\(delta) removes or inserts survivors of \(before) → \(after)")
    }
    let places = Dictionary(uniqueKeysWithValues: after.enumerated().map { ($1, $0) })
    let order = before.filter(survivors.contains).map { places[$0]! }
    let moved = delta.moves.reduce(0) { $0 + $1.source.count }
    guard moved == order.count - longestIncreasingSubsequence(order) else {
      throw NodeFault(description: "\(delta) moves \(moved) rows of \(before) → \(after)")
    }
  }

  private func longestIncreasingSubsequence(_ numbers: [Int]) -> Int {
    var tails: [Int] = []
    for number in numbers {
      if let index = tails.firstIndex(where: { $0 >= number }) { tails[index] = number } else { tails.append(number) }
    }
    return tails.count
  }
}

/// Checks laws 1 and 2 of a node, and its contents against what they should be.
func checkLaws(of node: some TreeNode<Row>, _ expected: [NaiveTree<Row>]) throws {
  func require(_ condition: Bool, _ law: String) throws {
    if !condition { throw NodeFault(description: "\(node) breaks \(law); it should be \(expected)") }
  }
  try require(node.count == expected.count, "law 1: it counts \(node.count) children")
  let values = (0..<node.count).map { node.element(at: $0) }
  try require(values == expected.map(\.value), "law 2: element(at:) yields \(values)")
  try require(node.elements == values.compactMap(\.self), "law 2: elements is \(node.elements)")
  for (lower, upper) in [(0, node.count), (node.count / 3, node.count * 2 / 3), (node.count / 2, node.count)] {
    var pieces = [Row?](repeating: nil, count: node.count)
    var next = lower
    var isAscending = true
    node.forEachSpan(in: lower..<upper) { start, span in
      isAscending = isAscending && start >= next && !span.isEmpty
      for index in span.indices { pieces[start + index] = span[index] }
      next = start + span.count
    }
    try require(isAscending && next <= upper, "law 2: spans of \(lower)..<\(upper) overlap or are empty")
    let wanted = values.indices.map { (lower..<upper).contains($0) ? values[$0] : nil }
    try require(pieces == wanted, "law 2: spans of \(lower)..<\(upper) yield \(pieces)")
  }
  try require(node.element(at: -1) == nil && node.element(at: node.count) == nil, "law 8: out of range")
  try require(node.child(at: -1) == nil && node.child(at: node.count) == nil, "law 8: out of range")
  try require(snapshot(of: node).children == expected, "its contents: \(snapshot(of: node))")
}
