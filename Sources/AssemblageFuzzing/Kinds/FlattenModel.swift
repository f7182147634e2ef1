import Assemblage
import AssemblageTesting

/// The model of a `FlattenNode`: its source, and the number of levels that it removes.
struct FlattenModel: NodeModel {
  typealias Node = FlattenNode<PipelineRow>

  static let kind = "flatten"

  var source: NodeNumber
  var levels: Int

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    guard let source = draw.source() else { return nil }
    let levels = draw.chance(2, in: 3) ? 1 : 2 + draw.number(below: 2)
    return NodeDraft(
      FlattenModel(source: source, levels: levels), FlattenNode(draw.node(source), levels: levels),
      code: "FlattenNode<PipelineRow>(\(draw.name(source)), levels: \(levels))")
  }

  var sources: [NodeNumber] { [source] }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    var tree = contents(source)
    for _ in 0..<levels { tree.children = tree.children.flatMap { $0.isLeaf ? [$0] : $0.children } }
    return tree
  }
}
