import OffsetIndexing

/// Translates between a tree's index paths of length 2 and one index space.
///
///     child       A (2)     leaf   B (0)   C (3)
///     path        0,0 0,1   1              3,0 3,1 3,2
///     flat        0   1     2              3   4   5
///
/// A leaf counts as one row. Counts and slots are kept as for the members of a join.
@usableFromInline
struct FlattenTranslation {
  /// The children's row counts by ordinal, and their slots.
  @usableFromInline private(set) var members: JoinTranslation

  /// Whether the child in a slot is a leaf.
  private var isLeaf: [Bool]

  init(_ children: [Child]) {
    members = JoinTranslation(counts: children.lazy.map(\.count))
    isLeaf = children.map(\.isLeaf)
  }

  @usableFromInline var count: Int { members.count }

  /// The ordinal of the child in a slot.
  @usableFromInline
  func ordinal(ofSlot slot: Int) -> Int { members.ordinal(ofSlot: slot) }

  /// The rows of a child.
  func range(of ordinal: Int) -> Range<Int> { members.offsets.range(of: ordinal) }

  /// Whether a child of the source is a leaf.
  func isLeaf(_ ordinal: Int) -> Bool { isLeaf[members.slot(at: ordinal)] }

  /// The number of children of the source.
  var childCount: Int { members.offsets.count }

  /// A child of the source.
  struct Child {
    /// The number of its rows: 1 for a leaf.
    var count: Int
    var isLeaf: Bool
  }

  /// A child that arrived, moved, was updated or changed inside; or several children that left.
  private struct Member {
    /// The positions of the rows before the change; nil where the child arrived.
    var former: Range<Int>?
    /// Its ordinal after the change; nil where the child left.
    var ordinal: Int?
    /// The change of its rows.
    var delta = Delta()
    /// Whether it moved among the children.
    var isMoved = false
    /// Whether its former rows are removed and new ones inserted.
    var isReplaced = false
    var isUpdatedLeaf = false
  }

  /// Translates a change of the source, and updates the counts and slots.
  ///
  /// - Parameters:
  ///   - change: the source's change; without its crossings where no observer needs the crossings of the rows.
  ///   - after: returns the child of the source at an ordinal after the change; only called for children that arrived,
  ///     moved, were updated or changed inside.
  ///   - settle: receives the slots that are free now, and then the slot and the ordinal of each new, moved or updated
  ///     child.
  /// - Returns: the change of the rows.
  /// - Complexity: O(c · log m) for c children, of m, that arrived, left, moved or changed; and O(r) for the r rows of
  ///   the children that cross from one parent to another.
  mutating func translate(
    _ change: consuming ChangeSet, after: (_ ordinal: Int) -> Child,
    settle: (_ freed: [Int], _ placed: [(slot: Int, ordinal: Int)]) -> Void
  ) -> ChangeSet {
    let children = change.children
    if change.delta.isEmpty, change.crossings.isEmpty, children.count == 1, let only = children.first {
      return translateOnly(only, updatesValue: change.updatesValue)
    }
    let delta = change.delta
    let map = Delta.PositionMap(delta)
    let origins = change.crossings.map { end($0.from) }

    // The members that changed, by ordinal after the change.
    var concerned: [Int: Member] = [:]
    func former(_ ordinal: Int) -> Range<Int> { members.offsets.range(of: map.position(before: ordinal)!) }
    for move in delta.moves {
      for ordinal in move.destination {
        concerned[ordinal] = Member(former: former(ordinal), ordinal: ordinal, isMoved: true)
      }
    }
    for child in children {
      concerned[child.position, default: Member(former: former(child.position), ordinal: child.position)].delta =
        child.delta
    }
    for ordinal in delta.updates.joined() {
      var member = concerned[ordinal] ?? Member(former: former(ordinal), ordinal: ordinal)
      let (wasLeaf, new) = (isLeaf(map.position(before: ordinal)!), after(ordinal))
      member.isUpdatedLeaf = wasLeaf && new.isLeaf
      // A leaf that became a node is reported as updated. So is a node that became a leaf.
      member.isReplaced = wasLeaf != new.isLeaf
      concerned[ordinal] = member
    }
    var list = Array(concerned.values)
    for range in delta.removals {
      let start = members.offsets.offset(of: range.lowerBound)
      list.append(Member(former: start..<members.offsets.offset(of: range.upperBound)))
    }
    for ordinal in delta.insertions.joined() { list.append(Member(ordinal: ordinal)) }

    let (freed, placed) = update(delta, list, after)
    settle(freed, placed)
    let flat = delta.isEmpty && list.isEmpty ? Delta() : flatten(list)
    var nested: [(position: Int, change: ChangeSet)] = []
    for child in children where concerned[child.position]?.isReplaced != true {
      let start = members.offsets.offset(of: child.position)
      for grandchild in child.children { nested.append((start + grandchild.position, grandchild.change)) }
    }
    var result = ChangeSet(delta: flat, updatesValue: change.updatesValue, children: nested)
    if !origins.isEmpty {
      result.crossings = crossings(of: change.crossings, from: origins)
      result.foldCrossings()
    }
    return result
  }

  /// Translates a change among the children of one child only, which is the usual edit.
  private mutating func translateOnly(_ child: ChangeSet.Child, updatesValue: Bool) -> ChangeSet {
    let start = members.offsets.offset(of: child.position)
    var change = child.change
    members.resizeMember(at: child.position, by: change.delta.countChange)
    change.translate(to: change.delta.shifted(by: start), before: { $0 + start }, after: { $0 + start })
    change.updatesValue = updatesValue
    return change
  }

  /// Updates the counts and slots.
  private mutating func update(
    _ delta: Delta, _ list: [Member], _ after: (_ ordinal: Int) -> Child
  ) -> (freed: [Int], placed: [(slot: Int, ordinal: Int)]) {
    var freed: [Int] = []
    var placed: [(slot: Int, ordinal: Int)] = []
    // Only new nodes are asked for their counts; the other counts follow from the deltas.
    var counts: [Int: Int] = [:]
    for member in list {
      guard let former = member.former, let ordinal = member.ordinal, !member.isReplaced else { continue }
      counts[ordinal] = former.count + member.delta.countChange
    }
    delta.rearrange(
      carrying: { _ in }, lifting: { freed += $0.reversed().map { members.removeMember(at: $0).slot } },
      putting: { range, _ in
        for ordinal in range {
          let slot = members.insertMember(count: counts[ordinal] ?? after(ordinal).count, at: ordinal).slot
          while isLeaf.count <= slot { isLeaf.append(false) }
          isLeaf[slot] = after(ordinal).isLeaf
          placed.append((slot, ordinal))
        }
      })
    for member in list where !member.isMoved && member.former != nil {
      guard let ordinal = member.ordinal else { continue }
      members.resizeMember(at: ordinal, by: (counts[ordinal] ?? after(ordinal).count) - members.offsets[ordinal])
      guard delta.updates.contains(position: ordinal) else { continue }
      let slot = members.slot(at: ordinal)
      isLeaf[slot] = after(ordinal).isLeaf
      placed.append((slot, ordinal))
    }
    return (freed, placed)
  }

  /// The change of the rows; the counts are already those after the change.
  private func flatten(_ list: [Member]) -> Delta {
    var removals: [Range<Int>] = []
    var insertions: [Range<Int>] = []
    var updates: [Range<Int>] = []
    var moves: [Delta.Move] = []
    for member in list {
      let range = member.ordinal.map { members.offsets.range(of: $0) }
      guard let former = member.former else {
        insertions.append(range!)
        continue
      }
      guard let range, !member.isReplaced else {
        removals.append(former)
        if let range { insertions.append(range) }
        continue
      }
      if member.isUpdatedLeaf { updates.append(range) }
      let (pre, post) = (former.lowerBound, range.lowerBound)
      removals += member.delta.removals.map { $0.shifted(by: pre) }
      insertions += member.delta.insertions.map { $0.shifted(by: post) }
      updates += member.delta.updates.map { $0.shifted(by: post) }
      if member.isMoved {
        member.delta.forEachPiece(oldCount: former.count) { piece in
          moves.append(
            Delta.Move(
              from: pre + piece.old..<pre + piece.old + piece.count,
              to: post + piece.new..<post + piece.new + piece.count))
        }
      } else {
        moves += member.delta.moves.map {
          Delta.Move(from: $0.source.shifted(by: pre), to: $0.destination.shifted(by: post))
        }
      }
    }
    return Delta(
      removals: removals.filter { !$0.isEmpty }, insertions: insertions.filter { !$0.isEmpty }, updates: updates,
      moves: moves)
  }
}
