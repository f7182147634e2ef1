@_spi(NodeAuthors) import Assemblage
import Foundation
import Testing

/// The paths at which another node shows a node, or a place in a node.
@Suite struct NodePlacesTests {
  @Test func theExamplesHold() {
    let family = ArrayNode(["Dad", "Mum"])
    let friends = ArrayNode(["Best mate", "Bo"])
    let sections = BranchNode([family, friends])
    let contacts = BranchNode([sections])
    #expect(contacts.path(of: friends) == [0, 1] && contacts.path(of: contacts) == [])
    #expect(family.path(of: friends) == nil && sections.path(of: contacts) == nil)
    let shared = ArrayNode([1])
    #expect(BranchNode([shared, ArrayNode([2]), shared]).paths(of: shared) == [[0], [2]])
    let short = FilterNode(JoinNode([ArrayNode(["Dad"]), friends])) { $0.count < 4 }
    let tree = BranchNode([short])
    #expect(tree.path(of: [1], in: friends) == [0, 1] && tree.path(of: [0], in: friends) == nil)
    let people = JoinNode([family, friends])
    let everyone = JoinNode([ArrayNode(["me"]), people])
    #expect(everyone.position(of: 1, in: friends) == 4)
    #expect(SortNode(everyone, by: <).position(of: 1, in: friends) == 1)
  }

  /// A tree of nodes that contains `inner`, below each kind of node that shows nodes.
  private let inner: BranchNode<Int>
  private let outer: BranchNode<Int>

  init() {
    inner = BranchNode(value: 4, leaves: [8, 5])
    outer = BranchNode(value: 1, [.leaf(3), .node(BranchNode(value: 2, [.leaf(9), .node(inner)]))])
  }

  @Test func nodesAreFoundThroughEveryKindOfNode() {
    let first = BranchNode(leaves: [7, 6])
    let flat = FlattenNode(BranchNode([first, outer]))
    let group = GroupNode(outer) { $0 }
    let cases: [(any TreeNode<Int>, IndexPath?)] = [
      (outer, [1, 1]), (JoinNode([first, outer]), [3, 1]), (FilterNode(outer) { $0 != 3 }, [0, 1]),
      (FilterNode(outer) { $0 == 3 }, nil), (SortNode(outer, by: >), [1, 1]), (SliceNode(outer, 1..<9), [0, 1]),
      (UniqueNode(outer, id: { $0 }), [1, 1]), (UniqueNode(outer, id: { _ in 0 }), nil), (flat, [3, 1]),
      (SegmentNode([first, outer], selection: 1), [1, 1]), (SegmentNode([first, outer], selection: 0), nil),
      (group, [1, 0, 1]), (group.section(at: 1), [0, 1]), (MapNode(outer) { $0 }, nil),
    ]
    for (node, path) in cases {
      #expect(node.path(of: inner) == path, "\(type(of: node))")
      if let path { #expect(node.child(at: path) === inner && node.path(of: [1], in: inner) == path.appending(1)) }
    }
    let outline = OutlineNode(outer, expansion: ExpansionState(policy: .expanded)) { $0 }
    #expect(outline.path(of: inner) == [3] && outline.position(of: 1, in: inner) == 5)
  }

  @Test func copiesOfNodesAreFoundWhereTheyStand() throws {
    let map = MapNode(outer) { "\($0)" }
    let copy = try #require(map.child(at: [1, 1]))
    let other = MapNode(outer) { "\($0)!" }
    let joined = JoinNode([ArrayNode(["x"]), map, other])
    #expect(map.path(of: copy) == [1, 1] && joined.paths(of: copy) == [[2, 1]] && other.path(of: copy) == nil)
    #expect(joined.path(of: [0], in: inner) == [2, 1, 0] && joined.path(of: [0], in: copy) == [2, 1, 0])
    let found = TreeFilterNode(outer) { $0 == 5 }
    let shown = try #require(found.child(at: [0, 0]))
    #expect(found.path(of: shown) == [0, 0] && found.path(of: [0], in: shown) == [0, 0, 0])
    #expect(found.path(of: [1], in: inner) == [0, 0, 0] && found.path(of: [0], in: inner) == nil)
    let rows = SortNode(shown, by: <)
    #expect(rows.position(of: 1, in: inner) == 0 && shown.position(of: 1, in: inner) == 0)
    let letters = GroupNode(ArrayNode(["bee", "ant", "bat"])) { $0.first }
    let section = letters.section(at: 1)
    #expect(BranchNode([letters]).path(of: section) == [0, 1])
    #expect(FlattenNode(letters).position(of: 0, in: section) == 2)
  }

  @Test func loadedNodesAreFoundAndNothingIsLoaded() throws {
    var asked = 0
    let tree = HierarchyNode(
      roots: { [1, 2] }, id: { $0 },
      children: { (value: Int) -> [Int] in
        asked += 1
        return [value * 10, value * 10 + 1]
      })
    let node = try #require(tree.child(at: [1, 0]))
    let former = asked
    #expect(FilterNode(tree) { $0 != 1 }.path(of: node) == [0, 0])
    #expect(tree.path(of: ArrayNode([1])) == nil && asked == former)
  }

  @Test func whatDoesNotExistIsNil() {
    let list = ArrayNode([1, 2])
    let join = JoinNode([list])
    #expect(join.position(of: 2, in: list) == nil && join.position(of: -1, in: list) == nil)
    #expect(join.path(of: [0, 0], in: list) == nil && join.path(of: [], in: list) == nil)
    #expect(
      BranchNode([join]).position(of: 0, in: list) == nil && BranchNode([join]).path(of: [0], in: list) == [0, 0])
  }

  /// A user's node, whose kind the search does not know.
  private final class Pair: TreeNode {
    private let author = NodeAuthor()
    var port: NodePort { author.port }
    let nodes: [any TreeNode<Int>]

    init(_ nodes: [any TreeNode<Int>]) {
      self.nodes = nodes
      author.attach(to: self) { _, _ in ChangeSet() }
      for (slot, node) in nodes.enumerated() { author.link(node, slot: slot) }
    }

    var count: Int { nodes.count }
    func element(at position: Int) -> Int? { nil }
    func child(at position: Int) -> (any TreeNode<Int>)? { nodes.indices.contains(position) ? nodes[position] : nil }
  }

  @Test func nodesOfAUsersOwnAreSearchedChildByChild() {
    let list = ArrayNode([1, 2])
    let pair = Pair([ArrayNode([5]), BranchNode([list])])
    #expect(pair.path(of: list) == [1, 0] && JoinNode([ArrayNode([0]), pair]).path(of: [1], in: list) == [2, 0, 1])
  }

  /// The paths are exactly the ones that a walk through the children finds, on random graphs that share nodes.
  @Test(arguments: 0..<20) func pathsAreThoseThatAWalkFinds(seed: UInt64) {
    var random = SplitMix(state: seed)
    for _ in 0..<20 {
      var nodes: [any TreeNode<Int>] = [ArrayNode([1, 2]), BranchNode(value: 3, leaves: [4])]
      for _ in 0..<8 {
        func some() -> any TreeNode<Int> { nodes[Int.random(in: 0..<nodes.count, using: &random)] }
        let node: any TreeNode<Int> =
          switch Int.random(in: 0..<8, using: &random) {
          case 0: JoinNode([some(), some()])
          case 1: FilterNode(some()) { $0 % 2 == 0 }
          case 2: SortNode(some(), by: >)
          case 3: SliceNode(some(), 1..<3)
          case 4: FlattenNode(some())
          case 5: MapNode(some()) { $0 + 1 }
          default: BranchNode(value: 6, [.node(some()), .leaf(5), .node(some())])
          }
        nodes.append(node)
      }
      for goal in nodes {
        for node in nodes { #expect(goal.paths(of: node) == walk(goal, for: node), "\(goal) \(node)") }
      }
    }
  }

  private func walk(_ goal: any TreeNode<Int>, for node: any TreeNode<Int>) -> [IndexPath] {
    var found: [IndexPath] = []
    var open: [(any TreeNode<Int>, IndexPath)] = [(goal, [])]
    while let (next, path) = open.popLast() {
      if next === node { found.append(path) }
      for position in (0..<next.count).reversed() {
        if let child = next.child(at: position) { open.append((child, path.appending(position))) }
      }
    }
    return found
  }

  private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }
}
