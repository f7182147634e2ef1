@_spi(NodeAuthors) import Assemblage
import Foundation
import TestSupport
import Testing

/// The laws of change sets, on short scripts at every path of small trees, and on long random scripts.
@Suite struct ChangeSetTests {
  /// Small trees of up to three levels.
  static let trees: [ChangeTree] = [
    ChangeTree(id: 0),
    ChangeTree(id: 0, children: [ChangeTree(id: 1)]),
    ChangeTree(id: 0, children: [ChangeTree(id: 1, children: [ChangeTree(id: 2)]), ChangeTree(id: 3)]),
    ChangeTree(
      id: 0,
      children: [
        ChangeTree(id: 1, children: [ChangeTree(id: 2), ChangeTree(id: 3)]),
        ChangeTree(id: 4, children: [ChangeTree(id: 5)]),
      ]),
    ChangeTree(
      id: 0, children: [ChangeTree(id: 1, children: [ChangeTree(id: 2, children: [ChangeTree(id: 3)])])]),
  ]

  private func check(_ change: ChangeSet, from before: ChangeTree, to after: ChangeTree, _ what: String) {
    if change != before.change(to: after) {
      Issue.record("\(what): \(change), not \(before.change(to: after))")
    }
    if before.applying(change, fresh: { after[$0] }) != after {
      Issue.record("\(what): \(change) does not lead from \(before) to \(after)")
    }
  }

  @Test func everyEditIsCanonical() {
    for before in Self.trees {
      for edit in before.allEdits(fresh: 100) { check(edit.change, from: before, to: edit.tree, edit.kind) }
    }
  }

  @Test func everyTwoEditsComposeToTheNetChange() {
    var pairs = 0
    for before in Self.trees {
      for first in before.allEdits(fresh: 100) {
        for second in first.tree.allEdits(fresh: 200) {
          let net = first.change.composed(with: second.change)
          check(net, from: before, to: second.tree, "\(first.change) \(second.change)")
          pairs += 1
        }
      }
    }
    #expect(pairs > 1_000)
  }

  @Test func everyThreeEditsAreAssociative() {
    for before in Self.trees.dropLast(TestSeed.isShortened ? 3 : 2) {
      for first in before.allEdits(fresh: 100) {
        for second in first.tree.allEdits(fresh: 200) {
          let firstTwo = first.change.composed(with: second.change)
          for third in second.tree.allEdits(fresh: 300) {
            let left = firstTwo.composed(with: third.change)
            let right = first.change.composed(with: second.change.composed(with: third.change))
            if left != right {
              Issue.record("\(first.change) \(second.change) \(third.change): \(left) \(right)")
            }
          }
        }
      }
    }
  }

  @Test func theInverseTakesBack() {
    for before in Self.trees {
      for first in before.allEdits(fresh: 100) {
        for second in first.tree.allEdits(fresh: 200) {
          let net = first.change.composed(with: second.change)
          let inverse = net.inverse()
          // The oracle treats the way back as a change of its own. So elements with another version are updated.
          if inverse != second.tree.change(to: before) { Issue.record("\(net): \(inverse)") }
          if inverse.inverse() != net { Issue.record("\(net): \(inverse)") }
          #expect(inverse == second.change.inverse().composed(with: first.change.inverse()))
        }
      }
    }
  }

  @Test func longScriptsComposeToTheNetChange() {
    var made: [String: Int] = [:]
    for iteration in 0..<TestSeed.iterations(200) {
      var generator = TestSeed.generator("changeset/scripts", iteration: iteration)
      var nextID = 0
      let before = ChangeTree.random(depth: 3, width: 4, nextID: &nextID, using: &generator)
      var after = before
      var fold = ChangeSet()
      var composer = ChangeSetComposer()
      var changes: [ChangeSet] = []
      for _ in 0..<Int.random(in: 1...TestSeed.length(20), using: &generator) {
        let edit = after.randomEdit(nextID: &nextID, using: &generator)
        made[edit.kind, default: 0] += 1
        // Without a limit, large trees would slow the oracle down.
        if edit.kind == "insert" && after.allPaths.count > 80 { continue }
        after = edit.tree
        fold = fold.composed(with: edit.change)
        composer.append(edit.change)
        changes.append(edit.change)
      }
      check(fold, from: before, to: after, "fold")
      #expect(composer.net() == fold && composer.isEmpty)
      #expect(changes.reversed().reduce(ChangeSet()) { $1.composed(with: $0) } == fold)
      let inverse = fold.inverse()
      #expect(inverse == after.change(to: before))
      #expect(after.applying(inverse, fresh: { before[$0] }) == before)
      checkPaths(of: fold, from: before, to: after)
    }
    for kind in ["insert", "remove", "move", "relocate", "update"] {
      #expect(TestSeed.isResized || made[kind, default: 0] > 0)
    }
  }

  private func checkPaths(of change: ChangeSet, from before: ChangeTree, to after: ChangeTree) {
    let paths = change.paths
    let expected = before.paths(to: after)
    #expect(paths.removals == expected.removals)
    #expect(paths.insertions == expected.insertions)
    #expect(paths.updates == expected.updates)
    #expect(paths.moves.allSatisfy { before[$0.source].id == after[$0.destination].id })
    #expect(paths.moves.map(\.destination) == paths.moves.map(\.destination).sorted())
    #expect(Set(paths.moves.map(\.source)).count == paths.moves.count)
  }

  @Test func pathsAreThoseBeforeAndAfter() {
    for before in Self.trees {
      for first in before.allEdits(fresh: 100) {
        for second in first.tree.allEdits(fresh: 200) {
          checkPaths(of: first.change.composed(with: second.change), from: before, to: second.tree)
        }
      }
    }
  }

  @Test func pathsFollowTheConventionOfBatchUpdates() {
    // A section is inserted before the section from which a row leaves. The row's path is its path before the change.
    let change = ChangeSet(delta: .insertion(0..<1), children: [(2, ChangeSet(.removal(4..<6)))])
    #expect(change.paths.insertions == [[0]])
    #expect(change.paths.removals == [[1, 4], [1, 5]])
    // A section moves, and a row inside it.
    let moved = ChangeSet(delta: .move(0..<1, to: 2), children: [(2, ChangeSet(.move(0..<1, to: 1)))])
    #expect(
      moved.paths.moves == [
        ChangeSet.Paths.Move(from: [0], to: [2]), ChangeSet.Paths.Move(from: [0, 0], to: [2, 1]),
      ])
    #expect(ChangeSet(updatesValue: true).paths.updates == [[]])
  }

  @Test func nothingIsSaidInsideWhatCame() {
    let row = ChangeSet(.insertion(0..<1), updatesValue: true)
    #expect(ChangeSet(.insertion(3..<4)).composed(with: row.wrapped(at: 3)) == ChangeSet(.insertion(3..<4)))
    #expect(row.wrapped(at: 3).composed(with: ChangeSet(.removal(3..<4))) == ChangeSet(.removal(3..<4)))
    #expect(ChangeSet(delta: .insertion(1..<2), children: [(1, row)]) == ChangeSet(.insertion(1..<2)))
  }

  @Test func whatCancelsLeavesNoTrace() {
    let row = ChangeSet(.insertion(0..<1)).wrapped(at: 2).wrapped(at: 1)
    let back = ChangeSet(.removal(0..<1)).wrapped(at: 2).wrapped(at: 1)
    #expect(row.composed(with: back).isEmpty)
    #expect(!row.composed(with: back).hasChildren)
    #expect(ChangeSet().wrapped(at: 4).isEmpty)
  }

  @Test func childrenAreViews() throws {
    let change = ChangeSet(
      delta: .update(5..<6),
      children: [
        (5, ChangeSet(.insertion(0..<1))), (2, ChangeSet(.removal(1..<2), updatesValue: true).wrapped(at: 7)),
        (3, ChangeSet()),
      ])
    #expect(change.children.map(\.position) == [2, 5])
    #expect(change.children.map(\.updatesValue) == [false, true])
    let first = try #require(change.children.first)
    #expect(first.delta == .update(7..<8))
    #expect(first.children.map(\.delta) == [.removal(1..<2)])
    #expect(first.change == ChangeSet(.removal(1..<2), updatesValue: true).wrapped(at: 7))
    #expect(change.children[1].change == ChangeSet(.insertion(0..<1), updatesValue: true))
  }

  @Test func childrenAreMapped() {
    let insides = (0..<5).map { ChangeSet(.insertion($0..<($0 + 1))).wrapped(at: $0) }
    let change = ChangeSet(delta: Delta(), children: insides.enumerated().map { ($0, $1) })
    for drop in 0..<32 {
      for reversed in [false, true] {
        func place(_ position: Int) -> Int? {
          if (drop >> position) & 1 == 1 { return nil }
          return reversed ? 10 - position : position + 10
        }
        var mapped = change
        NodeAuthor.translate(&mapped, to: Delta(), before: place, after: place)
        var expected: [(position: Int, change: ChangeSet)] = []
        for position in 0..<5 {
          if let new = place(position) { expected.append((new, insides[position])) }
        }
        #expect(mapped == ChangeSet(delta: Delta(), children: expected))
      }
    }
  }

  @Test func descriptionsShowTheLevels() {
    let change = ChangeSet(
      delta: Delta(removals: [1..<2], insertions: [2..<3]), updatesValue: true,
      children: [(3, ChangeSet(.insertion(0..<1)).wrapped(at: 4)), (5, ChangeSet(.update(1..<3)))])
    #expect(change.description == "~[-1, +2; 3: [; 4: [+0]]; 5: [~1..<3]]")
    #expect(ChangeSet().description == "[]")
  }

  @Test func equalChangeSetsHashAlike() {
    let one = ChangeSet(.insertion(0..<1)).wrapped(at: 2)
    let other = ChangeSet(delta: Delta(), children: [(2, ChangeSet(.insertion(0..<1)))])
    #expect(one == other && one.hashValue == other.hashValue)
    #expect(Set([one, other, ChangeSet(), ChangeSet(.insertion(0..<1))]).count == 3)
  }
}

/// Tall chains: nothing recurses, and nothing takes quadratic time.
@Suite(.smallStack) struct ChangeSetDepthTests {
  static let levels = TallTree.depth

  /// Returns `change` at the bottom of the chain, in which each level lies at `position` of the level above.
  private func chain(_ change: ChangeSet, at position: Int = 1) -> ChangeSet {
    var result = change
    for _ in 0..<Self.levels { result.wrap(at: position) }
    return result
  }

  @Test func aChainIsWrappedLevelByLevelAndRead() {
    let change = chain(ChangeSet(.insertion(0..<1)))
    #expect(change.paths.insertions == [IndexPath(indexes: Array(repeating: 1, count: Self.levels) + [0])])
    #expect(change.description.hasPrefix("[; 1: [; 1: ["))
    #expect(change == chain(ChangeSet(.insertion(0..<1))))
    #expect(change.hashValue == chain(ChangeSet(.insertion(0..<1))).hashValue)
    #expect(change != chain(ChangeSet(.insertion(1..<2))))
    var depth = 0
    var children = change.children
    while let child = children.first {
      children = child.children
      depth += 1
    }
    #expect(depth == Self.levels)
  }

  @Test func aPathIsFollowedInLinearTime() {
    let depth = 300_000
    var change = ChangeSet(.insertion(0..<1))
    for _ in 0..<depth { change.wrap(at: 0) }
    let parent = [Int](repeating: 0, count: depth)
    let (old, new) = (IndexPath(indexes: parent + [0]), IndexPath(indexes: parent + [1]))
    #expect(change.path(after: old) == new && change.path(before: new) == old)
    #expect(change.delta(at: IndexPath(indexes: parent)) == .insertion(0..<1))
  }

  @Test func chainsComposeAndCancel() {
    let first = chain(ChangeSet(.insertion(0..<1)))
    #expect(first.composed(with: chain(ChangeSet(.removal(0..<1)))).isEmpty)
    #expect(first.composed(with: first) == chain(ChangeSet(.insertion(0..<2))))
    #expect(first.inverse() == chain(ChangeSet(.removal(0..<1))))
    var composer = ChangeSetComposer()
    for _ in 0..<3 { composer.append(first) }
    #expect(composer.net() == chain(ChangeSet(.insertion(0..<3))))
  }

  @Test func aChangeAtEveryLevel() {
    // At each level an element is inserted in front, which shifts the level below.
    var every = ChangeSet(.insertion(0..<1))
    for _ in 0..<Self.levels {
      every.wrap(at: 1)
      every.delta = .insertion(0..<1)
    }
    let bottom = chain(ChangeSet(.update(0..<1)), at: 0)
    let net = bottom.composed(with: every)
    #expect(net.children.first?.position == 1)
    #expect(net.inverse().inverse() == net)
    var mapped = net
    NodeAuthor.translate(&mapped, to: Delta(), before: { $0 + 5 }, after: { $0 + 5 })
    #expect(mapped.children.first?.position == 6)
    let removed = net.composed(with: ChangeSet(.removal(1..<2)))
    #expect(removed == ChangeSet(Delta(removals: [0..<1], insertions: [0..<1])))
  }
}
