import Assemblage
import AssemblageTesting

/// A comparator that can be printed as Swift code.
enum RowComparator: Int, CaseIterable {
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

  var precedes: (@Sendable (PipelineRow, PipelineRow) -> Bool)? {
    switch self {
    case .none: nil
    case .byVersion: { $0.version < $1.version }
    case .byVersionDescending: { $0.version > $1.version }
    case .byRemainder: { $0.id % 3 < $1.id % 3 }
    case .byDescendingID: { $0.id > $1.id }
    }
  }

  /// The positions of children in order. The sort is stable, and children without a value are last.
  func order(of children: [NaiveTree<PipelineRow>]) -> [Int] {
    guard let precedes else { return Array(children.indices) }
    let valued = children.indices.filter { children[$0].value != nil }
    return valued.sorted { precedes(children[$0].value!, children[$1].value!) }
      + children.indices.filter { children[$0].value == nil }
  }

  static func draw(_ draw: inout PipelineDraw) -> RowComparator {
    allCases[draw.number(below: allCases.count)]
  }
}

/// The model of a node that shows the children of its source in an order.
protocol SortingModel: BackgroundModel where Setting == RowComparator {
  var source: NodeNumber { get }
  var comparator: RowComparator { get set }

  static func setComparator(_ precedes: ((PipelineRow, PipelineRow) -> Bool)?, of node: Node)
  static func refresh(_ node: Node)

  /// Sets a comparator in the background, in slices or on other cores.
  static func setComparator(
    inSlices: Bool, _ precedes: @escaping @Sendable (PipelineRow, PipelineRow) -> Bool, of node: Node
  ) async throws
}

extension SortingModel {
  var shownSetting: RowComparator {
    get { comparator }
    set { comparator = newValue }
  }

  static var backgroundEdits: [NodeBackgroundEdit<Self>] {
    [
      NodeBackgroundEdit("setComparator") { _, draw in
        let comparator = RowComparator.draw(&draw)
        guard let precedes = comparator.precedes else { return nil }
        let inSlices = draw.chance(1, in: 2)
        let way = inSlices ? ".inSlices(of: .milliseconds(1))" : ".concurrently"
        return NodeWork(setting: comparator, code: "setComparator(inBackground: \(way), by: \(comparator.code))") {
          try await setComparator(inSlices: inSlices, precedes, of: $0)
        }
      }
    ]
  }

  var sources: [NodeNumber] { [source] }

  static var edits: [NodeEdit<Self>] {
    [
      NodeEdit("setComparator", reversal: .onRollback) { model, draw in
        let comparator = RowComparator.draw(&draw)
        model.show(comparator)
        return NodeStep("\(draw.name).setComparator(\(comparator.code))") {
          setComparator(comparator.precedes, of: $0)
        }
      },
      NodeEdit("refresh", reversal: .onRollback) { model, draw in
        // A refresh sets the last shown comparator again, and not a comparator whose work has not ended.
        model.show(model.comparator)
        return NodeStep("\(draw.name).refresh()", run: refresh)
      },
    ]
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

/// The model of a `SortNode`: its source and its comparator.
struct SortModel: SortingModel {
  typealias Node = SortNode<PipelineRow>

  static let kind = "sort"

  var source: NodeNumber
  var comparator: RowComparator
  var latest = LatestSetting<RowComparator>()

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    guard let source = draw.source() else { return nil }
    let comparator = RowComparator.draw(&draw)
    return NodeDraft(
      SortModel(source: source, comparator: comparator), SortNode(draw.node(source), by: comparator.precedes),
      code: "SortNode<PipelineRow>(\(draw.name(source)), by: \(comparator.code))")
  }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    let tree = contents(source)
    return NaiveTree(value: tree.value, children: comparator.order(of: tree.children).map { tree.children[$0] })
  }

  static func setComparator(_ precedes: ((PipelineRow, PipelineRow) -> Bool)?, of node: Node) {
    node.setComparator(precedes)
  }

  static func setComparator(
    inSlices: Bool, _ precedes: @escaping @Sendable (PipelineRow, PipelineRow) -> Bool, of node: Node
  ) async throws {
    if inSlices {
      try await node.setComparator(inBackground: .inSlices(of: .milliseconds(1)), by: precedes)
    } else {
      try await node.setComparator(inBackground: .concurrently, by: precedes)
    }
  }

  static func refresh(_ node: Node) { node.refresh() }

  func route(ofChild position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute? {
    .source(source, comparator.order(of: contents(source).children)[position])
  }
}
