import Assemblage
import AssemblageTesting

/// The model of a node whose child nodes are of its own type, because the node translates its source at every depth.
protocol WholeModel: NodeModel {
  /// The name of the kind of the child nodes.
  static var childKind: String { get }

  /// Whether the nodes read a child only when the child is read in the view. Then the node of a child does not follow
  /// the child to a place that nobody has read.
  var isLazy: Bool { get }

  /// The contents that the node of a child should have, also while the whole hides the child.
  ///
  /// - Parameters:
  ///   - id: the id of the child's row.
  ///   - contents: the contents that another node of the pipeline should have.
  /// - Returns: the contents; nil where the source has no such child.
  func contents(
    ofChild id: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>
  ) -> NaiveTree<PipelineRow>?

  /// Whether the source has one child with the id, and the same one in all circumstances.
  func holds(child id: Int, of source: NodeNumber, in run: PipelineRun) -> Bool
}

extension WholeModel {
  var isLazy: Bool { false }

  func holds(child id: Int, of source: NodeNumber, in run: PipelineRun) -> Bool {
    run.branchCount(of: id, in: source) == 1
  }
}

/// The model of a node of a child: the filtered, sorted, mapped or nested child, or a branch of a tree.
///
/// The child stays in the source as long as the node lives. A node that has lost its child has tests of its own.
/// `PipelineRun.keepsChildren()` refuses all edits that remove the child, even for a moment.
struct ChildModel<Whole: WholeModel>: NodeModel, ChildOfWhole {
  typealias Node = Whole.Node

  static var kind: String { Whole.childKind }
  static var typeCode: String { Whole.typeCode }
  static var hasEmptyLeaves: Bool { Whole.hasEmptyLeaves }
  static var reportsOwnMovesOnly: Bool { Whole.reportsOwnMovesOnly }

  enum Owner {
    /// A node that the pipeline has made, with its present model.
    case shared(NodeNumber, () -> Whole?)
    /// A node that only the child holds.
    case own(Whole)
  }

  let owner: Owner
  let id: Int
  /// The ids of the rows above the child when the node was made.
  let ancestors: [Int?]

  private var whole: Whole? {
    switch owner {
    case .shared(_, let model): model()
    case .own(let model): model
    }
  }

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    // The model finds the child by its id.
    guard !draw.allowsDuplicates else { return nil }
    let number = draw.pick { $0.model is Whole }
    if let number, let specimen = draw.run.specimens[number], Whole.isSource || draw.chance(1, in: 2) {
      let owner = Owner.shared(number) { [weak specimen] in specimen?.model as? Whole }
      return make(&draw, owner, draw.node(number), draw.contents(number), code: draw.name(number))
    }
    guard !Whole.isSource, let draft = Whole.make(&draw) else { return nil }
    return make(&draw, .own(draft.model), draft.node, draft.model.contents(draw.contents), code: draft.code)
  }

  private static func make(
    _ draw: inout PipelineDraw, _ owner: Owner, _ whole: any TreeNode<PipelineRow>, _ tree: NaiveTree<PipelineRow>,
    code: String
  ) -> NodeDraft<Self>? {
    let run = draw.run
    let models: [(path: IndexPath, model: Self)] = tree.paths.dropFirst().compactMap { path in
      guard let id = tree[path].value?.id, tree.path(ofBranch: id) == path else { return nil }
      let model = ChildModel(owner: owner, id: id, ancestors: tree.ancestors(of: path))
      return model.isHeld(in: run) ? (path, model) : nil
    }
    guard !models.isEmpty else { return nil }
    let (path, model) = models[draw.number(below: models.count)]
    guard let node = whole.child(at: path) as? Node else { return nil }
    return NodeDraft(model, node, code: "\(code).child(at: \(Array(path)) as IndexPath) as! \(typeCode)")
  }

  var sources: [NodeNumber] {
    switch owner {
    case .shared(let number, _): [number]
    case .own(let model): model.sources
    }
  }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    var tree = whole?.contents(ofChild: id, contents) ?? NaiveTree(value: nil, children: [])
    // The node stays a branch while the child is a leaf in the source.
    tree.isLeaf = false
    return tree
  }

  func isHeld(in run: PipelineRun) -> Bool {
    guard let whole, let source = whole.sources.first ?? sources.first else { return true }
    guard whole.holds(child: id, of: source, in: run) else { return false }
    guard whole.isLazy else { return true }
    let tree = run.contents(of: source)
    return tree.path(ofBranch: id).map { tree.ancestors(of: $0) == ancestors } ?? false
  }
}

/// A model of a node that loses its contents where a child leaves its source.
protocol ChildOfWhole {
  var id: Int { get }

  /// Whether the child is in the source.
  func isHeld(in run: PipelineRun) -> Bool
}

extension PipelineRun {
  /// Whether every node of a child still has its child.
  ///
  /// - Parameter replaced: the ids of rows that were removed for a moment.
  /// - Returns: false where a child has left, even for a moment.
  func keepsChildren(replacing replaced: Set<Int> = []) -> Bool {
    specimens.values.allSatisfy { specimen in
      guard let model = specimen.model as? any ChildOfWhole else { return true }
      return replaced.isDisjoint(with: contents(of: specimen.number).ids) && model.isHeld(in: self)
    }
  }

  /// The number of branches below a node that have an id.
  ///
  /// The number is greater than 1 also in two other cases: where a row with the id is a leaf, and where the row is in a
  /// view that hides children and shows them again.
  func branchCount(of id: Int, in number: NodeNumber) -> Int {
    guard let model = specimens[number]?.model else { return 0 }
    switch model {
    case let model as BranchModel:
      return model.children.reduce(0) { count, child in
        switch child {
        case .leaf(let row): count + (row.id == id ? 2 : 0)
        case .node(let node): count + branchCount(of: id, in: node) + self.count(of: id, asValueOf: node)
        }
      }
    case let model as TreeSortModel: return branchCount(of: id, in: model.source)
    case let model as SortModel: return branchCount(of: id, in: model.source)
    case let model as MapModel: return branchCount(of: id, in: model.source)
    case is ForestModel, is FoldersModel, is NestModel, is any ChildOfWhole:
      return contents(of: number).branchCount(of: id)
    default: return contents(of: number).children.contains { $0.ids.contains(id) } ? 2 : 0
    }
  }

  private func count(of id: Int, asValueOf number: NodeNumber) -> Int {
    guard contents(of: number).value?.id == id, let model = specimens[number]?.model else { return 0 }
    return model is BranchModel || model is any OwnTreeModel ? 1 : 2
  }
}

extension NaiveTree<PipelineRow> {
  /// The path of the branch with an id; nil where there is none, or the tree itself has the id.
  func path(ofBranch id: Int) -> IndexPath? {
    paths.dropFirst().first { self[$0].value?.id == id && !self[$0].isLeaf }
  }

  /// The ids of the rows above a path.
  fileprivate func ancestors(of path: IndexPath) -> [Int?] {
    path.indices.map { self[path.prefix($0)].value?.id }
  }

  /// The number of branches that have an id. A leaf with the id counts as two.
  fileprivate func branchCount(of id: Int) -> Int {
    children.reduce(0) { $0 + $1.branchCount(of: id) + ($1.value?.id == id ? ($1.isLeaf ? 2 : 1) : 0) }
  }
}
