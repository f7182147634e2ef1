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
/// them. The total of a place combines the place's own value with a `FoldTree` of the totals below it, and is itself in
/// the tree of the parent. A place with nothing below has no other record of its value. A change brings the totals
/// above it up to date, as far as they change: values need not be subtractable.
struct PlaceTotals<Value: Equatable> {
  /// The total of a place with totals below, or of the root.
  private struct Sum {
    /// The place's own value.
    var own: Value
    /// The totals of the children.
    var below = FoldTree<Value>()
  }

  private(set) var tree = PlaceTree()
  private let monoid: Monoid<Value>
  /// By the numbers of the places.
  private var entries = [PlaceTotal(sum: 0)]
  private var sums: [Sum]
  private var freeSums: [Int32] = []
  /// Whether a total has changed since `takeChange()` was last called.
  private var hasChanged = false
  /// Places whose value has become the identity, and which may not be needed.
  private var doubtful: [Int] = []

  init(_ monoid: Monoid<Value>) {
    self.monoid = monoid
    sums = [Sum(own: monoid.identity)]
  }

  // MARK: Looking up

  /// The total of the whole tree.
  var total: Value { total(of: PlaceTree.root) }

  /// The total of the subtree at a path, with the value of its root.
  func total(at path: some Sequence<Int>) -> Value { total(of: tree.place(at: path)) }

  /// The total of the subtree at a place; the identity for no place.
  func total(of place: Int?) -> Value {
    guard let place else { return monoid.identity }
    if place == PlaceTree.root { return total(of: sums[0]) }
    let slot = Int(entries[place].slot)
    return slot < 0 ? monoid.identity : sums[Int(entries[tree.parent(of: place)].sum)].below[slot]
  }

  /// A place's own value.
  func value(of place: Int) -> Value {
    let number = Int(entries[place].sum)
    return number < 0 ? total(of: place) : sums[number].own
  }

  private func total(of sum: Sum) -> Value { sum.below.root.map { monoid.combine(sum.own, $0) } ?? sum.own }

  /// Finds the paths of all places that have a value, in a place and below, in ascending order.
  func paths(below place: Int) -> [[Int]] {
    var paths: [[Int]] = []
    var open = [place]
    while let place = open.popLast() {
      if value(of: place) != monoid.identity { paths.append(tree.path(of: place)) }
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
    entries.append(contentsOf: repeatElement(PlaceTotal(), count: tree.placeLimit - entries.count))
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
    let number = Int(entries[place].sum)
    if number < 0 { return false }
    if tree.places[place].parent < 0 { return true }
    let total = total(of: sums[number])
    if sums[number].below.count == 0 { freeSum(of: place) }
    return setTotal(of: place, to: total)
  }

  /// Sets the total of a place that has a parent.
  ///
  /// - Returns: whether it has changed.
  private mutating func setTotal(of place: Int, to total: Value) -> Bool {
    let parent = tree.parent(of: place)
    let former = self.total(of: place)
    if total == monoid.identity {
      leave(parent, place)
    } else if entries[place].slot < 0 {
      enter(parent, place, total)
    } else {
      sums[Int(entries[parent].sum)].below.set(total, at: Int(entries[place].slot), by: monoid)
    }
    return total != former
  }

  /// Adds the total of a place to those below a parent.
  private mutating func enter(_ parent: Int, _ place: Int, _ total: Value) {
    if total == monoid.identity { return }
    entries[place].slot = Int32(sums[makeSum(of: parent)].below.insert(total, by: monoid))
  }

  /// Removes the total of a place from those below a parent.
  ///
  /// - Returns: the total.
  @discardableResult
  private mutating func leave(_ parent: Int, _ place: Int) -> Value {
    let slot = Int(entries[place].slot)
    if slot < 0 { return monoid.identity }
    let number = Int(entries[parent].sum)
    let total = sums[number].below[slot]
    sums[number].below.remove(at: slot, by: monoid)
    entries[place].slot = -1
    hasChanged = true
    return total
  }

  /// Finds or makes the sum of a place with totals below.
  private mutating func makeSum(of place: Int) -> Int {
    let known = Int(entries[place].sum)
    if known >= 0 { return known }
    let sum = Sum(own: total(of: place))
    let number = freeSums.popLast() ?? Int32(sums.count)
    if number < sums.count { sums[Int(number)] = sum } else { sums.append(sum) }
    entries[place].sum = number
    return Int(number)
  }

  private mutating func freeSum(of place: Int) {
    let number = entries[place].sum
    if number < 0 { return }
    sums[Int(number)] = Sum(own: monoid.identity)
    freeSums.append(number)
    entries[place].sum = -1
  }

  /// Gives a place another value, without changing the totals above the parent's children.
  ///
  /// - Returns: whether the total of the place has changed.
  @discardableResult
  private mutating func change(_ place: Int, to value: Value) -> Bool {
    if value != self.value(of: place) { hasChanged = true }
    if value != monoid.identity {
      tree.keep(place)
    } else if tree.isKept(place) {
      tree.cease(toKeep: place)
      doubtful.append(place)
    }
    let number = Int(entries[place].sum)
    if number < 0 { return setTotal(of: place, to: value) }
    sums[number].own = value
    return refresh(place)
  }

  /// Gives a place another value.
  mutating func set(_ value: Value, at place: Int) {
    if change(place, to: value) { climb(from: Int(tree.places[place].parent)) }
  }

  /// Gives the children of a place other values, from a position on.
  ///
  /// - Complexity: O((d + m) · log n) for m of n children of a place at depth d.
  mutating func set(_ values: [Value], from position: Int, in parent: Int) {
    put(values, from: position, in: parent)
    climb(from: parent)
  }

  /// Does the same without changing the totals of the parent and above.
  mutating func put(_ values: [Value], from position: Int, in parent: Int) {
    if tree.places(in: position..<position + values.count, of: parent).isEmpty {
      for run in monoid.contributions(values) { append(values[run], at: position + run.lowerBound, in: parent) }
      return
    }
    for (value, next) in zip(values, position...) {
      if let place = value == monoid.identity ? tree.place(at: next, in: parent) : makePlace(at: next, in: parent) {
        change(place, to: value)
      }
    }
  }

  /// Makes places for children that are not known and have a value.
  private mutating func append(_ values: ArraySlice<Value>, at position: Int, in parent: Int) {
    let places = tree.makePlaces(values.count, at: position, in: parent)
    grow()
    let slots = sums[makeSum(of: parent)].below.insert(values, by: monoid)
    for (place, slot) in zip(places, slots) {
      entries[place].slot = Int32(slot)
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
    let totals = outcome.transfers.map { leave($0.formerParent, $0.place) }
    for (transfer, total) in zip(outcome.transfers, totals) { enter(transfer.parent, transfer.place, total) }
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
      let hadChanged = hasChanged || tree.count > 1 || value(of: place) != monoid.identity
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
    var freed: [Int] = []
    tree.discard(place) { place, _ in freed.append(place) }
    for place in freed {
      freeSum(of: place)
      entries[place] = PlaceTotal()
    }
  }

  /// Traps if the parts do not fit together.
  func checkInvariants() {
    tree.checkInvariants()
    for (place, record) in tree.places.enumerated() where record.parent != -2 {
      let children = tree.children(of: place).filter { entries[$0].slot >= 0 }
      require(
        place == PlaceTree.root || (entries[place].sum >= 0) == !children.isEmpty,
        "PlaceTotals: place \(place) has a sum for nothing, or has none.")
      if entries[place].sum >= 0 {
        let sum = sums[Int(entries[place].sum)]
        sum.below.checkInvariants(by: monoid)
        require(
          sum.below.count == children.count && Set(children.map { entries[$0].slot }).count == children.count,
          "PlaceTotals: the totals below place \(place) are out of date.")
        require(
          total(of: sum) == total(of: place),
          "PlaceTotals: the total of place \(place) is \(total(of: place)), not \(total(of: sum)).")
      }
      require(
        entries[place].slot < 0 || total(of: place) != monoid.identity,
        "PlaceTotals: the total of place \(place) is among those of its siblings for nothing.")
      require(
        record.isKept == (value(of: place) != monoid.identity),
        "PlaceTotals: place \(place) is kept for nothing, or not kept.")
      require(
        record.parent < 0 || record.isKept || record.level >= 0,
        "PlaceTotals: place \(place) leads to nothing that has a value.")
    }
    require(
      sums.count - freeSums.count == entries.count { $0.sum >= 0 },
      "PlaceTotals: a sum belongs to no place.")
  }
}

/// Where the total of a place is.
private struct PlaceTotal {
  /// The slot of the total among those below the parent; negative where the total is the identity, and at the root.
  var slot: Int32 = -1
  /// The number of the sum of the place; negative where no totals are below: the total is the place's own value.
  var sum: Int32 = -1
}
