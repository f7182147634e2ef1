/// The move of one child from a parent to another one.
///
/// In the parents' deltas the child is removed in one place and inserted in another; a crossing says that both are the
/// same child. Its name is the same for all nodes that see an end of the move:
///
/// ```text
///     departure     from, no to      the child left for a place outside of this tree
///     arrival       to, no from      the child came from a place outside of this tree
///     transfer      from and to      the child moved inside this tree
///     passage       neither          the child came and left again; only a source's pending change has passages
/// ```
///
/// A source reports a departure or an arrival. The first node that shows both ends pairs them to a transfer. An end that
/// meets no other one means nothing: the child was removed, or inserted. A crossing lives for one settlement; a transfer
/// stays in the change set that observers receive.
struct Crossing: Sendable {
  /// The number of the move. A child that moves several times in one settlement has the number of its first move.
  var name: Int
  /// The child's path before the change; nil where that is outside of this tree.
  var from: Place?
  /// The child's path after the change; nil where that is outside of this tree.
  var to: Place?
  /// What happened to the child itself and inside it, without crossings of its own.
  var change = ChangeSet()
  /// The number of the move with which a child of a passage left again.
  var next: Int?

  /// Creates a transfer, or one end of a move.
  ///
  /// - Parameters:
  ///   - name: the number of the move; a new one by default.
  ///   - from: the path before the change; nil: outside.
  ///   - to: the path after the change; nil: outside.
  ///   - change: what happened to the child and inside it.
  init(_ name: Int = SerialNumber.next(), from: Place?, to: Place?, change: ChangeSet = ChangeSet()) {
    self.name = name
    self.from = from
    self.to = to
    self.change = change
  }

  /// Both places, where both are inside.
  var places: (source: Place, destination: Place)? {
    if let from, let to { (from, to) } else { nil }
  }

  /// Whether only the place before the change is inside.
  var isDeparture: Bool { from != nil && to == nil }

  /// Whether only the place after the change is inside.
  var isArrival: Bool { from == nil && to != nil }

  /// An index path, stored from its end: so the path grows at the array's end while a change travels to the root.
  struct Place: Hashable, Sendable {
    private var reversed: [Int]

    init(_ components: some Collection<Int>) { reversed = components.reversed() }

    /// The place of a child of the root.
    init(_ position: Int) { reversed = [position] }

    /// The path from the root.
    var components: [Int] { reversed.reversed() }

    /// The position among the children of the root: the path's first component.
    var first: Int {
      get { reversed[reversed.count - 1] }
      set { reversed[reversed.count - 1] = newValue }
    }

    /// The position among the siblings.
    var position: Int { reversed[0] }

    /// The path of the parent, from the root.
    var parent: [Int] { reversed.dropFirst().reversed() }

    var depth: Int { reversed.count }

    mutating func wrap(at position: Int) { reversed.append(position) }

    /// The place with another first component; nil where that has none.
    func mappingFirst(_ position: (Int) -> Int?) -> Place? {
      guard let first = position(first) else { return nil }
      var place = self
      place.first = first
      return place
    }

    /// The path from a node at the beginning of this one; nil where the place is not below that node.
    func below(_ path: [Int]) -> Place? {
      guard depth > path.count, components.starts(with: path) else { return nil }
      return Place(components.dropFirst(path.count))
    }
  }

  /// Makes this crossing the one that the parent of the root sees.
  ///
  /// - Parameters:
  ///   - before: the root's position in its parent before the change; nil: the root had none.
  ///   - after: the root's position after it.
  mutating func wrap(before: Int?, after: Int) {
    if let before { from?.wrap(at: before) } else { from = nil }
    to?.wrap(at: after)
  }

  /// The crossing between other children of the root.
  ///
  /// - Parameters:
  ///   - before: yields the new first component for that of a place before the change; nil: not shown.
  ///   - after: yields the new first component for that of a place after it; nil: not shown.
  /// - Returns: the crossing with the ends that have a place there; nil where no end has one.
  func mapped(before: (Int) -> Int?, after: (Int) -> Int?) -> Crossing? {
    var crossing = self
    crossing.from = from?.mappingFirst(before)
    crossing.to = to?.mappingFirst(after)
    // What happened to the child is reported where it arrives.
    if crossing.to == nil, to != nil { crossing.change = ChangeSet() }
    return crossing.from == nil && crossing.to == nil ? nil : crossing
  }
}
