import Assemblage
import AssemblageTesting

/// The model of an `ArrayNode`: its rows.
struct ArrayModel: OwnRowsModel {
  typealias Node = ArrayNode<PipelineRow>

  static let kind = "array"
  static let isSource = true

  var rows: [PipelineRow]

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    let rows = draw.rows(below: 8)
    if draw.usesSmallStorage {
      return NodeDraft(
        ArrayModel(rows: rows), ArrayNode(rows, small: 4, chunk: 4),
        code: "ArrayNode<PipelineRow>(\(rows.code), small: 4, chunk: 4)")
    }
    return NodeDraft(ArrayModel(rows: rows), ArrayNode(rows), code: "ArrayNode<PipelineRow>(\(rows.code))")
  }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    NaiveTree(leaves: rows)
  }

  static var edits: [NodeEdit<Self>] { additions + removals + changes }

  private static var additions: [NodeEdit<Self>] {
    [
      NodeEdit("insert", reversal: .always) { model, draw in
        guard model.rows.count < limit else { return nil }
        let (row, position) = (draw.row(), draw.number(below: model.rows.count + 1))
        model.rows.insert(row, at: position)
        return NodeStep("\(draw.name).insert(\(row.code), at: \(position))") { $0.insert(row, at: position) }
      },
      NodeEdit("append", reversal: .always) { model, draw in
        guard model.rows.count < limit else { return nil }
        let rows = draw.rows(below: 3)
        model.rows += rows
        return NodeStep("\(draw.name).append(contentsOf: \(rows.code))") { $0.append(contentsOf: rows) }
      },
      NodeEdit("replaceSubrange", reversal: .always) { model, draw in
        guard model.rows.count < limit else { return nil }
        let (range, rows) = (draw.range(in: model.rows.count), draw.rows(below: 8))
        model.rows.replaceSubrange(range, with: rows)
        return NodeStep("\(draw.name).replaceSubrange(\(range.code), with: \(rows.code))") {
          $0.replaceSubrange(range, with: rows)
        }
      },
      NodeEdit("replaceAll", reversal: .always) { model, draw in
        var generator = draw.generator()
        var rows = model.rows.filter { _ in generator.chance(3, in: 4) }
        if draw.chance(1, in: 2) { rows.shuffle(using: &generator) }
        if rows.count < limit { rows.insert(contentsOf: draw.rows(below: 3), at: draw.number(below: rows.count + 1)) }
        if !rows.isEmpty { rows[draw.number(below: rows.count)].version += 1 }
        model.rows = rows
        return NodeStep("\(draw.name).replaceAll(with: \(rows.code), id: \\.id, areEqual: ==)") { [rows] node in
          node.replaceAll(with: rows, id: \.id, areEqual: ==)
        }
      },
    ]
  }

  private static var removals: [NodeEdit<Self>] {
    [
      NodeEdit("remove", reversal: .always) { model, draw in
        guard !model.rows.isEmpty else { return nil }
        let position = draw.number(below: model.rows.count)
        model.rows.remove(at: position)
        return NodeStep("\(draw.name).remove(at: \(position))") { $0.remove(at: position) }
      },
      NodeEdit("removeSubrange", reversal: .always) { model, draw in
        let range = draw.range(in: model.rows.count)
        model.rows.removeSubrange(range)
        return NodeStep("\(draw.name).removeSubrange(\(range.code))") { $0.removeSubrange(range) }
      },
      NodeEdit("removeWhere", reversal: .always) { model, draw in
        let predicate = draw.predicate()
        model.rows.removeAll(where: predicate.passes)
        return NodeStep("\(draw.name).removeAll { \(predicate.code) }") { $0.removeAll(where: predicate.passes) }
      },
    ]
  }

  private static var changes: [NodeEdit<Self>] {
    [
      NodeEdit("update", reversal: .always) { model, draw in
        guard !model.rows.isEmpty else { return nil }
        let position = draw.number(below: model.rows.count)
        model.rows[position].version += 1
        return NodeStep("\(draw.name).update(at: \(position)) { $0.version += 1 }") {
          $0.update(at: position) { $0.version += 1 }
        }
      },
      NodeEdit("set", reversal: .always) { model, draw in
        guard !model.rows.isEmpty else { return nil }
        let (position, row) = (draw.number(below: model.rows.count), draw.row())
        model.rows[position] = row
        return NodeStep("\(draw.name)[\(position)] = \(row.code)") { $0[position] = row }
      },
      NodeEdit("move", reversal: .always) { model, draw in
        guard !model.rows.isEmpty else { return nil }
        let (position, destination) = (draw.number(below: model.rows.count), draw.number(below: model.rows.count))
        model.rows.moveElement(from: position, to: destination)
        return NodeStep("\(draw.name).move(from: \(position), to: \(destination))") {
          $0.move(from: position, to: destination)
        }
      },
      NodeEdit("swapAt", reversal: .always) { model, draw in
        guard !model.rows.isEmpty else { return nil }
        let (first, second) = (draw.number(below: model.rows.count), draw.number(below: model.rows.count))
        model.rows.swapAt(first, second)
        return NodeStep("\(draw.name).swapAt(\(first), \(second))") { $0.swapAt(first, second) }
      },
    ]
  }
}
