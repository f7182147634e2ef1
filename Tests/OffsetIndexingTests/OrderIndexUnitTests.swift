import OffsetIndexing
import TestSupport
import Testing

/// Cases that the scripts of `OrderIndexTests` don't reach: conformances, sizes, traps.
@Suite struct OrderIndexUnitTests: MisuseSuite {
  @Test func theExamplesOfTheDocumentationHold() {
    var order = OrderIndex(count: 3)
    let middle = order[1]
    order.insert(at: 0)
    #expect(order.position(of: middle) == 2)
    order.move(from: 2, to: 0)
    #expect(order.position(of: middle) == 0)
    var two = OrderIndex(count: 2)
    #expect(two.insert(at: 1).number == 2)
    let removed = two.remove(at: 0)
    #expect(!two.contains(removed))
    #expect(two.append() == removed)
    var four = OrderIndex(count: 4)
    four.removeSubrange(1..<3)
    #expect(four.map(\.number) == [0, 3])
    #expect(four.insert(count: 3, at: 1).map(\.number) == [1, 2, 4])
    var turning = OrderIndex(count: 3)
    let names = ["a", "b", "c"]
    let first = turning[0]
    turning.move(from: 0, to: 2)
    #expect(turning.map { names[$0.number] } == ["b", "c", "a"])
    #expect(names[first.number] == "a")
  }

  @Test func equalityIsThatOfTheOrderAndNotOfTheShape() {
    let built = OrderIndex(count: 500)
    var grown = OrderIndex(leafCapacity: 3, fanOut: 3)
    for _ in 0..<500 { grown.append() }
    #expect(built == grown)
    grown.move(from: 10, to: 400)
    #expect(built != grown)
    grown.move(from: 400, to: 10)
    #expect(built == grown)
    grown.remove(at: 499)
    #expect(built != grown)
  }

  @Test func theDescriptionIsShortAndTheShapeIsNot() {
    #expect("\(OrderIndex(count: 2))" == "OrderIndex(0, 1)")
    #expect("\(OrderIndex(count: 100))".hasSuffix(" 31, … 100 handles)"))
    #expect("\(OrderIndex(count: 1)[0])" == "#0")
    #expect(OrderIndex(count: 100).debugShape.contains("height 1, 4 leaves"))
  }

  @Test func aHandleTakesAtMostTwentyFourBytesHoweverItIsMoved() {
    var order = OrderIndex(count: 1000)
    #expect(order.byteCount < 10 * order.count)
    var random = TestSeed.generator("OrderIndexUnitTests/memory")
    for _ in 0..<3000 {
      order.move(from: .random(in: 0..<1000, using: &random), to: .random(in: 0..<1000, using: &random))
    }
    #expect(order.byteCount <= 24 * order.count)
    order.checkInvariants()
  }

  @Test func numbersStayDense() {
    var order = OrderIndex()
    var random = TestSeed.generator("OrderIndexUnitTests/dense")
    for _ in 0..<3000 {
      if order.count < 100 && Bool.random(using: &random) || order.isEmpty {
        order.insert(at: .random(in: 0...order.count, using: &random))
      } else {
        order.remove(at: .random(in: 0..<order.count, using: &random))
      }
    }
    #expect(order.allSatisfy { $0.number < 100 })
    order.checkInvariants()
  }

  static let misuses = [
    Misuse("position 2 is out of range 0..<2") { _ = OrderIndex(count: 2)[2] },
    Misuse("position 3 is out of range 0...2") {
      var order = OrderIndex(count: 2)
      order.insert(at: 3)
    },
    Misuse("position -1 is out of range 0..<2") {
      var order = OrderIndex(count: 2)
      order.remove(at: -1)
    },
    Misuse("position 2 is out of range 0..<2") {
      var order = OrderIndex(count: 2)
      order.move(from: 0, to: 2)
    },
    Misuse("range 1..<3 is out of range 0..<2") {
      var order = OrderIndex(count: 2)
      order.removeSubrange(1..<3)
    },
    Misuse("handle 1 is not in the order index") {
      var order = OrderIndex(count: 2)
      let handle = order.remove(at: 1)
      _ = order.position(of: handle)
    },
    Misuse("handle -1 is not in the order index") {
      _ = OrderIndex(count: 2).position(of: OrderIndex.Handle(number: -1))
    },
    Misuse("cannot make or insert -1 handles") { _ = OrderIndex(count: -1) },
    Misuse("at most 1073741824 handles fit in one index") { _ = OrderIndex(count: 1 << 31) },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
