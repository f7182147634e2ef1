/// A rule for the children that a branch accepts: the rule of its level in a tree.
///
/// ```swift
/// let table = BranchNode<String>()            // sections, which hold items
/// let section = BranchNode(value: "Fruit", leaves: ["apple"])
/// table.rule = .nodes("sections")
/// section.rule = .leaves("items")
/// table.append(section)
/// table.allows(.insert, at: 0)                // false
/// section.accepts(.node(BranchNode()))        // false: appending it would trap, and say that the branch takes items
/// ```
///
/// A rule is checked when a child is inserted, and when a leaf gets another value. Later changes of a child that is a
/// node are not checked.
public struct ChildRule<Element> {
  /// The name of the accepted children, in the plural, for messages.
  let name: String
  private let acceptsLeaf: ((Element) -> Bool)?
  private let acceptsNode: ((any TreeNode<Element>) -> Bool)?

  /// Creates a rule that accepts leaves, and no nodes.
  ///
  /// - Parameters:
  ///   - name: the name of the leaves, in the plural.
  ///   - accepts: whether the branch accepts a leaf with this value; it must not change any node. All by default.
  /// - Returns: the rule.
  public static func leaves(
    _ name: String = "leaves", where accepts: @escaping (Element) -> Bool = { _ in true }
  ) -> ChildRule {
    ChildRule(name: name, acceptsLeaf: accepts, acceptsNode: nil)
  }

  /// Creates a rule that accepts nodes, and no leaves.
  ///
  /// - Parameters:
  ///   - name: the name of the nodes, in the plural.
  ///   - accepts: whether the branch accepts this node; it must not change any node. All by default.
  /// - Returns: the rule.
  public static func nodes(
    _ name: String = "nodes", where accepts: @escaping (any TreeNode<Element>) -> Bool = { _ in true }
  ) -> ChildRule {
    ChildRule(name: name, acceptsLeaf: nil, acceptsNode: accepts)
  }

  /// Creates a rule that accepts the leaves and nodes that satisfy a predicate.
  ///
  /// - Parameters:
  ///   - name: the name of the children, in the plural.
  ///   - accepts: whether the branch accepts this child; it must not change any node.
  /// - Returns: the rule.
  public static func children(_ name: String, where accepts: @escaping (TreeChild<Element>) -> Bool) -> ChildRule {
    ChildRule(name: name, acceptsLeaf: { accepts(.leaf($0)) }, acceptsNode: { accepts(.node($0)) })
  }

  /// Returns whether the rule holds for a child.
  func accepts(_ child: TreeChild<Element>) -> Bool {
    switch child {
    case .leaf(let element): acceptsLeaf?(element) ?? false
    case .node(let node): acceptsNode?(node) ?? false
    }
  }

  /// Returns whether the rule allows an edit for at least one child.
  func allows(_ edit: ChildEdit) -> Bool {
    switch edit {
    case .insert: acceptsLeaf != nil
    case .insertNode: acceptsNode != nil
    case .remove, .replace, .move, .turnIntoBranch: true
    }
  }
}

extension BranchNode: ChoosingNode {
  /// The rule for the children of the branch; nil, as at first, accepts any leaf and any node.
  ///
  /// A child that breaks the rule is refused with a message, which ends the process. Before an insertion,
  /// `allows(_:at:)` returns whether leaves or nodes are accepted at all, and `accepts(_:)` whether a given child is
  /// accepted. The rule is not checked when a transaction or an `UndoLog` reverts a change.
  ///
  /// A branch without children is a section of a `SectionsNode` only if its rule accepts leaves. If a new rule changes
  /// this, observers are notified of an update of the branch's value, as for `header`. Inside a transaction they are
  /// notified of such a rule also if the branch has children. A transaction that throws reverts the rule.
  ///
  /// - Precondition: a rule that is set holds for the present children of the branch.
  /// - Complexity: O(1); to set it, O(n) for n children.
  public var rule: ChildRule<Element>? {
    get { state.value.supplements?.rule }
    set {
      hub.prepareForChange()
      hub.refusingChanges {
        if let newValue {
          state.value.children.forEachSpan(in: 0..<count) { start, span in
            for index in span.indices {
              require(
                newValue.accepts(span[index]),
                "BranchNode: its child \(start + index) breaks the rule that it takes \(newValue.name).")
            }
          }
        }
      }
      setRule(newValue)
    }
  }

  private func setRule(_ rule: ChildRule<Element>?) {
    hub.prepareForChange()
    let former = state.value.supplements
    state.value.supplements = BranchSupplements.make(header: header, footer: footer, rule: rule)
    // A branch with children may be empty when the transaction ends.
    let mayBeEmpty = isEmpty || hub.graph.keepsChanges
    hub.publish(
      ChangeSet(updatesValue: mayBeEmpty && Self.takesLeaves(former?.rule) != Self.takesLeaves(rule)), of: .view,
      inverse: { [self] in setRule(former?.rule) })
    withExtendedLifetime(former) {}
  }

  private static func takesLeaves(_ rule: ChildRule<Element>?) -> Bool { rule?.allows(.insert) ?? true }

  /// Returns whether the rule of this branch holds for a child.
  ///
  /// - Parameter child: any leaf or node.
  /// - Returns: whether the rule holds; true if there is no rule.
  public func accepts(_ child: TreeChild<Element>) -> Bool {
    guard let rule else { return true }
    return hub.refusingChanges { rule.accepts(child) }
  }

  func accepts(_ child: TreeChild<Element>, at position: Int) -> Bool { accepts(child) }

  /// Traps if the rule does not hold for a new child.
  @usableFromInline
  func checkRule(_ child: TreeChild<Element>) {
    guard let rule, !accepts(child) else { return }
    switch child {
    case .leaf(let element): trap("BranchNode: it takes \(rule.name), and not the leaf \(element).")
    case .node(let node): trap("BranchNode: it takes \(rule.name), and not \(withArticle(type(of: node))).")
    }
  }
}
