@_spi(NodeAuthors) import Assemblage
import TestSupport
import Testing

/// Bad input traps, with one sentence that names the fault.
@Suite struct DeltaFaultTests: MisuseSuite {
  static let misuses = [
    Misuse("Delta: position 2 is removed twice, in 0..<3 and in 2..<4.") { _ = Delta(removals: [0..<3, 2..<4]) },
    Misuse("position 5 is inserted twice, in 4..<6 and in 5..<7") { _ = Delta(insertions: [4..<6, 5..<7]) },
    Misuse("the elements at 2..<3 before the change are both removed and moved") {
      _ = Delta(removals: [0..<3], moves: [Delta.Move(from: 2..<4, to: 7..<9)])
    },
    Misuse("the elements at 7..<8 after the change are both inserted and moved") {
      _ = Delta(insertions: [7..<8], moves: [Delta.Move(from: 2..<4, to: 7..<9)])
    },
    Misuse("position 3 is moved away twice, in 2..<4 and in 3..<4") {
      _ = Delta(moves: [Delta.Move(from: 2..<4, to: 7..<9), Delta.Move(from: 3..<4, to: 1..<2)])
    },
    Misuse("position 7 is moved to twice, in 7..<8 and in 7..<8") {
      _ = Delta(moves: [Delta.Move(from: 2..<3, to: 7..<8), Delta.Move(from: 3..<4, to: 7..<8)])
    },
    Misuse("a move from 0..<2 to 4..<5 has 2 elements before and 1 after") { _ = Delta.Move(from: 0..<2, to: 4..<5) },
    Misuse("an inserted position is negative: -1..<2") { _ = Delta.insertion(-1..<2) },
    Misuse("Delta: a removed position is negative: -1..<2.") { _ = Delta.removal(-1..<2) },
    Misuse("Delta: an updated position is negative: -1..<2.") { _ = Delta.update(-1..<2) },
    Misuse("Delta: a moved position is negative: -1..<2.") { _ = Delta.move(-1..<2, to: 1) },
    Misuse("Delta: a moved position is negative: -1..<-1.") { _ = Delta.move(1..<2, to: -1) },
    Misuse("Delta: an updated position is negative: -1..<2.") { _ = Delta(updates: [-1..<2]) },
    Misuse("Delta: a position is negative: -1.") { _ = Delta().position(after: -1) },
    Misuse("Delta: a position is negative: -1.") { _ = Delta.PositionMap(Delta()).position(before: -1) },
    Misuse("2..<4 shifted by -3 leaves the positions") { _ = Delta.removal(2..<4).shifted(by: -3) },
    Misuse("a removed position is beyond 2^62: 0..<9223372036854775807") { _ = Delta.removal(0..<Int.max) },
    Misuse("Delta: an inserted position is beyond 2^62: 5..<9223372036854775807.") {
      _ = Delta(insertions: [5..<Int.max])
    },
    Misuse("Delta: 0..<1 shifted by 9223372036854775806 leaves the positions from 0 to 2^62.") {
      _ = Delta.update(0..<1).shifted(by: Int.max - 1)
    },
    Misuse("Delta: changes reach from position 0 to 9223372036854775806, beyond 2^62.") {
      var composer = DeltaComposer()
      for _ in 0..<2 { composer.append(.insertion(0..<(Int.max / 2))) }
      _ = composer.net()
    },
    Misuse("Delta: a change that reaches to position 4 cannot be applied to 3 elements: [-2..<4].") {
      _ = Delta.removal(2..<4).applying(to: [1, 2, 3]) { $0 }
    },
    Misuse("Delta.Builder: the element at 2 before the change is kept twice.") {
      var builder = Delta.Builder()
      builder.keep(2..<5)
      builder.keep(0..<3)
      _ = builder.finish(preCount: 5)
    },
    Misuse("the element at 4 before the change is kept, of 4") {
      var builder = Delta.Builder()
      builder.keep(2..<5)
      _ = builder.finish(preCount: 4)
    },
    Misuse("a part with 3 elements before and 3 after cannot have changed by [+0]") {
      var builder = Delta.Builder()
      builder.append(.insertion(0..<1), preStart: 0, preCount: 3, postCount: 3)
    },
    Misuse("ChangeSet: two changes of the child at 1.") {
      let change = ChangeSet(.insertion(0..<1))
      _ = ChangeSet(delta: Delta(), children: [(1, change), (1, change)])
    },
    Misuse("the position of a child is negative: -1") { _ = ChangeSet(.insertion(0..<1)).wrapped(at: -1) },
    Misuse("ChangeSet: the position of a child is negative: -1.") {
      var change = ChangeSet(.insertion(0..<1)).wrapped(at: 3)
      NodeAuthor.translate(&change, to: Delta(), before: { $0 }, after: { $0 - 4 })
    },
    Misuse("ChangeSet: two changes of the child at 1.") {
      var change = ChangeSet(
        delta: Delta(), children: [(1, ChangeSet(.insertion(0..<1))), (2, ChangeSet(.insertion(0..<1)))])
      NodeAuthor.translate(&change, to: Delta(), before: { $0 }, after: { _ in 1 })
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }

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
}
