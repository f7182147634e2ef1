import Assemblage
import AssemblageTesting

/// The model of a `BranchNode`: its value and its children.
struct BranchModel: OwnChildrenModel {
  typealias Node = BranchNode<PipelineRow>

  static let kind = "branch"

  enum Child {
    case leaf(PipelineRow)
    case node(NodeNumber)
  }

  var value: PipelineRow?
  var children: [Child]

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    var children = draw.sources(below: 4).map { Child.node($0) }
    if draw.chance(1, in: 2) { children.insert(.leaf(draw.row()), at: draw.number(below: children.count + 1)) }
    let value = draw.chance(1, in: 2) ? draw.row() : nil
    let list = children.map { code(of: $0, draw) }.joined(separator: ", ")
    return NodeDraft(
      BranchModel(value: value, children: children),
      BranchNode(value: value, children.map { child(of: $0, draw) }),
      code: "BranchNode<PipelineRow>(value: \(value?.code ?? "nil"), [\(list)] as [TreeChild<PipelineRow>])")
  }

  private static func child(of child: Child, _ draw: PipelineDraw) -> TreeChild<PipelineRow> {
    switch child {
    case .leaf(let row): .leaf(row)
    case .node(let number): .node(draw.node(number))
    }
  }

  private static func code(of child: Child, _ draw: PipelineDraw) -> String {
    switch child {
    case .leaf(let row): ".leaf(\(row.code))"
    case .node(let number): ".node(\(draw.name(number)))"
    }
  }

  var sources: [NodeNumber] {
    children.compactMap { if case .node(let number) = $0 { number } else { nil } }
  }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    NaiveTree(
      value: value,
      children: children.map { child in
        switch child {
        case .leaf(let row): NaiveTree(value: row)
        case .node(let number): contents(number)
        }
      })
  }

  static var edits: [NodeEdit<Self>] {
    [
      NodeEdit("insertLeaf", reversal: .always) { model, draw in
        insert(.leaf(draw.row()), &model, &draw)
      },
      NodeEdit("insertNode", reversal: .always) { model, draw in
        guard let node = draw.source() else { return nil }
        return insert(.node(node), &model, &draw)
      },
      NodeEdit("remove", reversal: .always) { model, draw in
        guard !model.children.isEmpty else { return nil }
        let position = draw.number(below: model.children.count)
        model.children.remove(at: position)
        return NodeStep("\(draw.name).remove(at: \(position))") { $0.remove(at: position) }
      },
      NodeEdit("move", reversal: .always) { model, draw in
        guard !model.children.isEmpty else { return nil }
        let (position, destination) = (
          draw.number(below: model.children.count), draw.number(below: model.children.count)
        )
        model.children.moveElement(from: position, to: destination)
        return NodeStep("\(draw.name).move(from: \(position), to: \(destination))") {
          $0.move(from: position, to: destination)
        }
      },
      NodeEdit("replaceWithLeaf", reversal: .always) { model, draw in
        replace(.leaf(draw.row()), &model, &draw)
      },
      // The new child may have the former child's value, or be the former child.
      NodeEdit("replaceWithNode", reversal: .always) { model, draw in
        guard let node = draw.source() else { return nil }
        return replace(.node(node), &model, &draw)
      },
      NodeEdit("setValue", reversal: .always) { model, draw in
        let row = model.value?.changed ?? draw.row()
        model.value = row
        return NodeStep("\(draw.name).value = \(row.code)") { $0.value = row }
      },
      NodeEdit("clearValue", reversal: .always) { model, draw in
        model.value = nil
        return NodeStep("\(draw.name).value = nil") { $0.value = nil }
      },
      // The node reports an update of its value, but the value stays the same.
      NodeEdit("setHeader", reversal: .always) { model, draw in
        let row = draw.row()
        return NodeStep("\(draw.name).header = \(row.code)") { $0.header = row }
      },
    ]
  }

  private static func insert(
    _ child: Child, _ model: inout Self, _ draw: inout PipelineDraw
  ) -> NodeStep<Node>? {
    let position = draw.number(below: model.children.count + 1)
    let new = self.child(of: child, draw)
    model.children.insert(child, at: position)
    return NodeStep("\(draw.name).insert(\(code(of: child, draw)), at: \(position))") { $0.insert(new, at: position) }
  }

  private static func replace(
    _ child: Child, _ model: inout Self, _ draw: inout PipelineDraw
  ) -> NodeStep<Node>? {
    guard !model.children.isEmpty else { return nil }
    let position = draw.number(below: model.children.count)
    let new = self.child(of: child, draw)
    let replaced = ids(of: model.children[position], draw).intersection(ids(of: child, draw))
    model.children[position] = child
    return NodeStep("\(draw.name)[\(position)] = \(code(of: child, draw))", replacing: replaced) {
      $0[position] = new
    }
  }

  private static func ids(of child: Child, _ draw: PipelineDraw) -> Set<Int> {
    switch child {
    case .leaf(let row): [row.id]
    case .node(let number): draw.contents(number).ids
    }
  }

  // MARK: Writing

  mutating func insert(_ row: PipelineRow, at position: Int) -> Bool {
    children.insert(.leaf(row), at: position)
    return true
  }

  mutating func insertNode(_ node: NodeNumber, at position: Int) -> Bool {
    children.insert(.node(node), at: position)
    return true
  }

  mutating func remove(at position: Int) -> Bool {
    children.remove(at: position)
    return true
  }

  mutating func replace(at position: Int, with row: PipelineRow) -> Bool {
    guard case .leaf = children[position] else { return false }
    children[position] = .leaf(row)
    return true
  }

  mutating func move(from position: Int, to destination: Int) -> Bool {
    children.moveElement(from: position, to: destination)
    return true
  }

  func node(at position: Int) -> NodeNumber? {
    if case .node(let number) = children[position] { number } else { nil }
  }
}
