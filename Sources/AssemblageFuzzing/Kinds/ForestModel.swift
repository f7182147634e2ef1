import Assemblage
import AssemblageTesting
import Foundation

/// The model of a `ForestNode`: its tree.
struct ForestModel: OwnChildrenModel {
  typealias Node = ForestNode<PipelineRow>

  static let kind = "forest"
  static let isSource = true

  /// The tree; its leaves are leaves.
  var tree: NaiveTree<PipelineRow>

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    let tree = NaiveTree(
      value: draw.chance(1, in: 3) ? draw.row() : nil,
      children: (0..<draw.number(below: 4)).map { _ in
        subtree(&draw, depth: 0)
      })
    return NodeDraft(ForestModel(tree: tree), node(of: tree, isSmall: draw.usesSmallStorage), code: code(of: tree))
  }

  private static func subtree(_ draw: inout PipelineDraw, depth: Int) -> NaiveTree<PipelineRow> {
    let row = draw.row()
    guard depth < 2, draw.chance(1, in: 2) else { return NaiveTree(value: row) }
    return NaiveTree(value: row, children: (0..<draw.number(below: 3)).map { _ in subtree(&draw, depth: depth + 1) })
  }

  /// A forest like a tree.
  private static func node(of tree: NaiveTree<PipelineRow>, isSmall: Bool) -> Node {
    let node = isSmall ? Node(value: tree.value, small: 2, chunk: 2) : Node(value: tree.value)
    for (position, child) in tree.children.enumerated() {
      if child.isLeaf {
        node.append(child.value!)
      } else {
        node.insert(self.node(of: child, isSmall: isSmall), at: position)
      }
    }
    return node
  }

  private static func code(of tree: NaiveTree<PipelineRow>) -> String {
    let children = tree.children.map(snapshotCode).joined(separator: ", ")
    let value = tree.value.map { "value: \($0.code), " } ?? ""
    return "try! ForestNode<PipelineRow>(TreeSnapshot(\(value)children: [\(children)]))"
  }

  private static func snapshotCode(of tree: NaiveTree<PipelineRow>) -> String {
    let value = tree.value!.code
    if tree.isLeaf { return "TreeSnapshot(leaf: \(value))" }
    return "TreeSnapshot(value: \(value), children: [\(tree.children.map(snapshotCode).joined(separator: ", "))])"
  }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> { tree }

  // MARK: Edits

  static var edits: [NodeEdit<Self>] {
    [
      NodeEdit("insert", reversal: .always) { model, draw in
        var path = model.branchPath(&draw)
        path.append(draw.number(below: model.tree[path].children.count + 1))
        let row = draw.row()
        model.tree.insert(NaiveTree(value: row), at: path)
        return NodeStep("\(draw.name).insert(\(row.code), at: \(Array(path)))") { $0.insert(row, at: path) }
      },
      NodeEdit("insertBelowLeaf", reversal: .always) { model, draw in
        guard let path = model.path(&draw, where: \.isLeaf) else { return nil }
        let row = draw.row()
        model.tree[path].isLeaf = false
        model.tree[path].children = [NaiveTree(value: row)]
        let place = path.appending(0)
        return NodeStep("\(draw.name).insert(\(row.code), at: \(Array(place)))") { $0.insert(row, at: place) }
      },
      NodeEdit("insertTree", reversal: .always) { model, draw in
        let parent = model.branchPath(&draw)
        let position = draw.number(below: model.tree[parent].children.count + 1)
        var new = subtree(&draw, depth: 0)
        new.isLeaf = false
        model.tree.insert(new, at: parent.appending(position))
        return NodeStep(
          "\(draw.name).child(at: \(Array(parent)))!.insert(\(code(of: new)), at: \(position))"
        ) { [new, isSmall = draw.usesSmallStorage] in
          $0.child(at: parent)!.insert(node(of: new, isSmall: isSmall), at: position)
        }
      },
      NodeEdit("insertRows", reversal: .always) { model, draw in
        let parent = model.branchPath(&draw)
        let position = draw.number(below: model.tree[parent].children.count + 1)
        let rows = draw.rows(below: 4)
        model.tree[parent].children.insert(contentsOf: rows.map { NaiveTree(value: $0) }, at: position)
        return NodeStep(
          "\(draw.name).child(at: \(Array(parent)))!.insert(contentsOf: \(rows.code), at: \(position))"
        ) { $0.child(at: parent)!.insert(contentsOf: rows, at: position) }
      },
      NodeEdit("remove", reversal: .always) { model, draw in
        guard let path = model.path(&draw, where: { _ in true }) else { return nil }
        model.tree.remove(at: path)
        return NodeStep("\(draw.name).remove(at: \(Array(path)))") { $0.remove(at: path) }
      },
      NodeEdit("removeSubrange", reversal: .always) { model, draw in
        let parent = model.branchPath(&draw)
        let range = draw.range(in: model.tree[parent].children.count)
        model.tree[parent].children.removeSubrange(range)
        return NodeStep("\(draw.name).child(at: \(Array(parent)))!.removeSubrange(\(range.code))") {
          $0.child(at: parent)!.removeSubrange(range)
        }
      },
      NodeEdit("move", reversal: .always) { model, draw in
        guard let path = model.path(&draw, where: { _ in true }) else { return nil }
        let subtree = model.tree.remove(at: path)
        var destination = model.branchPath(&draw)
        let count = model.tree[destination].children.count
        destination.append(draw.number(below: count + 1))
        model.tree.insert(subtree, at: destination)
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
      NodeEdit("setValue", reversal: .always) { model, draw in
        let path = model.branchPath(&draw)
        let row = model.tree[path].value?.changed ?? draw.row()
        model.tree[path].value = row
        return NodeStep("\(draw.name).child(at: \(Array(path)))!.value = \(row.code)") {
          $0.child(at: path)!.value = row
        }
      },
      NodeEdit("updateWhere", reversal: .always) { _, draw in
        let predicate = draw.predicate()
        return NodeStep("\(draw.name).update { \(predicate.code) }") { $0.update(where: predicate.passes) }
      },
      NodeEdit("makeBranch", reversal: .always) { model, draw in
        guard let path = model.path(&draw, where: \.isLeaf) else { return nil }
        model.tree[path].isLeaf = false
        let (parent, position) = (path.dropLast(), path[path.count - 1])
        return NodeStep("\(draw.name).child(at: \(Array(parent)))!.makeBranch(at: \(position))") {
          $0.child(at: parent)!.makeBranch(at: position)
        }
      },
      NodeEdit("makeLeaf", reversal: .always) { model, draw in
        guard let path = model.path(&draw, where: { !$0.isLeaf && $0.children.isEmpty }) else { return nil }
        model.tree[path].isLeaf = true
        let (parent, position) = (path.dropLast(), path[path.count - 1])
        return NodeStep("\(draw.name).child(at: \(Array(parent)))!.makeLeaf(at: \(position))") {
          $0.child(at: parent)!.makeLeaf(at: position)
        }
      },
      // What was taken out is changed while it is away.
      NodeEdit("takeOut", reversal: .always) { model, draw in
        guard let path = model.path(&draw, where: { !$0.isLeaf }) else { return nil }
        let row = draw.row()
        var subtree = model.tree.remove(at: path)
        subtree.children.append(NaiveTree(value: row))
        let place = model.branchPath(&draw)
        let position = draw.number(below: model.tree[place].children.count + 1)
        model.tree.insert(subtree, at: place.appending(position))
        let ids = subtree.ids.subtracting([row.id])
        return NodeStep(
          """
          \(draw.name).performUpdates {
            let taken = \(draw.name).remove(at: \(Array(path))).node as! ForestNode<PipelineRow>
            taken.append(\(row.code))
            \(draw.name).child(at: \(Array(place)))!.insert(taken, at: \(position))
          }
          """, replacing: ids
        ) { node in
          node.performUpdates {
            let taken = node.remove(at: path).node as! Node
            taken.append(row)
            node.child(at: place)!.insert(taken, at: position)
          }
        }
      },
    ]
  }

  /// Draws the path of a branch, or of the root.
  private func branchPath(_ draw: inout PipelineDraw) -> IndexPath {
    let paths = tree.paths.filter { !tree[$0].isLeaf }
    return paths[draw.number(below: paths.count)]
  }

  /// Draws the path of an element.
  private func path(_ draw: inout PipelineDraw, where isSuitable: (NaiveTree<PipelineRow>) -> Bool) -> IndexPath? {
    let paths = tree.paths.dropFirst().filter { isSuitable(tree[$0]) }
    return paths.isEmpty ? nil : paths[draw.number(below: paths.count)]
  }

  // MARK: Writing

  mutating func insert(_ row: PipelineRow, at position: Int) -> Bool {
    tree.children.insert(NaiveTree(value: row), at: position)
    return true
  }

  // A branch that is taken out is a node, which is written through paths of the forest's own.
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
