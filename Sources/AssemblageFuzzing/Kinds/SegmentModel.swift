import Assemblage
import AssemblageTesting

/// The model of a `SegmentNode`: its members, and the ordinal of the shown member.
struct SegmentModel: MembersModel {
  typealias Node = SegmentNode<PipelineRow>

  static let kind = "segment"

  var members: [NodeNumber]
  var selection: Int?

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    let members = draw.sources(below: 4)
    let selection = members.isEmpty ? nil : draw.number(below: members.count)
    let list = members.map { draw.name($0) }.joined(separator: ", ")
    return NodeDraft(
      SegmentModel(members: members, selection: selection),
      SegmentNode(members.map { draw.node($0) }, selection: selection),
      code: "SegmentNode<PipelineRow>([\(list)], selection: \(code(of: selection)))")
  }

  private static func code(of selection: Int?) -> String { selection.map(String.init) ?? "nil" }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    NaiveTree(value: nil, children: selection.map { contents(members[$0]).children } ?? [])
  }

  static var edits: [NodeEdit<Self>] {
    [
      // Another member may show rows that the former member showed.
      NodeEdit("select", reversal: .onRollback) { model, draw in
        let choice = draw.number(below: model.members.count + 1)
        let selection = choice == model.members.count ? nil : choice
        let ids = [model.selection, selection].map { $0.map { draw.contents(model.members[$0]).ids } ?? [] }
        model.selection = selection
        return NodeStep(
          "\(draw.name).selection = \(code(of: selection))", replacing: ids[0].intersection(ids[1])
        ) {
          $0.selection = selection
        }
      }
    ] + memberEdits { $0.moveMember(from: $1, to: $2) }
  }

  mutating func followMembers(_ former: [Int?]) { selection = selection.flatMap { former.firstIndex(of: $0) } }

  // MARK: Writing

  private var shown: NodeNumber? { selection.map { members[$0] } }

  func route(ofChild position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute? {
    shown.map { .source($0, position) }
  }

  func route(ofInsertion position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute? {
    shown.map { .source($0, position) }
  }

  func route(
    ofMove position: Int, to destination: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>
  ) -> MovingRoute? {
    shown.map { .source($0, from: position, to: destination) }
  }
}
