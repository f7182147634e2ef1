import Assemblage

/// An element written as "id<parent", or "id".
struct NestItem: Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
  var id: Character
  var parent: Character?

  init(stringLiteral text: String) {
    id = text.first!
    parent = text.count > 1 ? text.last! : nil
  }

  var description: String { "\(id)" }

  static func nest(_ items: ArrayNode<NestItem>) -> NestNode<NestItem, Character> {
    NestNode(items, id: \.id, parent: \.parent)
  }

  /// Returns the tree as a text, for example "a(b c(d)) e".
  static func text(_ node: any TreeNode<NestItem>) -> String {
    (0..<node.count).map { position in
      let child = node.child(at: position)
      return "\(node.element(at: position)!)" + (child.map { "(\(text($0)))" } ?? "")
    }.joined(separator: " ")
  }
}
