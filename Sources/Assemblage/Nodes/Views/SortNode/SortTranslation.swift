import OffsetIndexing

/// Translates between a source's index space and the index space of its children in another order.
///
/// The caller answers which of two children is first, and nothing may change meanwhile. So a change is first planned
/// (`SortTranslation+Planning.swift`), and carried out afterwards.
@usableFromInline
struct SortTranslation: Sendable {
  /// Finds the position of a child among others. `isBefore` returns whether another child is before the child.
  @usableFromInline typealias Search = (_ isBefore: (_ other: Int) -> Bool) -> Int

  /// The positions of the children in both orders; empty if `isSorted` is false.
  @usableFromInline private(set) var order: PermutationIndex
  /// Whether the translation has an order of its own, and not the source's order.
  private(set) var isSorted: Bool
  /// The number of children.
  @usableFromInline private(set) var count: Int

  /// Creates the translation of a source of `count` children.
  ///
  /// - Parameters:
  ///   - count: the number of children.
  ///   - sources: for each sorted position, the position in the source; nil for the source's own order.
  init(count: Int, sources: [Int]?) {
    self.count = count
    isSorted = sources != nil
    order = PermutationIndex(sources ?? [])
  }

  /// Returns the position in the source of a child.
  @usableFromInline
  func sourcePosition(of position: Int) -> Int { isSorted ? order.sourcePosition(of: position) : position }

  /// Returns the sorted position of a child of the source.
  @usableFromInline
  func sortedPosition(of position: Int) -> Int { isSorted ? order.sortedPosition(of: position) : position }

  /// Does the same as `sourcePosition(of:)` through a pointer, which counts no references; negative if there is no such
  /// child.
  @usableFromInline
  static func sourcePosition(of position: Int, in translation: UnsafePointer<SortTranslation>) -> Int {
    guard position >= 0, unsafe position < translation.pointee.count else { return -1 }
    guard unsafe translation.pointee.isSorted else { return position }
    return unsafe PermutationIndex.sourcePosition(of: position, in: translation.pointer(to: \.order)!)
  }

  /// Returns the number of the handle of a child of the source.
  func number(ofSource position: Int) -> Int { order.source[position].number }

  /// Returns, for each sorted position of a range, the position in the source.
  ///
  /// - Complexity: O(r · log n) for r positions, and never more than O(n).
  @usableFromInline
  func sources(in range: Range<Int>) -> [Int] {
    guard isSorted else { return Array(range) }
    // A look-up takes about as long as 16 steps of a walk over both orders.
    if range.count == count { return order.sources }
    if range.count > count / 16 { return Array(order.sources[range]) }
    return range.map { order.sourcePosition(of: $0) }
  }

  // MARK: Changes

  /// Translates a change of the source, and updates both orders.
  ///
  /// - Parameters:
  ///   - change: the source's change.
  ///   - plan: the plan for the delta of the change; nil for the source's own order, or if no position changes.
  /// - Returns: the change of the sorted children.
  mutating func translate(_ change: consuming ChangeSet, _ plan: Plan?) -> ChangeSet {
    count += change.delta.countChange
    guard isSorted else { return change }
    let formerPositions = change.formerPositions { order.sortedPosition(of: $0) }
    if let plan { carryOut(plan) }
    let delta = plan?.delta ?? Delta()
    if change.hasChildren || !change.crossings.isEmpty {
      let order = order
      change.translate(to: delta, before: { formerPositions[$0] }, after: { order.sortedPosition(of: $0) })
    } else {
      change.level = delta
    }
    return change
  }

  /// Inserts one child that arrived in the source.
  ///
  /// - Parameters:
  ///   - position: the child's position in the source.
  ///   - place: the child's sorted position.
  /// - Returns: the change of the sorted children.
  mutating func insert(at position: Int, sorted place: Int) -> Delta {
    count += 1
    order.insert(at: position, sorted: place)
    return .insertion(place..<place + 1)
  }

  /// Removes one child that left the source.
  ///
  /// - Parameter position: the child's position in the source.
  /// - Returns: the change of the sorted children.
  mutating func remove(at position: Int) -> Delta {
    count -= 1
    let place = order.remove(at: position)
    return .removal(place..<place + 1)
  }

  /// Updates one child, which may have another sorted position now.
  ///
  /// - Parameters:
  ///   - former: the child's sorted position before the change.
  ///   - place: the child's sorted position after the change.
  /// - Returns: the change of the sorted children.
  mutating func update(from former: Int, to place: Int) -> Delta {
    let range = place..<place + 1
    guard former != place else { return .update(range) }
    order.moveSorted(from: former, to: place)
    let moves = Delta.move(former..<former + 1, to: place).moves
    return Delta(canonicalRemovals: [], insertions: [], updates: [range], moves: moves)
  }

  private mutating func carryOut(_ plan: Plan) {
    if let sources = plan.sources {
      order = PermutationIndex(sources)
    } else if plan.movesPositions {
      order.move(removing: plan.removals, inserting: plan.arrivals)
    }
    #if InternalChecks
      checkUnlessCounting { order.checkInvariants() }
    #endif
  }

  /// Adopts another order of the same children.
  ///
  /// - Parameter sources: for each sorted position, the position in the source; nil for the source's own order.
  /// - Returns: the fewest moves that lead to this order.
  /// - Complexity: O(n), and O(p · log p) if p runs of children change their order.
  mutating func reorder(_ sources: [Int]?) -> Delta {
    let delta = difference(to: sources)
    self = SortTranslation(count: count, sources: sources)
    return delta
  }

  /// Adopts the order of another translation of the same source.
  mutating func reorder(to other: SortTranslation) -> Delta {
    let delta = difference(to: other)
    self = other
    return delta
  }

  /// Returns the fewest moves that lead to another order of the same children.
  ///
  /// - Complexity: that of `reorder(_:)`.
  func difference(to other: SortTranslation) -> Delta { difference(to: other.isSorted ? other.order.sources : nil) }

  /// Returns the fewest moves to an order that is given as positions in the source; nil for the source's own order.
  private func difference(to sources: [Int]?) -> Delta {
    if !isSorted, sources == nil { return Delta() }
    let origins = isSorted ? order.sortedPositions : nil
    var matching = Delta.Matching()
    for position in 0..<count {
      let source = sources.map { $0[position] } ?? position
      matching.append(origins.map { $0[source] } ?? source, position, isUpdated: false)
    }
    return matching.finish(oldCount: count, newCount: count)
  }
}
