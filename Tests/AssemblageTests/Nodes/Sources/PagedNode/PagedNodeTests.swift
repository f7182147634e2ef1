@_spi(NodeAuthors) @testable import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@MainActor @Suite struct PagedNodeTests {
  private func words(_ node: PagedNode<Int>, _ range: Range<Int>) -> [String] {
    range.map { node.peek(at: $0)?.word ?? "nothing" }
  }

  @Test func aLookAsksForAPage() async throws {
    let server = PageServer()
    let node = server.node(.exact(25))
    #expect(node.count == 25 && node.isCountExact && node.pageSize == 10 && node.loadedCount == 0)
    #expect(node.peek(at: 3)?.isLoading == true && node.loadState(at: 3)?.word == "unloaded")
    #expect(node.element(at: -1) == nil && node.element(at: 25) == nil && node.peek(at: 25) == nil)
    #expect(node.loadState(at: 25) == nil && node.loadState(at: -1) == nil)
    let recorder = ChangeRecorder(of: node)
    #expect(node.element(at: 23)?.isLoading == true && node.loadState(at: 20)?.word == "loading")
    #expect(server.asked.isEmpty)
    // The last page ends with the last row.
    #expect(await eventually { server.ranges == [20..<25] })
    #expect(recorder.recording.changes.isEmpty)
    await server.answer(20)
    #expect(await eventually { node.peek(at: 23)?.value == 230 })
    #expect(recorder.recording.changes == [ChangeSet(Delta(updates: [20..<25]))])
    #expect(node.loadState(at: 24)?.word == "loaded" && node.loadedCount == 5)
    #expect(node[24].value == 240 && server.asked.count == 1)
    #expect(node.peek(at: 24)?.error == nil && node.peek(at: 24)?.isLoading == false)
  }

  @Test func aDescriptionAsksForNoPage() async {
    let server = PageServer()
    let node = server.node(.exact(30))
    #expect(node.description.contains("loading") && Mirror(reflecting: node).children.count == 30)
    #expect(node.loadState(at: 3)?.word == "unloaded")
    node.load(0..<1)
    await server.answer(0)
    #expect(await eventually { node.description.contains("10") })
    server.close()
  }

  /// The observers of a load are called in the task of the load, which is not cancelled.
  @Test func observersFindTheTaskNotCancelled() async {
    let server = PageServer()
    let node = server.node(.exact(30))
    var cancelled: [Bool] = []
    let token = node.observe { _ in cancelled.append(Task.isCancelled) }
    node.load(0..<1)
    await server.answer(0)
    #expect(await eventually { cancelled == [false] })
    token.cancel()
    server.close()
  }

  @Test func thePageThatWasLookedAtLastComesFirst() async {
    let server = PageServer()
    let node = server.node(.exact(100), keeping: 10)
    for position in [5, 15, 25, 35, 6] { _ = node.element(at: position) }
    #expect(await eventually { server.ranges == [0..<10, 30..<40] })
    await server.answer(30)
    #expect(await eventually { server.ranges == [0..<10, 20..<30] })
    // An explicit load is next in the queue.
    node.load(70..<71)
    await server.answer(0)
    #expect(await eventually { server.ranges == [20..<30, 70..<80] })
    #expect(server.mostAtOnce == 2)
    server.close()
  }

  @Test func aFailedPageCanBeTriedAgain() async {
    let server = PageServer()
    let node = server.node(.exact(30))
    let recorder = ChangeRecorder(of: node)
    _ = node.element(at: 0)
    _ = node.element(at: 10)
    await server.fail(0, PageServer.Failure(text: "offline"))
    // Each page has a task of its own, and either of two tasks may go on first.
    #expect(await eventually { node.peek(at: 5)?.error != nil })
    await server.fail(10)
    #expect(await eventually { node.peek(at: 15)?.error != nil })
    #expect(node.peek(at: 3)?.error as? PageServer.Failure == .init(text: "offline"))
    #expect(node.loadState(at: 3)?.error as? PageServer.Failure == .init(text: "offline"))
    #expect(recorder.recording.changes.map(\.delta.updates) == [[0..<10], [10..<20]])
    // A read of a failed page does not load it again.
    #expect(
      node.element(at: 3)?.error != nil && node.loadState(at: 3)?.word == "failed" && node.peek(at: 3)?.value == nil)
    recorder.removeAll()
    node.retry(at: 3)
    node.retry(at: 25)
    node.retry(at: 99)
    #expect(recorder.recording.changes.map(\.delta.updates) == [[0..<10]])
    #expect(node.peek(at: 3)?.isLoading == true && node.loadState(at: 3)?.word == "loading")
    await server.answer(0)
    #expect(await eventually { node.peek(at: 3)?.value == 30 })
    #expect(node.peek(at: 13)?.error != nil)
    node.retry()
    await server.answer(10)
    #expect(await eventually { node.peek(at: 13)?.value == 130 })
    node.retry()
    #expect(server.asked.count == 4)
  }

  @Test func aReloadKeepsWhatIsThere() async {
    let server = PageServer()
    let node = server.node(.exact(30))
    node.load(0..<20)
    await server.answer(0)
    await server.answer(10)
    #expect(await eventually { node.loadedCount == 20 })
    let recorder = ChangeRecorder(of: node)
    node.reload()
    #expect(recorder.recording.changes == [ChangeSet(Delta(updates: [0..<20]))])
    #expect(words(node, 9..<11) == ["90", "100"] && node.loadState(at: 0)?.word == "unloaded")
    // The second page is not read.
    #expect(node.element(at: 5)?.value == 50 && node.loadState(at: 5)?.word == "loading")
    await server.fail(0)
    #expect(await eventually { node.loadState(at: 5)?.error != nil })
    #expect(words(node, 0..<2) == ["0", "10"] && recorder.recording.changes.count == 2)
    node.retry()
    await server.answer(0, Array(1...10))
    #expect(await eventually { node.peek(at: 0)?.value == 1 })
    #expect(words(node, 9..<12) == ["10", "100", "110"])

    // A page that is being loaded is loaded again.
    _ = node.element(at: 12)
    #expect(await eventually { server.ranges == [10..<20] })
    node.reload(15..<16)
    #expect(await eventually { server.ranges == [10..<20, 10..<20] })
    #expect(server.cancelled.count == 1)
    let first = server.requests[0].number
    await server.answer(10, Array(101...110))
    #expect(await eventually { node.peek(at: 10)?.value == 101 })
    server.answer(first, .success(Array(0..<10)))
    _ = node.element(at: 25)
    await server.answer(20)
    #expect(await eventually { node.peek(at: 25)?.value == 250 })
    #expect(node.peek(at: 10)?.value == 101)
  }

  @Test func anEstimateIsFoundOut() async throws {
    let server = PageServer()
    let node = server.node(.estimated(1))
    let recorder = ChangeRecorder(of: node)
    #expect(!node.isCountExact)
    _ = node.element(at: 0)
    await server.answer(0)
    #expect(await eventually { node.count == 11 })
    #expect(recorder.recording.changes == [ChangeSet(Delta(insertions: [1..<11], updates: [0..<1]))])
    recorder.removeAll()
    _ = node.element(at: 10)
    await server.answer(10, [100, 110, 120])
    #expect(await eventually { node.isCountExact })
    #expect(recorder.recording.changes == [ChangeSet(Delta(insertions: [11..<13], updates: [10..<11]))])
    #expect(node.elements.map(\.word).suffix(4) == ["90", "100", "110", "120"])
  }

  /// A full page shows that the rows before it exist. After a reload, that is not certain.
  @Test func aListThatHasShrunkIsLoadedAgain() async {
    let server = PageServer()
    let node = server.node(.estimated(1))
    for start in [0, 10, 20] {
      _ = node.element(at: start)
      await server.answer(start)
      #expect(await eventually { node.count == start + 11 })
    }
    node.reload()
    _ = node.element(at: 25)
    await server.answer(20, [])
    #expect(await eventually { node.count == 20 })
    #expect(!node.isCountExact)
    _ = node.element(at: 15)
    await server.answer(10, [100, 110])
    #expect(await eventually { node.isCountExact && node.count == 12 })
    server.close()
  }

  /// An estimate ends in the middle of a loaded page. The next look at the page finds out where the rows end.
  @Test func anEstimateWithinAPage() async {
    let server = PageServer()
    let node = server.node(.exact(20))
    _ = node.element(at: 0)
    await server.answer(0)
    #expect(await eventually { node.loadedCount == 10 })
    node.setCount(.estimated(7))
    #expect(node.loadedCount == 7 && node.loadState(at: 0)?.word == "unloaded")
    _ = node.element(at: 0)
    await server.answer(0)
    #expect(await eventually { node.count == 11 })
    server.close()
  }

  @Test func anEstimateThatIsTooLarge() async {
    let server = PageServer()
    let node = server.node(.estimated(1_000), keeping: 8)
    node.load(0..<10)
    await server.answer(0)
    #expect(await eventually { node.loadedCount == 10 })
    node.load(500..<501)
    node.load(800..<801)
    #expect(await eventually { server.ranges == [800..<810, 500..<510] })
    let recorder = ChangeRecorder(of: node)
    // An empty answer shows that these rows do not exist. The exact end is still unknown.
    await server.answer(500, [])
    #expect(await eventually { node.count == 500 })
    #expect(!node.isCountExact && server.cancelled == [1])
    #expect(recorder.recording.changes == [ChangeSet(Delta(removals: [500..<1_000]))])
    node.load(10..<11)
    await server.answer(10)
    #expect(await eventually { node.loadedCount == 20 })
    node.load(20..<21)
    await server.answer(20, [])
    #expect(await eventually { node.isCountExact })
    #expect(node.count == 20)
    server.close()

    // All rows at once.
    let none = server.node(.estimated(70))
    none.load(30..<70)
    none.load(0..<1)
    await server.answer(0, [])
    #expect(await eventually { none.isCountExact && none.count == 0 })
    server.close()
  }

  @Test func anAnswerOfAnotherLengthIsAnError() async {
    let server = PageServer()
    let node = server.node(.exact(25))
    node.load(0..<25)
    await server.answer(20, [1])
    await server.answer(10, Array(0..<11))
    await server.answer(0)
    #expect(await eventually { node.loadState(at: 20)?.error != nil && node.loadState(at: 0)?.word == "loaded" })
    #expect(node.peek(at: 22)?.error as? PageMismatch == PageMismatch(range: 20..<25, rowCount: 1))
    #expect(node.peek(at: 12)?.error as? PageMismatch == PageMismatch(range: 10..<20, rowCount: 11))
    #expect(
      PageMismatch(range: 20..<25, rowCount: 1).description
        == "The request was for the 5 rows 20..<25, but the answer has 1 rows.")
    #expect(node.count == 25)
  }

  @Test func theLeastRecentlyReadPageGoes() async {
    let server = PageServer()
    let node = server.node(.exact(100), keeping: 2)
    let recorder = ChangeRecorder(of: node)
    for start in [0, 10] {
      _ = node.element(at: start)
      await server.answer(start)
      #expect(await eventually { node.loadState(at: start)?.word == "loaded" })
    }
    _ = node.element(at: 3)
    _ = node.element(at: 23)
    recorder.removeAll()
    await server.answer(20)
    #expect(await eventually { node.loadState(at: 20)?.word == "loaded" })
    #expect(recorder.recording.changes == [ChangeSet(Delta(updates: [10..<30]))])
    #expect(words(node, 9..<11) == ["90", "…"] && node.loadedCount == 20)

    // Visible rows stay loaded, however many pages they are.
    node.visibleRange = 0..<31
    for start in [10, 30] {
      _ = node.element(at: start)
      await server.answer(start)
      #expect(await eventually { node.loadState(at: start)?.word == "loaded" })
    }
    #expect(node.loadedCount == 40)
    node.visibleRange = nil
    _ = node.element(at: 99)
    await server.answer(90)
    #expect(await eventually { node.loadState(at: 90)?.word == "loaded" })
    #expect(node.loadedCount == 20 && node.visibleRange == nil)
  }

  @Test func pagesOutOfSightAreCancelled() async {
    let server = PageServer(heedsCancellation: true)
    let node = server.node(.exact(1_000), keeping: 3)
    for position in [0, 10, 20] { _ = node.element(at: position) }
    #expect(await eventually { server.ranges == [20..<30, 10..<20] })
    // One more page than can wait.
    _ = node.element(at: 30)
    #expect(node.loadState(at: 0)?.word == "unloaded" && server.cancelled.isEmpty)
    node.visibleRange = 15..<40
    #expect(node.loadState(at: 30)?.word == "loading" && server.cancelled.isEmpty)
    node.visibleRange = 30..<40
    #expect(server.cancelled == [0, 1] && node.loadState(at: 20)?.word == "unloaded")
    #expect(await eventually { server.ranges == [30..<40] })
    // A read of a cancelled page loads it again.
    _ = node.element(at: 20)
    #expect(await eventually { server.ranges == [30..<40, 20..<30] })
    node.visibleRange = 0..<0
    #expect(await eventually { server.requests.isEmpty })
    #expect(words(node, 29..<31) == ["…", "…"])
  }

  @Test func countsAndResets() async {
    let server = PageServer()
    let node = server.node(.exact(25), keeping: 5)
    node.load(0..<25)
    for start in [20, 10, 0] { await server.answer(start) }
    #expect(await eventually { node.loadedCount == 25 })
    let recorder = ChangeRecorder(of: node)
    node.setCount(.exact(28))
    #expect(recorder.recording.changes == [ChangeSet(Delta(insertions: [25..<28]))])
    #expect(words(node, 24..<26) == ["240", "…"])
    _ = node.element(at: 26)
    #expect(await eventually { server.ranges == [20..<28] })
    // The page has another range again.
    node.setCount(.exact(22))
    #expect(await eventually { server.ranges == [20..<28, 20..<22] })
    await server.answer(20)
    #expect(await eventually { node.loadState(at: 20)?.word == "loaded" })
    node.setCount(.exact(13))
    #expect(words(node, 12..<14) == ["120", "nothing"] && node.loadedCount == 13)
    recorder.removeAll()
    node.reload(count: .exact(12))
    #expect(recorder.recording.changes == [ChangeSet(Delta(removals: [12..<13], updates: [0..<12]))])
    #expect(words(node, 11..<12) == ["110"])
    recorder.removeAll()
    _ = node.element(at: 0)
    node.reset(count: .exact(4))
    #expect(recorder.recording.changes == [ChangeSet(Delta(removals: [0..<12], insertions: [0..<4]))])
    #expect(words(node, 0..<1) == ["…"] && node.loadedCount == 0)
    _ = node.element(at: 0)
    await server.answer(0)
    #expect(await eventually { node.loadedCount == 4 })
    server.close()
  }

  /// A filter reads every row. A notification of released pages does not make the filter load them again.
  @Test func aFilterComesToRest() async throws {
    let server = PageServer()
    let node = server.node(.exact(1_000), keeping: 3)
    let filter = FilterNode(node) { $0.value.map { $0.isMultiple(of: 20) } ?? true }
    let rows = ShadowTree(of: MapNode(filter) { $0.word })
    // The shadow reads all rows, again and again.
    rows.cancel()
    for start in [980, 990, 970] { await server.answer(start) }
    #expect(await eventually { node.loadedCount == 30 })
    #expect(filter.count == 985)
    node.load(0..<10)
    await server.answer(0)
    #expect(await eventually { node.peek(at: 0)?.value == 0 })
    #expect(filter.count == 985 && server.asked.count == 4)
    for _ in 0..<20 { await Task.yield() }
    #expect(server.requests.isEmpty && server.asked.count == 4)
  }

  /// Laws 1 to 8, with pages that arrive between two transactions.
  @Test func laws() async throws {
    let server = PageServer()
    let node = server.node(.estimated(15), keeping: 10, atMost: 10)
    let words = MapNode(node) { $0.word }
    let shadow = ShadowTree(of: words)
    await server.answer(0)
    await server.answer(10)
    #expect(await eventually { node.count == 21 && node.loadedCount == 20 })
    try shadow.check()
    await server.fail(20)
    #expect(await eventually { node.peek(at: 20)?.error != nil })
    try shadow.checkTransaction { node.retry() }
    await server.answer(20, [7, 8])
    #expect(await eventually { node.count == 22 })
    try shadow.check()
    try shadow.checkTransaction { node.reload() }
    try shadow.checkTransaction { node.setCount(.exact(17)) }
    try shadow.checkTransaction { node.reload(count: .exact(40)) }
    for start in [0, 10, 20, 30] { await server.answer(start, Array(start..<start + 10)) }
    #expect(await eventually { node.loadedCount == 40 && node.peek(at: 0)?.value == 0 && node.peek(at: 1)?.value == 1 })
    try shadow.check()
    try shadow.checkTransaction { node.reset(count: .exact(3)) }
    try NodeChecker<String>().check(words)
    shadow.cancel()
    server.close()
  }

  /// A read inside an edit of another node begins no load before the edit is over.
  @Test func aLookDuringAnEdit() async {
    let server = PageServer()
    let node = server.node(.exact(10))
    let numbers = ArrayNode([1, 2])
    let filter = FilterNode(numbers) { number in node.element(at: number)?.value ?? 0 < 1_000 }
    numbers.performUpdates {
      numbers.append(3)
      #expect(server.asked.isEmpty && filter.count == 3)
    }
    #expect(server.asked.isEmpty)
    await server.answer(0)
    #expect(await eventually { node.loadedCount == 10 })
  }

  /// Pages that arrive do not prevent the rollback and the undo of other edits.
  @Test func rollbackAndUndo() async throws {
    struct Stop: Error {}
    let server = PageServer()
    let node = server.node(.exact(12))
    let own = ArrayNode(["own"])
    let all = JoinNode([own, MapNode(node) { $0.word }])
    let rows = ShadowTree(of: all)
    let log = UndoLog(of: all)
    own.append("mine")
    await server.answer(0)
    await server.answer(10)
    #expect(await eventually { node.loadedCount == 12 })
    try rows.check()
    #expect(all.elements == ["own", "mine"] + (0..<12).map { "\($0 * 10)" })
    log.undo()
    #expect(all.elements.prefix(2) == ["own", "0"])
    log.redo()
    #expect(all.elements.prefix(2) == ["own", "mine"])
    #expect(throws: Stop.self) {
      try all.performUpdates {
        own.append("other")
        node.reset(count: .exact(3))
        throw Stop()
      }
    }
    // A change that the node has reported is not reverted.
    #expect(all.elements == ["own", "mine", "…", "…", "…"])
    try rows.check()
    rows.cancel()
    server.close()
  }

  @Test func observersAskAgain() async {
    let server = PageServer()
    let node = server.node(.exact(10))
    var failures = 0
    let token = node.observe { [unowned node] _ in
      guard node.peek(at: 0)?.error != nil else { return }
      failures += 1
      node.retry()
    }
    node.load(0..<1)
    for number in 1...3 {
      await server.fail(0)
      #expect(await eventually { failures == number })
    }
    await server.answer(0)
    #expect(await eventually { node.loadedCount == 10 })
    #expect(failures == 3 && server.asked.count == 4)
    token.cancel()
  }

  @Test func aReleasedNodeCancels() async throws {
    let server = PageServer()
    let tracker = LifetimeTracker()
    do {
      let node = server.node(.exact(100))
      tracker.expectRelease(of: node, "the node")
      tracker.expectRelease(of: node.supply, "the supply")
      node.load(0..<30)
      #expect(await eventually { server.ranges.count == 2 })
    }
    try tracker.check()
    #expect(server.cancelled == [0, 1])
    server.close()
    for _ in 0..<20 { await Task.yield() }
    #expect(server.asked.count == 2)
  }

  @Test func anObserverReleasesTheNode() async throws {
    final class Holder { var node: PagedNode<Int>? }
    let server = PageServer()
    let tracker = LifetimeTracker()
    let holder = Holder()
    var token: NodeObservation?
    do {
      let node = server.node(.exact(100))
      tracker.expectRelease(of: node, "the node")
      holder.node = node
      token = node.observe { _ in
        holder.node = nil
        token?.cancel()
        token = nil
      }
      node.load(0..<30)
    }
    await server.answer(20)
    #expect(await eventually { holder.node == nil })
    try tracker.check()
    server.close()
  }

  /// Rows are released with their page, and with the node.
  @Test func livesOfRows() async throws {
    let tracker = LifetimeTracker()
    do {
      let node = PagedNode(count: .exact(100), pageSize: 10, keeping: 1) { tracker.track($0) }
      for position in [5, 15, 95] {
        _ = node.element(at: position)
        #expect(await eventually { node.peek(at: position)?.value?.payload == position })
        #expect(node.loadedCount == 10 && tracker.liveCount == 10)
      }
      node.reset(count: .exact(5))
      #expect(tracker.liveCount == 0)
      _ = node.element(at: 0)
      #expect(await eventually { tracker.liveCount == 5 })
    }
    try tracker.check()
  }

  /// A node on an actor that is not the main actor.
  @Test func onAnActor() async {
    actor Owner {
      private var node: PagedNode<Int>?

      func rows() async -> [Int?] {
        let node = PagedNode(count: .exact(20), pageSize: 10) { range in
          await Task.yield()
          return Array(range)
        }
        self.node = node
        _ = await eventually { node.elements.allSatisfy { !$0.isLoading } }
        return node.elements.map(\.value)
      }
    }
    #expect(await Owner().rows() == Array(0..<20))
  }

  /// A row that reads the node while it is released; `@unchecked Sendable`, because only the main actor uses it.
  private final class CuriousRow: @unchecked Sendable {
    weak var list: PagedNode<CuriousRow>?

    deinit { _ = list?.count }
  }

  @Test func aRowReadsTheNodeWhileItIsReleased() async {
    let node = PagedNode<CuriousRow>(count: .exact(300), keeping: 1) { range in range.map { _ in CuriousRow() } }
    func connect() {
      for position in 0..<node.count { node.peek(at: position)?.value?.list = node }
    }
    _ = node.element(at: 0)
    #expect(await eventually { node.loadedCount == 100 })
    connect()
    weak let first = node.peek(at: 0)?.value
    _ = node.element(at: 100)
    #expect(await eventually { node.peek(at: 100)?.value != nil })
    #expect(first == nil && node.loadedCount == 100)
    connect()
    node.setCount(.exact(150))
    #expect(node.loadedCount == 50)
    node.reset(count: .exact(10))
    #expect(node.loadedCount == 0 && node.count == 10)
  }

  @Test func hugeCounts() async {
    let most = Int.max / 2
    let node = PagedNode(count: .exact(most), pageSize: 10) { Array($0) }
    #expect(node.element(at: most - 1)?.isLoading == true)
    #expect(await eventually { node.peek(at: most - 1)?.value == most - 1 })
    let guess = PagedNode(count: .estimated(most), pageSize: 10) { Array($0) }
    _ = guess.element(at: most - 1)
    #expect(await eventually { guess.isCountExact })
    #expect(guess.count == most && guess.peek(at: most - 1)?.value == most - 1)
  }
}
