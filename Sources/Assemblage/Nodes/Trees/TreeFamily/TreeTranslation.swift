import OffsetIndexing

/// Translates between the places of a tree and those of a view of it, by a shape of what is known.
///
/// Each node that is known is a branch of the shape, its *record*; every other child is a leaf there. A record on its way from one
/// parent to another is *detached*: it is in a piece that was cut out. The children stand in the shape in the source's order, or
/// in that of the view.
///
/// It knows no nodes and no elements. All walks are loops, however deep the tree.
protocol TreeTranslation {
  typealias Record = TreeIndex.Branch

  var shape: TreeIndex { get set }

  /// Whether the children of a record's node have been looked at.
  func isLoaded(_ record: Record) -> Bool

  /// The number of children of a record's node that are shown.
  func count(of record: Record) -> Int

  /// The record of the child at a position of the source; nil where it has none.
  func record(ofChild position: Int, of parent: Record) -> Record?

  /// The position of a record's node in its parent, in the source.
  func position(of record: Record) -> Int

  /// The position at which a child is shown, by that in the source; nil where it is hidden, or there is none.
  func shownPosition(of position: Int, in record: Record) -> Int?

  /// Takes a child's record away from it, with all below; the child then counts as a leaf.
  mutating func detach(_ record: Record)

  /// Forgets what is kept for a record that is free now.
  mutating func forget(_ record: Record)
}

extension TreeTranslation {
  // MARK: Look-ups

  /// The number of children of a record's node, as far as they have been looked at.
  func childCount(of record: Record) -> Int { shape.childCount(of: record) }

  /// The children that have records, by their positions in the shape.
  func children(of record: Record) -> [(position: Int, branch: Record)] {
    shape.branches(in: 0..<shape.childCount(of: record), of: record)
  }

  /// The record of a node's parent; nil for the root, and for a record that is detached.
  func parent(of record: Record) -> Record? { shape.parent(of: record).flatMap { shape.isPiece($0) ? nil : $0 } }

  /// Whether a record is on its way from one parent to another, by itself.
  func isDetached(_ record: Record) -> Bool { shape.parent(of: record).map(shape.isPiece) ?? false }

  /// The record of the node at a path in the source, from that of a record; nil where it has none.
  func record(at path: some Collection<Int>, below start: Record = TreeIndex.root) -> Record? {
    var record = start
    for position in path {
      guard position >= 0, position < childCount(of: record), let next = self.record(ofChild: position, of: record)
      else { return nil }
      record = next
    }
    return record
  }

  /// The shown path of a child, for its path in the source, from a record; nil where it or one on the way is not shown.
  ///
  /// - Complexity: O(d · log n) for a path of length d.
  func shownPath(_ path: some Collection<Int>, below start: Record = TreeIndex.root) -> [Int]? {
    var result: [Int] = []
    result.reserveCapacity(path.count)
    var record: Record? = start
    for position in path {
      guard let parent = record, let place = shownPosition(of: position, in: parent) else { return nil }
      result.append(place)
      record = self.record(ofChild: position, of: parent)
    }
    return result
  }

  /// The path in the source of a record's node; nil for one that is detached, or below such a one.
  ///
  /// - Complexity: O(d · log n) for a node at depth d.
  func sourcePath(of record: Record) -> [Int]? {
    var path: [Int] = []
    var record = record
    while let parent = shape.parent(of: record) {
      if shape.isPiece(parent) { return nil }
      path.append(position(of: record))
      record = parent
    }
    return path.reversed()
  }

  /// The records below some, these first, each before those below it.
  func records(below records: [Record]) -> [Record] {
    var records = records
    var next = 0
    while next < records.count {
      for child in children(of: records[next]) { records.append(child.branch) }
      next += 1
    }
    return records
  }

  /// The pieces that those of some records are in that are detached, each once: a child may have left by several names.
  func pieces(of records: some Sequence<Record?>) -> [Record] {
    var seen: Set<Record> = []
    return records.compactMap { record in
      guard let record, shape.contains(record), let piece = shape.parent(of: record), shape.isPiece(piece),
        seen.insert(piece).inserted
      else { return nil }
      return piece
    }
  }

  // MARK: Changes

  /// Cuts a record out of the shape, and puts a leaf in its place.
  ///
  /// - Returns: the piece that it is in.
  @discardableResult
  mutating func cutOut(_ record: Record) -> Record {
    let (parent, position) = (shape.parent(of: record)!, shape.position(of: record))
    let piece = shape.cutChildren(position..<position + 1, of: parent)
    shape.insertLeaves(1, into: parent, at: position)
    return piece
  }

  /// Puts a detached record into the shape, in place of a leaf.
  mutating func paste(_ record: Record, into parent: Record, at place: Int) {
    shape.removeChildren(place..<place + 1, of: parent)
    shape.paste(shape.parent(of: record)!, into: parent, at: place)
  }

  /// Frees detached children, with all below them.
  ///
  /// - Complexity: O(r) for r records, and the runs of leaves between them.
  mutating func discard(_ piece: Record) -> [Record] {
    var freed: [Record] = []
    shape.removePiece(piece) { freed.append($0) }
    for record in freed { forget(record) }
    return freed
  }

  /// Rearranges the shape below a record; what is inserted are leaves.
  ///
  /// - Parameters:
  ///   - delta: what happened to the children, in the order of the shape.
  ///   - record: their parent's record.
  ///   - removed: receives the pieces of removed children, as far as there are records in them.
  mutating func rearrangeShape(_ delta: Delta, in record: Record, _ removed: inout [Record]) {
    if !delta.hasMoves {
      // From the end, so that the positions before stay what they were.
      for range in delta.removals.reversed() {
        if let piece = takeOut(range, of: record) { removed.append(piece) }
      }
      for range in delta.insertions { shape.insertLeaves(range.count, into: record, at: range.lowerBound) }
      return
    }
    var pieces: [Int: Record] = [:]
    let moves = delta.moves
    let leaving =
      delta.removals.map { (range: $0, move: -1) } + moves.enumerated().map { (range: $1.source, move: $0) }
    for (range, move) in leaving.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      guard let piece = takeOut(range, of: record) else { continue }
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

  /// Takes children out of the shape; the piece that they are in, or nil where they all are leaves, of which nothing is kept.
  private mutating func takeOut(_ range: Range<Int>, of record: Record) -> Record? {
    if shape.branches(in: range, of: record).isEmpty {
      shape.removeChildren(range, of: record)
      return nil
    }
    return shape.cutChildren(range, of: record)
  }

  /// Goes through what a change of the source may take away, before anything has changed; parents first.
  ///
  /// - Parameters:
  ///   - change: the change of the root.
  ///   - body: receives the children that are removed, or may become leaves, of each record in which something happens, the
  ///     record, and its parent and place there; no place for the root.
  /// - Complexity: O(m · log n) for m nodes in which something happens.
  func forEachLoss(
    by change: ChangeSet,
    _ body: (_ ranges: [Range<Int>], _ record: Record, _ place: (parent: Record, position: Int)?) -> Void
  ) {
    let nodes = change.nodes
    var open: [(index: Int, record: Record, place: (parent: Record, position: Int)?)] = [
      (nodes.count, TreeIndex.root, nil)
    ]
    while let (index, record, place) = open.popLast() {
      guard isLoaded(record) else { continue }
      let delta = index == nodes.count ? change.level : nodes[index].delta
      let map = delta.movesPositions ? Delta.PositionMap(delta) : nil
      func former(_ position: Int) -> Int { map.map { $0.position(before: position)! } ?? position }
      let updated = delta.updates.joined().map { former($0)..<former($0) + 1 }
      body(Array(delta.removals) + updated, record, place)
      ChangeSet.forEachChildBackward(of: index, in: nodes) { child in
        let position = former(nodes[child].position)
        guard position < childCount(of: record), let next = self.record(ofChild: position, of: record) else { return }
        open.append((child, next, (record, position)))
      }
    }
  }
}

// MARK: - What a rollback brings back

/// Something that is known of a record's node, and where the record stands among the others.
struct TreeMemory<Value> {
  /// The number of the parent's entry; nil for the root.
  let parent: Int?
  /// The node's position in its parent, in the source.
  let position: Int
  let value: Value
}

extension TreeTranslation {
  /// Takes down something of every record whose children have been looked at; parents before their children.
  ///
  /// - Complexity: O(r · log n) for r records.
  func memory<Value>(_ value: (Record) -> Value) -> [TreeMemory<Value>] {
    guard isLoaded(TreeIndex.root) else { return [] }
    var result: [TreeMemory<Value>] = []
    var open: [(record: Record, parent: Int?, position: Int)] = [(TreeIndex.root, nil, 0)]
    while result.count < open.count {
      let (record, parent, position) = open[result.count]
      for child in children(of: record) where isLoaded(child.branch) {
        open.append((child.branch, result.count, self.position(of: child.branch)))
      }
      result.append(TreeMemory(parent: parent, position: position, value: value(record)))
    }
    return result
  }

  /// What a memory says of the records that there are now.
  ///
  /// - Parameters:
  ///   - memory: what was taken down.
  ///   - count: the number of children that something was taken down for; where there are others now it is left out.
  /// - Returns: by record, what was taken down.
  func recall<Value>(_ memory: [TreeMemory<Value>], _ count: (Value) -> Int) -> [Record: Value] {
    var records: [Record?] = []
    var result: [Record: Value] = [:]
    for entry in memory {
      var record: Record? = TreeIndex.root
      if let parent = entry.parent { record = records[parent].flatMap { self.record(at: [entry.position], below: $0) } }
      records.append(record)
      if let record, isLoaded(record), childCount(of: record) == count(entry.value) { result[record] = entry.value }
    }
    return result
  }
}

/// A node that a change of the source takes away and that had been looked at, by where it was before the change.
///
/// A path for each would be d² / 2 positions in a chain of d.
struct TreeLoss {
  /// The number of its parent among those of the change; nil where that is not taken away.
  let parent: Int?
  /// The path in the source from the parent, or from the root.
  let path: [Int]
}

extension TreeTranslation {
  /// The nodes that a change takes away, or may make leaves of, and that have been looked at; parents first.
  ///
  /// - Parameters:
  ///   - change: the change of the root, which has not been carried out.
  ///   - records: the children that have records, in a range of positions of the source.
  /// - Returns: where they are.
  /// - Complexity: O((m + r) · log n) for m nodes in which something happens and r records in what is taken away; O(d) more for
  ///   each node d deep that loses some, O(d) for each path, and that of `records`.
  func losses(
    by change: ChangeSet,
    _ records: (_ range: Range<Int>, _ parent: Record) -> [(position: Int, branch: Record)]
  ) -> [TreeLoss] {
    var losses: [TreeLoss] = []
    forEachLoss(by: change) { ranges, record, _ in
      let lost = ranges.flatMap { records($0, record) }.filter { isLoaded($0.branch) }
      if lost.isEmpty { return }
      let parent = sourcePath(of: record)!
      for (position, child) in lost {
        var open = [(record: child, loss: TreeLoss(parent: nil, path: parent + [position]))]
        while let (record, loss) = open.popLast() {
          losses.append(loss)
          let number = losses.count - 1
          for child in children(of: record) where isLoaded(child.branch) {
            open.append((child.branch, TreeLoss(parent: number, path: [self.position(of: child.branch)])))
          }
        }
      }
    }
    return losses
  }
}

extension TreeFamily {
  /// Goes to where nodes were that a change took away, where it is taken back; parents first.
  ///
  /// - Parameters:
  ///   - losses: where they were.
  ///   - body: looks at the child at a position of the source again, and returns its record; nil where it is a leaf now.
  func restore(_ losses: [TreeLoss], _ body: (_ position: Int, _ parent: Record) -> Record?) {
    var records: [Record?] = []
    for loss in losses {
      let position = loss.path[loss.path.count - 1]
      let parent =
        if let number = loss.parent { records[number] } else { translation.value.record(at: loss.path.dropLast()) }
      if let parent, translation.value.isLoaded(parent), position < translation.value.childCount(of: parent) {
        records.append(body(position, parent))
      } else {
        records.append(nil)
      }
    }
  }
}
