@testable import Assemblage
import Foundation
import Observation
import Synchronization
import TestSupport
import Testing

/// The lines of several sources, which other tasks read, and the lines that match a search.
@MainActor final class LogViewer {
  /// Lines of one source.
  typealias Batch = (source: Int, lines: [String])

  let sources: [ArrayNode<String>]
  let found: FilterNode<String>
  let batches: AsyncStream<Batch>
  let feed: AsyncStream<Batch>.Continuation

  init(sourceCount: Int) {
    sources = (0..<sourceCount).map { _ in ArrayNode<String>([]) }
    found = FilterNode(JoinNode(sources)) { _ in true }
    (batches, feed) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(16))
  }

  func run() async {
    for await (source, lines) in batches { sources[source].append(contentsOf: lines) }
  }
}

/// The code of Docs/Concurrency.md.
@MainActor @Suite struct ConcurrencyGuideTests {
  @MainActor final class Search {
    let found: FilterNode<String>
    var text = ""
    private var task: Task<Void, Never>?

    init(_ lines: any TreeNode<String>) { found = FilterNode(lines) { _ in true } }

    func type(_ text: String) {
      let hint: FilterHint = text.hasPrefix(self.text) ? .stricter : .different
      self.text = text
      let found = found
      task = Task {
        try? await found.setPredicate(hint: hint, inBackground: .concurrently) { $0.contains(text) }
      }
    }

    func wait() async { await task?.value }
  }

  @Observable final class Contact {
    var name: String

    init(_ name: String) { self.name = name }
  }

  @MainActor final class Log { var lines: [String] = [] }

  @MainActor func log(_ names: ArrayNode<String>, to list: Log) async {
    for await change in names.changes {
      list.lines.append("\(change)")
    }
    list.lines.append("end")
  }

  @Test func changesAsAStream() async {
    let (names, list) = (ArrayNode(["Ada"]), Log())
    let task = Task { await log(names, to: list) }
    #expect(await eventually { names.hub.isObserved })
    names.append("Grace")
    names.append("Edsger")
    #expect(await eventually { !list.lines.isEmpty })
    task.cancel()
    await task.value
    #expect(list.lines == ["[+1..<3]", "end"])
  }

  final class Stale: Sendable {
    private let state = Mutex(false)
    var isSet: Bool { state.withLock { $0 } }
    func set() { state.withLock { $0 = true } }
  }

  @Test func readingWhatIsOnTheScreen() {
    let isStale = Stale()
    var shown: (Int, String?) = (0, nil)
    let people = ArrayNode(["Ada", "Grace", "Edsger"])
    let found = ObservableNode(FilterNode(people) { $0.contains("a") })
    withObservationTracking {
      shown = (found.count, found[0])
    } onChange: {
      isStale.set()
    }
    people.append("Bob")  // neither the count nor the first row is another one
    #expect(isStale.isSet == false)
    people.remove(at: 0)
    #expect(isStale.isSet == true)
    #expect(shown == (2, "Ada") && found.count == 1)
  }

  @Test func objectsThatChangeByThemselves() {
    let (ada, grace) = (Contact("Ada"), Contact("Grace"))
    let contacts = ArrayNode([ada, grace])
    let short = FilterNode(contacts) { $0.name.count < 5 }
    let tracker = ElementTracker(of: contacts) { $0.name }
    grace.name = "Mary"
    tracker.refresh()  // or wait: the actor does it with its next task
    #expect(short.elements.map(\.name) == ["Ada", "Mary"])
  }

  final class Volumes {
    private var volumes: [Int: Int] = [:]
    func of(_ track: Int) -> Int { volumes[track, default: 0] }
    func set(_ volume: Int, of track: Int) { volumes[track] = volume }
  }

  @Test func elementsByID() {
    let volumes = Volumes()
    let tracks = ArrayNode([1, 2, 3])
    let loud = FilterNode(tracks) { volumes.of($0) > 5 }
    let index = IdentityIndex(of: tracks, id: { $0 })
    volumes.set(9, of: 2)
    index.update([2])
    #expect(loud.elements == [2])
  }

  /// Updates each row that a database or a notification center names, one id after the other.
  @MainActor final class Player {
    let volumes = Volumes()
    let tracks = ArrayNode([1, 2, 3])
    let index: IdentityIndex<Int, Int>
    private var task: Task<Void, Never>?

    init() { index = IdentityIndex(of: tracks, id: { $0 }) }

    func follow(_ changed: some AsyncSequence<Int, Never> & Sendable) {
      let index = index
      task = Task { await index.update(each: changed) }
    }

    func wait() async { await task?.value }
  }

  @Test func aStreamOfIDs() async {
    let player = Player()
    let loud = FilterNode(player.tracks) { [volumes = player.volumes] in volumes.of($0) > 5 }
    let (changed, change) = AsyncStream.makeStream(of: Int.self)
    player.follow(changed)
    for track in [3, 1] {
      player.volumes.set(9, of: track)
      change.yield(track)
    }
    #expect(loud.elements == [])
    change.finish()
    await player.wait()
    #expect(loud.elements == [1, 3])
  }

  @Test func filteringInTheBackground() async throws {
    let lines = ArrayNode((0..<100_000).map { "line \($0)" })
    let found = FilterNode(lines) { _ in true }
    let progress = BackgroundProgress()
    try await found.setPredicate(inBackground: .concurrently, progress: progress) { $0.hasSuffix("99") }
    #expect(found.count == 1000)
    #expect(progress.fraction == 1)
    try await found.setPredicate(hint: .stricter, inBackground: .inSlices(of: .milliseconds(2))) {
      $0.hasSuffix("999")
    }
    #expect(found.count == 100)

    let search = Search(lines)
    search.type("9")
    search.type("99")
    await search.wait()
    #expect(search.found.count == 3691)

    let sorted = SortNode(lines, by: nil)
    try await sorted.setComparator(inBackground: .concurrently) { $0.count > $1.count }
    #expect(sorted[0] == "line 10000")

    let letters = GroupNode(lines) { $0.first }
    try await letters.setKey(inBackground: .concurrently) { $0.last }
    #expect(letters.count == 10)
  }

  /// A server of files, somewhere.
  actor FileServer {
    struct Unreachable: Error {}

    private var folders = ["/": ["etc/", "readme"], "etc/": ["hosts"]]
    private var isReachable = true

    func setReachable(_ isReachable: Bool) { self.isReachable = isReachable }

    func add(_ name: String, to folder: String) { folders[folder]?.append(name) }

    func entries(in folder: String) throws -> [String] {
      guard isReachable else { throw Unreachable() }
      return folders[folder] ?? []
    }
  }

  /// Waits until a branch has its children, or an error.
  @MainActor func end(of path: IndexPath, in tree: HierarchyNode<String>) async {
    guard tree.loadState(at: path)?.isLoading == true else { return }
    for await _ in tree.changes where tree.loadState(at: path)?.isLoading != true { return }
  }

  @Test func loading() async {
    let server = FileServer()
    let tree = HierarchyNode(
      "/", id: { $0 }, hasChildren: { $0.hasSuffix("/") }, atMost: 4,
      loading: { try await server.entries(in: $0) })
    let rows = OutlineNode(tree, id: { $0 })
    #expect(rows.count == 0)
    #expect(tree.loadState.isLoading == true)
    await end(of: [], in: tree)
    #expect(rows.elements == ["etc/", "readme"])
    rows.expand(row: 0)
    #expect(tree.loadState(at: [0])?.isLoading == true)
    await end(of: [0], in: tree)
    #expect(rows.elements == ["etc/", "hosts", "readme"])
    await server.setReachable(false)
    tree.reload(.children)
    await end(of: [], in: tree)
    #expect(tree.loadState.error is FileServer.Unreachable == true)
    #expect(rows.elements == ["etc/", "hosts", "readme"])
    await server.setReachable(true)
    await server.add("notes", to: "/")
    tree.retry()
    await end(of: [], in: tree)
    #expect(rows.elements == ["etc/", "hosts", "readme", "notes"])
  }

  /// A server of long lists, somewhere.
  actor ListServer {
    struct Unreachable: Error {}

    private var isReachable = true

    func setReachable(_ isReachable: Bool) { self.isReachable = isReachable }

    func lines(in range: Range<Int>) throws -> [String] {
      guard isReachable else { throw Unreachable() }
      return range.map { "line \($0)" }
    }
  }

  /// Waits until a row is loaded, or has an error.
  @MainActor func arrival(of row: Int, in list: PagedNode<String>) async {
    guard list[row].isLoading else { return }
    for await _ in list.changes where !list[row].isLoading { return }
  }

  @Test func loadingByThePage() async {
    let server = ListServer()
    let list = PagedNode(count: .exact(10_000_000), pageSize: 50, keeping: 20) {
      try await server.lines(in: $0)
    }
    #expect(list[5_000_017].isLoading == true)
    await arrival(of: 5_000_017, in: list)
    #expect(list[5_000_017].value == "line 5000017")
    #expect(list[5_000_049].value == "line 5000049")
    await server.setReachable(false)
    list.reload()
    #expect(list[5_000_017].value == "line 5000017")
    await arrival(of: 0, in: list)
    #expect(list[0].error is ListServer.Unreachable == true)
    #expect(list[5_000_017].value == "line 5000017")
    await server.setReachable(true)
    list.retry()
    await arrival(of: 0, in: list)
    #expect(list[0].value == "line 0")
  }

  @Test func feedingNodesFromOtherTasks() async throws {
    let viewer = LogViewer(sourceCount: 5)
    let feed = viewer.feed
    let senders = (0..<5).map { source in
      Task.detached {
        for start in stride(from: 0, to: 1_000, by: 100) {
          let lines = (start..<start + 100).map {
            $0.isMultiple(of: 50) ? "error \($0)" : "line \($0)"
          }
          while case .dropped = feed.yield((source, lines)) {
            try await Task.sleep(for: .milliseconds(1))
          }
        }
      }
    }
    let closer = Task.detached {
      for sender in senders { try await sender.value }
      feed.finish()
    }
    viewer.found.setPredicate { $0.hasPrefix("error") }
    await viewer.run()
    #expect(viewer.found.count == 100)
    #expect(viewer.sources[3].count == 1000)
    try await closer.value
    #expect(viewer.sources[3].elements.map { $0.split(separator: " ")[1] } == (0..<1_000).map { "\($0)" })
  }
}
