@testable import Assemblage
import AssemblageTesting
import Testing

/// `SiblingOrder` compared with a `SortTranslation`, below and above the number of children for which an array has
/// room.
@Suite struct SiblingOrderTests {
  /// Returns stably sorted positions.
  private static func sorted(_ keys: [Int]) -> [Int] { keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) } }

  private static func keys(_ count: Int, _ generator: inout some RandomNumberGenerator) -> [Int] {
    (0..<count).map { _ in Int.random(in: 0..<count / 2 + 1, using: &generator) }
  }

  private static func isOrder(_ order: SiblingOrder, _ sources: [Int]) -> Bool {
    order.count == sources.count && order.sources(in: 0..<sources.count) == sources
      && sources.enumerated().allSatisfy {
        order.sourcePosition(of: $0) == $1 && order.sortedPosition(of: $1) == $0
      }
  }

  /// Returns whether both report the same for a change that leads to other keys.
  private static func check(_ delta: Delta, _ former: [Int], _ present: [Int]) -> Bool {
    var order = SiblingOrder(sorted(former))
    var translation = SortTranslation(count: former.count, sources: sorted(former))
    var calls = 0
    let precedes: (Int, Int) -> Bool = {
      calls += 1
      return present[$0] < present[$1]
    }
    let plan = order.plan(
      delta, sort: { SortTranslation.sorted($0, precedes) },
      place: { SortTranslation.place($0, precedes, $1) })
    let result = order.rearrange(delta, plan)
    let known = translation.plan(delta) { present[$0] < present[$1] }
    let changeCount = delta.insertions.count + delta.removals.count
    return result == translation.translate(ChangeSet(delta), known).level && isOrder(order, sorted(present))
      && (changeCount != 1 || delta.countChange.magnitude != 1 || calls <= 8)
  }

  @Test(arguments: [0, 1, 2, 7, 16, 30, 31, 32, 33, 34, 40]) func everyChangeOfOneChild(_ count: Int) {
    var generator = TestSeed.generator("sibling-order/single", iteration: count)
    for _ in 0..<8 {
      let former = Self.keys(count, &generator)
      for position in 0...count {
        for key in [-1, 0, count / 4, count] {
          var present = former
          present.insert(key, at: position)
          #expect(Self.check(.insertion(position..<position + 1), former, present), "\(former) \(position) \(key)")
        }
        if position == count { continue }
        var present = former
        present.remove(at: position)
        #expect(Self.check(.removal(position..<position + 1), former, present), "\(former) \(position)")
        present = former
        present[position] = Int.random(in: -1...count, using: &generator)
        #expect(Self.check(.update(position..<position + 1), former, present), "\(former) \(position) \(present)")
      }
    }
  }

  @Test(arguments: [1, 3, 16, 31, 32, 33, 50]) func severalAtOnce(_ count: Int) {
    var generator = TestSeed.generator("sibling-order/several", iteration: count)
    for _ in 0..<200 {
      let former = Self.keys(count, &generator)
      let start = Int.random(in: 0...count, using: &generator)
      let end = Int.random(in: start...count, using: &generator)
      let new = Self.keys(Int.random(in: 1...4, using: &generator), &generator)
      var present = former
      present.replaceSubrange(start..<end, with: new)
      let delta = Delta(
        removals: start < end ? [start..<end] : [], insertions: [start..<start + new.count])
      #expect(Self.check(delta, former, present), "\(former) \(delta) \(present)")
    }
  }

  @Test(arguments: [0, 1, 2, 5, 16, 31, 32, 33, 50]) func anotherOrderIsTheFewestMoves(_ count: Int) {
    var generator = TestSeed.generator("sibling-order/reorder", iteration: count)
    for round in 0..<100 {
      let orders: [[Int]?] = (0..<2).map { _ in
        round % 3 == 0 && Bool.random(using: &generator) ? nil : Self.sorted(Self.keys(count, &generator))
      }
      let made = orders.map { $0.map { SiblingOrder($0) } ?? SiblingOrder(count: count) }
      var order = made[0]
      var translation = SortTranslation(count: count, sources: orders[0])
      let delta = order.reorder(to: made[1])
      #expect(delta == translation.reorder(orders[1]), "\(orders)")
      #expect(Self.isOrder(order, orders[1] ?? Array(0..<count)), "\(orders)")
    }
  }

  /// Without an order of its own, a node has its children in the source's order, whatever happens.
  @Test func theSourcesOwnOrderStays() {
    var order = SiblingOrder(count: 3)
    #expect(order.rearrange(.insertion(1..<3), nil) == .insertion(1..<3))
    #expect(Self.isOrder(order, [0, 1, 2, 3, 4]))
    #expect(order.rearrange(.removal(0..<1), nil) == .removal(0..<1))
    #expect(Self.isOrder(order, [0, 1, 2, 3]))
  }
}
