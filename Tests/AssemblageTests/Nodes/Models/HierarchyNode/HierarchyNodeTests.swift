@testable import Assemblage
import AssemblageTesting
import Foundation
import OffsetIndexing
import TestSupport
import Testing

@Suite struct HierarchyNodeTests {
  struct Folder: Hashable {
    var name: String
    var folders: [Folder] = []
  }

  struct Item: Hashable {
    var name: String
    var items: [Item]?
  }

  /// A file system: the children of each name, and the names that have been asked about.
  private final class Disk {
    var contents: [String: [Entry]] = [:]
    var asked: [String] = []

    struct Entry: Hashable {
      var name: String
      var isFolder: Bool
      var version = 0
    }

    func tree() -> HierarchyNode<Entry> {
      HierarchyNode(
        Entry(name: "/", isFolder: true), id: { $0.name }, hasChildren: { $0.isFolder },
        children: { entry in
          self.asked.append(entry.name)
          return self.contents[entry.name] ?? []
        })
    }
  }

  /// A folder that changes in place.
  private final class Place: Equatable {
    let name: String
    var places: [Place]

    init(_ name: String, _ places: [Place] = []) { (self.name, self.places) = (name, places) }

    static func == (left: Place, right: Place) -> Bool { left === right }
  }

  /// Objects lose and gain their children in place, before the tree is loaded again.
  @Test func objectsChangeInPlace() {
    let (a, b) = (Place("a", [Place("x"), Place("y")]), Place("b"))
    let tree = HierarchyNode(
      Place("root", [a, b]), id: { $0.name }, areEqual: { _, _ in false },
      hasChildren: { !$0.places.isEmpty }, children: { $0.places })
    let filter = TreeFilterNode(tree) { $0.name > "w" }
    func names(_ position: Int) -> [String]? { tree.child(at: position)?.elements.map(\.name) }
    #expect(names(0) == ["x", "y"] && names(1) == nil && filter.elements.map(\.name) == ["a"])
    a.places = []
    tree.reload()
    #expect(names(0) == nil && names(1) == nil && filter.count == 0)
    b.places = [Place("z")]
    tree.reload()
    #expect(names(1) == ["z"] && filter.elements.map(\.name) == ["b"])
    a.places = [Place("x")]
    tree.reload()
    #expect(names(0) == ["x"] && filter.elements.map(\.name) == ["a", "b"])
  }

  /// The children of an object among leaves are reported when it gets them.
  @Test func anObjectGetsItsFirstChild() throws {
    let (a, b) = (Place("a"), Place("b"))
    let tree = HierarchyNode(
      Place("root", [a, b]), id: { $0.name }, areEqual: { _, _ in false }, hasChildren: { !$0.places.isEmpty },
      children: { $0.places })
    let index = IdentityIndex(of: tree, id: { $0.name })
    let shadow = ShadowTree(of: tree, id: { $0.name })
    b.places = [Place("z")]
    tree.reload()
    try shadow.check()
    #expect(index.path(of: "z") == [1, 0])
  }

  /// A transaction collapses a row, and asks a filter again. Then a reload moves the rows, and is not reverted.
  @Test func aRollbackAfterAReloadFindsMovedRows() throws {
    let names = ["a": ["x"], "b": ["y"], "c": ["z"]]
    var (roots, hidden) = (["a", "b", "c"], "")
    let tree = HierarchyNode<String>("/", id: { $0 }, hasChildren: { $0 == "/" || names[$0] != nil }) {
      $0 == "/" ? roots : names[$0]!
    }
    let outline = OutlineNode(tree, expansion: ExpansionState(policy: .expanded), id: { $0 })
    let filter = TreeFilterNode(tree) { $0 != hidden }
    #expect(filter.elements == ["a", "b", "c"])
    let shadows = [ShadowTree(of: outline, id: { $0 }), ShadowTree(of: filter, id: { $0 })]
    // What the reload leaves in place is hidden and shown again.
    for shadow in shadows { shadow.minimality = [] }
    try? outline.performUpdates {
      outline.collapse(row: 2)
      hidden = "b"
      filter.refresh(at: [1])
      hidden = ""
      roots = ["b", "c", "a"]
      tree.reload(.children)
      throw CancellationError()
    }
    for shadow in shadows { try shadow.check() }
    #expect(outline.elements == ["b", "y", "c", "z", "a", "x"])
    #expect(filter.elements == ["b", "c", "a"])
  }

  /// A leaf that becomes a folder is loaded once.
  @Test func aReloadAsksForChildrenOnce() {
    struct Entry: Hashable {
      var name: String
      var isFolder = false
    }
    var entries = [Entry(name: "a")]
    var asked: [String] = []
    let tree = HierarchyNode(Entry(name: "/", isFolder: true), id: { $0.name }, hasChildren: { $0.isFolder }) { entry in
      asked.append(entry.name)
      return entry.name == "/" ? entries : []
    }
    _ = tree.count
    entries[0].isFolder = true
    asked = []
    tree.reload()
    #expect(asked == ["/", "a"])
    entries[0].isFolder = false
    tree.reload(.children)
    entries[0].isFolder = true
    asked = []
    tree.reload(.children)
    #expect(asked == ["/", "a"])
  }

  /// A child is announced as updated by a tracker, after all children were leaves.
  @Test func aTrackedObjectGetsItsFirstChild() {
    let (a, b) = (ObservablePerson("a"), ObservablePerson("b"))
    let tree = HierarchyNode(
      ObservablePerson("root"), id: { ObjectIdentifier($0) }, areEqual: ===,
      hasChildren: { $0.name.hasSuffix("!") || $0.name == "root" },
      children: { $0.name == "root" ? [a, b] : [ObservablePerson("child")] })
    let tracker = ElementTracker.manual(of: tree) { $0.name }
    #expect(tree.child(at: 0) == nil)
    a.name = "a!"
    tracker.refresh()
    #expect(tree.child(at: 0)?.elements.map(\.name) == ["child"])
  }

  @Test func theExampleHolds() {
    let home = Folder(
      name: "home", folders: [Folder(name: "notes", folders: [Folder(name: "old")]), Folder(name: "music")])
    let tree = HierarchyNode(home, id: { $0.name }, children: { $0.folders })
    #expect(tree.elements.map(\.name) == ["notes", "music"])
    #expect(tree[[0, 0]]?.name == "old")
    #expect(tree.description.hasPrefix("HierarchyNode ") && tree.description.hasSuffix(" (not loaded)]"))
  }

  @Test func aKeyPathRepeats() {
    let tree = HierarchyNode(
      Folder(name: "a", folders: [Folder(name: "b", folders: [Folder(name: "c")]), Folder(name: "d")]),
      id: \.name, children: \.folders)
    #expect(tree.child(at: 0)?.count == 1)
    #expect(tree.child(at: 1) == nil)
    let items = HierarchyNode(
      Item(name: "a", items: [Item(name: "b", items: []), Item(name: "c")]), id: \.name, children: \.items)
    #expect(items.child(at: 0)?.count == 0)
    #expect(items.child(at: 1) == nil)
  }

  @Test func childrenAreAskedForOnceAndWhenNeeded() {
    let disk = Disk()
    disk.contents["/"] = (0..<1_000).map { Disk.Entry(name: "\($0)", isFolder: $0 % 2 == 0) }
    disk.contents["4"] = [Disk.Entry(name: "4.txt", isFolder: false)]
    let tree = disk.tree()
    #expect(tree.hasChildren)
    #expect(disk.asked.isEmpty)
    #expect(tree.description.hasSuffix(" (not loaded)"))
    let outline = OutlineNode(tree, id: { $0.name })
    #expect(outline.count == 1_000)
    #expect(outline.row(at: 4).hasChildren)
    #expect(!outline.row(at: 5).hasChildren)
    #expect(outline.elements.count == 1_000)
    #expect(disk.asked == ["/"])
    outline.expand(row: 4)
    outline.collapse(row: 4)
    outline.expand(row: 4)
    #expect(outline.count == 1_001)
    #expect(disk.asked == ["/", "4"])
    #expect(tree.child(at: 5) == nil)
    #expect(tree.child(at: 4) === tree.child(at: 4))
    #expect(tree.child(at: -1) == nil)
    #expect(tree.child(at: 1_000) == nil)
  }

  @Test func aReloadKeepsWhatSurvives() throws {
    let disk = Disk()
    disk.contents["/"] = ["a", "b", "c"].map { Disk.Entry(name: $0, isFolder: true) }
    disk.contents["b"] = ["x", "y"].map { Disk.Entry(name: $0, isFolder: false) }
    let tree = disk.tree()
    let b = try #require(tree.child(at: 1))
    #expect(b.count == 2)
    let outline = OutlineNode(tree, id: { $0.name })
    outline.expand(row: 1)
    let shadow = ShadowTree(of: tree, id: \.name)
    let rows = ShadowTree(of: outline, id: \.name)
    disk.contents["/"] = ["c", "d", "b"].map { Disk.Entry(name: $0, isFolder: true) }
    try shadow.checkTransaction { tree.reload(.children) }
    #expect(tree.child(at: 2) === b)
    #expect(outline.elements.map(\.name) == ["c", "d", "b", "x", "y"])
    disk.asked = []
    disk.contents["b"] = ["y", "z"].map { Disk.Entry(name: $0, isFolder: false) }
    try shadow.checkTransaction { tree.reload() }
    // The shadow has read all branches.
    #expect(Set(disk.asked) == ["/", "c", "d", "b"])
    #expect(outline.elements.map(\.name) == ["c", "d", "b", "y", "z"])
    disk.asked = []
    disk.contents["b"]![0].version = 1
    try shadow.checkTransaction { tree.reload(at: [2]) }
    #expect(disk.asked == ["b"])
    #expect(outline.element(at: 3)?.version == 1)
    try rows.check()
    shadow.cancel()
    rows.cancel()
  }

  @Test func aLeafBecomesANodeAndALeafAgain() throws {
    let disk = Disk()
    disk.contents["/"] = [Disk.Entry(name: "a", isFolder: false), Disk.Entry(name: "b", isFolder: true)]
    disk.contents["a"] = [Disk.Entry(name: "x", isFolder: false)]
    disk.contents["b"] = [Disk.Entry(name: "y", isFolder: false)]
    let tree = disk.tree()
    let outline = OutlineNode(tree, expansion: ExpansionState(policy: .expanded), id: { $0.name })
    let shadow = ShadowTree(of: tree, id: \.name)
    let rows = ShadowTree(of: outline, id: \.name)
    #expect(outline.elements.map(\.name) == ["a", "b", "y"])
    disk.contents["/"] = [Disk.Entry(name: "a", isFolder: true), Disk.Entry(name: "b", isFolder: false)]
    try shadow.checkTransaction { tree.reload() }
    #expect(outline.elements.map(\.name) == ["a", "x", "b"])
    disk.contents["/"] = [Disk.Entry(name: "a", isFolder: false), Disk.Entry(name: "b", isFolder: true)]
    try shadow.checkTransaction { tree.reload() }
    #expect(outline.elements.map(\.name) == ["a", "b", "y"])
    try rows.check()
    shadow.cancel()
    rows.cancel()
  }

  @Test func theRootGetsAnotherValue() throws {
    var home = Folder(name: "home", folders: [Folder(name: "a"), Folder(name: "b", folders: [Folder(name: "c")])])
    let tree = HierarchyNode(home, id: \.name, children: \.folders)
    let shadow = ShadowTree(of: tree, id: \.name)
    home.folders[1].folders.append(Folder(name: "d"))
    home.folders[0].folders.append(Folder(name: "e"))
    try shadow.checkTransaction { tree.reload(value: home) }
    #expect(tree.child(at: 1)?.elements.map(\.name) == ["c", "d"])
    #expect(tree.child(at: 0)?.elements.map(\.name) == ["e"])
    shadow.cancel()
  }

  @Test func rootsAreAskedForToo() throws {
    var names = ["a", "b"]
    let tree = HierarchyNode(roots: { names }, id: { $0 }, children: { $0.count < 3 ? [$0 + "x", $0 + "y"] : [] })
    #expect(!tree.isLoaded)
    let outline = OutlineNode(tree, expansion: ExpansionState(policy: .expanded), id: { $0 })
    #expect(outline.elements.joined(separator: " ") == "a ax axx axy ay ayx ayy b bx bxx bxy by byx byy")
    names = ["b", "c"]
    try NodeChecker<String>(id: { $0 }).checkTransaction(of: outline) { tree.reload() }
    #expect(outline.elements.first == "b")
    #expect(outline.count == 14)
  }

  /// New children are read, and loaded, while a change passes through the graph.
  @Test func childrenAreLoadedInTheMiddleOfAChange() throws {
    let disk = Disk()
    disk.contents["/"] = []
    disk.contents["a"] = [Disk.Entry(name: "b", isFolder: true)]
    disk.contents["b"] = [Disk.Entry(name: "c", isFolder: false)]
    let tree = disk.tree()
    let outline = OutlineNode(tree, expansion: ExpansionState(policy: .expanded), id: { $0.name })
    let rows = ShadowTree(of: outline, id: \.name)
    disk.contents["/"] = [Disk.Entry(name: "a", isFolder: true)]
    try rows.checkTransaction { tree.reload() }
    #expect(outline.elements.map(\.name) == ["a", "b", "c"])
    disk.contents["b"]!.append(Disk.Entry(name: "d", isFolder: false))
    try rows.checkTransaction { tree.reload(at: [0, 0]) }
    #expect(outline.elements.map(\.name) == ["a", "b", "c", "d"])
    rows.cancel()
  }

  @Test func randomReloads() throws {
    for iteration in 0..<TestSeed.iterations(30) {
      var generator = TestSeed.generator("hierarchy", iteration: iteration)
      let disk = Disk()
      func shuffle(_ name: String, depth: Int) {
        let names = (0..<8).shuffled(using: &generator).prefix(Int.random(in: 0...5, using: &generator))
        disk.contents[name] = names.map { number in
          let former = disk.contents[name]?.first { $0.name == "\(name)\(number)" }
          return Disk.Entry(
            name: "\(name)\(number)",
            isFolder: depth < 3 && (former?.isFolder ?? generator.chance(1, in: 2) || generator.chance(1, in: 8)),
            version: (former?.version ?? 0) + (generator.chance(1, in: 3) ? 1 : 0))
        }
        for entry in disk.contents[name]! where entry.isFolder && generator.chance(2, in: 3) {
          shuffle(entry.name, depth: depth + 1)
        }
      }
      shuffle("/", depth: 0)
      let tree = disk.tree()
      let outline = OutlineNode(
        tree, expansion: ExpansionState(policy: generator.chance(1, in: 2) ? .expanded : .collapsed), id: { $0.name })
      let shadow = ShadowTree(of: tree, id: \.name)
      let rows = ShadowTree(of: outline, id: \.name)
      for _ in 0..<TestSeed.length(20) {
        if generator.chance(1, in: 2), outline.count > 0 {
          outline.toggle(row: Int.random(in: 0..<outline.count, using: &generator))
        } else {
          shuffle("/", depth: 0)
          try shadow.checkTransaction { tree.reload() }
        }
        try rows.check()
        var expected: [String] = []
        func visit(_ name: String, depth: Int) {
          for entry in disk.contents[name] ?? [] {
            expected.append(entry.name)
            if entry.isFolder, outline.expansion.isExpanded(entry.name, depth: depth) {
              visit(entry.name, depth: depth + 1)
            }
          }
        }
        visit("/", depth: 0)
        try #require(outline.elements.map(\.name) == expected)
      }
      shadow.cancel()
      rows.cancel()
    }
  }

  // MARK: Branches without nodes

  @Test func aBranchCostsNoNodeUnlessItIsAskedFor() throws {
    let tree = HierarchyNode(0, id: { $0 }, hasChildren: { $0 < 111 }, children: { Array($0 * 10 + 1...$0 * 10 + 10) })
    let outline = OutlineNode(tree, id: { $0 })
    let arena = tree.forest.arena
    #expect(outline.rows(in: 0..<10).allSatisfy(\.hasChildren) && outline.row(at: 3).hasChildren)
    #expect(tree.forest.shape.branches(in: 0..<10, of: tree.branch).isEmpty, "to draw a row makes no branch")
    outline.expandAll()
    #expect(outline.count == 1_110 && outline.rows(in: 0..<1_110).count { $0.hasChildren } == 110)
    outline.collapseAll()
    outline.expand(row: 2)
    tree.reload()
    #expect(arena.memberCount == 0)
    var held: (any TreeNode<Int>)? = tree.child(at: 2)
    #expect(held === tree.child(at: 2) && held?.elements == Array(31...40))
    #expect(arena.memberCount == 1)
    held = nil
    #expect(arena.memberCount == 0)
  }

  @Test func whatIsHeldOutlivesItsPlace() throws {
    let disk = Disk()
    disk.contents["/"] = ["a", "b", "c"].map { Disk.Entry(name: $0, isFolder: true) }
    disk.contents["b"] = ["x", "y"].map { Disk.Entry(name: $0, isFolder: true) }
    disk.contents["y"] = [Disk.Entry(name: "z", isFolder: false)]
    let tree = disk.tree()
    let outline = OutlineNode(tree, expansion: ExpansionState(policy: .expanded), id: { $0.name })
    let rows = ShadowTree(of: outline, id: \.name)
    let b = try #require(tree.child(at: 1) as? HierarchyNode<Disk.Entry>)
    let y = try #require(b.child(at: 1) as? HierarchyNode<Disk.Entry>)
    let recorder = ChangeRecorder(of: b)
    disk.contents["/"] = ["d", "c"].map { Disk.Entry(name: $0, isFolder: true) }
    try rows.checkTransaction { tree.reload() }
    #expect(outline.elements.map(\.name) == ["d", "c"])
    #expect(recorder.recording.description == "", "nothing has happened in it")
    #expect(b.value?.name == "b" && b.elements.map(\.name) == ["x", "y"] && b.child(at: 1) === y)
    #expect(tree.loadState(at: [0])?.word == "loaded" && b.isLoaded && y.isLoaded)

    // The held node is still loaded by its own calls.
    disk.contents["y"]!.append(Disk.Entry(name: "w", isFolder: true))
    b.reload()
    #expect(y.elements.map(\.name) == ["z", "w"] && recorder.recording.description == "[; 1: [+1]]")
    recorder.removeAll()
    b.reload(value: Disk.Entry(name: "b", isFolder: true, version: 1))
    #expect(b.value?.version == 1 && recorder.recording.changes == [ChangeSet(updatesValue: true)])
    // A child that returns is another node.
    disk.contents["/"]!.append(Disk.Entry(name: "b", isFolder: true))
    try rows.checkTransaction { tree.reload(.children) }
    #expect(tree.child(at: 2) !== b && tree.child(at: 2)?.count == 2)
    #expect(outline.elements.map(\.name) == ["d", "c", "b", "x", "y", "z", "w"])
    tree.forest.state.value.storage.value.checkInvariants()
    rows.cancel()
  }

  @Test func aHeldBranchThatBecomesALeafIsEmpty() throws {
    let disk = Disk()
    disk.contents["/"] = [Disk.Entry(name: "a", isFolder: true), Disk.Entry(name: "b", isFolder: true)]
    disk.contents["a"] = [Disk.Entry(name: "x", isFolder: false)]
    let tree = disk.tree()
    let a = try #require(tree.child(at: 0))
    #expect(a.count == 1)
    disk.contents["/"]![0].isFolder = false
    tree.reload()
    #expect(tree.child(at: 0) == nil && a.count == 0 && a.value?.name == "a")
    #expect(disk.asked == ["/", "a", "/"])
  }

  /// Nodes that a client holds stay the same while they are in the tree. Outside of the tree they keep their contents.
  @Test func randomReloadsOfHeldNodes() throws {
    for iteration in 0..<TestSeed.iterations(30) {
      var generator = TestSeed.generator("held branches", iteration: iteration)
      let disk = Disk()
      func shuffle(_ name: String, depth: Int) {
        let names = (0..<6).shuffled(using: &generator).prefix(Int.random(in: 0...5, using: &generator))
        disk.contents[name] = names.map { Disk.Entry(name: "\(name)\($0)", isFolder: depth < 3) }
        for entry in disk.contents[name]! where entry.isFolder && generator.chance(1, in: 2) {
          shuffle(entry.name, depth: depth + 1)
        }
      }
      shuffle("/", depth: 0)
      let tree = disk.tree()
      var held: [(node: HierarchyNode<Disk.Entry>, elements: [Disk.Entry], isInTree: Bool)] = []
      for _ in 0..<TestSeed.length(20) {
        var node = tree
        while let next = node.child(at: Int.random(in: 0...node.count, using: &generator)) as? HierarchyNode<Disk.Entry>
        {
          node = next
          if generator.chance(1, in: 3) { break }
        }
        if node !== tree, !held.contains(where: { $0.node === node }) { held.append((node, node.elements, true)) }
        if held.count > 3 { held.remove(at: Int.random(in: 0..<held.count, using: &generator)) }
        if generator.chance(1, in: 3) { shuffle("/", depth: 0) }
        for name in disk.contents.keys.sorted() where name != "/" && generator.chance(1, in: 5) {
          shuffle(name, depth: name.count - 1)
        }
        tree.reload()
        var present: [ObjectIdentifier: [Disk.Entry]] = [:]
        var open = [tree]
        while let node = open.popLast() {
          present[ObjectIdentifier(node)] = disk.contents[node.value!.name] ?? []
          try #require(node.elements == disk.contents[node.value!.name] ?? [])
          for position in 0..<node.count {
            if let child = node.child(at: position) as? HierarchyNode<Disk.Entry> { open.append(child) }
          }
        }
        for index in held.indices {
          let elements = present[ObjectIdentifier(held[index].node)]
          try #require(elements == nil || held[index].isInTree, "what has gone does not come back")
          if let elements { held[index].elements = elements }
          if elements == nil, held[index].isInTree {
            held[index].isInTree = false
            held[index].elements = held[index].node.elements
          }
          try #require(held[index].node.elements == held[index].elements)
        }
        tree.forest.state.value.storage.value.checkInvariants()
      }
      held = []
      try #require(tree.forest.arena.memberCount == 0)
    }
  }

  @Test(.smallStack) func aTallChain() {
    let depth = TallTree.depth
    var tree: HierarchyNode<Int>? = HierarchyNode(0, id: { $0 }, children: { $0 < depth ? [$0 + 1] : [] })
    let outline = OutlineNode(tree!, expansion: ExpansionState(policy: .expanded), id: { $0 })
    #expect(outline.count == depth)
    #expect(outline.element(at: depth - 1) == depth)
    tree = nil
  }
}
