import Assemblage

/// The contents of a node at every depth, copied: an entry for each place, parents before their children.
///
/// ```text
///          root
///         /    \         values:  root  A   A0  B
///        A      B        sizes:   4     2   1   1
///        |
///        A0
/// ```
///
/// Nothing here recurses on the call stack, however deep the tree.
struct FlatTree<Element> {
  /// The places' values.
  var values: [Element?] = []
  /// Whether the places are nodes, and not leaves.
  var isNode: [Bool] = []
  /// The number of entries in each place's subtree, the place's own included.
  var sizes: [Int] = []

  /// The number of entries.
  var count: Int { values.count }

  /// Creates a tree without an entry, to be filled from the front.
  init() {}

  /// Reads a node with everything below it, through `element(at:)` and `child(at:)`.
  init(of root: any TreeNode<Element>) {
    append(root.value, isNode: true)
    var open: [(node: any TreeNode<Element>, count: Int, next: Int, entry: Int)] = [(root, root.count, 0, 0)]
    while let last = open.indices.last {
      let (node, count, position, entry) = open[last]
      guard position < count else {
        close(entry)
        open.removeLast()
        continue
      }
      open[last].next += 1
      let child = node.child(at: position)
      append(node.element(at: position), isNode: child != nil)
      if let child { open.append((child, child.count, 0, self.count - 1)) }
    }
  }

  /// Appends a place that has no children yet.
  mutating func append(_ value: Element?, isNode: Bool) {
    values.append(value)
    self.isNode.append(isNode)
    sizes.append(1)
  }

  /// Ends the subtree of an entry: all entries so far that follow it are its descendants.
  mutating func close(_ entry: Int) { sizes[entry] = count - entry }

  /// Appends the subtree of another tree's entry.
  mutating func append(subtree entry: Int, of other: FlatTree) {
    let range = entry..<entry + other.sizes[entry]
    values.append(contentsOf: other.values[range])
    isNode.append(contentsOf: other.isNode[range])
    sizes.append(contentsOf: other.sizes[range])
  }

  /// The entries of a place's children, in order.
  func children(of entry: Int) -> [Int] {
    var children: [Int] = []
    var child = entry + 1
    while child < entry + sizes[entry] {
      children.append(child)
      child += sizes[child]
    }
    return children
  }

  /// The entry at a path below another entry, or nil where there is none.
  func entry(at path: some Sequence<Int>) -> Int? {
    guard !values.isEmpty else { return nil }
    var entry = 0
    for position in path {
      var child = entry + 1
      let end = entry + sizes[entry]
      var passed = 0
      while passed < position, child < end {
        child += sizes[child]
        passed += 1
      }
      guard position >= 0, child < end else { return nil }
      entry = child
    }
    return entry
  }

  /// The path from the root to an entry.
  func path(to entry: Int) -> [Int] {
    var path: [Int] = []
    var parent = 0
    while parent != entry {
      var child = parent + 1
      var position = 0
      while child + sizes[child] <= entry {
        child += sizes[child]
        position += 1
      }
      path.append(position)
      parent = child
    }
    return path
  }

  /// The first entry at which two trees differ, if they do: an entry of both, with a text about the difference.
  func firstDifference(
    from other: FlatTree, by areEqual: (Element, Element) -> Bool
  ) -> (entry: Int, text: String)? {
    for entry in 0..<min(count, other.count) {
      switch (values[entry], other.values[entry]) {
      case (nil, nil): break
      case (let left?, let right?) where areEqual(left, right): break
      case (let left, let right): return (entry, "\(text(left)) instead of \(text(right))")
      }
      if isNode[entry] != other.isNode[entry] {
        return (entry, isNode[entry] ? "a node instead of a leaf" : "a leaf instead of a node")
      }
      if sizes[entry] != other.sizes[entry], children(of: entry).count != other.children(of: entry).count {
        let found = counted(children(of: entry).count, "child", "children")
        return (entry, "\(found) instead of \(other.children(of: entry).count)")
      }
    }
    return nil
  }
}

extension FlatTree {
  /// The tree as a snapshot.
  var snapshot: TreeSnapshot<Element> {
    var builder = TreeSnapshot<Element>.Builder(value: values.first ?? nil)
    var ends: [Int] = []
    for entry in values.indices.dropFirst() {
      while let end = ends.last, entry >= end {
        builder.endNode()
        ends.removeLast()
      }
      if isNode[entry] {
        builder.beginNode(values[entry])
        ends.append(entry + sizes[entry])
      } else {
        builder.appendLeaf(values[entry])
      }
    }
    for _ in ends { builder.endNode() }
    return builder.finish()
  }
}

extension FlatTree: CustomStringConvertible {
  /// A text like `a(b c(d))`, with `·` for no value; cut off after a hundred places.
  var description: String {
    var result = ""
    var ends: [Int] = []
    for entry in 0..<min(count, 100) {
      while let end = ends.last, entry >= end {
        result += ")"
        ends.removeLast()
      }
      if entry > 0, !result.hasSuffix("(") { result += " " }
      result += values[entry].map { "\($0)" } ?? "·"
      if sizes[entry] > 1 {
        result += "("
        ends.append(entry + sizes[entry])
      }
    }
    if count > 100 { return result + " …" }
    return result + String(repeating: ")", count: ends.count)
  }
}
