// Has not been compiled with UIKit, which Linux lacks: see Docs/ShowingANode.md.
#if canImport(UIKit) && !os(watchOS)
  public import Assemblage
  public import AssemblageWidgets
  public import Foundation
  public import UIKit

  /// The cells, headers and footers of the sections of a table.
  public typealias TableCells<Element> = SectionCells<Element, UITableViewCell, UITableViewHeaderFooterView>

  /// Shows the rows of a coordinator in a table view, and performs the user's actions on the coordinator.
  ///
  /// ```swift
  /// var cells = TableCells<Person>()
  /// cells.rows.register(.nib(PersonCell.self)) { cell, person in cell.nameLabel.text = person.name }
  /// cells.headers.register(.class(TeamView.self)) { view, team in view.title = team.name }
  /// adapter = TableViewAdapter(table, SectionedListCoordinator(teams), cells: cells)
  /// ```
  ///
  /// The adapter becomes the table's data source, delegate, drag and drop delegate. None of these keeps the adapter
  /// alive. The adapter keeps the coordinator alive. While the user drags a row, the table shows no changes. On tvOS
  /// there are no drags and no menus.
  @MainActor
  public final class TableViewAdapter<Element>: ForwardingAdapter, UITableViewDataSource, UITableViewDelegate,
    UITableViewDataSourcePrefetching, TableViewDragging
  {
    /// The table.
    public let table: UITableView

    /// The coordinator: it has the rows, and the actions that the user may perform on them.
    public let coordinator: ListWidgetCoordinator<Element>

    /// The animation of rows and sections that are inserted.
    public var insertionAnimation: UITableView.RowAnimation = .automatic

    /// The animation of rows and sections that are removed.
    public var removalAnimation: UITableView.RowAnimation = .automatic

    /// The animation of rows whose new value needs another cell, and of sections with a new header or footer.
    public var reloadAnimation: UITableView.RowAnimation = .automatic

    /// Yields the view above a section without a header of `cells`, by the section's position in the table.
    public var header: (Int) -> UIView? = { _ in nil }

    /// Yields the view below a section without a footer of `cells`, by the section's position in the table.
    public var footer: (Int) -> UIView? = { _ in nil }

    /// Yields the title above a section without a view there, by its header: see `header(ofSection:)` of the
    /// coordinator.
    public var headerTitle: ((Element) -> String?)?

    /// Yields the title below a section without a view there, by its footer: see `footer(ofSection:)` of the
    /// coordinator.
    public var footerTitle: ((Element) -> String?)?

    /// Yields the titles of the index at the table's edge, and the section that each title leads to; nil: there is no
    /// index.
    ///
    /// ```swift
    /// adapter.sectionIndex = {
    ///   results.sectionIndexTitles.enumerated().map { ($1, results.section(forIndexTitleAt: $0)) }
    /// }
    /// ```
    public var sectionIndex: (() -> [(title: String, section: Int)])?

    /// The application's delegate, which receives each call that the adapter does not implement: row heights,
    /// scrolling.
    ///
    /// ```swift
    /// adapter.delegate = self
    /// ```
    ///
    /// The adapter keeps only a weak reference.
    public var delegate: (any UITableViewDelegate)? {
      get { forwardedDelegate as? any UITableViewDelegate }
      set {
        forwardedDelegate = newValue
        becomeDelegate()
      }
    }

    /// The application's data source, which receives each call that neither the adapter nor `delegate` implements.
    ///
    /// The adapter keeps only a weak reference.
    public var dataSource: (any UITableViewDataSource)? {
      get { forwardedDataSource as? any UITableViewDataSource }
      set {
        forwardedDataSource = newValue
        becomeDelegate()
      }
    }

    let cells: TableCells<Element>
    let emptyCell: String
    private let drag: LongAction<Element>
    /// The change of a single selection, from the deselection of one row to the selection of another.
    private let choice: LongAction<Element>
    /// The row that the user moves at the moment, in a table that is edited.
    var reordering: RowReordering?
    /// Whether the table will reload, because the table shows a move that the node has refused or made in another way.
    var isStale = false

    /// Creates an adapter, and lets the table show the coordinator's rows.
    ///
    /// - Parameters:
    ///   - table: the table. Kinds of cells that `cells` has by a reuse identifier are registered there.
    ///   - coordinator: a `ListCoordinator` or a `SectionedListCoordinator`, whose widget the adapter becomes.
    ///   - cells: the cells of the rows.
    ///   - emptyCell: the reuse identifier of the cell of a row without an element.
    public convenience init(
      _ table: UITableView, _ coordinator: ListWidgetCoordinator<Element>,
      cells: CellFactory<Element, UITableViewCell>, emptyCell: String = "empty"
    ) {
      self.init(table, coordinator, cells: TableCells(rows: cells), emptyCell: emptyCell)
    }

    /// Creates an adapter, and lets the table show the coordinator's rows, headers and footers.
    ///
    /// - Parameters:
    ///   - table: the table. Kinds of views that `cells` has by a reuse identifier are registered there.
    ///   - coordinator: a `ListCoordinator` or a `SectionedListCoordinator`, whose widget the adapter becomes.
    ///   - cells: the cells, headers and footers.
    ///   - emptyCell: the reuse identifier of the cell of a row without an element.
    public init(
      _ table: UITableView, _ coordinator: ListWidgetCoordinator<Element>, cells: TableCells<Element>,
      emptyCell: String = "empty"
    ) {
      self.table = table
      self.coordinator = coordinator
      self.cells = cells
      self.emptyCell = emptyCell
      drag = LongAction(coordinator)
      choice = LongAction(coordinator)
      super.init()
      table.register(UITableViewCell.self, forCellReuseIdentifier: emptyCell)
      for kind in cells.rowKinds {
        switch kind.origin {
        case .class: table.register(kind.type, forCellReuseIdentifier: kind.reuseIdentifier)
        case .nib: table.register(kind.nib, forCellReuseIdentifier: kind.reuseIdentifier)
        }
      }
      for kind in cells.headerKinds + cells.footerKinds {
        switch kind.origin {
        case .class: table.register(kind.type, forHeaderFooterViewReuseIdentifier: kind.reuseIdentifier)
        case .nib: table.register(kind.nib, forHeaderFooterViewReuseIdentifier: kind.reuseIdentifier)
        }
      }
      becomeDelegate()
      #if !os(tvOS)
        table.dragInteractionEnabled = true
      #endif
      coordinator.widget = self
    }

    /// Becomes the view's delegate again, because the view asks only then which methods are implemented.
    private func becomeDelegate() {
      (table.dataSource, table.delegate, table.prefetchDataSource) = (nil, nil, nil)
      (table.dataSource, table.delegate, table.prefetchDataSource) = (self, self, self)
      #if !os(tvOS)
        (table.dragDelegate, table.dropDelegate) = (nil, nil)
        (table.dragDelegate, table.dropDelegate) = (self, self)
      #endif
    }

    // MARK: Rows

    public func numberOfSections(in tableView: UITableView) -> Int { coordinator.count(at: []) }

    public func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      coordinator.count(at: [section])
    }

    public func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
      let template = coordinator.template(at: indexPath, in: cells)
      let cell = tableView.dequeueReusableCell(
        withIdentifier: template?.reuseIdentifier ?? emptyCell, for: indexPath)
      template?.configure(cell)
      return cell
    }

    public func tableView(_ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath) {
      if coordinator.isSelected(at: indexPath) {
        tableView.selectRow(at: indexPath, animated: false, scrollPosition: .none)
      }
    }

    public func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView? {
      supplement(coordinator.headerTemplate(ofSection: section, in: cells)) ?? header(section)
    }

    public func tableView(_ tableView: UITableView, viewForFooterInSection section: Int) -> UIView? {
      supplement(coordinator.footerTemplate(ofSection: section, in: cells)) ?? footer(section)
    }

    public func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
      coordinator.header(ofSection: section).flatMap { headerTitle?($0) }
    }

    public func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? {
      coordinator.footer(ofSection: section).flatMap { footerTitle?($0) }
    }

    private func supplement(_ template: CellFactory<Element, UITableViewHeaderFooterView>.Template?) -> UIView? {
      guard let template, let view = table.dequeueReusableHeaderFooterView(withIdentifier: template.reuseIdentifier)
      else { return nil }
      template.configure(view)
      return view
    }

    #if !os(tvOS)
      public func sectionIndexTitles(for tableView: UITableView) -> [String]? { sectionIndex?().map(\.title) }

      public func tableView(
        _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
      ) -> Int {
        let entries = sectionIndex?() ?? []
        return entries.indices.contains(index) ? entries[index].section : 0
      }
    #endif

    public func tableView(_ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath]) {
      coordinator.prefetch(indexPaths, visible: tableView.indexPathsForVisibleRows ?? [])
    }

    // MARK: Editing

    public func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
      // A table that is edited shows the selection only of rows that can be edited.
      if tableView.isEditing, selectsSeveral, coordinator.canSelect(at: indexPath) { return true }
      return coordinator.canDelete(at: indexPath) || coordinator.canMove(at: indexPath)
        || coordinator.hasSwipes(at: indexPath)
    }

    public func tableView(
      _ tableView: UITableView, editingStyleForRowAt indexPath: IndexPath
    ) -> UITableViewCell.EditingStyle {
      coordinator.canDelete(at: indexPath) ? .delete : .none
    }

    public func tableView(
      _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath
    ) {
      if editingStyle == .delete { coordinator.delete(at: indexPath) }
    }

    #if !os(tvOS)
      public func tableView(
        _ tableView: UITableView, leadingSwipeActionsConfigurationForRowAt indexPath: IndexPath
      ) -> UISwipeActionsConfiguration? { coordinator.swipes(at: indexPath, .leading) }

      /// nil if the row has no such actions. Then the table shows the deletion of the row.
      public func tableView(
        _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
      ) -> UISwipeActionsConfiguration? { coordinator.swipes(at: indexPath, .trailing) }
    #endif

    public func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
      coordinator.canMove(at: indexPath)
    }

    public func tableView(
      _ tableView: UITableView, targetIndexPathForMoveFromRowAt sourceIndexPath: IndexPath,
      toProposedIndexPath proposedDestinationIndexPath: IndexPath
    ) -> IndexPath {
      let (parent, position) = coordinator.place(proposedDestinationIndexPath, of: sourceIndexPath)
      let allows = coordinator.canMove(sourceIndexPath, into: parent, at: position)
      return allows ? proposedDestinationIndexPath : sourceIndexPath
    }

    public func tableView(
      _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath
    ) {
      if sourceIndexPath == destinationIndexPath { return }
      reordering = RowReordering(source: sourceIndexPath, destination: destinationIndexPath)
      let cell = coordinator.template(at: sourceIndexPath, in: cells)?.reuseIdentifier
      let (parent, position) = coordinator.place(destinationIndexPath, of: sourceIndexPath)
      coordinator.move(sourceIndexPath, into: parent, at: position)
      drag.end()
      let isShown = reordering?.isShown ?? false
      reordering = nil
      // A section may have cells of its own.
      let needsOtherCell = coordinator.template(at: destinationIndexPath, in: cells)?.reuseIdentifier != cell
      if !isShown || needsOtherCell { reloadSoon() }
    }

    // MARK: Selection

    public func tableView(_ tableView: UITableView, willSelectRowAt indexPath: IndexPath) -> IndexPath? {
      coordinator.canSelect(at: indexPath) ? indexPath : nil
    }

    public func tableView(_ tableView: UITableView, willDeselectRowAt indexPath: IndexPath) -> IndexPath? {
      coordinator.canDeselect(at: indexPath) ? indexPath : nil
    }

    private var selectsSeveral: Bool {
      table.isEditing ? table.allowsMultipleSelectionDuringEditing : table.allowsMultipleSelection
    }

    public func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
      if !coordinator.select(at: indexPath, selectsSeveral ? .adding : .only) { showSelection() }
      choice.end()
    }

    public func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath) {
      if !selectsSeveral { choice.beginBriefly() }
      if !coordinator.deselect(at: indexPath) { showSelection() }
    }

    public func tableView(_ tableView: UITableView, performPrimaryActionForRowAt indexPath: IndexPath) {
      coordinator.activate(at: indexPath)
    }

    #if !os(tvOS)
      public func tableView(
        _ tableView: UITableView, contextMenuConfigurationForRowAt indexPath: IndexPath, point: CGPoint
      ) -> UIContextMenuConfiguration? { coordinator.menu(at: indexPath) }

      // MARK: Dragging

      public func tableView(
        _ tableView: UITableView, itemsForBeginning session: any UIDragSession, at indexPath: IndexPath
      ) -> [UIDragItem] {
        coordinator.dragItems(at: indexPath, touching: tableView.indexPathForRow(at: session.location(in: tableView)))
      }

      public func tableView(_ tableView: UITableView, dragSessionWillBegin session: any UIDragSession) { drag.begin() }

      public func tableView(_ tableView: UITableView, dragSessionDidEnd session: any UIDragSession) { drag.end() }

      public func tableView(
        _ tableView: UITableView, dropSessionDidUpdate session: any UIDropSession,
        withDestinationIndexPath destinationIndexPath: IndexPath?
      ) -> UITableViewDropProposal {
        let allows = coordinator.canDrop(session.items, at: destinationIndexPath)
        return UITableViewDropProposal(operation: allows ? .move : .forbidden, intent: .insertAtDestinationIndexPath)
      }

      public func tableView(_ tableView: UITableView, performDropWith coordinator: any UITableViewDropCoordinator) {
        let items = coordinator.session.items
        let path = self.coordinator.drop(items, at: coordinator.destinationIndexPath) { drag.end() }
        if let path {
          coordinator.drop(items[0], toRowAt: path)
        }
      }
    #endif
  }

  #if os(tvOS)
    /// No dragging protocol, because tvOS has no drag and drop.
    public typealias TableViewDragging = UIScrollViewDelegate
  #else
    /// The protocols of a table's adapter for its drags.
    public typealias TableViewDragging = UITableViewDragDelegate & UITableViewDropDelegate
  #endif
#endif
