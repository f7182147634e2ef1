@_spi(NodeAuthors) @testable import Assemblage
import Foundation
import TestSupport
import Testing

/// A transaction whose body throws leaves no trace.
@Suite struct RollbackTests {
  struct Stop: Error {}

  /// Runs a transaction that throws after `body`.
  private func rollBack(_ node: some TreeNode, _ body: () throws -> Void) {
    #expect(throws: Stop.self) {
      try node.performUpdates {
        try body()
        throw Stop()
      }
    }
  }

  @Test func aThrowingTransactionIsTakenBackAndNobodyIsNotified() {
    let source = ArrayNode([3, 8, 5])
    let large = FilterNode(source) { $0 > 4 }
    var received: [ChangeSet] = []
    let tokens = [source.observe { received.append($0) }, large.observe { received.append($0) }]
    rollBack(source) {
      source.append(9)
      source.remove(at: 1)
      source[0] = 7
      source.move(from: 0, to: 2)
      source.replaceAll(with: [5, 1, 7])
    }
    #expect(source.elements == [3, 8, 5])
    #expect(large.elements == [8, 5])
    #expect(received.isEmpty)
    source.append(10)
    #expect(received == [ChangeSet(.insertion(3..<4)), ChangeSet(.insertion(2..<3))])
    withExtendedLifetime(tokens) {}
  }

  @Test func theErrorArrivesAndTypedErrorsToo() {
    let source = ArrayNode([1])
    func run() throws(Stop) -> Int {
      try source.performUpdates { () throws(Stop) in
        source.append(2)
        throw Stop()
      }
    }
    #expect(throws: Stop.self) { try run() }
    #expect(source.elements == [1])
    let count: Int? = try? source.performUpdates { () throws(Stop) in
      source.append(2)
      return source.count
    }
    #expect(count == 2)
  }

  @Test func aBodyThatCannotThrowRecordsNothing() {
    let source = ArrayNode([1])
    source.performUpdates { #expect(!source.hub.isRecording) }
    try? source.performUpdates { () throws -> Void in #expect(source.hub.isRecording) }
    #expect(!source.hub.isRecording)
    #expect(!ArrayNode([1]).hub.isRecording)
  }

  @Test func whatWasPendingBeforeIsReceivedAsIfNothingHadHappened() {
    let source = ArrayNode(["a", "b", "c"])
    var received: [ChangeSet] = []
    let token = source.observe { received.append($0) }
    source.performUpdates {
      source.remove(at: 0)
      rollBack(source) {
        source.remove(at: 0)
        source.append("x")
      }
      source.append("d")
    }
    #expect(source.elements == ["b", "c", "d"])
    #expect(received == [ChangeSet(Delta(removals: [0..<1], insertions: [2..<3]))])
    withExtendedLifetime(token) {}
  }

  @Test func anInnerTransactionTakesBackItsOwnPartAndAnOuterOneBoth() {
    let source = ArrayNode([1, 2, 3])
    var received: [ChangeSet] = []
    let token = source.observe { received.append($0) }
    try? source.performUpdates { () throws in
      source.append(4)
      rollBack(source) { source.removeAll() }
      #expect(source.elements == [1, 2, 3, 4])
      try source.performUpdates { () throws in _ = source.remove(at: 0) }
      source.performUpdates { source.append(5) }
    }
    #expect(source.elements == [2, 3, 4, 5])
    #expect(received == [ChangeSet(Delta(removals: [0..<1], insertions: [2..<4]))])
    rollBack(source) {
      try source.performUpdates { () throws in _ = source.remove(at: 0) }
      source.performUpdates { source.append(6) }
      rollBack(source) { source.append(7) }
    }
    #expect(source.elements == [2, 3, 4, 5])
    #expect(received.count == 1)
    withExtendedLifetime(token) {}
  }

  // MARK: Observers

  @Test func whoBeginsToObserveInsideIsNotifiedOfTheEnd() {
    let source = ArrayNode([1, 2])
    var early: [ChangeSet] = []
    var late: [ChangeSet] = []
    var tokens = [source.observe { early.append($0) }]
    rollBack(source) {
      source.append(3)
      tokens.append(source.observe { late.append($0) })
      source.append(4)
    }
    #expect(early.isEmpty)
    #expect(late == [ChangeSet(.removal(2..<3))])
    // This observer was registered inside the outer transaction, before the inner one.
    late = []
    rollBack(source) {
      source.remove(at: 0)
      tokens.append(source.observe { late.append($0) })
      rollBack(source) { source.append(5) }
      try? source.performUpdates { () throws in source.append(6) }
    }
    #expect(source.elements == [1, 2])
    // A new observation settles the graph, so that the other observers receive the composed change.
    let composition = ChangeSet(Delta(removals: [0..<1], insertions: [0..<1]))
    #expect(early == [composition])
    #expect(late == [composition, ChangeSet(.insertion(0..<1))])
    withExtendedLifetime(tokens) {}
  }

  @Test func whoEndsToObserveInsideIsNotNotified() {
    let source = ArrayNode([1])
    var received = 0
    var token: NodeObservation? = source.observe { _ in received += 1 }
    rollBack(source) {
      source.append(2)
      token = nil
      source.append(3)
    }
    #expect(received == 0 && token == nil)
    #expect(source.elements == [1])
  }

  @Test func anObserverMayRollBackWhatItDoes() {
    let source = ArrayNode([1])
    var first: [ChangeSet] = []
    var second: [ChangeSet] = []
    let tokens = [
      source.observe { change in
        first.append(change)
        rollBack(source) { source.insert(0, at: 0) }
      },
      source.observe { second.append($0) },
    ]
    source.append(2)
    #expect(source.elements == [1, 2])
    #expect(first == [ChangeSet(.insertion(1..<2))])
    #expect(second == [ChangeSet(.insertion(1..<2))])
    withExtendedLifetime(tokens) {}
  }

  /// A round of deliveries runs inside a transaction. Observers that were notified there are also notified of the
  /// rollback.
  @Test func reportsInsideATransactionAreTakenBackByReports() {
    let first = ArrayNode([1])
    let second = ArrayNode([2])
    let both = JoinNode([first])
    var replay = first.elements
    var tokens = [
      first.observe { _ in
        // The two graphs become one graph, in which a transaction is open. The next observer is still notified.
        if both.memberCount == 1 { both.appendMember(second) }
        first.append(9)
      }
    ]
    tokens.append(first.observe { change in replay = change.delta.applying(to: replay) { first[$0] } })
    rollBack(second) {
      first.append(3)
      #expect(replay == [1, 3, 9])
      first.append(4)
    }
    #expect(replay == first.elements)
    #expect(both.elements == first.elements + (both.memberCount == 1 ? [] : [2]))
    withExtendedLifetime(tokens) {}
  }

  // MARK: Graphs

  @Test func nodesThatAreLinkedInsideAreTakenApart() {
    let first = ArrayNode([1])
    let second = ArrayNode([2])
    let both = JoinNode([first])
    var received: [String] = []
    let tokens = [
      both.observe { _ in received.append("both") }, second.observe { _ in received.append("second") },
    ]
    rollBack(both) {
      both.appendMember(second)
      second.append(3)
      #expect(both.elements == [1, 2, 3])
    }
    #expect(both.elements == [1])
    #expect(second.elements == [2])
    #expect(received.isEmpty)
    // The first edit of `second` is made before it is linked, so it belongs to another graph.
    rollBack(both) {
      second.append(3)
      both.removeMember(at: 0)
      both.appendMember(second)
      second.append(4)
    }
    #expect(second.elements == [2, 3, 4] || second.elements == [2])
    #expect(both.elements == [1])
    withExtendedLifetime(tokens) {}
  }

  @Test func transactionsOfTwoGraphsThatBecomeOneTakeBackTheirOwnParts() {
    let first = ArrayNode([1])
    let second = ArrayNode([2])
    let both = JoinNode([first])
    var replay = both.elements
    let token = both.observe { change in replay = change.delta.applying(to: replay) { both.element(at: $0)! } }
    rollBack(first) {
      first.append(10)
      rollBack(second) {
        first.append(11)
        second.append(20)
        both.appendMember(second)
        #expect(both.elements == [1, 10, 11, 2, 20])
        first.removeAll()
      }
      // Edits of the outer transaction's graph from before the merge belong to the outer transaction.
      #expect(first.elements == [1, 10, 11])
      #expect(second.elements == [2])
      #expect(both.elements == [1, 10, 11])
    }
    #expect(first.elements == [1] && both.elements == [1] && replay == [1])
    withExtendedLifetime(token) {}
  }

  @Test func releasedNodesComeBack() throws {
    try withLifetimeTracking { tracker in
      let both = JoinNode([ArrayNode(tracker.track(0..<2)), ArrayNode(tracker.track(2..<4))])
      rollBack(both) {
        both.removeMember(at: 0)
        both.removeMember(at: 0)
        #expect(tracker.liveCount == 4)
      }
      #expect(both.elements.map(\.payload) == [0, 1, 2, 3])
      try both.performUpdates { () throws in
        both.removeMember(at: 0)
        #expect(tracker.liveCount == 4)
      }
      #expect(tracker.liveCount == 2)
    }
  }

  // MARK: Changes that cannot be reverted

  @Test func aProviderWithoutAnInverseStaysAndIsReceived() {
    var rows = [1, 2]
    let provider = ProviderNode(count: 2) { rows[$0] }
    let array = ArrayNode([7])
    let both = JoinNode([array, provider])
    var replay = both.elements
    var received = 0
    let token = both.observe { change in
      received += 1
      replay = change.delta.applying(to: replay) { both.element(at: $0)! }
    }
    rollBack(both) {
      array.append(8)
      rows.append(3)
      provider.announce(.insertion(2..<3))
      both.removeMember(at: 0)
      rows.removeFirst()
      provider.announce(.removal(0..<1))
    }
    #expect(both.elements == [7, 2, 3])
    #expect(replay == both.elements)
    #expect(received == 1)
    withExtendedLifetime(token) {}
  }

  /// A member is removed, changes permanently, and returns. An observer that was not notified of the change still
  /// receives its result.
  @Test func aMemberThatChangesForGoodWhileItIsAwayIsReported() {
    let provider = ProviderNode(count: 2) { $0 }
    let both = JoinNode([ArrayNode([7]), provider])
    var replay = both.elements
    let token = both.observe { change in replay = change.delta.applying(to: replay) { both.element(at: $0)! } }
    try? both.performUpdates { () throws in
      rollBack(both) {
        both.removeMember(at: 1)
        provider.announce(.insertion(0..<3))
      }
      #expect(both.count == 6)
    }
    #expect(both.count == 6)
    #expect(replay == both.elements)
    withExtendedLifetime(token) {}
  }

  /// The same for views that nobody observes.
  @Test func aViewCountsAChangeThatStaysOnce() {
    var rows = [1, 2]
    let provider = ProviderNode(count: 2) { rows[$0] }
    let segment = SegmentNode<Int>([provider, ArrayNode([9])], selection: 0)
    let join = JoinNode<Int>([provider])
    let odd = FilterNode(provider) { $0 % 2 == 1 }
    let token = provider.observe { _ in }
    let edits: [() -> Void] = [
      { segment.selection = 1 }, { join.removeMember(at: 0) }, { odd.setPredicate { $0 % 2 == 0 } },
    ]
    for edit in edits {
      rollBack(provider) {
        edit()
        rows.append(rows.count + 1)
        provider.announce(.insertion(rows.count - 1..<rows.count))
      }
      #expect(segment.elements == rows && join.elements == rows && odd.elements == rows.filter { $0 % 2 == 1 })
    }
    withExtendedLifetime(token) {}
  }

  @Test func aProviderWithAnInverseIsTakenBack() {
    var rows = [1, 2]
    let provider = ProviderNode(count: 2) { rows[$0] }
    var received = 0
    let token = provider.observe { _ in received += 1 }
    func append(_ row: Int) {
      rows.append(row)
      let place = rows.count - 1
      provider.announce(
        .insertion(place..<place + 1),
        inverse: {
          rows.removeLast()
          provider.announce(.removal(place..<place + 1), inverse: { append(row) })
        })
    }
    rollBack(provider) {
      append(3)
      append(4)
      #expect(provider.elements == [1, 2, 3, 4])
    }
    #expect(provider.elements == [1, 2])
    #expect(received == 0)
    withExtendedLifetime(token) {}
  }

  // MARK: Filters

  @Test func aFilterThatNobodyReadsIsNotTranslated() {
    let source = ArrayNode(Array(0..<10))
    var limit = 5
    var calls = 0
    let filter = FilterNode(source) { number in
      calls += 1
      return number < limit
    }
    // The predicate would give other answers by now, but it has not been set again.
    limit = 0
    var received = 0
    let token = filter.observe { _ in received += 1 }
    calls = 0
    rollBack(source) {
      source.removeSubrange(2..<8)
      source[0] = 20
      source.move(from: 0, to: 3)
      source.removeAll()
    }
    #expect(filter.elements == [0, 1, 2, 3, 4])
    #expect(calls == 0 && received == 0)
    withExtendedLifetime(token) {}
  }

  @Test func aPredicateThatComesBackIsAskedAgain() {
    let source = ArrayNode(Array(0..<10))
    let filter = FilterNode(source) { $0 % 2 == 0 }
    filter.setPredicate(hint: .looser) { $0 > 6 }
    // The hint was wrong: the predicate was not called for 0, 2, 4 and 6.
    #expect(filter.elements == [0, 2, 4, 6, 7, 8, 9])
    var received = 0
    let token = filter.observe { _ in received += 1 }
    rollBack(filter) {
      filter.setPredicate { $0 > 3 }
    }
    // A setting is a settlement of its own, and the hint was only about the first predicate.
    #expect(filter.elements == [7, 8, 9] && received == 1)
    withExtendedLifetime(token) {}
  }

  @Test func aPredicateIsAskedAgainWhereTheGraphWasSettled() {
    let source = ArrayNode(Array(0..<10))
    let filter = FilterNode(source) { $0 % 2 == 0 }
    var replay = filter.elements
    let token = filter.observe { change in replay = change.delta.applying(to: replay) { filter.element(at: $0)! } }
    rollBack(filter) {
      filter.setPredicate { $0 > 3 }
      source.remove(at: 4)
      filter.setPredicate(hint: .stricter) { $0 > 4 && $0 != 5 }
      rollBack(filter) { filter.setPredicate { _ in false } }
      #expect(filter.elements == [6, 7, 8, 9])
    }
    #expect(filter.elements == [0, 2, 4, 6, 8] && replay == filter.elements)
    withExtendedLifetime(token) {}
  }

  // MARK: Moves, paths, custom nodes

  @Test func movesBetweenMembersAndPathsAreTakenBack() {
    let first = ArrayNode(["a", "b"])
    let second = ArrayNode(["c"])
    let sections = BranchNode([first, second])
    let rows = JoinNode([first, second])
    var replay = rows.elements
    let token = rows.observe { change in replay = change.delta.applying(to: replay) { rows.element(at: $0)! } }
    rollBack(sections) {
      sections.move(from: [0, 0], to: [1, 1])
      rows.move(from: 0, to: 2)
      sections.insert("d", at: [0, 0])
      sections.remove(at: [1])
      rows.move(from: 0, to: 1)
    }
    #expect(rows.elements == ["a", "b", "c"])
    #expect(sections[[1, 0]] == "c" && replay == rows.elements)
    withExtendedLifetime(token) {}
  }

  @Test func aNodeOfAUsersOwnIsTakenBack() {
    let countdown = Countdown(from: 5)
    let even = FilterNode(countdown) { $0 % 2 == 0 }
    var received = 0
    let token = even.observe { _ in received += 1 }
    rollBack(countdown) {
      countdown.tick()
      countdown.tick()
    }
    #expect(even.elements == [4, 2])
    #expect(received == 0)
    withExtendedLifetime(token) {}
  }

  /// An inverse may use a transaction of its own, even a transaction that throws.
  @Test func anInverseMayUseTransactions() {
    let source = ArrayNode([1])
    let both = JoinNode([source])
    let extra = ArrayNode([5])
    var received = 0
    let token = both.observe { _ in received += 1 }
    let provider = ProviderNode(count: 0) { $0 }
    both.appendMember(provider)
    received = 0
    rollBack(both) {
      source.append(2)
      provider.announce(
        .insertion(0..<1),
        inverse: {
          rollBack(both) { source.append(9) }
          try? both.performUpdates { () throws in provider.announce(.removal(0..<1)) }
        })
      both.appendMember(extra)
    }
    #expect(both.elements == [1])
    #expect(received == 0)
    withExtendedLifetime(token) {}
  }

  @Test func aPredicateMayRunATransactionThatThrows() {
    let source = ArrayNode([1, 2, 3])
    var filter: FilterNode<Int>?
    filter = FilterNode(source) { number in
      (try? source.performUpdates { () throws -> Void in if number == 2 { throw Stop() } }) != nil
    }
    #expect(filter?.elements == [1, 3])
    rollBack(source) { source.append(2) }
    source.append(4)
    #expect(filter?.elements == [1, 3, 4])
  }

  @Test func manyChangesAreTakenBackInTheTimeTheyTook() {
    let source = ArrayNode(0..<1_000)
    let sections = BranchNode([source])
    var received = 0
    let token = sections.observe { _ in received += 1 }
    rollBack(sections) {
      for step in 0..<5_000 {
        try source.performUpdates { () throws in source.insert(step, at: step % 1_000) }
      }
    }
    #expect(source.count == 1_000 && source.elements == Array(0..<1_000))
    #expect(received == 0)
    withExtendedLifetime(token) {}
  }
}

/// The node of the guide: five, four, three, …
final class Countdown: TreeNode {
  private let author = NodeAuthor()
  var port: NodePort { author.port }
  private(set) var count: Int

  init(from count: Int) {
    self.count = count
    author.attach(to: self)
  }

  func element(at position: Int) -> Int? { position >= 0 && position < count ? count - position : nil }

  func tick() {
    author.prepareForChange()
    count -= 1
    author.publish(ChangeSet(.removal(0..<1)), inverse: { [self] in tock() })
  }

  func tock() {
    author.prepareForChange()
    count += 1
    author.publish(ChangeSet(.insertion(0..<1)), inverse: { [self] in tick() })
  }

}
