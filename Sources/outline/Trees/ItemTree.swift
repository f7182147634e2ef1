import Assemblage

/// What stands in one place of a tree, by a number that the tree gives it: 4 bytes, whatever it is.
struct Item: Hashable, Sendable {
  var number: UInt32

  init(_ number: Int) { self.number = UInt32(number) }

  var index: Int { Int(number) }
}

/// Something that can be outlined: directories, a list of paths, a JSON document.
///
/// The items are numbers into flat columns, so that a tree of millions costs no object each. `RowStream` puts the
/// library's nodes above as much of it as is shown at a time.
protocol ItemTree: AnyObject {
  /// Where the top rows are.
  var extent: Extent { get }

  /// What is shown; nil for everything.
  var filter: ItemFilter? { get }

  /// Whether something can stand below an item, which is told without looking.
  func isBranch(_ item: Item) -> Bool

  /// Whether something stands below an item, or may, where that is not known without looking; always the same answer.
  func mayHaveChildren(_ item: Item) -> Bool

  /// The children of a branch in the order in which they are shown, asked for as late as possible.
  func children(of item: Item) -> [Item]

  /// Whether `item`, which comes somewhere behind `parent` in depth-first order, is below it.
  func isBelow(_ item: Item, _ parent: Item) -> Bool

  /// About how many items are below one; asked only of trees that come in pieces.
  func weight(of item: Item) -> Int

  // MARK: Words

  /// What stands behind the title, and what stands between the two.
  var headline: String { get }
  var separator: String { get }

  /// A row without its indentation.
  func line(_ row: Row) -> String

  /// What stands at the end.
  func summary(rows: Int) -> String

  /// The members of a JSON object that describe the whole.
  var members: String { get }

  /// The members of the JSON object of a row, but for its children.
  func members(_ row: Row) -> String
}

extension ItemTree {
  var separator: String { "  " }
}

/// Where the top rows of a tree come from.
enum Extent {
  /// A node that has them all.
  case whole(any TreeNode<Item>)
  /// The children of an item whose size is known, so that the rows can come piece by piece.
  case pieces(below: Item)
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
