@testable import Assemblage
import AssemblageTesting
import TestSupport
import Testing

@Suite struct RecencyListTests {
  @Test func randomTouches() throws {
    for iteration in 0..<TestSeed.iterations(50) {
      var generator = TestSeed.generator("recency", iteration: iteration)
      var list = RecencyList<Int>()
      var model: [Int] = []
      for _ in 0..<TestSeed.length(300) {
        let number = Int.random(in: 0..<12, using: &generator)
        if generator.chance(2, in: 3) {
          list.touch(number)
          model.removeAll { $0 == number }
          model.append(number)
        } else if generator.chance(1, in: 10) {
          let oldest = model.first
          try #require(list.popOldest() == oldest)
          model.removeAll { $0 == oldest }
        } else if generator.chance(1, in: 30) {
          list.removeAll()
          model = []
        } else {
          list.remove(number)
          model.removeAll { $0 == number }
        }
        try #require(list.count == model.count && list.contains(number) == model.contains(number))
        var order: [Int] = []
        #expect(
          list.newest {
            order.append($0); return false
          } == nil)
        try #require(order == model.reversed())
        order = []
        #expect(
          list.oldest {
            order.append($0); return false
          } == nil)
        try #require(order == model)
        try #require(list.newest { $0 % 3 == 0 } == model.last { $0 % 3 == 0 })
        try #require(list.oldest { $0 % 3 == 0 } == model.first { $0 % 3 == 0 })
      }
    }
  }
}
