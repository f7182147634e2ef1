/// What happened to one index space: which elements left, came, changed and moved.
///
/// A delta says, without the elements themselves, how the positions before a change (*pre*) and those after it
/// (*post*) belong together:
///
/// ```swift
/// // ["a", "b", "c", "d"]  →  ["d", "a", "X", "c"], where "c" was changed in place
/// let delta = Delta(
///   removals: [1..<2], insertions: [2..<3], updates: [3..<4],
///   moves: [Delta.Move(from: 3..<4, to: 0..<1)])
/// ```
///
/// Removals and the sources of moves are positions **before** the change; insertions, updates and the destinations
/// of moves are positions **after** it. A moved element stands in neither removals nor insertions; an updated element
/// is never an inserted one, but may be a moved one.
///
/// ## What it means
/// A delta is a partial injection from pre to post positions, together with the set of those post positions that were
/// updated. Behind the last position that it touches, every element keeps its place among its neighbours, however
/// many there are: a delta needs no count, and the same one fits every sequence that is long enough.
///
/// ## Canonical form
/// All ranges are as long as they can be, and of all ways to tell the elements that moved from those that stood still,
/// the one that moves the fewest elements is taken. So two deltas that mean the same *are* equal.
///
/// A delta of one range, the usual case, takes no memory on the heap.
public struct Delta: Sendable {
  /// How the changes are held: one range in place, everything else in a shared box.
  ///
  /// A delta that consists of one range of one kind is never `several`, so that equal deltas have equal cases.
  enum Storage: Sendable {
    case identity
    case insertion(Range<Int>)
    case removal(Range<Int>)
    case update(Range<Int>)
    case several(Several)
  }

  /// The lists of a delta that is more than one range.
  final class Several: Sendable {
    let removals: [Range<Int>]
    let insertions: [Range<Int>]
    let updates: [Range<Int>]
    let moves: [Move]
    let countChange: Int

    init(removals: [Range<Int>], insertions: [Range<Int>], updates: [Range<Int>], moves: [Move]) {
      self.removals = removals
      self.insertions = insertions
      self.updates = updates
      self.moves = moves
      var change = 0
      for range in insertions { change += range.count }
      for range in removals { change -= range.count }
      countChange = change
    }
  }

  var storage: Storage

  init(storage: Storage) { self.storage = storage }

  /// Creates a delta of lists that are canonical already.
  init(
    canonicalRemovals removals: [Range<Int>], insertions: [Range<Int>], updates: [Range<Int>],
    moves: [Move] = []
  ) {
    if moves.isEmpty {
      switch (removals.count, insertions.count, updates.count) {
      case (0, 0, 0):
        storage = .identity
        return
      case (1, 0, 0):
        storage = .removal(removals[0])
        return
      case (0, 1, 0):
        storage = .insertion(insertions[0])
        return
      case (0, 0, 1):
        storage = .update(updates[0])
        return
      default: break
      }
    }
    storage = .several(Several(removals: removals, insertions: insertions, updates: updates, moves: moves))
  }

  /// Creates the delta of nothing having happened.
  public init() { storage = .identity }

  // MARK: What happened

  /// The elements that left: positions before the change, ascending, disjoint, not adjacent.
  public var removals: Ranges {
    switch storage {
    case .removal(let range): Ranges(range)
    case .several(let several): Ranges(canonical: several.removals)
    case .identity, .insertion, .update: Ranges()
    }
  }

  /// The elements that came: positions after the change, ascending, disjoint, not adjacent.
  public var insertions: Ranges {
    switch storage {
    case .insertion(let range): Ranges(range)
    case .several(let several): Ranges(canonical: several.insertions)
    case .identity, .removal, .update: Ranges()
    }
  }

  /// The surviving elements that changed: positions after the change, ascending, disjoint, not adjacent.
  ///
  /// They may have moved as well; inserted elements are never among them.
  public var updates: Ranges {
    switch storage {
    case .update(let range): Ranges(range)
    case .several(let several): Ranges(canonical: several.updates)
    case .identity, .removal, .insertion: Ranges()
    }
  }

  /// The surviving elements that changed their place among the others, sorted by destination.
  ///
  /// Of all ways to explain the new order, this is one that moves the fewest elements.
  public var moves: [Move] {
    if case .several(let several) = storage { several.moves } else { [] }
  }

  /// Whether nothing happened.
  public var isEmpty: Bool {
    if case .identity = storage { true } else { false }
  }

  /// The number of elements that came less the number of those that left.
  public var countChange: Int {
    switch storage {
    case .identity, .update: 0
    case .insertion(let range): range.count
    case .removal(let range): -range.count
    case .several(let several): several.countChange
    }
  }

  /// Whether elements moved.
  package var hasMoves: Bool {
    if case .several(let several) = storage { !several.moves.isEmpty } else { false }
  }

  /// Whether positions changed: anything but updates.
  package var movesPositions: Bool {
    switch storage {
    case .identity, .update: false
    case .insertion, .removal: true
    case .several(let several):
      !several.removals.isEmpty || !several.insertions.isEmpty || !several.moves.isEmpty
    }
  }
}
