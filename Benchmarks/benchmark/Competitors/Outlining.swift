import Assemblage
import Foundation

/// A tree of fan-out 10 with n rows, all numbered level by level: the children of k are 10k + 1...10k + 10. Or a chain, in which
/// k + 1 is the only child of k. Or n folders side by side, with nothing in them.
///
/// With fan-out 10 and n = 1,111,110 it has six full levels.
struct NumberedTree {
  let n: Int
  var isChain = false
  var isFlat = false

  func children(of number: Int) -> Range<Int> {
    if isFlat { return number == 0 ? 1..<n + 1 : 1..<1 }
    return isChain
      ? min(number + 1, n + 1)..<min(number + 2, n + 1) : min(10 * number + 1, n + 1)..<min(10 * number + 11, n + 1)
  }

  /// The path of a number, 1...n.
  func path(of number: Int) -> [Int] {
    if isChain { return Array(repeating: 0, count: number) }
    var path: [Int] = []
    var number = number
    while number > 0 {
      path.append((number - 1) % 10)
      number = (number - 1) / 10
    }
    return path.reversed()
  }

  /// The numbers that have children, 0 (the root) among them.
  var folders: Range<Int> { isFlat ? 0..<n + 1 : 0..<max(1, isChain ? n : (n + 9) / 10) }

  /// Those of them that have no folders among their children, as far as all levels are full.
  var deepestFolders: Range<Int> {
    isChain ? folders.upperBound - 1..<folders.upperBound : folders.upperBound / 10..<folders.upperBound
  }
}

/// An outline of a numbered tree, all expanded.
protocol Outlining: Measured {
  init(_ tree: NumberedTree)
  var observer: (Int) -> Void { get set }
  func element(at row: Int) -> Int
  /// The number, the depth and the flags of a row, added up.
  func row(at row: Int) -> Int
  /// The same for a window of rows.
  func rows(in range: Range<Int>) -> Int
  /// The sum of the path's components.
  func path(ofRow row: Int) -> Int
  func row(ofPath path: IndexPath) -> Int
  /// Collapses a row and expands it again.
  mutating func toggle(row: Int)
  /// Makes ready for insertions.
  mutating func prepareFolders()
  /// Inserts a leaf as the first child of a folder.
  mutating func insert(_ element: Int, inFolder number: Int)
  mutating func removeFirst(ofFolder number: Int)
  /// Expands everything, from nothing; returns the number of rows.
  mutating func expandAll() -> Int
  mutating func collapseAll()
}

/// The library's tree under a library's outline.
protocol OutlinedTree {
  associatedtype Item: TreeElement
  static var name: String { get }
  init(_ tree: NumberedTree)
  var root: any TreeNode<Item> { get }
  mutating func prepareFolders()
  func insert(_ item: Item, inFolder number: Int)
  func removeFirst(ofFolder number: Int)
}

/// An object for each branch.
struct BranchTree: OutlinedTree {
  static var name: String { "OutlineNode" }

  let folders: [BranchNode<Int>]
  var root: any TreeNode<Int> { folders[0] }

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
  }

  mutating func prepareFolders() {}
  func insert(_ item: Int, inFolder number: Int) { folders[number].insert(.leaf(item), at: 0) }
  func removeFirst(ofFolder number: Int) { folders[number].remove(at: 0) }
}

/// All branches in one node.
struct ForestTree<Item: TreeElement>: OutlinedTree {
  static var name: String { Item.self == Int.self ? "OnForest" : "OnForest-Object" }

  let tree: NumberedTree
  let forest: ForestNode<Item>
  private var folders: [ForestNode<Item>] = []
  var root: any TreeNode<Item> { forest }

  init(_ tree: NumberedTree) {
    self.tree = tree
    forest = ForestNode(tree.children(of: 0).map { Item(number: $0) }) { item -> [Item]? in
      let children = tree.children(of: item.key)
      return children.isEmpty ? nil : children.map { Item(number: $0) }
    }
  }

  mutating func prepareFolders() {
    folders = [forest]
    for number in tree.folders.dropFirst() {
      let parent = folders[tree.isChain ? number - 1 : (number - 1) / 10]
      folders.append(parent.child(at: tree.isChain ? 0 : (number - 1) % 10) as! ForestNode<Item>)
    }
  }

  func insert(_ item: Item, inFolder number: Int) { folders[number].insert(item, at: 0) }
  func removeFirst(ofFolder number: Int) { folders[number].removeSubrange(0..<1) }
}

/// The library's outline.
struct OutlineSubject<Tree: OutlinedTree>: Outlining {
  static var name: String { Tree.name }
  static var origin: Subject.Origin { .library }

  private var tree: Tree
  let outline: OutlineNode<Tree.Item, Int>
  private let token: NodeObservation
  private let heard: Box

  private final class Box {
    var observer: (Int) -> Void = { _ in }
  }

  init(_ tree: NumberedTree) {
    self.tree = Tree(tree)
    outline = OutlineNode(self.tree.root, expansion: ExpansionState(policy: .expanded), id: { $0.key })
    let box = Box()
    heard = box
    token = outline.observe { change in box.observer(change.delta.insertions.first?.lowerBound ?? 0) }
  }

  var observer: (Int) -> Void {
    get { heard.observer }
    set { heard.observer = newValue }
  }

  func element(at row: Int) -> Int { outline.element(at: row)!.key }

  private func sum(_ row: OutlineRow<Tree.Item>) -> Int {
    row.value!.key &+ row.depth &+ (row.hasChildren ? 1 : 0) &+ (row.isExpanded ? 1 : 0)
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
  func insert(_ element: Int, inFolder number: Int) { tree.insert(Tree.Item(number: element), inFolder: number) }
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

  func row(at row: Int) -> Int {
    let depth = rows[row].depth
    let isExpanded = row + 1 < rows.count && rows[row + 1].depth > depth
    let next = rows[(row + 1)...].first { $0.depth <= depth }
    return rows[row].element &+ depth &+ (isExpanded ? 2 : 0) &+ (next.map { $0.depth == depth } ?? false ? 0 : 1)
  }

  func rows(in range: Range<Int>) -> Int { range.reduce(0) { $0 &+ row(at: $1) } }

  mutating func prepareFolders() {}

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
