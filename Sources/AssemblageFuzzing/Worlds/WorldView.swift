import Assemblage
import AssemblageTesting

/// An observed node of a moving world.
struct WorldView {
  let name: String
  let node: any TreeNode<PipelineRow>
  /// The node in Swift code, where the source of the world is named `root`.
  let code: String
  /// Gives the contents that the node should have, from the contents of the world's source; nil where these are not
  /// known.
  let contents: (NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow>?
  /// Whether the view reads a child only when the child is read in the view.
  var isLazy = false

  /// Creates a view of this node.
  ///
  /// - Parameters:
  ///   - name: the name of the view.
  ///   - node: the view.
  ///   - code: makes the view's Swift code from the Swift code of this node.
  ///   - model: the view's model.
  /// - Returns: the view.
  func view(
    _ name: String, _ node: any TreeNode<PipelineRow>, _ code: (String) -> String, _ model: some NodeModel
  ) -> WorldView {
    WorldView(
      name: "\(name) of \(self.name)", node: node, code: code(self.code),
      contents: { [contents] tree in contents(tree).map { source in model.contents { _ in source } } }, isLazy: isLazy)
  }

  /// Makes the observed node of a random child of a view of this node.
  ///
  /// - Parameters:
  ///   - whole: the view.
  ///   - model: the view's model.
  ///   - world: chooses the child.
  /// - Returns: the child; nil where no child of the view is a node.
  func child(of whole: WorldView, _ model: some WholeModel, _ world: inout MovingWorld) -> WorldView? {
    guard let shown = whole.contents(world.tree) else { return nil }
    let paths = shown.paths.dropFirst().filter { !shown[$0].isLeaf && !shown[$0].children.isEmpty }
    guard !paths.isEmpty else { return nil }
    let path = paths[world.random(below: paths.count)]
    guard let node = whole.node.child(at: path), let id = shown[path].value?.id else { return nil }
    return WorldView(
      name: "child of a \(whole.name)", node: node, code: "\(whole.code).child(at: \(Array(path)))!",
      contents: { [contents] tree in
        contents(tree).flatMap { source in model.contents(ofChild: id) { _ in source } }
      }, isLazy: model.isLazy)
  }
}

extension MovingWorld {
  /// Every third row is hidden.
  private static let predicate = RowPredicate(remainder: 0, modulus: 3).or(RowPredicate(remainder: 1, modulus: 3))

  /// The source of all models. Each model receives the source's contents in the call.
  private static let number = NodeNumber(serial: 0)

  /// The nodes that are observed, in the order of the report.
  mutating func views() -> [WorldView] {
    var views: [WorldView] = []
    if source == .nest {
      let array = WorldView(name: "an array", node: root, code: "root") { $0 }
      let model = NestModel(source: Self.number, id: .own, parent: .named)
      let nest = array.view(
        "nest", NestNode(root, id: \.id, parent: Self.parent),
        { "NestNode(\($0), id: { $0.id }, parent: \(Self.parentCode))" }, model)
      views.append(WorldView(name: "nest", node: nest.node, code: nest.code, contents: nest.contents))
      if let child = array.child(of: views[0], model, &self) { views.append(child) }
      add(viewsOf: views[0], to: &views)
      return views
    }
    let whole = WorldView(name: "the root", node: root, code: "root") { $0 }
    views.append(whole)
    add(viewsOf: whole, to: &views)
    let paths = tree.paths.dropFirst().filter { !tree[$0].isLeaf }
    guard !paths.isEmpty else { return views }
    let path = paths[random(below: paths.count)]
    guard let branch = branch(at: path, "a branch") else { return views }
    views.append(branch)
    add(viewsOf: branch, to: &views)
    addFlatViews(of: branch, to: &views)
    // If neither of two branches is in the other, each row is in their join once.
    let others = paths.filter { !$0.starts(with: path) && !path.starts(with: $0) }
    if !others.isEmpty, let other = self.branch(at: others[random(below: others.count)], "another branch") {
      let model = JoinModel(members: [NodeNumber(serial: 1), NodeNumber(serial: 2)])
      views.append(
        WorldView(
          name: "join of two branches", node: JoinNode<PipelineRow>([branch.node, other.node]),
          code: "JoinNode<PipelineRow>([\(branch.code), \(other.code)])"
        ) { tree in
          guard let first = branch.contents(tree), let second = other.contents(tree) else { return nil }
          return model.contents { $0.serial == 1 ? first : second }
        })
    }
    return views
  }

  private func branch(at path: IndexPath, _ name: String) -> WorldView? {
    guard let node = root.child(at: path), let id = tree[path].value?.id else { return nil }
    return WorldView(name: name, node: node, code: "root.child(at: \(Array(path)))!") { tree in
      tree.path(ofBranch: id).map { tree[$0] }
    }
  }

  /// Adds tree views of a node, and nodes of children of these views.
  private mutating func add(viewsOf source: WorldView, to views: inout [WorldView]) {
    let predicate = Self.predicate
    for policy in TreeFilterPolicy.allCases {
      let model = TreeFilterModel(source: Self.number, policy: policy, predicate: predicate)
      let filter = source.view(
        "tree filter .\(policy)", TreeFilterNode(source.node, policy: policy, where: predicate.passes),
        { "TreeFilterNode(\($0), policy: .\(policy)) { \(predicate.code) }" }, model)
      views.append(filter)
      guard let child = source.child(of: filter, model, &self) else { continue }
      views.append(child)
      guard policy == .keepingAncestors else { continue }
      views.append(outline(of: child))
    }
    for order in [RowOrder.byRemainder, .byTotal] {
      let sortModel = TreeSortModel(source: Self.number, order: order)
      let sort = source.view(
        "tree sort .\(order)", TreeSortModel.node(source.node, order),
        { "TreeSortNode(\($0), by: \(order.code($0)))" }, sortModel)
      views.append(sort)
      if let child = source.child(of: sort, sortModel, &self) { views.append(child) }
    }
    let mapModel = MapModel(source: Self.number, growth: 0)
    let map = source.view("map", MapNode(source.node) { $0 }, { "MapNode(\($0)) { $0 }" }, mapModel)
    if let child = source.child(of: map, mapModel, &self) { views.append(child) }
    views.append(outline(of: source))
    views.append(
      source.view(
        "flattening", FlattenNode(source.node), { "FlattenNode(\($0))" },
        FlattenModel(source: Self.number, levels: 1)))
    views.append(
      source.view(
        "sections", SectionsNode(source.node), { "SectionsNode(\($0))" }, SectionsModel(source: Self.number)))
  }

  private func outline(of source: WorldView) -> WorldView {
    source.view(
      "outline", OutlineNode(source.node, expansion: ExpansionState(policy: .expanded), id: \.id),
      { "OutlineNode(\($0), expansion: ExpansionState(policy: .expanded), id: \\.id)" },
      OutlineModel(source: Self.number, isExpanded: true))
  }

  private mutating func addFlatViews(of source: WorldView, to views: inout [WorldView]) {
    views.append(
      source.view(
        "filter", FilterNode(source.node, where: Self.predicate.passes),
        { "FilterNode(\($0)) { \(Self.predicate.code) }" },
        FilterModel(source: Self.number, predicate: Self.predicate)))
    let key = GroupModel.Key.remainder
    let model = GroupModel(source: Self.number, key: key, order: .ascending, headers: -1_000)
    let group = GroupNode(
      source.node, sectionsBy: <, header: { PipelineRow(-1_000 - $0) }, by: { key.of($0) })
    let whole = source.view(
      "group", group,
      { "GroupNode(\($0), sectionsBy: <, header: { PipelineRow(-1_000 - $0) }, by: \(key.code))" }, model)
    views.append(whole)
    guard group.count > 0 else { return }
    let position = random(below: group.count)
    let header = group.element(at: position)
    views.append(
      WorldView(
        name: "section of a \(whole.name)", node: group.section(at: position),
        code: "\(whole.code).section(at: \(position))"
      ) { tree in
        whole.contents(tree).map { sections in
          sections.children.first { $0.value == header } ?? NaiveTree(value: header, children: [])
        }
      })
  }
}
