@testable import Assemblage
import Foundation
import TestSupport
import Testing

@Suite struct UndoLogTests: MisuseSuite {
  struct Stop: Error {}

  @Test func theExampleOfTheDocumentation() {
    let family = ArrayNode(["Dad", "Mum"])
    let friends = ArrayNode(["Bo"])
    let everyone = JoinNode([family, friends])
    let log = UndoLog(of: everyone)
    everyone.performUpdates {
      friends.append("Al")
      everyone.removeMember(at: 0)
    }
    #expect(everyone.elements == ["Bo", "Al"])
    #expect(log.undo())
    #expect(everyone.elements == ["Dad", "Mum", "Bo"])
    #expect(log.redo())
    #expect(everyone.elements == ["Bo", "Al"])
  }

  /// Makes an edit, then undoes, redoes and undoes the edit. Checks the state each time.
  private func expectReversible<State: Equatable>(
    _ node: any TreeNode, _ state: () -> State, sourceLocation: SourceLocation = #_sourceLocation, _ edit: () -> Void
  ) {
    let log = UndoLog(of: node)
    let before = state()
    edit()
    let after = state()
    #expect(before != after && log.undoCount == 1 && log.redoCount == 0, sourceLocation: sourceLocation)
    for _ in 0..<2 {
      #expect(log.undo() && state() == before, sourceLocation: sourceLocation)
      #expect(log.undoCount == 0 && log.redoCount == 1, sourceLocation: sourceLocation)
      #expect(log.redo() && state() == after, sourceLocation: sourceLocation)
      #expect(log.undoCount == 1 && log.redoCount == 0, sourceLocation: sourceLocation)
    }
  }

  @Test func everyEditOfAnArray() {
    let node = ArrayNode([1, 2, 3, 4, 5])
    let both = JoinNode([node, ArrayNode([9])])
    func expect(sourceLocation: SourceLocation = #_sourceLocation, _ edit: () -> Void) {
      for root in [node, both, FilterNode(both) { $0 > 2 }] as [any TreeNode<Int>] {
        node.replaceSubrange(0..<node.count, with: [1, 2, 3, 4, 5])
        expectReversible(root, { node.elements }, sourceLocation: sourceLocation, edit)
      }
    }
    expect { node.append(6) }
    expect { node.append(contentsOf: [6, 7]) }
    expect { node.insert(6, at: 2) }
    expect { node.insert(contentsOf: [6, 7], at: 2) }
    expect { node.remove(at: 2) }
    expect { node.removeFirst() }
    expect { node.removeSubrange((node.count - 2)...) }
    expect { node.removeSubrange(1..<3) }
    expect { node.removeAll() }
    expect { node.removeAll { $0 % 2 == 1 } }
    expect { node.replaceSubrange(1..<3, with: [6, 7, 8]) }
    expect { node.move(from: 0, to: 3) }
    expect { node.swapAt(0, 3) }
    expect { node[2] = 6 }
    expect { node.update(at: 2) { $0 += 7 } }
    expect { node.replaceAll(with: [5, 6, 1, 3]) }
    expect { node.replaceAll(with: [5, 6, 1, 13], id: { $0 % 10 }, areEqual: ==) }
    expect { both.remove(at: [2]) }
    expect { both.insert(6, at: [2]) }
  }

  @Test func everyEditOfABranch() {
    let inner = BranchNode(value: "inner", leaves: ["x"])
    let node = BranchNode(value: "root", [.leaf("a"), .node(inner), .leaf("b")])
    func state() -> TreeSnapshot<String> { TreeSnapshot(of: node) }
    expectReversible(node, state) { inner.value = "INNER" }
    expectReversible(node, state) { inner.append(.leaf("y")) }
    expectReversible(node, state) { node.append(.leaf("c")) }
    expectReversible(node, state) { node.insert(.node(ArrayNode(["y"])), at: 1) }
    expectReversible(node, state) { node.remove(at: 2) }
    expectReversible(node, state) { node.remove(at: 0) }
    expectReversible(node, state) { node[0] = .leaf("z") }
    expectReversible(node, state) { node[0] = .node(ArrayNode(["z"])) }
    expectReversible(node, state) { node.move(from: 0, to: 1) }
    expectReversible(node, state) { node.value = nil }
    expectReversible(node, state) { node.value = "ROOT" }
    let leaf = (0..<node.count).first { node.child(at: $0) == nil }!
    expectReversible(node, state) { node.replace(at: leaf, with: "q") }
  }

  @Test func everyEditOfOtherNodes() {
    let single = SingleNode<Int>()
    let node = JoinNode([single, ArrayNode([1, 2]), ArrayNode([3])])
    func state() -> [Int] { node.elements }
    expectReversible(node, state) { single.content = 7 }
    expectReversible(node, state) { single.content = 8 }
    expectReversible(node, state) { single.content = nil }
    expectReversible(node, state) { node.insertMember(ArrayNode([4]), at: 1) }
    expectReversible(node, state) { node.removeMember(at: 2) }
    expectReversible(node, state) { node.replaceMember(at: 0, with: ArrayNode([5, 6])) }
    expectReversible(node, state) { node.moveMember(from: 0, to: 1) }
    expectReversible(node, state) { node.move(from: [0], to: [3]) }
    let countdown = Countdown(from: 3)
    expectReversible(countdown, { countdown.elements }) { countdown.tick() }
  }

  // MARK: Steps

  @Test func aStepIsAnOutermostTransactionAndOneChangeToObservers() {
    let source = ArrayNode([1, 2, 3])
    let log = UndoLog(of: source)
    source.performUpdates {
      source.append(4)
      source.performUpdates { _ = source.remove(at: 0) }
      source.append(5)
    }
    source.append(6)
    source.performUpdates {}
    source.append(contentsOf: [])
    #expect(log.undoCount == 2)
    var received: [ChangeSet] = []
    let token = source.observe { received.append($0) }
    log.undo()
    log.undo()
    #expect(source.elements == [1, 2, 3])
    #expect(
      received == [ChangeSet(.removal(4..<5)), ChangeSet(Delta(removals: [2..<4], insertions: [0..<1]))])
    #expect(!log.undo() && !log.canUndo && log.canRedo)
    withExtendedLifetime(token) {}
  }

  @Test func aNewEditForgetsWhatCouldBeRedone() {
    let source = ArrayNode([1])
    let log = UndoLog(of: source)
    source.append(2)
    source.append(3)
    log.undo()
    log.undo()
    #expect(log.redoCount == 2)
    source.append(4)
    #expect(log.redoCount == 0 && log.undoCount == 1 && !log.redo())
    log.undo()
    #expect(source.elements == [1])
  }

  @Test func aTransactionThatIsRolledBackIsNoStep() {
    let source = ArrayNode([1])
    let log = UndoLog(of: source)
    source.append(2)
    log.undo()
    try? source.performUpdates { () throws -> Void in
      source.append(3)
      throw Stop()
    }
    #expect(log.undoCount == 0 && log.redoCount == 1)
    try? source.performUpdates { () throws -> Void in
      source.append(4)
      try? source.performUpdates { () throws -> Void in
        source.append(5)
        throw Stop()
      }
    }
    #expect(log.undoCount == 1 && source.elements == [1, 4])
    log.undo()
    #expect(source.elements == [1])
  }

  @Test func aPredicateIsNoStepAndStays() {
    let source = ArrayNode([1, 2, 3, 4])
    let filter = FilterNode(source) { $0 > 1 }
    let log = UndoLog(of: filter)
    source.remove(at: 3)
    filter.setPredicate { $0 % 2 == 0 }
    filter.refresh()
    #expect(log.undoCount == 1)
    log.undo()
    #expect(filter.elements == [2, 4])
  }

  @Test func theLimitForgetsTheOldestSteps() throws {
    try withLifetimeTracking { tracker in
      let source = ArrayNode(tracker.track(0..<100))
      let log = UndoLog(of: source, limit: 10)
      for _ in 0..<90 { source.removeLast() }
      #expect(log.undoCount == 10)
      #expect(tracker.liveCount == 20)
      log.limit = 4
      #expect(log.undoCount == 4 && tracker.liveCount == 14)
      while log.undo() {}
      #expect(source.elements.map(\.payload) == Array(0..<14))
      while log.redo() {}
      #expect(source.count == 10 && log.undoCount == 4)
      log.removeAll()
      #expect(!log.canUndo && !log.canRedo && tracker.liveCount == 10)
      log.limit = 0
      source.removeLast()
      #expect(!log.canUndo && tracker.liveCount == 9)
    }
  }

  @Test func aLogThatIsReleasedInATransactionKeepsNothing() throws {
    weak var node: ArrayNode<Int>?
    do {
      let array = ArrayNode([1])
      node = array
      var log: UndoLog? = UndoLog(of: array)
      #expect(log?.canUndo == false)
      try array.performUpdates {
        array.append(2)
        log = nil
        try Task.checkCancellation()
      }
    }
    #expect(node == nil)
  }

  @Test func theLogReleasesWhatItKept() throws {
    try withLifetimeTracking { tracker in
      let source = ArrayNode(tracker.track(0..<4))
      var log: UndoLog? = UndoLog(of: JoinNode([source]))
      source.removeAll()
      #expect(tracker.liveCount == 4)
      log?.undo()
      log?.redo()
      #expect(tracker.liveCount == 4)
      #expect(source.hub.isRecording)
      log = nil
      #expect(tracker.liveCount == 0)
      #expect(!source.hub.isRecording)
    }
    weak var node: JoinNode<Int>?
    var log: UndoLog?
    do {
      let join = JoinNode([ArrayNode([1])])
      node = join
      log = UndoLog(of: join)
      join.removeMember(at: 0)
      join.appendMember(ArrayNode([2]))
    }
    #expect(node != nil && log?.undo() == true)
    log = nil
    #expect(node == nil)
  }

  // MARK: Watched nodes

  @Test func onlyTheNodeAndItsSourcesAreWatched() {
    let source = ArrayNode([1])
    let other = ArrayNode([2])
    let first = JoinNode([source])
    let both = JoinNode([first, other])
    let log = UndoLog(of: first)
    let whole = UndoLog(of: both)
    other.append(3)
    both.moveMember(from: 0, to: 1)
    #expect(log.undoCount == 0 && whole.undoCount == 2)
    source.append(4)
    #expect(log.undoCount == 1 && whole.undoCount == 3)
    // For the other log, an undo is a change like any other.
    log.undo()
    #expect(whole.undoCount == 4 && whole.redoCount == 0)
    whole.undo()
    #expect(source.elements == [1, 4])
    while whole.undo() {}
    #expect(source.elements == [1] && both.elements == [1, 2])
  }

  @Test func aMemberThatIsChangedWhileItIsAwayComesBackAsItWas() {
    let inner = ArrayNode([1, 2])
    let member = JoinNode([inner])
    let both = JoinNode([member, ArrayNode([3])])
    let log = UndoLog(of: both)
    inner.append(10)
    both.removeMember(at: 0)
    inner.removeFirst()
    member.appendMember(ArrayNode([4]))
    #expect(log.undoCount == 4)
    log.undo()
    log.undo()
    #expect(inner.elements == [1, 2, 10])
    log.undo()
    #expect(both.elements == [1, 2, 10, 3])
    while log.redo() {}
    #expect(both.elements == [3] && inner.elements == [2, 10])
    while log.undo() {}
    #expect(both.elements == [1, 2, 3])
  }

  @Test func aMemberThatIsAwayAfterUndoingIsWatchedToo() {
    let both = JoinNode([ArrayNode([1])])
    let member = ArrayNode([2])
    let log = UndoLog(of: both)
    both.appendMember(member)
    log.undo()
    // The change does not fit the recorded redo, so the log removes the redo.
    member.append(3)
    #expect(log.redoCount == 0 && log.undoCount == 1)
    log.undo()
    log.undo()
    #expect(member.elements == [2] && both.elements == [1])
  }

  @Test func aNodeThatNoStepMentionsAnyMoreIsForgotten() {
    let member = ArrayNode([2])
    let both = JoinNode([member, ArrayNode([1])])
    let log = UndoLog(of: both, limit: 1)
    both.removeMember(at: 0)
    both.insert(4, at: both.count)
    #expect(log.undoCount == 1)
    member.append(3)
    #expect(log.undoCount == 1)
    log.undo()
    #expect(both.elements == [1] && member.elements == [2, 3])
  }

  @Test func aChangeThatCannotBeTakenBackStays() {
    let array = ArrayNode([1])
    let provider = ProviderNode(count: 2) { $0 * 10 }
    let both = JoinNode([provider, array])
    let log = UndoLog(of: both)
    array.append(2)
    provider.announce(.insertion(2..<3))
    array.append(3)
    #expect(log.undoCount == 2)
    log.undo()
    log.undo()
    #expect(both.elements == [0, 10, 20, 1])
    // Here a change without an inverse makes the recorded changes of the same node useless.
    log.redo()
    provider.announce(.removal(2..<3), inverse: { provider.announce(.insertion(2..<3)) })
    #expect(log.undoCount == 2)
    provider.announce(.insertion(0..<1))
    #expect(log.undoCount == 0 && log.redoCount == 0)
  }

  @Test func anInverseWithoutAnInverseCannotBeRedone() {
    let provider = ProviderNode(count: 2) { $0 }
    let array = ArrayNode([1])
    let log = UndoLog(of: JoinNode([provider, array]))
    array.append(2)
    provider.announce(.removal(1..<2), inverse: { provider.announce(.insertion(1..<2)) })
    log.undo()
    #expect(provider.count == 2)
    #expect(log.redoCount == 0 && log.undoCount == 1)
    log.undo()
    #expect(array.elements == [1])
  }

  // MARK: Moves

  @Test func aMoveBetweenParentsGoesBackAsAMove() {
    let first = ArrayNode(["a", "b"])
    let second = ArrayNode(["c"])
    let sections = BranchNode([first, second])
    let rows = JoinNode([first, second])
    let log = UndoLog(of: sections)
    var received: [ChangeSet] = []
    let tokens = [sections.observe { received.append($0) }, rows.observe { received.append($0) }]
    sections.move(from: [0, 0], to: [1, 1])
    let forth = received
    received = []
    log.undo()
    #expect(first.elements == ["a", "b"])
    #expect(
      received.count == 2 && received[0].transfers.count == 1 && received[0].transfers == forth[0].inverse().transfers)
    #expect(received[1] == ChangeSet(.move(2..<3, to: 0)))
    received = []
    log.redo()
    #expect(second.elements == ["c", "a"])
    #expect(received == forth)
    withExtendedLifetime(tokens) {}
  }

  // MARK: Observers

  @Test func anObserverMayEditUndoAndRelease() {
    let source = ArrayNode([1])
    var log: UndoLog? = UndoLog(of: source)
    var answers = 0
    var token: NodeObservation? = source.observe { _ in
      answers += 1
      switch answers {
      case 1: source.append(100)
      case 2: #expect(log?.undoCount == 2)
      case 3: log?.undo()
      case 4: log = nil
      default: break
      }
    }
    source.append(2)
    #expect(source.elements == [1, 2, 100])
    log?.undo()
    // The observer undid the other step when it was notified of this one.
    #expect(source.elements == [1])
    #expect(log == nil && !source.hub.isRecording)
    token = nil
    #expect(token == nil)
  }

  @Test func aThousandStepsOfOneLongTransactionAndMany() {
    let source = ArrayNode(0..<1_000)
    let rows = FilterNode(JoinNode([source])) { $0 % 2 == 0 }
    let log = UndoLog(of: rows)
    source.performUpdates {
      for step in 0..<2_000 { source.replaceSubrange(step % 900..<step % 900 + 1, with: [step]) }
    }
    for step in 0..<2_000 { source.move(from: step % 1_000, to: (step * 7) % 1_000) }
    let after = source.elements
    while log.undo() {}
    #expect(source.elements == Array(0..<1_000))
    while log.redo() {}
    #expect(source.elements == after)
  }

  // MARK: Misuse

  static let misuses = [
    Misuse("UndoLog: undo() was called inside a transaction of the graph") {
      let source = ArrayNode([1])
      let log = UndoLog(of: source)
      source.append(2)
      source.performUpdates {
        source.append(3)
        log.undo()
      }
    },
    Misuse("UndoLog: redo() was called inside a transaction of the graph") {
      let source = ArrayNode([1])
      let log = UndoLog(of: source)
      try? source.performUpdates { () throws -> Void in log.redo() }
    },
    Misuse("UndoLog: the limit -1 is negative.") { _ = UndoLog(of: ArrayNode([1]), limit: -1) },
    Misuse("UndoLog: the limit -1 is negative.") { UndoLog(of: ArrayNode([1])).limit = -1 },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
