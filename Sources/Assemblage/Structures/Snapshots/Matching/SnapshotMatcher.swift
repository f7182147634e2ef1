/// Decides which places of two trees are the same.
///
/// From the roots down, the children of each matched pair are matched by their ids, as far as both have these ids. The
/// places that are left are matched across parents, level by level. After each such match, the children of the new pair
/// are matched among themselves first. If no id occurs twice, the order does not matter. Otherwise places stay below
/// their parent where they can.
@usableFromInline
struct SnapshotMatcher {
  /// The first child of each place, and the number of places.
  let oldStarts: [Int]
  let newStarts: [Int]
  /// For each place after the change, its place before the change; -1: it arrived.
  @usableFromInline private(set) var origins: [Int]
  /// For each place after the change, whether it survived and was updated.
  @usableFromInline var isUpdated: [Bool]

  private let classes: PlaceClasses
  /// For each place before the change, whether it survives.
  private var isTaken: [Bool]
  /// Matched places after the change, whose children are to be matched.
  private var pairs = [0]
  /// For the present pair, the next old child of each class, by class; valid where `owner` is the pair.
  private var heads: [Int]
  private var owner: [Int]
  /// For each old child, the next sibling of the same class.
  private var nextSiblings: [Int]

  @usableFromInline
  init(old: [Int], new: [Int], classes: PlaceClasses) {
    oldStarts = old
    newStarts = new
    self.classes = classes
    origins = [Int](repeating: -1, count: new.count - 1)
    isUpdated = [Bool](repeating: false, count: new.count - 1)
    isTaken = [Bool](repeating: false, count: old.count - 1)
    heads = [Int](repeating: -1, count: old.count - 1)
    owner = [Int](repeating: -1, count: old.count - 1)
    nextSiblings = [Int](repeating: -1, count: old.count - 1)
    origins[0] = 0
    isTaken[0] = true
  }

  /// Matches the places of two trees.
  ///
  /// - Parameters:
  ///   - old: the tree before the change.
  ///   - new: the tree after it.
  ///   - id: returns the id of a value. It is called once for each value.
  /// - Complexity: expected O(p) for p places in both.
  @inlinable
  init<Element, ID: Hashable>(
    _ old: SnapshotLevels<Element>, _ new: SnapshotLevels<Element>, by id: (Element) throws -> ID
  ) rethrows {
    self.init(old: old.starts, new: new.starts, classes: try PlaceClasses(old, new, by: id))
    run()
  }

  /// Matches all places.
  ///
  /// - Complexity: O(p) for p places.
  @usableFromInline
  mutating func run() {
    matchPairs()
    // The places of each class that are left, as chains in order. The search in a chain begins where the last one
    // ended.
    var next = [Int](repeating: -1, count: classes.old.count)
    var last = [Int](repeating: -1, count: classes.old.count)
    var first = [Int](repeating: -1, count: classes.old.count)
    for place in classes.old.indices.dropFirst() where !isTaken[place] {
      let number = classes.old[place]
      if first[number] < 0 { first[number] = place } else { next[last[number]] = place }
      last[number] = place
    }
    for place in classes.new.indices.dropFirst() where origins[place] < 0 && classes.new[place] > 0 {
      let number = classes.new[place]
      while first[number] >= 0 && isTaken[first[number]] { first[number] = next[first[number]] }
      if first[number] < 0 { continue }
      match(first[number], place)
      matchPairs()
    }
  }

  private mutating func match(_ old: Int, _ new: Int) {
    origins[new] = old
    isTaken[old] = true
    if newStarts[new] < newStarts[new + 1] && oldStarts[old] < oldStarts[old + 1] { pairs.append(new) }
  }

  /// Matches the children of all pairs, and then the children of the pairs that this adds.
  private mutating func matchPairs() {
    var index = 0
    while index < pairs.count {
      matchChildren(of: pairs[index])
      index += 1
    }
    pairs.removeAll(keepingCapacity: true)
  }

  private mutating func matchChildren(of pair: Int) {
    var old = oldStarts[origins[pair]]..<oldStarts[origins[pair] + 1]
    var new = newStarts[pair]..<newStarts[pair + 1]
    // Equal children at the start need no chains.
    while let before = old.first, let after = new.first, classes.old[before] == classes.new[after],
      !isTaken[before], origins[after] < 0
    {
      match(before, after)
      old = (before + 1)..<old.upperBound
      new = (after + 1)..<new.upperBound
    }
    if old.isEmpty || new.isEmpty { return }
    for child in old.reversed() where !isTaken[child] {
      let number = classes.old[child]
      nextSiblings[child] = owner[number] == pair ? heads[number] : -1
      heads[number] = child
      owner[number] = pair
    }
    for child in new where origins[child] < 0 && classes.new[child] >= 0 {
      let number = classes.new[child]
      guard owner[number] == pair, heads[number] >= 0 else { continue }
      let origin = heads[number]
      heads[number] = nextSiblings[origin]
      match(origin, child)
    }
  }
}

/// Numbers the ids of two trees' places: equal ids have equal numbers.
@usableFromInline
struct PlaceClasses {
  /// For each place before the change, the first place with the same id; 0: the place has no value.
  @usableFromInline var old: [Int]
  /// For each place after the change, the first place before the change with the same id; 0: the place has no value;
  /// -1: the id is new.
  @usableFromInline var new: [Int]

  @inlinable
  init<Element, ID: Hashable>(
    _ old: SnapshotLevels<Element>, _ new: SnapshotLevels<Element>, by id: (Element) throws -> ID
  ) rethrows {
    self.old = [Int](repeating: 0, count: old.values.count)
    self.new = [Int](repeating: 0, count: new.values.count)

    // The two roots always match: they need no id.
    var places: [Int] = []
    var ids: [ID] = []
    places.reserveCapacity(old.values.count)
    ids.reserveCapacity(old.values.count)
    for place in old.values.indices.dropFirst() {
      guard let value = old.values[place] else { continue }
      places.append(place)
      ids.append(try id(value))
    }
    let table = IdentityTable(ids)
    var firsts = places
    for position in places.indices {
      self.old[places[position]] = firsts[position]
      if !table.next.isEmpty, table.next[position] != IdentityTable<ID>.free {
        firsts[Int(table.next[position])] = firsts[position]
      }
    }

    var expected = 0
    for place in new.values.indices.dropFirst() {
      guard let value = new.values[place] else { continue }
      let position = table.first(try id(value), near: expected)
      self.new[place] = position < 0 ? -1 : firsts[position]
      if position >= 0 { expected = position + 1 }
    }
  }
}
