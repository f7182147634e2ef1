public import Assemblage

/// What a coordinator needs of a widget: a `ListWidget` or an `OutlineWidget`.
///
/// A coordinator calls the widget from where its node is changed, so in the widget's isolation if the node belongs to it.
/// While it does, and at any other time, the widget asks the coordinator for what it has to show.
public protocol CoordinatedWidget: AnyObject {
  /// Asks the coordinator for everything again, at once or when it next needs it.
  ///
  /// Afterwards the coordinator calls `shownCount(at:)` with [], so that a widget which asks late counts its rows now.
  func reload()

  /// Shows the changes of one stage.
  ///
  /// Until the widget calls `commit`, the coordinator answers for the tree before this stage; afterwards, for the tree after it:
  ///
  /// ```swift
  /// table.performBatchUpdates {
  ///   commit()
  ///   table.deleteRows(at: batch.rows(\.deletions), with: .automatic)
  ///   …
  /// }
  /// ```
  ///
  /// So a view may count its rows when its update begins, and again when it ends. Where the widget asks for rows when an
  /// animation ends, it must have asked for all that it needs by then: the next stage may follow at once.
  ///
  /// - Parameters:
  ///   - batch: the stage.
  ///   - commit: lets the coordinator answer for the tree after this stage. The widget calls it once before it returns;
  ///     otherwise the coordinator traps.
  func perform(_ batch: ChangeSet.Batch, commit: @escaping () -> Void)

  /// How many children of an element it shows, or would show if it unfolded them.
  ///
  /// A view that asks late may ask the coordinator here.
  ///
  /// - Parameter path: [], or the path of an element that it shows.
  /// - Returns: the number; nil where it has never asked for it, as of a row that was never unfolded.
  func shownCount(at path: IndexPath) -> Int?

  /// Where it is scrolled to; nil where it shows no row, or does not scroll.
  ///
  /// The coordinator reads it before it updates the widget and sets it afterwards: so what the user looks at stays in its place.
  /// Its `keepsPosition` says when. A widget that the user scrolls at the moment may ignore it.
  var scrollPosition: WidgetScrollPosition? { get set }

  /// Asks the coordinator which of the rows on the screen are selected: others are than before.
  ///
  /// It is not called in the middle of an update. What updates bring is asked for anyway.
  func showSelection()
}

extension CoordinatedWidget {
  /// Does nothing: the widget keeps its place by itself, or does not scroll.
  public var scrollPosition: WidgetScrollPosition? {
    get { nil }
    set {}
  }

  /// Does nothing: the widget does not show what is selected.
  public func showSelection() {}
}

/// A table or collection view: a widget that shows rows in sections.
///
/// A list without sections is one section, 0. Paths of one component are sections, those of two are rows.
public protocol ListWidget: CoordinatedWidget {
  /// Whether it is changed by calls, one after the other (`ChangeSet.Batch.calls`); otherwise a batch happens at once, by the
  /// rules of table and collection views: see `ChangeSet.stages(for:)`.
  var takesCalls: Bool { get }
}

extension ListWidget {
  /// False: batches happen at once.
  public var takesCalls: Bool { false }
}

/// A list without sections whose rows come and go in ranges: what changes is one `Delta`, and no path is made for a row.
///
/// A batch for table and collection views names each row. Where a million rows come at once, as below a folder that is expanded,
/// a widget that takes ranges, as `GtkListView` does, has no need of them: see `RowSplices`.
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
/// It is the widget of a `ListCoordinator`; one with sections traps. The coordinator's `reloadLimit` counts ranges here, not rows.
public protocol RowsWidget: ListWidget {
  /// Shows a change of the rows.
  ///
  /// Until the widget calls `commit`, the coordinator answers for the rows before the change; afterwards, for those after it.
  ///
  /// - Parameters:
  ///   - change: what happened to the rows, as the positions of the node's children.
  ///   - commit: lets the coordinator answer for the rows after the change. The widget calls it once before it returns;
  ///     otherwise the coordinator traps.
  func perform(_ change: Delta, commit: @escaping () -> Void)
}

extension RowsWidget {
  /// Traps: a `ListCoordinator` calls the other form.
  public func perform(_ batch: ChangeSet.Batch, commit: @escaping () -> Void) {
    fatalError("A \(type(of: self)) shows no sections: it is the widget of a ListCoordinator.")
  }
}

/// An outline: a widget that shows a tree, and unfolds its rows by itself.
///
/// It is changed by calls, one after the other: see `ChangeSet.Batch.calls`. Those for children of rows that it has never unfolded
/// it may leave out.
public protocol OutlineWidget: CoordinatedWidget {}

/// When the first visible row of a widget stays in its place while rows come and leave.
///
/// ```swift
/// messages.keepsPosition = .always      // new messages come above, out of sight, also for a reader of the first one
/// ```
public enum PositionKeeping: Hashable, Sendable {
  /// Always.
  case always
  /// Unless all of the very first row is visible: then a new row above it is seen.
  case unlessAtTop
  /// Never: the widget is scrolled by nobody but the user.
  case never
}

/// Where a widget is scrolled to: its first visible row, and where that stands.
public struct WidgetScrollPosition: Hashable, Sendable {
  /// The path of the first row that is visible.
  public var path: IndexPath

  /// How far the row's upper edge is below that of the visible region, in the widget's units; negative where it is cut off.
  public var offset: Double

  /// Creates a position.
  ///
  /// - Parameters:
  ///   - path: the path of the first row that is visible.
  ///   - offset: how far its upper edge is below that of the visible region, in the widget's units.
  public init(path: IndexPath, offset: Double = 0) {
    self.path = path
    self.offset = offset
  }
}
