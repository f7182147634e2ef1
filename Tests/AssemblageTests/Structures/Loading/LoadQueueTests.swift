@testable import Assemblage
import AssemblageTesting
import TestSupport
import Testing

@Suite struct LoadQueueTests {
  @Test func turns() {
    var queue = LoadQueue<Int>(limit: 10)
    queue.append(0, .again)
    queue.append(1, .new)
    queue.append(2, .again)
    queue.append(3, .new)
    queue.append(4, .new)
    queue.prefer(2)
    queue.prefer(4)
    queue.remove(3)
    #expect(queue.isWaiting(0) && !queue.isWaiting(3))
    #expect((0..<5).map { _ in queue.begin() } == [4, 2, 1, 0, nil])
    #expect(queue.runningCount == 4)
    queue.prefer(0)
    #expect(queue.begin() == nil)
  }

  @Test func theBoundHolds() {
    var queue = LoadQueue<Int>(limit: 2)
    for number in 0..<4 { queue.append(number, .new) }
    #expect((0..<3).map { _ in queue.begin() } == [0, 1, nil])
    // A load that is dropped while it runs counts until it has returned.
    queue.remove(0)
    #expect(queue.begin() == nil)
    queue.end()
    #expect(queue.begin() == 2)
    #expect(queue.begin() == nil)
  }

  @Test func aLoadKeepsItsPlaceAmongTheNextOnes() {
    var queue = LoadQueue<Int>(limit: 1)
    for number in 0..<3 { queue.append(number, .next) }
    #expect(queue.begin() == 2)
    queue.prefer(0)
    #expect(queue.oldestNext { _ in true } == 1)
    queue.end()
    // Load 2 waits again, behind load 0, which was requested after it.
    queue.append(2, .next)
    #expect(queue.begin() == 0)
    queue.end()
    queue.remove(0)
    #expect(queue.begin() == 2)
    queue.end()
    queue.append(2, .again)
    #expect(queue.begin() == 1)
  }

  @Test func randomTurns() throws {
    for iteration in 0..<TestSeed.iterations(100) {
      var generator = TestSeed.generator("load queue", iteration: iteration)
      let limit = Int.random(in: 1...4, using: &generator)
      var queue = LoadQueue<Int>(limit: limit)
      // The next loads are in the order of their last requests, including running ones. The other loads are listed only
      // while they wait.
      var (next, new, again): ([Int], [Int], [Int]) = ([], [], [])
      var waiting: Set<Int> = []
      var running = 0
      for number in 0..<TestSeed.length(200) {
        let other = Int.random(in: 0...number, using: &generator)
        switch Int.random(in: 0..<7, using: &generator) {
        case 0, 1:
          waiting.insert(number)
          switch Int.random(in: 0..<3, using: &generator) {
          case 0:
            queue.append(number, .next)
            next.append(number)
          case 1:
            queue.append(number, .new)
            new.append(number)
          default:
            queue.append(number, .again)
            again.append(number)
          }
        case 2:
          queue.prefer(other)
          guard (next + new + again).contains(other) else { continue }
          next = next.filter { $0 != other } + [other]
          new.removeAll { $0 == other }
          again.removeAll { $0 == other }
        case 3:
          queue.remove(other)
          waiting.remove(other)
          next.removeAll { $0 == other }
          new.removeAll { $0 == other }
          again.removeAll { $0 == other }
        case 4:
          guard next.contains(other), !waiting.contains(other) else { continue }
          queue.append(other, .next)
          waiting.insert(other)
        case 5:
          let first = running < limit ? next.last { waiting.contains($0) } ?? new.first ?? again.first : nil
          try #require(queue.begin() == first)
          guard let first else { continue }
          running += 1
          waiting.remove(first)
          new.removeAll { $0 == first }
          again.removeAll { $0 == first }
        default:
          guard running > 0 else { continue }
          queue.end()
          running -= 1
        }
        try #require(queue.runningCount == running)
        try #require(queue.isWaiting(other) == waiting.contains(other))
        try #require(queue.oldestNext { $0 % 2 == 0 } == next.first { $0 % 2 == 0 })
      }
    }
  }
}
