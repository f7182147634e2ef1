import Assemblage
import Foundation

/// A tree of fan-out 10 with n rows, all numbered level by level: the children of k are 10k + 1...10k + 10.
///
/// With n = 1,111,110 it has six full levels.
struct NumberedTree {
  let n: Int

  func children(of number: Int) -> Range<Int> {
    min(10 * number + 1, n + 1)..<min(10 * number + 11, n + 1)
  }

  /// The path of a number, 1...n.
  func path(of number: Int) -> [Int] {
    var path: [Int] = []
    var number = number
    while number > 0 {
      path.append((number - 1) % 10)
      number = (number - 1) / 10
    }
    return path.reversed()
  }

  /// The numbers that have children, 0 (the root) among them.
  var folders: Range<Int> { 0..<max(1, (n + 9) / 10) }
}

/// An outline of a numbered tree, all expanded.
protocol Outlining {
  static var name: String { get }
  init(_ tree: NumberedTree)
  var observer: (Int) -> Void { get set }
  func element(at row: Int) -> Int
  /// The sum of the path's components.
  func path(ofRow row: Int) -> Int
  func row(ofPath path: IndexPath) -> Int
  /// Collapses a row and expands it again.
  mutating func toggle(row: Int)
  /// Inserts a leaf as the first child of a folder.
  mutating func insert(_ element: Int, inFolder number: Int)
  mutating func removeFirst(ofFolder number: Int)
  /// Expands everything, from nothing; returns the number of rows.
  mutating func expandAll() -> Int
  mutating func collapseAll()
}

/// The library's.
struct OutlineSubject: Outlining {
  static let name = "OutlineNode"

  let folders: [BranchNode<Int>]
  let outline: OutlineNode<Int, Int>
  private let token: NodeObservation
  private let heard: Box

  private final class Box {
    var observer: (Int) -> Void = { _ in }
  }

  init(_ tree: NumberedTree) {
    var nodes: [BranchNode<Int>?] = Array(repeating: nil, count: tree.folders.count)
    for number in tree.folders.reversed() {
      nodes[number] = BranchNode(
        value: number,
        tree.children(of: number).map { child in
          child < nodes.count ? .node(nodes[child]!) : .leaf(child)
        })
    }
    folders = nodes.map { $0! }
    outline = OutlineNode(folders[0], expansion: ExpansionState(policy: .expanded), id: { $0 })
    let box = Box()
    heard = box
    token = outline.observe { change in box.observer(change.delta.insertions.first?.lowerBound ?? 0) }
  }

  var observer: (Int) -> Void {
    get { heard.observer }
    set { heard.observer = newValue }
  }

  func element(at row: Int) -> Int { outline.element(at: row)! }
  func path(ofRow row: Int) -> Int { outline.path(ofRow: row).reduce(0, +) }
  func row(ofPath path: IndexPath) -> Int { outline.row(ofPath: path)! }

  func toggle(row: Int) {
    outline.toggle(row: row)
    outline.toggle(row: row)
  }

  func insert(_ element: Int, inFolder number: Int) { folders[number].insert(.leaf(element), at: 0) }
  func removeFirst(ofFolder number: Int) { folders[number].remove(at: 0) }

  func expandAll() -> Int {
    outline.expandAll()
    return outline.count
  }

  func collapseAll() { outline.collapseAll() }
}

/// The usual array of visible rows, each with its depth.
struct FlatArray: Outlining {
  static let name = "FlatArray"

  private struct Row {
    var element: Int
    var depth: Int
  }

  private let tree: NumberedTree
  private var rows: [Row] = []
  /// What was inserted at the front of folders, the last first.
  private var inserted: [Int: [Int]] = [:]
  var observer: (Int) -> Void = { _ in }

  init(_ tree: NumberedTree) {
    self.tree = tree
    _ = expandAll()
  }

  private func children(of number: Int) -> [Int] { (inserted[number] ?? []) + Array(tree.children(of: number)) }

  private func subtree(of number: Int, depth: Int) -> [Row] {
    var result: [Row] = []
    var open = children(of: number).reversed().map { Row(element: $0, depth: depth) }
    while let row = open.popLast() {
      result.append(row)
      if row.element > 0 {
        for child in children(of: row.element).reversed() { open.append(Row(element: child, depth: row.depth + 1)) }
      }
    }
    return result
  }

  func element(at row: Int) -> Int { rows[row].element }

  func path(ofRow row: Int) -> Int {
    // Up the rows: siblings count, a lesser depth is a parent.
    var sum = 0
    var depth = rows[row].depth
    for index in (0..<row).reversed() {
      if rows[index].depth == depth { sum += 1 }
      if rows[index].depth < depth { depth = rows[index].depth }
    }
    return sum
  }

  func row(ofPath path: IndexPath) -> Int {
    var row = 0
    for (depth, position) in path.enumerated() {
      if depth > 0 { row += 1 }
      var left = position
      while left > 0 {
        row += 1
        if rows[row].depth == depth { left -= 1 }
      }
    }
    return row
  }

  mutating func toggle(row: Int) {
    let depth = rows[row].depth
    var end = row + 1
    while end < rows.count, rows[end].depth > depth { end += 1 }
    rows.removeSubrange(row + 1..<end)
    observer(row + 1)
    rows.insert(contentsOf: subtree(of: rows[row].element, depth: depth + 1), at: row + 1)
    observer(row + 1)
  }

  mutating func insert(_ element: Int, inFolder number: Int) {
    let path = IndexPath(indexes: tree.path(of: number))
    let row = number == 0 ? -1 : rows.firstIndex { $0.element == number }!
    inserted[number, default: []].insert(element, at: 0)
    rows.insert(Row(element: element, depth: path.count), at: row + 1)
    observer(row + 1)
  }

  mutating func removeFirst(ofFolder number: Int) {
    let row = number == 0 ? -1 : rows.firstIndex { $0.element == number }!
    inserted[number]!.removeFirst()
    rows.remove(at: row + 1)
  }

  mutating func expandAll() -> Int {
    rows = subtree(of: 0, depth: 0)
    return rows.count
  }

  mutating func collapseAll() { rows = children(of: 0).map { Row(element: $0, depth: 0) } }
}
