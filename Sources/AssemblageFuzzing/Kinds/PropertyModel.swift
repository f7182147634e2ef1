import Assemblage
import AssemblageTesting

/// The model of a `PropertyNode`: the contents of its owner's property.
struct PropertyModel: OwnRowsModel {
  typealias Node = PropertyNode<PipelineRow>

  static let kind = "property"
  static let isSource = true

  var rows: [PipelineRow] {
    didSet { rows = Array(rows.prefix(owner.capacity)) }
  }
  let owner: PipelineOwner
  /// Whether the property cannot have more rows.
  var isFull: Bool { rows.count == owner.capacity }

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    let rows = draw.rows(below: 6)
    let capacity = draw.chance(1, in: 3) ? rows.count + draw.number(below: 3) : nil
    let owner = PipelineOwner(rows, capacity: capacity ?? .max)
    let code = "PipelineOwner(\(rows.code)" + (capacity.map { ", capacity: \($0))" } ?? ")")
    return NodeDraft(
      PropertyModel(rows: rows, owner: owner), PropertyNode(owner, \.rows, id: \.id),
      code: "PropertyNode<PipelineRow>(\(draw.name)Owner, \\.rows, id: \\.id)",
      variables: [NodeVariable("\(draw.name)Owner", type: "PipelineOwner", value: code)])
  }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    NaiveTree(leaves: rows)
  }

  static var edits: [NodeEdit<Self>] {
    [
      NodeEdit("refresh", reversal: .always) { model, draw in
        var generator = draw.generator()
        var rows = model.rows.filter { _ in generator.chance(3, in: 4) }
        if draw.chance(1, in: 2) { rows.shuffle(using: &generator) }
        if rows.count < limit { rows.insert(contentsOf: draw.rows(below: 3), at: draw.number(below: rows.count + 1)) }
        if !rows.isEmpty { rows[draw.number(below: rows.count)].version += 1 }
        model.rows = rows
        let owner = model.owner
        return NodeStep("\(draw.name)Owner.rows = \(rows.code)\n\(draw.name).refresh()") { [rows] node in
          owner.rows = rows
          node.refresh()
        }
      },
      // The node finds the owner's change when the node itself is edited.
      NodeEdit("appendUnannounced", reversal: .always) { model, draw in
        guard model.rows.count < Swift.min(limit, model.owner.capacity - 1) else { return nil }
        let (row, other) = (draw.row(), draw.row())
        let owner = model.owner
        model.rows = [other] + model.rows + [row]
        return NodeStep(
          """
          \(draw.name)Owner.rows.insert(\(other.code), at: 0)
          \(draw.name).insert(\(row.code), at: \(draw.name).count)
          """, isComposite: true
        ) {
          owner.rows.insert(other, at: 0)
          $0.insert(row, at: $0.count)
        }
      },
      NodeEdit("update", reversal: .always) { model, draw in
        guard !model.rows.isEmpty else { return nil }
        let position = draw.number(below: model.rows.count)
        return NodeStep("\(draw.name).update(at: \(position))") { $0.update(at: position) }
      },
    ]
  }
}
