import Assemblage
import AssemblageTesting

/// The model of a `TreeSortNode`: its source and its comparator.
struct TreeSortModel: SortingModel, WholeModel {
  typealias Node = TreeSortNode<PipelineRow>

  static let kind = "treeSort"
  static let childKind = "treeSortChild"
  static let reportsOwnMovesOnly = true

  var source: NodeNumber
  var order: RowOrder
  var latest = LatestSetting<RowOrder>()

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    guard let source = draw.source() else { return nil }
    let order = RowOrder.draw(&draw)
    return NodeDraft(
      TreeSortModel(source: source, order: order), node(draw.node(source), order),
      code: "TreeSortNode<PipelineRow>(\(draw.name(source)), by: \(order.code(draw.name(source))))")
  }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    sorted(contents(source))
  }

  func contents(
    ofChild id: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>
  ) -> NaiveTree<PipelineRow>? {
    let tree = contents(source)
    return tree.path(ofBranch: id).map { sorted(tree[$0]) }
  }

  var isLazy: Bool { true }

  private func sorted(_ tree: NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    var result = tree
    result.children = order.order(of: tree.children).map { sorted(tree.children[$0]) }
    return result
  }

  static func node(_ source: any TreeNode<PipelineRow>, _ order: RowOrder) -> Node {
    switch order {
    case .byTotal: TreeSortNode(source, by: RowOrder.sum(of: source))
    case .byGreatest: TreeSortNode(source, by: RowOrder.greatest(of: source), order: .reverse)
    default: TreeSortNode(source, by: order.precedes)
    }
  }

  static func setOrder(_ order: RowOrder, of node: Node) {
    switch order {
    case .byTotal: node.setComparator(RowOrder.sum(of: node.source))
    case .byGreatest: node.setComparator(RowOrder.greatest(of: node.source), order: .reverse)
    default: node.setComparator(order.precedes)
    }
  }

  static func setComparator(
    inSlices: Bool, _ precedes: @escaping @Sendable (PipelineRow, PipelineRow) -> Bool, of node: Node
  ) async throws {
    if inSlices {
      try await node.setComparator(inBackground: .inSlices(of: .milliseconds(1)), by: precedes)
    } else {
      try await node.setComparator(inBackground: .concurrently, by: precedes)
    }
  }

  static func refresh(_ node: Node) { node.refresh() }

  func route(ofChild position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute? {
    let children = contents(source).children
    let place = order.order(of: children)[position]
    // The children of a shown child belong to another node, and the pipeline has no model of that node.
    return children[place].children.isEmpty ? .source(source, place) : nil
  }
}
