@testable import Assemblage
import Foundation
import TestSupport
import Testing

/// A call by index path means the same through a node's own type, through `any TreeNode` and through a view.
@Suite struct OneMeaningTests {
  private typealias Node = any TreeNode<String>

  /// A step, once through the type of the node and once through the protocol.
  private struct Step: Sendable {
    let name: String
    let own: @Sendable (ForestNode<String>) -> Void
    let through: @Sendable (Node) -> Void

    init(
      _ name: String, _ own: @escaping @Sendable (ForestNode<String>) -> Void,
      _ through: @escaping @Sendable (Node) -> Void
    ) {
      (self.name, self.own, self.through) = (name, own, through)
    }
  }

  // The two closures of a step have the same text. The static type of `$0` decides which methods are called.
  private static let steps = [
    Step("a leaf of the root adopts an element", { $0.insert("c", at: [1, 0]) }, { $0.insert("c", at: [1, 0]) }),
    Step("a branch adopts an element", { $0.insert("d", at: [1, 1]) }, { $0.insert("d", at: [1, 1]) }),
    Step(
      "a deep leaf adopts a node", { $0.insert(ForestNode(value: "e", leaves: ["f"]), at: [1, 0, 0]) },
      { $0.insert(ForestNode(value: "e", leaves: ["f"]), at: [1, 0, 0]) }),
    Step("a leaf adopts a leaf that moves", { $0.move([0], into: [2], at: 0) }, { $0.move([0], into: [2], at: 0) }),
    Step(
      "a leaf adopts a branch that moves", { $0.move(from: [0, 0], to: [0, 0, 0]) },
      { $0.move(from: [0, 0], to: [0, 0, 0]) }),
    Step("a move within a branch", { $0.move(from: [0], to: [1]) }, { $0.move(from: [0], to: [1]) }),
    Step("another value", { $0.replace(at: [1, 0, 0], with: "g") }, { $0.replace(at: [1, 0, 0], with: "g") }),
    Step("a value in its place", { $0.update(at: [0]) { $0 += "!" } }, { $0.update(at: [0]) { $0 += "!" } }),
    Step("a removal", { $0.remove(at: [1, 0]) }, { $0.remove(at: [1, 0]) }),
  ]

  private static func forest() -> ForestNode<String> { ForestNode(leaves: ["a", "b", "x"]) }

  /// Views that show all of a forest in its order.
  private static let views: [(name: String, make: @Sendable (ForestNode<String>) -> Node)] = [
    ("any TreeNode", { $0 }),
    ("TreeFilterNode", { TreeFilterNode($0) { _ in true } }),
    ("hiding subtrees", { TreeFilterNode($0, policy: .hidingSubtrees) { _ in true } }),
    ("TreeSortNode", { TreeSortNode($0, by: nil) }),
    ("a tree sort of a tree filter", { TreeSortNode(TreeFilterNode($0) { _ in true }, by: nil) }),
    ("FilterNode", { FilterNode($0) { _ in true } }),
    ("JoinNode", { JoinNode([$0]) }),
    ("MapNode", { MapNode($0, { $0 }, inverse: { $0 }) }),
  ]

  /// The edits that a tree allows at each place, and directly beside the places.
  private func allowed(in node: Node, _ path: IndexPath = []) -> [String] {
    let edits: [ChildEdit] = [.insert, .insertNode, .remove, .replace, .move(to: 0), .turnIntoBranch]
    let count = node.count(at: path)
    return (-1...(count ?? 0) + 1).flatMap { position -> [String] in
      let place = path.appending(position)
      let here = "\(Array(place)): \(edits.filter { node.allows($0, at: place) })"
      return [here] + (node.element(at: place) == nil ? [] : allowed(in: node, place))
    }
  }

  @Test(arguments: views.indices) func aViewMeansTheSameAsTheForest(_ view: Int) {
    let (own, other) = (Self.forest(), Self.forest())
    let node = Self.views[view].make(other)
    var changes: [[ChangeSet]] = [[], []]
    let tokens = [own.observe { changes[0].append($0) }, other.observe { changes[1].append($0) }]
    for step in Self.steps {
      step.own(own)
      // A map takes only nodes of its own tree.
      if step.name.contains("a node"), node is MapNode<String, String> {
        step.through(other)
      } else {
        step.through(node)
      }
      let name = "\(Self.views[view].name): \(step.name)"
      #expect(TreeSnapshot(of: other) == TreeSnapshot(of: own), "\(name)")
      #expect(TreeSnapshot(of: node) == TreeSnapshot(of: own), "\(name)")
      // A map inserts the node that its family finds again, so that the forest reports no move of a branch.
      if !(node is MapNode<String, String>) { #expect(changes[1] == changes[0], "\(name)") }
      #expect(allowed(in: node) == allowed(in: own), "\(name)")
    }
    #expect(changes[0].count == Self.steps.count)
    #expect("\(TreeSnapshot(of: own))" == "[x![a], b[]]")
    tokens.forEach { $0.cancel() }
  }

  @Test func aSortedTreePassesTheEditOnToTheLeaf() {
    let folders = ForestNode(leaves: ["notes", "drafts"])
    let outline = OutlineNode(
      TreeSortNode(TreeFilterNode(folders) { $0 != "b" }), expansion: .init(policy: .expanded), id: { $0 })
    var changes: [ChangeSet] = []
    let token = outline.observe { changes.append($0) }
    outline.root.insert("a", at: outline.path(ofRow: 1) + [0])
    #expect(outline.elements == ["drafts", "notes", "a"] && folders[[0, 0]] == "a")
    #expect(changes == [ChangeSet(Delta(insertions: [2..<3], updates: [1..<2]))])
    // The rows of an outline have no children of their own.
    #expect(!outline.allows(.insert, at: [0, 0]) && !outline.allows(.insert, at: [1, 0]))
    #expect(outline.root.allows(.insert, at: [0, 0]) && !outline.root.allows(.insert, at: [0, 1]))
    token.cancel()
  }

  /// A section with a branch among its rows is no section, so that the sections have other positions in the middle of
  /// the edit.
  @Test func aRowOfASectionAdoptsAChild() {
    let steps = [
      Step("an insertion", { $0.insert("d", at: [0, 0, 0]) }, { $0.insert("d", at: [0, 0, 0]) }),
      Step("a section moves", { $0.move([1], into: [0, 0], at: 0) }, { $0.move([1], into: [0, 0], at: 0) }),
      Step("a row moves", { $0.move([1, 0], into: [0, 0], at: 0) }, { $0.move([1, 0], into: [0, 0], at: 0) }),
      Step("to a path", { $0.move(from: [1], to: [0, 1, 0]) }, { $0.move(from: [1], to: [0, 1, 0]) }),
    ]
    for step in steps {
      let (own, other) = (ForestNode(leaves: ["s", "t"]), ForestNode(leaves: ["s", "t"]))
      for forest in [own, other] {
        for (leaf, path) in [("a", [0, 0]), ("b", [0, 1]), ("c", [1, 0])] as [(String, IndexPath)] {
          forest.insert(leaf, at: path)
        }
      }
      let sections = SectionsNode(other)
      step.own(own)
      step.through(sections)
      #expect(TreeSnapshot(of: other) == TreeSnapshot(of: own), "\(step.name)")
      #expect(sections.elements == SectionsNode(own).elements, "\(step.name)")
    }
  }

  @Test func aLeafOfABranchNodeStaysALeaf() {
    let home = BranchNode(value: "home", leaves: ["notes"])
    for node in [home, TreeFilterNode(home) { _ in true }, TreeSortNode(home, by: <)] as [Node] {
      #expect(!node.allows(.insert, at: [0, 0]) && !node.allows(.turnIntoBranch, at: [0]))
    }
  }

  @Test func anInsertionBelowALeafIsUndoneAsAWhole() {
    struct Failure: Error {}
    let forest = Self.forest()
    let log = UndoLog(of: forest)
    TreeSortNode(forest, by: <).insert("c", at: [1, 0])
    log.undo()
    #expect("\(TreeSnapshot(of: forest))" == "[a, b, x]")
    log.redo()
    #expect("\(TreeSnapshot(of: forest))" == "[a, b[c], x]")
    try? forest.performUpdates {
      TreeFilterNode(forest) { _ in true }.insert("d", at: [0, 0])
      throw Failure()
    }
    #expect("\(TreeSnapshot(of: forest))" == "[a, b[c], x]")
  }

  @Test func rowsOfASortedTreeMoveOnlyToOtherParents() {
    let folders = ForestNode(leaves: ["b", "a", "c"])
    folders.insert("z", at: [2, 0])
    let outline = OutlineNode(TreeSortNode(folders), expansion: .init(policy: .expanded), id: { $0 })
    #expect(outline.elements == ["a", "b", "c", "z"])
    #expect((0..<2).allSatisfy { !outline.allows(.move(to: $0), at: 0) })
    // The row before "z" is inside "c", and so is row 3.
    #expect(outline.allows(.move(to: 2), at: 3) && outline.allows(.move(to: 2), at: 0))
    outline.move(from: 0, to: 2)
    #expect("\(TreeSnapshot(of: folders))" == "[b, c[z, a]]")
  }
}

/// Edits below leaves that stay leaves trap.
@Suite struct OneMeaningMisuseTests: MisuseSuite {
  static let misuses = [
    Misuse("The path [0, 0] leads through [0], which is a leaf.") {
      BranchNode(value: "home", leaves: ["notes"]).insert("a", at: [0, 0])
    },
    Misuse("The path [0, 0] leads through [0], which is a leaf.") {
      OutlineNode(ForestNode(leaves: ["notes"]), id: { $0 }).insert("a", at: [0, 0])
    },
    Misuse("The path [0, 0] leads through [0], which is a leaf.") {
      ArrayNode(["notes", "a"]).move([1], into: [0, 0], at: 0)
    },
    Misuse("ForestNode: the position 1 of an insertion is out of range 0...0.") {
      ForestNode(leaves: ["notes"]).insert("a", at: [0, 1])
    },
    Misuse("TreeFilterNode: the position 1 of an insertion is out of range 0...0.") {
      let node: any TreeNode<String> = TreeFilterNode(ForestNode(leaves: ["notes"])) { _ in true }
      node.insert("a", at: [0, 1])
    },
    Misuse("BranchNode: its child 0 is a leaf that cannot have children here.") {
      TreeFilterNode(BranchNode(value: "home", leaves: ["notes"])) { _ in true }.turnIntoBranch(at: 0)
    },
    Misuse("OutlineNode: its child 0 is a leaf that cannot have children here.") {
      FilterNode(OutlineNode(ForestNode(leaves: ["notes"]), id: { $0 })) { _ in true }.turnIntoBranch(at: 0)
    },
    Misuse("TreeSortNode: the child 0 cannot be moved to 1, because the comparator decides where each child is;") {
      OutlineNode(TreeSortNode(ForestNode(leaves: ["b", "a"])), id: { $0 }).move(from: 0, to: 1)
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
