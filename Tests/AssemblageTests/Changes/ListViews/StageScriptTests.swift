@_spi(NodeAuthors) import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Stages of short scripts on small trees, and of long random scripts. The models of views accept all of them.
@Suite struct StageScriptTests {
  @Test func everyTwoEdits() throws {
    for (number, tree) in ChangeSetTests.trees.enumerated() {
      for first in tree.allEdits(fresh: 100) {
        for (place, second) in first.tree.allEdits(fresh: 200).enumerated()
        where TestSeed.isSoak || (place + number) % 9 == 0 {
          let net = first.change.composed(with: second.change)
          try check(net, from: tree, to: second.tree)
        }
      }
    }
  }

  /// Rows and sections are updated and moved among neighbours. If one batch is enough, there is one stage.
  @Test func asFewStagesAsPossible() throws {
    var counts: [Int: Int] = [:]
    var single = 0
    for iteration in 0..<TestSeed.iterations(500) {
      var generator = TestSeed.generator("stages/fewest", iteration: iteration)
      var nextID = 0
      let before = ChangeTree.random(depth: 2, width: 3, nextID: &nextID, using: &generator)
      var after = before
      var net = ChangeSet()
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let edit = after.randomEdit(nextID: &nextID, using: &generator)
        guard OneBatchSearch(from: before, to: edit.tree).isApplicable else { continue }
        after = edit.tree
        net = net.composed(with: edit.change)
      }
      let count = try check(net, from: before, to: after)
      counts[count, default: 0] += 1
      if count > 1 {
        #expect(!OneBatchSearch(from: before, to: after).isPossible(), "\(net) from \(before)")
      } else if count == 1 {
        single += 1
        #expect(OneBatchSearch(from: before, to: after).isPossible(), "\(net) from \(before)")
      }
    }
    if !TestSeed.isResized { #expect(single > 0 && counts[2, default: 0] > 0) }
  }

  @Test(arguments: [2, 4]) func longScripts(depth: Int) throws {
    for iteration in 0..<TestSeed.iterations(50) {
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
      try check(net, from: before, to: after)
      // The view does not know the count of a parent that was never expanded.
      for view in [ChangeSet.ViewKind.outline, .list, .sequentialList] {
        try checkStages(
          of: net, for: view, from: TreeSnapshot(before), to: TreeSnapshot(after)
        ) { $0.reduce(0, +).isMultiple(of: 2) }
      }
    }
  }

  @discardableResult
  private func check(_ net: ChangeSet, from before: ChangeTree, to after: ChangeTree) throws -> Int {
    let trees = (before: TreeSnapshot<Row>(before), after: TreeSnapshot<Row>(after))
    try checkStages(of: net, for: .outline, from: trees.before, to: trees.after)
    try checkStages(of: net, for: .sequentialList, from: trees.before, to: trees.after)
    return try checkStages(of: net, for: .list, from: trees.before, to: trees.after)
  }
}
