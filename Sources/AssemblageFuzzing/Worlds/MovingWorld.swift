import Assemblage
import AssemblageTesting

/// A small random tree whose rows move about in random transactions.
///
/// The world keeps a naive tree beside the node. It plans all edits of a transaction on the naive tree first. Then it
/// makes the edits on the node, so that no node is read in between.
struct MovingWorld {
  /// The node that holds the rows.
  enum Source: String, CaseIterable, Codable, Sendable {
    /// A tree of `BranchNode`s.
    case branches
    /// One `ForestNode`.
    case forest
    /// An `ArrayNode` below a `NestNode`. A row moves when it gets another parent id.
    case nest
    /// A tree of `BranchNode`s and `ForestNode`s. A branch that moves from one forest into another changes its owner.
    case mixed
  }

  /// One edit.
  struct Edit {
    /// The edit in Swift code, where the source is named `root`.
    let code: String
    let run: (any WritableNode<PipelineRow>) -> Void
  }

  let source: Source
  private(set) var root: any WritableNode<PipelineRow> = ArrayNode([])
  /// The contents that the source should have. The children of an array are leaves.
  private(set) var tree = NaiveTree<PipelineRow>(value: nil, children: [])
  /// A Swift expression that makes the source as it was in the beginning.
  private(set) var code = ""
  private(set) var generator: SeededGenerator
  private var nextID = 1
  private var trail = MoveTrail()
  /// The ids of the folders that are in a forest or are one, if the source is mixed.
  private var forests: Set<Int> = []

  private static let rowCount = 12
  private static let depthLimit = 4

  init(_ source: Source, _ generator: SeededGenerator) {
    self.source = source
    self.generator = generator
    switch source {
    case .branches, .forest, .mixed:
      for _ in 0..<Self.rowCount { grow() }
      (root, code) = node(of: tree)
    case .nest:
      for _ in 0..<Self.rowCount { tree.children.append(NaiveTree(value: newRow())) }
      root = ArrayNode(tree.children.compactMap(\.value))
      code = "ArrayNode<PipelineRow>(\(tree.children.compactMap(\.value).code))"
    }
  }

  mutating func random(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }

  mutating func chance(_ numerator: Int, in denominator: Int) -> Bool { generator.chance(numerator, in: denominator) }

  // MARK: Rows

  /// The parent id of a row of a nest; nil where the row has no parent.
  static func parent(of row: PipelineRow) -> Int? { row.version < 4 ? nil : row.version / 4 }
  static let parentCode = "{ $0.version < 4 ? nil : $0.version / 4 }"

  private mutating func newRow() -> PipelineRow {
    defer { nextID += 1 }
    let parent = source == .nest && nextID > 1 ? random(below: nextID) : 0
    return PipelineRow(nextID, version: 4 * parent + random(below: 2))
  }

  /// Adds a row or a folder at a random place.
  private mutating func grow() {
    let parent = random(of: folders { _ in true })
    let isFolder = parent.count < Self.depthLimit - 1 && chance(1, in: 2)
    let row = isFolder ? newFolder(in: parent) : newRow()
    let position = random(below: tree[parent].children.count + 1)
    tree.insert(isFolder ? NaiveTree(value: row, children: []) : NaiveTree(value: row), at: parent.appending(position))
  }

  /// Makes the row of a new folder. In a forest, all folders are branches of the forest.
  private mutating func newFolder(in parent: IndexPath) -> PipelineRow {
    let row = newRow()
    if source == .mixed, isForest(tree[parent]) || chance(1, in: 2) { forests.insert(row.id) }
    return row
  }

  private func isForest(_ folder: NaiveTree<PipelineRow>) -> Bool {
    folder.value.map { forests.contains($0.id) } ?? false
  }

  /// Makes a node with the contents of a folder.
  private func node(of folder: NaiveTree<PipelineRow>) -> (node: any WritableNode<PipelineRow>, code: String) {
    if source == .forest || isForest(folder) {
      return (ForestModel.node(of: folder, isSmall: false), ForestModel.code(of: folder))
    }
    let children = folder.children.map { child -> (child: TreeChild<PipelineRow>, code: String) in
      if child.isLeaf { return (.leaf(child.value!), ".leaf(\(child.value!.code))") }
      let (node, code) = node(of: child)
      return (.node(node), ".node(\(code))")
    }
    let list = children.map(\.code).joined(separator: ", ")
    return (
      BranchNode(value: folder.value, children.map(\.child)),
      "BranchNode<PipelineRow>(value: \(folder.value?.code ?? "nil"), [\(list)] as [TreeChild<PipelineRow>])"
    )
  }

  /// The branches that are suitable, and the root if it is suitable.
  private func folders(where isSuitable: (IndexPath) -> Bool) -> [IndexPath] {
    tree.paths.filter { path in (path.isEmpty || !tree[path].isLeaf) && isSuitable(path) }
  }

  private mutating func random(of paths: [IndexPath]) -> IndexPath { paths[random(below: paths.count)] }

  /// Returns a random row. Sometimes this is the row that was moved last, or the folder that this row left.
  private mutating func row() -> IndexPath? {
    let paths = Array(tree.paths.dropFirst())
    if paths.isEmpty { return nil }
    if chance(1, in: 3), let id = chance(2, in: 3) ? trail.child : trail.folder,
      let path = paths.first(where: { tree[$0].value?.id == id })
    {
      return path
    }
    return paths[random(below: paths.count)]
  }

  // MARK: Edits

  /// Gives the naive tree other contents, because planned edits are reverted or made again.
  mutating func revert(to tree: NaiveTree<PipelineRow>) { self.tree = tree }

  /// Plans a random edit: makes it on the naive tree.
  mutating func planEdit() -> Edit {
    let number = random(below: 10)
    let count = tree.nodeCount - 1
    guard count > 2, let path = row() else { return insertion() }
    switch number {
    case 0 where count < Self.rowCount + 4: return insertion()
    case 1 where count > Self.rowCount / 2:
      tree.remove(at: path)
      return Edit(code: "root.remove(at: \(Array(path)))") { $0.remove(at: path) }
    case 2, 3:
      // Every third row is hidden by the filters.
      return update(path, source == .nest ? tree[path].value!.version ^ 1 : tree[path].value!.version + 1)
    default: return source == .nest ? reparenting(path) : move(path)
    }
  }

  private mutating func insertion() -> Edit {
    guard source != .nest else {
      let (row, path) = (newRow(), IndexPath(index: random(below: tree.children.count + 1)))
      tree.insert(NaiveTree(value: row), at: path)
      return Edit(code: "root.insert(\(row.code), at: \(Array(path)))") { $0.insert(row, at: path) }
    }
    let parent = random(of: folders { $0.count < Self.depthLimit })
    let path = parent.appending(random(below: tree[parent].children.count + 1))
    guard path.count < Self.depthLimit, chance(1, in: 3) else {
      let row = newRow()
      tree.insert(NaiveTree(value: row), at: path)
      return Edit(code: "root.insert(\(row.code), at: \(Array(path)))") { $0.insert(row, at: path) }
    }
    let row = newFolder(in: parent)
    let new = NaiveTree(value: row, children: (0..<random(below: 3)).map { _ in NaiveTree(value: newRow()) })
    tree.insert(new, at: path)
    let (node, code) = node(of: new)
    return Edit(code: "root.insert(\(code), at: \(Array(path)))") { $0.insert(node, at: path) }
  }

  private mutating func update(_ path: IndexPath, _ version: Int) -> Edit {
    let row = PipelineRow(tree[path].value!.id, version: version)
    tree[path].value = row
    return Edit(code: "root.replace(at: \(Array(path)), with: \(row.code))") { $0.replace(at: path, with: row) }
  }

  private mutating func move(_ path: IndexPath) -> Edit {
    let parent = path.dropLast()
    let former = tree[parent].value?.id
    let subtree = tree.remove(at: path)
    // A forest holds only branches of its own, so no `BranchNode` moves into it.
    let fitsInForest = subtree.isLeaf || isForest(subtree)
    let goals = folders {
      $0.isEmpty || ($0.count + subtree.height < Self.depthLimit && (fitsInForest || !isForest(tree[$0])))
    }
    let goal = random(of: goals)
    let destination = goal.appending(random(below: tree[goal].children.count + 1))
    tree.insert(subtree, at: destination)
    trail.note(child: subtree.value?.id, leaving: former)
    return Edit(code: "root.move(from: \(Array(path)), to: \(Array(destination)))") {
      $0.move(from: path, to: destination)
    }
  }

  /// Gives a row of a nest another parent, or moves it in the array.
  private mutating func reparenting(_ path: IndexPath) -> Edit {
    let row = tree[path].value!
    guard chance(4, in: 5) else {
      let child = tree.remove(at: path)
      let destination = IndexPath(index: random(below: tree.children.count + 1))
      tree.insert(child, at: destination)
      return Edit(code: "root.move(from: \(Array(path)), to: \(Array(destination)))") {
        $0.move(from: path, to: destination)
      }
    }
    trail.note(child: row.id, leaving: Self.parent(of: row))
    let parents = tree.children.compactMap(\.value?.id).filter { $0 != row.id }
    let parent = parents.isEmpty || chance(1, in: 4) ? 0 : parents[random(below: parents.count)]
    return update(path, 4 * parent + row.version % 4)
  }
}
