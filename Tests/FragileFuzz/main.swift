// A fuzz command with a kind of node that ends the process, for the tests of `FuzzCommand`.
import Assemblage
import AssemblageFuzzing
import AssemblageTesting
import Foundation

/// A filter whose predicate can't stand a row that was changed.
struct FragileModel: NodeModel {
  typealias Node = FilterNode<PipelineRow>

  static let kind = "fragile"
  let source: NodeNumber

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

let names: Set = ["array", "filter", "join"]
let kinds = NodeKind.standard.filter { names.contains($0.name) } + [NodeKind(FragileModel.self)]
exit(FuzzCommand(kinds: kinds).run(Array(CommandLine.arguments.dropFirst())))
