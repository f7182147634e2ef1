import Assemblage
import AssemblageTesting

/// The model of a `FieldsNode`: the contents of its owner's properties.
struct FieldsModel: NodeModel {
  typealias Node = FieldsNode<PipelineRow>

  static let kind = "fields"
  static let isSource = true

  var rows: [PipelineRow]
  let owner: PipelineOwner

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    let rows = [draw.row(), draw.row(), draw.row()]
    let isCounting = draw.chance(1, in: 3)
    let owner = PipelineOwner(rows, isCounting: isCounting)
    let code = "PipelineOwner(\(rows.code)" + (isCounting ? ", isCounting: true)" : ")")
    return NodeDraft(
      FieldsModel(rows: rows, owner: owner), FieldsNode(owner, PipelineOwner.fields),
      code: "FieldsNode<PipelineRow>(\(draw.name)Owner, PipelineOwner.fields)",
      variables: [NodeVariable("\(draw.name)Owner", type: "PipelineOwner", value: code)])
  }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    NaiveTree(leaves: rows)
  }

  static var edits: [NodeEdit<Self>] {
    [
      NodeEdit("refresh", reversal: .always) { model, draw in
        let owner = model.owner
        if draw.chance(1, in: 2) { model.rows[0].version += 1 }
        if draw.chance(1, in: 2) { model.rows[2].version += 1 }
        return NodeStep(
          """
          \(draw.name)Owner.first = \(model.rows[0].code)
          \(draw.name)Owner.third = \(model.rows[2].code)
          \(draw.name).refresh()
          """
        ) { [rows = model.rows] node in
          (owner.first, owner.third) = (rows[0], rows[2])
          node.refresh()
        }
      }
    ]
  }

  // MARK: Writing

  func route(ofChild position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute? {
    .own(position)
  }

  mutating func replace(at position: Int, with row: PipelineRow) -> Bool {
    rows[position] = row
    if position == 1, owner.isCounting {
      rows[0].version += 1
      rows[2].version += 1
    }
    return true
  }
}
