import Assemblage
import TestSupport

/// A node's elements, found by walking through everything.
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

  /// Whom an anchor at an element follows in another state of the tree, where that element is not there any more.
  func nearest(of lost: Int, in new: WalkedTree) -> Int? {
    // The topmost that left: below the deepest that is still there.
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
