import Assemblage
import AssemblageTesting

/// The model of a `ResultsNode`: the sections of its controller.
struct ResultsModel: NodeModel {
  typealias Node = ResultsNode<PipelineRow>
  typealias Section = ResultsControllerModel<PipelineRow>.Section

  static let kind = "results"
  static let isSource = true

  /// The model adds no row to this number of rows or more, so that pipelines stay small.
  private static let limit = 40

  var sections: [Section]
  var nextName = 10
  let controller: ResultsControllerModel<PipelineRow>

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    let count = draw.number(below: 4)
    let sections = (0..<count).map { (name: "s\($0)", objects: draw.rows(below: 4)) }
    let controller = ResultsControllerModel(sections, id: \.id)
    return NodeDraft(
      ResultsModel(sections: sections, controller: controller), ResultsNode(controller, id: \.id),
      code: "ResultsNode<PipelineRow>(\(draw.name)Controller, id: \\.id)",
      variables: [
        NodeVariable(
          "\(draw.name)Controller", type: "ResultsControllerModel<PipelineRow>",
          value: "ResultsControllerModel<PipelineRow>(\(code(of: sections)), id: \\.id)")
      ])
  }

  private static func code(of sections: [Section]) -> String {
    "[" + sections.map { "(\"\($0.name)\", \($0.objects.code))" }.joined(separator: ", ") + "]"
  }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    NaiveTree(value: nil, children: sections.map { NaiveTree(leaves: $0.objects) })
  }

  static var edits: [NodeEdit<Self>] {
    [
      NodeEdit("change") { model, draw in
        var generator = draw.generator()
        for _ in 0...draw.number(below: 4) { model.rearrange(&draw, &generator) }
        let (sections, controller) = (model.sections, model.controller)
        return NodeStep("\(draw.name)Controller.change(to: \(code(of: sections)), telling: \(draw.name))") {
          controller.change(to: sections, telling: $0)
        }
      },
      NodeEdit("reload") { model, draw in
        var generator = draw.generator()
        for _ in 0...draw.number(below: 4) { model.rearrange(&draw, &generator) }
        let (sections, controller) = (model.sections, model.controller)
        return NodeStep("\(draw.name)Controller.sections = \(code(of: sections))\n\(draw.name).refresh()") {
          controller.sections = sections
          $0.refresh()
        }
      },
    ]
  }

  /// Makes one of the changes of a batch.
  private mutating func rearrange(_ draw: inout PipelineDraw, _ generator: inout SeededGenerator) {
    func random(_ count: Int) -> Int { Int.random(in: 0..<Swift.max(count, 1), using: &generator) }
    let section = random(sections.count)
    let row =
      sections.indices.contains(section) && !sections[section].objects.isEmpty
      ? random(sections[section].objects.count) : nil
    switch random(8) {
    case 0:
      let rows = draw.rows(below: 3)
      sections.insert((name: "s\(nextName)", objects: rows), at: random(sections.count + 1))
      nextName += 1
    case 1 where !sections.isEmpty:
      // Half of the section's rows go to another section.
      let rows = sections.remove(at: section).objects.filter { _ in random(2) == 0 }
      if !sections.isEmpty {
        let other = random(sections.count)
        sections[other].objects.insert(contentsOf: rows, at: random(sections[other].objects.count + 1))
      }
    case 2, 3:
      guard let row else { return }
      let element = sections[section].objects.remove(at: row)
      let other = random(sections.count)
      let isChanged = random(2) == 0
      sections[other].objects.insert(
        isChanged ? element.changed : element, at: random(sections[other].objects.count + 1))
    case 4: if let row { sections[section].objects.remove(at: row) }
    case 5: if let row { sections[section].objects[row].version += 1 }
    default:
      guard !sections.isEmpty, sections.reduce(0, { $0 + $1.objects.count }) < Self.limit else { return }
      sections[section].objects.insert(contentsOf: draw.rows(below: 3), at: random(sections[section].objects.count + 1))
    }
  }
}
