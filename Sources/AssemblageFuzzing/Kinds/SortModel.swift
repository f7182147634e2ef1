import Assemblage
import AssemblageTesting

/// The model of a `SortNode`: its source and its comparator.
struct SortModel: NodeModel {
  typealias Node = SortNode<PipelineRow>

  /// A comparator that can be printed as Swift code.
  enum Comparator: Int, CaseIterable {
    case none, byVersion, byVersionDescending, byRemainder, byDescendingID

    var code: String {
      switch self {
      case .none: "nil"
      case .byVersion: "{ $0.version < $1.version }"
      case .byVersionDescending: "{ $0.version > $1.version }"
      case .byRemainder: "{ $0.id % 3 < $1.id % 3 }"
      case .byDescendingID: "{ $0.id > $1.id }"
      }
    }

    var precedes: ((PipelineRow, PipelineRow) -> Bool)? {
      switch self {
      case .none: nil
      case .byVersion: { $0.version < $1.version }
      case .byVersionDescending: { $0.version > $1.version }
      case .byRemainder: { $0.id % 3 < $1.id % 3 }
      case .byDescendingID: { $0.id > $1.id }
      }
    }

    /// The positions of children in order: stably sorted, those without a value last.
    func order(of children: [NaiveTree<PipelineRow>]) -> [Int] {
      guard let precedes else { return Array(children.indices) }
      let valued = children.indices.filter { children[$0].value != nil }
      return valued.sorted { precedes(children[$0].value!, children[$1].value!) }
        + children.indices.filter { children[$0].value == nil }
    }

    static func draw(_ draw: inout PipelineDraw) -> Comparator {
      allCases[draw.number(below: allCases.count)]
    }
  }

  static let kind = "sort"

  var source: NodeNumber
  var comparator: Comparator

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    guard let source = draw.source() else { return nil }
    let comparator = Comparator.draw(&draw)
    return NodeDraft(
      SortModel(source: source, comparator: comparator), SortNode(draw.node(source), by: comparator.precedes),
      code: "SortNode<PipelineRow>(\(draw.name(source)), by: \(comparator.code))")
  }

  var sources: [NodeNumber] { [source] }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    let tree = contents(source)
    return NaiveTree(value: tree.value, children: comparator.order(of: tree.children).map { tree.children[$0] })
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
    .source(source, comparator.order(of: contents(source).children)[position])
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
