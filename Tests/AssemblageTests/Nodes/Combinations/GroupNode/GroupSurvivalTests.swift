@testable import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Survivors of a transaction are never reported as removed: sections that emptied and were refilled, rows that left
/// and returned.
@Suite struct GroupSurvivalTests {
  /// Returns the change that a node reports of a transaction.
  private func reported<Element>(
    _ node: some TreeNode<Element>, _ body: () -> Void, sourceLocation: SourceLocation = #_sourceLocation
  ) -> ChangeSet {
    var received: [ChangeSet] = []
    let token = node.observe { received.append($0) }
    node.performUpdates(body)
    token.cancel()
    #expect(received.count <= 1, sourceLocation: sourceLocation)
    return received.first ?? ChangeSet()
  }

  @Test func aSectionThatEmptiesAndRefillsStays() {
    let words = ArrayNode(["ant", "bee"])
    let letters = GroupNode(words) { $0.first }
    let change = reported(letters) {
      words.remove(at: 0)
      words.insert("ape", at: 0)
    }
    #expect(change == ChangeSet(Delta(removals: [0..<1], insertions: [0..<1])).wrapped(at: 0))
    let emptied = reported(letters) { words.remove(at: 0) }
    #expect(emptied == ChangeSet(.removal(0..<1)))
    #expect(reported(letters) { words.append("ape") } == ChangeSet(.insertion(1..<2)), "another transaction")
  }

  @Test func aSectionThatEmptiesAndRefillsElsewhereMoves() {
    let words = ArrayNode(["ant", "bee"])
    let letters = GroupNode(words) { $0.first }
    let section = letters.section(at: 0)
    let change = reported(letters) {
      words.remove(at: 0)
      words.append("cow")
      words.append("ape")
      words.append("asp")
    }
    let inside = ChangeSet(Delta(removals: [0..<1], insertions: [0..<2]))
    #expect(
      change
        == ChangeSet(
          delta: Delta(insertions: [1..<2], moves: [.init(from: 0..<1, to: 2..<3)]), children: [(2, inside)]))
    #expect(letters.section(at: 2) === section)
  }

  @Test func anUpdateThatChangesKeysWhileRowsLeaveKeepsSections() {
    let source = ArrayNode([Row(id: 0, version: 9), Row(id: 1, version: 1), Row(id: 2, version: 2)])
    let group = GroupNode(source, header: { Row(id: -1 - $0) }) { $0.version }
    let change = reported(group) {
      source.remove(at: 2)
      source[0].version = 2
    }
    // The section 9 is gone. The section 2 lies before the section 1, with a row from the section 1.
    #expect(change.delta == Delta(removals: [0..<1], moves: [.init(from: 2..<3, to: 0..<1)]))
    #expect(change.transfers == [.init(from: [0, 0], to: [0, 0], change: ChangeSet(updatesValue: true))])
  }

  @Test func aRowThatGoesToAnotherSectionAndBackStays() {
    let source = ArrayNode([Row(id: 0), Row(id: 1, version: 1), Row(id: 2)])
    let group = GroupNode(source) { $0.version }
    let sections = [group.section(at: 0), group.section(at: 1)]
    let received = reported(sections[0]) {
      source[0].version = 1
      source[0].version = 0
    }
    #expect(received == ChangeSet(.update(0..<1)))
    let other = reported(sections[1]) {
      source[1].version = 0
      source.insert(Row(id: 3, version: 1), at: 0)
      source[2].version = 1
    }
    #expect(other == ChangeSet(Delta(insertions: [0..<1], updates: [1..<2])))
    let both = reported(group) {
      source[0].version = 2
      source[0].version = 1
    }
    #expect(both == ChangeSet(.update(0..<1)).wrapped(at: 0))
  }

  /// A row passes through sections, leaves the source and returns, and is edited at each stage.
  @Test(arguments: [[1], [1, 2], []], [[], [1], [2], [1, 2]])
  func aRowThatLeavesTheSourceOnItsWayAndComesBackStays(_ out: [Int], _ back: [Int]) throws {
    let rows = ArrayNode((0..<6).map { Row(id: $0, version: $0 % 3) })
    let source = FilterNode(rows) { $0.version < 3 }
    let group = GroupNode(source, header: { Row(id: -1 - $0) }) { $0.version }
    let sections = (0..<3).map { group.section(at: $0) }
    let nodes: [any TreeNode<Row>] =
      sections + [
        group, JoinNode([sections[0], sections[2]]), JoinNode([sections[2], sections[0]]), JoinNode(sections),
        BranchNode(sections), FilterNode(sections[0]) { _ in true }, GroupNode(sections[0]) { $0.id % 2 },
        SortNode(JoinNode([sections[1], sections[0]])) { $0.id < $1.id },
      ]
    let shadows = nodes.map {
      ShadowTree(of: $0, id: \.id, minimality: [.survivors, .fewestMoves, .acrossParents])
    }
    func go(_ row: Int, to key: Int) { rows[row].version = key }
    for row in 0..<3 {
      for times in 1...2 {
        source.performUpdates {
          for _ in 0..<times { for key in out + [3] + back { go(row, to: key) } }
          go(row, to: row)
        }
        for shadow in shadows { try shadow.check() }
        source.performUpdates { for key in out + [3] + back { go(row, to: key) } }
        for shadow in shadows { try shadow.check() }
        source.performUpdates { for key in out + [3] + back + [row] { go(row, to: key) } }
        for shadow in shadows { try shadow.check() }
      }
    }
  }

  /// A row that was in another section for a while is reported as updated in its own section.
  @Test(arguments: [false, true]) func aRowThatChangesInAnotherSectionComesBackChanged(_ isNested: Bool) throws {
    let row = BranchNode<Row>(value: Row(id: 0), leaves: [])
    let source = BranchNode<Row>([row, BranchNode<Row>(value: Row(id: 1, version: 1), leaves: [])])
    let group = GroupNode(source, header: { Row(id: -1 - $0) }) { $0.version % 2 }
    let sections = (0..<2).map { group.section(at: $0) }
    let nodes: [any TreeNode<Row>] = sections + [JoinNode(sections), BranchNode(sections), group]
    let shadows = nodes.map { ShadowTree(of: $0, id: \.id, minimality: [.survivors, .acrossParents]) }
    group.performUpdates {
      row.value = Row(id: 0, version: 1)
      if isNested { row.append(.leaf(Row(id: 2))) }
      row.value = Row(id: 0, version: 2)
    }
    for shadow in shadows { try shadow.check() }
    #expect(shadows.map(\.deliveryCount) == [1, 0, 1, 1, 1])
    #expect(sections[0].elements == [Row(id: 0, version: 2)])
  }

  /// Each setting of a key is a settlement of its own. A row that moves to another section and back is reported as two
  /// rows.
  @Test func aRowThatAnotherKeyMovesForAWhileIsReplayed() throws {
    let source = ArrayNode([Row(id: 0), Row(id: 1, version: 1)])
    let group = GroupNode(source, header: { Row(id: -1 - $0) }) { $0.version }
    let section = group.section(at: 0)
    let shadows = [group, section].map { (node: any TreeNode<Row>) in ShadowTree(of: node, id: \.id, minimality: []) }
    let recorder = ChangeRecorder(of: section)
    group.performUpdates {
      group.setKey { _ in 1 }
      source[0] = Row(id: 0, version: 2)
      group.setKey { $0.id }
    }
    for shadow in shadows { try shadow.check() }
    #expect(recorder.recording.changes.map(\.description) == ["[-0, +0]"])
    #expect(section.elements == [Row(id: 0, version: 2)])
  }

  @Test func aMoveWhereTheSourceStandsTwiceKeepsTheSection() {
    let source = ArrayNode([Row(id: 0), Row(id: 1, version: 1)])
    let join = JoinNode([source, source])
    let group = GroupNode(source) { $0.version }
    #expect(reported(group) { join.move(from: 2, to: 0) } == ChangeSet())
  }

  /// A section that emptied and was refilled is the same section for nodes on the group.
  @Test(arguments: 0..<6) func nodesOnAGroupKeepItsSections(_ kind: Int) throws {
    let source = ArrayNode((0..<4).map { Row(id: $0, version: $0) })
    let group = GroupNode(source, header: { Row(id: -1 - $0) }) { $0.version }
    let node: any TreeNode<Row> =
      switch kind {
      case 0: JoinNode([group, ArrayNode([])])
      case 1: FilterNode(group) { _ in true }
      case 2: SortNode(group) { $0.id < $1.id }
      case 3: SegmentNode([group], selection: 0)
      case 4: BranchNode([group])
      default: MapNode(group) { $0 }
      }
    let shadow = ShadowTree(of: node, checker: NodeChecker<Row>(id: \.id))
    group.performUpdates {
      source.remove(at: 0)
      source[0].version = 3
      source.append(Row(id: 7, version: 0))
      source[0].version = 2
    }
    try shadow.check()
    #expect(shadow.deliveryCount == 1)
  }
}
