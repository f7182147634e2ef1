public import OffsetIndexing

/// Translates between the places of a tree and those in the same tree with the children of each node in another order.
///
///     tree          shape            order of the root's children
///     ├ pear        an open branch   1   2   0     from sorted positions to those of the source
///     ├ fig         ├ a leaf
///     └ nuts        └ a leaf
///        ├ b
///        └ a        fig < nuts < pear; what is in nuts has been looked at
///
/// The shape is that of the sorted tree. Each node that has been asked for is a branch of it, its *record*; every other child
/// is a leaf there. A record whose children have been looked at has their order.
///
/// It knows no nodes and no elements. All walks are loops, however deep the tree.
@usableFromInline
struct TreeSortTranslation {
  @usableFromInline typealias Record = TreeIndex.Branch

  private(set) var shape = TreeIndex()
  /// By the records' numbers; nil where the children have not been looked at.
  private var orders: [SortTranslation?] = []

  // MARK: Look-ups

  func isLoaded(_ record: Record) -> Bool { record.number < orders.count && orders[record.number] != nil }

  /// The order of the children of a record's node, which have been looked at.
  func order(of record: Record) -> SortTranslation { orders[record.number]! }

  /// The number of children of a record's node.
  @usableFromInline
  func count(of record: Record) -> Int { shape.childCount(of: record) }

  /// The position in the source of a child, by its sorted position; -1 where there is none.
  ///
  /// - Complexity: O(log n) for n children.
  @usableFromInline
  func sourcePosition(of position: Int, in record: Record) -> Int {
    guard position >= 0, record.number < orders.count, let count = orders[record.number]?.count, position < count else {
      return -1
    }
    return orders[record.number]!.sourcePosition(of: position)
  }

  /// The positions in the source of a range of sorted children.
  @usableFromInline
  func sources(in range: Range<Int>, of record: Record) -> [Int] { orders[record.number]!.sources(in: range) }

  /// The sorted position of a child of a record's node, which have been looked at.
  func sortedPosition(of position: Int, in record: Record) -> Int {
    orders[record.number]!.sortedPosition(of: position)
  }

  /// The record of the child at a position of the source; nil where it has none.
  func record(ofChild position: Int, of parent: Record) -> Record? {
    shape.branch(at: sortedPosition(of: position, in: parent), of: parent)
  }

  /// The record of the node at a path in the source, from that of a record, where its ancestors have been looked at; nil where
  /// it has none.
  func record(at path: some Collection<Int>, below start: Record = TreeIndex.root) -> Record? {
    var record = start
    for position in path {
      guard isLoaded(record), position >= 0, position < count(of: record),
        let next = self.record(ofChild: position, of: record)
      else { return nil }
      record = next
    }
    return record
  }

  /// The sorted path of a child, for its path in the source, from a record; nil where an ancestor has not been looked at.
  ///
  /// - Complexity: O(d · log n) for a path of length d.
  func sortedPath(_ path: some Collection<Int>, below start: Record = TreeIndex.root) -> [Int]? {
    var result: [Int] = []
    result.reserveCapacity(path.count)
    var record: Record? = start
    for position in path {
      guard let parent = record, isLoaded(parent), position >= 0, position < count(of: parent) else { return nil }
      let place = sortedPosition(of: position, in: parent)
      result.append(place)
      record = shape.branch(at: place, of: parent)
    }
    return result
  }

  /// The path in the source of a record's node; nil for one that is detached.
  func sourcePath(of record: Record) -> [Int]? {
    var path: [Int] = []
    var record = record
    while let parent = shape.parent(of: record) {
      if shape.isPiece(parent) { return nil }
      path.append(order(of: parent).sourcePosition(of: shape.position(of: record)))
      record = parent
    }
    return path.reversed()
  }

  /// The children that have records, by their sorted positions.
  func children(of record: Record) -> [(position: Int, branch: Record)] {
    shape.branches(in: 0..<shape.childCount(of: record), of: record)
  }

  /// Whether a record is detached: on its way from one parent to another.
  func isDetached(_ record: Record) -> Bool { shape.parent(of: record).map(shape.isPiece) ?? false }

  // MARK: Records

  /// Makes the record of a child, which has none; its children have not been looked at.
  mutating func makeRecord(at position: Int, of parent: Record) -> Record {
    shape.makeBranch(at: position, of: parent)
  }

  /// Notes the children of a record's node, and their order.
  mutating func load(_ record: Record, _ order: SortTranslation) {
    while orders.count <= record.number { orders.append(nil) }
    orders[record.number] = order
    shape.insertLeaves(order.count, into: record, at: 0)
  }

  /// Takes a child's record away from it, with all below; the child then counts as a leaf.
  mutating func detach(_ record: Record) {
    let (parent, position) = (shape.parent(of: record)!, shape.position(of: record))
    _ = shape.cutChildren(position..<position + 1, of: parent)
    shape.insertLeaves(1, into: parent, at: position)
  }

  /// Makes a detached record that of a child. One that the child has is detached.
  ///
  /// - Returns: the record that the child had.
  mutating func attach(_ record: Record, to parent: Record, at position: Int) -> Record? {
    let former = shape.branch(at: position, of: parent)
    if let former { detach(former) }
    shape.removeChildren(position..<position + 1, of: parent)
    shape.paste(shape.parent(of: record)!, into: parent, at: position)
    return former
  }

  /// The records among detached children and below them.
  func records(inPiece piece: Record) -> [Record] {
    var records = children(of: piece).map(\.branch)
    var next = 0
    while next < records.count {
      records += children(of: records[next]).map(\.branch)
      next += 1
    }
    return records
  }

  /// Frees detached children, with all below them.
  mutating func discard(_ piece: Record) -> [Record] {
    var freed: [Record] = []
    shape.removePiece(piece) { freed.append($0) }
    for record in freed where record.number < orders.count { orders[record.number] = nil }
    return freed
  }

  // MARK: Changes

  /// Brings a record up to date with the children of its node.
  ///
  /// - Parameters:
  ///   - delta: what happened to the children in the source.
  ///   - plan: what was planned for it.
  ///   - record: the node's record.
  ///   - removed: receives the removed children that were no leaves, detached.
  /// - Returns: what happened to the sorted children.
  mutating func rearrange(
    _ delta: Delta, _ plan: SortTranslation.Plan?, in record: Record, _ removed: inout [Record]
  ) -> Delta {
    let sorted = orders[record.number]!.translate(ChangeSet(delta), plan).level
    if sorted.movesPositions { move(sorted, in: record, &removed) }
    return sorted
  }

  /// Rearranges the shape below a record as a delta of its sorted children says.
  private mutating func move(_ delta: Delta, in record: Record, _ removed: inout [Record]) {
    var pieces: [Int: Record] = [:]
    let moves = delta.moves
    let leaving =
      delta.removals.map { (range: $0, move: -1) } + moves.enumerated().map { (range: $1.source, move: $0) }
    // From the end, so that the positions before stay what they were.
    for (range, move) in leaving.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      if shape.branches(in: range, of: record).isEmpty {
        shape.removeChildren(range, of: record)
        continue
      }
      let piece = shape.cutChildren(range, of: record)
      if move < 0 { removed.append(piece) } else { pieces[move] = piece }
    }
    let arriving =
      delta.insertions.map { (range: $0, move: -1) } + moves.enumerated().map { (range: $1.destination, move: $0) }
    for (range, move) in arriving.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      if let piece = pieces[move] {
        shape.paste(piece, into: record, at: range.lowerBound)
      } else {
        shape.insertLeaves(range.count, into: record, at: range.lowerBound)
      }
    }
  }

  /// Takes another order of the same children of a record's node.
  ///
  /// - Returns: the fewest moves that lead there.
  /// - Complexity: O(n) for n children, O(p · log p) where p runs of them change their order, and O(b · log m) for b that
  ///   have records, m the size of the tree.
  mutating func reorder(_ record: Record, to order: SortTranslation) -> Delta {
    let children = children(of: record)
    let places = children.map { orders[record.number]!.sourcePosition(of: $0.position) }
    let delta = orders[record.number]!.reorder(to: order)
    if delta.isEmpty || children.isEmpty { return delta }
    // Leaves are all the same, so only those with records change places.
    var pieces: [(position: Int, piece: Record)] = []
    for (child, place) in zip(children, places).reversed() {
      pieces.append(
        (order.sortedPosition(of: place), shape.cutChildren(child.position..<child.position + 1, of: record)))
    }
    for (position, piece) in pieces.sorted(by: { $0.position < $1.position }) {
      shape.paste(piece, into: record, at: position)
    }
    return delta
  }
}

// MARK: - All orders at once

extension TreeSortTranslation {
  /// The order of a record's children, and where the record stands among the others.
  struct Memory {
    /// The number of the parent's entry; -1 for the root.
    let parent: Int
    /// The node's position in its parent, in the source.
    let position: Int
    let order: SortTranslation
  }

  /// Takes down all orders; parents before their children.
  ///
  /// - Complexity: O(r · log n) for r records; the orders are shared.
  func memory() -> [Memory] {
    guard isLoaded(TreeIndex.root) else { return [] }
    var result: [Memory] = []
    var open: [(record: Record, parent: Int, position: Int)] = [(TreeIndex.root, -1, 0)]
    while result.count < open.count {
      let (record, parent, position) = open[result.count]
      let order = order(of: record)
      for child in children(of: record) where isLoaded(child.branch) {
        open.append((child.branch, result.count, order.sourcePosition(of: child.position)))
      }
      result.append(Memory(parent: parent, position: position, order: order))
    }
    return result
  }

  /// The orders of a memory, by the numbers of the records that there are now.
  func recall(_ memory: [Memory]) -> [Int: SortTranslation] {
    var records: [Record?] = []
    var result: [Int: SortTranslation] = [:]
    for entry in memory {
      var record: Record? = TreeIndex.root
      if entry.parent >= 0 {
        record = records[entry.parent].flatMap {
          isLoaded($0) && entry.position < count(of: $0) ? self.record(ofChild: entry.position, of: $0) : nil
        }
      }
      records.append(record)
      if let record, isLoaded(record), count(of: record) == entry.order.count { result[record.number] = entry.order }
    }
    return result
  }
}
