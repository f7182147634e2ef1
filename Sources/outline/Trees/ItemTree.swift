import Assemblage

/// An element of a tree, as a number that the tree assigns: 4 bytes for every kind of element.
struct Item: Hashable, Sendable {
  var number: UInt32

  init(_ number: Int) { self.number = UInt32(number) }

  var index: Int { Int(number) }
}

/// A subject of an outline: directories, a list of paths, a JSON document.
///
/// The items are numbers into flat columns, so that a tree of millions of elements needs no object for each element.
protocol ItemTree: AnyObject {
  /// The tree as one of the library's nodes.
  var node: any TreeNode<Item> { get }

  /// Whether everything has been read; otherwise the tree reads elements on request.
  var isKnown: Bool { get }

  /// The filter of the visible items; nil shows everything.
  var filter: ItemFilter? { get }

  /// Whether an item matches the filter; true without a filter. With a filter, everything has been read.
  var hasMatches: Bool { get }

  /// Whether an item may have children.
  ///
  /// The answer needs no look at the children.
  func isBranch(_ item: Item) -> Bool

  // MARK: Words

  /// Writes the text behind the title.
  func writeHeadline(to output: inout OutputText)

  /// The text between the title and the headline.
  var separator: String { get }

  /// Writes the columns before the indentation of a row.
  func writeColumns(_ item: Item, to output: inout OutputText)

  /// Writes a row without its indentation.
  func writeLine(_ row: Row, to output: inout OutputText)

  /// The text at the end of the output.
  func summary(rows: Int) -> String

  /// Writes the members of a JSON object that describe the whole tree.
  func writeMembers(to output: inout OutputText)

  /// Writes the members of the JSON object of a row, except its children.
  func writeMembers(_ row: Row, to output: inout OutputText)
}

extension ItemTree {
  var separator: String { "  " }
  func writeColumns(_ item: Item, to output: inout OutputText) {}
}

/// Decides which items are shown.
struct ItemFilter {
  let policy: TreeFilterPolicy
  let predicate: (Item) -> Bool
}

/// A visible row.
struct Row {
  let item: Item
  /// The parent; nil at the top, where several directories may form one list.
  let parent: Item?
  /// The number of rows above this row.
  let number: Int
  /// The number of ancestors that have a row.
  let depth: Int
  /// Whether the row is a branch whose children are shown.
  let isOpened: Bool
}
