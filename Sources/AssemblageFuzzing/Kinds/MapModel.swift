import Assemblage
import AssemblageTesting

/// The model of a `MapNode` without an inverse: its source, and the number that it adds to the versions.
struct MapModel: WholeModel {
  typealias Node = MapNode<PipelineRow, PipelineRow>

  static let kind = "map"
  static let childKind = "mapChild"
  static let reportsOwnMovesOnly = true

  var source: NodeNumber
  var growth: Int

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    guard let source = draw.source() else { return nil }
    let growth = draw.number(below: 3)
    return NodeDraft(
      MapModel(source: source, growth: growth),
      MapNode(draw.node(source)) { PipelineRow($0.id, version: $0.version + growth) },
      code: """
        MapNode<PipelineRow, PipelineRow>(\(draw.name(source))) { PipelineRow($0.id, version: $0.version + \(growth)) }
        """)
  }

  var sources: [NodeNumber] { [source] }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    mapped(contents(source))
  }

  func contents(
    ofChild id: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>
  ) -> NaiveTree<PipelineRow>? {
    let tree = contents(source)
    return tree.path(ofBranch: id).map { mapped(tree[$0]) }
  }

  private func mapped(_ tree: NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    var mapped = tree
    mapped.value = tree.value.map { PipelineRow($0.id, version: $0.version + growth) }
    mapped.children = tree.children.map(self.mapped)
    return mapped
  }
}
