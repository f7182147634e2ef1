public import Assemblage

/// A tree of values with edits by index path: slow, but obviously right.
///
/// The root's path is `[]`, its child i's is `[i]`. Every path counts in the tree as it is when the method is called,
/// except a move's target, which counts in the tree after the move. The methods recurse, so keep the tree shallow
/// (under about a thousand levels).
///
/// ```swift
/// var tree = NaiveTree(value: "home", children: [NaiveTree(value: "x"), NaiveTree(value: "notes", children: [])])
/// tree.insert(NaiveTree(value: "a"), at: [1, 0])
/// tree.description               // "home(x notes(a))"
/// tree.move(from: [0], to: [0, 1])
/// tree.description               // "home(notes(a x))"
/// ```
public struct NaiveTree<Element> {
  /// The node's value; nil where it has none.
  public var value: Element?
  /// The subtrees, in order.
  public var children: [NaiveTree]
  /// Whether this is a leaf of its parent, and not a node. Equality ignores the difference: a node without children
  /// equals a leaf.
  public var isLeaf = false

  /// Creates a node with a value, or none, and its subtrees.
  public init(value: Element?, children: [NaiveTree]) {
    self.value = value
    self.children = children
  }

  /// Creates a leaf with a value, or none.
  public init(value: Element?) {
    self.init(value: value, children: [])
    isLeaf = true
  }

  /// Creates a tree without a value of its own whose children are leaves.
  public init(leaves: some Sequence<Element>) {
    self.init(value: nil, children: leaves.map { NaiveTree(value: $0) })
  }

  /// Creates a copy of a node's contents at every depth, read through `element(at:)` and `child(at:)`.
  public init(of node: any TreeNode<Element>) {
    self.init(value: node.value, children: [])
    for position in 0..<node.count {
      var child = node.child(at: position).map { NaiveTree(of: $0) } ?? NaiveTree(value: nil)
      // The value that the parent returns for the child counts.
      child.value = node.element(at: position)
      children.append(child)
    }
  }

  /// The subtree at `path`.
  ///
  /// - Precondition: there is a subtree at `path`.
  public subscript(path: IndexPath) -> NaiveTree {
    get {
      var node = self
      for index in path { node = node.children[index] }
      return node
    }
    set { modify(at: path[...]) { $0 = newValue } }
  }

  /// Returns the subtree at `path`, or nil where there is none.
  public func subtree(at path: IndexPath) -> NaiveTree? {
    var node = self
    for index in path {
      guard node.children.indices.contains(index) else { return nil }
      node = node.children[index]
    }
    return node
  }

  /// Every path, the root's first, in preorder.
  public var paths: [IndexPath] {
    var result: [IndexPath] = [[]]
    for (index, child) in children.enumerated() {
      for path in child.paths { result.append(IndexPath(index: index).appending(path)) }
    }
    return result
  }

  /// The number of nodes, this one included.
  public var nodeCount: Int { children.reduce(1) { $0 + $1.nodeCount } }

  /// The number of levels below this node.
  public var height: Int { children.map { $0.height + 1 }.max() ?? 0 }

  /// Inserts `subtree` so that it lies at `path`.
  ///
  /// - Precondition: `path` is not empty, its parent exists and has at least as many children as the
  ///   path's last component.
  public mutating func insert(_ subtree: NaiveTree, at path: IndexPath) {
    precondition(!path.isEmpty, "nothing can be inserted at the root's own path")
    modify(at: path.dropLast()[...]) { $0.children.insert(subtree, at: path[path.count - 1]) }
  }

  /// Removes and returns the subtree at `path`.
  ///
  /// - Precondition: `path` is not empty, and there is a subtree at `path`.
  @discardableResult
  public mutating func remove(at path: IndexPath) -> NaiveTree {
    precondition(!path.isEmpty, "the root can't be removed from itself")
    let removed = self[path]
    modify(at: path.dropLast()[...]) { _ = $0.children.remove(at: path[path.count - 1]) }
    return removed
  }

  /// Moves the subtree at `source` so that it then lies at `target`.
  ///
  /// - Parameters:
  ///   - source: a path in the tree before the move.
  ///   - target: a path in the tree after the move.
  /// - Precondition: `target` exists in the tree without the moved subtree, or is just past the end of
  ///   its siblings there.
  public mutating func move(from source: IndexPath, to target: IndexPath) {
    let moved = remove(at: source)
    insert(moved, at: target)
  }

  private mutating func modify(at path: IndexPath.SubSequence, _ body: (inout NaiveTree) -> Void) {
    guard let first = path.first else { return body(&self) }
    children[first].modify(at: path.dropFirst(), body)
  }
}

extension NaiveTree: Equatable where Element: Equatable {
  public static func == (first: Self, second: Self) -> Bool {
    first.value == second.value && first.children == second.children
  }
}

extension NaiveTree: Hashable where Element: Hashable {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(value)
    hasher.combine(children)
  }
}

extension NaiveTree: Sendable where Element: Sendable {}

extension NaiveTree: CustomStringConvertible {
  /// The value, then the children in parentheses: `a(b c(d))`, with `·` for no value.
  public var description: String {
    let name = value.map { String(describing: $0) } ?? "·"
    return children.isEmpty ? name : "\(name)(\(children.map(\.description).joined(separator: " ")))"
  }
}
