@testable import Assemblage
import AssemblageTesting
import Testing

/// The order in which a graph's nodes translate, and the heap that keeps the order.
@Suite struct LevelsTests {
  @Test func everySourceIsLowerThanItsDependents() {
    for iteration in 0..<TestSeed.iterations(50) {
      var random = TestSeed.generator("levels/links", iteration: iteration)
      let hubs = (0..<20).map { _ in NodeHub() }
      // The hubs in a random order: later hubs may depend on earlier ones.
      let order = hubs.indices.shuffled(using: &random)
      var links: [(source: Int, dependent: Int)] = []
      for _ in 0..<60 {
        let pair = [Int.random(in: 0..<20, using: &random), Int.random(in: 0..<20, using: &random)].sorted()
        guard pair[0] < pair[1] else { continue }
        let link = (source: order[pair[0]], dependent: order[pair[1]])
        Levels.order(hubs[link.source], before: hubs[link.dependent])
        let slot = hubs[link.dependent].state.value.sources.count
        hubs[link.dependent].state.value.sources.append(hubs[link.source].append(hubs[link.dependent], slot: slot))
        links.append(link)
        #expect(links.allSatisfy { hubs[$0.source].level < hubs[$0.dependent].level }, "seed \(TestSeed.seed)")
      }
      for hub in hubs { hub.unlinkAll() }
    }
  }

  @Test(arguments: [LevelHeap.Order.lowestFirst, .highestFirst]) func theHeapSorts(_ order: LevelHeap.Order) {
    var random = TestSeed.generator("levels/heap")
    var heap = LevelHeap(order: order)
    #expect(heap.isEmpty && heap.pop() == nil)
    var levels: [Int] = []
    for _ in 0..<100 {
      let hub = NodeHub()
      hub.level = Int.random(in: -20...20, using: &random)
      levels.append(hub.level)
      heap.push(hub)
    }
    var popped: [Int] = []
    while let hub = heap.pop() { popped.append(hub.level) }
    #expect(popped == (order == .lowestFirst ? levels.sorted(by: <) : levels.sorted(by: >)))
    #expect(heap.isEmpty)
  }
}
