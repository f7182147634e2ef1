import AssemblageTesting
import OffsetIndexing
import TestSupport
import Testing

@_spi(NodeAuthors) @testable import Assemblage

/// So many views above each other that the stack is too small for a recursive call for each view.
@Suite(.smallStack) struct ChainDepthTests {
  /// A debug build has fewer levels: calls need more room there, and settlements take time in proportion to the square.
  static let depth = TestSeed.isShortened ? 500 : 1_000

  enum Kind: CaseIterable {
    case filter, map, sort, slice, unique, join, segment, flatten, treeFilter, descendants, mixed

    /// A view that shows all children of a node, in their order.
    func view(of node: any TreeNode<Int>, level: Int) -> any TreeNode<Int> {
      switch self {
      case .filter: FilterNode(node) { $0 >= 0 }
      case .map: MapNode(node) { $0 + (level.isMultiple(of: 2) ? 1 : -1) }
      case .sort: SortNode(node, by: <)
      case .slice: SliceNode(node, 0..<10)
      case .unique: UniqueNode(node, id: { $0 })
      case .join: JoinNode([ArrayNode<Int>(), node])
      case .segment: SegmentNode([node], selection: 0)
      case .flatten: FlattenNode(BranchNode([node]))
      case .treeFilter: TreeFilterNode(node) { $0 >= 0 }
      case .descendants: DescendantsNode(node)
      case .mixed: Self.allCases[level % (Self.allCases.count - 1)].view(of: node, level: level & ~1)
      }
    }
  }

  private static func chain(_ kind: Kind, on source: ArrayNode<Int>) -> any TreeNode<Int> {
    var top: any TreeNode<Int> = source
    for level in 0..<depth { top = kind.view(of: top, level: level) }
    return top
  }

  @Test(arguments: Kind.allCases) func aThousandAreReadEditedAndReleased(_ kind: Kind) {
    struct Refusal: Error {}
    let source = ArrayNode([10])
    var top: (any TreeNode<Int>)? = Self.chain(kind, on: source)
    weak let view: (any TreeNode<Int>)? = top
    var received: [ChangeSet] = []
    let token = top!.observe { received.append($0) }
    // The sum of the numbers that the maps among the views add.
    let shift = top!.element(at: 0)! - 10
    #expect(kind == .mixed ? shift > Self.depth / 11 : shift == 0)
    source.append(20)
    source[1] = 30
    try? source.performUpdates { () throws(Refusal) in
      source.append(40)
      throw Refusal()
    }
    #expect(top!.elements == [10 + shift, 30 + shift] && top!.element(at: 1) == 30 + shift)
    #expect(top!.element(at: 2) == nil && top!.value == nil && top!.child(at: 0) == nil)
    source.remove(at: 0)
    var spans: [[Int]] = []
    top!.forEachSpan(in: 0..<1) { _, span in spans.append(span.indices.map { span[$0] }) }
    #expect(spans == [[30 + shift]])
    #expect(received.map(\.delta) == [.insertion(1..<2), .update(1..<2), .removal(0..<1)])
    token.cancel()
    top = nil
    #expect(view == nil)
  }

  /// Chains of views that are deeper than recursive calls may go.
  ///
  /// The views hide, sort, map and join. They are read as a whole and in parts, and compared with arrays.
  @Test func deepChainsShowWhatArraysDo() throws {
    var tally = OperationTally(kinds: 0..<8)
    for iteration in 0..<TestSeed.iterations(12) {
      var generator = TestSeed.generator("deep-chains", iteration: iteration)
      // More rows than are gathered at once.
      let count = Int.random(in: 1...[10, 100, 400].randomElement(using: &generator)!, using: &generator)
      let source = ArrayNode((0..<count).map { $0 &* 7_919 % 3_001 })
      var top: any TreeNode<Int> = source
      var rows = source.elements
      for _ in 0..<Int.random(in: 33...80, using: &generator) {
        let kind = Int.random(in: 0..<8, using: &generator)
        tally.count(kind)
        switch kind {
        case 0:
          let rest = Int.random(in: 0..<40, using: &generator)
          top = FilterNode(top) { $0 % 41 != rest }
          rows.removeAll { $0 % 41 == rest }
        case 1:
          top = SortNode(top) { $0 % 10 < $1 % 10 }
          rows = rows.enumerated().sorted { ($0.element % 10, $0.offset) < ($1.element % 10, $1.offset) }.map(\.element)
        case 2:
          top = MapNode(top) { $0 ^ 1 }
          rows = rows.map { $0 ^ 1 }
        case 3:
          let cut = min(rows.count, Int.random(in: 0...3, using: &generator))
          top = SliceNode(top, cut..<5_000)
          rows.removeSubrange(..<cut)
        case 4:
          top = JoinNode([ArrayNode([1, 2]), top, ArrayNode([3])])
          rows = [1, 2] + rows + [3]
        case 5:
          top = UniqueNode(top) { $0 }
          var seen: Set<Int> = []
          rows = rows.filter { seen.insert($0).inserted }
        case 6: top = SegmentNode([top], selection: 0)
        default: top = FlattenNode(BranchNode([top]))
        }
      }
      #expect(top.elements == rows)
      for _ in 0..<10 where !rows.isEmpty {
        let start = Int.random(in: 0..<rows.count, using: &generator)
        let end = Int.random(in: start...rows.count, using: &generator)
        var read: [Int] = []
        top.forEachSpan(in: start..<end) { position, span in
          #expect(position == start + read.count)
          for index in span.indices { read.append(span[index]) }
        }
        #expect(read == Array(rows[start..<end]))
        #expect(top.element(at: start) == rows[start])
      }
      #expect(top.element(at: rows.count) == nil)
    }
    try tally.check()
  }

  /// Views that were made before their sources had members.
  @Test func aThousandAreReadWhoseMembersArriveLater() {
    typealias Making = (_ below: any TreeNode<Int>, _ view: (any TreeNode<Int>) -> any TreeNode<Int>) -> any TreeNode<
      Int
    >
    let kinds: [Making] = [
      { below, view in
        let join = JoinNode<Int>()
        let top = view(join)
        join.appendMember(below)
        return top
      },
      { below, view in
        let members = BranchNode<Int>()
        let top = view(FlattenNode(members))
        members.append(below)
        return top
      },
      { below, view in
        let segment = SegmentNode<Int>([ArrayNode([0]), below], selection: 0)
        let top = view(segment)
        segment.selection = 1
        return top
      },
    ]
    for kind in kinds {
      let source = ArrayNode([1, 2])
      var top: any TreeNode<Int> = source
      for _ in 0..<Self.depth { top = kind(top) { FilterNode($0) { _ in true } } }
      #expect(top.elements == [1, 2] && top.element(at: 1) == 2)
      source.append(3)
      #expect(top.elements == [1, 2, 3])
    }
  }

  @Test func aWalkFindsNothingBeyondTheChildren() {
    let segment = SegmentNode<Int>([ArrayNode([0])], selection: 0)
    segment.replaceMember(at: 0, with: FlattenNode(BranchNode<Int>([ArrayNode([1, 2])])))
    #expect([Int.min, -1, 0, 1, 2, Int.max].map { segment.element(at: $0) } == [nil, nil, 1, 2, nil, nil])
  }

  /// A block of positions that ascend is led through a filter in runs, any other block position by position.
  @Test func aBlockPassesAFilterAsItsPositionsDo() {
    var tally = (ascending: 0, others: 0)
    for iteration in 0..<TestSeed.iterations(300) {
      var generator = TestSeed.generator("blocks", iteration: iteration)
      let length = [1, 10, 300].randomElement(using: &generator)!
      let share = Int.random(in: 1...9, using: &generator)
      let bits = BitIndex((0..<length).map { _ in Int.random(in: 0..<10, using: &generator) < share })
      let passing = (0..<length).filter { bits[$0] }
      // One position more than there are on either side: it belongs to no child.
      var ranks = (-1...passing.count).filter { _ in Bool.random(using: &generator) }
      if iteration % 3 == 0 { ranks.removeAll { !passing.indices.contains($0) } }
      if iteration % 5 == 0 { ranks.shuffle(using: &generator) }
      if ranks.isEmpty { continue }
      if ranks == ranks.sorted() { tally.ascending += 1 } else { tally.others += 1 }
      let expected = ranks.map { passing.indices.contains($0) ? passing[$0] : -1 }
      unsafe ranks.withUnsafeMutableBufferPointer { memory in
        unsafe ReadingBlock(memory.baseAddress!, count: memory.count).select(in: bits)
      }
      #expect(ranks == expected)
    }
    if !TestSeed.isResized { #expect(tally.ascending > 0 && tally.others > 0) }
  }

  /// Rows that the closure of a visit removes are not visited any more.
  @Test func aVisitOfADeepChainMayChangeIt() {
    let source = ArrayNode(Array(0..<2_000))
    var top: any TreeNode<Int> = source
    for _ in 0..<100 { top = FilterNode(top) { $0 >= 0 } }
    var read: [Int] = []
    top.forEachSpan(in: 0..<2_000) { start, span in
      if start == 0 { source.removeSubrange(1_500..<2_000) }
      for index in span.indices { read.append(span[index]) }
    }
    #expect(read == Array(0..<1_500))
  }

  @Test func missingValuesDifferFromEmptyOnes() {
    let source = BranchNode<Int?>(leaves: [1, nil, 3])
    source.append(BranchNode())
    var top: any TreeNode<Int??> = MapNode(source) { .some($0) }
    for _ in 0..<100 { top = MapNode(FilterNode(top) { _ in true }) { $0 } }
    #expect(top.count == 4)
    #expect(top.element(at: 0) == .some(.some(.some(1))))
    #expect(top.element(at: 1) == .some(.some(.none)))
    #expect(top.element(at: 3) == nil)
    #expect(top.elements == [1, .some(.none), 3])
  }
}
