import Assemblage
import Foundation

/// A numbered tree in which the children of each folder are sorted.
protocol TreeSorting: FolderEditing {
  init(_ tree: NumberedTree, multiplier: UInt32)
  /// The sum of all numbers times their positions: all is sorted when it is known.
  var total: Int { get }
  /// Sorts otherwise.
  mutating func change(multiplier: UInt32)
}

/// Where a number stands among its siblings: as good as at random.
@inline(__always)
func sortKey(_ number: Int, _ multiplier: UInt32) -> UInt32 { UInt32(truncatingIfNeeded: number) &* multiplier }

/// A source of the library's: branches, or a forest.
protocol SortableTree {
  static var subject: String { get }
  init(_ tree: NumberedTree)
  var root: any TreeNode<Int> { get }
  func insert(inFolder number: Int)
  func removeFirst(ofFolder number: Int)
}

struct SortableBranches: SortableTree {
  static let subject = "TreeSortNode"

  private let folders: [BranchNode<Int>]

  init(_ tree: NumberedTree) { folders = TreeFilterSubject.folders(of: tree) }

  var root: any TreeNode<Int> { folders[0] }
  func insert(inFolder number: Int) { folders[number].insert(.leaf(-1), at: 0) }
  func removeFirst(ofFolder number: Int) { folders[number].remove(at: 0) }
}

struct SortableForest: SortableTree {
  static let subject = "OnForest"

  private let forest: ForestNode<Int>
  private let folders: [ForestNode<Int>]

  init(_ tree: NumberedTree) {
    forest = ForestFilterSubject.forest(of: tree)
    folders = ForestFilterSubject.folders(of: forest, tree)
  }

  var root: any TreeNode<Int> { forest }
  func insert(inFolder number: Int) { folders[number].insert(-1, at: 0) }
  func removeFirst(ofFolder number: Int) { folders[number].remove(at: 0) }
}

/// The library's, whose levels have all been looked at.
struct TreeSortSubject<Source: SortableTree>: TreeSorting {
  static var name: String { Source.subject }
  static var origin: Subject.Origin { .library }

  private let source: Source
  private let sorted: TreeSortNode<Int>
  private let token: NodeObservation
  private let heard: Box

  private final class Box {
    var observer: (Int) -> Void = { _ in }
  }

  init(_ tree: NumberedTree, multiplier: UInt32) {
    source = Source(tree)
    sorted = TreeSortNode(source.root) { sortKey($0, multiplier) < sortKey($1, multiplier) }
    let box = Box()
    heard = box
    token = sorted.observe { [unowned sorted] _ in box.observer(sorted.element(at: 0) ?? 0) }
    _ = total
  }

  var observer: (Int) -> Void {
    get { heard.observer }
    set { heard.observer = newValue }
  }

  /// Sorts a source anew, and looks at every level.
  static func build(_ source: Source, multiplier: UInt32) -> Int {
    total(of: TreeSortNode(source.root) { sortKey($0, multiplier) < sortKey($1, multiplier) })
  }

  var total: Int { Self.total(of: sorted) }

  private static func total(of root: any TreeNode<Int>) -> Int {
    var sum = 0
    var open = [root]
    while let node = open.popLast() {
      node.forEachSpan(in: 0..<node.count) { start, span in
        for index in span.indices { sum &+= (start + index) &* span[index] }
      }
      for position in 0..<node.count {
        if let child = node.child(at: position) { open.append(child) }
      }
    }
    return sum
  }

  func change(multiplier: UInt32) {
    sorted.setComparator { sortKey($0, multiplier) < sortKey($1, multiplier) }
  }

  func insert(inFolder number: Int) { source.insert(inFolder: number) }
  func removeFirst(ofFolder number: Int) { source.removeFirst(ofFolder: number) }
}

/// The library's views one above the other: half of the numbers pass a filter, what is left is sorted, and an outline shows all
/// of that.
struct PipelineSubject<Source: SortableTree>: FolderEditing {
  static var name: String { Source.subject == SortableBranches.subject ? "OutlineOfViews" : "OnForest" }
  static var origin: Subject.Origin { .library }

  private let source: Source
  private let outline: OutlineNode<Int, Int>
  private let token: NodeObservation
  private let heard: Box

  private final class Box {
    var observer: (Int) -> Void = { _ in }
  }

  init(_ tree: NumberedTree, multiplier: UInt32) {
    source = Source(tree)
    outline = Self.build(source, multiplier: multiplier)
    let box = Box()
    heard = box
    token = outline.observe { box.observer($0.delta.countChange) }
  }

  var observer: (Int) -> Void {
    get { heard.observer }
    set { heard.observer = newValue }
  }

  /// Filters, sorts and shows a source anew.
  static func build(_ source: Source, multiplier: UInt32) -> OutlineNode<Int, Int> {
    let filter = TreeFilterNode(source.root) { $0 < 0 || $0 % 2 == 0 }
    let sorted = TreeSortNode(filter) { sortKey($0, multiplier) < sortKey($1, multiplier) }
    return OutlineNode(sorted, expansion: ExpansionState(policy: .expanded), id: { $0 })
  }

  func insert(inFolder number: Int) { source.insert(inFolder: number) }
  func removeFirst(ofFolder number: Int) { source.removeFirst(ofFolder: number) }
}

/// The usual way: an array for each folder, sorted again where something has changed.
struct SortedArrays: TreeSorting {
  static let name = "SortedArrays"

  private var multiplier: UInt32
  private var folders: [[Int]]
  var observer: (Int) -> Void = { _ in }

  init(_ tree: NumberedTree, multiplier: UInt32) {
    self.multiplier = multiplier
    folders = tree.folders.map { Array(tree.children(of: $0)) }
    for number in folders.indices { sort(number) }
  }

  private mutating func sort(_ number: Int) {
    let multiplier = multiplier
    folders[number].sort { sortKey($0, multiplier) < sortKey($1, multiplier) }
  }

  var total: Int {
    var sum = 0
    for folder in folders {
      for (position, number) in folder.enumerated() { sum &+= position &* number }
    }
    return sum
  }

  mutating func change(multiplier: UInt32) {
    self.multiplier = multiplier
    for number in folders.indices { sort(number) }
    observer(folders[0][0])
  }

  mutating func insert(inFolder number: Int) {
    folders[number].insert(-1, at: 0)
    sort(number)
    observer(folders[0][0])
  }

  mutating func removeFirst(ofFolder number: Int) {
    folders[number].remove(at: folders[number].firstIndex(of: -1)!)
  }
}

/// The usual way: a list of the rows that are to be shown, made anew where something has changed.
struct FilteredRows: FolderEditing {
  static let name = "FilteredRows"

  private let tree: NumberedTree
  private let multiplier: UInt32
  /// How many leaves, -1, have been inserted in folders.
  private var inserted: [Int: Int] = [:]
  private var rows: [Int] = []
  var observer: (Int) -> Void = { _ in }

  init(_ tree: NumberedTree, multiplier: UInt32) {
    self.tree = tree
    self.multiplier = multiplier
    makeRows()
  }

  var count: Int { rows.count }

  private mutating func makeRows() {
    var isShown = (0...tree.n).map { $0 % 2 == 0 }
    for (folder, count) in inserted where count > 0 { isShown[folder] = true }
    for number in stride(from: tree.n, to: 0, by: -1) where isShown[number] { isShown[(number - 1) / 10] = true }
    rows.removeAll(keepingCapacity: true)
    var open = [0]
    while let number = open.popLast() {
      if number != 0 { rows.append(number) }
      if number < 0 { continue }
      var children = tree.children(of: number).filter { isShown[$0] }
      children += Array(repeating: -1, count: inserted[number] ?? 0)
      let multiplier = multiplier
      children.sort { sortKey($0, multiplier) > sortKey($1, multiplier) }
      open += children
    }
  }

  private mutating func insert(_ count: Int, inFolder number: Int) {
    let former = rows.count
    inserted[number, default: 0] += count
    makeRows()
    observer(rows.count - former)
  }

  mutating func insert(inFolder number: Int) { insert(1, inFolder: number) }
  mutating func removeFirst(ofFolder number: Int) { insert(-1, inFolder: number) }
}
