// Has not been compiled with UIKit, which Linux lacks: see Docs/ShowingANode.md.
#if canImport(UIKit) && !os(watchOS)
  public import Assemblage
  public import AssemblageWidgets
  import Foundation
  import UIKit

  extension TableViewAdapter: ListWidget {
    public func reload() {
      if reordering != nil {
        reloadSoon()
        return
      }
      isStale = false
      table.reloadData()
    }

    /// Reloads the table after the table has finished its present call.
    func reloadSoon() {
      if isStale { return }
      isStale = true
      Task { [weak self] in self?.reload() }
    }

    public func perform(_ batch: ChangeSet.Batch, commit: @escaping () -> Void) {
      if reordering != nil || isStale {
        // The table already shows the move, or will reload.
        commit()
        reordering?.note(batch)
        return
      }
      let (insertion, removal) = (insertionAnimation, removalAnimation)
      table.performBatchUpdates { [table] in
        commit()
        table.deleteSections(batch.sections(\.deletions), with: removal)
        table.deleteRows(at: batch.rows(\.deletions), with: removal)
        table.insertSections(batch.sections(\.insertions), with: insertion)
        table.insertRows(at: batch.rows(\.insertions), with: insertion)
        for move in batch.sections(\.moves) { table.moveSection(move.source, toSection: move.destination) }
        for move in batch.rows(\.moves) { table.moveRow(at: move.source, to: move.destination) }
      }
      // In a batch, a reload is a deletion and an insertion. They would clash with the other changes of the batch.
      let sections = IndexSet(batch.sections(\.reloads).map(\.destination))
      if !sections.isEmpty { table.reloadSections(sections, with: reloadAnimation) }
      // A section may have cells of its own: a row that arrives from another section keeps its cell in the batch.
      let arrivals = batch.rows(\.moves).filter { $0.source[0] != $0.destination[0] }
      showValues((batch.rows(\.reloads) + arrivals).map(\.destination))
      #if !os(tvOS)
        if sectionIndex != nil, !batch.change.delta.isEmpty { table.reloadSectionIndexTitles() }
      #endif
    }

    /// Shows the values of rows again: in their present cells, or in new cells if another kind of cell is needed.
    private func showValues(_ paths: [IndexPath]) {
      let (same, other) = coordinator.divide(paths, cells, emptyCell: emptyCell) {
        table.cellForRow(at: $0).map(\.reuseIdentifier)
      }
      if !same.isEmpty { table.reconfigureRows(at: same) }
      if !other.isEmpty { table.reloadRows(at: other, with: reloadAnimation) }
    }

    public func shownCount(at path: IndexPath) -> Int? {
      // In the middle of a move by the user, nobody knows the counts of the table.
      if reordering != nil || isStale { return coordinator.count(at: path) }
      return path.isEmpty ? table.numberOfSections : table.numberOfRows(inSection: path[0])
    }

    public var scrollPosition: WidgetScrollPosition? {
      get {
        if reordering != nil || isStale { return nil }
        return table.indexPathsForVisibleRows?.min().map {
          WidgetScrollPosition(path: $0, offset: Double(table.rectForRow(at: $0).minY - table.top))
        }
      }
      set { newValue.map { table.setTop(table.rectForRow(at: $0.path).minY - CGFloat($0.offset)) } }
    }

    public func showSelection() {
      if reordering != nil || isStale { return }
      let selected = Set(table.indexPathsForSelectedRows ?? [])
      for path in selected where !coordinator.isSelected(at: path) { table.deselectRow(at: path, animated: false) }
      for path in table.indexPathsForVisibleRows ?? []
      where coordinator.isSelected(at: path) && !selected.contains(path) {
        table.selectRow(at: path, animated: false, scrollPosition: .none)
      }
    }
  }
#endif
