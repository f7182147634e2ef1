import Assemblage
import AssemblageTesting

/// The model of a `SectionsNode`: its source.
struct SectionsModel: NodeModel {
  typealias Node = SectionsNode<PipelineRow>

  static let kind = "sections"
  static let reportsOwnMovesOnly = true

  var source: NodeNumber

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    guard let source = draw.source() else { return nil }
    return NodeDraft(
      SectionsModel(source: source), SectionsNode(draw.node(source)),
      code: "SectionsNode<PipelineRow>(\(draw.name(source)))")
  }

  var sources: [NodeNumber] { [source] }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    let tree = contents(source)
    var sections: [NaiveTree<PipelineRow>] = []
    var open = Array(tree.children.reversed())
    while let node = open.popLast() {
      if node.children.allSatisfy(\.isLeaf) { sections.append(node) } else { open += node.children.reversed() }
    }
    return NaiveTree(value: tree.value, children: sections)
  }
}
