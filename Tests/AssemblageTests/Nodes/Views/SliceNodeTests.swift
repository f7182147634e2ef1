@_spi(NodeAuthors) @testable import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@Suite struct SliceNodeTests: MisuseSuite {
  @Test func theExampleHolds() {
    let queue = ArrayNode(["a", "b", "c", "d"])
    let next = SliceNode(queue, 0..<2)
    #expect(next.elements == ["a", "b"])
    var received: [ChangeSet] = []
    let token = next.observe { received.append($0) }
    queue.insert("z", at: 0)
    #expect(received == [ChangeSet(Delta(removals: [1..<2], insertions: [0..<1]))] && next.elements == ["z", "a"])
    next.window = 1..<4
    #expect(
      received.last == ChangeSet(Delta(removals: [0..<1], insertions: [1..<3])) && next.elements == ["a", "b", "c"])
    token.cancel()
  }

  // MARK: The translation alone

  /// Returns the change of a window for a source's change, element by element.
  private func sliced(_ model: DeltaModel, _ window: Range<Int>) -> DeltaModel {
    let former = window.clamped(to: 0..<model.oldCount)
    let present = window.clamped(to: 0..<model.newCount)
    return DeltaModel(
      oldCount: former.count,
      origins: model.origins[present].map { origin in
        origin.flatMap { former.contains($0) ? $0 - former.lowerBound : nil }
      },
      isUpdated: Array(model.isUpdated[present]))
  }

  /// Every change of up to three children to up to three, in every window, without changes below the children and with
  /// them.
  @Test func everyChangeInEveryWindow() {
    for old in 0...3 {
      for new in 0...3 {
        for model in DeltaModel.all(oldCount: old, newCount: new) {
          let nested = model.origins.indices.filter { model.origins[$0] != nil }
            .map { (position: $0, change: ChangeSet(.insertion(0..<$0 + 1))) }
          for children in [[], nested] {
            for window in Exhaustive.subranges(of: 4) { check(model, old, new, window, children) }
          }
        }
      }
    }
  }

  private func check(
    _ model: DeltaModel, _ old: Int, _ new: Int, _ window: Range<Int>, _ children: [(position: Int, change: ChangeSet)]
  ) {
    var translation = SliceTranslation(window: window, sourceCount: old)
    let result = translation.translate(ChangeSet(delta: model.delta, children: children))
    let expected = sliced(model, window)
    let shown = window.clamped(to: 0..<new)
    let expectedChildren = children.filter {
      shown.contains($0.position) && expected.origins[$0.position - shown.lowerBound] != nil
    }.map { (position: $0.position - shown.lowerBound, change: $0.change) }
    let isRight =
      result == ChangeSet(delta: expected.delta, children: expectedChildren)
      && translation.visible.count == shown.count && translation.sourceCount == new
    #expect(isRight, "\(model.delta) in \(window): \(result), not \(expected.delta)")
  }

  /// Every move of a window over up to five children: a child in both windows stays.
  @Test func everyMoveOfTheWindow() {
    for count in 0...4 {
      for former in Exhaustive.subranges(of: 5) {
        for present in Exhaustive.subranges(of: 5) {
          let source = ArrayNode(0..<count)
          let slice = SliceNode(source, former)
          let before = slice.elements
          var received: [ChangeSet] = []
          let token = slice.observe { received.append($0) }
          slice.window = present
          let expected = Delta(from: before, to: Array(present.clamped(to: 0..<count)))
          let isRight =
            slice.window == present && slice.elements == Array(present.clamped(to: 0..<count))
            && received == (expected.isEmpty ? [] : [ChangeSet(expected)])
          #expect(isRight, "\(former) to \(present) of \(count): \(received)")
          token.cancel()
        }
      }
    }
  }

  // MARK: Scripts

  /// Random edits of the source and moves of the window. The test checks contents, mappings, and every delivery.
  @Test func scriptsAgreeWithAModel() throws {
    for iteration in 0..<TestSeed.iterations(12) {
      let script = SourceScript("slice-node/script", iteration: iteration)
      script.showsAll = false
      let node = SliceNode(script.source, script.random(0...6)..<script.random(6...20))
      let shadow = ShadowTree(of: node, id: \.id)
      let checker = NodeChecker<Row>(id: \.id)
      for step in 0..<TestSeed.length(60) {
        shadow.minimality = .standard
        if script.random(0...5) == 0 {
          let start = script.random(0...10)
          node.window = start..<start + script.random(0...15)
        } else if script.random(0...5) == 0 {
          script.isInTransaction = true
          defer { script.isInTransaction = false }
          // Each window is a settlement of its own.
          shadow.minimality = []
          node.performUpdates {
            for _ in 0..<script.random(1...4) {
              let start = script.random(0...10)
              node.window = start..<start + script.random(0...15)
              script.step()
            }
          }
        } else {
          script.step()
        }
        let isRight = node.places == Array(script.source.places[node.window.clamped(to: 0..<script.source.count)])
        #expect(isRight, "script \(iteration), step \(step): \(node.places)")
        try shadow.check()
        try checker.check(node)
      }
    }
  }

  @Test func whoLeavesAndComesBackHasSurvived() throws {
    let section = BranchNode(value: 9, leaves: [1])
    let source = BranchNode([.leaf(0), .leaf(1), .node(section)])
    let slice = SliceNode(source, 0..<3)
    var received: [ChangeSet] = []
    let token = slice.observe { received.append($0) }
    source.performUpdates {
      source.insert(.leaf(7), at: 0)
      source.insert(.leaf(8), at: 0)
      section.append(.leaf(2))
      source.replace(at: 3, with: 3)
      source.remove(at: 0)
      source.remove(at: 0)
      section.append(.leaf(3))
    }
    #expect(
      received == [
        ChangeSet(delta: .update(1..<2), children: [(position: 2, change: ChangeSet(.insertion(1..<3)))])
      ])
    // Each window is a settlement of its own.
    let shadow = ShadowTree(of: slice, id: \.self, minimality: [])
    slice.performUpdates {
      slice.window = 2..<3
      slice.window = 1..<3
    }
    #expect(received.last == ChangeSet(Delta(removals: [0..<2], insertions: [0..<1])))
    try shadow.check()
    token.cancel()
  }

  // MARK: Windows

  @Test func windowsOfAllKinds() {
    let source = ArrayNode(0..<5)
    #expect(SliceNode(source, 3...).elements == [3, 4] && SliceNode(source, ..<2).elements == [0, 1])
    #expect(SliceNode(source, ...1).elements == [0, 1] && SliceNode(source, 1...2).elements == [1, 2])
    #expect(SliceNode(source, 7..<9).isEmpty && SliceNode(source, 2..<2).isEmpty)
    let rest = SliceNode(source, 4...)
    source.append(5)
    #expect(rest.elements == [4, 5] && rest.window == 4..<Int.max)
    let page = SliceNode(source, 1..<3)
    #expect(page.sourcePosition(of: 1) == 2 && page.position(ofSource: 2) == 1 && page.position(ofSource: 3) == nil)
    #expect(page.position(ofSource: 0) == nil && "\(page)" == "SliceNode [1, 2]" && page.source === source)
  }

  @Test func theValueIsThatOfTheSource() {
    let source = BranchNode(value: 7, leaves: [2, 1])
    let slice = SliceNode(source, ..<1)
    var received: [ChangeSet] = []
    let token = slice.observe { received.append($0) }
    source.value = 8
    #expect(slice.value == 8 && received == [ChangeSet(updatesValue: true)])
    token.cancel()
  }

  @Test func writingGoesToTheSource() {
    let source = ArrayNode(0..<6)
    let slice = SliceNode(source, 2..<4)
    slice.insert(10, at: [0])
    #expect(source.elements == [0, 1, 10, 2, 3, 4, 5] && slice.elements == [10, 2])
    slice.insert(11, at: [2])
    #expect(source.elements == [0, 1, 10, 2, 11, 3, 4, 5] && slice.elements == [10, 2])
    #expect(slice.remove(at: [0]).value == 10)
    slice.replace(at: [1], with: 12)
    slice.move(from: [1], to: [0])
    #expect(source.elements == [0, 1, 12, 2, 3, 4, 5] && slice.elements == [12, 2])
    let beyond = SliceNode(source, 20..<30)
    beyond.insert(6, at: [0])
    #expect(source.elements.last == 6 && beyond.isEmpty)
    let branch = BranchNode<Int>()
    SliceNode(branch, 0..<1).insert(source, at: 0)
    #expect(branch.child(at: 0) === source)
  }

  static let misuses = [
    Misuse("SliceNode: the window -1..<3 begins below 0.") { _ = SliceNode(ArrayNode([1]), -1..<3) },
    Misuse("SliceNode: its source is a ProviderNode<Int>, which cannot be written.") {
      SliceNode(ProviderNode(count: 1) { $0 }, 0..<1).remove(at: 0)
    },
    Misuse("SliceNode: the window -2..<0 begins below 0.") { SliceNode(ArrayNode([1]), 0..<1).window = -2..<0 },
    Misuse("SliceNode: the position 1 is out of range 0..<1.") {
      _ = SliceNode(ArrayNode([1, 2]), 0..<1).sourcePosition(of: 1)
    },
    Misuse("SliceNode's source: the position 2 is out of range 0..<2.") {
      _ = SliceNode(ArrayNode([1, 2]), 0..<1).position(ofSource: 2)
    },
    Misuse("SliceNode: the position 2 of an insertion is out of range 0...1.") {
      SliceNode(ArrayNode([1, 2]), 0..<1).insert(3, at: 2)
    },
    Misuse("SliceNode: the range 0..<2 is out of range 0..<1.") {
      SliceNode(ArrayNode([1, 2]), 0..<1).forEachSpan(in: 0..<2) { _, _ in }
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
