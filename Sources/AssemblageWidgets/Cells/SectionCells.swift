/// The cells, headers and footers of sections, in one place.
///
/// ```swift
/// var cells = TableCells<Person>()      // of AssemblageUIKit
/// cells.rows.register(.nib(PersonCell.self)) { cell, person in cell.nameLabel.text = person.name }
/// cells.headers.register(.class(TitleView.self)) { view, person in view.title = person.team }
/// adapter = TableViewAdapter(table, SectionedListCoordinator(teams), cells: cells)
/// ```
///
/// The element of a header is `header(ofSection:)` of the coordinator, and the element of a footer is `footer(ofSection:)`. A
/// section without this element has no header or footer. A factory without registrations makes none.
public struct SectionCells<Element, Cell, Supplement> {
  /// The cells of the rows.
  public var rows: CellFactory<Element, Cell>

  /// The headers.
  public var headers: CellFactory<Element, Supplement>

  /// The footers.
  public var footers: CellFactory<Element, Supplement>

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
}

@available(*, unavailable)
extension SectionCells: Sendable {}
