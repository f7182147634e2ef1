import AssemblageTesting
import Observation
import Testing

@testable import Assemblage

/// Elements whose `deinit` edits nodes, and readers that link graphs, at the end of a change.
@Suite struct EditsInReleasesTests {
  /// An element that calls a closure when it is released.
  private final class Ending {
    private let end: () -> Void
    init(_ end: @escaping () -> Void = {}) { self.end = end }
    deinit { end() }
  }

  @Test func anEditOfAReleasedElementBelongsToTheTransaction() {
    let log = ArrayNode<String>()
    let shown = FilterNode(log) { _ in true }
    let forest = ForestNode<Ending>(leaves: [Ending { log.append("a") }, Ending()])
    var received: [Delta] = []
    let token = shown.observe { received.append($0.delta) }
    performUpdates(on: [forest, log]) {
      forest.removeSubrange(0..<2)
      log.append("b")
    }
    #expect(shown.elements == ["b", "a"] && received == [.insertion(0..<2)])
    log.append("c")
    #expect(shown.elements == ["b", "a", "c"])
    token.cancel()
  }

  /// A read settles the graph, and the released element then edits a node.
  @Test func aViewThatIsReadShowsTheEditOfAReleasedElement() {
    let log = ArrayNode<String>()
    let shown = FilterNode(log) { _ in true }
    let forest = ForestNode<Ending>(leaves: [Ending { log.append("a") }, Ending()])
    performUpdates(on: [forest, log]) {
      forest.removeSubrange(0..<2)
      _ = shown.count
      #expect(shown.elements == log.elements)
    }
    #expect(shown.elements == ["a"])
  }

  /// The released element links its graph to another one, which becomes the root of both.
  @Test func aReleasedElementMayLinkGraphs() {
    let log = ArrayNode<String>()
    let shown = JoinNode([FilterNode(log) { _ in true }, FilterNode(ArrayNode<String>()) { _ in true }])
    var forest: ForestNode<Ending>!
    forest = ForestNode(leaves: [Ending { performUpdates(on: [forest, log]) { log.append("a") } }, Ending()])
    var received: [Delta] = []
    let token = shown.observe { received.append($0.delta) }
    forest.performUpdates { forest.removeSubrange(0..<2) }
    #expect(shown.elements == ["a"] && received == [.insertion(0..<1)])
    log.append("b")
    #expect(shown.elements == ["a", "b"])
    token.cancel()
  }

  @Test func stepsThatALogDropsAreReleasedAfterTheChange() {
    let sources: [any WritableNode<Ending>] = [ArrayNode(), BranchNode(leaves: []), ForestNode(leaves: [])]
    for source in sources {
      let view = FilterNode(source) { _ in true }
      let log = UndoLog(of: source, limit: 1)
      source.insert(Ending { source.insert(Ending(), at: source.count) }, at: 0)
      source.remove(at: 0)
      source.insert(Ending(), at: 0)
      #expect(view.count == source.count && source.count == 2, "\(type(of: source))")
      #expect(log.undoCount == 1)
    }
  }

  /// Readers of a log are notified of the edits of every source.
  @Test func theStepsOfEachSourceAreTracked() {
    let sources: [any WritableNode<Int>] = [ArrayNode(), BranchNode(leaves: []), ForestNode(leaves: [])]
    for source in sources {
      let log = UndoLog(of: source)
      let flag = ObservableNodeTests.Flag()
      withObservationTracking {
        _ = log.canUndo
      } onChange: {
        flag.set()
      }
      source.insert(1, at: 0)
      #expect(flag.isSet && log.canUndo, "\(type(of: source))")
    }
  }

  /// A reader of a log links the graph to another one before the observers are called.
  @Test func aReaderOfALogMayLinkGraphs() {
    nonisolated(unsafe) let first = ArrayNode([1])
    nonisolated(unsafe) let second = ArrayNode([2])
    let other = unsafe FilterNode(second) { _ in true }
    nonisolated(unsafe) var join: JoinNode<Int>?
    let log = unsafe UndoLog(of: first)
    var received: [Delta] = []
    let token = unsafe first.observe { received.append($0.delta) }
    withObservationTracking {
      _ = log.undoCount
    } onChange: {
      unsafe join = unsafe JoinNode([first, second])
    }
    unsafe first.performUpdates { unsafe first.append(3) }
    #expect(received == [.insertion(1..<2)])
    #expect(unsafe join?.elements == [1, 3, 2] && other.count == 1)
    token.cancel()
  }
}
