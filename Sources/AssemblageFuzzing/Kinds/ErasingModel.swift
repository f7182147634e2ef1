import Assemblage
import AssemblageTesting

/// The model of a `MapNode` that keeps the values of its source.
struct ErasingModel: NodeModel {
  typealias Node = MapNode<PipelineRow, PipelineRow>

  static let kind = "erasing"

  var source: NodeNumber

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    guard let source = draw.source() else { return nil }
    return NodeDraft(
      ErasingModel(source: source), draw.node(source).erasing { $0 },
      code: "\(draw.name(source)).erasing { $0 }")
  }

  var sources: [NodeNumber] { [source] }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> { contents(source) }

  // MARK: Writing

  func route(ofChild position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute? {
    .source(source, position)
  }

  func route(ofInsertion position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute? {
    .source(source, position)
  }

  func route(
    ofMove position: Int, to destination: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>
  ) -> MovingRoute? {
    .source(source, from: position, to: destination)
  }
}
