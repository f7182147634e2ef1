@_spi(NodeAuthors) @testable import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@Suite struct SegmentNodeTests: MisuseSuite {
  @Test func theExampleHolds() {
    let songs = ArrayNode(["Song 2", "Yesterday"])
    let albums = ArrayNode(["Help!"])
    let library = SegmentNode([songs, albums], selection: 0)
    #expect(library.elements == ["Song 2", "Yesterday"])
    var received: [ChangeSet] = []
    let token = library.observe { received.append($0) }
    library.selection = 1
    #expect(received == [ChangeSet(Delta(removals: [0..<2], insertions: [0..<1]))])
    library.removeMember(at: 0)
    #expect(received.count == 1 && library.selection == 0 && library.elements == ["Help!"])
    token.cancel()
  }

  @Test func aMemberThatStaysIsNoStep() {
    let tabs = SegmentNode<Int>([ArrayNode([1]), ArrayNode([2])], selection: 0)
    let undo = UndoLog(of: tabs)
    tabs.appendMember(ArrayNode([3]))
    undo.undo()
    tabs.moveMember(from: 1, to: 1)
    #expect(undo.undoCount == 0 && undo.redoCount == 1)
  }

  // MARK: The policy

  @Test func theFirstMemberIsShownWhereThePolicySaysSo() {
    for (policy, shown) in [(SegmentPolicy(), nil), (SegmentPolicy(first: .shown), 0)] as [(SegmentPolicy, Int?)] {
      let node = SegmentNode<Int>(policy: policy)
      var received: [ChangeSet] = []
      let token = node.observe { received.append($0) }
      let undo = UndoLog(of: node)
      node.appendMember(ArrayNode([1, 2]))
      node.appendMember(ArrayNode([3]))
      #expect(node.selection == shown)
      #expect(received == (shown == nil ? [] : [ChangeSet(.insertion(0..<2))]))
      undo.undo()
      undo.undo()
      #expect(node.selection == nil && node.memberCount == 0)
      undo.redo()
      #expect(node.selection == shown)
      token.cancel()
    }
  }

  @Test(arguments: [
    (SegmentPolicy.Replacement.none, [nil, nil, nil]), (.next, ["b", "c", "b"]), (.previous, ["b", "a", "b"]),
  ])
  func theNeighborOfAMemberThatGoesIsShown(replacement: SegmentPolicy.Replacement, shown: [String?]) {
    struct Stop: Error {}
    for selection in 0..<3 {
      let node = SegmentNode(
        ["a", "b", "c"].map { ArrayNode([$0]) }, selection: selection, policy: SegmentPolicy(replacement: replacement))
      var received: [ChangeSet] = []
      let token = node.observe { received.append($0) }
      let undo = UndoLog(of: node)
      try? node.performUpdates {
        node.removeMember(at: selection)
        throw Stop()
      }
      // Members are a setting. So observers are notified of a change that was rolled back.
      #expect(node.selection == selection && node.memberCount == 3 && node.elements == [["a", "b", "c"][selection]])
      #expect(received == [ChangeSet(Delta(removals: [0..<1], insertions: [0..<1]))])
      received = []
      node.removeMember(at: selection)
      #expect(node.elements == (shown[selection].map { [$0] } ?? []))
      #expect(received == [ChangeSet(Delta(removals: [0..<1], insertions: shown[selection] == nil ? [] : [0..<1]))])
      undo.undo()
      #expect(node.selection == selection && node.elements == [["a", "b", "c"][selection]])
      token.cancel()
    }
  }

  @Test func whatWasChosenSinceStaysWhenAMemberIsBroughtBack() {
    let node = SegmentNode(
      ["a", "b", "c"].map { ArrayNode([$0]) }, selection: 0, policy: SegmentPolicy(replacement: .next))
    let undo = UndoLog(of: node)
    node.removeMember(at: 0)
    node.selection = 1
    undo.undo()
    #expect(node.selection == 2 && node.elements == ["c"])
  }

  // MARK: Scripts

  private enum Operation: CaseIterable {
    case edit, select, selectNone, insertMember, removeMember, replaceMember, moveMember
  }

  /// Random edits of the members, of the list of members and of the selection. The test checks contents and every
  /// delivery.
  @Test func scriptsAgreeWithAModel() throws {
    var tally = OperationTally<Operation>()
    for iteration in 0..<TestSeed.iterations(15) {
      let script = SourceScript("segment-node/script", iteration: iteration)
      script.showsAll = false
      let other = ArrayNode((0..<3).map { _ in script.row() })
      let nodes: [any TreeNode<Row>] = [
        script.source, script.array, script.branch, other, FilterNode(script.array) { $0.version > 1 },
      ]
      var members = [nodes[0], nodes[1]]
      var shown: Int?
      let node = SegmentNode(members)
      let shadow = ShadowTree(of: node, id: \.id)
      let checker = NodeChecker<Row>(id: \.id)
      for step in 0..<TestSeed.length(60) {
        let operation = script.random(0...1) == 0 ? .edit : tally.random(using: &script.generator)
        let former = node.count
        let deliveries = shadow.deliveryCount
        let formerNode = shown.map { members[$0] }
        // Rows that two members have in common leave and arrive.
        shadow.minimality = operation == .edit ? .standard : []
        let place = members.isEmpty ? nil : script.random(0...members.count - 1)
        switch operation {
        case .edit: script.step()
        case .select where place != nil:
          shown = place
          node.selection = place
        case .selectNone:
          shown = nil
          node.selection = nil
        case .insertMember:
          let ordinal = script.random(0...members.count)
          let member = nodes[script.random(0...nodes.count - 1)]
          members.insert(member, at: ordinal)
          if let current = shown, current >= ordinal { shown = current + 1 }
          node.insertMember(member, at: ordinal)
        case .removeMember:
          guard let place else { continue }
          let member = members.remove(at: place)
          if let current = shown { shown = current == place ? nil : current > place ? current - 1 : current }
          #expect(node.removeMember(at: place) === member)
        case .replaceMember:
          guard let place else { continue }
          let member = nodes[script.random(0...nodes.count - 1)]
          #expect(node.replaceMember(at: place, with: member) === members[place])
          members[place] = member
        case .moveMember:
          guard let place else { continue }
          let destination = script.random(0...members.count - 1)
          var order = Array(members.indices)
          order.insert(order.remove(at: place), at: destination)
          members = order.map { members[$0] }
          shown = shown.map { order.firstIndex(of: $0)! }
          node.moveMember(from: place, to: destination)
        default: continue
        }
        tally.count(operation)
        let expected = shown.map { members[$0].places } ?? []
        #expect(node.places == expected, "script \(iteration), step \(step), \(operation)")
        #expect(node.selection == shown && node.memberCount == members.count)
        #expect(zip(node.members, members).allSatisfy { $0 === $1 })
        if operation != .edit {
          let isSame = shown.map { members[$0] } === formerNode || (former == 0 && expected.isEmpty)
          #expect(shadow.deliveryCount - deliveries == (isSame ? 0 : 1), "\(operation)")
        }
        try shadow.check()
        try checker.check(node)
      }
    }
    try tally.check()
  }

  // MARK: Reported changes

  @Test func whatIsNotShownIsNotReceived() {
    let shown = ArrayNode([1])
    let hidden = BranchNode(value: 7, leaves: [2])
    let node = SegmentNode([shown, hidden, shown], selection: 2)
    var received: [ChangeSet] = []
    let token = node.observe { received.append($0) }
    hidden.append(.leaf(3))
    hidden.value = 8
    node.selection = 0
    #expect(received.isEmpty && node.value == nil, "member 0 is the same node")
    shown.append(4)
    node.selection = 1
    hidden.value = 9
    #expect(
      received == [
        ChangeSet(.insertion(1..<2)), ChangeSet(Delta(removals: [0..<2], insertions: [0..<2])),
      ])
    #expect("\(node)" == "SegmentNode(member 1 of 3) [2, 3]")
    token.cancel()
  }

  @Test func changesBelowAreReceived() {
    let section = ArrayNode([1])
    let node = SegmentNode([BranchNode([section])], selection: 0)
    var received: [ChangeSet] = []
    let token = node.observe { received.append($0) }
    section.append(2)
    #expect(received == [ChangeSet(.insertion(1..<2)).wrapped(at: 0)] && node.child(at: 0) === section)
    token.cancel()
  }

  @Test func switchingThereAndBackInATransaction() {
    let node = SegmentNode([ArrayNode([1]), ArrayNode<Int>()], selection: 0)
    var received: [ChangeSet] = []
    let token = node.observe { received.append($0) }
    node.performUpdates {
      node.selection = 1
      node.selection = nil
      #expect(node.isEmpty)
    }
    #expect(received == [ChangeSet(.removal(0..<1))])
    token.cancel()
  }

  // MARK: Writing

  @Test func writingGoesToTheShownMember() {
    let first = ArrayNode([1])
    let second = BranchNode(leaves: [2])
    let node = SegmentNode([first, second], selection: 0)
    node.insert(3, at: [1])
    node.move(from: [0], to: [1])
    #expect(first.elements == [3, 1])
    node.selection = 1
    node.replace(at: [0], with: 4)
    node.insert(first, at: 1)
    #expect(second.elements == [4] && node.child(at: 1) === first)
    #expect(node.remove(at: [0]).value == 4 && second.count == 1)
  }

  static let misuses = [
    Misuse("SegmentNode's members: the position 1 is out of range 0..<1.") {
      _ = SegmentNode([ArrayNode([1])], selection: 1)
    },
    Misuse("SegmentNode: nothing can be inserted, because it shows no member,") {
      SegmentNode([ArrayNode([1])]).insert(1, at: 0)
    },
    Misuse("SegmentNode: its source is a ProviderNode<Int>, which cannot be written.") {
      SegmentNode([ProviderNode(count: 1) { $0 }], selection: 0).remove(at: 0)
    },
    Misuse(
      "A cycle: JoinNode<Int> (0 children, no value) cannot become a source of SegmentNode<Int> (0 children, no value)"
    ) {
      let node = SegmentNode<Int>()
      node.appendMember(JoinNode([node]))
    },
    Misuse("SegmentNode's members: the position -1 is out of range 0..<1.") {
      SegmentNode([ArrayNode([1])]).selection = -1
    },
    Misuse("SegmentNode's members: the position 0 is out of range 0..<0.") { _ = SegmentNode<Int>().member(at: 0) },
    Misuse("SegmentNode's members: the position 0 is out of range 0..<0.") { SegmentNode<Int>().removeMember(at: 0) },
    Misuse("SegmentNode's members: the position 0 is out of range 0..<0.") {
      SegmentNode<Int>().moveMember(from: 0, to: 0)
    },
    Misuse("SegmentNode's members: the position 1 of an insertion is out of range 0...0.") {
      SegmentNode<Int>().insertMember(ArrayNode(), at: 1)
    },
    Misuse("SegmentNode: the range 0..<1 is out of range 0..<0.") {
      SegmentNode<Int>().forEachSpan(in: 0..<1) { _, _ in }
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
