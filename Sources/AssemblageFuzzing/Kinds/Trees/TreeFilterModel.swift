import Assemblage
import AssemblageTesting

/// The model of a `TreeFilterNode`: its source, its policy and its predicate.
struct TreeFilterModel: FilteringModel, WholeModel {
  typealias Node = TreeFilterNode<PipelineRow>

  static let kind = "treeFilter"
  static let childKind = "treeFilterChild"
  static let reportsOwnMovesOnly = true

  var source: NodeNumber
  var policy: TreeFilterPolicy
  var predicate: RowPredicate
  var latest = LatestSetting<RowPredicate>()

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    guard let source = draw.source() else { return nil }
    let policy = TreeFilterPolicy.allCases[draw.number(below: TreeFilterPolicy.allCases.count)]
    let predicate = draw.predicate()
    return NodeDraft(
      TreeFilterModel(source: source, policy: policy, predicate: predicate),
      TreeFilterNode(draw.node(source), policy: policy, where: predicate.passes),
      code: "TreeFilterNode<PipelineRow>(\(draw.name(source)), policy: .\(policy)) { \(predicate.code) }")
  }

  var sources: [NodeNumber] { [source] }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    let source = contents(source)
    return NaiveTree(value: source.value, children: shown(source.children, isBelowMatch: false))
  }

  func contents(
    ofChild id: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>
  ) -> NaiveTree<PipelineRow>? {
    let tree = contents(source)
    guard let path = tree.path(ofBranch: id) else { return nil }
    var child = tree[path]
    let isBelowMatch = (1...path.count).contains { isMatch(tree[path.prefix($0)]) }
    child.children = shown(child.children, isBelowMatch: isBelowMatch)
    return child
  }

  var isLazy: Bool { policy == .hidingSubtrees }

  private func shown(
    _ children: [NaiveTree<PipelineRow>], isBelowMatch: Bool
  ) -> [NaiveTree<PipelineRow>] {
    children.filter { isShown($0, isBelowMatch: isBelowMatch) }.map { child in
      var rest = child
      rest.children = shown(child.children, isBelowMatch: isBelowMatch || isMatch(child))
      return rest
    }
  }

  private func isMatch(_ child: NaiveTree<PipelineRow>) -> Bool {
    child.value.map(predicate.passes) ?? (policy == .hidingSubtrees)
  }

  private func isShown(_ child: NaiveTree<PipelineRow>, isBelowMatch: Bool = false) -> Bool {
    if isMatch(child) { return true }
    switch policy {
    case .hidingSubtrees: return false
    case .keepingAncestors: return holdsMatch(child)
    case .keepingDescendants: return isBelowMatch || holdsMatch(child)
    }
  }

  private func holdsMatch(_ tree: NaiveTree<PipelineRow>) -> Bool {
    tree.children.contains { isMatch($0) || holdsMatch($0) }
  }

  static var edits: [NodeEdit<Self>] {
    predicateEdits + [
      NodeEdit("refresh", reversal: .onRollback) { model, draw in
        // A refresh sets the last shown predicate again, and not a predicate whose work has not ended.
        model.show(model.predicate)
        return NodeStep("\(draw.name).refresh()") { $0.refresh() }
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

  /// The source's position of the shown child at a position of the filter.
  private func sourcePosition(
    _ position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>
  ) -> Int {
    let children = contents(source).children
    return children.indices.filter { isShown(children[$0]) }[position]
  }

  func route(ofChild position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute? {
    let place = sourcePosition(position, contents)
    // The children of a shown child belong to another node, and the pipeline has no model of that node.
    return contents(source).children[place].children.isEmpty ? .source(source, place) : nil
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
