import Assemblage
import AssemblageTesting

/// The model of a `FlattenNode`: its source.
///
/// Which of the source's children are leaves is not seen in its contents: a leaf has no children, and neither has an empty node.
/// So the source is a branch, whose own model knows it, or a group, which has no leaves.
struct FlattenModel: NodeModel {
  typealias Node = FlattenNode<PipelineRow>

  static let kind = "flatten"

  var source: NodeNumber
  /// Whether the child of the source at a position is a node.
  var isNode: (Int) -> Bool

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    guard let source = draw.source(where: { $0 is BranchModel || $0 is GroupModel }) else { return nil }
    let isNode = draw.isNode(in: source)
    return NodeDraft(
      FlattenModel(source: source, isNode: isNode), FlattenNode(draw.node(source)),
      code: "FlattenNode<PipelineRow>(\(draw.name(source)))")
  }

  var sources: [NodeNumber] { [source] }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    let tree = contents(source)
    let rows = tree.children.enumerated().flatMap { isNode($0) ? $1.children : [$1] }
    return NaiveTree(value: tree.value, children: rows)
  }
}
