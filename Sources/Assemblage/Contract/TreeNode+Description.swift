// The text that print, dump, `String(reflecting:)` and a debugger show for a node: its contents, in one way for all
// kinds.

/// A node whose description needs more than its value and its children.
protocol DescribedNode: TreeNode {
  /// The text that distinguishes the node from others of its kind, for example a section's key; nil for none.
  var label: String? { get }

  /// Whether the children can be read without loading them, which a debugger must not do.
  var isLoaded: Bool { get }

  /// The node whose children this node shows, at the same positions, through child nodes of its own.
  ///
  /// Making such a child node loads it. So a description asks the other node's child whether it is loaded.
  var mappedNode: (any TreeNode)? { get }

  /// The value of a child, read without loading it.
  func peek(at position: Int) -> Element?
}

extension DescribedNode {
  var label: String? { nil }

  var isLoaded: Bool { true }

  var mappedNode: (any TreeNode)? { nil }

  func peek(at position: Int) -> Element? { element(at: position) }
}

extension TreeNode {
  /// The node's kind, its value, and its first ten children.
  ///
  /// ```swift
  /// print(ArrayNode(1...12))
  /// // ArrayNode [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, … 2 more]
  /// print(BranchNode(value: "home", [.leaf("x.txt"), .node(BranchNode(value: "notes", leaves: ["a.md"]))]))
  /// // BranchNode "home" ["x.txt", "notes" (1 child)]
  /// ```
  ///
  /// A description loads nothing: a `HierarchyNode` whose children have not been read yet is described as not loaded.
  /// But a view of a `PagedNode` reads the rows that it describes, and so asks for their pages.
  ///
  /// - Complexity: that of reading ten children.
  public var description: String { description(named: kindName) }

  /// The same text with the node's full type.
  public var debugDescription: String { description(named: String(reflecting: Self.self)) }

  /// The node's value, and its first hundred children by position; a child that is a node shows its own children.
  ///
  /// - Complexity: that of reading a hundred children.
  public var customMirror: Mirror {
    var children: [(label: String?, value: Any)] = []
    if let value { children.append(("value", value)) }
    if isReadable {
      let shown = Swift.min(count, 100)
      for position in 0..<shown {
        let label = "[\(position)]"
        if !isChildReadable(at: position) {
          children.append((label, "\(describeChild(at: position))"))
        } else if let node: any TreeNode = child(at: position) {
          children.append((label, node))
        } else if let element = describedElement(at: position) {
          children.append((label, element))
        } else {
          children.append((label, "nil"))
        }
      }
      if shown < count { children.append(("…", "\(count - shown) more")) }
    }
    return Mirror(self, children: children, displayStyle: .class)
  }

  /// The type's name without its generic arguments, for messages.
  var kindName: String { String(typeName.prefix { $0 != "<" }) }

  /// The type's name, for messages.
  var typeName: String { String(describing: Self.self) }

  private func description(named name: String) -> String {
    var result = name
    if let label = (self as? any DescribedNode)?.label { result += "(\(label))" }
    if let value { result += " " + short(value) }
    guard isReadable else { return result + " (not loaded)" }
    let shown = Swift.min(count, 10)
    var parts = (0..<shown).map { describeChild(at: $0) }
    if shown < count { parts.append("… \(count - shown) more") }
    return result + " [" + parts.joined(separator: ", ") + "]"
  }

  private func describeChild(at position: Int) -> String {
    let value = describedElement(at: position).map { short($0) }
    var contents = "(not loaded)"
    if isChildReadable(at: position) {
      guard let node = child(at: position) else { return value ?? "nil" }
      contents = "(\(countedChildren(node.count)))"
    }
    return (value.map { $0 + " " } ?? "") + contents
  }

  private func describedElement(at position: Int) -> Any? {
    guard let node = self as? any DescribedNode else { return element(at: position) }
    return node.peek(at: position)
  }

  /// Whether the children can be read without loading them.
  var isReadable: Bool { (self as? any DescribedNode)?.isLoaded ?? true }

  /// Whether a child is a leaf, or a node whose children can be read without loading them.
  private func isChildReadable(at position: Int) -> Bool {
    var node: any TreeNode = self
    while let mapped = (node as? any DescribedNode)?.mappedNode { node = mapped }
    let child: (any TreeNode)? = node.child(at: position)
    return child?.isReadable ?? true
  }

  private func short(_ element: Any) -> String {
    let text = String(reflecting: element)
    return text.count > 80 ? text.prefix(80) + "…" : text
  }
}
