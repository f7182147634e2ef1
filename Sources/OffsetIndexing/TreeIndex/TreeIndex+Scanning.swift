extension TreeIndex {
  /// Elements that follow one another: leaves that are side by side, or one branch.
  ///
  /// ```swift
  /// let run = TreeIndex(depths: [0, 1, 1, 0]).runs().first { $0.depth == 1 }!
  /// run.numbers                                          // 1..<3
  /// run.positions                                        // 0..<2
  /// run.branch                                           // nil: they are leaves
  /// ```
  public struct Run: Hashable, Sendable {
    /// The elements' numbers in the forest.
    public let numbers: Range<Int>
    /// The parent of the elements.
    public let parent: Branch
    /// The elements' positions among the parent's children.
    public let positions: Range<Int>
    /// The number of branches above the elements in the forest.
    public let depth: Int
    /// The element's handle, where the run is a branch.
    public let branch: Branch?
  }

  /// An element and its place.
  ///
  /// ```swift
  /// for row in TreeIndex(depths: [0, 1, 1]).rows(in: 1..<3) {
  ///   print(row.number, row.place.position)              // 1 0, then 2 1
  /// }
  /// ```
  public struct Row: Hashable, Sendable {
    /// The element's number in the forest.
    public let number: Int
    /// The element's place.
    public let place: Place
  }

  /// Returns the elements of the root's forest in document order, by runs.
  ///
  /// ```swift
  /// TreeIndex(depths: [0, 1, 1, 0]).runs().map(\.numbers)    // [0..<1, 1..<3, 3..<4]
  /// ```
  ///
  /// - Returns: the runs. Leaves that are side by side may be more than one run, as the structure divides them.
  /// - Complexity: O(log n) for the first run, then O(1) for each run, amortised.
  public func runs() -> Runs { runs(in: 0..<count) }

  /// Returns elements of a forest in document order, by runs.
  ///
  /// ```swift
  /// TreeIndex(depths: [0, 1, 1, 0]).runs(in: 2..<4).map(\.depth)    // [1, 0]
  /// ```
  ///
  /// - Parameters:
  ///   - numbers: the elements' numbers, within `0..<count(in: branch)`.
  ///   - branch: the branch in whose forest the elements are counted.
  /// - Returns: the runs. The first run and the last run are cut at the ends of `numbers`.
  /// - Precondition: `numbers` is within its bounds, and `branch` has a forest of its own; anything else traps.
  /// - Complexity: O(log n) for the first run, then O(1) for each run, amortised. Also O(log n) for each branch that
  ///   begins before `numbers` and ends within `numbers`.
  public func runs(in numbers: Range<Int>, of branch: Branch = root) -> Runs {
    Runs(self, numbers, forest: ownForest(of: branch))
  }

  /// Returns elements of a forest in document order, one by one, with their places.
  ///
  /// These are the elements that a window of an outline shows.
  ///
  /// ```swift
  /// TreeIndex(depths: [0, 1, 1]).rows(in: 1..<3).map(\.place.position)    // [0, 1]
  /// ```
  ///
  /// - Parameters:
  ///   - numbers: the elements' numbers, as for `runs(in:of:)`.
  ///   - branch: the branch in whose forest they are counted, as for `runs(in:of:)`.
  /// - Returns: the elements.
  /// - Precondition: as for `runs(in:of:)`.
  /// - Complexity: O(log n) for the first element, then O(1) for each element, amortised, as for `runs(in:of:)`.
  public func rows(in numbers: Range<Int>, of branch: Branch = root) -> Rows {
    Rows(runs: runs(in: numbers, of: branch))
  }

  /// A sequence of runs, and its own iterator.
  ///
  /// ```swift
  /// for run in TreeIndex(depths: [0, 1, 1, 0]).runs() {
  ///   print(run.numbers, run.depth)                      // 0..<1 0, then 1..<3 1, then 3..<4 0
  /// }
  /// ```
  public struct Runs: Sequence, IteratorProtocol, Sendable {
    // The copy keeps the nodes, because shared storage is not changed.
    private let index: TreeIndex
    private let end: Int
    private var number: Int
    private var place: ShapeTree.Place
    private var parent: UInt32
    private var position: Int
    private var depth: Int
    /// For each branch that was opened on the way and is still open, the position after the branch.
    private var positions: [Int] = []

    init(_ index: TreeIndex, _ numbers: Range<Int>, forest: UInt32) {
      self.index = index
      let tree = index.tree
      let root = tree.forests[forest]
      let count = root.part.root.sum.elements
      if numbers.lowerBound < 0 || numbers.upperBound > count { TreeTrap.numbers(numbers, count: count) }
      number = numbers.lowerBound
      end = numbers.upperBound
      if numbers.isEmpty {
        (place, parent, position, depth) = (ShapeTree.Place(leaf: noBlock, slot: 0), 0, 0, 0)
        return
      }
      let found = tree.find(number, in: root.part)
      place = found.place
      depth = Int(found.depth)
      parent = tree.parent(at: place)
      position = tree.childrenBefore(place, of: parent)
    }

    /// Returns the next run, or nil after the last.
    public mutating func next() -> Run? {
      if number == end { return nil }
      let tree = index.tree
      while true {
        if place.slot == tree.count(of: place.leaf), let next = tree.leafAfter(place.leaf) {
          place = ShapeTree.Place(leaf: next, slot: 0)
        }
        let event = tree.event(place.slot, tree.leaves.lanes(place.leaf))
        if event.isLeaves {
          let left = tree.elements(event) - place.inside
          let length = Swift.min(left, end - number)
          defer {
            if length == left {
              place.slot += 1
              place.inside = 0
            } else {
              place.inside += length
            }
          }
          return advance(length, branch: nil)
        }
        place.slot += 1
        if event.isKind(.close) {
          let closed = event.record
          parent = tree.branches.parent(closed)
          depth -= 1
          position = positions.popLast() ?? tree.childrenBefore(tree.place(of: closed), of: parent) + 1
          continue
        }
        let run = advance(1, branch: Branch(event.record))
        if event.isKind(.open) {
          positions.append(position)
          (parent, position) = (event.record, 0)
          depth += 1
        }
        return run
      }
    }

    private mutating func advance(_ length: Int, branch: Branch?) -> Run {
      defer {
        number += length
        position += length
      }
      return Run(
        numbers: number..<number + length, parent: Branch(parent), positions: position..<position + length,
        depth: depth, branch: branch)
    }
  }

  /// A sequence of rows, and its own iterator.
  ///
  /// ```swift
  /// let names = ["notes", "a.md", "b.md", "x.txt"]
  /// TreeIndex(depths: [0, 1, 1, 0]).rows(in: 0..<4).map {
  ///   String(repeating: "  ", count: $0.place.depth) + names[$0.number]
  /// }                                                    // ["notes", "  a.md", "  b.md", "x.txt"]
  /// ```
  public struct Rows: Sequence, IteratorProtocol, Sendable {
    private var runs: Runs
    private var run: Run?
    private var offset = 0

    init(runs: Runs) { self.runs = runs }

    /// Returns the next element, or nil after the last.
    public mutating func next() -> Row? {
      if run.map({ offset == $0.numbers.count }) ?? true {
        run = runs.next()
        offset = 0
      }
      guard let run else { return nil }
      defer { offset += 1 }
      return Row(
        number: run.numbers.lowerBound + offset,
        place: Place(
          parent: run.parent, position: run.positions.lowerBound + offset, depth: run.depth, branch: run.branch))
    }
  }
}

extension TreeIndex: CustomStringConvertible {
  /// The depths of the elements in document order, or of the first 32 elements if there are more.
  ///
  /// ```swift
  /// "\(TreeIndex(depths: [0, 1]))"                     // "TreeIndex(0, 1)"
  /// ```
  public var description: String {
    let head = rows(in: 0..<Swift.min(count, 32)).map { "\($0.place.depth)" }.joined(separator: ", ")
    return count <= 32 ? "TreeIndex(\(head))" : "TreeIndex(\(head), … \(count) elements)"
  }
}
