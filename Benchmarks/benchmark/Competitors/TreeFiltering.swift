import Assemblage
import Foundation

/// The matches in a numbered tree, with their ancestors.
protocol TreeFiltering: FolderEditing {
  init(_ tree: NumberedTree, remainder: Int)
  /// The number of matches.
  var matchCount: Int { get }
  /// Shows other matches.
  mutating func change(remainder: Int)
  /// Shows only the odd ones among the matches for the remainder 0, or all of these again.
  mutating func narrow(_ isNarrow: Bool)
}

/// Whether a number is found: one in 128, and the one that is inserted.
@inline(__always)
func isFound(_ number: Int, _ remainder: Int) -> Bool {
  number < 0 || (UInt32(truncatingIfNeeded: number) &* 2_654_435_761) >> 25 == remainder
}

extension TreeFilterNode<Int> {
  /// Shows only the odd ones among the matches for the remainder 0, or all of these again; only those are asked about
  /// that may come or go.
  @inline(__always)
  func narrow(_ isNarrow: Bool) {
    if isNarrow {
      setPredicate(hint: .stricter) { isFound($0, 0) && $0 & 1 == 1 }
    } else {
      setPredicate(hint: .looser) { isFound($0, 0) }
    }
  }
}

/// The library's.
struct TreeFilterSubject: TreeFiltering {
  static let name = "TreeFilterNode"
  static var origin: Subject.Origin { .library }

  let folders: [BranchNode<Int>]
  let filter: TreeFilterNode<Int>
  private let token: NodeObservation
  private let heard: Box

  private final class Box {
    var observer: (Int) -> Void = { _ in }
  }

  init(_ tree: NumberedTree, remainder: Int) {
    folders = Self.folders(of: tree)
    filter = TreeFilterNode(folders[0]) { isFound($0, remainder) }
    let box = Box()
    heard = box
    token = filter.observe { [unowned filter] _ in box.observer(filter.matchCount) }
  }

  /// The tree as branches, by number.
  static func folders(of tree: NumberedTree) -> [BranchNode<Int>] {
    var nodes: [BranchNode<Int>?] = Array(repeating: nil, count: tree.folders.count)
    for number in tree.folders.reversed() {
      nodes[number] = BranchNode(
        value: number,
        tree.children(of: number).map { child in
          child < nodes.count ? .node(nodes[child]!) : .leaf(child)
        })
    }
    return nodes.map { $0! }
  }

  var observer: (Int) -> Void {
    get { heard.observer }
    set { heard.observer = newValue }
  }

  var matchCount: Int { filter.matchCount }

  func change(remainder: Int) { filter.setPredicate { isFound($0, remainder) } }
  func narrow(_ isNarrow: Bool) { filter.narrow(isNarrow) }
  func insert(inFolder number: Int) { folders[number].insert(.leaf(-1), at: 0) }
  func removeFirst(ofFolder number: Int) { folders[number].remove(at: 0) }
}

/// The library's, of a forest.
struct ForestFilterSubject: TreeFiltering {
  static let name = "OnForest"
  static var origin: Subject.Origin { .library }

  private let filter: TreeFilterNode<Int>
  private let folders: [ForestNode<Int>]
  private let token: NodeObservation
  private let heard: Box

  private final class Box {
    var observer: (Int) -> Void = { _ in }
  }

  init(_ tree: NumberedTree, remainder: Int) {
    let forest = Self.forest(of: tree)
    filter = TreeFilterNode(forest) { isFound($0, remainder) }
    folders = Self.folders(of: forest, tree)
    let box = Box()
    heard = box
    token = filter.observe { [unowned filter] _ in box.observer(filter.matchCount) }
  }

  static func forest(of tree: NumberedTree) -> ForestNode<Int> {
    ForestNode(tree.children(of: 0)) { number in
      let children = tree.children(of: number)
      return children.isEmpty ? nil : children
    }
  }

  /// The branches by number; their paths change with what is inserted.
  static func folders(of forest: ForestNode<Int>, _ tree: NumberedTree) -> [ForestNode<Int>] {
    tree.folders.map { forest.child(at: IndexPath(indexes: tree.path(of: $0)))! }
  }

  var observer: (Int) -> Void {
    get { heard.observer }
    set { heard.observer = newValue }
  }

  var matchCount: Int { filter.matchCount }

  func change(remainder: Int) { filter.setPredicate { isFound($0, remainder) } }
  func narrow(_ isNarrow: Bool) { filter.narrow(isNarrow) }
  func insert(inFolder number: Int) { folders[number].insert(-1, at: 0) }
  func removeFirst(ofFolder number: Int) { folders[number].remove(at: 0) }
}

/// The usual function that calls itself: for each folder it makes the list of the children that are shown.
struct RecursiveWalk: TreeFiltering {
  static let name = "RecursiveWalk"

  private let tree: NumberedTree
  private var remainder: Int
  private var isNarrow = false
  /// How many matches were inserted at the front of each folder.
  private var inserted: [Int]
  /// The children that are shown, by folder.
  private(set) var shown: [[Int]]
  private(set) var matchCount = 0
  var observer: (Int) -> Void = { _ in }

  init(_ tree: NumberedTree, remainder: Int) {
    self.tree = tree
    self.remainder = remainder
    inserted = Array(repeating: 0, count: tree.folders.count)
    shown = Array(repeating: [], count: tree.folders.count)
    walk()
  }

  private mutating func walk() {
    matchCount = 0
    _ = visit(0)
    observer(matchCount)
  }

  /// Finds what is shown below a folder; returns whether anything is.
  private mutating func visit(_ folder: Int) -> Bool {
    shown[folder].removeAll(keepingCapacity: true)
    for _ in 0..<inserted[folder] {
      matchCount += 1
      shown[folder].append(-1)
    }
    for child in tree.children(of: folder) {
      let matches = isFound(child, remainder) && (!isNarrow || child & 1 == 1)
      if matches { matchCount += 1 }
      let holds = child < shown.count && visit(child)
      if matches || holds { shown[folder].append(child) }
    }
    return !shown[folder].isEmpty
  }

  mutating func change(remainder: Int) {
    self.remainder = remainder
    walk()
  }

  mutating func narrow(_ isNarrow: Bool) {
    self.isNarrow = isNarrow
    walk()
  }

  mutating func insert(inFolder number: Int) {
    inserted[number] += 1
    walk()
  }

  mutating func removeFirst(ofFolder number: Int) {
    inserted[number] -= 1
    walk()
  }
}
