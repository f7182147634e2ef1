import Foundation
import AssemblageTesting
import OffsetIndexing
import TestSupport
import Testing

@_spi(NodeAuthors) @testable import Assemblage

/// A node that a user has written.
private final class DescendingNode: FlatNode {
  let author = NodeAuthor()
  var port: NodePort { author.port }
  private(set) var count = 0

  init(_ count: Int) {
    self.count = count
    author.attach(to: self)
  }

  func element(at position: Int) -> Int? { position >= 0 && position < count ? count - position : nil }
}

/// Views of two lists, one for each kind of flat node.
enum SnapshotKind: CaseIterable {
  case array, filter, sort, slice, unique, map, join, joinOfViews, flatten, segment, section, descendants, outline
  case filterOfJoin, sortOfFilter, provider, single, diamond

  func view(of first: ArrayNode<Int>, and second: ArrayNode<Int>) -> any TreeNode<Int> {
    switch self {
    case .array: first
    case .filter: FilterNode(first) { $0 % 3 != 0 }
    case .sort: SortNode(first) { $0 % 5 < $1 % 5 }
    case .slice: SliceNode(first, 1..<4)
    case .unique: UniqueNode(first) { $0 % 4 }
    case .map: MapNode(first) { -$0 }
    case .join: JoinNode([first, second, first])
    case .joinOfViews: JoinNode([FilterNode(first) { $0 % 2 == 0 }, second, SortNode(second, by: >)])
    case .flatten: FlattenNode(BranchNode([.node(first), .leaf(-7), .node(second)]))
    case .segment: SegmentNode([first, second], selection: 1)
    case .section: GroupNode(first, by: { $0 % 2 }).section(at: 0)
    case .descendants: DescendantsNode(BranchNode([.node(first), .leaf(-7), .node(second)]))
    case .outline: OutlineNode(JoinNode([first, second]), id: { $0 })
    case .filterOfJoin: FilterNode(JoinNode([first, second])) { $0 % 3 != 1 }
    case .sortOfFilter: SortNode(FilterNode(JoinNode([second, first])) { $0 % 3 != 1 }, by: >)
    case .provider: ProviderNode(count: 3) { $0 }
    case .single: SingleNode(4)
    case .diamond:
      FilterNode(JoinNode([FilterNode(first) { $0 % 2 == 0 }, FilterNode(first) { $0 % 2 == 1 }])) { $0 % 5 != 0 }
    }
  }
}

@Suite struct ListSnapshotTests {
  /// Checks that every way to read a snapshot agrees with the former contents of the node.
  private func check(_ snapshot: TreeSnapshot<Int>, _ expected: [Int?], _ message: String) {
    let values = expected.compactMap { $0 }
    #expect(snapshot.count == expected.count, "\(message)")
    #expect((-1...expected.count).map { snapshot.element(at: $0) } == [nil] + expected + [nil], "\(message)")
    #expect(snapshot.elements == values, "\(message)")
    guard values.count == expected.count else { return }
    #expect(Array(snapshot) == values, "\(message)")
    #expect(snapshot.reversed() == values.reversed(), "\(message)")
    for start in 0...values.count {
      for end in start...values.count {
        var read: [Int] = []
        snapshot.forEachSpan(in: start..<end) { first, span in
          #expect(first == start + read.count && !span.isEmpty)
          for index in span.indices { read.append(span[index]) }
        }
        #expect(read == Array(values[start..<end]), "\(message) \(start)..<\(end)")
      }
    }
  }

  private static func edit(_ node: ArrayNode<Int>, using generator: inout SeededGenerator) {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0, 1:
      node.insert(Int.random(in: 0..<30, using: &generator), at: .random(in: 0...node.count, using: &generator))
    case 2 where !node.isEmpty: node.remove(at: .random(in: 0..<node.count, using: &generator))
    case 3 where !node.isEmpty: node[.random(in: 0..<node.count, using: &generator)] += 1
    case 4 where !node.isEmpty:
      node.move(
        from: .random(in: 0..<node.count, using: &generator), to: .random(in: 0..<node.count, using: &generator))
    default: node.append(contentsOf: [7, 7, 8])
    }
  }

  /// Snapshots are kept while the lists change. At the end, each is compared with the contents of the view when the
  /// snapshot was made.
  @Test(arguments: SnapshotKind.allCases) func keptSnapshotsStayAsTheyWere(_ kind: SnapshotKind) {
    for iteration in 0..<TestSeed.iterations(30) {
      var generator = TestSeed.generator("snapshots/\(kind)", iteration: iteration)
      // With tiny capacities, few elements fill many chunks.
      let first = ArrayNode([3, 1, 4, 1, 5], small: 3, chunk: 3)
      let second = ArrayNode([2, 6], small: 2, chunk: 2)
      let view = kind.view(of: first, and: second)
      var kept: [(TreeSnapshot<Int>, [Int?])] = []
      for _ in 0..<TestSeed.length(12) {
        kept.append((TreeSnapshot(of: view), (0..<view.count).map { view.element(at: $0) }))
        Self.edit(Bool.random(using: &generator) ? first : second, using: &generator)
      }
      for (index, (snapshot, expected)) in kept.enumerated() { check(snapshot, expected, "\(kind) \(index)") }
    }
  }

  /// Every edit of every short list, and the state before the edit.
  @Test func everyShortEditLeavesASnapshotAlone() {
    for count in 0...5 {
      let elements = Array(0..<count)
      for position in 0...count {
        for length in 0...count - position {
          for insertion in 0...2 {
            let node = ArrayNode(elements, small: 2, chunk: 2)
            let filter = FilterNode(node) { $0 % 2 == 0 }
            let (all, even) = (node.snapshot(), filter.snapshot())
            node.replaceSubrange(position..<position + length, with: Array(repeating: 8, count: insertion))
            #expect(all.elements == elements && even.elements == elements.filter { $0 % 2 == 0 })
            #expect(filter.snapshot().elements == filter.elements)
          }
        }
      }
    }
  }

  @Test func childrenWithoutAValueAreKeptApart() {
    let tree = BranchNode<Int>([.leaf(1), .node(BranchNode()), .leaf(2), .node(BranchNode())])
    for node in [tree, FilterNode(tree) { $0 < 2 }, JoinNode([tree, tree])] as [any TreeNode<Int>] {
      check(TreeSnapshot(of: node), (0..<node.count).map { node.element(at: $0) }, "\(node)")
    }
    let flat = FlattenNode(BranchNode<Int>([.node(tree), .leaf(9)]))
    check(TreeSnapshot(of: flat), [1, nil, 2, nil, 9], "flat")
    #expect(tree.snapshot().description == "[1, [], 2, []]")
  }

  @Test func branchesOfAForestShareItsElements() {
    let forest = ForestNode<Int>()
    forest.append(1)
    forest.append(2)
    forest.insert(5, at: [0, 0])
    forest.insert(6, at: [0, 1])
    let branch: any TreeNode<Int> = forest.child(at: 0)!
    let below = branch.snapshot()
    let filtered = FilterNode(branch) { $0 != 5 }.snapshot()
    let rows = OutlineNode(forest, expansion: ExpansionState(policy: .expanded), id: { $0 }).snapshot()
    let all = DescendantsNode(forest).snapshot()
    forest.remove(at: [0, 0])
    forest.append(3)
    check(below, [5, 6], "below")
    check(filtered, [6], "filtered")
    check(rows, [1, 5, 6, 2], "rows")
    check(all, [1, 5, 6, 2], "descendants")
  }

  /// A snapshot of a view whose children are nodes includes everything below them.
  @Test func childrenThatAreNodesAreTakenToo() {
    let branches = BranchNode<Int>([.leaf(1), .node(BranchNode(value: 2, leaves: [5, 6])), .leaf(3)])
    let forest = ForestNode<Int>(leaves: [1, 2, 3])
    forest.insert(5, at: [1, 0])
    forest.insert(6, at: [1, 1])
    for tree in [branches, forest] as [any TreeNode<Int>] {
      let views: [any TreeNode<Int>] = [
        FilterNode(tree) { $0 > 1 }, SortNode(tree, by: >), SliceNode(tree, 1..<3), MapNode(tree) { $0 + 1 },
        JoinNode([tree, ArrayNode([9])]), SegmentNode([tree], selection: 0), FlattenNode(BranchNode([.node(tree)])),
      ]
      let kept = views.map { ($0.snapshot(), NaiveTree(of: $0)) }
      for (snapshot, tree) in kept {
        #expect(snapshot.paths == tree.paths)
        for path in tree.paths { #expect(snapshot.value(at: path) == tree[path].value) }
      }
      #expect(
        kept.map { $0.0.description } == [
          "[2[5, 6], 3]", "[3, 2[5, 6], 1]", "[2[5, 6], 3]", "[2, 3[6, 7], 4]", "[1, 2[5, 6], 3, 9]", "[1, 2[5, 6], 3]",
          "[1, 2[5, 6], 3]",
        ])
    }
  }

  @Test func aUsersNodeIsCopied() {
    let node = DescendingNode(3)
    check(node.snapshot(), [3, 2, 1], "own")
    check(FilterNode(node) { $0 != 2 }.snapshot(), [3, 1], "filtered")
  }

  @Test func equalityAndDescriptionAreThoseOfTheValues() {
    let node = ArrayNode([1, 2, 3])
    let snapshot = node.snapshot()
    #expect(snapshot == TreeSnapshot(leaves: [1, 2, 3]) && snapshot != TreeSnapshot(leaves: [1, 2]))
    #expect(FilterNode(node) { $0 != 2 }.snapshot() == TreeSnapshot(leaves: [1, 3]))
    #expect(snapshot.description == "[1, 2, 3]" && TreeSnapshot<Int>().description == "[]")
    #expect(SegmentNode<Int>([node]).snapshot().isEmpty)
  }

  /// A snapshot keeps its elements alive, but not the nodes. After its release it keeps nothing.
  @Test func elementsLiveAsLongAsASnapshotShowsThem() throws {
    try withLifetimeTracking { tracker in
      var snapshot: TreeSnapshot<Tracked<Int>>?
      do {
        let node = ArrayNode(tracker.track(0..<10), small: 4, chunk: 4)
        let filter = FilterNode(node) { $0.payload % 2 == 0 }
        tracker.expectRelease(of: node, "array")
        tracker.expectRelease(of: filter, "filter")
        snapshot = filter.snapshot()
        node.removeAll()
        #expect(tracker.liveCount == 10)
      }
      #expect(snapshot!.map(\.payload) == [0, 2, 4, 6, 8])
      snapshot = nil
      #expect(tracker.liveCount == 0)
    }
  }

  /// A snapshot shares an array's own chunks. It copies no element, and an edit after it copies one chunk.
  @Test func editsAfterASnapshotCopyOneChunk() throws {
    let node = ArrayNode(0..<100_000)
    func addresses(_ snapshot: TreeSnapshot<Int>) -> [UInt] {
      var addresses: [UInt] = []
      snapshot.forEachSpan(in: 0..<snapshot.count) { _, span in
        unsafe addresses.append(span.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) })
      }
      return addresses
    }
    let (first, same) = (node.snapshot(), JoinNode([node]).snapshot())
    #expect(addresses(first) == addresses(same))
    node[50_000] = -1
    let second = node.snapshot()
    #expect(Set(addresses(first)).subtracting(addresses(second)).count == 1)
  }

  @Test func aThousandViewsAreTakenReadAndReleased() {
    let source = ArrayNode([10, 20])
    var view: any TreeNode<Int> = source
    for level in 0..<1_000 {
      view = level % 2 == 0 ? FilterNode(view) { $0 > 0 } : JoinNode([ArrayNode<Int>(), view])
    }
    var snapshot: TreeSnapshot<Int>? = TreeSnapshot(of: view)
    source.removeAll()
    #expect(snapshot!.elements == [10, 20] && snapshot![1] == 20)
    snapshot = nil
  }

  /// Each node shows the node below it twice, but a snapshot reads each node once.
  @Test func nodesShownManyTimesAreTakenOnce() {
    var view: any TreeNode<Int> = FilterNode(ArrayNode<Int>()) { _ in true }
    for _ in 0..<40 { view = FilterNode(JoinNode([view, view])) { _ in true } }
    #expect(TreeSnapshot(of: view).isEmpty)
  }
}

/// Tests on a thread with a small stack, where a recursive call for each view would not fit.
@Suite(.smallStack) struct SnapshotDepthTests {
  @Test func aThousandViewsNeedNoStack() {
    let source = ArrayNode([10, 20])
    var view: any TreeNode<Int> = source
    for level in 0..<1_000 {
      view = level % 2 == 0 ? FilterNode(view) { $0 > 0 } : JoinNode([ArrayNode<Int>(), view])
    }
    let snapshot = TreeSnapshot(of: view)
    let same = TreeSnapshot(of: view)
    #expect(snapshot.elements == [10, 20] && snapshot.difference(to: same).isEmpty)
  }
}
