@testable import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@MainActor @Suite struct HierarchyLoadingTests {
  @Test func expandingBeginsALoad() async throws {
    let source = ScriptedSource()
    let tree = source.tree()
    #expect(tree.loadState.word == "unloaded" && tree.hasChildren && source.asked.isEmpty)
    let outline = OutlineNode(tree, id: \.name)
    let rows = ShadowTree(of: outline, id: \.name)
    let recorder = ChangeRecorder(of: outline)
    #expect(tree.loadState.word == "loading" && outline.count == 0)
    #expect(tree.description.hasSuffix("(not loaded)"))
    await source.answer("/", RemoteEntry.folders("a", "b") + RemoteEntry.files("c"))
    #expect(await eventually { outline.count == 3 })
    #expect(tree.loadState.word == "loaded" && tree.isLoaded)
    #expect(source.asked == ["/"])

    // The source has not been asked about the folders, but they can be expanded.
    #expect(outline.rows(in: 0..<3).map(\.hasChildren) == [true, true, false])
    #expect(tree.loadState(at: [0])?.word == "unloaded")
    #expect(tree.loadState(at: [2]) == nil && tree.loadState(at: [0, 0]) == nil && tree.loadState(at: [7]) == nil)
    recorder.removeAll()
    outline.expand(row: 0)
    #expect(tree.loadState(at: [0])?.word == "loading" && outline.count == 3)
    // The row can be drawn as an expanded row that is waiting.
    #expect(outline.row(at: 0).hasChildren && outline.row(at: 0).isExpanded)
    #expect(outline.rows(in: 0..<3).map(\.hasChildren) == [true, true, false])
    #expect(await eventually { recorder.recording.description == "[~0]" })
    recorder.removeAll()
    await source.answer("a", RemoteEntry.files("a1", "a2"))
    #expect(await eventually { outline.count == 5 })
    // Rows and state are reported as one change.
    #expect(recorder.recording.changes == [ChangeSet(Delta(insertions: [1..<3], updates: [0..<1]))])
    #expect(outline.elements.map(\.name) == ["a", "a1", "a2", "b", "c"])
    try rows.check()
    rows.cancel()
  }

  @Test func anEmptyAnswerLeavesNothingToExpand() async {
    let source = ScriptedSource()
    let outline = OutlineNode(source.tree(), id: \.name)
    await source.answer("/", RemoteEntry.folders("a"))
    #expect(await eventually { outline.count == 1 })
    outline.expand(row: 0)
    await source.answer("a", [])
    #expect(await eventually { !outline.row(at: 0).hasChildren })
    #expect(outline.count == 1)
  }

  @Test func aFailedLoadCanBeTriedAgain() async throws {
    let source = ScriptedSource()
    let tree = source.tree()
    let recorder = ChangeRecorder(of: tree)
    tree.retry()
    #expect(tree.loadState.word == "unloaded")
    tree.load()
    #expect(recorder.recording.changes == [ChangeSet(updatesValue: true)])
    await source.fail("/", ScriptedSource.Failure(text: "offline"))
    #expect(await eventually { tree.loadState.error as? ScriptedSource.Failure == .init(text: "offline") })
    #expect(recorder.recording.changes.count == 2 && !tree.isLoaded && tree.hasChildren)
    // A read of a failed branch does not load it again.
    #expect(tree.count == 0 && tree.loadState.error != nil)
    tree.retry()
    tree.retry()
    #expect(tree.loadState.isLoading)
    await source.answer("/", RemoteEntry.files("a"))
    #expect(await eventually { tree.count == 1 })
    #expect(source.asked == ["/", "/"])
    tree.retry()
    tree.load()
    #expect(tree.loadState.word == "loaded")
  }

  @Test func aReloadKeepsWhatIsThere() async throws {
    let source = ScriptedSource()
    let tree = source.tree()
    let outline = OutlineNode(tree, id: \.name)
    await source.answer("/", RemoteEntry.folders("a", "b", "c"))
    #expect(await eventually { outline.count == 3 })
    outline.expand(row: 1)
    await source.answer("b", RemoteEntry.files("x", "y"))
    #expect(await eventually { outline.count == 5 })
    let rows = ShadowTree(of: outline, id: \.name)
    let recorder = ChangeRecorder(of: outline)

    tree.reload(.children)
    #expect(tree.loadState.isLoading && tree.isLoaded && outline.count == 5)
    await source.fail("/")
    #expect(await eventually { tree.loadState.error != nil })
    #expect(tree.isLoaded && outline.elements.map(\.name) == ["a", "b", "x", "y", "c"])
    // No change of a row was reported.
    #expect(recorder.recording.changes.allSatisfy { $0.delta.isEmpty })

    recorder.removeAll()
    tree.load()
    #expect(tree.loadState.error != nil)
    tree.retry()
    await source.answer("/", RemoteEntry.folders("c", "d", "b"))
    #expect(await eventually { tree.loadState.word == "loaded" })
    #expect(outline.elements.map(\.name) == ["c", "d", "b", "x", "y"])
    try rows.check()
    // The new branches were not loaded again, because they are in another scope.
    #expect(source.names.isEmpty)
    tree.reload()
    #expect(await eventually { source.names == ["/", "b"] })
    await source.answer("b", RemoteEntry.files("y", "z"))
    await source.answer("/", RemoteEntry.folders("b", "c"))
    // The two answers arrive in either order.
    #expect(await eventually { tree.loadState.word == "loaded" && tree.loadState(at: [0])?.word == "loaded" })
    #expect(outline.elements.map(\.name) == ["b", "y", "z", "c"])
    try rows.check()
    rows.cancel()
  }

  @Test func aStaleAnswerSaysNothing() async {
    let source = ScriptedSource()
    let tree = source.tree()
    tree.load()
    #expect(await eventually { source.requests.count == 1 })
    tree.reload()
    #expect(await eventually { source.requests.count == 2 })
    #expect(source.cancelled == [0])
    tree.reload()
    #expect(await eventually { source.requests.count == 3 })
    // The answers arrive in another order than the questions.
    source.answer(1, .success(RemoteEntry.files("old")))
    source.answer(2, .success(RemoteEntry.files("new")))
    #expect(await eventually { tree.isLoaded })
    #expect(tree.elements.map(\.name) == ["new"])
    source.answer(0, .success(RemoteEntry.files("oldest")))
    tree.reload()
    await source.answer("/", RemoteEntry.files("new", "newer"))
    #expect(await eventually { tree.count == 2 })
    #expect(tree.elements.map(\.name) == ["new", "newer"])
  }

  @Test func anotherValueIsLoadedAgain() async {
    let source = ScriptedSource()
    let tree = source.tree()
    tree.load()
    #expect(await eventually { source.names == ["/"] })
    tree.reload(value: RemoteEntry(name: "home"))
    #expect(await eventually { source.names == ["/", "home"] })
    await source.answer("home", RemoteEntry.folders("a"))
    #expect(await eventually { tree.count == 1 })
    await source.answer("/", RemoteEntry.folders("wrong"))
    // The value of a child that is being loaded changes, too.
    #expect(tree.child(at: 0)?.count == 0)
    #expect(await eventually { source.names == ["a"] })
    tree.reload(.children)
    await source.answer("home", [RemoteEntry(name: "a", version: 1)])
    #expect(await eventually { source.names == ["a", "a"] })
    #expect(source.cancelled.count == 2)
    source.close()
  }

  @Test func soManyAtOnce() async {
    let source = ScriptedSource()
    let tree = source.tree(atMost: 2)
    let outline = OutlineNode(tree, expansion: ExpansionState(policy: .expanded), id: \.name)
    await source.answer("/", RemoteEntry.folders("a", "b", "c", "d", "e"))
    #expect(await eventually { source.names == ["a", "b"] })
    #expect((0..<5).allSatisfy { tree.loadState(at: [$0])?.isLoading == true })
    // An explicit load moves the branch to the front of the queue.
    tree.load(at: [4])
    await source.answer("b", [])
    #expect(await eventually { source.names == ["a", "e"] })
    await source.answer("a", [])
    #expect(await eventually { source.names == ["e", "c"] })
    // A branch without any children goes before a branch that is loaded again.
    tree.reload(at: [0])
    await source.answer("e", [])
    #expect(await eventually { source.names == ["c", "d"] })
    // A cancelled load counts until it has returned.
    tree.cancelLoad(at: [2])
    #expect(tree.loadState(at: [2])?.word == "unloaded")
    await source.answer("c", [])
    #expect(await eventually { source.names == ["d", "a"] })
    #expect(source.mostAtOnce == 2 && outline.count == 5)
    #expect(tree.loadState(at: [2])?.word == "unloaded")
    source.close()
  }

  @Test func aCancelledLoadIsAsIfItHadNotBegun() async {
    let source = ScriptedSource(heedsCancellation: true)
    let tree = source.tree()
    tree.cancelLoad()
    // The load is cancelled before anything was reported.
    _ = tree.count
    let recorder = ChangeRecorder(of: tree)
    tree.cancelLoad()
    #expect(tree.loadState.word == "unloaded" && recorder.recording.changes.isEmpty)
    #expect(tree.count == 0 && tree.loadState.word == "unloaded")
    tree.load()
    #expect(await eventually { source.asked == ["/"] })
    tree.cancelLoad()
    #expect(tree.loadState.word == "unloaded" && source.names.isEmpty)
    #expect(tree.count == 0 && tree.loadState.word == "unloaded")
    tree.load()
    await source.answer("/", RemoteEntry.folders("a"))
    #expect(await eventually { tree.count == 1 })
    tree.reload()
    #expect(await eventually { source.names == ["/"] })
    tree.cancelLoad()
    #expect(tree.loadState.word == "loaded" && tree.count == 1 && source.names.isEmpty)
    tree.reload()
    await source.fail("/")
    #expect(await eventually { tree.loadState.error != nil })
    tree.retry()
    tree.cancelLoad()
    #expect(tree.loadState.error != nil && tree.count == 1)
  }

  @Test func collapsingCancels() async {
    let source = ScriptedSource(heedsCancellation: true)
    let tree = source.tree(whenCollapsed: .cancelLoads)
    let outline = OutlineNode(tree, id: \.name)
    await source.answer("/", RemoteEntry.folders("a", "b"))
    #expect(await eventually { outline.count == 2 })
    outline.expand(row: 0)
    await source.answer("a", RemoteEntry.folders("a1", "a2"))
    #expect(await eventually { outline.count == 4 })
    outline.expand(row: 1)
    outline.expand(row: 2)
    #expect(await eventually { source.names == ["a1", "a2"] })
    let recorder = ChangeRecorder(of: outline)
    outline.collapse(row: 1)
    #expect(recorder.recording.description == "[~1]")
    #expect(source.names == ["a2"] && tree.loadState(at: [0, 0])?.word == "unloaded")
    outline.collapse(row: 0)
    #expect(source.names.isEmpty && tree.loadState(at: [0, 1])?.word == "unloaded")
    // A collapsed branch does not show its children, so they are not loaded.
    outline.expand(row: 0)
    #expect(await eventually { source.names == ["a2"] })
    outline.expand(row: 1)
    #expect(await eventually { source.names == ["a2", "a1"] })
    // All branches at once.
    outline.collapseAll()
    #expect(source.names.isEmpty && outline.count == 2)
    outline.expandAll()
    #expect(await eventually { Set(source.names) == ["a1", "a2", "b"] })
    outline.collapse(row: 0)
    #expect(source.names == ["b"])
    outline.reveal([0, 1])
    #expect(await eventually { Set(source.names) == ["a1", "a2", "b"] })
    // A failed branch is loaded again when it is expanded.
    await source.fail("b")
    #expect(await eventually { tree.loadState(at: [1])?.error != nil })
    outline.collapse(row: 3)
    outline.expand(row: 3)
    #expect(await eventually { source.names.contains("b") })
    source.close()
  }

  @Test func collapsingKeepsLoading() async {
    let source = ScriptedSource(heedsCancellation: true)
    let tree = source.tree()
    let outline = OutlineNode(tree, id: \.name)
    await source.answer("/", RemoteEntry.folders("a"))
    #expect(await eventually { outline.count == 1 })
    outline.expand(row: 0)
    outline.collapse(row: 0)
    await source.answer("a", RemoteEntry.files("x"))
    #expect(await eventually { tree.loadState(at: [0])?.word == "loaded" })
    #expect(outline.count == 1)
    outline.expand(row: 0)
    #expect(outline.count == 2)
  }

  @Test func aReleasedTreeCancelsItsLoads() async throws {
    let source = ScriptedSource()
    let tracker = LifetimeTracker()
    do {
      let tree = source.tree(atMost: 2)
      tracker.expectRelease(of: tree, "the tree")
      let outline = OutlineNode(tree, expansion: ExpansionState(policy: .expanded), id: \.name)
      await source.answer("/", RemoteEntry.folders("a", "b", "c"))
      #expect(await eventually { source.names == ["a", "b"] })
      tracker.expectRelease(of: outline, "the outline")
      tracker.expectRelease(of: tree.child(at: 2)!, "a branch that waits")
      tracker.expectRelease(of: tree.supply.loader!, "the loader")
    }
    try tracker.check()
    #expect(source.cancelled == [1, 2])
    source.close()
    #expect(source.asked == ["/", "a", "b"])
  }

  @Test func aBranchThatLeavesCancelsItsLoad() async throws {
    let source = ScriptedSource()
    let tree = source.tree()
    let outline = OutlineNode(tree, expansion: ExpansionState(policy: .expanded), id: \.name)
    await source.answer("/", RemoteEntry.folders("a", "b", "c"))
    #expect(await eventually { source.names == ["a", "b", "c"] })
    let rows = ShadowTree(of: outline, id: \.name)
    tree.reload(.children)
    // One folder is gone, and another is a leaf.
    await source.answer("/", RemoteEntry.files("b") + RemoteEntry.folders("c"))
    #expect(await eventually { outline.count == 2 })
    #expect(source.cancelled == [1, 2])
    for name in ["a", "b", "c"] { await source.answer(name, RemoteEntry.files("\(name)1")) }
    #expect(await eventually { outline.count == 3 })
    #expect(outline.elements.map(\.name) == ["b", "c", "c1"])
    // A leaf becomes a branch.
    tree.reload(.children)
    await source.answer("/", RemoteEntry.folders("b", "c"))
    await source.answer("b", RemoteEntry.files("b2"))
    #expect(await eventually { outline.count == 4 })
    #expect(outline.elements.map(\.name) == ["b", "b2", "c", "c1"])
    try rows.check()
    rows.cancel()
  }

  /// What was removed and is held is a tree of its own: it loads its own branches, and the hierarchy stays as it is.
  @Test func aRemovedTreeLoadsItsOwnBranches() async throws {
    let source = ScriptedSource()
    let tree = source.tree()
    _ = tree.count
    await source.answer("/", RemoteEntry.folders("a", "b", "c", "d"))
    #expect(await eventually { tree.count == 4 })
    let a = try #require(tree.child(at: 0) as? HierarchyNode<RemoteEntry>)
    let b = try #require(tree.child(at: 1) as? HierarchyNode<RemoteEntry>)
    _ = a.count
    await source.answer("a", RemoteEntry.folders("a1", "a2"))
    #expect(await eventually { a.count == 2 })
    // One folder is gone, and another, which was never loaded, is a leaf.
    tree.reload(.children)
    await source.answer("/", RemoteEntry.files("b") + RemoteEntry.folders("c", "d"))
    #expect(await eventually { tree.count == 3 })
    let shadow = ShadowTree(of: tree, id: \.name)
    _ = (a.count(at: [0]), b.count)
    await source.answer("a1", RemoteEntry.files("x"))
    await source.answer("b", RemoteEntry.files("y"))
    #expect(await eventually { a.count(at: [0]) == 1 && b.count == 1 })
    #expect(a[[0, 0]]?.name == "x" && b[[0]]?.name == "y")
    // The outline holds no node of the branch.
    let outline = OutlineNode(a, id: \.name)
    outline.expand(row: 1)
    await source.answer("a2", RemoteEntry.files("z"))
    #expect(await eventually { outline.count == 3 })
    #expect(outline.elements.map(\.name) == ["a1", "a2", "z"])
    #expect(tree.elements.map(\.name) == ["b", "c", "d"])
    try shadow.check()
  }

  @Test func loadsInATransaction() async throws {
    let source = ScriptedSource()
    let tree = source.tree()
    let recorder = ChangeRecorder(of: tree)
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try tree.performUpdates {
        _ = tree.count
        throw Stop()
      }
    }
    await source.answer("/", RemoteEntry.files("a"))
    #expect(await eventually { tree.isLoaded })
    recorder.removeAll()
    tree.performUpdates {
      tree.reload()
      tree.cancelLoad()
      tree.reload()
    }
    #expect(recorder.recording.changes == [ChangeSet(updatesValue: true)])
    source.close()
  }

  /// A rollback reverts the expansions and collapses of an outline, which begin and cancel loads, too.
  @Test func expansionIsRolledBack() async throws {
    struct Stop: Error {}
    let source = ScriptedSource(heedsCancellation: true)
    let tree = source.tree(whenCollapsed: .cancelLoads)
    let outline = OutlineNode(tree, id: \.name)
    await source.answer("/", RemoteEntry.folders("a", "b"))
    #expect(await eventually { outline.count == 2 })
    outline.expand(row: 0)
    #expect(await eventually { source.names == ["a"] })
    let rows = ShadowTree(of: outline, id: \.name)
    #expect(throws: Stop.self) {
      try outline.performUpdates {
        outline.collapse(row: 0)
        outline.expand(row: 1)
        throw Stop()
      }
    }
    try rows.check()
    #expect(outline.row(at: 0).isExpanded && !outline.row(at: 1).isExpanded)
    #expect(tree.loadState(at: [0])?.word == "loading" && tree.loadState(at: [1])?.word == "unloaded")
    await source.answer("a", RemoteEntry.files("a1"))
    #expect(await eventually { tree.loadState(at: [0])?.word == "loaded" })
    #expect(outline.elements.map(\.name) == ["a", "a1", "b"])
    try rows.check()
    rows.cancel()
  }

  @Test func observersAskAgain() async throws {
    let source = ScriptedSource()
    let tree = source.tree()
    var failures = 0
    let token = tree.observe { [unowned tree] _ in
      guard tree.loadState.error != nil else { return }
      failures += 1
      tree.retry()
    }
    tree.load()
    for number in 1...3 {
      await source.fail("/")
      #expect(await eventually { failures == number })
    }
    await source.answer("/", RemoteEntry.files("a"))
    #expect(await eventually { tree.isLoaded })
    #expect(failures == 3 && source.asked.count == 4)
    token.cancel()
  }

  @Test func anObserverReleasesTheTree() async throws {
    final class Holder { var outline: OutlineNode<RemoteEntry, String>? }
    let source = ScriptedSource()
    let tracker = LifetimeTracker()
    let holder = Holder()
    var token: NodeObservation?
    do {
      let tree = source.tree()
      tracker.expectRelease(of: tree, "the tree")
      let outline = OutlineNode(tree, expansion: ExpansionState(policy: .expanded), id: \.name)
      holder.outline = outline
      token = outline.observe { change in
        guard !change.delta.insertions.isEmpty else { return }
        holder.outline = nil
        token?.cancel()
        token = nil
      }
    }
    await source.answer("/", RemoteEntry.folders("a", "b"))
    #expect(await eventually { token == nil })
    #expect(await eventually { (try? tracker.check()) != nil })
    source.close()
  }

  @Test func treesBehindViewsLoadToo() async throws {
    let source = ScriptedSource()
    let tree = source.tree()
    let sorted = TreeSortNode(tree) { $0.name > $1.name }
    let filtered = TreeFilterNode(sorted, policy: .keepingAncestors) { $0.name.count < 3 }
    let shadow = ShadowTree(of: filtered, id: \.name)
    await source.answer("/", RemoteEntry.folders("a", "b") + RemoteEntry.files("long"))
    await source.answer("b", RemoteEntry.files("b1", "b2", "b33"))
    await source.answer("a", RemoteEntry.files("a11"))
    #expect(await eventually { (0...1).allSatisfy { tree.loadState(at: [$0])?.word == "loaded" } })
    #expect(filtered.elements.map(\.name) == ["b", "a"])
    #expect(filtered.child(at: 0)?.elements.map(\.name) == ["b2", "b1"])
    try shadow.check()
    shadow.cancel()
  }

  @Test func rootsAreLoadedToo() async {
    let source = ScriptedSource()
    let tree = HierarchyNode(
      loadingRoots: { try await source.entries(of: "roots") }, id: \.name,
      loading: { try await source.entries(of: $0.name) })
    let outline = OutlineNode(tree, expansion: ExpansionState(policy: .depth(1)), id: \.name)
    await source.answer("roots", RemoteEntry.folders("a"))
    await source.answer("a", RemoteEntry.folders("b"))
    #expect(await eventually { outline.count == 2 })
    #expect(outline.row(at: 1).hasChildren)
  }

  /// An actor that owns its tree.
  private actor Browser {
    private(set) var outline: OutlineNode<RemoteEntry, String>?
    private let source: ScriptedSource

    init(_ source: ScriptedSource) { self.source = source }

    var count: Int { outline?.count ?? 0 }

    func open() {
      let source = source
      let tree = HierarchyNode(RemoteEntry(name: "/"), id: \.name, loading: { try await source.entries(of: $0.name) })
      outline = OutlineNode(tree, id: \.name)
    }
  }

  @Test func anActorIsNotKeptAlive() async {
    let source = ScriptedSource()
    var browser: Browser? = Browser(source)
    weak let released = browser
    await browser?.open()
    await source.answer("/", RemoteEntry.folders("a"))
    while await browser?.count == 0 { try? await Task.sleep(for: .microseconds(100)) }
    browser = nil
    #expect(await eventually { released == nil })
  }

  @Test func treesAtHandAreAsTheyWere() {
    let tree = HierarchyNode("a", id: { $0 }, children: { $0.count < 3 ? [$0 + "x"] : [] })
    #expect(tree.loadState.word == "unloaded" && tree.loadState(at: [0]) == nil)
    tree.retry()
    tree.cancelLoad()
    #expect(!tree.isLoaded)
    tree.load()
    #expect(tree.isLoaded && tree.loadState.word == "loaded" && tree.loadState(at: [0])?.word == "unloaded")
    // Without a label, the closure is the one that answers at once.
    let other = HierarchyNode("a", id: { $0 }) { [$0 + "y"] }
    #expect(other.elements == ["ay"])
  }
}
