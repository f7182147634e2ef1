import Assemblage
import AssemblageTesting

/// The model of a `SliceNode`: its source and its window.
struct SliceModel: NodeModel {
  typealias Node = SliceNode<PipelineRow>

  static let kind = "slice"

  var source: NodeNumber
  var window: Range<Int>

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    guard let source = draw.source() else { return nil }
    let window = draw.range(in: 8)
    return NodeDraft(
      SliceModel(source: source, window: window), SliceNode(draw.node(source), window),
      code: "SliceNode<PipelineRow>(\(draw.name(source)), \(window.code))")
  }

  var sources: [NodeNumber] { [source] }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    let tree = contents(source)
    return NaiveTree(value: tree.value, children: Array(tree.children[visible(contents)]))
  }

  /// The part of the window that the source reaches.
  private func visible(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> Range<Int> {
    window.clamped(to: 0..<contents(source).children.count)
  }

  static var edits: [NodeEdit<Self>] {
    [
      NodeEdit("window", reversal: .onRollback) { model, draw in
        let window = draw.range(in: 8)
        model.window = window
        return NodeStep("\(draw.name).window = \(window.code)") { $0.window = window }
      }
    ]
  }

  // MARK: Writing

  func route(ofChild position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute? {
    .source(source, visible(contents).lowerBound + position)
  }

  func route(ofInsertion position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute? {
    .source(source, visible(contents).lowerBound + position)
  }

  func route(
    ofMove position: Int, to destination: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>
  ) -> MovingRoute? {
    let start = visible(contents).lowerBound
    return .source(source, from: start + position, to: start + destination)
  }
}
