import Assemblage
import AssemblageTesting

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
      NodeEdit("announce", reversal: .onRollback) { model, draw in
        let former = model.rows
        let range = draw.range(in: former.count)
        let rows = draw.rows(below: 4)
        model.rows.replaceSubrange(range, with: rows)
        return model.step(draw, from: former, replacing: range, with: range.lowerBound..<range.lowerBound + rows.count)
      },
      NodeEdit("announceUpdate", reversal: .onRollback) { model, draw in
        guard !model.rows.isEmpty else { return nil }
        let former = model.rows
        let position = draw.number(below: former.count)
        model.rows[position].version += 1
        return model.step(draw, from: former, updating: position..<position + 1)
      },
      // The owner does not report the rows that are still there.
      NodeEdit("refresh", reversal: .onRollback) { model, draw in
        let former = model.rows
        let range = draw.range(in: former.count)
        let rows = former[range].map { draw.chance(1, in: 2) ? $0.changed : draw.row() } + draw.rows(below: 3)
        let kept = Array(rows.dropFirst(draw.number(below: 3)))
        model.rows.replaceSubrange(range, with: kept)
        return model.invalidation(draw, from: former, range, count: kept.count)
      },
      NodeEdit("announceReplacement") { model, draw in
        let rows = draw.rows(below: 6)
        let box = model.box
        let replaced = Set(model.rows.map(\.id)).intersection(rows.map(\.id))
        model.rows = rows
        return NodeStep(
          "\(draw.name)Rows = \(rows.code)\n\(draw.name).reset(count: \(rows.count))",
          replacing: replaced
        ) {
          box.rows = rows
          $0.reset(count: rows.count)
        }
      },
    ]
  }

  /// Makes the step that changes the data to the model's rows, announces the change, and gives an inverse.
  private func step(
    _ draw: PipelineDraw, from former: [PipelineRow], replacing removed: Range<Int> = 0..<0,
    with inserted: Range<Int> = 0..<0, updating updated: Range<Int> = 0..<0
  ) -> NodeStep<Node> {
    let (rows, box, name) = (rows, box, draw.name)
    func code(_ rows: [PipelineRow], _ removed: Range<Int>, _ inserted: Range<Int>) -> String {
      let delta =
        updated.isEmpty
        ? "Delta(removals: [\(removed.code)], insertions: [\(inserted.code)])" : ".update(\(updated.code))"
      return "\(name)Rows = \(rows.code)\n\(name).announce(\(delta))"
    }
    return NodeStep(
      code(rows, removed, inserted).dropLast() + ") {\n"
        + code(former, inserted, removed).split(separator: "\n").map { "  \($0)\n" }.joined() + "}"
    ) { node in
      box.rows = rows
      node.announce(Delta(removals: [removed], insertions: [inserted], updates: [updated])) { [unowned node] in
        box.rows = former
        node.announce(Delta(removals: [inserted], insertions: [removed], updates: [updated]))
      }
    }
  }

  /// Makes the step that changes the data to the model's rows. The step reports the place of the change, but not the
  /// change itself.
  private func invalidation(
    _ draw: PipelineDraw, from former: [PipelineRow], _ range: Range<Int>, count: Int
  ) -> NodeStep<Node> {
    let (rows, box, name) = (rows, box, draw.name)
    let new = range.lowerBound..<range.lowerBound + count
    return NodeStep(
      """
      \(name)Rows = \(rows.code)
      \(name).refresh(\(range.code), count: \(count)) {
        \(name)Rows = \(former.code)
        \(name).refresh(\(new.code), count: \(range.count))
      }
      """, replacing: Set(former[range].map(\.id)).intersection(rows[new].map(\.id))
    ) { node in
      box.rows = rows
      node.refresh(range, count: count) { [unowned node] in
        box.rows = former
        node.refresh(new, count: range.count)
      }
    }
  }
}
