import Assemblage
import Foundation

/// A tree of fan-out 10 with n rows, numbered level by level: the children of k are 10k + 1...10k + 10.
///
/// It can also be a chain, in which k + 1 is the only child of k. Or it can be n empty folders side by side.
///
/// With fan-out 10 and n = 1,111,110, the tree has six full levels.
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

  /// The numbers of the rows that have children. 0, the root, is one of them.
  var folders: Range<Int> { isFlat ? 0..<n + 1 : 0..<max(1, isChain ? n : (n + 9) / 10) }

  /// The folders that have no folders among their children. This holds exactly where all levels are full.
  var deepestFolders: Range<Int> {
    isChain ? folders.upperBound - 1..<folders.upperBound : folders.upperBound / 10..<folders.upperBound
  }
}

/// An element with a number. Predicates, comparators and keys read only this number.
protocol NumberedElement {
  init(_ number: Int)
  var number: Int { get }
}

extension Int: NumberedElement {
  var number: Int { self }
}

/// A numbered tree whose folders are edited, as a source of the library's views.
protocol TreeSource {
  associatedtype Item: NumberedElement
  /// The name of the subject that is a view of this source.
  static func name(of view: String) -> String
  init(_ tree: NumberedTree)
  var root: any TreeNode<Item> { get }
  /// Finds the nodes of all folders.
  mutating func prepareFolders()
  func insert(_ item: Item, inFolder number: Int)
  func removeFirst(ofFolder number: Int)
}

/// An object for each branch.
struct BranchTree<Item: NumberedElement>: TreeSource {
  static func name(of view: String) -> String { view }

  /// The branches by number.
  let folders: [BranchNode<Item>]
  var root: any TreeNode<Item> { folders[0] }

  @inline(__always)
  init(_ tree: NumberedTree) {
    var nodes: [BranchNode<Item>?] = Array(repeating: nil, count: tree.folders.count)
    for number in tree.folders.reversed() {
      nodes[number] = BranchNode(
        value: Item(number),
        tree.children(of: number).map { child in
          child < nodes.count ? .node(nodes[child]!) : .leaf(Item(child))
        })
    }
    folders = nodes.map { $0! }
  }

  mutating func prepareFolders() {}
  func insert(_ item: Item, inFolder number: Int) { folders[number].insert(.leaf(item), at: 0) }
  func removeFirst(ofFolder number: Int) { folders[number].remove(at: 0) }
}

/// All branches in one node.
struct ForestTree<Item: NumberedElement>: TreeSource {
  static func name(of view: String) -> String { Item.self == Int.self ? "OnForest" : "OnForest-Object" }

  private let tree: NumberedTree
  let forest: ForestNode<Item>
  /// The branches by number. Their paths change with the insertions.
  private(set) var folders: [ForestNode<Item>] = []
  var root: any TreeNode<Item> { forest }

  init(_ tree: NumberedTree) {
    self.tree = tree
    forest = ForestNode(tree.children(of: 0).map { Item($0) }) { item -> [Item]? in
      let children = tree.children(of: item.number)
      return children.isEmpty ? nil : children.map { Item($0) }
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
  func removeFirst(ofFolder number: Int) { folders[number].remove(at: 0) }
}

/// A view that shows a forest as it is.
protocol ForestView {
  static var name: String { get }
  static func view(of forest: ForestNode<Int>) -> any TreeNode<Int>
}

/// Forests below maps, filters that hide nothing, and sorts whose order is that of the forest.
enum ForestViews {
  enum Map: ForestView {
    static let name = "OnMap"
    static func view(of forest: ForestNode<Int>) -> any TreeNode<Int> { MapNode(forest) { $0 } }
  }

  enum Filter: ForestView {
    static let name = "OnFilter"
    static func view(of forest: ForestNode<Int>) -> any TreeNode<Int> { TreeFilterNode(forest) { $0 > .min } }
  }

  enum Sort: ForestView {
    static let name = "OnSort"
    static func view(of forest: ForestNode<Int>) -> any TreeNode<Int> { TreeSortNode(forest) { $0 < $1 } }
  }
}

/// A view of a forest.
struct ViewedTree<View: ForestView>: TreeSource {
  static func name(of view: String) -> String { View.name }

  private var source: ForestTree<Int>
  let root: any TreeNode<Int>

  init(_ tree: NumberedTree) {
    source = ForestTree(tree)
    root = View.view(of: source.forest)
  }

  mutating func prepareFolders() { source.prepareFolders() }
  func insert(_ item: Int, inFolder number: Int) { source.insert(item, inFolder: number) }
  func removeFirst(ofFolder number: Int) { source.removeFirst(ofFolder: number) }
}
