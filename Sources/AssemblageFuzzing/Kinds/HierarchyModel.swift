import Assemblage
import AssemblageTesting

/// The model of a `HierarchyNode`: the rows that its closures give. A row with an even id is a folder.
struct HierarchyModel: NodeModel {
  typealias Node = HierarchyNode<PipelineRow>

  static let kind = "hierarchy"
  static let isSource = true

  /// The rows in each folder, by the folder's id. `top` is the id of the top rows.
  typealias Folders = [Int: [PipelineRow]]

  /// The data behind the node, which its owner changes.
  final class Box {
    var folders: Folders
    init(_ folders: Folders) { self.folders = folders }
  }

  private static let top = -1

  var folders: Folders
  let box: Box

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    // A folder that is inside itself would have no end.
    guard !draw.allowsDuplicates else { return nil }
    var folders = [top: draw.rows(below: 5)]
    for row in folders[top]! where row.id.isMultiple(of: 2) { folders[row.id] = draw.rows(below: 4) }
    let box = Box(folders)
    return NodeDraft(
      HierarchyModel(folders: folders, box: box),
      HierarchyNode(
        roots: { box.folders[top] ?? [] }, id: { $0.id }, hasChildren: { $0.id.isMultiple(of: 2) },
        children: { box.folders[$0.id] ?? [] }),
      code: """
        HierarchyNode<PipelineRow>(roots: { \(draw.name)Folders[\(top)] ?? [] }, id: { $0.id }, \
        hasChildren: { $0.id.isMultiple(of: 2) }, children: { \(draw.name)Folders[$0.id] ?? [] })
        """,
      variables: [NodeVariable("\(draw.name)Folders", type: "[Int: [PipelineRow]]", value: code(of: folders))])
  }

  private static func code(of folders: Folders) -> String {
    let entries = folders.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.code)" }
    return "[\(entries.joined(separator: ", "))]"
  }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    NaiveTree(value: nil, children: folders[Self.top]!.map(tree))
  }

  private func tree(of row: PipelineRow) -> NaiveTree<PipelineRow> {
    row.id.isMultiple(of: 2)
      ? NaiveTree(value: row, children: (folders[row.id] ?? []).map(tree)) : NaiveTree(value: row)
  }

  static var edits: [NodeEdit<Self>] {
    [
      NodeEdit("reload") { model, draw in
        model.change(&draw, model.folders.keys.sorted())
        return model.step(draw, "reload()") { $0.reload() }
      },
      NodeEdit("reloadChildren") { model, draw in
        model.change(&draw, [top])
        return model.step(draw, "reload(.children)") { $0.reload(.children) }
      },
    ]
  }

  /// Changes the contents of one folder: rows arrive, leave, change and move.
  private mutating func change(_ draw: inout PipelineDraw, _ ids: [Int]) {
    let id = ids[draw.number(below: ids.count)]
    var rows = folders[id]!
    rows.replaceSubrange(draw.range(in: rows.count), with: draw.rows(below: 3))
    for position in rows.indices where draw.chance(1, in: 3) { rows[position].version += 1 }
    if rows.count > 1, draw.chance(1, in: 2) {
      rows.moveElement(from: draw.number(below: rows.count), to: draw.number(below: rows.count))
    }
    for row in rows where row.id.isMultiple(of: 2) && folders[row.id] == nil { folders[row.id] = draw.rows(below: 3) }
    folders[id] = rows
  }

  private func step(_ draw: PipelineDraw, _ call: String, _ reload: @escaping (Node) -> Void) -> NodeStep<Node> {
    let (folders, box) = (folders, box)
    return NodeStep("\(draw.name)Folders = \(Self.code(of: folders))\n\(draw.name).\(call)") {
      box.folders = folders
      reload($0)
    }
  }
}
