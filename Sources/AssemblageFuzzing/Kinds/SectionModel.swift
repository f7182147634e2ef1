import Assemblage
import AssemblageTesting

/// The model of a section of a `GroupNode` that has headers, by which the section is known.
struct SectionModel: NodeModel {
  typealias Node = GroupSection<PipelineRow, Int>

  static let kind = "section"
  static let typeCode = "GroupSection<PipelineRow, Int>"

  var group: NodeNumber
  /// The section's header; nil where the rows are those without a key.
  var header: PipelineRow?

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    let number = draw.pick { ($0.model as? GroupModel)?.headers != nil }
    guard let number, let group = draw.node(number) as? GroupNode<PipelineRow, Int>, group.count > 0 else {
      return nil
    }
    let position = draw.number(below: group.count)
    return NodeDraft(
      SectionModel(group: number, header: draw.contents(number).children[position].value),
      group.section(at: position), code: "\(draw.name(number)).section(at: \(position))")
  }

  var sources: [NodeNumber] { [group] }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    let section = contents(group).children.first { $0.value == header }
    return NaiveTree(value: header, children: section?.children ?? [])
  }
}
