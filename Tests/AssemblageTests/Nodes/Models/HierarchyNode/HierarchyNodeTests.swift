@testable import Assemblage
import AssemblageTesting
import Foundation
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

  /// A file system: the children of names, by name, and what has been asked.
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
    // The shadow has looked at everything.
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

  /// New children are looked at, and loaded, while a change is being carried through the graph.
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
    for iteration in 0..<TestSeed.iterations(60) {
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

  @Test(.smallStack) func aTallChain() {
    let depth = TallTree.depth
    var tree: HierarchyNode<Int>? = HierarchyNode(0, id: { $0 }, children: { $0 < depth ? [$0 + 1] : [] })
    let outline = OutlineNode(tree!, expansion: ExpansionState(policy: .expanded), id: { $0 })
    #expect(outline.count == depth)
    #expect(outline.element(at: depth - 1) == depth)
    tree = nil
  }
}
