import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@Suite struct ChangeTextTests {
  @Test func theExampleHolds() throws {
    #expect(try ChangeSet(recorded: "[-1, 0→2; 0: [+3..<5]]").delta.removals == [1..<2])
  }

  @Test func everyPartIsRead() throws {
    let text = "~[-1, +2..<5, ~0, 7→6; 8: [; 2: [~4]]] {[1, 0]→[3, 2]: ~[+0], [1, 3]→[4, 3]}"
    let change = try ChangeSet(recorded: text)
    #expect(change.updatesValue && change.delta.insertions == [2..<5] && change.delta.hasMoves)
    #expect(change.children.map(\.position) == [8])
    #expect(change.children[0].children[0].position == 2 && change.children[0].children[0].delta == .update(4..<5))
    #expect(change.transfers.map(\.source) == [[1, 0], [1, 3]])
    #expect(change.transfers[0].change == ChangeSet(.insertion(0..<1), updatesValue: true))
    #expect(change.recordedText == text)
  }

  @Test func spacesAndArrowsAreFree() throws {
    let change = try ChangeSet(recorded: " [ - 1 ,2 -> 0;0 :[ + 3 ..<5 ] ] ")
    #expect(change == (try ChangeSet(recorded: "[-1, 2→0; 0: [+3..<5]]")))
    #expect(change.delta == Delta(removals: [1..<2], moves: [Delta.Move(from: 2..<3, to: 0..<1)]))
  }

  @Test(arguments: [
    ("", 0, "[ is expected"), ("[", 1, "a position is expected"), ("[+]", 2, "a position is expected"),
    ("[+1", 3, "] is expected"), ("[+1]x", 4, "the change has ended"), ("[+3..<3]", 7, "the range 3..<3 is empty"),
    ("[+3...5]", 5, "..< is expected"), ("[1→2..<4]", 8, "1 elements cannot move to 2 places"),
    ("[-1, -0..<2]", 12, "the child at 1 leaves twice"), ("[+1, 0→1]", 9, "the child at 1 arrives twice"),
    ("[-0, 0→1]", 9, "the child at 0 leaves twice"), ("[; 1: [+0]; 1: [-0]]", 20, "the child at 1 is described twice"),
    ("[+1; 1: [+0]]", 13, "the child at 1 is inserted, so no change inside it can be described"),
    ("[+9223372036854775807]", 21, "the position 9223372036854775807 is too large"),
    ("[+99999999999999999999]", 22, "a position is expected"), ("[1-2]", 3, "> is expected"),
    ("[-0, +1] {[0]→[0]}", 18, "the child that moves to [0] does not arrive there, or arrives twice"),
    ("[-0, +1] {[3]→[1]}", 18, "the child at [3] moves away, but does not leave, or leaves twice"),
    ("[-0, +1] {[0]→[1]", 17, "} is expected"), ("[-0] {[]→[1]}", 7, "a position is expected"),
  ])
  func whatIsNoChangeIsRefused(_ text: String, offset: Int, reason: String) {
    let error = #expect(throws: ChangeTextError.self) { try ChangeSet(recorded: text) }
    #expect(error?.offset == offset && error?.reason == reason)
    #expect(error?.description == "at character \(offset): \(reason)")
  }

  /// Random deltas at random depths.
  @Test func randomChangesAreReadBack() throws {
    var kinds = Set<Character>()
    for iteration in 0..<TestSeed.iterations(300) {
      var generator = TestSeed.generator("change-text", iteration: iteration)
      let change = randomChange(depth: 3, using: &generator)
      let text = change.recordedText
      kinds.formUnion(text.filter { "-+~→;".contains($0) })
      #expect(try ChangeSet(recorded: text) == change, "\(text)")
    }
    #expect(TestSeed.isResized || kinds == Set("-+~→;"))
  }

  private func randomChange(depth: Int, using generator: inout SeededGenerator) -> ChangeSet {
    func chance() -> Bool { generator.chance(1, in: 3) }
    let count = Int.random(in: 0..<9, using: &generator)
    var order = (0..<count).filter { _ in !chance() }
    if chance() { order.shuffle(using: &generator) }
    var new: [Int] = order
    for _ in 0..<Int.random(in: 0..<3, using: &generator) {
      new.insert(-new.count - 1, at: Int.random(in: 0...new.count, using: &generator))
    }
    let updates = new.indices.filter { _ in chance() }.map { $0..<$0 + 1 }
    let delta = Delta(from: Array(0..<count), to: new).updating(updates)
    var children: [(position: Int, change: ChangeSet)] = []
    if depth > 0 {
      for position in new.indices where new[position] >= 0 && chance() {
        children.append((position, randomChange(depth: depth - 1, using: &generator)))
      }
    }
    return ChangeSet(delta: delta, updatesValue: chance(), children: children)
  }

  @Test(.smallStack) func aChangeOfManyLevelsIsReadBack() throws {
    var change = ChangeSet(.insertion(0..<1))
    for level in 0..<min(20_000, TallTree.depth) { change.wrap(at: level % 3) }
    #expect(try ChangeSet(recorded: change.recordedText) == change)
  }
}
