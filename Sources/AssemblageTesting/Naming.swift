import Assemblage

/// The name of a node in messages.
func name(of node: any TreeNode) -> String { node.description }

/// A value in messages, or `none`.
func text<Element>(_ value: Element?) -> String { value.map { "\($0)" } ?? "none" }

/// A number with the word that it counts.
func counted(_ number: Int, _ word: String, _ plural: String? = nil) -> String {
  "\(number) \(number == 1 ? word : plural ?? word + "s")"
}

extension Sequence<Int> {
  /// The components in brackets.
  var bracketed: String { "[" + map(String.init).joined(separator: ", ") + "]" }
}
