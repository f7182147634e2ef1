import OffsetIndexing
import TestSupport
import Testing

/// Sequences over the handles of another sequence: handles are taken out, put back, and built in any order.
@Suite struct OrderIndexLendingTests: MisuseSuite {
  @Test(arguments: [0, 1, 2, 29, 30, 31, 32, 900, 5_000])
  func aSequenceIsBuiltInAnyOrder(count: Int) {
    var generator = TestSeed.generator("order-lending/build/\(count)")
    let numbers = (0..<count).map(Int32.init).shuffled(using: &generator)
    let order = OrderIndex(numbers: numbers)
    order.checkInvariants()
    #expect(order.map(\.number) == numbers.map(Int.init) && order.handleLimit == count)
    #expect(numbers.indices.allSatisfy { order.position(of: .init(number: Int(numbers[$0]))) == $0 })
  }

  /// Random edits of a giver, and of a borrower that has the giver's handles in another order.
  @Test func theBorrowerHoldsTheGiversHandles() {
    for iteration in 0..<TestSeed.iterations(20) {
      var generator = TestSeed.generator("order-lending/script", iteration: iteration)
      let count = Int.random(in: 0...200, using: &generator)
      var model = (0..<count).shuffled(using: &generator)
      var giver = OrderIndex(count: count)
      var borrower = OrderIndex(numbers: model.map(Int32.init))
      for _ in 0..<TestSeed.length(200) {
        if !model.isEmpty, Bool.random(using: &generator) {
          let handle = giver.remove(at: Int.random(in: 0..<giver.count, using: &generator))
          borrower.takeOut(handle)
          model.remove(at: model.firstIndex(of: handle.number)!)
          #expect(!borrower.contains(handle))
        } else {
          let handle = giver.insert(at: Int.random(in: 0...giver.count, using: &generator))
          let place = Int.random(in: 0...model.count, using: &generator)
          borrower.put(handle, at: place)
          model.insert(handle.number, at: place)
        }
        borrower.checkInvariants()
        #expect(borrower.map(\.number) == model)
      }
      // A copy keeps the handles that are taken out.
      let copy = borrower
      borrower.put(giver.insert(at: 0), at: 0)
      copy.checkInvariants()
      #expect(copy.map(\.number) == model)
    }
  }

  /// The handle found is a multiple of a power of two in the range. No other multiple in the same leaf is nearer to the
  /// position.
  @Test(arguments: [1, 2, 4, 8, 64]) func aHandleNearAPosition(power: Int) {
    for iteration in 0..<TestSeed.iterations(40) {
      var generator = TestSeed.generator("order-lending/near/\(power)", iteration: iteration)
      let numbers = (0..<Int.random(in: 1...400, using: &generator)).map(Int32.init).shuffled(using: &generator)
      var order = OrderIndex(numbers: numbers)
      for _ in 0..<Int.random(in: 0..<numbers.count, using: &generator) {
        order.takeOut(order[Int.random(in: 0..<order.count, using: &generator)])
      }
      for _ in 0..<40 {
        let position = Int.random(in: 0..<order.count, using: &generator)
        let range =
          Int.random(
            in: 0...position, using: &generator)..<Int.random(in: position + 1...order.count, using: &generator)
        let found = order.handle(near: position, in: range, multipleOf: power)
        #expect(range.contains(found.position) && order[found.position].number == found.number)
        if found.number % power == 0 {
          let distance = abs(found.position - position)
          let nearer = range.filter { abs($0 - position) < distance && order[$0].number % power == 0 }
          // Nearer multiples may be in another leaf. Then all of them are on one side, beyond this leaf.
          #expect(nearer.allSatisfy { ($0 < position) != (found.position < position) })
        } else {
          #expect(found.position == position)
        }
      }
    }
  }

  /// A handle may be beyond all handles that the sequence ever had. The handles between them are then taken out.
  @Test func aHandleFarBeyondIsPut() {
    var order = OrderIndex()
    order.put(.init(number: 100), at: 0)
    order.put(.init(number: 7), at: 0)
    order.checkInvariants()
    #expect(order.map(\.number) == [7, 100] && order.handleLimit == 101)
    order.takeOut(.init(number: 100))
    order.put(.init(number: 100), at: 0)
    #expect(order.map(\.number) == [100, 7])
  }

  static let misuses = [
    Misuse("The handle 1 cannot be put: it is in the order index, or a handle of that has been freed.") {
      var order = OrderIndex(count: 2)
      order.put(.init(number: 1), at: 0)
    },
    Misuse("The handle 5 cannot be put:") {
      var order = OrderIndex(count: 2)
      order.remove(at: 0)
      order.put(.init(number: 5), at: 0)
    },
    Misuse("The handle 2 is not in the order index.") {
      var order = OrderIndex(count: 2)
      order.takeOut(.init(number: 2))
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
