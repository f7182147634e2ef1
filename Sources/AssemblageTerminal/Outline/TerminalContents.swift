package import Assemblage
package import AssemblageSearch

/// The look of a row of a terminal outline, without its place in the tree.
package struct TerminalRow: Hashable, Sendable {
  /// The text that is searched and in which matches are highlighted.
  package var label: [TerminalSpan]
  /// The text directly behind the label.
  package var note: [TerminalSpan]
  /// The text at the right edge.
  package var detail: [TerminalSpan]
  /// Whether the row may be expanded, even if none of its descendants is known yet.
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

/// The kinds of elements that a terminal outline leaves out.
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
  /// Whether the first element is ordered before the second; nil for the order of the source.
  package let areInIncreasingOrder: ((Element, Element) -> Bool)?

  package init(_ key: Character, _ name: String, _ areInIncreasingOrder: ((Element, Element) -> Bool)?) {
    self.key = key
    self.name = name
    self.areInIncreasingOrder = areInIncreasingOrder
  }
}

/// The nodes that a terminal outline shows, and the properties of their elements that it needs.
///
///     source ──▶ TreeFilterNode ──▶ TreeSortNode ──▶ OutlineNode ──▶ ListCoordinator ──▶ TerminalOutline
///       └──▶ TextIndex
///
/// The owner makes the nodes, because the owner knows the element's type. So their loops are specialized for that type.
package struct TerminalContents<Element, ID: Hashable & Sendable> {
  package let filter: TreeFilterNode<Element>
  package let sort: TreeSortNode<Element>
  package let rows: OutlineNode<Element, ID>
  package let id: (Element) -> ID
  /// Returns the text that is searched.
  package let text: (Element) -> String
  package let row: (Element) -> TerminalRow

  /// Returns the parent of an element, which searches check, too; nil at the top.
  package var parent: (Element) -> Element? = { _ in nil }
  /// Returns the name of an element for searches that check it as an ancestor of other elements.
  package var name: (Element) -> String
  /// Makes an index of the filter's source, in which elements that are left out have no text.
  package var makeIndex: (TerminalHiding) -> TextIndex<Element>
  /// Whether the element itself and its ancestors are all shown.
  package var isShown: (Element, TerminalHiding) -> Bool = { _, _ in true }
  /// Receives the kinds of elements that are left out from now on: at first, and after each key that changes them.
  package var hides: (TerminalHiding) -> Void = { _ in }
  /// The kinds of elements that a user can show and hide.
  package var hidings: TerminalHiding = []
  package var orders: [TerminalOrder<Element>] = []
  /// The order of the source as a comparator.
  ///
  /// The reverse of an order without a comparator uses this comparator.
  package var sourceOrder: ((Element, Element) -> Bool)?
  /// The text of the first line while an element is the current one.
  package var title: (Element?) -> String = { _ in "" }
  /// The text of the line below the title; empty for no such line.
  package var header = ""
  /// The text before a search; nil for `/`.
  package var prompt: String?
  /// The user's own commands; of several commands for one key, the last one counts.
  package var bindings: [TerminalBinding] = []
  /// The text of the last line: counts and sizes of the elements that are not left out.
  package var summary: () -> String = { "" }
  /// The number of elements that are not left out, as far as they are known.
  package var total: () -> Int = { 0 }
  /// The number of elements that are left out.
  package var hiddenTotal: () -> Int = { 0 }
  /// A description of the reading in progress; nil when nothing is being read.
  package var progress: () -> String? = { nil }
  /// Is called when an element was expanded.
  package var look: (Element) -> Void = { _ in }
  /// Returns the contents of an element, as far as they fit into a space; nil without previews.
  package var preview: ((Element, TerminalSize) -> TerminalPreview)?
  /// Whether elements have values that can be printed beside their paths.
  package var hasValues = false
  /// Returns the name with which the line for another name begins; nil for a name that cannot be typed.
  package var typedName: (Element) -> String?
  /// Returns the element with an id, which may have no row; nil if the element is gone.
  package var element: (ID) -> Element? = { _ in nil }
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
    typedName = text
    self.row = row
    self.makeIndex = makeIndex
  }
}

/// A task for the owner of a terminal outline.
package enum TerminalAction<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The part of an element that is printed or copied.
  package enum Part: Hashable, Sendable { case path, value }

  case choose([ID], Part)
  case copy([ID], Part)
  case edit([ID])
  case page(ID)
  /// A command of the shell that was typed.
  case run(String, [ID])
  /// A command of the shell that belongs to a key.
  case runBound(String, [ID])
  case name(TerminalNaming<ID>, String)
  case delete([ID], TerminalDeletion)
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
