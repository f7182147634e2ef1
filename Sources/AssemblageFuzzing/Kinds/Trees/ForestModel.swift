import Assemblage
import AssemblageTesting

/// The model of a `ForestNode`: its tree.
struct ForestModel: OwnTreeModel {
  typealias Node = ForestNode<PipelineRow>

  static let kind = "forest"
  static let childKind = "forestBranch"
  static let isSource = true

  var tree: NaiveTree<PipelineRow>
  var trail = MoveTrail()

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    let tree = randomTree(&draw)
    return NodeDraft(ForestModel(tree: tree), node(of: tree, isSmall: draw.usesSmallStorage), code: code(of: tree))
  }

  /// Makes a forest with the contents of a tree.
  static func node(of tree: NaiveTree<PipelineRow>, isSmall: Bool) -> Node {
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

  static func code(of tree: NaiveTree<PipelineRow>) -> String {
    let children = tree.children.map(snapshotCode).joined(separator: ", ")
    let value = tree.value.map { "value: \($0.code), " } ?? ""
    return "try! ForestNode<PipelineRow>(TreeSnapshot(\(value)children: [\(children)]))"
  }

  private static func snapshotCode(of tree: NaiveTree<PipelineRow>) -> String {
    let value = tree.value!.code
    if tree.isLeaf { return "TreeSnapshot(leaf: \(value))" }
    return "TreeSnapshot(value: \(value), children: [\(tree.children.map(snapshotCode).joined(separator: ", "))])"
  }

  // MARK: Edits

  static var edits: [NodeEdit<Self>] {
    treeEdits + [
      NodeEdit("insertBelowLeaf", reversal: .always) { model, draw in
        guard let path = model.path(&draw, where: \.isLeaf) else { return nil }
        let row = draw.row()
        model.tree[path].isLeaf = false
        model.tree[path].children = [NaiveTree(value: row)]
        let place = path.appending(0)
        return NodeStep("\(draw.name).insert(\(row.code), at: \(Array(place)))") { $0.insert(row, at: place) }
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
      NodeEdit("removeSubrange", reversal: .always) { model, draw in
        let parent = model.branchPath(&draw)
        let range = draw.range(in: model.tree[parent].children.count)
        model.tree[parent].children.removeSubrange(range)
        return NodeStep("\(draw.name).child(at: \(Array(parent)))!.removeSubrange(\(range.code))") {
          $0.child(at: parent)!.removeSubrange(range)
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
        return NodeStep("\(draw.name).child(at: \(Array(parent)))!.turnIntoBranch(at: \(position))") {
          $0.child(at: parent)!.turnIntoBranch(at: position)
        }
      },
      NodeEdit("makeLeaf", reversal: .always) { model, draw in
        guard let path = model.path(&draw, where: { !$0.isLeaf && $0.children.isEmpty }) else { return nil }
        model.tree[path].isLeaf = true
        let (parent, position) = (path.dropLast(), path[path.count - 1])
        return NodeStep("\(draw.name).child(at: \(Array(parent)))!.turnIntoLeaf(at: \(position))") {
          $0.child(at: parent)!.turnIntoLeaf(at: position)
        }
      },
      // The removed branch is changed before it is inserted again.
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
}
