import Assemblage
import AssemblageTesting

/// The model of a `TreeSortNode`: its source and its comparator.
struct TreeSortModel: SortingModel, WholeModel {
  typealias Node = TreeSortNode<PipelineRow>

  static let kind = "treeSort"
  static let childKind = "treeSortChild"
  static let reportsOwnMovesOnly = true

  var source: NodeNumber
  var comparator: RowComparator
  var latest = LatestSetting<RowComparator>()

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    guard let source = draw.source() else { return nil }
    let comparator = RowComparator.draw(&draw)
    return NodeDraft(
      TreeSortModel(source: source, comparator: comparator),
      TreeSortNode(draw.node(source), by: comparator.precedes),
      code: "TreeSortNode<PipelineRow>(\(draw.name(source)), by: \(comparator.code))")
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
    result.children = comparator.order(of: tree.children).map { sorted(tree.children[$0]) }
    return result
  }

  static func setComparator(_ precedes: ((PipelineRow, PipelineRow) -> Bool)?, of node: Node) {
    node.setComparator(precedes)
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
    let place = comparator.order(of: children)[position]
    // The children of a shown child belong to another node, and the pipeline has no model of that node.
    return children[place].children.isEmpty ? .source(source, place) : nil
  }
}
