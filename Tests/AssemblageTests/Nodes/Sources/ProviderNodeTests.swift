@_spi(NodeAuthors) import Assemblage
import AssemblageTesting
import TestSupport
import Testing

@Suite struct ProviderNodeTests: MisuseSuite {
  @Test func theExampleHolds() {
    let squares = ProviderNode(count: 1_000_000_000) { $0 * $0 }
    #expect(squares.element(at: 12) == 144)
    squares.announce(.insertion(1_000_000_000..<1_000_000_001))
    #expect(squares.count == 1_000_000_001)
    #expect(squares.element(at: 1_000_000_000) == 1_000_000_000_000_000_000)
    #expect(squares.element(at: 1_000_000_001) == nil && squares.element(at: -1) == nil)
  }

  @Test func announcementsAreDeliveredAsTheyAre() {
    var rows = ["a", "b", "c"]
    let node = ProviderNode(count: 3) { rows[$0] }
    var received: [ChangeSet] = []
    let token = node.observe { received.append($0) }
    rows = ["c", "x", "a"]
    let delta = Delta(
      removals: [1..<2], insertions: [1..<2], updates: [2..<3], moves: [Delta.Move(from: 2..<3, to: 0..<1)])
    node.announce(delta)
    #expect(received == [ChangeSet(delta)])
    #expect(node.elements == rows)
    rows = []
    node.announce(.removal(0..<3))
    #expect(node.isEmpty && received.count == 2)
    node.announce(Delta())
    #expect(received.count == 2)
    token.cancel()
  }

  @Test func aReplacementRemovesAndInsertsEverything() {
    var rows = [1, 2]
    let node = ProviderNode(count: 2) { rows[$0] }
    var received: [ChangeSet] = []
    let token = node.observe { received.append($0) }
    rows = [7, 8, 9]
    node.reset(count: 3)
    #expect(node.elements == [7, 8, 9])
    rows = []
    node.reset(count: 0)
    node.reset(count: 0)
    rows = [5]
    node.reset(count: 1)
    #expect(
      received == [
        ChangeSet(Delta(removals: [0..<2], insertions: [0..<3])), ChangeSet(.removal(0..<3)),
        ChangeSet(.insertion(0..<1)),
      ])
    token.cancel()
  }

  /// Every range of every short list, with every new count. The test checks the data, the reported changes, and a
  /// derived node.
  @Test func whatIsInvalidatedIsLookedAtAgain() throws {
    for count in 0...4 {
      for lower in 0...count {
        for upper in lower...count {
          for new in 0...4 {
            var rows = Array(0..<count)
            let node = ProviderNode(count: count) { rows[$0] }
            let filter = FilterNode(node) { $0 % 3 != 1 }
            let checker = NodeChecker<Int>(areEqual: ==)
            let (shadow, derived) = (ShadowTree(of: node, checker: checker), ShadowTree(of: filter, checker: checker))
            var received: [Delta] = []
            let token = node.observe { received.append($0.delta) }
            rows.replaceSubrange(lower..<upper, with: (0..<new).map { 10 + $0 })
            node.refresh(lower..<upper, count: new == upper - lower ? nil : new)
            let kept = lower + min(new, upper - lower)
            let expected = Delta(
              removals: [kept..<upper], insertions: [kept..<lower + new], updates: [lower..<kept])
            #expect(received == (expected.isEmpty ? [] : [expected]))
            #expect(node.elements == rows && filter.elements == rows.filter { $0 % 3 != 1 })
            try checker.check(node)
            try shadow.check()
            try derived.check()
            token.cancel()
          }
        }
      }
    }
  }

  @Test func everythingIsInvalidated() {
    var lines = ["a", "b", "c", "d"]
    let page = ProviderNode(count: 4) { lines[$0] }
    let sorted = SortNode(page, by: <)
    var received: [Delta] = []
    let token = page.observe { received.append($0.delta) }
    lines = ["d", "c", "b", "a"]
    page.refresh()
    #expect(received == [.update(0..<4)] && sorted.elements == ["a", "b", "c", "d"])
    lines = ["z"]
    page.refresh(count: 1)
    #expect(received.last == Delta(removals: [1..<4], updates: [0..<1]) && sorted.elements == ["z"])
    lines = []
    page.refresh(count: 0)
    page.refresh()
    #expect(received.count == 3 && received.last == .removal(0..<1))
    token.cancel()
  }

  @Test func anInvalidationIsTakenBackWhereItsOwnerSaysHow() {
    struct Stop: Error {}
    var lines = ["a", "b"]
    let page = ProviderNode(count: 2) { lines[$0] }
    let filter = FilterNode(page) { $0 != "b" }
    var deliveries = 0
    let token = filter.observe { _ in deliveries += 1 }
    let log = UndoLog(of: page)
    func replace(with new: [String]) {
      let former = lines
      lines = new
      page.refresh(count: new.count) { replace(with: former) }
    }
    #expect(throws: Stop.self) {
      try page.performUpdates {
        replace(with: ["x", "y", "z"])
        throw Stop()
      }
    }
    #expect(filter.elements == ["a"] && deliveries == 0 && log.undoCount == 0)
    replace(with: ["b", "b", "c"])
    #expect(filter.elements == ["c"])
    #expect(log.undo() && filter.elements == ["a"])
    #expect(log.redo() && filter.elements == ["c"])
    token.cancel()
  }

  static let misuses = [
    Misuse("ProviderNode: the range 2..<4 is out of range 0..<3.") { ProviderNode(count: 3) { $0 }.refresh(2..<4) },
    Misuse("ProviderNode: the count -1 is negative.") { ProviderNode(count: 3) { $0 }.refresh(1..<2, count: -1) },
    Misuse("ProviderNode: 9223372036854775807 elements in place of 1 of 3 would overflow the count.") {
      ProviderNode(count: 3) { $0 }.refresh(1..<2, count: .max)
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }

  @Test func nothingIsStoredAndNothingAskedForInVain() {
    var asked: [Int] = []
    let node = ProviderNode(count: 5) { position in
      asked.append(position)
      return position
    }
    let join = JoinNode([node, node])
    #expect(asked.isEmpty)
    #expect(join.element(at: 7) == 2 && asked == [2])
    node.announce(.update(1..<3))
    #expect(asked == [2])
    let filter = FilterNode(node) { $0 % 2 == 0 }
    #expect(asked == [2, 0, 1, 2, 3, 4])
    node.announce(.update(1..<3))
    #expect(asked == [2, 0, 1, 2, 3, 4, 1, 2])
    #expect(filter.elements == [0, 2, 4])
  }

  @Test func itCannotBeWritten() {
    let node = ProviderNode(count: 1) { $0 }
    #expect(node.writer == nil && !(node is any WritableNode<Int>))
  }

  /// A billion elements in a join: every operation asks for the few elements it needs.
  @Test func aBillionElementsInAJoinStayCheap() {
    var asked = 0
    let billion = 1_000_000_000
    let source = ProviderNode(count: billion) { position in
      asked += 1
      return position
    }
    let before = ArrayNode([-2, -1])
    let join = JoinNode<Int>([before, source, source])
    var received: [ChangeSet] = []
    let token = join.observe { received.append($0) }
    #expect(join.count == 2 * billion + 2)
    #expect(join.element(at: billion + 1) == billion - 1 && join.element(at: billion + 2) == 0)
    #expect(join.locate(2 * billion + 1) == (2, billion - 1))
    #expect(join.range(ofMember: 2) == billion + 2..<2 * billion + 2)
    before.append(0)
    source.announce(.insertion(500..<billion))
    // The second of the two members begins at 2 * billion - 497 by then.
    let grown = Delta(insertions: [503..<billion + 3, 2 * billion + 3..<3 * billion - 497])
    #expect(received.count == 2 && received.last == ChangeSet(grown))
    #expect(join.count == 2 * (2 * billion - 500) + 3)
    source.announce(.removal(0..<source.count))
    join.removeMember(at: 1)
    #expect(join.elements == [-2, -1, 0])
    var spans: [Int] = []
    source.announce(.insertion(0..<billion))
    join.forEachSpan(in: billion - 300..<billion) { start, span in
      spans.append(start)
      #expect(span[0] == start - 3)
    }
    #expect(spans.first == billion - 300)
    #expect(asked < 1_000)
    token.cancel()
  }
}
