import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Reading and writing through index paths, at depth and through derived nodes.
@Suite struct IndexPathTests {
  /// A library:
  ///
  ///     [0]  "intro"                          a leaf
  ///     [1]  "novels"                         a branch: two shelves, joined and filtered, and a leaf
  ///          [1, 0] short                     a filter of a join of two arrays
  ///          [1, 1] "index"
  ///     [2]  the second shelf itself
  private struct Fixture {
    let first = ArrayNode(["Emma", "Ulysses", "Kim"])
    let second = ArrayNode(["It", "She", "Middlemarch"])
    let shelves: JoinNode<String>
    let short: FilterNode<String>
    let novels: BranchNode<String>
    let root: BranchNode<String>

    init() {
      shelves = JoinNode([first, second])
      short = FilterNode(shelves) { $0.count < 5 }
      novels = BranchNode(value: "novels", [.node(short), .leaf("index")])
      root = BranchNode(value: "library", [.leaf("intro"), .node(novels), .node(second)])
    }
  }

  @Test func everyPlaceIsRead() {
    let fixture = Fixture()
    let root = fixture.root
    #expect(fixture.short.elements == ["Emma", "Kim", "It", "She"])
    #expect(root[[]] == "library" && root[[0]] == "intro" && root[[1]] == "novels" && root[[2]] == nil)
    #expect(root[[1, 0]] == nil && root[[1, 1]] == "index")
    #expect((0..<4).map { root[[1, 0, $0]] } == ["Emma", "Kim", "It", "She"])
    #expect((0..<3).map { root[[2, $0]] } == ["It", "She", "Middlemarch"])
    // The subscript of a derived node, with paths that begin at that node.
    #expect(fixture.short[[3]] == "She" && fixture.shelves[[5]] == "Middlemarch")

    #expect(root.element(at: []) == "library" && root.element(at: [1, 0, 3]) == "She")
    for path in [[3], [-1], [0, 0], [1, 2], [1, 0, 4], [1, 0, 0, 0], [9, 9, 9]] as [IndexPath] {
      #expect(root.element(at: path) == nil && root.child(at: path) == nil && root.count(at: path) == nil)
    }
    #expect(root.child(at: []) === root && root.child(at: [1]) === fixture.novels)
    #expect(root.child(at: [1, 0]) === fixture.short && root.child(at: [2]) === fixture.second)
    #expect(root.child(at: [0]) == nil && root.child(at: [1, 0, 0]) == nil)
    #expect(root.count(at: []) == 3 && root.count(at: [1]) == 2 && root.count(at: [1, 0]) == 4)
    #expect(root.count(at: [0]) == nil)
  }

  @Test func insertionsReachTheSource() {
    let fixture = Fixture()
    var received: [[IndexPath]] = []
    let token = fixture.root.observe { received.append($0.paths.insertions) }
    // After "Kim": the row is inserted in the first shelf, behind "Kim".
    fixture.root.insert("Nana", at: [1, 0, 2])
    #expect(fixture.first.elements == ["Emma", "Ulysses", "Kim", "Nana"])
    #expect(received.last == [[1, 0, 2]])
    // Directly after the preceding visible child, which lies in the second shelf.
    fixture.root.insert("Dune", at: [1, 0, 4])
    #expect(fixture.second.elements == ["It", "Dune", "She", "Middlemarch"])
    #expect(received.last == [[1, 0, 4], [2, 1]])
    fixture.root.insert("Persuasion", at: [1, 0, 0])
    #expect(fixture.first[0] == "Persuasion" && received.count == 2, "it is inserted, and hidden")
    fixture.root.insert("contents", at: [1, 2])
    #expect(fixture.novels[2].value == "contents" && received.last == [[1, 2]])
    fixture.root.insert("outro", at: [3])
    #expect(fixture.root.count == 4 && received.last == [[3]])
    token.cancel()
  }

  @Test func removalsAndReplacementsReachTheSource() {
    let fixture = Fixture()
    var received: [ChangeSet.Paths] = []
    let token = fixture.root.observe { received.append($0.paths) }
    #expect(fixture.root.remove(at: [1, 0, 2]).value == "It")
    #expect(fixture.second.elements == ["She", "Middlemarch"])
    #expect(received.last?.removals == [[1, 0, 2], [2, 0]])
    fixture.root.replace(at: [1, 0, 1], with: "Jim")
    #expect(fixture.first.elements == ["Emma", "Ulysses", "Jim"] && received.last?.updates == [[1, 0, 1]])
    fixture.root.replace(at: [1, 0, 1], with: "Lord Jim")
    #expect(fixture.short.elements == ["Emma", "She"] && received.last?.removals == [[1, 0, 1]])
    fixture.root.replace(at: [1], with: "fiction")
    #expect(fixture.novels.value == "fiction" && received.last?.updates == [[1]])
    #expect(fixture.root.remove(at: [1]).value == "fiction")
    #expect(fixture.root.remove(at: [1]).value == nil, "a node without a value")
    #expect(fixture.root.count == 1 && received.last?.removals == [[1]])
    token.cancel()
  }

  @Test func movesWithinOneParent() {
    let fixture = Fixture()
    var received: [ChangeSet.Paths] = []
    let token = fixture.root.observe { received.append($0.paths) }
    // Within one member of the join, by paths through a filter in a branch.
    fixture.root.move(from: [1, 0, 0], to: [1, 0, 1])
    #expect(fixture.first.elements == ["Ulysses", "Kim", "Emma"])
    #expect(received.last?.moves == [ChangeSet.Paths.Move(from: [1, 0, 0], to: [1, 0, 1])])
    // From one member of the join to another.
    fixture.root.move(from: [1, 0, 0], to: [1, 0, 3])
    #expect(fixture.short.elements == ["Emma", "It", "She", "Kim"])
    #expect(fixture.second.elements == ["It", "She", "Kim", "Middlemarch"] || fixture.second.count == 4)
    #expect(received.count == 2)
    // A branch among its siblings.
    fixture.root.move(from: [1], to: [0])
    #expect(fixture.root[[0]] == "novels" && fixture.root[[0, 0, 0]] == "Emma")
    fixture.root.move(from: [0], to: [0])
    #expect(received.count == 3)
    token.cancel()
  }

  @Test func movesAcrossParents() {
    let fixture = Fixture()
    var received: [ChangeSet.Paths] = []
    let token = fixture.root.observe { received.append($0.paths) }
    // A leaf of the root moves into the shelf. The destination is a path in the root without the leaf.
    fixture.root.move(from: [0], to: [1, 0])
    #expect(fixture.second.elements == ["intro", "It", "She", "Middlemarch"])
    #expect(fixture.root.count == 2 && received.count == 1)
    #expect(received.last?.removals == [] && received.last?.insertions == [])
    #expect(received.last?.moves == [ChangeSet.Paths.Move(from: [0], to: [1, 0])])
    // Out of the filter into the branch above it.
    fixture.root.move(from: [0, 0, 1], to: [0, 2])
    #expect(fixture.first.elements == ["Emma", "Ulysses"] && fixture.novels[2].value == "Kim")
    #expect(received.last?.removals == [] && received.last?.insertions == [])
    #expect(received.last?.moves == [ChangeSet.Paths.Move(from: [0, 0, 1], to: [0, 2])])
    // From one of the two places of the second shelf, through the filter, into the first shelf.
    fixture.root.move(from: [1, 1], to: [0, 0, 0])
    #expect(fixture.first.elements == ["It", "Emma", "Ulysses"] && fixture.second[1] == "She")
    #expect(received.count == 3)
    // Up to the root, beside its child nodes.
    fixture.root.move(from: [0, 0, 0], to: [2])
    #expect(fixture.root[[2]] == "It" && fixture.first.elements == ["Emma", "Ulysses"])
    token.cancel()
  }

  /// A filter in a branch in a join in a branch: each path leads down, and each change is reported back up.
  @Test func throughAFilterInABranchInAJoin() {
    let array = ArrayNode((0..<6).map { Row(id: $0) })
    let filter = FilterNode(array) { $0.id % 2 == 0 }
    let inner = BranchNode(value: Row(id: 90), [.leaf(Row(id: 91)), .node(filter)])
    let outer = BranchNode([.leaf(Row(id: 92)), .node(inner)])
    let join = JoinNode<Row>([ArrayNode([Row(id: 93)]), outer])
    let root = BranchNode([.node(join)])
    let shadow = ShadowTree(of: root, id: \.id)
    #expect(root[[0, 2, 1, 1]] == Row(id: 2) && root[[0, 2]] == Row(id: 90))
    root.insert(Row(id: 8), at: [0, 2, 1, 3])
    #expect(array.map(\.id) == [0, 1, 2, 3, 4, 8, 5])
    root.replace(at: [0, 2, 1, 0], with: Row(id: 0, version: 1))
    root.move(from: [0, 2, 1, 0], to: [0, 2, 1, 2])
    #expect(array.map(\.id) == [1, 2, 3, 4, 0, 8, 5])
    root.remove(at: [0, 2, 1, 3])
    root.replace(at: [0, 2], with: Row(id: 94))
    root.move(from: [0, 2, 0], to: [0, 1])
    #expect(root[[0, 1]] == Row(id: 91) && outer.count == 2, "the boundary belongs to the first member")
    #expect(throws: Never.self) { try shadow.check() }
    #expect(shadow.deliveryCount == 6)
  }

  /// Every path of every forest of up to five nodes, and every path directly beside one.
  @Test func everyPathOfEveryShortForest() {
    for forest in Exhaustive.forests(upTo: 5) {
      let root = makeBranch(forest)
      for path in forest.paths {
        let subtree = forest[path]
        var isRight = root[path] == subtree.value && root.element(at: path) == subtree.value
        let isNode = path.isEmpty || !subtree.children.isEmpty
        isRight = isRight && root.count(at: path) == (isNode ? subtree.children.count : nil)
        for beside in [-1, subtree.children.count] {
          isRight = isRight && root.element(at: path.appending(beside)) == nil
          isRight = isRight && root.child(at: path.appending(beside)) == nil
        }
        #expect(isRight, "\(path) of \(forest)")
      }
    }
  }

  private func makeBranch(_ tree: NaiveTree<Int>) -> BranchNode<Int> {
    BranchNode(
      value: tree.value,
      tree.children.map { $0.children.isEmpty ? .leaf($0.value!) : .node(makeBranch($0)) })
  }
}
