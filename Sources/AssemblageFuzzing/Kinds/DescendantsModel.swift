import Assemblage
import AssemblageTesting

/// The model of a `DescendantsNode`: its source, and the kind of elements that it shows.
struct DescendantsModel: NodeModel {
  typealias Node = DescendantsNode<PipelineRow>

  static let kind = "descendants"
  static let reportsOwnMovesOnly = true

  var source: NodeNumber
  var descendants: DescendantsNode<PipelineRow>.Scope

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    guard let source = draw.source() else { return nil }
    let descendants: DescendantsNode<PipelineRow>.Scope = draw.chance(1, in: 2) ? .all : .leaves
    return NodeDraft(
      DescendantsModel(source: source, descendants: descendants), DescendantsNode(draw.node(source), descendants),
      code: "DescendantsNode<PipelineRow>(\(draw.name(source)), .\(descendants))")
  }

  var sources: [NodeNumber] { [source] }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    let tree = contents(source)
    var rows: [NaiveTree<PipelineRow>] = []
    var open = Array(tree.children.reversed())
    while let node = open.popLast() {
      if node.isLeaf || (descendants == .all && node.value != nil) { rows.append(NaiveTree(value: node.value)) }
      open += node.children.reversed()
    }
    return NaiveTree(value: tree.value, children: rows)
  }
}
