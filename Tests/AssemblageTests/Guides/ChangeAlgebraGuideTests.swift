@_spi(NodeAuthors) import Assemblage
import Foundation
import Testing

/// The code of Docs/ChangeAlgebra.md, and examples of the doc comments.
@Suite struct ChangeAlgebraGuideTests {
  @Test func coordinates() {
    let delta = Delta(
      removals: [1..<2], insertions: [2..<3], updates: [3..<4],
      moves: [Delta.Move(from: 3..<4, to: 0..<1)])
    #expect(delta.description == "[-1, +2, ~3, 3→0]")
    #expect(delta.position(after: 2) == 3)
    #expect(delta.position(after: 1) == nil)
    #expect(delta.position(before: 0) == 3)
    #expect(delta.applying(to: ["a", "b", "c", "d"]) { $0 == 2 ? "X" : "c!" } == ["d", "a", "X", "c!"])
  }

  @Test func canonicalForms() {
    #expect(Delta.move(0..<1, to: 1) == .move(1..<2, to: 0))
    #expect(Delta.move(0..<3, to: 1).description == "[3→0]")
    #expect(Delta(moves: [Delta.Move(from: 2..<3, to: 2..<3)]).description == "[]")
    #expect(Delta(insertions: [4..<5, 5..<6], updates: [5..<6]).description == "[+4..<6]")
    #expect(Delta.move(0..<1, to: 1).description == "[0→1]")
    #expect(Delta(removals: [4..<5, 0..<2], insertions: [1..<2]).removals == [0..<2, 4..<5])
    #expect(Delta.move(0..<1, to: 2) == .move(1..<3, to: 0))
  }

  @Test func composing() {
    #expect(Delta.insertion(2..<3).composed(with: .removal(2..<3)).description == "[]")
    #expect(Delta.removal(2..<3).composed(with: .insertion(2..<3)).description == "[-2, +2]")
    #expect(Delta.insertion(2..<3).composed(with: .insertion(0..<1)).description == "[+0, +3]")
    #expect(Delta.insertion(2..<3).composed(with: .move(2..<3, to: 0)).description == "[+0]")
    var composer = DeltaComposer()
    composer.append(.insertion(0..<1))
    composer.append(.removal(3..<4))
    #expect(composer.net().description == "[-2, +0]")
  }

  @Test func trees() {
    let row = ChangeSet(.insertion(0..<1)).wrapped(at: 1)
    let both = row.composed(with: ChangeSet(.insertion(0..<1)))
    #expect(both.description == "[+0; 2: [+0]]")
    #expect(both.paths.insertions == [[0], [2, 0]])
    #expect(ChangeSet(.insertion(0..<1)).wrapped(at: 3).paths.insertions == [[3, 0]])
  }

  @Test func movesBetweenParents() {
    let left = ChangeSet(.removal(1..<2)).wrapped(at: 0).composed(with: ChangeSet(.insertion(0..<1)).wrapped(at: 1))
    let moved = ChangeSet(
      delta: left.delta, children: left.children.map { ($0.position, $0.change) },
      transfers: [ChangeSet.Transfer(from: [0, 1], to: [1, 0])])
    let batch = moved.composed(with: ChangeSet(.insertion(0..<1)))
    #expect(batch.description == "[+0; 1: [-1]; 2: [+0]] {[0, 1]→[2, 0]}")
    #expect(batch.paths.moves.map(\.source) == [[0, 1]])
    #expect(batch.paths.moves.map(\.destination) == [[2, 0]])
    #expect(batch.paths.insertions == [[0]])
    #expect(batch.paths.removals == [])
    #expect(batch.path(after: [0, 1]) == [2, 0])
  }

  @Test func paths() {
    let change = ChangeSet(delta: .insertion(0..<1), children: [(2, ChangeSet(.removal(4..<6)))])
    #expect(change.paths.insertions == [[0]])
    #expect(change.paths.removals == [[1, 4], [1, 5]])
  }

  @Test func differences() throws {
    let old = TreeSnapshot(children: [
      TreeSnapshot(value: "A", leaves: ["a", "b"]), TreeSnapshot(value: "B", leaves: ["c"]),
    ])
    let new = TreeSnapshot(children: [
      TreeSnapshot(value: "B", leaves: ["b", "c"]), TreeSnapshot(value: "C", leaves: ["a"]),
    ])
    let change = old.difference(to: new)
    #expect(change.description == "[-0, +1; 0: [+0]] {[0, 1]→[0, 0], [0, 0]→[1, 0]}")
    #expect(try old.applying(change, new: new) == new)
  }

  @Test func nodes() {
    var builder = Delta.Builder()
    builder.append(.insertion(3..<4), preStart: 0, preCount: 10, postCount: 11)
    builder.insert(5)
    builder.keep(30..<40)
    #expect(builder.finish(preCount: 40).description == "[-10..<30, +3, +11..<16]")
    #expect(Delta.insertion(2..<3).shifted(by: 10) == .insertion(12..<13))
    let map = Delta.PositionMap(.move(0..<1, to: 2))
    #expect(map.position(after: 0) == 2 && map.position(before: 0) == 1 && map.ranges(after: 0..<3) == [0..<3])
    #expect(Delta.removal(2..<4).position(after: 5) == 3 && Delta.removal(2..<4).position(after: 2) == nil)
    #expect(Delta(from: ["a", "b", "c"], to: ["c", "a", "X"], id: { $0 }).description == "[-1, +2, 0→1]")
    #expect(
      Delta(removals: [0..<1], insertions: [2..<3]).applying(to: ["a", "b", "c"]) { _ in "X" } == ["b", "c", "X"])
  }
}
