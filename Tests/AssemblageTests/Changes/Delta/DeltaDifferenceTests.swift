import Assemblage
import TestSupport
import Testing

@Suite struct DeltaDifferenceTests {
  struct Item: Hashable {
    var id: Int
    var version: Int
  }

  /// Returns a fault of a difference, found from the elements alone, or nil.
  private func flaw(_ delta: Delta, _ old: [Item], _ new: [Item]) -> String? {
    let model = DeltaModel(delta, oldCount: old.count)
    guard model.newCount == new.count else { return "\(model.newCount) elements, not \(new.count)" }
    var lastOrigin: [Int: Int] = [:]
    var survivors: [Int: Int] = [:]
    for (position, origin) in model.origins.enumerated() {
      guard let origin else { continue }
      let id = old[origin].id
      if id != new[position].id { return "\(origin) became \(position), which is another" }
      if model.isUpdated[position] != (old[origin] != new[position]) { return "the update of \(position)" }
      if lastOrigin[id, default: -1] > origin { return "the ids \(id) are not matched in order" }
      lastOrigin[id] = origin
      survivors[id, default: 0] += 1
    }
    let before = Dictionary(grouping: old, by: \.id)
    let after = Dictionary(grouping: new, by: \.id)
    for (id, items) in before where survivors[id, default: 0] != min(items.count, after[id]?.count ?? 0) {
      return "\(survivors[id, default: 0]) of the ids \(id) survive"
    }
    let moved = delta.moves.reduce(0) { $0 + $1.source.count }
    let fewest = fewestMoved(model)
    if moved != fewest { return "\(moved) moves, not \(fewest)" }
    if delta.applying(to: old, new: { new[$0] }) != new { return "it does not lead to the new elements" }
    return nil
  }

  /// Returns the number of survivors outside a longest increasing subsequence, found by patience sorting.
  private func fewestMoved(_ model: DeltaModel) -> Int {
    var piles: [Int] = []
    var survivors = 0
    for case let origin? in model.origins {
      survivors += 1
      var (low, high) = (0, piles.count)
      while low < high {
        let middle = (low + high) / 2
        if piles[middle] < origin { low = middle + 1 } else { high = middle }
      }
      if low == piles.count { piles.append(origin) } else { piles[low] = origin }
    }
    return survivors - piles.count
  }

  private func check(_ old: [Item], _ new: [Item]) {
    let delta = Delta(from: old, to: new, id: \.id)
    #expect(flaw(delta, old, new) == nil, "\(delta)")
    let model = DeltaModel(delta, oldCount: old.count)
    #expect(delta == model.delta)
    #expect(model.fewestMoved == fewestMoved(model))
  }

  /// Every pair of sequences over three ids, up to length 5. Most have duplicates, and every second new element has
  /// changed.
  ///
  /// The names of the ids do not matter. So only old sequences are used in which new ids appear in ascending order.
  @Test func allShortSequences() {
    let sequences = Exhaustive.vectors(over: [0, 1, 2], upTo: 5)
    let news = sequences.map { $0.enumerated().map { Item(id: $1, version: $0 % 2) } }
    var pairs = 0
    for ids in sequences {
      var fresh = 0
      let isFirst = ids.allSatisfy { id in
        if id == fresh { fresh += 1 }
        return id < fresh
      }
      if !isFirst { continue }
      let old = ids.map { Item(id: $0, version: 0) }
      for new in news {
        pairs += 1
        let delta = Delta(from: old, to: new, id: \.id)
        if let flaw = flaw(delta, old, new) { Issue.record("\(old) → \(new): \(flaw) in \(delta)") }
      }
    }
    #expect(pairs == 64 * 364)
  }

  @Test func allPermutationsOfSix() {
    let old = (0..<6).map { Item(id: $0, version: 0) }
    for order in Exhaustive.permutations(of: 6) { check(old, order.map { old[$0] }) }
  }

  @Test func randomSequences() {
    for iteration in 0..<TestSeed.iterations(150) {
      var generator = TestSeed.generator("delta/difference", iteration: iteration)
      let ids = [3, 20, 1_000].randomElement(using: &generator)!
      func sequence() -> [Item] {
        (0..<Int.random(in: 0...40, using: &generator)).map { _ in
          Item(id: Int.random(in: 0..<ids, using: &generator), version: 0)
        }
      }
      let old = sequence()
      var new = iteration % 3 == 0 ? sequence() : old
      for _ in 0..<Int.random(in: 0...6, using: &generator) where !new.isEmpty {
        let position = new.indices.randomElement(using: &generator)!
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: new.remove(at: position)
        case 1: new.insert(Item(id: Int.random(in: 0..<ids, using: &generator), version: 0), at: position)
        case 2: new[position].version += 1
        default: new.insert(new.remove(at: position), at: new.indices.randomElement(using: &generator) ?? 0)
        }
      }
      check(old, new)
    }
  }

  /// Long sequences with blocks that move, are reversed, leave and arrive. They have few duplicates, many, or none.
  @Test func randomLongSequences() throws {
    var tally = OperationTally(kinds: ["remove", "insert", "update", "move", "reverse", "repeat"])
    for iteration in 0..<TestSeed.iterations(12) {
      var generator = TestSeed.generator("delta/difference/long", iteration: iteration)
      let count = Int.random(in: 500...3_000, using: &generator)
      var fresh = count
      let old = (0..<count).map { position in
        Item(id: iteration % 3 == 0 ? position / 2 : iteration % 3 == 1 ? position % 7 : position, version: 0)
      }
      var new = old
      for _ in 0..<TestSeed.length(40) {
        let range = generator.range(in: new.count, longest: 30)
        if range.isEmpty { continue }
        let kind = tally.random(using: &generator)
        switch kind {
        case "remove": new.removeSubrange(range)
        case "insert":
          new.insert(
            contentsOf: range.map { _ in
              fresh += 1
              return Item(id: fresh, version: 0)
            }, at: range.lowerBound)
        case "update": for position in range { new[position].version += 1 }
        case "move":
          let moved = Array(new[range])
          new.removeSubrange(range)
          new.insert(contentsOf: moved, at: Int.random(in: 0...new.count, using: &generator))
        case "reverse": new[range].reverse()
        default: new.insert(contentsOf: Array(new[range]), at: Int.random(in: 0...new.count, using: &generator))
        }
        tally.count(kind)
      }
      let delta = Delta(from: old, to: new, id: \.id)
      #expect(flaw(delta, old, new) == nil)
      let back = Delta(from: new, to: old, id: \.id)
      #expect(flaw(back, new, old) == nil)
    }
    try tally.check()
  }

  /// Ids whose hashes all collide need more time, and give the same result.
  @Test func badHashesOnlyTakeTime() {
    struct Colliding: Hashable {
      var number: Int
      func hash(into hasher: inout Hasher) { hasher.combine(number % 2) }
    }
    for iteration in 0..<TestSeed.iterations(20) {
      var generator = TestSeed.generator("delta/difference/collisions", iteration: iteration)
      func sequence() -> [Item] {
        (0..<40).map { _ in Item(id: Int.random(in: 0..<60, using: &generator), version: 0) }
      }
      let (old, new) = (sequence(), sequence())
      let delta = Delta(from: old, to: new, id: { Colliding(number: $0.id) })
      #expect(delta == Delta(from: old, to: new, id: \.id))
    }
  }

  @Test func elementsMayBeTheirOwnIds() {
    #expect(
      Delta(from: "abc", to: "caX")
        == Delta(
          removals: [1..<2], insertions: [2..<3], moves: [Delta.Move(from: 2..<3, to: 0..<1)]))
    #expect(Delta(from: [1, 2, 3], to: [1, 2, 3]).isEmpty)
    #expect(Delta(from: [], to: [1, 2]) == .insertion(0..<2))
    #expect(Delta(from: [1, 2], to: EmptyCollection()) == .removal(0..<2))
  }

  @Test func whatEqualMeansCanBeSaid() {
    let delta = Delta(from: [("a", 1), ("b", 2)], to: [("b", 2), ("a", 3)], id: { $0.0 }) { $0.1 == $1.1 }
    #expect(delta.updates == [1..<2])
    #expect(delta.moves.count == 1)
  }

  @Test func idsAreAskedForAFewTimesEach() {
    var calls = 0
    var comparisons = 0
    let old = Array(0..<1_000)
    _ = Delta(
      from: old, to: old.reversed(),
      id: {
        calls += 1
        return $0
      },
      areEqual: {
        comparisons += 1
        return $0 == $1
      })
    #expect(calls <= 2_004)
    #expect(comparisons == 1_000)
  }

  /// Reversed, replaced and repeated elements do not need quadratic time.
  @Test func nothingIsQuadratic() {
    let count = 200_000
    let old = Array(0..<count)
    #expect(Delta(from: old, to: old.reversed()).moves.count == count - 1)
    #expect(Delta(from: old, to: (count..<2 * count)).removals == [0..<count])
    let same = Array(repeating: 7, count: count)
    #expect(Delta(from: same, to: [1] + same.dropLast(2) + [2]).insertions == [0..<1, (count - 1)..<count])
  }

  @Test func anErrorOfAClosureIsPassedOn() {
    struct Refused: Error {}
    #expect(throws: Refused.self) {
      try Delta(from: [1, 2], to: [2, 1], id: { if $0 == 1 { throw Refused() } else { $0 } })
    }
  }
}
