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
/// A place is kept if its own value is not zero. So the memory is that of these places, and of the places above them.
/// The totals are stored, and a change adds a difference to the totals above: therefore values must be subtractable.
struct PlaceTotals<Value: AdditiveArithmetic> {
  private(set) var tree = PlaceTree()
  /// The values of places, by the numbers of the places.
  private var own: [Value] = [.zero]
  private var totals: [Value] = [.zero]
  /// Whether a total has changed since `takeChange()` was last called.
  private var hasChanged = false
  /// Places whose value has become zero, and which may not be needed.
  private var doubtful: [Int] = []

  // MARK: Looking up

  /// The total of the whole tree.
  var total: Value { totals[PlaceTree.root] }

  /// The total of the subtree at a path, with the value of its root.
  func total(at path: some Sequence<Int>) -> Value { tree.place(at: path).map { totals[$0] } ?? .zero }

  /// Finds the paths of all places that have a value, in a place and below, in ascending order.
  func paths(below place: Int) -> [[Int]] {
    var paths: [[Int]] = []
    var open = [place]
    while let place = open.popLast() {
      if own[place] != .zero { paths.append(tree.path(of: place)) }
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
    let missing = tree.placeLimit - own.count
    own.append(contentsOf: repeatElement(.zero, count: missing))
    totals.append(contentsOf: repeatElement(.zero, count: missing))
  }

  /// Adds a value to the totals of a place and of all places above.
  ///
  /// - Complexity: O(d) for a place at depth d.
  private mutating func add(_ value: Value, upwardsFrom place: Int) {
    if value == .zero { return }
    hasChanged = true
    var place = place
    while place >= 0 {
      totals[place] += value
      place = Int(tree.places[place].parent)
    }
  }

  /// Gives a place another value, without changing the totals above.
  ///
  /// - Returns: the difference.
  private mutating func change(_ place: Int, to value: Value) -> Value {
    let difference = value - own[place]
    if difference != .zero { hasChanged = true }
    own[place] = value
    totals[place] += difference
    if value != .zero {
      tree.keep(place)
    } else if tree.isKept(place) {
      tree.cease(toKeep: place)
      doubtful.append(place)
    }
    return difference
  }

  /// Gives a place another value.
  mutating func set(_ value: Value, at place: Int) {
    let difference = change(place, to: value)
    if place != PlaceTree.root { add(difference, upwardsFrom: Int(tree.places[place].parent)) }
  }

  /// Gives the children of a place other values, from a position on.
  ///
  /// - Complexity: O(d + m · log n) for m of n children of a place at depth d; O(d + log n) where all m get a value,
  ///   and had none.
  mutating func set(_ values: some Collection<Value>, from position: Int, in parent: Int) {
    add(put(values, from: position, in: parent), upwardsFrom: parent)
  }

  /// Does the same without changing the totals of the parent and above.
  ///
  /// - Returns: the sum of the differences.
  mutating func put(_ values: some Collection<Value>, from position: Int, in parent: Int) -> Value {
    var sum = Value.zero
    let knowsSome = !tree.places(in: position..<position + values.count, of: parent).isEmpty
    var run: [Value] = []
    var next = position
    for value in values {
      if knowsSome || value == .zero {
        sum += append(run, before: next, in: parent)
        run = []
        if let place = value == .zero ? tree.place(at: next, in: parent) : makePlace(at: next, in: parent) {
          sum += change(place, to: value)
        }
      } else {
        run.append(value)
      }
      next += 1
    }
    return sum + append(run, before: next, in: parent)
  }

  /// Makes places for children that are not known and have a value.
  private mutating func append(_ run: [Value], before end: Int, in parent: Int) -> Value {
    if run.isEmpty { return .zero }
    let places = tree.makePlaces(run.count, at: end - run.count, in: parent)
    grow()
    return zip(places, run).reduce(.zero) { $0 + change($1.0, to: $1.1) }
  }

  /// Finds or makes the place at a position; `prune()` removes the place again if it is not needed.
  mutating func makePlace(at position: Int, in parent: Int) -> Int {
    let place = tree.makePlace(at: position, in: parent)
    grow()
    doubtful.append(place)
    return place
  }

  /// Adds the sums of loaded values to the totals of nodes.
  ///
  /// - Parameter visits: nodes and the sums of their children's values. Each visit follows the one of the node above,
  ///   and has its index in `above`. The first visits are of nodes that were known before.
  /// - Complexity: O(v + d) for v nodes, the topmost of them at depth d.
  mutating func sumUp(_ visits: consuming [(place: Int, above: Int, sum: Value)]) {
    for index in visits.indices.reversed() {
      let visit = visits[index]
      if visit.above < 0 {
        add(visit.sum, upwardsFrom: visit.place)
      } else {
        totals[visit.place] += visit.sum
        visits[visit.above].sum += visit.sum
      }
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
    // All amounts are the totals before the change. A loss or an arrival inside a place that moves is added along the
    // new path to the root. So the sums are right in any order.
    let losses = outcome.losses.map { loss in loss.places.reduce(Value.zero) { $0 + totals[$1] } }
    let transfers = outcome.transfers.map { totals[$0.place] }
    for (loss, total) in zip(outcome.losses, losses) { add(.zero - total, upwardsFrom: loss.parent) }
    for (transfer, total) in zip(outcome.transfers, transfers) {
      add(.zero - total, upwardsFrom: transfer.formerParent)
      add(total, upwardsFrom: transfer.parent)
    }
    for place in outcome.losses.lazy.flatMap(\.places) { discard(place) }
    return outcome
  }

  /// Removes places that are not needed after a change.
  mutating func finish(_ outcome: PlaceTree.Outcome) {
    clear(tree.prune(outcome))
    prune()
  }

  /// Removes places that have no value, and no place with a value below.
  mutating func prune() {
    for place in doubtful where tree.places[place].parent != -2 { clear(tree.prune(place)) }
    doubtful = []
  }

  /// Removes all values of a subtree.
  ///
  /// - Complexity: O(d + k) for k places of the subtree.
  mutating func removeAll(below place: Int) {
    if place == PlaceTree.root {
      let hadChanged = hasChanged || tree.count > 1 || own[PlaceTree.root] != .zero
      self = PlaceTotals()
      hasChanged = hadChanged
      return
    }
    let parent = Int(tree.places[place].parent)
    add(.zero - totals[place], upwardsFrom: parent)
    tree.takeOut(place)
    discard(place)
    clear(tree.prune(parent))
  }

  private mutating func discard(_ place: Int) {
    tree.discard(place) { place, _ in
      own[place] = .zero
      totals[place] = .zero
    }
  }

  private mutating func clear(_ removed: [Int]) {
    // Exact arithmetic has left zero there; floating-point arithmetic may have left a rounding error.
    for place in removed { totals[place] = .zero }
  }

  /// Traps if the parts do not fit together.
  func checkInvariants() {
    tree.checkInvariants()
    for (place, record) in tree.places.enumerated() {
      let sum = tree.children(of: place).reduce(own[place]) { $0 + totals[$1] }
      require(sum == totals[place], "PlaceTotals: the total of place \(place) is \(totals[place]), not \(sum).")
      require(record.isKept == (own[place] != .zero), "PlaceTotals: place \(place) is kept for nothing, or not kept.")
      require(
        record.parent < 0 || record.isKept || record.level >= 0,
        "PlaceTotals: place \(place) leads to nothing that has a value.")
    }
  }
}
