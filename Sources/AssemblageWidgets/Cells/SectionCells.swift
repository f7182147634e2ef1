public import Assemblage

/// The cells, headers and footers of sections, in one place.
///
/// ```swift
/// var cells = TableCells<Person>()      // of AssemblageUIKit
/// cells.rows.register(.nib(PersonCell.self)) { cell, person in cell.nameLabel.text = person.name }
/// cells.headers.register(.class(TitleView.self)) { view, person in view.title = person.team }
/// adapter = TableViewAdapter(table, SectionedListCoordinator(teams), cells: cells)
/// ```
///
/// A section can have its own cells. They are set for the node of the section:
///
/// ```swift
/// var guests = TableCells<Person>()
/// guests.rows.register(.class(GuestCell.self)) { cell, person in cell.name = person.name }
/// cells[waitingList] = guests
/// ```
///
/// The element of a header is `header(ofSection:)` of the coordinator, and the element of a footer is
/// `footer(ofSection:)`. A section without this element has no header or footer. A factory without registrations makes
/// no header or footer.
public struct SectionCells<Element, Cell, Supplement> {
  /// The cells of the rows.
  public var rows: CellFactory<Element, Cell>

  /// The headers.
  public var headers: CellFactory<Element, Supplement>

  /// The footers.
  public var footers: CellFactory<Element, Supplement>

  /// By the node, which is kept alive so that no other node gets its identifier.
  private var ofNodes: [ObjectIdentifier: (node: any TreeNode, cells: Self)] = [:]

  /// Creates the cells of sections.
  ///
  /// - Parameters:
  ///   - rows: the cells of the rows.
  ///   - headers: the headers.
  ///   - footers: the footers.
  public init(
    rows: CellFactory<Element, Cell> = CellFactory(), headers: CellFactory<Element, Supplement> = CellFactory(),
    footers: CellFactory<Element, Supplement> = CellFactory()
  ) {
    self.rows = rows
    self.headers = headers
    self.footers = footers
  }

  /// The cells, headers and footers of one section; nil: the section has the same as all sections.
  ///
  /// In that section, these cells replace `rows`, `headers` and `footers` completely. The node may also lie behind the
  /// section's node, for example the array behind a sort.
  ///
  /// - Parameter node: the node of a section, or a node behind the section's node. The subscript keeps the node alive.
  public subscript(node: any TreeNode) -> Self? {
    get { ofNodes[ObjectIdentifier(node)]?.cells }
    set { ofNodes[ObjectIdentifier(node)] = newValue.map { (node, $0) } }
  }

  /// The kinds of cells of the rows of all sections, which the widget registers.
  public var rowKinds: [CellKind<Cell>] { rows.kinds + ofNodes.values.flatMap(\.cells.rowKinds) }

  /// The kinds of headers of all sections, which the widget registers.
  public var headerKinds: [CellKind<Supplement>] { headers.kinds + ofNodes.values.flatMap(\.cells.headerKinds) }

  /// The kinds of footers of all sections, which the widget registers.
  public var footerKinds: [CellKind<Supplement>] { footers.kinds + ofNodes.values.flatMap(\.cells.footerKinds) }

  /// The cells of the innermost of these nodes that has its own cells; otherwise the cells of all sections.
  func cells(behind places: () -> [NodePlace]) -> Self {
    if ofNodes.isEmpty { return self }
    return places().reversed().lazy.compactMap { self[$0.node] }.first ?? self
  }
}

extension ListWidgetCoordinator {
  /// The template for the cell of a row.
  ///
  /// - Parameters:
  ///   - path: the path of a row of the widget.
  ///   - cells: the cells of all sections.
  /// - Returns: the template; nil for a row without an element. An element without a registration traps.
  /// - Precondition: the row is not a node with children and without a value. Such a node is a section: a
  ///   `SectionsNode` finds the sections of a tree.
  public func template<Cell, Supplement>(
    at path: IndexPath, in cells: SectionCells<Element, Cell, Supplement>
  ) -> CellFactory<Element, Cell>.Template? {
    cellElement(at: path).map(cells.cells { places(at: path) }.rows.template)
  }

  /// The template for the header of a section.
  ///
  /// - Parameters:
  ///   - section: 0..<the number of sections, as the widget shows them.
  ///   - cells: the headers of all sections.
  /// - Returns: the template; nil for a section without a header, and without registrations.
  public func headerTemplate<Cell, Supplement>(
    ofSection section: Int, in cells: SectionCells<Element, Cell, Supplement>
  ) -> CellFactory<Element, Supplement>.Template? {
    let headers = cells.cells { places(behindSection: section) }.headers
    return headers.isEmpty ? nil : header(ofSection: section).map(headers.template)
  }

  /// The template for the footer of a section.
  ///
  /// - Parameters:
  ///   - section: 0..<the number of sections, as the widget shows them.
  ///   - cells: the footers of all sections.
  /// - Returns: the template; nil for a section without a footer, and without registrations.
  public func footerTemplate<Cell, Supplement>(
    ofSection section: Int, in cells: SectionCells<Element, Cell, Supplement>
  ) -> CellFactory<Element, Supplement>.Template? {
    let footers = cells.cells { places(behindSection: section) }.footers
    return footers.isEmpty ? nil : footer(ofSection: section).map(footers.template)
  }

  /// The node of a section, and the nodes behind this node. A section without rows has them too.
  private func places(behindSection section: Int) -> [NodePlace] {
    guard let path = nodePath(of: [section]), let child = node.child(at: path) else { return [] }
    return NodePlace(child, at: 0).behindInsertion
  }
}

@available(*, unavailable)
extension SectionCells: Sendable {}
