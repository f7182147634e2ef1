@testable import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@Suite struct ForestReplacingTests {
  private struct Item: Hashable, CustomStringConvertible {
    var id: Int
    var version = 0
    var description: String { "\(id)v\(version)" }
  }

  /// Returns a tree of some of the ids below a limit, in any order.
  private func tree(_ generator: inout SeededGenerator, limit: Int) -> TreeSnapshot<Item> {
    var ids = Array(0..<limit).shuffled(using: &generator).prefix(Int.random(in: 0...limit, using: &generator))
    var builder = TreeSnapshot<Item>.Builder()
    var depth = 0
    while let id = ids.popFirst() {
      let item = Item(id: id, version: generator.chance(1, in: 4) ? 1 : 0)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0, 1:
        builder.beginNode(item)
        depth += 1
      case 2 where depth > 0:
        builder.endNode()
        depth -= 1
        builder.appendLeaf(item)
      default: builder.appendLeaf(item)
      }
    }
    return builder.finish()
  }

  @Test func everyTreeBecomesAnyOther() throws {
    var moved = 0
    for iteration in 0..<TestSeed.iterations(300) {
      var generator = TestSeed.generator("forest/replace", iteration: iteration)
      let limit = 1 + iteration % 16
      let (old, new) = (tree(&generator, limit: limit), tree(&generator, limit: limit))
      let forest = try ForestNode(old)
      let shadow = ShadowTree(of: forest, id: \.id)
      shadow.minimality = [.survivors, .fewestMoves, .acrossParents]
      var kept: [Int: ForestNode<Item>] = [:]
      for path in old.paths.dropFirst() where old[path].isNode { kept[old[path].value!.id] = forest.child(at: path)! }
      let log = UndoLog(of: forest)
      try forest.replaceAll(with: new, id: \.id)
      #expect(TreeSnapshot(of: forest) == new, "\(iteration): \(old) → \(new)")
      try shadow.check()
      #expect(shadow.deliveryCount <= 1)
      for path in new.paths.dropFirst() where new[path].isNode {
        if let node = kept[new[path].value!.id] {
          moved += 1
          #expect(forest.child(at: path) === node, "\(iteration): \(old) → \(new)")
        }
      }
      forest.arena.storage.value.checkInvariants()
      log.undo()
      #expect(TreeSnapshot(of: forest) == old)
      log.redo()
      #expect(TreeSnapshot(of: forest) == new)
      try shadow.check()
    }
    #expect(TestSeed.isResized || moved > 100)
  }

  @Test func whatSurvivesMovesToItsNewParent() throws {
    let tree = try ForestNode(rows: [(0, "a"), (1, "x"), (0, "b")])
    let recorder = ChangeRecorder(of: tree)
    try tree.replaceAll(
      with: TreeSnapshot(children: [TreeSnapshot(leaf: "a"), TreeSnapshot(value: "b", leaves: ["x"])]))
    #expect(recorder.recording.map { "\($0)" } == ["[~0..<2; 0: [-0]; 1: [+0]] {[0, 0]→[1, 0]}"])
    let same = TreeSnapshot(of: tree)
    try tree.replaceAll(with: same)
    #expect(recorder.recording.count == 1)
    let hole = TreeSnapshot<String>(children: [TreeSnapshot(leaf: "c"), TreeSnapshot(children: [])])
    #expect(throws: ForestError.missingValue(place: 2)) { try tree.replaceAll(with: hole) }
    #expect(TreeSnapshot(of: tree) == same)
  }

  /// 1,000 siblings in the opposite order.
  @Test func manyMovesAreOneChange() throws {
    let tree = ForestNode(leaves: 0..<1_000)
    let shadow = ShadowTree(of: tree, id: { $0 })
    try tree.replaceAll(with: TreeSnapshot(leaves: (0..<1_000).reversed()))
    #expect(tree.elements == (0..<1_000).reversed() && shadow.deliveryCount == 1)
    try shadow.check()
  }
}
