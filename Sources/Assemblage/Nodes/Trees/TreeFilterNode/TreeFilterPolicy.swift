/// The elements that a tree filter shows beside those that pass its predicate.
///
/// ```swift
/// let home = BranchNode([.node(BranchNode(value: "apples", leaves: ["red", "green"])), .leaf("red")])
/// let found = TreeFilterNode(home, policy: .keepingAncestors) { $0 == "red" }
/// found.elements                 // ["apples", "red"]
/// found.child(at: 0)?.elements   // ["red"]
/// TreeFilterNode(home, policy: .hidingSubtrees) { $0 == "red" }.elements    // ["red"]: "apples" fails
/// let named = TreeFilterNode(home, policy: .keepingDescendants) { $0 == "apples" }
/// named.child(at: 0)?.elements   // ["red", "green"]
/// ```
public enum TreeFilterPolicy: Hashable, Sendable, Codable, CaseIterable {
  /// Nothing: an element that fails is hidden with everything below it, whatever that is.
  ///
  /// A child without a value passes, as in a `FilterNode`. Only nodes that are read are loaded.
  case hidingSubtrees

  /// The ancestors of those that pass, as a search field needs.
  ///
  /// A child without a value matches nothing, and is shown for matches below it.
  case keepingAncestors

  /// The ancestors of those that pass, and everything below them: the contents of a folder that was found by its name.
  ///
  /// A child without a value matches nothing, and is shown for matches below it or above it.
  case keepingDescendants

  /// Whether a child without a value passes.
  var valueless: Bool { self == .hidingSubtrees }
}
