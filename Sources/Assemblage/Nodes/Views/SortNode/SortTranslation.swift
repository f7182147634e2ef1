import OffsetIndexing

/// Translates between a source's index space and that of its children in another order.
///
/// It is told which of two children comes first; nothing is changed while it asks. So a change is planned first
/// (`SortTranslation+Planning.swift`), and carried out afterwards.
@usableFromInline
struct SortTranslation: Sendable {
  /// Finds a place for a child among others, being told of each whether it comes before the child.
  @usableFromInline typealias Search = (_ isBefore: (_ other: Int) -> Bool) -> Int

  /// Where the children stand in both orders; empty where the order is the source's own.
  @usableFromInline private(set) var order: PermutationIndex
  /// Whether the order is one of its own.
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

  /// The position in the source of a child.
  @usableFromInline
  func sourcePosition(of position: Int) -> Int { isSorted ? order.sourcePosition(of: position) : position }

  /// The sorted position of a child of the source.
  @usableFromInline
  func sortedPosition(of position: Int) -> Int { isSorted ? order.sortedPosition(of: position) : position }

  /// `sourcePosition(of:)` through a pointer, which counts no references; negative where there is no such child.
  @usableFromInline
  static func sourcePosition(of position: Int, in translation: UnsafePointer<SortTranslation>) -> Int {
    guard position >= 0, unsafe position < translation.pointee.count else { return -1 }
    guard unsafe translation.pointee.isSorted else { return position }
    return unsafe PermutationIndex.sourcePosition(of: position, in: translation.pointer(to: \.order)!)
  }

  /// The number of the handle of a child of the source.
  func number(ofSource position: Int) -> Int { order.source[position].number }

  /// For each sorted position of a range, the position in the source.
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

  /// Translates a change of the source, and brings the orders up to date.
  ///
  /// - Parameters:
  ///   - change: the source's change.
  ///   - plan: what was planned for its delta; nil where the order is the source's own or no position is concerned.
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

  /// Takes in that one child came.
  ///
  /// - Parameters:
  ///   - position: its position in the source.
  ///   - place: its sorted position.
  /// - Returns: the change of the sorted children.
  mutating func insert(at position: Int, sorted place: Int) -> Delta {
    count += 1
    order.insert(at: position, sorted: place)
    return .insertion(place..<place + 1)
  }

  /// Takes in that one child left.
  ///
  /// - Parameter position: its position in the source.
  /// - Returns: the change of the sorted children.
  mutating func remove(at position: Int) -> Delta {
    count -= 1
    let place = order.remove(at: position)
    return .removal(place..<place + 1)
  }

  /// Takes in that one child changed, and may have got another place.
  ///
  /// - Parameters:
  ///   - former: its sorted position before.
  ///   - place: its sorted position after.
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

  /// Takes another order of the same children.
  ///
  /// - Parameter sources: for each sorted position, the position in the source; nil for the source's own order.
  /// - Returns: the fewest moves that lead there.
  /// - Complexity: O(n), and O(p · log p) where p runs of children change their order.
  mutating func reorder(_ sources: [Int]?) -> Delta {
    let delta = difference(to: sources)
    self = SortTranslation(count: count, sources: sources)
    return delta
  }

  /// Takes the order of another translation of the same source.
  mutating func reorder(to other: SortTranslation) -> Delta {
    let delta = difference(to: other)
    self = other
    return delta
  }

  /// The fewest moves that lead to another order of the same children.
  ///
  /// - Complexity: as `reorder(_:)`.
  func difference(to other: SortTranslation) -> Delta { difference(to: other.isSorted ? other.order.sources : nil) }

  /// The same for the order that a list of positions in the source says; nil for the source's own order.
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
