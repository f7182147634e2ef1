import Assemblage
import AssemblageTesting

/// The model of a tree of `BranchNode`s. The root is written by index path at every depth.
struct FoldersModel: OwnTreeModel {
  typealias Node = BranchNode<PipelineRow>

  static let kind = "folders"
  static let childKind = "folder"
  static let isSource = true

  var tree: NaiveTree<PipelineRow>
  var trail = MoveTrail()

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    let tree = randomTree(&draw)
    return NodeDraft(FoldersModel(tree: tree), node(of: tree, isSmall: false), code: code(of: tree))
  }

  static func node(of tree: NaiveTree<PipelineRow>, isSmall: Bool) -> Node {
    Node(
      value: tree.value,
      tree.children.map { child in
        child.isLeaf ? .leaf(child.value!) : .node(node(of: child, isSmall: isSmall))
      })
  }

  static func code(of tree: NaiveTree<PipelineRow>) -> String {
    let children = tree.children.map { child in
      child.isLeaf ? ".leaf(\(child.value!.code))" : ".node(\(code(of: child)))"
    }
    let value = tree.value?.code ?? "nil"
    return "BranchNode<PipelineRow>(value: \(value), [\(children.joined(separator: ", "))] as [TreeChild<PipelineRow>])"
  }

  static var edits: [NodeEdit<Self>] { treeEdits }
}
