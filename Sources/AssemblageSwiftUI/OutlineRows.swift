public import Assemblage
public import Foundation

/// The visible rows of an outline, as SwiftUI shows them: a flat list of rows that know their depth.
///
/// ```swift
/// struct FolderList: View {
///   let outline: OutlineNode<File, URL>
///
///   var body: some View {
///     List(OutlineRows(outline)) { row in
///       HStack {
///         if row.hasChildren { Button(row.isExpanded ? "▾" : "▸") { row.isExpanded.toggle() } }
///         Text(row.value.name)
///       }
///       .padding(.leading, 16 * CGFloat(row.depth))
///     }
///   }
/// }
/// ```
///
/// A row is `Identifiable` if its value is. Otherwise pass `id: \.value`, or a property of the value.
///
/// The rows are a value, and tracked, as `Rows` are. The reader is also notified when a row has to be drawn again
/// although its value is the same, as `OutlineNode.observeDrawing(_:)` reports it: the first file arrives in a
/// collapsed folder.
public struct OutlineRows<Element, ID: Hashable & Sendable>: RandomAccessCollection {
  /// The outline that is shown.
  public let outline: OutlineNode<Element, ID>

  private let moment: RowMoment<[OutlineRow<Element>]>

  /// Reads the rows of an outline.
  ///
  /// - Parameter outline: the outline.
  /// - Complexity: O(n) for n rows, if the outline has changed since it was last read; otherwise O(1).
  @MainActor
  public init(_ outline: OutlineNode<Element, ID>) { self.init(outline, delivery: RowDelivery()) }

  /// Reads the rows of an outline.
  ///
  /// - Parameters:
  ///   - outline: the outline.
  ///   - delivery: how the reader is notified.
  @MainActor
  package init(_ outline: OutlineNode<Element, ID>, delivery: RowDelivery) {
    self.outline = outline
    let readers = RowReaders<[OutlineRow<Element>]>.readers(of: outline) { outline.observeDrawingWhileAlive($0) }
    readers.note(RowReading(.rows, delivery))
    moment = readers.moment { outline.rows(in: 0..<outline.count) }
  }

  // MARK: Reading

  /// Always 0.
  public var startIndex: Int { 0 }

  /// The number of visible rows.
  public var endIndex: Int { moment.contents.count }

  /// A row.
  ///
  /// - Parameter position: `0..<count`.
  /// - Precondition: there is such a row, and it has a value.
  /// - Complexity: O(1).
  public subscript(position: Int) -> Row {
    checkRow(position, in: count, of: "OutlineRows")
    guard let value = moment.contents[position].value else { trapMissing(position, of: "OutlineRows") }
    return Row(value: value, rows: self, position: position)
  }

  /// One row of an outline, as it was when the rows were made.
  public struct Row {
    /// The value of the row.
    public let value: Element

    fileprivate let rows: OutlineRows
    fileprivate let position: Int

    private var look: OutlineRow<Element> { rows.moment.contents[position] }

    /// The number of ancestors that have a row: 0 for the children of the root.
    public var depth: Int { look.depth }

    /// Whether there is something to expand.
    public var hasChildren: Bool { look.hasChildren }

    /// Whether the row's children are visible.
    ///
    /// The getter says how it was. The setter expands or collapses the row in the outline, as a choice of the user;
    /// where the row has left, nothing happens.
    public var isExpanded: Bool {
      get { look.isExpanded }
      nonmutating set {
        guard let row = rows.moment.present(position) else { return }
        if newValue { rows.outline.expand(row: row) } else { rows.outline.collapse(row: row) }
      }
    }
  }

  // MARK: Editing

  /// Removes rows, with all below them, in one transaction, as `onDelete(perform:)` asks for it.
  ///
  /// - Parameter offsets: positions of these rows.
  /// - Precondition: there are such rows, and the tree can be written.
  /// - Complexity: O(log n) for each row, and the propagation.
  public func remove(atOffsets offsets: IndexSet) {
    checkRows(offsets, in: count, of: "OutlineRows")
    outline.remove(atOffsets: moment.present(offsets))
  }

  /// Moves rows, with all below them, before another row as its siblings, in one transaction, as `onMove(perform:)`
  /// asks for it.
  ///
  /// A row that lies below another moved row moves with it. A row does not move into itself.
  ///
  /// - Parameters:
  ///   - source: positions of these rows.
  ///   - destination: the position of the row that follows them afterwards, before the move; `count`: the end of the
  ///     root.
  /// - Precondition: there are such rows, and the tree can be written.
  /// - Complexity: O(log n) for each row, and the propagation.
  public func move(fromOffsets source: IndexSet, toOffset destination: Int) {
    checkRows(source, in: count, of: "OutlineRows")
    checkDestination(destination, in: count, of: "OutlineRows")
    let rows = moment.present(source)
    outline.move(fromOffsets: rows, toOffset: moment.present(destination..<count) ?? outline.count)
  }
}

@available(*, unavailable)
extension OutlineRows: Sendable {}

@available(*, unavailable)
extension OutlineRows.Row: Sendable {}

extension OutlineRows: Equatable {
  /// Whether both are rows of the same outline, which has not changed between them.
  ///
  /// - Complexity: O(1).
  public static func == (left: OutlineRows, right: OutlineRows) -> Bool { left.moment === right.moment }
}

extension OutlineRows.Row: Identifiable where Element: Identifiable {
  /// The id of the value.
  public var id: Element.ID { value.id }
}
