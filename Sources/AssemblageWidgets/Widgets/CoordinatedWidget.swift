public import Assemblage

/// The interface that a coordinator needs from a widget: a `ListWidget` or an `OutlineWidget`.
///
/// A coordinator calls the widget from the place where its node is changed. So the call happens in the widget's
/// isolation if the node belongs to this isolation. During a call, and at any other time, the widget asks the
/// coordinator for its counts and elements.
public protocol CoordinatedWidget: AnyObject {
  /// Asks the coordinator for all counts and elements again, at once or when the widget next needs them.
  ///
  /// Afterwards the coordinator calls `shownCount(at:)` with [], so that a widget which asks late counts its rows now.
  func reload()

  /// Applies the changes of one stage.
  ///
  /// Until the widget calls `commit`, the coordinator answers for the tree before this stage. Afterwards, the
  /// coordinator answers for the tree after this stage:
  ///
  /// ```swift
  /// table.performBatchUpdates {
  ///   commit()
  ///   table.deleteRows(at: batch.rows(\.deletions), with: .automatic)
  ///   …
  /// }
  /// ```
  ///
  /// So a view may count its rows when its update begins, and again when it ends. A widget that asks for rows only at
  /// the end of an animation asks too late: the next stage may follow at once. Such a widget must ask for all rows
  /// before this method returns.
  ///
  /// The widget may change nodes when it asks for rows after the update. It changes none before it has counted its rows
  /// again.
  ///
  /// - Parameters:
  ///   - batch: the stage.
  ///   - commit: lets the coordinator answer for the tree after this stage. The widget calls it once before it returns;
  ///     otherwise the coordinator traps.
  func perform(_ batch: ChangeSet.Batch, commit: @escaping () -> Void)

  /// The number of children of an element that the widget shows, or would show if the element were unfolded.
  ///
  /// A view that asks late may ask the coordinator here.
  ///
  /// - Parameter path: [], or the path of an element that the widget shows.
  /// - Returns: the number; nil if the widget has never asked for the number, for example of a row that was never
  ///   unfolded.
  func shownCount(at path: IndexPath) -> Int?

  /// The scroll position of the widget; nil if the widget shows no row, or does not scroll.
  ///
  /// The coordinator reads the position before an update and sets it afterwards, so that the visible rows stay in their
  /// place. The coordinator's `keepsPosition` decides when. A widget that the user scrolls at the moment may ignore the
  /// new position.
  var scrollPosition: WidgetScrollPosition? { get set }

  /// Asks the coordinator which of the visible rows are selected, because the selection has changed.
  ///
  /// The coordinator does not call this method in the middle of an update. The widget asks for rows that arrive in an
  /// update anyway.
  func showSelection()
}

extension CoordinatedWidget {
  /// Does nothing: the widget keeps its scroll position by itself, or does not scroll.
  public var scrollPosition: WidgetScrollPosition? {
    get { nil }
    set {}
  }

  /// Does nothing: the widget does not show the selection.
  public func showSelection() {}
}

/// A table or collection view: a widget that shows rows in sections.
///
/// A list without sections has one section, 0. A path with one component is a section, and a path with two components
/// is a row.
public protocol ListWidget: CoordinatedWidget {
  /// Whether the widget applies a batch as calls, one after the other (`ChangeSet.Batch.calls`).
  ///
  /// Otherwise the widget applies a batch at once, by the rules of table and collection views: see
  /// `ChangeSet.stages(for:)`.
  var isSequential: Bool { get }
}

extension ListWidget {
  /// False: the widget applies each batch at once.
  public var isSequential: Bool { false }
}

/// A list without sections whose rows arrive and leave in ranges: each change is one `Delta`, and no path is made for a
/// row.
///
/// A batch for table and collection views contains a path for each row. A million rows may arrive at once, for example
/// below a folder that is expanded. A widget with ranges, for example `GtkListView`, does not need their paths: see
/// `RowSplices`.
///
/// ```swift
/// final class Rows: RowsWidget {
///   func perform(_ change: Delta, commit: @escaping () -> Void) {
///     commit()
///     for splice in RowSplices(change) { … }
///     for row in change.updates.joined() { … }
///   }
/// }
/// ```
///
/// Such a widget belongs to a `ListCoordinator`. A coordinator with sections traps. The coordinator's `reloadLimit`
/// counts ranges here, not rows.
public protocol RowsWidget: ListWidget {
  /// Applies a change of the rows.
  ///
  /// Until the widget calls `commit`, the coordinator answers for the rows before the change; afterwards, for the rows
  /// after the change.
  ///
  /// - Parameters:
  ///   - change: the change of the rows, as positions of the node's children.
  ///   - commit: lets the coordinator answer for the rows after the change. The widget calls it once before it returns;
  ///     otherwise the coordinator traps.
  func perform(_ change: Delta, commit: @escaping () -> Void)
}

extension RowsWidget {
  /// Traps, because a `ListCoordinator` calls the method with a `Delta`.
  public func perform(_ batch: ChangeSet.Batch, commit: @escaping () -> Void) {
    fatalError("A \(type(of: self)) shows no sections: it is the widget of a ListCoordinator.")
  }
}

/// An outline: a widget that shows a tree, and unfolds its rows by itself.
///
/// The widget applies a batch as calls, one after the other: see `ChangeSet.Batch.calls`. The widget may leave out the
/// calls for children of rows that were never unfolded.
public protocol OutlineWidget: CoordinatedWidget {}

/// When the first visible row of a widget stays in its place while rows arrive and leave.
///
/// ```swift
/// messages.keepsPosition = .always      // new messages come above, out of sight, also for a reader of the first one
/// ```
public enum PositionKeeping: Hashable, Sendable {
  /// Always.
  case always
  /// Unless the very first row is completely visible. Then a new row above this row becomes visible.
  case unlessAtTop
  /// Never: only the user scrolls the widget.
  case never
}

/// The scroll position of a widget: its first visible row, and the offset of this row.
public struct WidgetScrollPosition: Hashable, Sendable {
  /// The path of the first row that is visible.
  public var path: IndexPath

  /// The distance of the row's upper edge below the upper edge of the visible region, in the widget's units. Negative
  /// if the row is cut off.
  public var offset: Double

  /// Creates a position.
  ///
  /// - Parameters:
  ///   - path: the path of the first row that is visible.
  ///   - offset: the distance of the row's upper edge below the upper edge of the visible region, in the widget's
  ///     units.
  public init(path: IndexPath, offset: Double = 0) {
    self.path = path
    self.offset = offset
  }
}
