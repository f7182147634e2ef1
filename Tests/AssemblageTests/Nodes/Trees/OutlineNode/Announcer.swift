@_spi(NodeAuthors) @testable import Assemblage

/// A tree that shows the given contents, and reports the difference in one change set, including the transfers.
final class Announcer: TreeNode {
  /// A value with children.
  struct Tree {
    var value: String
    var children: [Tree]

    init(_ value: String, _ children: [Tree] = []) {
      self.value = value
      self.children = children
    }
  }

  private let author = NodeAuthor()
  var port: NodePort { author.port }
  let value: String?
  private var children: [Announcer] = []

  init(_ value: String? = nil) {
    self.value = value
    author.attach(to: self)
  }

  var count: Int { children.count }

  func element(at position: Int) -> String? { children.indices.contains(position) ? children[position].value : nil }

  func child(at position: Int) -> (any TreeNode<String>)? {
    children.indices.contains(position) ? children[position] : nil
  }

  func show(_ trees: [Tree]) {
    // A child that survives stays the same node, wherever it lies then.
    var former: [String: Announcer] = [:]
    func collect(_ node: Announcer) {
      for child in node.children {
        former[child.value!] = child
        collect(child)
      }
    }
    collect(self)
    // A child is a node of its own: only the child itself notifies its derived nodes.
    let tellers = [self] + former.values.filter(\.author.isObserved)
    let before = tellers.map { TreeSnapshot(of: $0) }
    for teller in tellers { teller.author.prepareForChange() }
    func fill(_ node: Announcer, _ trees: [Tree]) {
      node.children = trees.map { tree in
        let child = former[tree.value] ?? Announcer(tree.value)
        fill(child, tree.children)
        return child
      }
    }
    fill(self, trees)
    func notify() {
      for (teller, before) in zip(tellers, before) {
        teller.author.publish(before.difference(to: TreeSnapshot(of: teller), id: { $0 }))
      }
    }
    if tellers.count == 1 { notify() } else { Assemblage.performUpdates(on: tellers, notify) }
  }
}
