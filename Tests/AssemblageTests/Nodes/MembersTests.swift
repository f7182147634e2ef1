import Assemblage
import Foundation
import TestSupport
import Testing

/// Members of joins and segment nodes, and children of branches, by identity.
@Suite struct MembersTests: MisuseSuite {
  private let family = ArrayNode(["Dad", "Mum"])
  private let friends = ArrayNode(["Best mate"])
  private let me = ArrayNode(["me"])

  @Test func membersOfAJoinAreEditedByIdentity() {
    let everyone = JoinNode([family, friends])
    var heard: [ChangeSet] = []
    let token = everyone.observe { heard.append($0) }
    #expect(everyone.position(ofMember: friends) == 1 && everyone.position(ofMember: me) == nil)
    #expect(everyone.range(ofMember: friends) == 2..<3 && everyone.range(ofMember: me) == nil)
    everyone.insertMember(me, before: family)
    #expect(everyone.elements == ["me", "Dad", "Mum", "Best mate"])
    #expect(everyone.removeMember(family) == 1 && everyone.removeMember(family) == nil)
    everyone.insertMember(me, after: friends)
    #expect(everyone.positions(ofMember: me) == [0, 2] && everyone.position(ofMember: me) == 0)
    everyone.replaceMember(me, with: family)
    #expect(everyone.elements == ["Dad", "Mum", "Best mate", "me"])
    #expect(
      heard == [
        ChangeSet(.insertion(0..<1)), ChangeSet(.removal(1..<3)), ChangeSet(.insertion(2..<3)),
        ChangeSet(Delta(removals: [0..<1], insertions: [0..<2])),
      ])
    token.cancel()
  }

  @Test func membersOfASegmentNodeAreShownByIdentity() {
    let library = SegmentNode([family, friends], selection: 0)
    #expect(library.select(friends) == 1 && library.elements == ["Best mate"])
    library.insertMember(me, after: family)
    #expect(library.selection == 2 && library.select(ArrayNode(["?"])) == nil && library.selection == 2)
    #expect(library.removeMember(friends) == 2 && library.selection == nil)
    library.replaceMember(me, with: friends)
    #expect(library.select(friends) == 1 && library.position(ofMember: family) == 0)
  }

  @Test func childrenOfABranchAreEditedByIdentity() {
    let sections = BranchNode([family, friends])
    var heard: [ChangeSet] = []
    let token = sections.observe { heard.append($0) }
    sections.insert(.leaf("one"), before: friends)
    sections.insert(me, after: friends)
    #expect(sections.position(ofMember: friends) == 2 && sections.position(ofMember: me) == 3)
    #expect(sections.remove(family) == 0 && sections.remove(family) == nil)
    sections.replace(friends, with: .leaf("two"))
    sections.insert(me, before: me)
    #expect(sections.positions(ofMember: me) == [2, 3] && sections.elements == ["one", "two"])
    #expect(
      heard == [
        ChangeSet(.insertion(1..<2)), ChangeSet(.insertion(3..<4)), ChangeSet(.removal(0..<1)),
        ChangeSet(Delta(removals: [1..<2], insertions: [1..<2])), ChangeSet(.insertion(2..<3)),
      ])
    token.cancel()
  }

  @Test func theRangesOfSectionsAreThoseOfTheFlatList() {
    let letters = GroupNode(ArrayNode(["bee", "ant", "bat", "cow"])) { $0.first }
    let flat = FlattenNode(letters)
    for ordinal in 0..<letters.count {
      #expect(letters.flatRange(ofSection: ordinal) == flat.range(ofMember: ordinal))
      #expect(flat.range(ofMember: letters.section(at: ordinal)) == flat.range(ofMember: ordinal))
    }
    #expect(letters.flatRange(ofSection: 1) == 2..<3 && flat.range(ofMember: family) == nil)
  }

  static let misuses = [
    Misuse("JoinNode<Int>: the ArrayNode<Int> that was named is none of its 1 members.") {
      JoinNode([ArrayNode([1])]).insertMember(ArrayNode([2]), before: ArrayNode([1]))
    },
    Misuse("BranchNode: the ArrayNode<Int> that was named is none of its 1 children.") {
      BranchNode<Int>(leaves: [1]).insert(.leaf(2), after: ArrayNode([1]))
    },
    Misuse("BranchNode: the ArrayNode<Int> that was named is none of its 1 children.") {
      BranchNode<Int>(leaves: [1]).replace(ArrayNode([1]), with: .leaf(2))
    },
    Misuse("SegmentNode<Int>: the ArrayNode<Int> that was named is none of its 1 members.") {
      SegmentNode([ArrayNode([1])]).replaceMember(ArrayNode([1]), with: ArrayNode([2]))
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
