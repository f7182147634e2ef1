import Assemblage
import AssemblageTesting

/// The model of a section of a `GroupNode` with headers. The header identifies the section.
struct SectionModel: NodeModel {
  typealias Node = GroupSection<PipelineRow, Int>

  static let kind = "section"
  static let typeCode = "GroupSection<PipelineRow, Int>"

  enum Group {
    case shared(NodeNumber)
    /// A group that only the section holds.
    case own(GroupModel)
  }

  let group: Group
  /// The section's header; nil for the section of the rows without a key.
  let header: PipelineRow?

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    let number = draw.pick { ($0.model as? GroupModel)?.headers != nil }
    if let number, let group = draw.node(number) as? GroupNode<PipelineRow, Int> {
      return make(&draw, .shared(number), group, draw.contents(number), code: draw.name(number))
    }
    guard let draft = GroupModel.make(&draw, hasHeaders: true) else { return nil }
    let contents = draft.model.contents(draw.contents)
    return make(&draw, .own(draft.model), draft.node, contents, code: draft.code)
  }

  private static func make(
    _ draw: inout PipelineDraw, _ group: Group, _ node: GroupNode<PipelineRow, Int>,
    _ contents: NaiveTree<PipelineRow>, code: String
  ) -> NodeDraft<Self>? {
    if contents.children.isEmpty { return nil }
    let position = draw.number(below: contents.children.count)
    return NodeDraft(
      SectionModel(group: group, header: contents.children[position].value), node.section(at: position),
      code: "\(code).section(at: \(position))")
  }

  var sources: [NodeNumber] {
    switch group {
    case .shared(let number): [number]
    case .own(let model): model.sources
    }
  }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    let tree =
      switch group {
      case .shared(let number): contents(number)
      case .own(let model): model.contents(contents)
      }
    let section = tree.children.first { $0.value == header }
    return NaiveTree(value: header, children: section?.children ?? [])
  }
}
