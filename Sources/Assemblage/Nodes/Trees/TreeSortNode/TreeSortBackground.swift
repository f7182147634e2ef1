import OffsetIndexing

/// Other orders of a sorted tree, while they are found in the background.
@usableFromInline
final class TreeSortWork: BackgroundWork {
  /// The records whose children may be others than those that have been read.
  var touched: Set<TreeIndex.Branch> = []
}

/// Finds other orders for a sorted tree, while the tree may change.
///
/// The children of each node that has been looked at are copied out and sorted. A node whose children change after that is noted
/// in `TreeSortWork.touched`, and looked at again in the next round; after three rounds the rest is sorted at once.
@usableFromInline
final class TreeSortBackground<Element> {
  /// The children of one node.
  struct Siblings {
    let record: TreeIndex.Branch
    let count: Int
    var rows: [ElementRow<Element>]
  }

  let root: TreeSortNode<Element>
  let work = TreeSortWork()
  private var orders: [TreeIndex.Branch: SiblingOrder] = [:]

  /// Begins; another one that does so already is superseded.
  init(_ root: TreeSortNode<Element>) {
    self.root = root
    root.hub.prepareForChange()
    work.touched = Set(translation.value.loadedRecords)
    translation.value.work = work
  }

  private var translation: Cell<TreeSortTranslation> { root.family.translation }

  /// The records that are to be looked at, in document order.
  private var touched: [TreeIndex.Branch] {
    work.touched.isEmpty ? [] : translation.value.loadedRecords.filter(work.touched.contains)
  }

  /// `TreeSortNode.setComparator(concurrently:progress:)`, with the closures that are specialized for its comparator.
  @usableFromInline
  func sortConcurrently(
    _ comparator: @escaping @Sendable (Element, Element) throws -> Bool, _ progress: BackgroundProgress?,
    copying: (NodeReader<Element>, Range<Int>) -> [ElementRow<Element>],
    sorting: @escaping @Sendable (inout [ElementRow<Element>]) throws -> Void
  ) async throws where Element: Sendable {
    try await run(progress, work.keepingErrors(comparator), copying) { batches, check in
      let jobs = batches.map { batch in
        { @Sendable () throws -> [SiblingOrder] in
          try batch.map { siblings in
            var rows = siblings.rows
            try sorting(&rows)
            return SiblingOrder(rows.positions(of: siblings.count))
          }
        }
      }
      return try await runElsewhere(jobs, check)
    }
  }

  /// Finds the orders and shows them.
  ///
  /// - Parameters:
  ///   - progress: receives the number of batches that are done.
  ///   - comparator: the new comparator; it does not throw.
  ///   - copying: copies the elements of some children out.
  ///   - sort: sorts batches of them, and is to call a closure with the number of those that are done.
  /// - Throws: as `BackgroundWork.check(_:_:of:)` does, and the errors of `sort`.
  func run(
    _ progress: BackgroundProgress?, _ comparator: @escaping (Element, Element) -> Bool,
    _ copying: (NodeReader<Element>, Range<Int>) -> [ElementRow<Element>],
    _ sort: (_ batches: [[Siblings]], _ check: (Int) throws -> Void) async throws -> [[SiblingOrder]]
  ) async throws {
    do {
      for round in 0..<3 {
        let records = touched
        if records.isEmpty { break }
        let batches = try await batches(of: records, progress, copying)
        let sorted = try await sort(batches) {
          try work.check(progress, round == 0 ? $0 : 0, of: round == 0 ? batches.count : 0)
        }
        for (siblings, order) in zip(batches.joined(), sorted.joined()) { orders[siblings.record] = order }
      }
      // A closure that learns of elements that have changed by themselves may set another comparator.
      root.hub.prepareForChange()
      try work.check(progress)
      show(comparator)
      progress?.tellEnd()
    } catch {
      end()
      throw error
    }
  }

  private func show(_ comparator: @escaping (Element, Element) -> Bool) {
    for record in work.touched { orders[record] = nil }
    let (family, orders) = (root.family, orders)
    root.show(comparator) { record in
      orders[record] ?? family.order(of: record, family.translation.value.count(of: record), by: comparator)
    }
  }

  private func end() { if translation.value.work === work { translation.value.work = nil } }

  /// Copies the children of some nodes out, in batches of some ten thousand.
  private func batches(
    of records: [TreeIndex.Branch], _ progress: BackgroundProgress?,
    _ copying: (NodeReader<Element>, Range<Int>) -> [ElementRow<Element>]
  ) async throws -> [[Siblings]] {
    var turns = Turns()
    var batches: [[Siblings]] = [[]]
    var size = 0
    for record in records {
      guard let siblings = try await siblings(of: record, progress, &turns, copying) else { continue }
      if size > BackgroundPacing.elements ?? 10_000 {
        batches.append([])
        size = 0
      }
      batches[batches.count - 1].append(siblings)
      size += siblings.count + 1
    }
    return batches
  }

  /// Copies the children of a node out; nil where they change meanwhile, or have gone.
  private func siblings(
    of record: TreeIndex.Branch, _ progress: BackgroundProgress?, _ turns: inout Turns,
    _ copying: (NodeReader<Element>, Range<Int>) -> [ElementRow<Element>]
  ) async throws -> Siblings? {
    // A turn of others may end before the first part too.
    if turns.isOver { try await pass(progress, &turns) }
    guard translation.value.isLoaded(record) else { return nil }
    work.touched.remove(record)
    let count = translation.value.count(of: record)
    var siblings = Siblings(record: record, count: count, rows: [])
    siblings.rows.reserveCapacity(count)
    for part in stride(from: 0, to: count, by: 2_048) {
      if part > 0, turns.isOver {
        try await pass(progress, &turns)
        guard translation.value.isLoaded(record), !work.touched.contains(record) else { return nil }
      }
      let family = root.family
      siblings.rows += family.sources.value.reading(family.node(record)) {
        copying($0, part..<Swift.min(part + 2_048, count))
      }
    }
    return siblings
  }

  private func pass(_ progress: BackgroundProgress?, _ turns: inout Turns) async throws {
    await turns.pass()
    try work.check(progress)
  }
}

extension TreeSortBackground.Siblings: Sendable where Element: Sendable {}
