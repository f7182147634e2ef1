/// What becomes of one child that leaves a parent, or comes to one, and may be the child of another one otherwise.
///
/// In the parents' deltas the child is removed in one place and inserted in another; a crossing says that both are the
/// same child. It is a pair of ends, and each end is a place in the tree of the change set, or, where that is outside of
/// it, a token:
///
/// ```text
///     departure     place before → token          the child left for somewhere outside
///     arrival       token → place after           the child came from somewhere outside
///     transfer      place before → place after    it moved from one parent to another
///     link          token → token                 it came and left again
/// ```
///
/// A source that takes a child out tells of a departure, the one that takes it in of an arrival with the same token.
/// Where both changes meet, at a node that shows both sources, composing joins them to a transfer. Ends that never meet
/// mean nothing: the child simply left, or came. What is below a child that left has a token too, that of the child and a
/// path below it: so a part of what left may come back alone, and a part of what came may have left alone.
struct Crossing: Hashable, Sendable {
  enum End: Hashable, Sendable {
    case inside(Place)
    case outside(Token)
  }

  /// Where the child was before the change.
  var from: End
  /// Where it is after the change.
  var to: End
  /// What happened to the child itself and inside it, without crossings of its own.
  var change: ChangeSet

  /// Both places, where both are inside.
  var places: (source: Place, destination: Place)? {
    if case .inside(let source) = from, case .inside(let destination) = to { (source, destination) } else { nil }
  }

  /// Tells one move from every other.
  struct Token: Hashable, Sendable {
    fileprivate let number = SerialNumber.next()
    /// The views that it was seen in, one after the other, and how many those were.
    fileprivate var view: UInt64 = 0
    fileprivate(set) var viewCount = 0
    /// Where the child is below the one that the move is about, as that one was on its way; empty: it is that one.
    ///
    /// No longer than `longestPath`: what follows then is in `rest`.
    private(set) var path: [Int] = []
    private var rest = Rest()
    /// Whether it is a row: what a view without depth shows of the child, and nothing of what is below it.
    fileprivate(set) var isRow = false
    /// Whether it is the end of a departure in a node that is a waypoint: there, what left does not arrive.
    ///
    /// A parent below the waypoint may be the one that loses the child and gets it back: see `Waypoints`.
    var isLeaving = false

    /// Whether the move is known to be that of a leaf.
    private let isOfLeaf: Bool

    /// Makes a token that no other equals.
    ///
    /// - Parameter isOfLeaf: whether it is known that a leaf moves.
    init(isOfLeaf: Bool = false) { self.isOfLeaf = isOfLeaf }

    /// The token of another move of the same child.
    var renewed: Token { Token(isOfLeaf: isOfLeaf) }

    /// What all tokens of the move have in common.
    var move: Int { number }

    /// Whether the move began after the transaction of a number did.
    func isNewer(than transaction: Int) -> Bool { number > transaction }

    /// Whether the move began after another one.
    func isNewer(than other: Token) -> Bool { number > other.number }

    /// How many levels below a child on its way a part of it is found that comes back alone.
    ///
    /// Each row of a view without depth has a token: were the paths of those in a deep tree whole, their number would be the
    /// square of the depth.
    private static var longestPath: Int { 64 }

    /// The token of what is at a path below the child of this token.
    func descendant(_ path: some Collection<Int>) -> Token {
      var token = self
      for position in path {
        if token.path.count < Self.longestPath { token.path.append(position) } else { token.rest.append(position) }
      }
      return token
    }

    /// The tokens of those below which this one's child is, and the paths from there; none where that is too far down.
    var ancestors: [(token: Token, path: [Int])] { hasAncestors ? path.indices.map(ancestor(ofLength:)) : [] }

    /// Whether the child is below another one, and not too far down for that to be known by its token.
    var hasAncestors: Bool { !path.isEmpty && rest == Rest() }

    /// The token of the one whose path is so long, and the path from there, where the path is whole.
    func ancestor(ofLength length: Int) -> (token: Token, path: [Int]) {
      var token = self
      token.path = Array(path[..<length])
      return (token, Array(path[length...]))
    }

    /// The token of the child that the move is about.
    var stem: Token {
      var token = self
      (token.path, token.rest) = ([], Rest())
      return token
    }

    /// The token of the same move as seen in a view that shows other elements than its source: a node that shows both
    /// is not to take one for the other.
    func seen(inView number: Int) -> Token {
      var token = self
      // One step of a linear congruential generator, so that views of views differ by their order too.
      token.view = view &* Self.viewFactor &+ UInt64(number)
      token.viewCount += 1
      return token
    }

    /// The token of the same move in the node that told of it first.
    var unseen: Token {
      var token = self
      (token.view, token.viewCount) = (0, 0)
      return token
    }

    fileprivate static var viewFactor: UInt64 { 6_364_136_223_846_793_005 }

    /// The token of the child with what is below it.
    var withoutRow: Token {
      var token = self
      token.isRow = false
      return token
    }

    /// The token of the child as a row that has no children.
    ///
    /// What is below the child has a row of its own; only links tell of rows with those below them.
    var row: Token {
      var token = self
      token.isRow = true
      return token
    }

    /// The token of the child in a view that does not know whether the child is a leaf: a row, unless the move tells.
    var rowUnlessLeaf: Token { isOfLeaf ? withoutRow : row }
  }

  /// What the views between a node and one that derives from it make of a token.
  struct Lens: Hashable {
    private var factor: UInt64 = 1
    private var offset: UInt64
    private var count: Int
    private var makesRows: Bool

    /// The lens through which one token is seen as another; nil where they do not tell of one move, or not in this order.
    init?(_ token: Token, seenAs seen: Token) {
      count = seen.viewCount - token.viewCount
      guard token.number == seen.number, count >= 0, seen.isRow || !token.isRow else { return nil }
      // Views are the steps of a linear congruential generator: so is what several of them do to all tokens alike.
      for _ in 0..<count { factor = factor &* Token.viewFactor }
      offset = seen.view &- token.view &* factor
      makesRows = seen.isRow && !token.isRow
    }

    /// The token as it is seen through the lens.
    func callAsFunction(_ token: Token) -> Token {
      var token = token
      token.view = token.view &* factor &+ offset
      token.viewCount += count
      token.isRow = token.isRow || makesRows
      return token
    }
  }

  /// The end of a long path, as two sums of 64 bits: so two paths that differ are taken for one in one of 2^128 cases.
  private struct Rest: Hashable {
    private var first: UInt64 = 0
    private var second: UInt64 = 0

    mutating func append(_ position: Int) {
      let term = UInt64(truncatingIfNeeded: position) &+ 1
      // Two linear congruential generators; the shifts bring the upper bits down.
      first = (first ^ first >> 29 ^ term) &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      second = (second ^ second >> 31 ^ term) &* 3_935_559_000_370_003_845 &+ 2_691_343_689_449_507_681
    }
  }

  /// An index path, stored from its end: so the path grows at the array's end while a change travels to the root.
  struct Place: Hashable, Sendable {
    private(set) var reversed: [Int]

    init(_ components: some Collection<Int>) { reversed = components.reversed() }

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
  }
}

extension Crossing {
  /// Makes this crossing the one that the parent of the root sees.
  ///
  /// - Parameters:
  ///   - before: the root's position in its parent before the change.
  ///   - after: the root's position after it.
  mutating func wrap(before: Int, after: Int) {
    from.wrap(at: before)
    to.wrap(at: after)
  }

  /// The crossing between other children of the root.
  ///
  /// - Parameters:
  ///   - before: yields the new first component for that of a place before the change.
  ///   - after: yields the new first component for that of a place after it.
  /// - Returns: the crossing, or nil where one end has no place there.
  func mapped(before: (Int) -> Int?, after: (Int) -> Int?) -> Crossing? {
    guard let from = from.mappingFirst(before), let to = to.mappingFirst(after) else { return nil }
    return Crossing(from: from, to: to, change: change)
  }
}

extension Crossing {
  /// The crossing as all nodes tell it that are no waypoints.
  var withoutLeaving: Crossing {
    var crossing = self
    crossing.to.setLeaving(false)
    return crossing
  }
}

extension Crossing.End {
  /// Says of a token whether it is that of a departure in a waypoint; a place stays.
  fileprivate mutating func setLeaving(_ isLeaving: Bool) {
    guard case .outside(var token) = self else { return }
    token.isLeaving = isLeaving
    self = .outside(token)
  }

  fileprivate mutating func wrap(at position: Int) {
    guard case .inside(var place) = self else { return }
    // So that the path is not shared, and grows in place.
    self = .inside(Crossing.Place([]))
    place.wrap(at: position)
    self = .inside(place)
  }

  /// Makes a token that of another view; a place stays.
  mutating func see(inView number: Int) {
    if case .outside(let token) = self { self = .outside(token.seen(inView: number)) }
  }

  /// The end as it is seen through a lens; a place stays.
  func seen(through lens: Crossing.Lens) -> Self {
    if case .outside(let token) = self { .outside(lens(token)) } else { self }
  }

  /// The end of what is at a path below the child of this end.
  func descendant(_ path: some Collection<Int>) -> Self {
    switch self {
    case .inside(let place): .inside(Crossing.Place(place.components + path))
    case .outside(let token): .outside(token.descendant(path))
    }
  }

  /// The same for the child with what is below it, where it is that of a row.
  var withoutRow: Self {
    if case .outside(let token) = self, token.isRow { .outside(token.withoutRow) } else { self }
  }

  /// The token; nil where the end is inside.
  var token: Crossing.Token? { if case .outside(let token) = self { token } else { nil } }

  /// The token of the child that the move is about; nil where the end is inside.
  var stem: Crossing.Token? { token?.stem }

  /// How long its path is; 0 outside.
  var depth: Int { if case .inside(let place) = self { place.depth } else { 0 } }

  /// The end with another first component, or nil where that has none; outside as it is.
  func mappingFirst(_ position: (Int) -> Int?) -> Self? {
    guard case .inside(var place) = self else { return self }
    guard let first = position(place.first) else { return nil }
    place.first = first
    return .inside(place)
  }
}

extension Crossing {
  /// A child of the root leaves for somewhere outside.
  init(departureOf token: Token, from position: Int) {
    self.init(from: .inside(Place([position])), to: .outside(token), change: ChangeSet())
  }

  /// A child comes from somewhere outside, and has changed in between as `change` says.
  init(arrivalOf token: Token, at position: Int, _ change: ChangeSet = ChangeSet()) {
    self.init(from: .outside(token), to: .inside(Place([position])), change: change)
  }
}

extension ChangeSet {
  /// This change with its only removal told as the departure of a child, or its only insertion as an arrival.
  ///
  /// - Parameter token: what the other end of the move has as well.
  mutating func mark(_ token: Crossing.Token) {
    switch level.storage {
    case .removal(let range) where range.count == 1:
      crossings.append(Crossing(departureOf: token, from: range.lowerBound))
    case .insertion(let range) where range.count == 1:
      crossings.append(Crossing(arrivalOf: token, at: range.lowerBound))
    default: break
    }
  }

  /// This change with its open crossings told as those of another view.
  mutating func seeCrossings(inView number: Int) {
    for index in crossings.indices {
      crossings[index].from.see(inView: number)
      crossings[index].to.see(inView: number)
    }
  }

  /// Forgets crossings of which no end is a child of the root.
  mutating func dropNestedCrossings() {
    if !crossings.isEmpty { crossings.removeAll { $0.from.depth != 1 && $0.to.depth != 1 } }
  }

  /// Keeps what leaves by this change from what arrives by another one.
  mutating func markLeaving() {
    for index in crossings.indices { crossings[index].to.setLeaving(true) }
  }

  /// Forgets moves of which only one end is in this change set.
  mutating func dropOpenCrossings() {
    if !crossings.isEmpty { crossings.removeAll { $0.places == nil } }
  }
}
