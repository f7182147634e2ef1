// Has not been compiled with UIKit, which Linux lacks: see Docs/ShowingANode.md.
#if canImport(UIKit) && !os(watchOS)
  public import Assemblage
  public import AssemblageWidgets
  import Foundation
  import UIKit

  extension CollectionViewAdapter: ListWidget {
    public func reload() { collection.reloadData() }

    public func perform(_ batch: ChangeSet.Batch, commit: @escaping () -> Void) {
      collection.performBatchUpdates { [collection] in
        commit()
        collection.deleteSections(batch.sections(\.deletions))
        collection.deleteItems(at: batch.rows(\.deletions))
        collection.insertSections(batch.sections(\.insertions))
        collection.insertItems(at: batch.rows(\.insertions))
        for move in batch.sections(\.moves) { collection.moveSection(move.source, toSection: move.destination) }
        for move in batch.rows(\.moves) { collection.moveItem(at: move.source, to: move.destination) }
      }
      // In a batch, a reload is a deletion and an insertion. They would clash with the other changes of the batch.
      let sections = IndexSet(batch.sections(\.reloads).map(\.destination))
      if !sections.isEmpty { collection.reloadSections(sections) }
      // A section may have cells of its own: a row that arrives from another section keeps its cell in the batch.
      let arrivals = batch.rows(\.moves).filter { $0.source[0] != $0.destination[0] }
      showValues((batch.rows(\.reloads) + arrivals).map(\.destination))
    }

    /// Shows the values of items again: in their present cells, or in new cells if another kind of cell is needed.
    private func showValues(_ paths: [IndexPath]) {
      let (same, other) = coordinator.divide(paths, cells, emptyCell: emptyCell) {
        collection.cellForItem(at: $0).map { cell in
          cell.reuseIdentifier.map { registrations[$0] ?? $0 }
        }
      }
      if !same.isEmpty { collection.reconfigureItems(at: same) }
      if !other.isEmpty { collection.reloadItems(at: other) }
    }

    public func shownCount(at path: IndexPath) -> Int? {
      path.isEmpty ? collection.numberOfSections : collection.numberOfItems(inSection: path[0])
    }

    public var scrollPosition: WidgetScrollPosition? {
      get {
        collection.indexPathsForVisibleItems.min().flatMap { path in
          collection.layoutAttributesForItem(at: path).map {
            WidgetScrollPosition(path: path, offset: Double($0.frame.minY - collection.top))
          }
        }
      }
      set {
        guard let position = newValue, let item = collection.layoutAttributesForItem(at: position.path) else { return }
        collection.setTop(item.frame.minY - CGFloat(position.offset))
      }
    }

    public func showSelection() {
      let selected = Set(collection.indexPathsForSelectedItems ?? [])
      for path in selected where !coordinator.isSelected(at: path) {
        collection.deselectItem(at: path, animated: false)
      }
      for path in collection.indexPathsForVisibleItems
      where coordinator.isSelected(at: path) && !selected.contains(path) {
        collection.selectItem(at: path, animated: false, scrollPosition: [])
      }
    }
  }
#endif
