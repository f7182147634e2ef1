import Assemblage
import Foundation

/// A fully expanded outline of a numbered tree.
protocol Outlining: FolderEditing {
  init(_ tree: NumberedTree)
  func element(at row: Int) -> Int
  /// The sum of the number, the depth and the flags of a row.
  func row(at row: Int) -> Int
  /// The same sum for a window of rows.
  func rows(in range: Range<Int>) -> Int
  /// The sum of the path's components.
  func path(ofRow row: Int) -> Int
  func row(ofPath path: IndexPath) -> Int
  /// Collapses a row and expands it again.
  mutating func toggle(row: Int)
  /// Prepares insertions.
  mutating func prepareFolders()
  /// Expands all rows of a collapsed outline, and returns the number of rows.
  mutating func expandAll() -> Int
  mutating func collapseAll()
}

/// The library's outline.
struct OutlineSubject<Tree: TreeSource>: Outlining, BoxedObserver {
  static var name: String { Tree.name(of: "OutlineNode") }
  static var origin: Subject.Origin { .library }

  private var tree: Tree
  let outline: OutlineNode<Tree.Item, Int>
  let box = ObserverBox()
  private let token: NodeObservation

  init(_ tree: NumberedTree) {
    self.tree = Tree(tree)
    outline = OutlineNode(self.tree.root, expansion: ExpansionState(policy: .expanded), id: { $0.number })
    token = outline.observe { [box] change in box.observer(change.delta.insertions.first?.lowerBound ?? 0) }
  }

  func element(at row: Int) -> Int { outline.element(at: row)!.number }

  private func sum(_ row: OutlineRow<Tree.Item>) -> Int {
    row.value!.number &+ row.depth &+ (row.hasChildren ? 1 : 0) &+ (row.isExpanded ? 1 : 0)
      &+ (row.isLastSibling ? 1 : 0)
  }

  func row(at row: Int) -> Int { sum(outline.row(at: row)) }
  func rows(in range: Range<Int>) -> Int { outline.rows(in: range).reduce(0) { $0 &+ sum($1) } }
  func path(ofRow row: Int) -> Int { outline.path(ofRow: row).reduce(0, +) }
  func row(ofPath path: IndexPath) -> Int { outline.row(ofPath: path)! }

  func toggle(row: Int) {
    outline.toggle(row: row)
    outline.toggle(row: row)
  }

  mutating func prepareFolders() { tree.prepareFolders() }
  func insert(inFolder number: Int) { tree.insert(Tree.Item(-1), inFolder: number) }
  func removeFirst(ofFolder number: Int) { tree.removeFirst(ofFolder: number) }

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
  /// The elements that were inserted at the front of folders, the last one first.
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

  func row(at row: Int) -> Int {
    let depth = rows[row].depth
    let isExpanded = row + 1 < rows.count && rows[row + 1].depth > depth
    let next = rows[(row + 1)...].first { $0.depth <= depth }
    return rows[row].element &+ depth &+ (isExpanded ? 2 : 0) &+ (next.map { $0.depth == depth } ?? false ? 0 : 1)
  }

  func rows(in range: Range<Int>) -> Int { range.reduce(0) { $0 &+ row(at: $1) } }

  mutating func prepareFolders() {}

  func path(ofRow row: Int) -> Int {
    // The loop goes up the rows. It counts the siblings, and a row of lesser depth is a parent.
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

  mutating func insert(inFolder number: Int) {
    let path = IndexPath(indexes: tree.path(of: number))
    let row = number == 0 ? -1 : rows.firstIndex { $0.element == number }!
    inserted[number, default: []].insert(-1, at: 0)
    rows.insert(Row(element: -1, depth: path.count), at: row + 1)
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
