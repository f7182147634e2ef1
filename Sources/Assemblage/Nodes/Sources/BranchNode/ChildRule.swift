/// What a branch takes as children: the rule of its level in a tree.
///
/// ```swift
/// let table = BranchNode<String>()            // sections, which hold items
/// let section = BranchNode(value: "Fruit", leaves: ["apple"])
/// table.rule = .nodes("sections")
/// section.rule = .leaves("items")
/// table.append(section)
/// table.allows(.insert, at: 0)                // false
/// section.accepts(.node(BranchNode()))        // false: appending it would trap, and say that it takes items
/// ```
///
/// A rule is asked when a child comes, and when a leaf gets another value. What a child that is a node becomes later is not
/// asked about.
public struct ChildRule<Element> {
  /// What the branch takes, in the plural, as a message says it.
  public let name: String
  private let acceptsLeaf: ((Element) -> Bool)?
  private let acceptsNode: ((any TreeNode<Element>) -> Bool)?

  /// Leaves, and no nodes.
  ///
  /// - Parameters:
  ///   - name: what they are, in the plural.
  ///   - accepts: whether the branch takes a leaf of this value; it must not change any node. All by default.
  /// - Returns: the rule.
  public static func leaves(
    _ name: String = "leaves", where accepts: @escaping (Element) -> Bool = { _ in true }
  ) -> ChildRule {
    ChildRule(name: name, acceptsLeaf: accepts, acceptsNode: nil)
  }

  /// Nodes, and no leaves.
  ///
  /// - Parameters:
  ///   - name: what they are, in the plural.
  ///   - accepts: whether the branch takes this node; it must not change any node. All by default.
  /// - Returns: the rule.
  public static func nodes(
    _ name: String = "nodes", where accepts: @escaping (any TreeNode<Element>) -> Bool = { _ in true }
  ) -> ChildRule {
    ChildRule(name: name, acceptsLeaf: nil, acceptsNode: accepts)
  }

  /// Leaves and nodes of which a predicate holds.
  ///
  /// - Parameters:
  ///   - name: what they are, in the plural.
  ///   - accepts: whether the branch takes this child; it must not change any node.
  /// - Returns: the rule.
  public static func children(_ name: String, where accepts: @escaping (TreeChild<Element>) -> Bool) -> ChildRule {
    ChildRule(name: name, acceptsLeaf: { accepts(.leaf($0)) }, acceptsNode: { accepts(.node($0)) })
  }

  /// Whether the rule holds for a child.
  ///
  /// - Parameter child: any leaf or node.
  /// - Returns: whether it does.
  public func accepts(_ child: TreeChild<Element>) -> Bool {
    switch child {
    case .leaf(let element): acceptsLeaf?(element) ?? false
    case .node(let node): acceptsNode?(node) ?? false
    }
  }

  /// Whether some child may be such an insertion.
  func allows(_ edit: ChildEdit) -> Bool {
    switch edit {
    case .insert: acceptsLeaf != nil
    case .insertNode: acceptsNode != nil
    case .remove, .replace, .move: true
    }
  }
}

extension BranchNode {
  /// What the branch takes as children; nil, as at first, is any leaf and any node.
  ///
  /// A child for which the rule does not hold is refused with a sentence, which ends the process; `allows(_:at:)` says before
  /// whether leaves or nodes can come at all, and `accepts(_:)` whether a certain child can. What a transaction or an `UndoLog`
  /// takes back is not asked about.
  ///
  /// - Precondition: where it is set, it holds for the children that the branch has.
  /// - Complexity: O(1); where it is set, O(n) for n children.
  public var rule: ChildRule<Element>? {
    get { state.value.supplements?.rule }
    set {
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
      state.value.supplements = BranchSupplements.make(header: header, footer: footer, rule: newValue)
    }
  }

  /// Whether the rule of this branch holds for a child.
  ///
  /// - Parameter child: any leaf or node.
  /// - Returns: whether it does; true where there is no rule.
  public func accepts(_ child: TreeChild<Element>) -> Bool {
    guard let rule else { return true }
    return hub.refusingChanges { rule.accepts(child) }
  }

  /// Traps where the rule does not hold for a child that is to come.
  @usableFromInline
  func checkRule(_ child: TreeChild<Element>) {
    guard let rule, !accepts(child) else { return }
    switch child {
    case .leaf(let element): trap("BranchNode: it takes \(rule.name), and not the leaf \(element).")
    case .node(let node): trap("BranchNode: it takes \(rule.name), and not a \(type(of: node)).")
    }
  }
}
