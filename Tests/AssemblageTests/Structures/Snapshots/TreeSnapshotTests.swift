@_spi(NodeAuthors) import Assemblage
import Foundation
import TestSupport
import Testing

/// Returns the snapshot of a naive tree. Its nodes are the places that have children.
func snapshot<Element>(of tree: NaiveTree<Element>) -> TreeSnapshot<Element> {
  if tree.children.isEmpty { return TreeSnapshot(leaf: tree.value) }
  return TreeSnapshot(value: tree.value, children: tree.children.map { snapshot(of: $0) })
}

@Suite struct TreeSnapshotTests: MisuseSuite {
  private let sections = TreeSnapshot(children: [
    TreeSnapshot(value: "family", leaves: ["Dad", "Mum"]),
    TreeSnapshot(leaf: "note"),
    TreeSnapshot(value: "empty"),
    TreeSnapshot(value: "friends", children: [TreeSnapshot(leaf: "Bo"), TreeSnapshot(leaves: ["x"])]),
  ])

  @Test func placesAreReadByPositionAndPath() {
    #expect(sections.description == "[family[Dad, Mum], note, empty[], friends[Bo, [x]]]")
    #expect(sections.value == nil)
    #expect(sections.count == 4)
    #expect(sections.placeCount == 10)
    #expect(sections.depth == 3)
    #expect(sections.children[0].children[1].value == "Mum")
    #expect(sections[[3, 1, 0]].value == "x")
    #expect(sections.value(at: [3, 0]) == "Bo")
    #expect(sections.value(at: [3, 1]) == nil)
    #expect(sections.value(at: [3, 2]) == nil)
    #expect(sections.count(at: []) == 4)
    #expect(sections.count(at: [2]) == 0)
    #expect(sections.count(at: [1]) == nil, "a leaf")
    #expect(sections.count(at: [1, 0]) == nil)
    #expect(sections.place(at: [-1]) == nil)
    #expect(sections.children.map(\.value) == ["family", "note", "empty", "friends"])
    #expect(Array(sections.children[0]) == ["Dad", "Mum"])
    #expect(sections.children[3].description == "friends[Bo, [x]]")
    #expect(sections.children[1] == TreeSnapshot(leaf: "note"))
    #expect(sections[[]] == sections)
    #expect(sections.element(at: 1) == "note" && sections.elements == ["family", "note", "empty", "friends"])
    #expect(sections[[3]].element(at: 1) == nil && sections[[3]].elements == ["Bo"] && sections[[1]].isEmpty)
  }

  static let misuses = [
    Misuse("The snapshot has no place [0, 0].") { _ = TreeSnapshot(leaves: [1])[[0, 0]] },
    Misuse("TreeSnapshot: the position 1 is out of range 0..<1.") { _ = TreeSnapshot(leaves: [1])[1] },
    Misuse("TreeSnapshot: the position 1 is out of range 0..<1.") { _ = TreeSnapshot(leaves: [1]).children[1] },
    Misuse("TreeSnapshot: the child 0 has no value, so it cannot be read as an element.") {
      _ = TreeSnapshot(children: [TreeSnapshot(leaves: [1])])[0]
    },
    Misuse("TreeSnapshot: the position 1 is out of range 0..<1.") { _ = TreeSnapshot(leaves: [1]).descendants[1] },
    Misuse("TreeSnapshot: the place 0 in document order has no value, so it cannot be read as an element.") {
      _ = TreeSnapshot(children: [TreeSnapshot(leaves: [1])]).descendants[0]
    },
    Misuse("There is no node to end: only the root is open.") {
      var builder = TreeSnapshot<Int>.Builder()
      builder.endNode()
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }

  @Test func aLeafIsNoNodeWithoutChildren() {
    #expect(TreeSnapshot(leaf: 1) != TreeSnapshot(value: 1))
    #expect(TreeSnapshot(leaf: 1).description == "1")
    #expect(TreeSnapshot(value: 1).description == "1[]")
    #expect(TreeSnapshot<Int>(leaf: nil).description == "·")
  }

  /// Every forest of up to five nodes. All ways to build and to read its snapshot agree.
  @Test func allSmallForests() throws {
    for tree in Exhaustive.forests(upTo: 5) {
      let made = snapshot(of: tree)
      var builder = TreeSnapshot<Int>.Builder()
      func build(_ tree: NaiveTree<Int>) {
        for child in tree.children {
          if child.children.isEmpty {
            builder.appendLeaf(child.value)
          } else {
            builder.beginNode(child.value)
            build(child)
            builder.endNode()
          }
        }
      }
      build(tree)
      if !tree.children.isEmpty { #expect(builder.finish() == made) }
      #expect(made.placeCount == tree.nodeCount)
      #expect(made.depth == tree.height)
      #expect(Set(made.paths) == Set(tree.paths))
      #expect(made.paths.count == made.placeCount)
      for path in tree.paths {
        #expect(made.value(at: path) == tree[path].value)
        #expect(made[path].count == tree[path].children.count)
        #expect(made[path] == snapshot(of: tree[path]))
        #expect(made[path].paths.count == made[path].placeCount)
      }
      #expect(Array(made.descendants) == made.paths.dropFirst().map { made.value(at: $0)! })
      for (number, path) in made.paths.dropFirst().enumerated() {
        #expect(made.descendants.path(to: number) == path && made.descendants.number(at: path) == number)
      }
      let doubled = made.mapValues { $0 * 2 }
      #expect(doubled.mapValues { $0 / 2 } == made)
      #expect(doubled.paths == made.paths)
      let decoded = try JSONDecoder().decode(
        TreeSnapshot<Int>.self, from: JSONEncoder().encode(made))
      #expect(decoded == made && decoded.hashValue == made.hashValue)
    }
  }

  @Test func equalityIsThatOfTrees() {
    let trees = Exhaustive.forests(upTo: 4)
    for left in trees {
      for right in trees { #expect((snapshot(of: left) == snapshot(of: right)) == (left == right)) }
    }
  }

  @Test func aHierarchyIsWrittenOut() {
    let divisors = TreeSnapshot(root: 12) { n in
      n == 1 ? nil : [2, 3].filter { n.isMultiple(of: $0) }.map { n / $0 }
    }
    #expect(divisors.description == "12[6[3[1], 2[1]], 4[2[1]]]")
  }

  /// A value that is encoded as null differs from no value.
  @Test func nullsSurviveCoding() throws {
    let snapshot = TreeSnapshot<Int?>(children: [
      TreeSnapshot(leaf: .some(nil)), TreeSnapshot(children: [TreeSnapshot(leaf: 2)]),
      TreeSnapshot(value: .some(nil), children: []),
    ])
    let decoded = try JSONDecoder().decode(TreeSnapshot<Int?>.self, from: JSONEncoder().encode(snapshot))
    #expect(decoded == snapshot && decoded.element(at: 0) == .some(nil) && decoded.element(at: 1) == nil)
  }

  @Test func corruptInputIsRefused() {
    for text in [
      #"{"values": [], "counts": []}"#,
      #"{"values": [1], "counts": [1]}"#,
      #"{"values": [1, 2], "counts": [0, 0]}"#,
      #"{"values": [1, 2], "counts": [0, 1]}"#,
      #"{"values": [1, 2], "counts": [2, null]}"#,
      #"{"values": [1, 2, 3], "counts": [-1, 2, 1]}"#,
      #"{"values": [1, 2, 3], "counts": [1, 9223372036854775807, 0]}"#,
      #"{"values": [1, 2], "counts": [1]}"#,
      #"{"values": [null, 2], "counts": [1, 0]}"#,
      #"{"values": [2], "counts": [1, 0], "valueless": [2]}"#,
      #"{"values": [2], "counts": [1, 0], "valueless": [-1]}"#,
      #"{"values": [], "counts": [1, 0], "valueless": [1, 0]}"#,
    ] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(TreeSnapshot<Int>.self, from: Data(text.utf8))
      }
    }
  }

  @Test func aNodeIsTakenWithEverythingBelowIt() {
    let friends = BranchNode(value: "friends", [.leaf("Bo"), .node(ArrayNode(["x"]))])
    let root = BranchNode([
      .node(BranchNode(value: "family", leaves: ["Dad", "Mum"])), .leaf("note"),
      .node(BranchNode(value: "empty")), .node(friends),
    ])
    #expect(TreeSnapshot(of: root) == sections)
    #expect(TreeSnapshot(of: JoinNode([ArrayNode([1, 2]), ArrayNode([3])])) == TreeSnapshot(leaves: 1...3))
    #expect(TreeSnapshot(of: ArrayNode<Int>()) == TreeSnapshot())
  }

  @Test(.smallStack) func deepTreesNeedNoStack() throws {
    let levels = TallTree.depth
    var builder = TreeSnapshot<Int>.Builder()
    var node = BranchNode<Int>(value: levels)
    for depth in (1..<levels).reversed() { node = BranchNode(value: depth, [.node(node)]) }
    for depth in 1...levels { builder.beginNode(depth) }
    let built = builder.finish()
    let taken = TreeSnapshot(of: BranchNode([.node(node)]))
    #expect(built == taken)
    #expect(taken.depth == levels)
    #expect(taken.description.hasPrefix("[1[2[3["))
    #expect(taken[[0, 0]].placeCount == levels - 1)
    let decoded = try JSONDecoder().decode(TreeSnapshot<Int>.self, from: JSONEncoder().encode(taken))
    #expect(decoded.hashValue == taken.hashValue)

    var change = ChangeSet(.insertion(0..<1))
    for _ in 0..<levels { change.wrap(at: 0) }
    builder.beginNode(7)
    #expect(try taken.applying(change, new: builder.finish()) == builder.finish())
  }
}

@Suite struct SnapshotReplayTests {
  /// Returns the snapshot of a tree of identities, in which every place is a node.
  private func snapshot(of tree: ChangeTree) -> TreeSnapshot<[Int]> {
    TreeSnapshot(value: [tree.id, tree.version], children: tree.children.map { snapshot(of: $0) })
  }

  @Test func everyEditIsCarriedOut() throws {
    for iteration in 0..<TestSeed.iterations(20) {
      var generator = TestSeed.generator("snapshot/edits", iteration: iteration)
      var nextID = 0
      let tree = ChangeTree.random(depth: 3, width: 3, nextID: &nextID, using: &generator)
      let old = snapshot(of: tree)
      for edit in tree.allEdits(fresh: nextID) {
        let new = snapshot(of: edit.tree)
        #expect(try old.applying(edit.change, new: new) == new, "\(tree) \(edit.kind) \(edit.change)")
      }
    }
  }

  @Test func netChangesAreCarriedOut() throws {
    for iteration in 0..<TestSeed.iterations(200) {
      var generator = TestSeed.generator("snapshot/net", iteration: iteration)
      var nextID = 0
      let start = ChangeTree.random(depth: 3, width: 4, nextID: &nextID, using: &generator)
      var tree = start
      var composer = ChangeSetComposer()
      for _ in 0..<TestSeed.length(10) {
        let edit = tree.randomEdit(nextID: &nextID, using: &generator)
        composer.append(edit.change)
        tree = edit.tree
      }
      let new = snapshot(of: tree)
      #expect(try snapshot(of: start).applying(composer.net(), new: new) == new)
    }
  }

  @Test func onlyWhatTheChangeNamesIsTakenOfTheNewTree() throws {
    let old = TreeSnapshot(leaves: ["a", "b"])
    let new = TreeSnapshot(leaves: ["A", "B", "c"])
    #expect(try old.applying(ChangeSet(.insertion(2..<3)), new: new).description == "[a, b, c]")
    #expect(try old.applying(ChangeSet(.update(1..<2)), new: new).description == "[a, B]")
    #expect(try old.applying(ChangeSet(), new: new) == old)
  }

  @Test func aChangeOfAnotherTreeIsRefused() {
    let old = TreeSnapshot(children: [TreeSnapshot(leaves: [1, 2])])
    func check(_ change: ChangeSet, _ path: IndexPath) {
      #expect(throws: ReplayError.self) { try old.applying(change, new: old) }
      do {
        _ = try old.applying(change, new: old)
      } catch {
        #expect(error.path == path)
        #expect(!error.description.isEmpty)
      }
    }
    check(ChangeSet(.removal(1..<2)), [])
    check(ChangeSet(.removal(2..<3)).wrapped(at: 0), [0])
    check(ChangeSet(.removal(0..<1)).wrapped(at: 1), [])
    check(ChangeSet(.insertion(2..<3)).wrapped(at: 0), [0])
    check(ChangeSet(.insertion(0..<1)).wrapped(at: 0).wrapped(at: 0), [0, 0])
    let error = #expect(throws: ReplayError.self) { try old.applying(ChangeSet(.update(0..<1)), new: TreeSnapshot()) }
    #expect(error?.description == "Child 0 is updated, but there are 0 after the change.")
  }
}
