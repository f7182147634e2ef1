import Assemblage
import AssemblageTesting

/// The model of a `TreeSortNode`: its source and its comparator.
struct TreeSortModel: NodeModel {
  typealias Node = TreeSortNode<PipelineRow>
  typealias Comparator = SortModel.Comparator

  static let kind = "treeSort"

  var source: NodeNumber
  var comparator: Comparator

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    guard let source = draw.source() else { return nil }
    let comparator = Comparator.draw(&draw)
    return NodeDraft(
      TreeSortModel(source: source, comparator: comparator),
      TreeSortNode(draw.node(source), by: comparator.precedes),
      code: "TreeSortNode<PipelineRow>(\(draw.name(source)), by: \(comparator.code))")
  }

  var sources: [NodeNumber] { [source] }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    sorted(contents(source))
  }

  private func sorted(_ tree: NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    var result = tree
    result.children = comparator.order(of: tree.children).map { sorted(tree.children[$0]) }
    return result
  }

  static var edits: [NodeEdit<Self>] {
    [
      NodeEdit("setComparator", reversal: .onRollback) { model, draw in
        let comparator = Comparator.draw(&draw)
        model.comparator = comparator
        return NodeStep("\(draw.name).setComparator(\(comparator.code))") { $0.setComparator(comparator.precedes) }
      },
      NodeEdit("refresh", reversal: .onRollback) { _, draw in
        NodeStep("\(draw.name).refresh()") { $0.refresh() }
      },
    ]
  }

  // MARK: Writing

  func route(ofChild position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute? {
    let children = contents(source).children
    let place = comparator.order(of: children)[position]
    // What a node below shows is another node's, of which the pipeline has no model.
    return children[place].children.isEmpty ? .source(source, place) : nil
  }

  func route(ofInsertion position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute? {
    .source(source, comparator == .none ? position : contents(source).children.count)
  }

  func route(
    ofMove position: Int, to destination: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>
  ) -> MovingRoute? {
    comparator == .none ? .source(source, from: position, to: destination) : nil
  }
}
