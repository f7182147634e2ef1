import Assemblage
import AssemblageTesting

/// The model of a `SingleNode`: its row, if it has one.
struct SingleModel: OwnChildrenModel {
  typealias Node = SingleNode<PipelineRow>

  static let kind = "single"
  static let isSource = true

  var row: PipelineRow?

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    let row = draw.chance(1, in: 2) ? draw.row() : nil
    return NodeDraft(
      SingleModel(row: row), SingleNode(row), code: "SingleNode<PipelineRow>(\(row?.code ?? "nil"))")
  }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    NaiveTree(leaves: row.map { [$0] } ?? [])
  }

  static var edits: [NodeEdit<Self>] {
    [
      NodeEdit("set", reversal: .always) { model, draw in
        // A new value of the present child. In most cases it is the same row, changed.
        let row = model.row.flatMap { draw.chance(1, in: 4) ? nil : $0.changed } ?? draw.row()
        model.row = row
        return NodeStep("\(draw.name).content = \(row.code)") { $0.content = row }
      },
      NodeEdit("clear", reversal: .always) { model, draw in
        model.row = nil
        return NodeStep("\(draw.name).content = nil") { $0.content = nil }
      },
    ]
  }

  // MARK: Writing

  mutating func insert(_ row: PipelineRow, at position: Int) -> Bool {
    guard self.row == nil else { return false }
    self.row = row
    return true
  }

  mutating func remove(at position: Int) -> Bool {
    row = nil
    return true
  }

  mutating func replace(at position: Int, with row: PipelineRow) -> Bool {
    self.row = row
    return true
  }

  mutating func move(from position: Int, to destination: Int) -> Bool { true }
}
