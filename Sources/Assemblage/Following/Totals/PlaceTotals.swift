/// Values of some places of a tree, and the total of each subtree.
///
///     tree             own   total
///     root               0       3
///     ├ a                0       2      no value of its own, but something below
///     │  ├ b             1       1
///     │  └ c             1       1
///     ├ d                               nothing: no place
///     └ e                1       1
///
/// A place is kept if its own value is not the identity. So the memory is that of these places, and of the places above
/// them. A total combines the place's own value with a `FoldTree` of the totals below the place. A change brings the
/// totals above it up to date, as far as they change: values need not be subtractable.
struct PlaceTotals<Value: Equatable> {
  private struct Sum {
    /// The place's own value.
    var own: Value
    /// The value of the place and of everything below.
    var total: Value
    /// The slot of the total in the parent's `below`; negative where the total is the identity, and at the root.
    var slot: Int32 = -1
    /// The totals of the children.
    var below = FoldTree<Value>()
  }

  private(set) var tree = PlaceTree()
  private let monoid: Monoid<Value>
  /// By the numbers of the places.
  private var sums: [Sum]
  /// Whether a total has changed since `takeChange()` was last called.
  private var hasChanged = false
  /// Places whose value has become the identity, and which may not be needed.
  private var doubtful: [Int] = []

  init(_ monoid: Monoid<Value>) {
    self.monoid = monoid
    sums = [Sum(own: monoid.identity, total: monoid.identity)]
  }

  // MARK: Looking up

  /// The total of the whole tree.
  var total: Value { total(of: PlaceTree.root) }

  /// The total of the subtree at a path, with the value of its root.
  func total(at path: some Sequence<Int>) -> Value { total(of: tree.place(at: path)) }

  /// The total of the subtree at a place; the identity for no place.
  func total(of place: Int?) -> Value { place.map { sums[$0].total } ?? monoid.identity }

  /// A place's own value.
  func value(of place: Int) -> Value { sums[place].own }

  /// Finds the paths of all places that have a value, in a place and below, in ascending order.
  func paths(below place: Int) -> [[Int]] {
    var paths: [[Int]] = []
    var open = [place]
    while let place = open.popLast() {
      if sums[place].own != monoid.identity { paths.append(tree.path(of: place)) }
      open += tree.children(of: place).reversed()
    }
    return paths
  }

  /// Whether a total has changed since this was last called.
  mutating func takeChange() -> Bool {
    defer { hasChanged = false }
    return hasChanged
  }

  // MARK: Setting values

  private mutating func grow() {
    while sums.count < tree.placeLimit { sums.append(Sum(own: monoid.identity, total: monoid.identity)) }
  }

  /// Brings the totals of a place and of the places above up to date, as far as they change.
  ///
  /// - Complexity: O(d · log n) for a place at depth d.
  private mutating func climb(from place: Int) {
    var place = place
    while place >= 0, refresh(place) { place = Int(tree.places[place].parent) }
  }

  /// Brings the total of one place up to date.
  ///
  /// - Returns: whether the total has changed, so that the totals above are out of date.
  private mutating func refresh(_ place: Int) -> Bool {
    let (own, below) = (sums[place].own, sums[place].below.root)
    let total = below.map { monoid.combine(own, $0) } ?? own
    if total == sums[place].total { return false }
    sums[place].total = total
    let parent = Int(tree.places[place].parent)
    if parent < 0 { return true }
    if total == monoid.identity {
      leave(parent, place)
    } else if sums[place].slot < 0 {
      enter(parent, place)
    } else {
      sums[parent].below.set(total, at: Int(sums[place].slot), by: monoid)
    }
    return true
  }

  /// Adds the total of a place to those below a parent.
  private mutating func enter(_ parent: Int, _ place: Int) {
    if sums[place].total == monoid.identity { return }
    sums[place].slot = Int32(sums[parent].below.insert(sums[place].total, by: monoid))
  }

  /// Removes the total of a place from those below a parent.
  private mutating func leave(_ parent: Int, _ place: Int) {
    if sums[place].slot < 0 { return }
    sums[parent].below.remove(at: Int(sums[place].slot), by: monoid)
    sums[place].slot = -1
    hasChanged = true
  }

  /// Gives a place another value, without changing the totals above the parent's children.
  ///
  /// - Returns: whether the total of the place has changed.
  @discardableResult
  private mutating func change(_ place: Int, to value: Value) -> Bool {
    if value != sums[place].own { hasChanged = true }
    sums[place].own = value
    if value != monoid.identity {
      tree.keep(place)
    } else if tree.isKept(place) {
      tree.cease(toKeep: place)
      doubtful.append(place)
    }
    return refresh(place)
  }

  /// Gives a place another value.
  mutating func set(_ value: Value, at place: Int) {
    if change(place, to: value) { climb(from: Int(tree.places[place].parent)) }
  }

  /// Gives the children of a place other values, from a position on.
  ///
  /// - Complexity: O((d + m) · log n) for m of n children of a place at depth d.
  mutating func set(_ values: some Collection<Value>, from position: Int, in parent: Int) {
    put(values, from: position, in: parent)
    climb(from: parent)
  }

  /// Does the same without changing the totals of the parent and above.
  mutating func put(_ values: some Collection<Value>, from position: Int, in parent: Int) {
    let knowsSome = !tree.places(in: position..<position + values.count, of: parent).isEmpty
    var run: [Value] = []
    var next = position
    for value in values {
      if knowsSome || value == monoid.identity {
        append(run, before: next, in: parent)
        run = []
        if let place = value == monoid.identity ? tree.place(at: next, in: parent) : makePlace(at: next, in: parent) {
          change(place, to: value)
        }
      } else {
        run.append(value)
      }
      next += 1
    }
    append(run, before: next, in: parent)
  }

  /// Makes places for children that are not known and have a value.
  private mutating func append(_ run: [Value], before end: Int, in parent: Int) {
    if run.isEmpty { return }
    let places = tree.makePlaces(run.count, at: end - run.count, in: parent)
    grow()
    let slots = sums[parent].below.insert(run, by: monoid)
    for (index, place) in places.enumerated() {
      sums[place] = Sum(own: run[index], total: run[index], slot: Int32(slots[index]))
      tree.keep(place)
    }
    hasChanged = true
  }

  /// Finds or makes the place at a position; `prune()` removes the place again if it is not needed.
  mutating func makePlace(at position: Int, in parent: Int) -> Int {
    let place = tree.makePlace(at: position, in: parent)
    grow()
    doubtful.append(place)
    return place
  }

  /// Brings the totals of nodes whose children have been loaded up to date.
  ///
  /// - Parameter visits: the places of nodes, each behind that of the node above. A node that was known before is a
  ///   top, and the places above it are brought up to date too.
  /// - Complexity: O((v + t · d) · log n) for v nodes, t of them tops at depth d.
  mutating func sumUp(_ visits: [(place: Int, isTop: Bool)]) {
    for visit in visits.reversed() {
      if visit.isTop { climb(from: visit.place) } else { _ = refresh(visit.place) }
    }
  }

  // MARK: Following

  /// Follows a change of the tree: elements that left count no longer, and elements that moved count at their new
  /// places.
  ///
  /// - Returns: the arrivals and the updated values. The caller handles these, and then calls `finish(_:)`.
  /// - Complexity: O((r + t) · d · log n + m) for r ranges of the change and t transfers at depth d, n children of a
  ///   node, and m places that leave.
  mutating func follow(_ change: ChangeSet) -> PlaceTree.Outcome {
    let outcome = tree.apply(change, in: .everywhere)
    grow()
    // All totals leave their former parents before one enters a parent, and before a total above is combined again.
    for loss in outcome.losses { for place in loss.places { leave(loss.parent, place) } }
    for transfer in outcome.transfers { leave(transfer.formerParent, transfer.place) }
    for transfer in outcome.transfers { enter(transfer.parent, transfer.place) }
    for loss in outcome.losses { climb(from: loss.parent) }
    for transfer in outcome.transfers {
      climb(from: transfer.formerParent)
      climb(from: transfer.parent)
    }
    for place in outcome.losses.lazy.flatMap(\.places) { discard(place) }
    return outcome
  }

  /// Removes places that are not needed after a change.
  mutating func finish(_ outcome: PlaceTree.Outcome) {
    tree.prune(outcome)
    prune()
  }

  /// Removes places that have no value, and no place with a value below.
  mutating func prune() {
    for place in doubtful where tree.places[place].parent != -2 { tree.prune(place) }
    doubtful = []
  }

  /// Removes all values of a subtree.
  ///
  /// - Complexity: O(d + k) for k places of the subtree.
  mutating func removeAll(below place: Int) {
    if place == PlaceTree.root {
      let hadChanged = hasChanged || tree.count > 1 || sums[PlaceTree.root].own != monoid.identity
      self = PlaceTotals(monoid)
      hasChanged = hadChanged
      return
    }
    let parent = Int(tree.places[place].parent)
    leave(parent, place)
    tree.takeOut(place)
    discard(place)
    climb(from: parent)
    tree.prune(parent)
  }

  private mutating func discard(_ place: Int) {
    let nothing = Sum(own: monoid.identity, total: monoid.identity)
    tree.discard(place) { place, _ in sums[place] = nothing }
  }

  /// Traps if the parts do not fit together.
  func checkInvariants() {
    tree.checkInvariants()
    for (place, record) in tree.places.enumerated() {
      let (sum, children) = (sums[place], tree.children(of: place).map { sums[$0] }.filter { $0.slot >= 0 })
      let total = sum.below.root.map { monoid.combine(sum.own, $0) } ?? sum.own
      require(total == sum.total, "PlaceTotals: the total of place \(place) is \(sum.total), not \(total).")
      sum.below.checkInvariants(by: monoid)
      require(
        sum.below.count == children.count && children.allSatisfy { sum.below[Int($0.slot)] == $0.total },
        "PlaceTotals: the totals below place \(place) are out of date.")
      require(
        (sum.slot >= 0) == (record.parent >= 0 && sum.total != monoid.identity),
        "PlaceTotals: the total of place \(place) is not among those of its siblings, or it is for nothing.")
      require(
        record.isKept == (sum.own != monoid.identity), "PlaceTotals: place \(place) is kept for nothing, or not kept.")
      require(
        record.parent < 0 || record.isKept || record.level >= 0,
        "PlaceTotals: place \(place) leads to nothing that has a value.")
    }
  }
}
