@_spi(NodeAuthors) import Assemblage
import Foundation

/// A numbered tree in which the children of each folder are sorted.
protocol FolderSorting: FolderEditing {
  init(_ tree: NumberedTree, multiplier: UInt32)
  /// Prepares the sorted tree alone, and one read of the whole tree. The source exists already.
  static func build(_ context: inout Context) -> Trial
}

protocol TreeSorting: FolderSorting {
  /// The sum of all numbers times their positions. To compute it, the whole tree has to be sorted.
  var total: Int { get }
  /// Sorts by another order.
  mutating func change(multiplier: UInt32)
}

/// The multipliers of two orders.
let sortMultipliers: [UInt32] = [2_654_435_761, 2_246_822_519]

/// The sort key of a number, which puts it at a nearly random place among its siblings.
@inline(__always)
func sortKey(_ number: Int, _ multiplier: UInt32) -> UInt32 { UInt32(truncatingIfNeeded: number) &* multiplier }

/// The library's tree sort. All of its levels have been read.
struct SortSubject<Source: TreeSource>: TreeSorting, BoxedObserver where Source.Item == Int {
  static var name: String { Source.name(of: "TreeSortNode") }
  static var origin: Subject.Origin { .library }

  private var source: Source
  private let sorted: TreeSortNode<Int>
  let box = ObserverBox()
  private let token: NodeObservation

  init(_ tree: NumberedTree, multiplier: UInt32) {
    source = Source(tree)
    source.prepareFolders()
    sorted = TreeSortNode(source.root) { sortKey($0, multiplier) < sortKey($1, multiplier) }
    token = sorted.observe { [unowned sorted, box] _ in box.observer(sorted.element(at: 0) ?? 0) }
    _ = total
  }

  @inline(__always)
  static func build(_ context: inout Context) -> Trial {
    Trial(Source(NumberedTree(n: context.n)), elementsPerOperation: context.n) { source in
      let multiplier = sortMultipliers[0]
      return total(of: TreeSortNode(source.root) { sortKey($0, multiplier) < sortKey($1, multiplier) })
    }
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

  func insert(inFolder number: Int) { source.insert(-1, inFolder: number) }
  func removeFirst(ofFolder number: Int) { source.removeFirst(ofFolder: number) }
}

/// The library's views above each other. A filter passes half of the numbers, a sort orders them, and an outline shows
/// the result.
struct PipelineSubject<Source: TreeSource>: FolderSorting, BoxedObserver where Source.Item == Int {
  static var name: String { Source.name(of: "OutlineOfViews") }
  static var origin: Subject.Origin { .library }

  private var source: Source
  private let outline: OutlineNode<Int, Int>
  let box = ObserverBox()
  private let token: NodeObservation

  init(_ tree: NumberedTree, multiplier: UInt32) {
    source = Source(tree)
    source.prepareFolders()
    outline = Self.outline(of: source, multiplier: multiplier)
    token = outline.observe { [box] in box.observer($0.delta.countChange) }
  }

  /// Filters, sorts and outlines a source.
  private static func outline(of source: Source, multiplier: UInt32) -> OutlineNode<Int, Int> {
    let filter = TreeFilterNode(source.root) { $0 < 0 || $0 % 2 == 0 }
    let sorted = TreeSortNode(filter) { sortKey($0, multiplier) < sortKey($1, multiplier) }
    return OutlineNode(sorted, expansion: ExpansionState(policy: .expanded), id: { $0 })
  }

  static func build(_ context: inout Context) -> Trial {
    Trial(Source(NumberedTree(n: context.n)), elementsPerOperation: context.n) { source in
      outline(of: source, multiplier: sortMultipliers[0]).count
    }
  }

  func insert(inFolder number: Int) { source.insert(-1, inFolder: number) }
  func removeFirst(ofFolder number: Int) { source.removeFirst(ofFolder: number) }
}

/// The usual way: an array for each folder, which is sorted again after each change.
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

  static func build(_ context: inout Context) -> Trial {
    Trial(NumberedTree(n: context.n), elementsPerOperation: context.n) { tree in
      Self(tree, multiplier: sortMultipliers[0]).total
    }
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

/// The usual way: a list of the visible rows, which is made again after each change.
struct FilteredRows: FolderSorting {
  static let name = "FilteredRows"

  private let tree: NumberedTree
  private let multiplier: UInt32
  /// The number of leaves, -1, that have been inserted in each folder.
  private var inserted: [Int: Int] = [:]
  private var rows: [Int] = []
  var observer: (Int) -> Void = { _ in }

  init(_ tree: NumberedTree, multiplier: UInt32) {
    self.tree = tree
    self.multiplier = multiplier
    makeRows()
  }

  static func build(_ context: inout Context) -> Trial {
    Trial(NumberedTree(n: context.n), elementsPerOperation: context.n) { tree in
      Self(tree, multiplier: sortMultipliers[0]).rows.count
    }
  }

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
