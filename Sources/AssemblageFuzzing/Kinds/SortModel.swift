import Assemblage
import AssemblageTesting

/// An order of rows that can be printed as Swift code: by a comparator, or by the totals of the rows' subtrees.
enum RowOrder: Int, CaseIterable {
  case none, byVersion, byVersionDescending, byRemainder, byDescendingID, byTotal, byGreatest

  /// The arguments that state the order of a node with this source.
  func code(_ source: String) -> String {
    switch self {
    case .none: "nil"
    case .byVersion: "{ $0.version < $1.version }"
    case .byVersionDescending: "{ $0.version > $1.version }"
    case .byRemainder: "{ $0.id % 3 < $1.id % 3 }"
    case .byDescendingID: "{ $0.id > $1.id }"
    case .byTotal: "AggregateIndex(of: \(source), .sum(\\.version))"
    case .byGreatest: "AggregateIndex(of: \(source), .maximum { $0.id % 4 == 0 ? nil : $0.id % 7 }), order: .reverse"
    }
  }

  /// The comparator; nil for the source's order, and for an order by totals.
  var precedes: (@Sendable (PipelineRow, PipelineRow) -> Bool)? {
    switch self {
    case .none, .byTotal, .byGreatest: nil
    case .byVersion: { $0.version < $1.version }
    case .byVersionDescending: { $0.version > $1.version }
    case .byRemainder: { $0.id % 3 < $1.id % 3 }
    case .byDescendingID: { $0.id > $1.id }
    }
  }

  static func sum(of node: any TreeNode<PipelineRow>) -> AggregateIndex<PipelineRow, Int> {
    AggregateIndex(of: node, .sum(\.version))
  }

  static func greatest(of node: any TreeNode<PipelineRow>) -> AggregateIndex<PipelineRow, Int?> {
    AggregateIndex(of: node, .maximum(rank))
  }

  private static func rank(_ row: PipelineRow) -> Int? { row.id % 4 == 0 ? nil : row.id % 7 }

  /// The positions of children in order. The sort is stable. Children without a value are last in a comparator's order,
  /// and children without a total in an order by totals.
  func order(of children: [NaiveTree<PipelineRow>]) -> [Int] {
    switch self {
    case .none: return Array(children.indices)
    case .byTotal:
      let totals = children.map { $0.rows.map(\.version).reduce(0, +) }
      return children.indices.sorted { totals[$0] < totals[$1] }
    case .byGreatest:
      let totals = children.map { $0.rows.compactMap(Self.rank).max() ?? .min }
      return children.indices.sorted { totals[$0] > totals[$1] }
    default:
      let valued = children.indices.filter { children[$0].value != nil }
      return valued.sorted { precedes!(children[$0].value!, children[$1].value!) }
        + children.indices.filter { children[$0].value == nil }
    }
  }

  static func draw(_ draw: inout PipelineDraw) -> RowOrder {
    allCases[draw.number(below: allCases.count)]
  }
}

extension NaiveTree<PipelineRow> {
  /// The values of the tree, in document order.
  fileprivate var rows: [PipelineRow] { (value.map { [$0] } ?? []) + children.flatMap(\.rows) }
}

/// The model of a node that shows the children of its source in an order.
protocol SortingModel: BackgroundModel where Setting == RowOrder {
  var source: NodeNumber { get }
  var order: RowOrder { get set }

  static func setOrder(_ order: RowOrder, of node: Node)
  static func refresh(_ node: Node)

  /// Sets a comparator in the background, in slices or on other cores.
  static func setComparator(
    inSlices: Bool, _ precedes: @escaping @Sendable (PipelineRow, PipelineRow) -> Bool, of node: Node
  ) async throws
}

extension SortingModel {
  var shownSetting: RowOrder {
    get { order }
    set { order = newValue }
  }

  static var backgroundEdits: [NodeBackgroundEdit<Self>] {
    [
      NodeBackgroundEdit("setComparator") { _, draw in
        let order = RowOrder.draw(&draw)
        guard let precedes = order.precedes else { return nil }
        let inSlices = draw.chance(1, in: 2)
        let way = inSlices ? ".inSlices(of: .milliseconds(1))" : ".concurrently"
        return NodeWork(setting: order, code: "setComparator(inBackground: \(way), by: \(order.code("")))") {
          try await setComparator(inSlices: inSlices, precedes, of: $0)
        }
      }
    ]
  }

  var sources: [NodeNumber] { [source] }

  static var edits: [NodeEdit<Self>] {
    [
      NodeEdit("setComparator", reversal: .onRollback) { model, draw in
        let order = RowOrder.draw(&draw)
        model.show(order)
        return NodeStep("\(draw.name).setComparator(\(order.code(draw.name(model.source))))") {
          setOrder(order, of: $0)
        }
      },
      NodeEdit("refresh", reversal: .onRollback) { model, draw in
        // A refresh sets the last shown comparator again, and not a comparator whose work has not ended.
        model.show(model.order)
        return NodeStep("\(draw.name).refresh()", run: refresh)
      },
    ]
  }

  func route(ofInsertion position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute? {
    .source(source, order == .none ? position : contents(source).children.count)
  }

  func route(
    ofMove position: Int, to destination: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>
  ) -> MovingRoute? {
    order == .none ? .source(source, from: position, to: destination) : nil
  }
}

/// The model of a `SortNode`: its source and its comparator.
struct SortModel: SortingModel {
  typealias Node = SortNode<PipelineRow>

  static let kind = "sort"

  var source: NodeNumber
  var order: RowOrder
  var latest = LatestSetting<RowOrder>()

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    guard let source = draw.source() else { return nil }
    let (order, node) = (RowOrder.draw(&draw), draw.node(source))
    let sort =
      switch order {
      case .byTotal: SortNode(node, by: RowOrder.sum(of: node))
      case .byGreatest: SortNode(node, by: RowOrder.greatest(of: node), order: .reverse)
      default: SortNode(node, by: order.precedes)
      }
    return NodeDraft(
      SortModel(source: source, order: order), sort,
      code: "SortNode<PipelineRow>(\(draw.name(source)), by: \(order.code(draw.name(source))))")
  }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    let tree = contents(source)
    return NaiveTree(value: tree.value, children: order.order(of: tree.children).map { tree.children[$0] })
  }

  static func setOrder(_ order: RowOrder, of node: Node) {
    switch order {
    case .byTotal: node.setComparator(RowOrder.sum(of: node.source))
    case .byGreatest: node.setComparator(RowOrder.greatest(of: node.source), order: .reverse)
    default: node.setComparator(order.precedes)
    }
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
    .source(source, order.order(of: contents(source).children)[position])
  }
}
