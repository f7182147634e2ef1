import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Stages of every short script on small trees, and of long random ones: the view models accept them all.
@Suite struct StageScriptTests {
  @Test func everyTwoEdits() throws {
    var counts: [Int: Int] = [:]
    for tree in ChangeSetTests.trees {
      for first in tree.allEdits(fresh: 100) {
        for second in first.tree.allEdits(fresh: 200) {
          let net = first.change.composed(with: second.change)
          let before = TreeSnapshot(tree)
          let after = TreeSnapshot(second.tree)
          counts[try checkStages(of: net, for: .list, from: before, to: after), default: 0] += 1
          try checkStages(of: net, for: .outline, from: before, to: after)
        }
      }
    }
    print(counts)
  }

  @Test(arguments: [2, 4]) func longScripts(depth: Int) throws {
    for iteration in 0..<TestSeed.iterations(300) {
      var generator = TestSeed.generator("stages/\(depth)", iteration: iteration)
      var nextID = 0
      let before = ChangeTree.random(depth: depth, width: 4, nextID: &nextID, using: &generator)
      var after = before
      var composer = ChangeSetComposer()
      for _ in 0..<Int.random(in: 1...TestSeed.length(20), using: &generator) {
        let edit = after.randomEdit(nextID: &nextID, using: &generator)
        if edit.kind == "insert" && after.allPaths.count > 80 { continue }
        after = edit.tree
        composer.append(edit.change)
      }
      let net = composer.net()
      try checkStages(of: net, for: .list, from: TreeSnapshot(before), to: TreeSnapshot(after))
      try checkStages(of: net, for: .outline, from: TreeSnapshot(before), to: TreeSnapshot(after))
    }
  }
}
