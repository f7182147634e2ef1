@_spi(NodeAuthors) import Assemblage
import AssemblageFuzzing
import AssemblageTesting

/// The children of a source from a position on. This is the node of the documentation's examples.
final class TailNode<Element>: SourceView {
  private let author = NodeAuthor()
  var port: NodePort { author.port }
  // A slice follows children while they are hidden, so that they are not reported as removed when they are shown again.
  private let slice: SliceNode<Element>

  init(_ source: any TreeNode<Element>, from start: Int) {
    slice = SliceNode(source, start..<Int.max)
    author.attach(to: self) { _, reports in reports[0].change }
    author.link(slice, slot: 0)
  }

  /// The source position of the first child that is shown.
  var start: Int {
    get { slice.window.lowerBound }
    set { slice.window = newValue..<Int.max }
  }

  var source: any TreeNode<Element> { slice }
  // The node keeps no state, so it needs no box: a read brings the slice up to date.
  var count: Int { slice.count }
  func sourcePosition(of position: Int) -> Int { position }
  func position(ofSource position: Int) -> Int? { position }
  func insertionPoint(at position: Int) -> Int { position }
}

/// The model of a `TailNode`, as in the documentation.
struct TailModel: NodeModel {
  typealias Node = TailNode<PipelineRow>

  static let kind = "tail"
  var source: NodeNumber
  var start: Int

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    guard let source = draw.source() else { return nil }
    let start = draw.number(below: 4)
    return NodeDraft(
      TailModel(source: source, start: start), TailNode(draw.node(source), from: start),
      code: "TailNode(\(draw.name(source)), from: \(start))")
  }

  var sources: [NodeNumber] { [source] }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    let tree = contents(source)
    return NaiveTree(value: tree.value, children: Array(tree.children.dropFirst(start)))
  }

  static var edits: [NodeEdit<Self>] {
    [
      NodeEdit("start", reversal: .onRollback) { model, draw in
        let start = draw.number(below: 4)
        model.start = start
        return NodeStep("\(draw.name).start = \(start)") { $0.start = start }
      }
    ]
  }

  // MARK: Writing

  func route(ofChild position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute? {
    .source(source, start + position)
  }

  func route(ofInsertion position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute? {
    .source(source, min(start, contents(source).children.count) + position)
  }

  func route(
    ofMove position: Int, to destination: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>
  ) -> MovingRoute? {
    .source(source, from: start + position, to: start + destination)
  }
}
