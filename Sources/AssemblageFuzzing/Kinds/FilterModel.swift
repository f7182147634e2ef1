import Assemblage
import AssemblageTesting

/// The model of a node that shows the rows which pass a predicate.
protocol FilteringModel: BackgroundModel where Setting == RowPredicate {
  var predicate: RowPredicate { get set }

  static func setPredicate(hint: FilterHint, _ predicate: RowPredicate, of node: Node)

  /// Sets a predicate in the background, in slices or on other cores.
  static func setPredicate(
    hint: FilterHint, inSlices: Bool, _ predicate: RowPredicate, of node: Node
  ) async throws
}

extension FilteringModel {
  var shownSetting: RowPredicate {
    get { predicate }
    set { predicate = newValue }
  }

  /// The predicate to which the hints refer.
  private var latestPredicate: RowPredicate { latest.value ?? predicate }

  static var backgroundEdits: [NodeBackgroundEdit<Self>] {
    [
      NodeBackgroundEdit("setPredicate") { _, draw in work(.different, draw.predicate(), &draw) },
      NodeBackgroundEdit("stricter") { model, draw in
        work(.stricter, model.latestPredicate.and(draw.predicate()), &draw)
      },
      NodeBackgroundEdit("looser") { model, draw in
        work(.looser, model.latestPredicate.or(draw.predicate()), &draw)
      },
    ]
  }

  private static func work(
    _ hint: FilterHint, _ predicate: RowPredicate, _ draw: inout PipelineDraw
  ) -> NodeWork<Self>? {
    guard predicate.code.count < 160 else { return nil }
    let inSlices = draw.chance(1, in: 2)
    let way = inSlices ? ".inSlices(of: .milliseconds(1))" : ".concurrently"
    return NodeWork(
      setting: predicate, code: "setPredicate(hint: .\(hint), inBackground: \(way)) { \(predicate.code) }"
    ) {
      try await setPredicate(hint: hint, inSlices: inSlices, predicate, of: $0)
    }
  }

  /// The edits that set a predicate.
  static var predicateEdits: [NodeEdit<Self>] {
    [
      NodeEdit("setPredicate", reversal: .onRollback) { model, draw in
        let predicate = draw.predicate()
        model.show(predicate)
        return NodeStep("\(draw.name).setPredicate { \(predicate.code) }") {
          setPredicate(hint: .different, predicate, of: $0)
        }
      },
      NodeEdit("stricter", reversal: .onRollback) { model, draw in
        hint(.stricter, model.latestPredicate.and(draw.predicate()), &model, draw)
      },
      NodeEdit("looser", reversal: .onRollback) { model, draw in
        hint(.looser, model.latestPredicate.or(draw.predicate()), &model, draw)
      },
    ]
  }

  private static func hint(
    _ hint: FilterHint, _ predicate: RowPredicate, _ model: inout Self, _ draw: PipelineDraw
  ) -> NodeStep<Node>? {
    // Predicates grow with each of these edits. `setPredicate` starts again with a short one.
    guard predicate.code.count < 160 else { return nil }
    model.show(predicate)
    return NodeStep("\(draw.name).setPredicate(hint: .\(hint)) { \(predicate.code) }") {
      setPredicate(hint: hint, predicate, of: $0)
    }
  }
}

/// The model of a `FilterNode`: its source and its predicate.
struct FilterModel: FilteringModel {
  typealias Node = FilterNode<PipelineRow>

  static let kind = "filter"

  var source: NodeNumber
  var predicate: RowPredicate
  var latest = LatestSetting<RowPredicate>()

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    guard let source = draw.source() else { return nil }
    let predicate = draw.predicate()
    return NodeDraft(
      FilterModel(source: source, predicate: predicate),
      FilterNode(draw.node(source), where: predicate.passes),
      code: "FilterNode<PipelineRow>(\(draw.name(source))) { \(predicate.code) }")
  }

  var sources: [NodeNumber] { [source] }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    let source = contents(source)
    return NaiveTree(value: source.value, children: source.children.filter(isVisible))
  }

  /// Whether a child passes. A child without a value passes.
  private func isVisible(_ child: NaiveTree<PipelineRow>) -> Bool { child.value.map(predicate.passes) ?? true }

  static var edits: [NodeEdit<Self>] {
    predicateEdits + [
      NodeEdit("refresh", reversal: .onRollback) { model, draw in
        let range = draw.range(in: draw.contents(model.source).children.count)
        return NodeStep("\(draw.name).refresh(\(range.code))") { $0.refresh(range) }
      }
    ]
  }

  static func setPredicate(hint: FilterHint, _ predicate: RowPredicate, of node: Node) {
    node.setPredicate(hint: hint, where: predicate.passes)
  }

  static func setPredicate(
    hint: FilterHint, inSlices: Bool, _ predicate: RowPredicate, of node: Node
  ) async throws {
    if inSlices {
      try await node.setPredicate(hint: hint, inBackground: .inSlices(of: .milliseconds(1)), where: predicate.passes)
    } else {
      try await node.setPredicate(hint: hint, inBackground: .concurrently, where: predicate.passes)
    }
  }

  // MARK: Writing

  /// The source's position of the child at a position of the filter.
  private func sourcePosition(
    _ position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>
  ) -> Int {
    let children = contents(source).children
    return children.indices.filter { isVisible(children[$0]) }[position]
  }

  func route(ofChild position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute? {
    .source(source, sourcePosition(position, contents))
  }

  func route(ofInsertion position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute? {
    .source(source, position == 0 ? 0 : sourcePosition(position - 1, contents) + 1)
  }

  func route(
    ofMove position: Int, to destination: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>
  ) -> MovingRoute? {
    .source(source, from: sourcePosition(position, contents), to: sourcePosition(destination, contents))
  }
}
