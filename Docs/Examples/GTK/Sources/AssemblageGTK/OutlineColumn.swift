public import Assemblage
public import AssemblageWidgets
import CGTK

/// A column: its title, its width, and the cells that show its rows.
public struct OutlineColumn<Element> {
  let title: String
  let isFirst: Bool
  let width: Int?
  let cells: CellFactory<OutlineRow<Element>, ListCell>
  let makeCell: (String) -> ListCell

  /// Creates a column.
  ///
  /// - Parameters:
  ///   - title: the text of its header; a click on the header asks for another order.
  ///   - width: the width in pixels; nil: all the width that the other columns leave.
  ///   - cells: chooses and fills the cell of a row.
  ///   - makeCell: makes a cell for a reuse identifier; an `OutlineCell` is indented, and expands and collapses its
  ///     row.
  public init(
    _ title: String, width: Int? = nil, cells: CellFactory<OutlineRow<Element>, ListCell>,
    makeCell: @escaping (String) -> ListCell
  ) {
    self.title = title
    self.isFirst = width == nil
    self.width = width
    self.cells = cells
    self.makeCell = makeCell
  }
}

/// The order that the user asks for by a click on a header.
public struct ColumnOrder: Equatable {
  /// The number of the column.
  public let column: Int

  /// Whether the largest element is first.
  public let isDescending: Bool

  /// Creates an order.
  ///
  /// - Parameters:
  ///   - column: the number of the column.
  ///   - isDescending: whether the largest element is first.
  public init(column: Int, isDescending: Bool = false) {
    self.column = column
    self.isDescending = isDescending
  }
}

/// The sorters of a column view. They never sort; they find the header that was clicked.
///
/// GTK 4.8 does not report the column and the direction. But its sorter compares by the columns in the order of the
/// clicks, and reverses the result of a descending column. So the probe lets this sorter compare any two objects. The
/// first column that is asked is the clicked one.
final class ColumnOrderProbe {
  private final class Column {
    let number: Int
    unowned let probe: ColumnOrderProbe

    init(_ number: Int, _ probe: ColumnOrderProbe) {
      self.number = number
      self.probe = probe
    }
  }

  private var columns: [Column] = []
  private var asked: Int?

  /// Makes a sorter for the next column; the caller owns the sorter.
  func makeSorter() -> UnsafeMutablePointer<GtkSorter> {
    let column = Column(columns.count, self)
    columns.append(column)
    let sorter = gtk_custom_sorter_new(
      { _, _, data in
        let column = Unmanaged<Column>.fromOpaque(data!).takeUnretainedValue()
        if column.probe.asked == nil { column.probe.asked = column.number }
        return 1
      }, Unmanaged.passUnretained(column).toOpaque(), nil)!
    return UnsafeMutablePointer(sorter)
  }

  /// The order that the clicks in the headers chose; nil: none.
  func order(of sorter: UnsafeMutablePointer<GtkSorter>) -> ColumnOrder? {
    asked = nil
    // Two objects, because the sorter finds an object equal to itself without asking. (G_TYPE_OBJECT is a macro that
    // Swift does not see.)
    let objects = (0..<2).map { _ in g_object_new_with_properties(GType(20 << 2), 0, nil, nil)! }
    defer { for object in objects { g_object_unref(object) } }
    let result = gtk_sorter_compare(sorter, objects[0], objects[1])
    return asked.map { ColumnOrder(column: $0, isDescending: result == GTK_ORDERING_SMALLER) }
  }
}
