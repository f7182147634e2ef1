/// The move of one child from a parent to another one.
///
/// In the parents' deltas, the child is removed in one place and inserted in another. A crossing identifies the two:
/// they are the same child. The crossing has the same name in all nodes that see an end of the move:
///
/// ```text
///     departure     from, no to      the child leaves for a place outside of this tree
///     arrival       to, no from      the child arrives from a place outside of this tree
///     transfer      from and to      the child moves inside this tree
///     passage       neither          the child arrives and leaves again; only a source's pending change has passages
/// ```
///
/// A source reports a departure or an arrival. The first node that shows both ends pairs them to a transfer. An end
/// without a counterpart has no meaning of its own: the child was removed, or inserted. A crossing lives for one
/// settlement; a transfer stays in the change set that observers receive.
struct Crossing: Sendable {
  /// The number of the move. If a child moves several times in one settlement, a departure has the number of the last
  /// move. Every other crossing has the number of the first move.
  var name: Int
  /// The child's path before the change; nil for a place outside of this tree.
  var from: Place?
  /// The child's path after the change; nil for a place outside of this tree.
  var to: Place?
  /// The change of the child itself and inside it; this change has no crossings of its own.
  var change = ChangeSet()
  /// For a passage, the number of the move with which the child leaves again.
  var next: Int?

  /// Creates a transfer, or one end of a move.
  ///
  /// - Parameters:
  ///   - name: the number of the move; a new one by default.
  ///   - from: the path before the change; nil for a place outside of this tree.
  ///   - to: the path after the change; nil for a place outside of this tree.
  ///   - change: the change of the child itself and inside it.
  init(_ name: Int = SerialNumber.next(), from: Place?, to: Place?, change: ChangeSet = ChangeSet()) {
    self.name = name
    self.from = from
    self.to = to
    self.change = change
  }

  /// Both places, if both are inside this tree.
  var places: (source: Place, destination: Place)? {
    if let from, let to { (from, to) } else { nil }
  }

  /// Whether only the place before the change is inside this tree.
  var isDeparture: Bool { from != nil && to == nil }

  /// Whether only the place after the change is inside this tree.
  var isArrival: Bool { from == nil && to != nil }

  /// An index path, stored from its last component to its first. So the path grows at the array's end while a change
  /// climbs to the root.
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

    /// The place with another first component; nil if `position` returns nil.
    func mappingFirst(_ position: (Int) -> Int?) -> Place? {
      guard let first = position(first) else { return nil }
      var place = self
      place.first = first
      return place
    }

    /// The rest of the place below a node at `path`; nil if the place is not below that node.
    func below(_ path: [Int]) -> Place? {
      guard depth > path.count, components.starts(with: path) else { return nil }
      return Place(components.dropFirst(path.count))
    }
  }

  /// Makes this crossing a crossing of the parent of the root.
  ///
  /// - Parameters:
  ///   - before: the root's position in its parent before the change; nil if the root had no parent.
  ///   - after: the root's position in its parent after the change.
  mutating func wrap(before: Int?, after: Int) {
    if let before { from?.wrap(at: before) } else { from = nil }
    to?.wrap(at: after)
  }

  /// This crossing in a tree that shows the children of the root at other positions.
  ///
  /// - Parameters:
  ///   - before: returns the new first component for the first component of a place before the change; nil if not
  ///     shown.
  ///   - after: returns the new first component for the first component of a place after the change; nil if not
  ///     shown.
  /// - Returns: the crossing with the ends that the other tree shows; nil if it shows neither end.
  func mapped(before: (Int) -> Int?, after: (Int) -> Int?) -> Crossing? {
    var crossing = self
    crossing.from = from?.mappingFirst(before)
    crossing.to = to?.mappingFirst(after)
    // The change of the child is reported at the child's destination only.
    if crossing.to == nil, to != nil { crossing.change = ChangeSet() }
    return crossing.from == nil && crossing.to == nil ? nil : crossing
  }
}
