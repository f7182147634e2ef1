import Assemblage
import Foundation
import Testing

/// A caller can ask a node which edits it allows. An allowed edit works, and any other edit traps.
@Suite struct AllowsTests {
  private final class Model {
    var a = 1
    var b = 2
    var list = [1, 2]
  }

  enum Kind: String, CaseIterable, Codable, Sendable {
    case array, branch, empty, single, fields, property, filter, sorted, unsorted, slice, unique, section, treeFilter
    case treeSort, treeUnsorted
    case join, joinOfOthers, noMember, flatten, segment, noSegment, outline, descendants, leaves, ofProvider
    case nest, nestedBranch, forest, filteredForest, sortedForest, outlineOfForest, sortedOutline

    /// Makes a node of at most four children; the values of its elements do not matter.
    func make() -> any WritableNode<Int> {
      let array = ArrayNode([1, 2])
      let branch = BranchNode<Int>([
        .leaf(3), .node(BranchNode(value: 4, leaves: [5])), .node(ProviderNode(count: 1) { $0 }),
      ])
      let forest = ForestNode(leaves: [3, 2])
      forest.insert(1, at: [1, 0])
      return switch self {
      case .array: array
      case .branch: branch
      case .empty: SingleNode()
      case .single: SingleNode(1)
      case .fields: FieldsNode<Int>(Model(), fields: [Field(\.a), Field(reading: \.b)])
      case .property: PropertyNode(Model(), \.list)
      case .filter: FilterNode(branch) { $0 != 4 }
      case .sorted: SortNode(array, by: >)
      case .unsorted: SortNode(branch, by: nil)
      case .slice: SliceNode(branch, 1..<3)
      case .unique: UniqueNode(ArrayNode([1, 1, 2]), id: { $0 })
      case .section: GroupNode(ArrayNode([1, 2, 3])) { $0 % 2 }.section(at: 0)
      case .treeFilter: TreeFilterNode(branch) { $0 != 3 }
      case .treeSort: TreeSortNode(branch, by: >)
      case .treeUnsorted: TreeSortNode(branch, by: nil)
      case .join: JoinNode([array, branch])
      case .joinOfOthers: JoinNode([SingleNode(1), ProviderNode(count: 1) { $0 }, SingleNode(2), array])
      case .noMember: JoinNode<Int>()
      case .flatten: FlattenNode(BranchNode<Int>([.leaf(1), .node(array), .node(SingleNode(7))]))
      case .segment: SegmentNode([branch], selection: 0)
      case .noSegment: SegmentNode([branch])
      case .outline: OutlineNode(BranchNode<Int>([.node(branch), .leaf(9)]), id: { $0 })
      case .descendants: DescendantsNode(BranchNode<Int>([.leaf(6), .node(BranchNode(value: 4, leaves: [5]))]))
      case .leaves: DescendantsNode(branch, .leaves)
      case .nest: NestNode(ArrayNode([1, 2, 3, 9]), id: { $0 }, parent: { $0 - 1 })
      case .nestedBranch:
        NestNode(ArrayNode([1, 2, 3, 4]), id: { $0 }, parent: { $0 / 3 }).child(at: 0) as! NestNode<Int, Int>
      case .forest: forest
      case .filteredForest: TreeFilterNode(forest) { $0 != 3 }
      case .sortedForest: TreeSortNode(forest)
      case .outlineOfForest: OutlineNode(forest, expansion: .init(policy: .expanded), id: { $0 })
      case .sortedOutline: OutlineNode(TreeSortNode(forest), expansion: .init(policy: .expanded), id: { $0 })
      case .ofProvider: FilterNode(ProviderNode(count: 1) { $0 }) { _ in true }
      }
    }
  }

  /// Returns all edits at each position of a node with `count` children, and at one position behind them.
  private static func edits(_ count: Int) -> [(edit: ChildEdit, position: Int)] {
    let kinds: [ChildEdit] =
      [.insert, .insertNode, .remove, .replace, .turnIntoBranch] + (0..<count).map { .move(to: $0) }
    return kinds.flatMap { kind in (0...count).map { (kind, $0) } }
  }

  private static func make(_ edit: ChildEdit, at position: Int, in node: any WritableNode<Int>) {
    switch edit {
    case .insert: node.insert(8, at: position)
    case .insertNode: node.insert(ForestNode(value: 8), at: position)
    case .remove: node.removeChild(at: position)
    case .replace: node.replace(at: position, with: 8)
    case .turnIntoBranch: node.turnIntoBranch(at: position)
    case .move(let destination): node.move(from: position, to: destination)
    }
  }

  @Test(arguments: Kind.allCases) func whatIsAllowedWorksAndWhatIsNotTraps(_ kind: Kind) async {
    let count = kind.make().count
    for (number, (edit, position)) in Self.edits(count).enumerated() {
      let node = kind.make()
      let isAllowed = node.allows(edit, at: position)
      #expect(BranchNode([node]).allows(edit, at: [0, position]) == isAllowed)
      if isAllowed {
        Self.make(edit, at: position, in: node)
      } else {
        await #expect(processExitsWith: .failure, "\(edit) at \(position)") {
          [kind = kind as Kind, number = number as Int] in
          let node = kind.make()
          let (edit, position) = Self.edits(node.count)[number]
          Self.make(edit, at: position, in: node)
        }
      }
    }
  }

  @Test(arguments: Kind.allCases) func thereIsNothingToWriteOutOfRange(_ kind: Kind) {
    let node = kind.make()
    for position in [Int.min, -1, node.count + 1, .max] {
      for edit: ChildEdit in [.insert, .insertNode, .remove, .replace, .move(to: 0), .turnIntoBranch] {
        #expect(!node.allows(edit, at: position))
      }
      #expect(!node.allows(.move(to: position), at: 0))
    }
    #expect(!node.allows(.remove, at: []) && !node.allows(.insert, at: [99, 0]))
  }

  @Test func aSortedViewAllowsEverythingButMoves() {
    let rows = SortNode(ArrayNode([2, 1]), by: <)
    #expect(rows.allows(.insert, at: 2) && rows.allows(.remove, at: 1) && rows.allows(.replace, at: 0))
    #expect(!rows.allows(.move(to: 1), at: 0) && !rows.allows(.insertNode, at: 0))
    rows.setComparator(nil)
    #expect(rows.allows(.move(to: 1), at: 0))
  }

  @Test func aFullMemberTakesNothingFromItsNeighbour() {
    let join = JoinNode<Int>([ArrayNode([1, 2]), SingleNode(3)])
    #expect(join.allows(.move(to: 1), at: 0) && !join.allows(.move(to: 2), at: 0))
    #expect(join.allows(.move(to: 0), at: 2) && join.allows(.move(to: 1), at: 2))
  }
}
