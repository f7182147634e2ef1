import Assemblage
import AssemblageTesting

/// A filter that ends the process when a row of its source is updated.
///
/// The kind is there to check that a fuzz command finds such a node. Only the tests of the command use the kind, by
/// `FuzzSettings.usesFragileKind`.
struct FragileModel: NodeModel {
  typealias Node = FilterNode<PipelineRow>

  static let kind = "fragile"
  let source: NodeNumber

  /// Some simple kinds, and this one.
  static var kinds: [NodeKind] {
    let names: Set = ["array", "filter", "join"]
    return NodeKind.standard.filter { names.contains($0.name) } + [NodeKind(FragileModel.self)]
  }

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    guard let source = draw.source() else { return nil }
    let node = FilterNode(draw.node(source)) { row in
      if row.version > 0 { fatalError("Row \(row.id) was changed.") }
      return true
    }
    return NodeDraft(FragileModel(source: source), node, code: "FilterNode(\(draw.name(source))) { fragile($0) }")
  }

  var sources: [NodeNumber] { [source] }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> { contents(source) }
}
