import Assemblage
import Testing

/// Bad input traps, with one sentence that says what was wrong.
@Suite struct DeltaFaultTests {
  /// In release builds the sentence is compiled away.
  private func check(_ result: ExitTest.Result?, says sentence: String) {
    #if DEBUG
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains(sentence), "\(text)")
    #endif
  }

  @Test func aPositionIsRemovedTwice() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Delta(removals: [0..<3, 2..<4])
    }
    check(result, says: "Delta: position 2 is removed twice, in 0..<3 and in 2..<4.")
  }

  @Test func aPositionIsInsertedTwice() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Delta(insertions: [4..<6, 5..<7])
    }
    check(result, says: "position 5 is inserted twice, in 4..<6 and in 5..<7")
  }

  @Test func anElementIsRemovedAndMoved() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Delta(removals: [0..<3], moves: [Delta.Move(from: 2..<4, to: 7..<9)])
    }
    check(result, says: "the elements at 2..<3 before the change are both removed and moved")
  }

  @Test func anElementIsInsertedAndMoved() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Delta(insertions: [7..<8], moves: [Delta.Move(from: 2..<4, to: 7..<9)])
    }
    check(result, says: "the elements at 7..<8 after the change are both inserted and moved")
  }

  @Test func anElementMovesTwice() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Delta(moves: [Delta.Move(from: 2..<4, to: 7..<9), Delta.Move(from: 3..<4, to: 1..<2)])
    }
    check(result, says: "position 3 is moved away twice, in 2..<4 and in 3..<4")
  }

  @Test func twoElementsMoveToOnePlace() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Delta(moves: [Delta.Move(from: 2..<3, to: 7..<8), Delta.Move(from: 3..<4, to: 7..<8)])
    }
    check(result, says: "position 7 is moved to twice, in 7..<8 and in 7..<8")
  }

  @Test func aMoveHasTwoLengths() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Delta.Move(from: 0..<2, to: 4..<5)
    }
    check(result, says: "a move from 0..<2 to 4..<5 has 2 elements before and 1 after")
  }

  @Test func aPositionIsNegative() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Delta.insertion(-1..<2)
    }
    check(result, says: "an inserted position is negative: -1..<2")
    await #expect(processExitsWith: .failure) { _ = Delta.removal(-1..<2) }
    await #expect(processExitsWith: .failure) { _ = Delta.update(-1..<2) }
    await #expect(processExitsWith: .failure) { _ = Delta.move(-1..<2, to: 1) }
    await #expect(processExitsWith: .failure) { _ = Delta.move(1..<2, to: -1) }
    await #expect(processExitsWith: .failure) { _ = Delta(updates: [-1..<2]) }
    await #expect(processExitsWith: .failure) { _ = Delta().position(after: -1) }
    await #expect(processExitsWith: .failure) { _ = Delta.PositionMap(Delta()).position(before: -1) }
  }

  @Test func aDeltaIsShiftedBelowZero() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Delta.removal(2..<4).shifted(by: -3)
    }
    check(result, says: "2..<4 shifted by -3 leaves the positions")
  }

  @Test func aPositionIsTooLarge() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Delta.removal(0..<Int.max)
    }
    check(result, says: "a removed position is beyond 2^62: 0..<9223372036854775807")
    await #expect(processExitsWith: .failure) { _ = Delta(insertions: [5..<Int.max]) }
    await #expect(processExitsWith: .failure) { _ = Delta.update(0..<1).shifted(by: Int.max - 1) }
    await #expect(processExitsWith: .failure) {
      var composer = DeltaComposer()
      for _ in 0..<2 { composer.append(.insertion(0..<(Int.max / 2))) }
      _ = composer.net()
    }
  }

  @Test func largePositionsCompose() {
    let large = Int.max / 2
    var composer = DeltaComposer()
    composer.append(.removal((large - 1)..<large))
    composer.append(.insertion(0..<1))
    composer.append(.update((large - 2)..<(large - 1)))
    let expected = Delta(
      removals: [(large - 1)..<large], insertions: [0..<1], updates: [(large - 2)..<(large - 1)])
    #expect(composer.net() == expected)
    #expect(expected.inverse().inverse() == expected)
    #expect(Delta.PositionMap(expected).position(after: large) == large)
  }

  @Test func aDeltaReachesBeyondTheElements() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Delta.removal(2..<4).applying(to: [1, 2, 3]) { $0 }
    }
    check(result, says: "Delta: a change that reaches to position 4 cannot be applied to 3 elements: [-2..<4].")
  }

  @Test func aBuilderKeepsAnElementTwice() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var builder = Delta.Builder()
      builder.keep(2..<5)
      builder.keep(0..<3)
      _ = builder.finish(preCount: 5)
    }
    check(result, says: "Delta.Builder: the element at 2 before the change is kept twice.")
  }

  @Test func aBuilderKeepsTooMany() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var builder = Delta.Builder()
      builder.keep(2..<5)
      _ = builder.finish(preCount: 4)
    }
    check(result, says: "the element at 4 before the change is kept, of 4")
  }

  @Test func aPartHasOtherCountsThanItsDelta() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var builder = Delta.Builder()
      builder.append(.insertion(0..<1), preStart: 0, preCount: 3, postCount: 3)
    }
    check(result, says: "a part with 3 elements before and 3 after cannot have changed by [+0]")
  }

  @Test func aChildHasTwoChanges() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let change = ChangeSet(.insertion(0..<1))
      _ = ChangeSet(delta: Delta(), children: [(1, change), (1, change)])
    }
    check(result, says: "ChangeSet: two changes of the child at 1.")
  }

  @Test func aChildsPositionIsNegative() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ChangeSet(.insertion(0..<1)).wrapped(at: -1)
    }
    check(result, says: "the position of a child is negative: -1")
    await #expect(processExitsWith: .failure) {
      var change = ChangeSet(.insertion(0..<1)).wrapped(at: 3)
      NodeAuthor.translate(&change, to: Delta(), before: { $0 }, after: { $0 - 4 })
    }
    await #expect(processExitsWith: .failure) {
      var change = ChangeSet(
        delta: Delta(), children: [(1, ChangeSet(.insertion(0..<1))), (2, ChangeSet(.insertion(0..<1)))])
      NodeAuthor.translate(&change, to: Delta(), before: { $0 }, after: { _ in 1 })
    }
  }
}
