import OffsetIndexing

/// A net change of the tree on its way through an outline.
///
/// All parts of the change are simultaneous. So the outline first notes the rows that the change concerns, then changes
/// the shape, and compares the rows at the end:
///
///     1. note       the levels, the transfers, and their rows before the change
///     2. cut        the records of transferred children
///     3. arrange    the children of each level
///     4. look       for new children that are expanded
///     5. paste      the records of transferred children, the outermost first
///     6. compare    the rows before and after
///
/// The source of one transfer may lie inside the source of another one, and so may the destinations. So all transferred
/// children below a cut record are cut out too, before any record is pasted.
struct OutlineChange {
  typealias Record = OutlineTranslation.Record

  /// A record whose node's children have changed.
  struct Level {
    let record: Record
    let delta: Delta
    /// The depth of the children after the change.
    let depth: Int
    /// The node's step among the goals; nil if no transfer ends below the node.
    let step: Int?
  }

  /// A child that moves from one parent to another.
  struct Transfer {
    let crossing: Crossing
    /// The child's record, if there is one.
    var record: Record?
    /// The child's own row before the change, and the rows below; nil if the child was hidden.
    var rows: (own: Range<Int>, below: Range<Int>)?
    /// Whether the child stays as it is, because the outline knew its parent. A child without a record then stays
    /// collapsed. The flag is false for a child without a record whose value was updated.
    var isKnown = false
  }

  private(set) var levels: [Level] = []
  private(set) var transfers: [Transfer] = []
  /// The places where the transfers end.
  private(set) var goals = TransferGoals()
  /// The records that have been cut out.
  private(set) var detached: [Record] = []
  var rows: RowBlocks

  init(rowCount: Int) { rows = RowBlocks(count: rowCount) }

  // MARK: Noting

  /// Notes a change, before anything is changed.
  ///
  /// - Parameters:
  ///   - change: the change of a record's node; all its crossings are transfers.
  ///   - record: the record.
  ///   - depth: the depth of the node's children.
  ///   - translation: the shape before the change.
  ///   - renewsAll: whether the node of each record on the way is asked for again.
  ///   - renew: asks again for the node of a record. The child's place after the change is a path, or a position in a
  ///     record's node.
  /// - Complexity: O((s + t · d) · log n) for s nodes and ranges, and t transfers d deep.
  mutating func note(
    _ change: ChangeSet, of record: Record, depth: Int, _ translation: OutlineTranslation, renewsAll: Bool,
    renew: (Record, ChildPlace) -> Renewal
  ) {
    transfers = change.crossings.map { translation.transfer($0) }
    if !transfers.isEmpty { goals = TransferGoals(transfers) }
    note(
      change,
      Stop(
        record: record, step: transfers.isEmpty ? nil : 0, depth: depth,
        isShown: translation.showsChildren(of: record), isRenewed: renewsAll),
      translation, renew)
    for (number, transfer) in transfers.enumerated() {
      guard let record = transfer.record else { continue }
      let path = transfer.crossing.places!.destination.components
      let renewal = renew(record, .path(path))
      if renewal == .leaf {
        detached.append(record)
        transfers[number].record = nil
        continue
      }
      let isShown = transfer.rows != nil && translation.isExpanded(record)
      note(
        transfer.crossing.change,
        Stop(
          record: record, step: goals.ends[number], depth: path.count, isShown: isShown,
          isRenewed: renewsAll || renewal == .renewed),
        translation, renew)
    }
  }

  /// A record to be looked at.
  private struct Stop {
    let record: Record
    let step: Int?
    let depth: Int
    let isShown: Bool
    /// Whether the node may have changed. Then the outline asks again for the nodes below.
    var isRenewed = false
    var index: Int?
  }

  private mutating func note(
    _ change: ChangeSet, _ start: Stop, _ translation: OutlineTranslation,
    _ renew: (Record, ChildPlace) -> Renewal
  ) {
    let nodes = change.nodes
    var open = [start]
    while let stop = open.popLast() {
      let index = stop.index ?? nodes.count
      let delta = stop.index.map { nodes[$0].delta } ?? change.level
      let hasChildren = index == nodes.count ? index > 0 : nodes[index].size > 1
      let map = delta.isEmpty || !hasChildren && delta.updates.isEmpty ? nil : Delta.PositionMap(delta)
      var renewals: [Record: Renewal] = [:]
      if !delta.isEmpty {
        levels.append(Level(record: stop.record, delta: delta, depth: stop.depth, step: stop.step))
        if stop.isShown { noteRows(delta, of: stop.record, translation) }
        for range in delta.updates {
          map?.forEachRun(inNew: range) { old, new in
            for (position, child) in translation.shape.branches(in: old, of: stop.record) {
              let renewal = renew(child, .child(position - old.lowerBound + new.lowerBound, of: stop.record))
              renewals[child] = renewal
              if renewal != .leaf { continue }
              detached.append(child)
              rows.hide(below: child, translation)
            }
          }
        }
      }
      // If a child has no record, nothing inside the child is or was visible.
      ChangeSet.forEachChildBackward(of: index, in: nodes) { index in
        let position = nodes[index].position
        let former = map.map { $0.position(before: position)! } ?? position
        guard let child = translation.shape.branch(at: former, of: stop.record) else { return }
        var renewal = renewals[child] ?? .unchanged
        if stop.isRenewed, renewals[child] == nil { renewal = renew(child, .child(position, of: stop.record)) }
        if renewal == .leaf { return }
        open.append(
          Stop(
            record: child, step: stop.step.flatMap { goals.step(at: position, of: $0) }, depth: stop.depth + 1,
            isShown: stop.isShown && translation.isExpanded(child), isRenewed: stop.isRenewed || renewal == .renewed,
            index: index))
      }
    }
  }

  private mutating func noteRows(_ delta: Delta, of record: Record, _ translation: OutlineTranslation) {
    for range in delta.removals { rows.append(translation.rows(ofChildren: range, of: record), to: .nowhere) }
    for move in delta.moves {
      rows.append(translation.rows(ofChildren: move.source, of: record), to: .children(move.destination, of: record))
    }
    for range in delta.insertions { rows.append(.children(range, of: record)) }
    for range in delta.updates { rows.appendUpdate(range, of: record) }
  }

  // MARK: Cutting and pasting

  /// Cuts out the records of transferred children, and of children that are leaves now.
  mutating func cut(_ translation: inout OutlineTranslation) {
    detached += transfers.compactMap(\.record)
    for record in detached { translation.cutOut(record) }
  }

  /// Pastes the records of transferred children where these have arrived.
  ///
  /// If the new parent has no record, the child's record stays cut out.
  mutating func paste(_ translation: inout OutlineTranslation) {
    var records: [Record?] = [TreeIndex.root]
    for step in goals.steps.dropFirst() {
      guard let parent = records[step.parent] else {
        records.append(nil)
        continue
      }
      if let number = step.transfer {
        let transfer = transfers[number]
        if let record = transfer.record { translation.attach(record, to: parent, at: step.position) }
        if let before = transfer.rows {
          rows.append(before.own, to: .child(step.position, of: parent))
          if let record = transfer.record { rows.append(before.below, to: .below(record)) }
          if transfer.crossing.change.updatesValue {
            rows.appendUpdate(step.position..<step.position + 1, of: parent)
          }
        }
      }
      records.append(translation.record(ofChild: step.position, of: parent))
    }
  }
}

extension OutlineChange {
  /// The place of a child after the change.
  enum ChildPlace {
    case child(Int, of: Record)
    case path([Int])
  }

  /// The result of asking for the node of a record again.
  enum Renewal { case unchanged, renewed, leaf }
}

extension OutlineTranslation {
  /// Finds a child that is going to be transferred.
  fileprivate func transfer(_ crossing: Crossing) -> OutlineChange.Transfer {
    var transfer = OutlineChange.Transfer(crossing: crossing)
    let path = crossing.places!.source.components
    guard let parent = record(at: path.dropLast()) else { return transfer }
    let (row, record) = shape.child(at: path[path.count - 1], of: parent)
    transfer.record = record
    transfer.isKnown = record != nil || !crossing.change.updatesValue
    if showsChildren(of: parent) { transfer.rows = (row..<row + 1, record.map { rows(below: $0) } ?? 0..<0) }
    return transfer
  }
}

/// The paths at which transfers end, as a tree of steps: step 0 is the root, and each step is behind its parent.
struct TransferGoals {
  struct Step {
    let parent: Int
    let position: Int
    /// The number of the transfer that ends here.
    var transfer: Int?
  }

  private struct Key: Hashable {
    let parent: Int
    let position: Int
  }

  private(set) var steps: [Step] = []
  /// The last step of each transfer.
  private(set) var ends: [Int] = []
  private var numbers: [Key: Int] = [:]
  /// The steps of transferred children that stay as they are: see `OutlineChange.Transfer.isKnown`.
  private var known: Set<Int> = []

  init() {}

  init(_ transfers: [OutlineChange.Transfer]) {
    steps = [Step(parent: 0, position: 0)]
    for (number, transfer) in transfers.enumerated() {
      var step = 0
      for position in transfer.crossing.places!.destination.components { step = makeStep(at: position, of: step) }
      steps[step].transfer = number
      ends.append(step)
      if transfer.isKnown { known.insert(step) }
    }
  }

  private mutating func makeStep(at position: Int, of parent: Int) -> Int {
    let key = Key(parent: parent, position: position)
    if let known = numbers[key] { return known }
    steps.append(Step(parent: parent, position: position))
    numbers[key] = steps.count - 1
    return steps.count - 1
  }

  func step(at position: Int, of parent: Int) -> Int? { numbers[Key(parent: parent, position: position)] }

  /// Whether a child that arrives here stays as it is: expanded, collapsed, or a leaf.
  func isKnown(_ step: Int) -> Bool { known.contains(step) }
}
