@testable import Assemblage
import Foundation
import TestSupport
import Testing

/// Graphs whose shape changes during a delivery, a translation or a transaction.
@Suite struct GraphChangeTests {
  /// A transaction is open in one graph while another graph, which is delivering, is linked to it.
  @Test func aDeliveryWaitsForATransactionThatAnObserverJoins() {
    let first = ArrayNode([1])
    let second = ArrayNode([2])
    var log: [String] = []
    var join: JoinNode<Int>?
    let tokens = [
      first.observe { _ in log.append("first") },
      second.observe { _ in
        log.append("second")
        guard join == nil else { return }
        join = JoinNode([first, second])
        second.append(9)
      },
    ]
    first.performUpdates {
      first.append(3)
      second.append(4)
      #expect(log == ["second"])
      first.append(5)
      #expect(log == ["second"])
    }
    #expect(log == ["second", "first", "second"])
    #expect(join?.elements == [1, 3, 5, 2, 4, 9])
    second.append(6)
    #expect(log.count == 4)
    for token in tokens { token.cancel() }
  }

  /// A predicate must not change the graph, but it may release nodes, even nodes that are about to translate.
  @Test func aPredicateMayReleaseNodesAndEndObservations() {
    let source = ArrayNode([1, 2])
    var received = 0
    var late: FilterNode<Int>?
    var token: NodeObservation?
    weak var released: FilterNode<Int>?
    let filter = FilterNode(source) { element in
      if element == 3 {
        late = nil
        token = nil
      }
      return true
    }
    do {
      // Higher than the filter, so that this node has not translated yet when the filter translates.
      let node = FilterNode(JoinNode([source, filter])) { _ in true }
      released = node
      late = node
    }
    token = late?.observe { _ in received += 1 }
    source.append(0)
    #expect(received == 1 && released != nil)
    source.append(3)
    #expect(released == nil && token == nil && received == 1)
    #expect(late == nil && filter.elements == [1, 2, 0, 3])
    source.append(4)
    #expect(filter.count == 5)
  }

  /// A transaction without a change is legal anywhere. At its end, no observer may be notified while the graph is half
  /// settled.
  @Test func aPredicateMayRunATransactionThatChangesNothing() {
    let source = ArrayNode([1, 2])
    let filter = FilterNode(source) { element in source.performUpdates { source.contains(element) } }
    var seen: [Int] = []
    let token = source.observe { _ in seen.append(filter.count) }
    source.append(3)
    #expect(seen == [3])
    filter.performUpdates {
      source.append(4)
      source.append(5)
    }
    #expect(seen == [3, 5])
    token.cancel()
  }

  @Test func anObserverMayChangeTheMembersItIsNotifiedOf() {
    let first = ArrayNode(["a"])
    let second = ArrayNode(["b"])
    let join = JoinNode([first])
    var copy = join.elements
    let tokens = [
      join.observe { _ in
        // Replaces the member that reported.
        if join.memberCount == 1, join.member(at: 0) === first { _ = join.replaceMember(at: 0, with: second) }
      },
      join.observe { change in
        let present = join.elements
        copy = change.delta.applying(to: copy) { present[$0] }
      },
    ]
    first.append("c")
    #expect(join.elements == ["b"] && copy == ["b"])
    first.append("d")
    second.append("e")
    #expect(copy == ["b", "e"])
    for token in tokens { token.cancel() }
  }

  @Test func anObserverThatReturnsIsNotifiedFromThenOn() {
    let source = ArrayNode([1])
    var received: [ChangeSet] = []
    var token: NodeObservation?
    func follow() {
      token = source.observe { change in
        received.append(change)
        if received.count < 3 { follow() }
      }
    }
    follow()
    for element in 2..<6 { source.append(element) }
    #expect(received == (1..<5).map { ChangeSet(.insertion($0..<$0 + 1)) })
    token?.cancel()
    source.append(6)
    #expect(received.count == 4)
  }

  /// Links and observers arrive and leave at random: every hub knows whether an observer would be notified of a change.
  @Test func listenersAreCounted() throws {
    enum Edit: CaseIterable { case append, remove, replace, move, observe, cancel, makeNode, dropNode }
    var tally = OperationTally<Edit>()
    for iteration in 0..<TestSeed.iterations(20) {
      var generator = TestSeed.generator("listeners", iteration: iteration)
      let leaf = ArrayNode([0])
      // Only earlier branches become sources of a branch, so that there is no cycle.
      var branches = (0..<8).map { _ in BranchNode<Int>() }
      var tokens: [(Int, NodeObservation)] = []
      var received = 0
      for _ in 0..<TestSeed.length(60) {
        let edit = tally.random(using: &generator)
        let upper = Int.random(in: 1..<branches.count, using: &generator)
        let branch = branches[upper]
        let lower = Int.random(in: 0..<upper, using: &generator)
        let source: any TreeNode<Int> = lower == 0 ? leaf : branches[lower]
        let position = branch.isEmpty ? 0 : Int.random(in: 0..<branch.count, using: &generator)
        switch edit {
        case .append: branch.append(source)
        case .remove:
          guard !branch.isEmpty else { continue }
          branch.remove(at: position)
        case .replace:
          guard !branch.isEmpty else { continue }
          branch[position] = .node(source)
        case .move:
          guard branch.count > 1 else { continue }
          branch.move(from: position, to: branch.count - 1 - position)
        case .observe: tokens.append((upper, branch.observe { _ in received += 1 }))
        case .cancel:
          guard !tokens.isEmpty else { continue }
          tokens.remove(at: Int.random(in: 0..<tokens.count, using: &generator)).1.cancel()
        case .makeNode: branches.append(BranchNode([source]))
        case .dropNode:
          guard branches.count > 8, !tokens.contains(where: { $0.0 == branches.count - 1 }) else { continue }
          branches.removeLast()
        }
        tally.count(edit)

        let hubs = [leaf.hub] + branches.dropFirst().map(\.hub)
        let isRight = hubs.allSatisfy { hub in
          let listening = hub.state.value.dependents.views.filter { unsafe $0.hub.isListenedTo }.count
          return hub.state.value.listeners == hub.state.value.observers.count + listening
        }
        #expect(isRight, "\(edit), script \(iteration)")
        #expect(hubs.allSatisfy(knowsItsEdges), "\(edit), script \(iteration)")
        // An observer of a branch above the leaf is notified of a change of the leaf, once.
        let expected = tokens.filter { reaches(branches[$0.0], leaf) }.count
        received = 0
        leaf.replace(at: 0, with: 1)
        #expect(received == expected, "\(edit), script \(iteration)")
        guard isRight, received == expected else { return }
      }
    }
    try tally.check()
  }

  /// Views, parts and observers of one forest arrive and leave at random. Each receives the changes for as long as it
  /// lives.
  @Test func edgesComeAndGo() throws {
    enum Edit: CaseIterable { case view, observe, part, observePart, drop }
    var tally = OperationTally<Edit>()
    for iteration in 0..<TestSeed.iterations(20) {
      var generator = TestSeed.generator("edges", iteration: iteration)
      let forest = ForestNode(0..<8, children: { $0 < 8 ? [$0 + 8] : nil })
      var views: [SliceNode<Int>] = []
      var parts: [(position: Int, view: SliceNode<Int>)] = []
      var tokens: [(position: Int?, node: any TreeNode<Int>, token: NodeObservation)] = []
      var received: [Int?] = []
      for _ in 0..<TestSeed.length(60) {
        let edit = tally.random(using: &generator)
        let position = Int.random(in: 0..<forest.count, using: &generator)
        let child = try #require(forest.child(at: position))
        switch edit {
        case .view: views.append(SliceNode(forest, 0..<8))
        case .part: parts.append((position, SliceNode(child, 0..<1)))
        case .observe: tokens.append((nil, forest, forest.observe { _ in received.append(nil) }))
        case .observePart: tokens.append((position, child, child.observe { _ in received.append(position) }))
        case .drop:
          let count = views.count + parts.count + tokens.count
          guard count > 0 else { continue }
          let index = Int.random(in: 0..<count, using: &generator)
          if index < views.count {
            views.remove(at: index)
          } else if index < views.count + parts.count {
            parts.remove(at: index - views.count)
          } else {
            tokens.remove(at: index - views.count - parts.count).token.cancel()
          }
        }
        tally.count(edit)
        #expect(knowsItsEdges(forest.hub) && forest.hub.state.value.dependents.views.count == views.count)
        let observed = Set(tokens.compactMap(\.position)).union(parts.map(\.position))
        #expect(forest.hub.state.value.dependents.parts.count == observed.count, "\(edit), script \(iteration)")
        received = []
        let value = Int.random(in: 100..<200, using: &generator)
        forest.replace(at: [position, 0], with: value)
        let expected = tokens.filter { $0.position == nil || $0.position == position }.map(\.position)
        #expect(received == expected, "\(edit), script \(iteration)")
        #expect(parts.filter { $0.position == position }.allSatisfy { $0.view.elements == [value] })
      }
      for observed in tokens { observed.token.cancel() }
    }
    try tally.check()
  }

  /// Whether each edge of a hub has the place that its other end knows.
  private func knowsItsEdges(_ hub: NodeHub) -> Bool {
    let dependents = hub.state.value.dependents
    let views = dependents.views.enumerated().allSatisfy { place, edge in
      unsafe edge.hub.state.value.sources[edge.slot].map { $0.hub === hub && $0.place == place } ?? false
    }
    let parts = dependents.parts.enumerated().allSatisfy { place, edge in
      unsafe edge.hub.state.value.sources[0].map { $0.hub === hub && $0.place == place } ?? false
    }
    return views && parts && hub.state.value.observers.enumerated().allSatisfy { $1.place == $0 }
  }

  private func reaches(_ node: any TreeNode<Int>, _ leaf: ArrayNode<Int>) -> Bool {
    node === leaf || (0..<node.count).contains { node.child(at: $0).map { reaches($0, leaf) } ?? false }
  }
}
