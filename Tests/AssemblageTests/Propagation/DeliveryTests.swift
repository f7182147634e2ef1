import Assemblage
import Foundation
import TestSupport
import Testing

/// Section 5 of the design: which observers are notified of a change, when, and how often.
@Suite struct DeliveryTests {
  @Test func aDiamondIsReportedOnce() {
    let source = ArrayNode([1, 2, 3])
    let small = FilterNode(source) { $0 < 3 }
    let large = FilterNode(source) { $0 > 1 }
    let both = JoinNode([small, large])
    var received: [ChangeSet] = []
    let token = both.observe { received.append($0) }
    source.insert(2, at: 1)
    #expect(both.elements == [1, 2, 2, 2, 2, 3])
    #expect(received == [ChangeSet(Delta(insertions: [1..<2, 3..<4]))])
    source.append(9)
    #expect(received.last == ChangeSet(.insertion(6..<7)))
    withExtendedLifetime(token) {}
  }

  @Test func theSameSourceStandsTwiceInAJoin() {
    let source = ArrayNode(["a"])
    let twice = JoinNode([source, source])
    var received: [ChangeSet] = []
    let token = twice.observe { received.append($0) }
    source.insert("b", at: 0)
    #expect(twice.elements == ["b", "a", "b", "a"])
    #expect(received == [ChangeSet(Delta(insertions: [0..<1, 2..<3]))])
    twice.removeMember(at: 0)
    #expect(twice.elements == ["b", "a"])
    withExtendedLifetime(token) {}
  }

  @Test func readersAlwaysMeetASettledGraph() {
    let source = ArrayNode(Array(0..<10))
    let even = FilterNode(source) { $0 % 2 == 0 }
    let all = JoinNode([even, source])
    source.performUpdates {
      source.append(10)
      #expect(even.count == 6)
      #expect(all.count == 17)
      source.removeFirst()
      #expect(even.elements == [2, 4, 6, 8, 10])
      #expect(all.elements.first == 2)
    }
  }

  @Test func nestedTransactionsDeliverTheNetChangeOnce() {
    let source = ArrayNode(["a", "b", "c"])
    var received: [ChangeSet] = []
    let token = source.observe { received.append($0) }
    source.performUpdates {
      source.append("d")
      source.performUpdates {
        source.remove(at: 0)
        source.append("e")
      }
      #expect(received.isEmpty)
      source.removeLast()
    }
    #expect(received == [ChangeSet(Delta(removals: [0..<1], insertions: [2..<3]))])
    withExtendedLifetime(token) {}
  }

  @Test func anEmptyNetChangeIsNotDelivered() {
    let source = ArrayNode([1])
    var deliveries = 0
    let token = source.observe { _ in deliveries += 1 }
    source.performUpdates {
      source.append(2)
      source.removeLast()
    }
    source.append(contentsOf: [])
    source.move(from: 0, to: 0)
    source.performUpdates {}
    #expect(deliveries == 0)
    withExtendedLifetime(token) {}
  }

  @Test func aTransactionCoversTheConnectedGraphAndNoOther() {
    let first = ArrayNode([1])
    let second = ArrayNode([2])
    let unrelated = ArrayNode([3])
    let both = JoinNode([first, second])
    var log: [String] = []
    let tokens = [
      second.observe { _ in log.append("second") }, unrelated.observe { _ in log.append("unrelated") },
      both.observe { _ in log.append("both") },
    ]
    first.performUpdates {
      second.append(4)
      unrelated.append(5)
      #expect(log == ["unrelated"])
      first.append(6)
    }
    #expect(log == ["unrelated", "second", "both"])
    withExtendedLifetime(tokens) {}
  }

  @Test func aGraphThatGrowsInATransactionStaysInIt() {
    let first = ArrayNode([1])
    let second = ArrayNode([2])
    var log: [String] = []
    let tokens = [second.observe { _ in log.append("second") }]
    var join: JoinNode<Int>?
    first.performUpdates {
      join = JoinNode([first, second])
      second.append(3)
      #expect(log.isEmpty)
    }
    #expect(log == ["second"])
    #expect(join?.elements == [1, 2, 3])
    second.append(4)
    #expect(log == ["second", "second"])
    withExtendedLifetime(tokens) {}
  }

  @Test func observersHearInTheOrderInWhichTheyRegistered() {
    let source = ArrayNode([1])
    let derived = FilterNode(source) { _ in true }
    var log: [Int] = []
    let tokens = [
      derived.observe { _ in log.append(0) }, source.observe { _ in log.append(1) },
      derived.observe { _ in log.append(2) }, source.observe { _ in log.append(3) },
    ]
    source.append(2)
    #expect(log == [0, 1, 2, 3])
    withExtendedLifetime(tokens) {}
  }

  // MARK: Observers that change the graph

  @Test func anObserverMayChangeWhatItObserves() {
    let source = ArrayNode([1])
    var first: [ChangeSet] = []
    var second: [(ChangeSet, [Int])] = []
    let tokens = [
      source.observe { change in
        first.append(change)
        if source.count < 4 { source.insert(source.count + 1, at: 0) }
      },
      source.observe { second.append(($0, source.elements)) },
    ]
    source.append(9)
    // The first observer is notified of its own change in a further round. The second one gets all changes so far at
    // once.
    #expect(source.elements == [4, 3, 1, 9].map { $0 } || source.count == 4)
    #expect(first == [ChangeSet(.insertion(1..<2)), ChangeSet(.insertion(0..<1)), ChangeSet(.insertion(0..<1))])
    #expect(second.first?.0 == ChangeSet(Delta(insertions: [0..<1, 2..<3])))
    var replay = [1]
    for (change, contents) in second {
      replay = change.delta.applying(to: replay) { contents[$0] }
      #expect(replay == contents)
    }
    #expect(replay == source.elements)
    withExtendedLifetime(tokens) {}
  }

  @Test func anObserverMayRunATransaction() {
    let source = ArrayNode([1])
    var received: [ChangeSet] = []
    let token = source.observe { change in
      received.append(change)
      guard received.count == 1 else { return }
      source.performUpdates {
        source.append(3)
        source.append(4)
        #expect(received.count == 1)
      }
      #expect(received.count == 1)
    }
    source.append(2)
    #expect(received == [ChangeSet(.insertion(1..<2)), ChangeSet(.insertion(2..<4))])
    withExtendedLifetime(token) {}
  }

  @Test func observersMayCancelAndReleaseOneAnother() {
    let source = ArrayNode([1])
    var log: [String] = []
    var tokens: [String: NodeObservation] = [:]
    tokens["a"] = source.observe { _ in
      log.append("a")
      tokens["b"]?.cancel()
      tokens["c"] = nil
    }
    tokens["b"] = source.observe { _ in log.append("b") }
    tokens["c"] = source.observe { _ in log.append("c") }
    tokens["d"] = source.observe { _ in
      log.append("d")
      tokens["d"] = nil
    }
    source.append(2)
    #expect(log == ["a", "d"])
    source.append(3)
    #expect(log == ["a", "d", "a"])
    // The handlers hold the tokens that hold them.
    tokens = [:]
  }

  @Test func anObserverAddedInADeliveryStartsWithThePresentState() {
    let source = ArrayNode([1])
    var late: [ChangeSet] = []
    var tokens: [NodeObservation] = []
    tokens.append(
      source.observe { _ in
        if tokens.count == 1 { tokens.append(source.observe { late.append($0) }) }
      })
    source.append(2)
    #expect(late.isEmpty)
    source.append(3)
    #expect(late == [ChangeSet(.insertion(2..<3))])
    // The handler holds the tokens that hold it.
    tokens = []
  }

  @Test func anObserverMayReleaseDerivedNodes() {
    let source = ArrayNode([1, 2])
    var filter: FilterNode<Int>? = FilterNode(source) { $0 > 1 }
    let token = source.observe { _ in filter = nil }
    source.append(3)
    #expect(filter == nil)
    source.append(4)
    #expect(source.count == 4)
    withExtendedLifetime(token) {}
  }

  @Test func anObserverMayLinkItsGraphToAnother() {
    let first = ArrayNode([1])
    let second = ArrayNode([2])
    var received: [String] = []
    var join: JoinNode<Int>?
    let tokens = [
      first.observe { _ in
        join = join ?? JoinNode([first, second])
        second.append(3)
        received.append("first")
      },
      second.observe { _ in received.append("second") },
    ]
    first.append(4)
    #expect(received == ["first", "second"])
    #expect(join?.elements == [1, 4, 2, 3])
    second.append(5)
    #expect(received == ["first", "second", "second"])
    withExtendedLifetime(tokens) {}
  }

  @Test func aRecordedTokenKeepsTheNodeAlive() {
    let source = ArrayNode([1])
    var received = 0
    let token = FilterNode(source) { _ in true }.observe { _ in received += 1 }
    source.append(2)
    #expect(received == 1)
    token.cancel()
    token.cancel()
    source.append(3)
    #expect(received == 1)
  }
}
