public import Assemblage
public import AssemblageWidgets
import CGTK

/// A column: its title, how it is laid out, and which cell shows which row.
public struct OutlineColumn<Element> {
  let title: String
  let isFirst: Bool
  let width: Int?
  let cells: CellFactory<OutlineRow<Element>, ListCell>
  let makeCell: (String) -> ListCell

  /// Creates a column.
  ///
  /// - Parameters:
  ///   - title: what its header says; a click on it asks for another order.
  ///   - width: the width in pixels; nil: all that the others leave.
  ///   - cells: says how a row is shown.
  ///   - makeCell: makes a cell for a reuse identifier; an `OutlineCell` is indented, and unfolds its row.
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

  /// Whether the largest comes first.
  public let isDescending: Bool

  /// Creates an order.
  ///
  /// - Parameters:
  ///   - column: the number of the column.
  ///   - isDescending: whether the largest comes first.
  public init(column: Int, isDescending: Bool = false) {
    self.column = column
    self.isDescending = isDescending
  }
}

/// The sorters of a column view, none of which ever sorts: they find out which header was clicked.
///
/// GTK 4.8 does not tell the column and the direction, but its sorter compares by the columns in the order of the
/// clicks, and turns the result where it descends. So it is asked to compare any two objects, and the first column that
/// is asked is the one.
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

  /// A sorter for the next column, which takes it over.
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

  /// The order that a column view's sorter stands for; nil: none.
  func order(of sorter: UnsafeMutablePointer<GtkSorter>) -> ColumnOrder? {
    asked = nil
    // Two objects (G_TYPE_OBJECT is a macro that Swift does not see), for an object equals itself without a question.
    let objects = (0..<2).map { _ in g_object_new_with_properties(GType(20 << 2), 0, nil, nil)! }
    defer { for object in objects { g_object_unref(object) } }
    let result = gtk_sorter_compare(sorter, objects[0], objects[1])
    return asked.map { ColumnOrder(column: $0, isDescending: result == GTK_ORDERING_SMALLER) }
  }
}
