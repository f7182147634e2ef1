/// A change of one index space: the removed, inserted, updated and moved elements.
///
/// A delta maps the positions before a change (*pre*) to the positions after it (*post*), without the elements
/// themselves:
///
/// ```swift
/// // ["a", "b", "c", "d"]  →  ["d", "a", "X", "c"], where "c" was changed in place
/// let delta = Delta(
///   removals: [1..<2], insertions: [2..<3], updates: [3..<4],
///   moves: [Delta.Move(from: 3..<4, to: 0..<1)])
/// ```
///
/// Removals and the sources of moves are positions **before** the change; insertions, updates and the destinations of
/// moves are positions **after** it. A moved element is neither among the removals nor among the insertions. An updated
/// element is never an inserted one, but may be a moved one.
///
/// ## Meaning
/// A delta is a partial injection from pre to post positions, together with the set of the updated post positions.
/// Behind the last position that the delta touches, every element keeps its place among its neighbours, for any number
/// of elements. So a delta needs no count, and it fits every sequence that is long enough.
///
/// ## Canonical form
/// All ranges are as long as possible. Often, several sets of moves explain the same order; the delta holds one that
/// moves the fewest elements. So two deltas that describe the same change *are* equal.
///
/// A delta of one range, the usual case, uses no memory on the heap.
public struct Delta: Hashable, Sendable {
  /// The storage of a delta: one range in place, or everything else in a shared box.
  ///
  /// A delta that consists of one range of one kind is never `several`, so that equal deltas have equal cases.
  enum Storage: Hashable, Sendable {
    case identity
    case insertion(Range<Int>)
    case removal(Range<Int>)
    case update(Range<Int>)
    case several(Several)
  }

  /// The lists of a delta with more than one range.
  final class Several: Hashable, Sendable {
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

    static func == (left: Several, right: Several) -> Bool {
      left === right
        || left.removals == right.removals && left.insertions == right.insertions && left.updates == right.updates
          && left.moves == right.moves
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(removals)
      hasher.combine(insertions)
      hasher.combine(updates)
      hasher.combine(moves)
    }
  }

  var storage: Storage

  init(storage: Storage) { self.storage = storage }

  /// Creates a delta of lists that are already canonical.
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

  /// Creates the delta of no change, without the checks of the public initializer.
  @usableFromInline package init() { storage = .identity }

  // MARK: Removals, insertions, updates and moves

  /// The removed elements: positions before the change, ascending, disjoint, not adjacent.
  public var removals: Ranges {
    switch storage {
    case .removal(let range): Ranges(range)
    case .several(let several): Ranges(canonical: several.removals)
    case .identity, .insertion, .update: Ranges()
    }
  }

  /// The inserted elements: positions after the change, ascending, disjoint, not adjacent.
  public var insertions: Ranges {
    switch storage {
    case .insertion(let range): Ranges(range)
    case .several(let several): Ranges(canonical: several.insertions)
    case .identity, .removal, .update: Ranges()
    }
  }

  /// The updated elements: positions after the change, ascending, disjoint, not adjacent.
  ///
  /// All of them are survivors, and some may have moved too; inserted elements are never among them.
  public var updates: Ranges {
    switch storage {
    case .update(let range): Ranges(range)
    case .several(let several): Ranges(canonical: several.updates)
    case .identity, .removal, .insertion: Ranges()
    }
  }

  /// The survivors that changed their place among the others, sorted by destination.
  ///
  /// Often, several sets of moves explain the new order. This is one that moves the fewest elements.
  public var moves: [Move] {
    if case .several(let several) = storage { several.moves } else { [] }
  }

  /// Whether the delta has no changes.
  public var isEmpty: Bool {
    if case .identity = storage { true } else { false }
  }

  /// The number of inserted elements minus the number of removed elements.
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

  /// Whether any positions changed, which is true for every change but updates.
  package var movesPositions: Bool {
    switch storage {
    case .identity, .update: false
    case .insertion, .removal: true
    case .several(let several):
      !several.removals.isEmpty || !several.insertions.isEmpty || !several.moves.isEmpty
    }
  }
}
