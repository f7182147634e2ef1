import Assemblage
import TestSupport
import Testing

/// Views one above the other: more of them than a call for each would leave stack for.
@Suite(.smallStack) struct ChainDepthTests {
  static let depth = 1_000

  enum Kind: CaseIterable {
    case filter, map, sort, slice, unique, join, segment, flatten, treeFilter, descendants, mixed

    /// A view that shows all children of a node, in their order.
    func view(of node: any TreeNode<Int>, level: Int) -> any TreeNode<Int> {
      switch self {
      case .filter: FilterNode(node) { $0 >= 0 }
      case .map: MapNode(node) { $0 + (level.isMultiple(of: 2) ? 1 : -1) }
      case .sort: SortNode(node, by: <)
      case .slice: SliceNode(node, 0..<10)
      case .unique: UniqueNode(node, by: { $0 })
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
    var heard: [ChangeSet] = []
    let token = top!.observe { heard.append($0) }
    // What the maps among the views add.
    let shift = top!.element(at: 0)! - 10
    #expect(kind == .mixed ? shift > 90 : shift == 0)
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
    #expect(heard.map(\.delta) == [.insertion(1..<2), .update(1..<2), .removal(0..<1)])
    token.cancel()
    top = nil
    #expect(view == nil)
  }

  @Test func missingValuesAreToldFromEmptyOnes() {
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
