@_spi(NodeAuthors) import Assemblage
import AssemblageTesting
import Foundation
import TestSupport

/// A derived node of each kind, over the same tree, and everything that can be read of it.
///
/// ```text
/// 100 ── 1, 10 ── 11, 12 ── 13, 14
///                 15
///        20 ── 21
///        2
/// ```
enum SettlingView: CaseIterable {
  case join, filter, sort, map, slice, segment, unique, group, section, flattening, descendants, chain, custom
  case filterKeepingAncestors, filterKeepingDescendants, filterHidingSubtrees, treeSort, nest, outline
  case filteredChild, sortedChild, mappedChild, nestedChild, filteredBranch, sortedBranch, outlineOfBranch

  static func tree() -> BranchNode<Row> {
    let inner = BranchNode(value: Row(id: 12), leaves: [Row(id: 13), Row(id: 14)])
    let first = BranchNode(value: Row(id: 10), [.leaf(Row(id: 11)), .node(inner), .leaf(Row(id: 15))])
    let second = BranchNode(value: Row(id: 20), leaves: [Row(id: 21)])
    return BranchNode(value: Row(id: 100), [.leaf(Row(id: 1)), .node(first), .node(second), .leaf(Row(id: 2))])
  }

  func node(of root: BranchNode<Row>) -> any TreeNode<Row> {
    let branch = Self.firstChild(of: root)
    switch self {
    case .join: return JoinNode<Row>([root, branch])
    case .filter: return FilterNode(root, where: Self.passes)
    case .sort: return SortNode(root, by: Self.precedes)
    case .map: return MapNode(root) { Row(id: $0.id + 1_000, version: $0.version) }
    case .slice: return SliceNode(root, 1..<3)
    case .segment: return SegmentNode<Row>([branch, root])
    case .unique: return UniqueNode(root) { $0.id % 9 }
    case .group: return GroupNode(root, header: { Row(id: -$0) }, by: { $0.id % 2 })
    case .section: return GroupNode(root, header: { Row(id: -$0) }, by: { $0.id % 2 }).section(at: 0)
    case .flattening: return FlattenNode(root)
    case .descendants: return DescendantsNode(root)
    case .chain: return SortNode(FilterNode(JoinNode<Row>([root, branch]), where: Self.passes), by: Self.precedes)
    case .custom: return CustomNodeTests.ReversedNode(root)
    case .filterKeepingAncestors: return TreeFilterNode(root, where: Self.passes)
    case .filterKeepingDescendants: return TreeFilterNode(root, policy: .keepingDescendants, where: Self.passes)
    case .filterHidingSubtrees: return TreeFilterNode(root, policy: .hidingSubtrees, where: Self.passes)
    case .treeSort: return TreeSortNode(root, by: Self.precedes)
    case .nest: return Self.nest(of: root)
    case .outline: return Self.outline(of: root)
    case .filteredChild: return Self.firstChild(of: TreeFilterNode(root, where: Self.passes))
    case .sortedChild: return Self.firstChild(of: TreeSortNode(root, by: Self.precedes))
    case .mappedChild: return Self.firstChild(of: MapNode(root) { Row(id: $0.id + 1_000, version: $0.version) })
    case .nestedChild: return Self.firstChild(of: Self.nest(of: root))
    case .filteredBranch: return TreeFilterNode(branch, where: Self.passes)
    case .sortedBranch: return TreeSortNode(branch, by: Self.precedes)
    case .outlineOfBranch: return Self.outline(of: branch)
    }
  }

  private static func firstChild(of node: some TreeNode<Row>) -> any TreeNode<Row> {
    (0..<node.count).lazy.compactMap { node.child(at: $0) }.first!
  }

  static func passes(_ row: Row) -> Bool { row.version == 0 }

  static func precedes(_ left: Row, _ right: Row) -> Bool { left.id > right.id }

  private static func outline(of root: any TreeNode<Row>) -> OutlineNode<Row, Int> {
    OutlineNode(root, expansion: ExpansionState(policy: .expanded), id: \.id)
  }

  private static func nest(of root: any TreeNode<Row>) -> NestNode<Row, Int> {
    NestNode(DescendantsNode(root), id: \.id) { $0.id < 10 ? nil : $0.id / 10 }
  }

  // MARK: Edits

  /// An edit of the tree, and another edit that can follow it.
  enum Edit: CaseIterable {
    case insertion, removal, update, move, folder

    func first(_ root: BranchNode<Row>) {
      switch self {
      case .insertion: root.insert(Row(id: 16), at: [1, 0])
      case .removal: root.remove(at: [1, 1])
      case .update: root.replace(at: [1, 0], with: Row(id: 11, version: 1))
      case .move: root.move(from: [1, 1], to: [2, 0])
      case .folder: root.insert(BranchNode(value: Row(id: 30), leaves: [Row(id: 31)]), at: [0])
      }
    }

    func second(_ root: BranchNode<Row>) {
      switch self {
      case .insertion: root.insert(Row(id: 3), at: [0])
      case .removal: root.remove(at: [0])
      case .update: root.replace(at: [0], with: Row(id: 1, version: 1))
      case .move: root.move(from: [2, 0], to: [0])
      case .folder: root.move(from: [1], to: [0, 0])
      }
    }
  }
}

/// One way to read a node. The first read after an edit settles the graph, so each way is a test of its own.
struct ReadingDoor: Sendable {
  let name: String
  /// The text of the read result, for a node with a number of children; nil where the node cannot be read in this way.
  let read: @Sendable (_ node: any TreeNode<Row>, _ count: Int) -> String?

  private init(_ name: String, _ read: @escaping @Sendable (any TreeNode<Row>, Int) -> String?) {
    (self.name, self.read) = (name, read)
  }

  /// Returns a way to read nodes of one type.
  private static func of<Node>(
    _ type: Node.Type, _ name: String, _ read: @escaping @Sendable (Node, Int) -> Any?
  ) -> ReadingDoor {
    ReadingDoor(name) { node, count in (node as? Node).map { "\(read($0, count) ?? "nil")" } }
  }

  /// More positions than any of the views has.
  private static let positions = 0..<12

  static let all: [ReadingDoor] = contents + maps + views

  private static let contents = [
    ReadingDoor("count") { node, _ in "\(node.count)" },
    ReadingDoor("isEmpty") { node, _ in "\(node.isEmpty)" },
    ReadingDoor("hasChildren") { node, _ in "\(node.hasChildren)" },
    ReadingDoor("value") { node, _ in "\(node.value ?? Row(id: -1))" },
    ReadingDoor("element(at:)") { node, _ in "\(positions.map { node.element(at: $0) })" },
    ReadingDoor("child(at:)") { node, _ in "\(positions.map { node.child(at: $0).map { NaiveTree(of: $0) } })" },
    ReadingDoor("subscript") { node, count in "\((0..<count).map { node[[$0]] })" },
    ReadingDoor("elements") { node, _ in "\(node.elements)" },
    ReadingDoor("spans") { node, count in
      var rows: [Row] = []
      node.forEachSpan(in: 0..<count) { _, span in for index in span.indices { rows.append(span[index]) } }
      return "\(rows)"
    },
    ReadingDoor("element at a path") { node, _ in "\(positions.map { node.element(at: [$0, 0]) })" },
    ReadingDoor("child at a path") { node, _ in "\(positions.map { node.child(at: [$0, 1]).map { NaiveTree(of: $0) } })"
    },
    ReadingDoor("count at a path") { node, _ in "\(positions.map { node.count(at: [$0]) })" },
    ReadingDoor("header") { node, _ in "\(node.header(at: []) ?? Row(id: -1))" },
    ReadingDoor("description") { node, _ in "\(node)" },
    ReadingDoor("snapshot") { node, _ in "\(TreeSnapshot(of: node))" },
    ReadingDoor("allowed edits") { node, _ in "\(positions.map { node.writer?.allows(.remove, at: $0) ?? false })" },
  ]

  private static let maps = [
    of((any SourceView<Row>).self, "sourcePosition") { node, count in (0..<count).map { node.sourcePosition(of: $0) } },
    of((any SourceView<Row>).self, "position of source") { node, _ in
      (0..<node.source.count).map { node.position(ofSource: $0) }
    },
    of((any PositionMapping<Row>).self, "sourcePlace") { node, count in (0..<count).map { node.sourcePlace(of: $0) } },
  ]

  private static let views = [
    of(JoinNode<Row>.self, "range of a member") { node, _ in (0..<2).map { node.range(ofMember: $0) } },
    of(JoinNode<Row>.self, "position in a member") { node, _ in node.position(of: 0, inMember: 1) },
    of(SegmentNode<Row>.self, "selection") { node, _ in node.selection },
    of(UniqueNode<Row, Int>.self, "representative") { node, _ in (0..<3).map { node.position(standingFor: $0) } },
    of(GroupNode<Row, Int>.self, "keys") { node, count in (0..<count).map { node.key(ofSection: $0) } },
    of(GroupNode<Row, Int>.self, "section of a key") { node, _ in (0..<2).map { node.ordinal(ofKey: $0) } },
    of(GroupNode<Row, Int>.self, "place") { node, _ in (0..<3).map { node.place(ofSource: $0) } },
    of(GroupNode<Row, Int>.self, "sections") { node, count in (0..<count).map { node.section(at: $0).elements } },
    of(FlattenNode<Row>.self, "memberCount") { node, _ in node.memberCount },
    of(FlattenNode<Row>.self, "locate") { node, count in (0..<count).map { node.locate($0) } },
    of(NestNode<Row, Int>.self, "path of an id") { node, _ in [1, 10, 11, 13].map { node.path(ofID: $0) } },
    of(NestNode<Row, Int>.self, "descendantCount") { node, _ in node.descendantCount },
    of(DescendantsNode<Row>.self, "path of a row") { node, count in (0..<count).map { node.path(ofRow: $0) } },
    of(DescendantsNode<Row>.self, "row of a path") { node, _ in node.row(ofPath: [1, 0]) },
    of(OutlineNode<Row, Int>.self, "path of a row") { node, count in (0..<count).map { node.path(ofRow: $0) } },
    of(OutlineNode<Row, Int>.self, "row of a path") { node, _ in positions.map { node.row(ofPath: [1, $0]) } },
    of(OutlineNode<Row, Int>.self, "rows") { node, count in node.rows(in: 0..<count).map { "\($0.depth) \($0.value!)" }
    },
    of(OutlineNode<Row, Int>.self, "descendants") { node, count in (0..<count).map { node.descendants(ofRow: $0) } },
    of(OutlineNode<Row, Int>.self, "node of a row") { node, count in
      (0..<count).map { node.node(atRow: $0).map { NaiveTree(of: $0) } }
    },
    of(TreeFilterNode<Row>.self, "matchCount") { node, _ in node.matchCount },
    of(TreeFilterNode<Row>.self, "isMatch") { node, _ in positions.map { node.isMatch(at: [$0]) } },
    of(TreeFilterNode<Row>.self, "source path") { node, _ in positions.map { node.sourcePath(of: [$0]) } },
    of(TreeFilterNode<Row>.self, "visible path") { node, _ in positions.map { node.path(ofSource: [$0]) } },
    of(TreeSortNode<Row>.self, "source path") { node, _ in positions.map { node.sourcePath(of: [$0]) } },
    of(TreeSortNode<Row>.self, "sorted path") { node, _ in positions.map { node.path(ofSource: [$0]) } },
  ]
}
