import Assemblage
import Foundation

/// The matches in a numbered tree, with their ancestors.
protocol TreeFiltering: FolderEditing {
  init(_ tree: NumberedTree, remainder: Int)
  /// Prepares the filter alone. The source exists already.
  static func build(_ context: inout Context) -> Trial
  /// The number of matches.
  var matchCount: Int { get }
  /// Shows other matches.
  mutating func change(remainder: Int)
  /// Shows only the odd matches for the remainder 0, or all of them again.
  mutating func narrow(_ isNarrow: Bool)
}

/// Whether a number is a match: one in 128 numbers, and the number of the inserted leaf.
@inline(__always)
func isFound(_ number: Int, _ remainder: Int) -> Bool {
  number < 0 || (UInt32(truncatingIfNeeded: number) &* 2_654_435_761) >> 25 == remainder
}

extension TreeFilterNode<Int> {
  /// Shows only the odd matches for the remainder 0, or all of them again. The predicate is called only for rows that
  /// the change may hide or show.
  @inline(__always)
  func narrow(_ isNarrow: Bool) {
    if isNarrow {
      setPredicate(hint: .stricter) { isFound($0, 0) && $0 & 1 == 1 }
    } else {
      setPredicate(hint: .looser) { isFound($0, 0) }
    }
  }
}

/// The library's tree filter.
struct FilterSubject<Source: TreeSource>: TreeFiltering, BoxedObserver where Source.Item == Int {
  static var name: String { Source.name(of: "TreeFilterNode") }
  static var origin: Subject.Origin { .library }

  private var source: Source
  private let filter: TreeFilterNode<Int>
  let box = ObserverBox()
  private let token: NodeObservation

  init(_ tree: NumberedTree, remainder: Int) {
    source = Source(tree)
    source.prepareFolders()
    filter = TreeFilterNode(source.root) { isFound($0, remainder) }
    token = filter.observe { [unowned filter, box] _ in box.observer(filter.matchCount) }
  }

  @inline(__always)
  static func build(_ context: inout Context) -> Trial {
    Trial(Source(NumberedTree(n: context.n)), elementsPerOperation: context.n) { source in
      TreeFilterNode(source.root) { isFound($0, 0) }.matchCount
    }
  }

  var matchCount: Int { filter.matchCount }

  func change(remainder: Int) { filter.setPredicate { isFound($0, remainder) } }
  func narrow(_ isNarrow: Bool) { filter.narrow(isNarrow) }
  func insert(inFolder number: Int) { source.insert(-1, inFolder: number) }
  func removeFirst(ofFolder number: Int) { source.removeFirst(ofFolder: number) }
}

/// The usual recursive function. For each folder, it makes the list of the children that are shown.
struct RecursiveWalk: TreeFiltering {
  static let name = "RecursiveWalk"

  private let tree: NumberedTree
  private var remainder: Int
  private var isNarrow = false
  /// The number of matches that were inserted at the front of each folder.
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

  static func build(_ context: inout Context) -> Trial {
    Trial(NumberedTree(n: context.n), elementsPerOperation: context.n) { tree in Self(tree, remainder: 0).matchCount }
  }

  private mutating func walk() {
    matchCount = 0
    _ = visit(0)
    observer(matchCount)
  }

  /// Finds the shown children below a folder, and returns whether there are any.
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
