import OffsetIndexing

// A comparator whose orders are found in the background.
extension TreeSortNode {
  /// Sorts by another comparator at every depth, which other cores ask, while the sort and its source stay usable.
  ///
  /// ```swift
  /// try await sorted.setComparator(concurrently: { $0.size < $1.size })
  /// ```
  ///
  /// Until everything is known the former orders are shown, and then the new ones, as one change of the fewest moves; edits
  /// made meanwhile are applied. The elements are copied out, in several turns of the node's isolation domain. To put the new
  /// orders in place takes the domain O(n), and calls the comparator only for elements that have just been edited. It may be
  /// called on the sorted node of any child, and concerns the whole tree.
  ///
  /// A further call to this or another form of `setComparator` takes the place of this one, which ends with a
  /// `CancellationError`, also where the further call is rolled back.
  ///
  /// - Parameters:
  ///   - areInIncreasingOrder: says whether its first argument comes before its second. Where it throws later, for a new or
  ///     updated element, that counts as false.
  ///   - progress: receives how far it has come; the units are steps of the work.
  /// - Throws: the comparator's error, or a `CancellationError` where the task or the progress is cancelled, or another
  ///   call took the place of this one. The orders are as they were then, with the edits made since.
  /// - Complexity: O(n · log n) for the n elements that have been looked at, by as many cores as there are; children of one
  ///   node are sorted by one of them.
  @inlinable
  public func setComparator(
    concurrently areInIncreasingOrder: @escaping @Sendable (Element, Element) throws -> Bool,
    progress: BackgroundProgress? = nil
  ) async throws where Element: Sendable {
    try await background.sortConcurrently(
      areInIncreasingOrder, progress, copying: { elementRows($0, $1) },
      sorting: { rows in
        var calls: UInt16 = 0
        try rows.sortRows {
          calls &+= 1
          if calls == 0 { try Task.checkCancellation() }
          return try areInIncreasingOrder($0, $1)
        }
      })
  }

  /// Sorts by another comparator at every depth, in slices on the caller's actor, to which other work gets in between.
  ///
  /// It is for elements that cannot leave their isolation domain; else as the form that works concurrently.
  ///
  /// ```swift
  /// // on the main actor, with class objects
  /// try await sorted.setComparator(inSlicesOf: .milliseconds(2)) { $0.title < $1.title }
  /// ```
  ///
  /// - Parameters:
  ///   - budget: how long a slice should take. Their sizes are adapted as they go; a single call of the comparator is not
  ///     interrupted.
  ///   - progress: receives how far it has come; the units are steps of the work.
  ///   - areInIncreasingOrder: says whether its first argument comes before its second. Where it throws later, for a new or
  ///     updated element, that counts as false.
  /// - Throws: as the form that works concurrently.
  /// - Complexity: O(n · log n) for the n elements that have been looked at.
  @inlinable
  public func setComparator(
    inSlicesOf budget: Duration, progress: BackgroundProgress? = nil,
    by areInIncreasingOrder: @escaping (Element, Element) throws -> Bool
  ) async throws {
    try await sortInSlices(
      budget, areInIncreasingOrder, progress, copying: { elementRows($0, $1) },
      stepping: { $0.step(atMost: $1, by: $2) })
  }

  /// `setComparator(inSlicesOf:progress:by:)`, with the closures that are specialized for its element.
  @usableFromInline
  func sortInSlices(
    _ budget: Duration, _ areInIncreasingOrder: @escaping (Element, Element) throws -> Bool,
    _ progress: BackgroundProgress?, copying: (NodeReader<Element>, Range<Int>) -> [ElementRow<Element>],
    stepping: (inout StepwiseSort<Element>, Int, Comparator) -> Bool
  ) async throws {
    let background = background
    let comparator = background.work.keepingErrors(areInIncreasingOrder)
    var slices = SliceSizes(budget: budget)
    try await background.run(progress, comparator, copying) { batches, check in
      var turns = Turns()
      var results: [[SiblingOrder]] = []
      for batch in batches {
        var orders: [SiblingOrder] = []
        for siblings in batch {
          var sort = StepwiseSort([SourcePiece(0..<siblings.count, .copied(siblings.rows))])
          while slices.measure({ count in hub.refusingChanges { stepping(&sort, count, comparator) } }) {
            await turns.pass()
            try background.work.check(progress)
          }
          orders.append(SiblingOrder(sort.positions.completed(to: siblings.count)))
          // Many that are small make a slice together.
          guard turns.isOver else { continue }
          await turns.pass()
          try background.work.check(progress)
        }
        results.append(orders)
        try check(results.count)
      }
      return results
    }
  }

  /// The work that finds other orders for the whole tree; a former one is superseded.
  @usableFromInline
  var background: TreeSortBackground<Element> {
    root.load()
    return TreeSortBackground(root)
  }
}
