import Assemblage
import AssemblageTesting

/// The model of an `OutlineNode` that is wholly expanded or wholly collapsed.
///
/// One row may be the exception for a moment. All other states depend on the earlier positions of the rows, and have
/// tests of their own.
struct OutlineModel: NodeModel {
  typealias Node = OutlineNode<PipelineRow, Int>

  static let kind = "outline"
  static let typeCode = "OutlineNode<PipelineRow, Int>"
  static let hasEmptyLeaves = true
  static let reportsOwnMovesOnly = true

  var source: NodeNumber
  var isExpanded: Bool
  /// The row that is collapsed in an expanded outline, or expanded in a collapsed one.
  var exception: Int?

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    guard let source = draw.source() else { return nil }
    let isExpanded = draw.chance(2, in: 3)
    return NodeDraft(
      OutlineModel(source: source, isExpanded: isExpanded),
      OutlineNode(
        draw.node(source), expansion: ExpansionState(policy: isExpanded ? .expanded : .collapsed), id: { $0.id }),
      code: """
        OutlineNode<PipelineRow, Int>(\(draw.name(source)), \
        expansion: ExpansionState(policy: .\(isExpanded ? "expanded" : "collapsed")), id: { $0.id })
        """)
  }

  var sources: [NodeNumber] { [source] }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    let tree = contents(source)
    var rows: [NaiveTree<PipelineRow>] = []
    var open = Array(tree.children.reversed())
    while let node = open.popLast() {
      let isOpen = isExpanded != (rows.count == exception)
      rows.append(NaiveTree(value: node.value))
      if isOpen { open += node.children.reversed() }
    }
    return NaiveTree(value: tree.value, children: rows)
  }

  static var edits: [NodeEdit<Self>] {
    [
      NodeEdit("expandAll", reversal: .onRollback) { model, draw in
        model.isExpanded = true
        return NodeStep("\(draw.name).expandAll()") { $0.expandAll() }
      },
      NodeEdit("collapseAll", reversal: .onRollback) { model, draw in
        model.isExpanded = false
        return NodeStep("\(draw.name).collapseAll()") { $0.collapseAll() }
      },
    ]
  }
}
