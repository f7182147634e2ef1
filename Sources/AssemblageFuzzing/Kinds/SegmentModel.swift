import Assemblage
import AssemblageTesting

/// The model of a `SegmentNode`: its members, and which of them is shown.
struct SegmentModel: NodeModel {
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

  var sources: [NodeNumber] { members }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    NaiveTree(value: nil, children: selection.map { contents(members[$0]).children } ?? [])
  }

  static var edits: [NodeEdit<Self>] {
    [
      // Another member may show rows that the former one did.
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
      },
      NodeEdit("insertMember", reversal: .always) { model, draw in
        guard let member = draw.source() else { return nil }
        let ordinal = draw.number(below: model.members.count + 1)
        let node = draw.node(member)
        model.members.insert(member, at: ordinal)
        if let selection = model.selection, selection >= ordinal { model.selection = selection + 1 }
        return NodeStep("\(draw.name).insertMember(\(draw.name(member)), at: \(ordinal))") {
          $0.insertMember(node, at: ordinal)
        }
      },
      NodeEdit("removeMember", reversal: .always) { model, draw in
        guard !model.members.isEmpty else { return nil }
        let ordinal = draw.number(below: model.members.count)
        model.members.remove(at: ordinal)
        if let selection = model.selection {
          model.selection = selection == ordinal ? nil : selection > ordinal ? selection - 1 : selection
        }
        return NodeStep("\(draw.name).removeMember(at: \(ordinal))") { $0.removeMember(at: ordinal) }
      },
      NodeEdit("replaceMember", reversal: .always) { model, draw in
        guard !model.members.isEmpty, let member = draw.source() else { return nil }
        let ordinal = draw.number(below: model.members.count)
        let node = draw.node(member)
        let replaced = draw.contents(model.members[ordinal]).ids.intersection(draw.contents(member).ids)
        model.members[ordinal] = member
        return NodeStep(
          "\(draw.name).replaceMember(at: \(ordinal), with: \(draw.name(member)))", replacing: replaced
        ) {
          $0.replaceMember(at: ordinal, with: node)
        }
      },
      NodeEdit("moveMember", reversal: .always) { model, draw in
        guard !model.members.isEmpty else { return nil }
        let (ordinal, destination) = (
          draw.number(below: model.members.count), draw.number(below: model.members.count)
        )
        var order = Array(model.members.indices)
        order.moveElement(from: ordinal, to: destination)
        model.members.moveElement(from: ordinal, to: destination)
        model.selection = model.selection.map { order.firstIndex(of: $0)! }
        return NodeStep("\(draw.name).moveMember(from: \(ordinal), to: \(destination))") {
          $0.moveMember(from: ordinal, to: destination)
        }
      },
    ]
  }

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
