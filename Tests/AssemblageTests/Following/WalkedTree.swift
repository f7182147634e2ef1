import Assemblage
import TestSupport

/// A node's elements, found by a walk through the whole tree.
struct WalkedTree {
  /// The path of each id, and the ids of the children of each node, in order; nil is the root.
  private(set) var paths: [Int: [Int]] = [:]
  private(set) var parents: [Int: Int?] = [:]
  private(set) var children: [Int?: [Int]] = [:]

  init(_ node: any TreeNode<Row>) {
    var open: [(id: Int?, path: [Int], node: any TreeNode<Row>)] = [(nil, [], node)]
    while let (parent, path, node) = open.popLast() {
      for position in 0..<node.count {
        let id = node.element(at: position)!.id
        paths[id] = path + [position]
        parents[id] = .some(parent)
        children[parent, default: []].append(id)
        if let child = node.child(at: position) { open.append((id, path + [position], child)) }
      }
    }
  }

  /// Returns the id to which an anchor moves in another state of the tree, where its element is gone; nil for the root.
  func nearest(of lost: Int, in new: WalkedTree) -> Int? {
    // The topmost ancestor that is gone. Its parent is the deepest one that is still there.
    var gone = lost
    var parent = parents[gone]!
    while let above = parent, new.paths[above] == nil {
      gone = above
      parent = parents[above]!
    }
    let siblings = children[parent]!
    let index = siblings.firstIndex(of: gone)!
    func survives(_ id: Int) -> Bool { new.paths[id] != nil && new.parents[id]! == parent }
    return siblings[index...].first(where: survives) ?? siblings[..<index].last(where: survives) ?? parent
  }
}
