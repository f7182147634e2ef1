import Assemblage
import AssemblageTesting

/// The model of a source that holds a whole tree. The branches of the tree have no specimens of their own.
protocol OwnTreeModel: OwnChildrenModel, WholeModel where Node: WritableNode {
  /// The tree. A leaf of the node is a leaf here.
  var tree: NaiveTree<PipelineRow> { get set }

  /// The last move between two parents. The next edits can follow it.
  var trail: MoveTrail { get set }

  /// Makes a node with the contents of a tree.
  static func node(of tree: NaiveTree<PipelineRow>, isSmall: Bool) -> Node

  /// A Swift expression that makes such a node.
  static func code(of tree: NaiveTree<PipelineRow>) -> String
}

/// The row that was moved last, and the folder that it left.
///
/// A fault often needs several moves of one child, or a move out of a folder that leaves next. Random rows rarely give
/// such moves, so edits sometimes choose one of the two rows.
struct MoveTrail {
  private(set) var child: Int?
  private(set) var folder: Int?

  mutating func note(child: Int?, leaving folder: Int?) { (self.child, self.folder) = (child, folder) }
}

extension OwnTreeModel {
  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> { tree }

  func contents(
    ofChild id: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>
  ) -> NaiveTree<PipelineRow>? {
    tree.path(ofBranch: id).map { tree[$0] }
  }

  static func randomTree(_ draw: inout PipelineDraw) -> NaiveTree<PipelineRow> {
    let value = draw.chance(1, in: 3) ? draw.row() : nil
    return NaiveTree(value: value, children: randomChildren(&draw, depth: 3 - draw.number(below: 4)))
  }

  /// Draws up to four children with trees of a depth below them.
  ///
  /// A script that was cut short draws none.
  static func randomChildren(_ draw: inout PipelineDraw, depth: Int) -> [NaiveTree<PipelineRow>] {
    // An operation has too few numbers for a whole tree.
    var generator = draw.generator()
    func children(_ count: Int, _ depth: Int) -> [NaiveTree<PipelineRow>] {
      (0..<count).map { _ in
        let row = draw.row()
        guard depth > 0, generator.chance(2, in: 3) else { return NaiveTree(value: row) }
        return NaiveTree(value: row, children: children(Int.random(in: 0...3, using: &generator), depth - 1))
      }
    }
    return children(draw.number(below: 5), depth)
  }

  // MARK: Edits

  static var treeEdits: [NodeEdit<Self>] {
    [
      NodeEdit("insert", reversal: .always) { model, draw in
        var path = model.branchPath(&draw)
        path.append(draw.number(below: model.tree[path].children.count + 1))
        let row = draw.row()
        model.tree.insert(NaiveTree(value: row), at: path)
        return NodeStep("\(draw.name).insert(\(row.code), at: \(Array(path)))") { $0.insert(row, at: path) }
      },
      NodeEdit("insertTree", reversal: .always) { model, draw in
        let parent = model.branchPath(&draw)
        let path = parent.appending(draw.number(below: model.tree[parent].children.count + 1))
        let row = draw.row()
        let new = NaiveTree(value: row, children: randomChildren(&draw, depth: draw.number(below: 3)))
        model.tree.insert(new, at: path)
        return NodeStep("\(draw.name).insert(\(code(of: new)), at: \(Array(path)))") {
          [new, isSmall = draw.usesSmallStorage] in
          $0.insert(node(of: new, isSmall: isSmall), at: path)
        }
      },
      NodeEdit("remove", reversal: .always) { model, draw in
        guard let path = model.followedPath(&draw) ?? model.path(&draw, where: { _ in true }) else { return nil }
        model.tree.remove(at: path)
        return NodeStep("\(draw.name).remove(at: \(Array(path)))") { $0.remove(at: path) }
      },
      NodeEdit("move", reversal: .always) { model, draw in
        guard let path = model.followedPath(&draw) ?? model.path(&draw, where: { _ in true }) else { return nil }
        let folder = model.tree[path.dropLast()].value?.id
        let subtree = model.tree.remove(at: path)
        var destination = model.branchPath(&draw)
        destination.append(draw.number(below: model.tree[destination].children.count + 1))
        model.tree.insert(subtree, at: destination)
        model.trail.note(child: subtree.value?.id, leaving: folder)
        return NodeStep("\(draw.name).move(from: \(Array(path)), to: \(Array(destination)))") {
          $0.move(from: path, to: destination)
        }
      },
      NodeEdit("replace", reversal: .always) { model, draw in
        guard let path = model.path(&draw, where: { _ in true }) else { return nil }
        let row = model.tree[path].value!.changed
        model.tree[path].value = row
        return NodeStep("\(draw.name).replace(at: \(Array(path)), with: \(row.code))") {
          $0.replace(at: path, with: row)
        }
      },
    ]
  }

  /// Draws the path of a branch, or of the root.
  func branchPath(_ draw: inout PipelineDraw) -> IndexPath {
    let paths = tree.paths.filter { !tree[$0].isLeaf }
    return paths[draw.number(below: paths.count)]
  }

  /// Draws the path of an element.
  func path(_ draw: inout PipelineDraw, where isSuitable: (NaiveTree<PipelineRow>) -> Bool) -> IndexPath? {
    let paths = tree.paths.dropFirst().filter { isSuitable(tree[$0]) }
    return paths.isEmpty ? nil : paths[draw.number(below: paths.count)]
  }

  /// The path of the row that was moved last, or of the folder that it left; in most cases nil.
  private func followedPath(_ draw: inout PipelineDraw) -> IndexPath? {
    guard draw.chance(1, in: 3) else { return nil }
    let id = draw.chance(1, in: 2) ? trail.child : trail.folder
    return id.flatMap { id in tree.paths.dropFirst().first { tree[$0].value?.id == id } }
  }

  // MARK: Writing

  mutating func insert(_ row: PipelineRow, at position: Int) -> Bool {
    tree.children.insert(NaiveTree(value: row), at: position)
    return true
  }

  // A removed branch would be a node without a model. Only the tree's own edits remove branches.
  mutating func remove(at position: Int) -> Bool {
    guard tree.children[position].isLeaf else { return false }
    tree.children.remove(at: position)
    return true
  }

  mutating func replace(at position: Int, with row: PipelineRow) -> Bool {
    tree.children[position].value = row
    return true
  }

  mutating func move(from position: Int, to destination: Int) -> Bool {
    tree.children.moveElement(from: position, to: destination)
    return true
  }
}
