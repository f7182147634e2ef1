import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@Suite struct JoinNodeTests {
  @Test func theExampleHolds() {
    let family = ArrayNode(["Dad", "Mum"])
    let friends = ArrayNode(["Best mate"])
    let everyone = JoinNode([family, friends])
    #expect(everyone.elements == ["Dad", "Mum", "Best mate"])
    #expect(everyone.locate(2) == (member: 1, position: 0))
    #expect(everyone.locate(2).member == 1)
    var received: [ChangeSet] = []
    let token = everyone.observe { received.append($0) }
    friends.append("Bo")
    #expect(received == [ChangeSet(.insertion(3..<4))])
    everyone.insert("Aunt", at: [2])
    #expect(family.elements == ["Dad", "Mum", "Aunt"])
    token.cancel()
  }

  @Test func itMayHaveNoMembersOrEmptyOnes() {
    let none = JoinNode<Int>()
    #expect(none.isEmpty && none.memberCount == 0 && none.elements.isEmpty && none.members.isEmpty)
    #expect(none.element(at: 0) == nil && none.child(at: 0) == nil)
    let empty = JoinNode<Int>([ArrayNode<Int>(), SingleNode<Int>(), JoinNode<Int>()])
    #expect(empty.isEmpty && empty.memberCount == 3 && empty.range(ofMember: 2) == 0..<0)
    #expect("\(empty)" == "JoinNode []")
  }

  // MARK: Positions

  /// Every vector of up to five members of up to two children: the maps are inverses of each other.
  @Test func positionsMapThereAndBack() {
    Exhaustive.forEachVector(over: [0, 1, 2], upTo: 5) { sizes in
      let join = JoinNode(sizes.map { ArrayNode(0..<$0) })
      var global = 0
      var isRight = join.count == sizes.reduce(0, +) && join.memberCount == sizes.count
      for (ordinal, size) in sizes.enumerated() {
        isRight = isRight && join.range(ofMember: ordinal) == global..<global + size
        for position in 0..<size {
          isRight = isRight && join.locate(global) == (ordinal, position)
          isRight = isRight && join.position(of: position, inMember: ordinal) == global
          isRight = isRight && join.element(at: global) == position
          global += 1
        }
      }
      #expect(isRight, "\(sizes)")
    }
  }

  // MARK: Members

  private func node(_ elements: Range<Int>) -> ArrayNode<Int> { ArrayNode(elements) }

  @Test func membersComeAndGo() {
    let first = node(0..<2)
    let second = node(10..<13)
    let join = JoinNode([first])
    var received: [ChangeSet] = []
    let token = join.observe { received.append($0) }

    join.appendMember(second)
    #expect(received.last == ChangeSet(.insertion(2..<5)) && join.elements == [0, 1, 10, 11, 12])
    join.insertMember(node(20..<21), at: 1)
    #expect(received.last == ChangeSet(.insertion(2..<3)) && join.elements == [0, 1, 20, 10, 11, 12])
    #expect(join.member(at: 2) === second && join.members.map { $0.count } == [2, 1, 3])
    join.moveMember(from: 2, to: 0)
    #expect(received.last == ChangeSet(.move(3..<6, to: 0)) && join.elements == [10, 11, 12, 0, 1, 20])
    second.append(13)
    #expect(received.last == ChangeSet(.insertion(3..<4)))
    #expect(join.removeMember(at: 0) === second)
    #expect(received.last == ChangeSet(.removal(0..<4)) && join.elements == [0, 1, 20])
    second.append(14)
    #expect(received.count == 5, "a former member concerns nobody")
    #expect(join.replaceMember(at: 0, with: second) === first)
    #expect(received.last == ChangeSet(Delta(removals: [0..<2], insertions: [0..<5])))
    first.append(2)
    second.remove(at: 0)
    #expect(received.count == 7 && received.last == ChangeSet(.removal(0..<1)))
    token.cancel()
  }

  @Test func whatChangesNoPositionIsNotDelivered() {
    let full = node(0..<3)
    let empty = node(0..<0)
    let join = JoinNode([full, empty, full])
    var deliveries = 0
    let token = join.observe { _ in deliveries += 1 }
    join.insertMember(node(0..<0), at: 1)
    join.removeMember(at: 1)
    join.moveMember(from: 1, to: 0)
    join.moveMember(from: 0, to: 1)
    join.moveMember(from: 1, to: 1)
    #expect(join.replaceMember(at: 0, with: full) === full)
    _ = join.replaceMember(at: 1, with: node(0..<0))
    #expect(deliveries == 0 && join.elements == [0, 1, 2, 0, 1, 2])
    full.append(3)
    #expect(deliveries == 1)
    token.cancel()
  }

  @Test func membersChangeInATransaction() {
    let first = node(0..<3)
    let second = node(10..<12)
    let join = JoinNode([first])
    var received: [ChangeSet] = []
    let token = join.observe { received.append($0) }
    join.performUpdates {
      join.appendMember(second)
      second.append(12)
      first.remove(at: 0)
      join.moveMember(from: 1, to: 0)
    }
    #expect(join.elements == [10, 11, 12, 1, 2])
    #expect(received == [ChangeSet(Delta(removals: [0..<1], insertions: [0..<3]))])
    join.performUpdates {
      join.appendMember(second)
      second.append(13)
      join.removeMember(at: 2)
    }
    #expect(received.count == 2 && received.last == ChangeSet(.insertion(3..<4)))
    token.cancel()
  }

  /// Every vector of up to three members, every change of the members, followed by a shadow.
  @Test func everyChangeOfMembersIsFollowed() throws {
    var next = 0
    func member(_ size: Int) -> ArrayNode<Row> {
      next += size
      return ArrayNode((next - size..<next).map { Row(id: $0) })
    }
    func check(_ sizes: [Int], _ change: (JoinNode<Row>) -> Void) throws {
      let join = JoinNode(sizes.map { member($0) })
      let shadow = ShadowTree(of: join, id: \.id)
      change(join)
      // The links are right if each member's change still arrives at the right positions.
      for ordinal in 0..<join.memberCount {
        let array = join.member(at: ordinal) as? ArrayNode<Row>
        array?.append(Row(id: next))
        next += 1
      }
      try shadow.check()
      try checkNode(join, shows: join.members.flatMap { NaiveTree(of: $0).children })
    }
    for sizes in Exhaustive.vectors(over: [0, 1, 2], upTo: 3) {
      for ordinal in 0...sizes.count {
        for size in 0...2 { try check(sizes) { $0.insertMember(member(size), at: ordinal) } }
      }
      for ordinal in sizes.indices {
        try check(sizes) { $0.removeMember(at: ordinal) }
        for size in 0...2 { try check(sizes) { $0.replaceMember(at: ordinal, with: member(size)) } }
        for destination in sizes.indices {
          try check(sizes) { $0.moveMember(from: ordinal, to: destination) }
        }
      }
    }
  }

  @Test func joinsAreNested() {
    let leaves = (0..<4).map { node($0 * 10..<$0 * 10 + 2) }
    let left = JoinNode([leaves[0], leaves[1]])
    let right = JoinNode([leaves[2], leaves[3]])
    let all = JoinNode<Int>([left, leaves[0], right])
    var received: [ChangeSet] = []
    let token = all.observe { received.append($0) }
    #expect(all.elements == [0, 1, 10, 11, 0, 1, 20, 21, 30, 31])
    #expect(all.locate(8) == (2, 2) && right.locate(2) == (1, 0))
    leaves[3].insert(39, at: 0)
    #expect(received.last == ChangeSet(.insertion(8..<9)))
    leaves[0].append(2)
    #expect(received.last == ChangeSet(Delta(insertions: [2..<3, 7..<8])))
    left.removeMember(at: 1)
    #expect(received.last == ChangeSet(.removal(3..<5)))
    right.moveMember(from: 1, to: 0)
    #expect(all.elements == [0, 1, 2, 0, 1, 2, 39, 30, 31, 20, 21])
    all.insert(99, at: [9])
    #expect(leaves[3].elements == [39, 30, 31, 99])
    #expect(received.count == 5)
    token.cancel()
  }

  @Test func childrenThatAreNodesKeepTheirChanges() {
    let inner = ArrayNode(["a"])
    let branch = BranchNode([.leaf("x"), .node(inner)])
    let before = ArrayNode(["0"])
    let join = JoinNode([before, branch])
    var received: [ChangeSet.Paths] = []
    let token = join.observe { received.append($0.paths) }
    inner.append("b")
    #expect(received.last?.insertions == [[2, 1]])
    #expect(join[[2, 1]] == "b" && join.child(at: 2) === inner)
    join.performUpdates {
      before.append("1")
      inner.append("c")
    }
    #expect(received.last?.insertions == [[1], [3, 2]])
    branch.value = "the member's own value is no child of the join"
    #expect(received.count == 2)
    token.cancel()
  }

  /// c is a child of the slice before it moves below a, and a row of the other member afterwards. Its child d is a row of
  /// that member before, and below c afterwards.
  @Test func aChildOfTwoMembersStaysWithItsOwnChildren() throws {
    let forest = try ForestNode(
      TreeSnapshot(children: [
        TreeSnapshot(value: "a", children: []), TreeSnapshot(leaf: "b"), TreeSnapshot(value: "c", leaves: ["d"]),
      ]))
    let (slice, rows) = (SliceNode(forest, 1..<3), FlattenNode(forest, levels: 1))
    let join = JoinNode([slice, rows])
    let sections = BranchNode([slice, rows])
    let checker = NodeChecker<String>(id: { $0 })
    let shadows = [ShadowTree(of: join, checker: checker), ShadowTree(of: sections, checker: checker)]
    var received: [ChangeSet] = []
    let token = join.observe { received.append($0) }
    #expect(join.elements == ["b", "c", "b", "d"])
    forest.move(from: [2], to: [0, 0])
    #expect(join.elements == ["b", "c", "b"])
    for shadow in shadows { try shadow.check() }
    forest.move(from: [0, 0], to: [2])
    for shadow in shadows { try shadow.check() }
    #expect(received == [ChangeSet(.removal(3..<4)), ChangeSet(.insertion(3..<4))])
    token.cancel()
  }

  // MARK: Writing

  /// Every boundary and every place between boundaries: the member with the preceding element gets the insertion.
  @Test func anInsertionGoesToTheEarlierMember() {
    for sizes in Exhaustive.vectors(over: [0, 1, 2], upTo: 4) where !sizes.isEmpty {
      for position in 0...sizes.reduce(0, +) {
        let members = sizes.map { ArrayNode(Array(repeating: 0, count: $0)) }
        let join = JoinNode(members)
        let owner = position == 0 ? 0 : join.locate(position - 1).member
        join.insert(7, at: position)
        let isRight =
          join.element(at: position) == 7 && members[owner].contains(7)
          && members.indices.allSatisfy { members[$0].count == sizes[$0] + ($0 == owner ? 1 : 0) }
        #expect(isRight, "\(position) in \(sizes)")
      }
    }
  }

  /// Every move in every vector of up to three members. The element moves to the given position, and stays in its
  /// member if possible.
  @Test func aMoveStaysInItsMemberWhereItCan() {
    for sizes in Exhaustive.vectors(over: [0, 1, 2], upTo: 3) {
      let total = sizes.reduce(0, +)
      for source in 0..<total {
        for destination in 0..<total {
          var next = 0
          let members = sizes.map { size in
            next += size
            return ArrayNode(next - size..<next)
          }
          let join = JoinNode(members)
          var received: [ChangeSet] = []
          let token = join.observe { received.append($0) }
          let owner = join.locate(source).member
          let stays = join.range(ofMember: owner).contains(destination)
          var model = Array(0..<total)
          model.insert(model.remove(at: source), at: destination)
          join.move(from: source, to: destination)

          var isRight = join.elements == model && received.count == (source == destination ? 0 : 1)
          let move = Delta.move(source..<source + 1, to: destination)
          isRight = isRight && received == (source == destination ? [] : [ChangeSet(move)])
          if stays {
            isRight = isRight && members.indices.allSatisfy { members[$0].count == sizes[$0] }
          } else {
            // The boundary belongs to the member with the preceding element.
            let goal = destination == 0 ? 0 : join.locate(destination - 1).member
            isRight = isRight && members[goal].contains(source)
          }
          #expect(isRight, "\(source) to \(destination) in \(sizes): \(join.elements), \(received)")
          token.cancel()
        }
      }
    }
  }

  @Test func removalsAndReplacementsGoToTheOwner() {
    let members = [node(0..<2), node(10..<11)]
    let join = JoinNode(members)
    #expect(join.remove(at: [2]).value == 10)
    join.replace(at: [0], with: 5)
    #expect(members[0].elements == [5, 1] && members[1].isEmpty)
    // A single node has a place for one element, too.
    let single = SingleNode(20)
    join.appendMember(single)
    join.replace(at: [2], with: 21)
    #expect(single.content == 21 && join.remove(at: [2]).value == 21 && single.content == nil)
  }

  // MARK: Lifetimes

  @Test func membersAreKeptAsLongAsTheyAreMembers() throws {
    try withLifetimeTracking { tracker in
      let join = JoinNode<Tracked<Int>>()
      join.appendMember(ArrayNode(tracker.track(0..<3)))
      join.appendMember(ArrayNode(tracker.track(3..<5)))
      #expect(tracker.liveCount == 5)
      _ = join.replaceMember(at: 0, with: SingleNode(tracker.track(9)))
      #expect(tracker.liveCount == 3)
      join.moveMember(from: 0, to: 1)
      join.removeMember(at: 0)
      #expect(tracker.liveCount == 1)
    }
  }
}
