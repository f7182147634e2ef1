import Assemblage

/// The model of a `ProviderNode`: the rows that it provides.
struct ProviderModel: NodeModel {
  typealias Node = ProviderNode<PipelineRow>

  static let kind = "provider"
  static let isSource = true

  /// The data behind the node, which its owner changes.
  final class Box {
    var rows: [PipelineRow]
    init(_ rows: [PipelineRow]) { self.rows = rows }
  }

  var rows: [PipelineRow]
  let box: Box

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    let rows = draw.rows(below: 6)
    let box = Box(rows)
    return NodeDraft(
      ProviderModel(rows: rows, box: box), ProviderNode(count: rows.count) { box.rows[$0] },
      code: "ProviderNode<PipelineRow>(count: \(rows.count)) { \(draw.name)Rows[$0] }",
      variables: [NodeVariable("\(draw.name)Rows", type: "[PipelineRow]", value: rows.code)])
  }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    NaiveTree(leaves: rows)
  }

  static var edits: [NodeEdit<Self>] {
    [
      NodeEdit("announce") { model, draw in
        let range = draw.range(in: model.rows.count)
        let rows = draw.rows(below: 4)
        model.rows.replaceSubrange(range, with: rows)
        let inserted = range.lowerBound..<range.lowerBound + rows.count
        return model.step(
          draw, "replaceSubrange(\(range.code), with: \(rows.code))",
          "announce(Delta(removals: [\(range.code)], insertions: [\(inserted.code)]))"
        ) { $0.announce(Delta(removals: [range], insertions: [inserted])) }
      },
      NodeEdit("announceUpdate") { model, draw in
        guard !model.rows.isEmpty else { return nil }
        let position = draw.number(below: model.rows.count)
        model.rows[position].version += 1
        return model.step(
          draw, "[\(position)].version += 1", "announce(.update(\((position..<position + 1).code)))"
        ) { $0.announce(.update(position..<position + 1)) }
      },
      NodeEdit("announceReplacement", isMinimal: false) { model, draw in
        let rows = draw.rows(below: 6)
        model.rows = rows
        return model.step(draw, " = \(rows.code)", "announceReplacement(count: \(rows.count))") {
          $0.announceReplacement(count: rows.count)
        }
      },
    ]
  }

  /// The step that changes the data as the model has been changed, and then says so.
  private func step(
    _ draw: PipelineDraw, _ change: String, _ announcement: String,
    announce: @escaping (ProviderNode<PipelineRow>) -> Void
  ) -> NodeStep<ProviderNode<PipelineRow>> {
    let (rows, box) = (rows, box)
    let change = change.first == "[" || change.first == " " ? change : "." + change
    return NodeStep("\(draw.name)Rows\(change)\n\(draw.name).\(announcement)") { node in
      box.rows = rows
      announce(node)
    }
  }
}
