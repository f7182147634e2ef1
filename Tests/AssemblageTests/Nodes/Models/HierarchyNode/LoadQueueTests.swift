@testable import Assemblage
import AssemblageTesting
import TestSupport
import Testing

@Suite struct LoadQueueTests {
  @Test func turns() {
    var queue = LoadQueue(limit: 10)
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
    var queue = LoadQueue(limit: 2)
    for number in 0..<4 { queue.append(number, .new) }
    #expect((0..<3).map { _ in queue.begin() } == [0, 1, nil])
    // What is dropped while it runs counts until it has returned.
    queue.remove(0)
    #expect(queue.begin() == nil)
    queue.end()
    #expect(queue.begin() == 2)
    #expect(queue.begin() == nil)
  }

  @Test func randomTurns() throws {
    for iteration in 0..<TestSeed.iterations(100) {
      var generator = TestSeed.generator("load queue", iteration: iteration)
      let limit = Int.random(in: 1...4, using: &generator)
      var queue = LoadQueue(limit: limit)
      var (preferred, new, again): ([Int], [Int], [Int]) = ([], [], [])
      var running = 0
      for number in 0..<TestSeed.length(200) {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0, 1:
          let isNew = generator.chance(1, in: 2)
          queue.append(number, isNew ? .new : .again)
          if isNew { new.append(number) } else { again.append(number) }
        case 2:
          let other = Int.random(in: 0...number, using: &generator)
          queue.prefer(other)
          if (preferred + new + again).contains(other) { preferred = preferred.filter { $0 != other } + [other] }
        case 3:
          let other = Int.random(in: 0...number, using: &generator)
          queue.remove(other)
          preferred.removeAll { $0 == other }
          new.removeAll { $0 == other }
          again.removeAll { $0 == other }
        case 4:
          let next = running < limit ? preferred.last ?? new.first ?? again.first : nil
          try #require(queue.begin() == next)
          guard let next else { continue }
          running += 1
          preferred.removeAll { $0 == next }
          new.removeAll { $0 == next }
          again.removeAll { $0 == next }
        default:
          guard running > 0 else { continue }
          queue.end()
          running -= 1
        }
        try #require(queue.runningCount == running)
        try #require(queue.isWaiting(number) == (new + again).contains(number))
      }
    }
  }
}
