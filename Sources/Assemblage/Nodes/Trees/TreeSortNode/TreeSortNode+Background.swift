import OffsetIndexing

// A comparator whose orders are computed in the background.
//
// The snapshot has the children of each node that has been looked at. If a node's children change afterwards, the node
// is looked at again: see `BackgroundWork.staleParents`.
extension TreeSortNode: BackgroundNode {
  /// Sorts by another comparator in the background, at every depth, on other threads: see `ConcurrentWork`.
  ///
  /// The caller may use the sorted node of any child; the comparator sorts the whole tree.
  ///
  /// - Parameters:
  ///   - execution: `.concurrently`.
  ///   - progress: receives the progress of the work.
  ///   - areInIncreasingOrder: says whether its first argument precedes its second.
  /// - Throws: the error of the comparator, or a `CancellationError`.
  /// - Complexity: O(n · log n) for the n elements that have been looked at; one thread sorts the children of one node.
  ///   In the node's domain, O(n) to copy the elements, and to apply the orders.
  @inlinable
  public func setComparator(
    inBackground execution: ConcurrentWork, progress: BackgroundProgress? = nil,
    by areInIncreasingOrder: @escaping @Sendable (Element, Element) throws -> Bool
  ) async throws where Element: Sendable {
    try await sortConcurrently(
      areInIncreasingOrder, progress, copying: { elementRows($0, $1, among: $2) },
      sorting: { try $0.sortRowsUnlessCancelled(by: areInIncreasingOrder) })
  }

  /// Sorts by another comparator in the background, at every depth, in slices on the node's domain: see
  /// `ConcurrentWork`.
  ///
  /// The caller may use the sorted node of any child; the comparator sorts the whole tree.
  ///
  /// - Parameters:
  ///   - slices: `.inSlices(of:)`.
  ///   - progress: receives the progress of the work.
  ///   - areInIncreasingOrder: says whether its first argument precedes its second.
  /// - Throws: the error of the comparator, or a `CancellationError`.
  /// - Complexity: O(n · log n) for the n elements that have been looked at.
  @inlinable
  public func setComparator(
    inBackground slices: SlicedWork, progress: BackgroundProgress? = nil,
    by areInIncreasingOrder: @escaping (Element, Element) throws -> Bool
  ) async throws {
    try await sortInSlices(
      slices, areInIncreasingOrder, progress, copying: { elementRows($0, $1, among: $2) },
      stepping: { $0.step(atMost: $1, by: $2) })
  }

  var work: BackgroundWork? {
    get { family.translation.value.work }
    set { family.translation.value.work = newValue }
  }

  /// `setComparator(inBackground:progress:by:)`, with closures that are specialized for its comparator.
  @usableFromInline
  func sortConcurrently(
    _ comparator: @escaping @Sendable (Element, Element) throws -> Bool, _ progress: BackgroundProgress?,
    copying: CopyingElements<Element>, sorting: @escaping @Sendable (inout [ElementRow<Element>]) throws -> Void
  ) async throws where Element: Sendable {
    try await root.sort(progress, comparator, copying) { work, siblings, isFirst, _ in
      var batches = SiblingRows.batches(siblings)
      let count = batches.count
      return try await work.elsewhere(&batches, progress: (0, isFirst ? count : 0)) { batch in
        try batch.map { siblings in
          var rows = siblings.rows
          try sorting(&rows)
          return SiblingOrder(rows.positions(of: siblings.count))
        }
      }.flatMap { $0 }
    }
  }

  /// `setComparator(inBackground:progress:by:)`, with closures that are specialized for its element.
  @usableFromInline
  func sortInSlices(
    _ slices: SlicedWork, _ comparator: @escaping (Element, Element) throws -> Bool, _ progress: BackgroundProgress?,
    copying: CopyingElements<Element>, stepping: (inout StepwiseSort<Element>, Int, Comparator) -> Bool
  ) async throws {
    try await root.sort(progress, comparator, copying) { work, siblings, isFirst, comparator in
      var rest = Array(siblings.reversed())
      var orders: [SiblingOrder] = []
      var sort: StepwiseSort<Element>?
      try await work.inSlices(slices, progress: { (orders.count, isFirst ? siblings.count : 0) }) { count in
        var count = count
        // One slice sorts many nodes with few children.
        hub.refusingChanges {
          while count > 0, let siblings = rest.last {
            let step = count
            count -= Swift.max(1, Swift.min(step, siblings.rows.count))
            // A second reference to the sort would make the step copy it.
            var steps = sort ?? StepwiseSort([SourcePiece(0..<siblings.count, .copied(siblings.rows))])
            sort = nil
            if stepping(&steps, step, comparator) {
              sort = steps
            } else {
              orders.append(SiblingOrder(steps.positions.completed(to: siblings.count)))
              rest.removeLast()
            }
          }
        }
        return !rest.isEmpty
      }
      return orders
    }
  }

  /// Sorts by another comparator, with an executor; called on the root.
  ///
  /// - Parameters:
  ///   - progress: receives the progress of the work.
  ///   - comparator: the comparator.
  ///   - copying: copies the elements of some children.
  ///   - sort: sorts siblings; the flag says whether this is the first round, whose progress is reported.
  /// - Throws: as `BackgroundWork.check(_:of:)` does, and the errors of `sort`.
  private func sort(
    _ progress: BackgroundProgress?, _ comparator: @escaping (Element, Element) throws -> Bool,
    _ copying: CopyingElements<Element>,
    _ sort: (BackgroundWork, [SiblingRows<Element>], _ isFirst: Bool, @escaping Comparator) async throws ->
      [SiblingOrder]
  ) async throws {
    load()
    try await inBackground(begin(progress)) { work in
      let comparator = work.keepingErrors(comparator)
      let translation = family.translation
      work.staleParents = Set(translation.value.loadedRecords)
      var orders: [TreeIndex.Branch: SiblingOrder] = [:]
      for round in 0..<3 where !work.staleParents.isEmpty {
        let siblings = try await takeSiblings(work, copying)
        for (siblings, order) in zip(siblings, try await sort(work, siblings, round == 0, comparator)) {
          orders[siblings.record] = order
        }
      }
      // This reports elements that have changed by themselves. An observer of such an element may make another call.
      hub.prepareForChange(.deliver)
      try work.check()
      func order(_ record: TreeIndex.Branch) -> SiblingOrder {
        family.order(of: record, translation.value.count(of: record), by: comparator)
      }
      for record in work.staleParents { orders[record] = nil }
      for record in translation.value.loadedRecords where work.staleParents.contains(record) {
        orders[record] = hub.refusingChanges { order(record) }
      }
      // The comparator may have thrown an error just now.
      try work.check()
      show(comparator) { record, _ in orders[record] ?? order(record) }
    }
  }

  /// Copies the children of the nodes that are to be looked at, in several turns of the domain.
  private func takeSiblings(
    _ work: BackgroundWork, _ copying: CopyingElements<Element>
  ) async throws -> [SiblingRows<Element>] {
    let (family, translation) = (family, family.translation)
    var turns = Turns()
    func pass() async throws {
      await turns.pass()
      try work.check()
    }
    var all: [SiblingRows<Element>] = []
    records: for record in translation.value.loadedRecords.filter(work.staleParents.contains) {
      if turns.isOver { try await pass() }
      guard translation.value.isLoaded(record) else { continue }
      work.staleParents.remove(record)
      let count = translation.value.count(of: record)
      var siblings = SiblingRows<Element>(record: record, count: count, rows: [])
      siblings.rows.reserveCapacity(count)
      for part in stride(from: 0, to: count, by: BackgroundWork.smallPiece) {
        if part > 0, turns.isOver {
          try await pass()
          // The node's children have changed meanwhile, or the node has left.
          guard translation.value.isLoaded(record), !work.staleParents.contains(record) else {
            continue records
          }
        }
        siblings.rows += family.sources.value.reading(family.node(record)) {
          copying($0, part..<Swift.min(part + BackgroundWork.smallPiece, count), nil)
        }
      }
      all.append(siblings)
    }
    return all
  }
}

/// Copies of the children of one node.
struct SiblingRows<Element> {
  let record: TreeIndex.Branch
  let count: Int
  var rows: [ElementRow<Element>]

  /// Divides the copies into batches of some ten thousand elements.
  static func batches(_ siblings: [SiblingRows]) -> [[SiblingRows]] {
    var batches: [[SiblingRows]] = [[]]
    var size = 0
    for siblings in siblings {
      if size > BackgroundPacing.elements ?? 10_000 {
        batches.append([])
        size = 0
      }
      batches[batches.count - 1].append(siblings)
      size += siblings.count + 1
    }
    return batches
  }
}

extension SiblingRows: Sendable where Element: Sendable {}
