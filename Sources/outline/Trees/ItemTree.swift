import Assemblage

/// What stands in one place of a tree, by a number that the tree gives it: 4 bytes, whatever it is.
struct Item: Hashable, Sendable {
  var number: UInt32

  init(_ number: Int) { self.number = UInt32(number) }

  var index: Int { Int(number) }
}

/// Something that can be outlined: directories, a list of paths, a JSON document.
///
/// The items are numbers into flat columns, so that a tree of millions costs no object each.
protocol ItemTree: AnyObject {
  /// The tree as one of the library's nodes.
  var node: any TreeNode<Item> { get }

  /// Whether everything has been read; otherwise it is read when it is asked for.
  var isKnown: Bool { get }

  /// What is shown; nil for everything.
  var filter: ItemFilter? { get }

  /// Whether something can stand below an item, which is told without looking.
  func isBranch(_ item: Item) -> Bool

  // MARK: Words

  /// Writes what stands behind the title.
  func writeHeadline(to output: inout OutputText)

  /// What stands between the title and the headline.
  var separator: String { get }

  /// Writes a row without its indentation.
  func writeLine(_ row: Row, to output: inout OutputText)

  /// What stands at the end.
  func summary(rows: Int) -> String

  /// Writes the members of a JSON object that describe the whole.
  func writeMembers(to output: inout OutputText)

  /// Writes the members of the JSON object of a row, but for its children.
  func writeMembers(_ row: Row, to output: inout OutputText)
}

extension ItemTree {
  var separator: String { "  " }
}

/// Which items are shown.
struct ItemFilter {
  let policy: TreeFilterPolicy
  let predicate: (Item) -> Bool
}

/// A visible row.
struct Row {
  let item: Item
  /// The item above; nil where several directories are shown as one list.
  let parent: Item?
  /// The number of rows above it.
  let number: Int
  /// The number of ancestors that have a row.
  let depth: Int
  /// Whether it is a branch whose children are shown.
  let isOpened: Bool
}
