public import Assemblage

/// Prints the index spaces of a node's graph: every node with its children, and their places in the sources.
///
/// ```swift
/// let family = ArrayNode(["Dad", "Mum"])
/// let friends = ArrayNode(["Best mate", "Bo"])
/// print(TreeDump(of: FilterNode(JoinNode([family, friends])) { $0.count < 4 && $0 != "Dad" }))
/// ```
///
/// This prints
///
/// ```text
/// #1 FilterNode (2 children)
///    shows 2 of 4 children of #2 at 0..<2
///    [0] ← #2[1] ← #3[1]: Mum
///    [1] ← #2[3] ← #4[1]: Bo
/// #2 JoinNode (4 children)
///    shows 2 of 2 children of #3 at 0..<2
///    shows 2 of 2 children of #4 at 2..<4
///    [0] ← #3[0]: Dad
///    [1] ← #3[1]: Mum
///    [2] ← #4[0]: Best mate
///    [3] ← #4[1]: Bo
/// #3 ArrayNode (2 children)
///    [0]: Dad
///    [1]: Mum
/// #4 ArrayNode (2 children)
///    [0]: Best mate
///    [1]: Bo
/// ```
///
/// Each node is printed once, with the number by which other nodes refer to it. A child that is a node is followed by
/// the size of its subtree and its offset. The offset is the number of places below the parent that lie before the
/// child, counted at every depth. Any node can be printed. The places in the sources are known for nodes that conform
/// to `SourceView` or `PositionMapping`.
public struct TreeDump: CustomStringConvertible {
  /// The text.
  public let description: String

  /// Prints a node, all nodes below, and all nodes that these are known to derive from.
  ///
  /// - Parameters:
  ///   - node: the node to start from.
  ///   - childLimit: the number of children to print of each node, at least 0; the others are only counted.
  /// - Complexity: O(n) look-ups for the n children of all these nodes.
  public init<Element>(of node: any TreeNode<Element>, childLimit: Int = 20) {
    precondition(childLimit >= 0, "The limit \(childLimit) of children is negative.")
    var writer = TreeDumpWriter(childLimit: childLimit, root: node)
    description = writer.write()
  }
}
