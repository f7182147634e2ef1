package import Assemblage
package import AssemblageSearch

/// How a row of a terminal outline looks, but for its place in the tree.
package struct TerminalRow: Hashable, Sendable {
  /// What is searched, and where matches are highlighted.
  package var label: [TerminalSpan]
  /// What stands right behind it.
  package var note: [TerminalSpan]
  /// What stands at the right edge.
  package var detail: [TerminalSpan]
  /// Whether it may be expanded, also where nothing below it is known yet.
  package var mayHaveChildren: Bool

  package init(
    label: [TerminalSpan], note: [TerminalSpan] = [], detail: [TerminalSpan] = [], mayHaveChildren: Bool = false
  ) {
    self.label = label
    self.note = note
    self.detail = detail
    self.mayHaveChildren = mayHaveChildren
  }
}

/// What is left out of a terminal outline.
package struct TerminalHiding: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let hidden = TerminalHiding(rawValue: 1)
  package static let ignored = TerminalHiding(rawValue: 2)
}

/// An order of siblings that a user can choose.
package struct TerminalOrder<Element> {
  package let key: Character
  package let name: String
  /// Whether the first comes before the second; nil where that is the order of the source.
  package let areInIncreasingOrder: ((Element, Element) -> Bool)?

  package init(_ key: Character, _ name: String, _ areInIncreasingOrder: ((Element, Element) -> Bool)?) {
    self.key = key
    self.name = name
    self.areInIncreasingOrder = areInIncreasingOrder
  }
}

/// The nodes that a terminal outline shows, and what it has to know of their elements.
///
///     source ──▶ TreeFilterNode ──▶ TreeSortNode ──▶ OutlineNode ──▶ ListCoordinator ──▶ TerminalOutline
///       └──▶ TextIndex
///
/// The nodes are made by the owner, where the element's type is known, so that their loops are compiled for it.
package struct TerminalContents<Element, ID: Hashable & Sendable> {
  package let filter: TreeFilterNode<Element>
  package let sort: TreeSortNode<Element>
  package let rows: OutlineNode<Element, ID>
  package let id: (Element) -> ID
  /// What is searched.
  package let text: (Element) -> String
  package let row: (Element) -> TerminalRow

  /// The element above another one, which searches look at, too; nil at the top.
  package var parent: (Element) -> Element? = { _ in nil }
  /// What an element is called on the way to others.
  package var name: (Element) -> String
  /// Makes an index of the filter's source, in which what is left out has no text.
  package var makeIndex: (TerminalHiding) -> TextIndex<Element>
  /// Whether an element is shown, by itself and by what is above it.
  package var isShown: (Element, TerminalHiding) -> Bool = { _, _ in true }
  /// Told what is left out from now on: at first, and with each key that changes it.
  package var hides: (TerminalHiding) -> Void = { _ in }
  /// The kinds of elements that a user can show and hide.
  package var hidings: TerminalHiding = []
  package var orders: [TerminalOrder<Element>] = []
  /// The order of the source as a comparator, which an order without one is the reverse of.
  package var sourceOrder: ((Element, Element) -> Bool)?
  /// What stands in the first line while an element is the current one.
  package var title: (Element?) -> String = { _ in "" }
  /// What stands in the last line: counts and sizes of what is not left out.
  package var summary: () -> String = { "" }
  /// How many elements there are that are not left out, as far as they are known.
  package var total: () -> Int = { 0 }
  /// How many elements are left out.
  package var hiddenTotal: () -> Int = { 0 }
  /// What is being read; nil when that is done.
  package var progress: () -> String? = { nil }
  /// Told that an element was expanded.
  package var look: (Element) -> Void = { _ in }
  /// Whether elements have values that can be printed beside their paths.
  package var hasValues = false
  /// Whether elements can be opened in an editor.
  package var hasFiles = false

  package init(
    filter: TreeFilterNode<Element>, sort: TreeSortNode<Element>, rows: OutlineNode<Element, ID>,
    id: @escaping (Element) -> ID, text: @escaping (Element) -> String, row: @escaping (Element) -> TerminalRow,
    makeIndex: @escaping (TerminalHiding) -> TextIndex<Element>
  ) {
    self.filter = filter
    self.sort = sort
    self.rows = rows
    self.id = id
    self.text = text
    name = text
    self.row = row
    self.makeIndex = makeIndex
  }
}

/// What the owner of a terminal outline has to do.
package enum TerminalAction<ID: Hashable & Sendable>: Hashable, Sendable {
  /// What of an element is printed or copied.
  package enum Part: Hashable, Sendable { case path, value }

  case choose([ID], Part)
  case copy([ID], Part)
  case edit([ID])
  case page(ID)
  case run(String, [ID])
  case reload
  case redraw
  case suspend
  case quit
  case interrupt
}

@available(*, unavailable)
extension TerminalContents: Sendable {}

@available(*, unavailable)
extension TerminalOrder: Sendable {}
