// Has not been compiled with UIKit, which Linux lacks: see Docs/Adapters.md.
#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  public import Assemblage
  public import AssemblageWidgets
  public import Foundation
  public import UIKit

  /// Shows the rows of a coordinator in a collection view, and tells it what the user does there.
  ///
  /// ```swift
  /// collection.register(NameCell.self, forCellWithReuseIdentifier: "name")
  /// var cells = CellFactory<String, UICollectionViewCell>()
  /// cells.register("name") { cell, name in (cell as? NameCell)?.label.text = name }
  /// adapter = CollectionViewAdapter(collection, ListCoordinator(names), cells: cells)
  /// ```
  ///
  /// It becomes the view's data source, delegate, drag and drop delegate; none of these keeps it alive. It keeps the coordinator.
  /// While the user drags an item, the view shows no changes.
  @MainActor
  public final class CollectionViewAdapter<Element>: NSObject, UICollectionViewDataSource, UICollectionViewDelegate,
    UICollectionViewDragDelegate, UICollectionViewDropDelegate
  {
    /// The view.
    public let collection: UICollectionView

    /// What says which items there are, and what may be done with them.
    public let coordinator: ListWidgetCoordinator<Element>

    /// Yields a view of a kind for the section, or the item, at a path, as the layout asks for it: dequeued, never made.
    public var supplementaryView: (_ kind: String, IndexPath) -> UICollectionReusableView = { kind, path in
      fatalError("CollectionViewAdapter: the layout asks for a \(kind) at \(path), and supplementaryView was not set.")
    }

    private let cells: CellFactory<Element, UICollectionViewCell>
    private let emptyCell: String

    /// Creates an adapter, and lets the view show the coordinator's rows.
    ///
    /// - Parameters:
    ///   - collection: the view, in which the reuse identifiers of `cells` are registered.
    ///   - coordinator: a `ListCoordinator` or a `SectionedListCoordinator`, whose widget the adapter becomes.
    ///   - cells: which cell shows which row.
    ///   - emptyCell: the reuse identifier of the cell of a row without an element.
    public init(
      _ collection: UICollectionView, _ coordinator: ListWidgetCoordinator<Element>,
      cells: CellFactory<Element, UICollectionViewCell>, emptyCell: String = "empty"
    ) {
      self.collection = collection
      self.coordinator = coordinator
      self.cells = cells
      self.emptyCell = emptyCell
      super.init()
      collection.register(UICollectionViewCell.self, forCellWithReuseIdentifier: emptyCell)
      collection.dataSource = self
      collection.delegate = self
      collection.dragDelegate = self
      collection.dropDelegate = self
      collection.dragInteractionEnabled = true
      coordinator.widget = self
    }

    // MARK: Items

    public func numberOfSections(in collectionView: UICollectionView) -> Int { coordinator.count(at: []) }

    public func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
      coordinator.count(at: [section])
    }

    public func collectionView(
      _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
      let template = coordinator.element(at: indexPath).map(cells.template)
      let cell = collectionView.dequeueReusableCell(
        withReuseIdentifier: template?.reuseIdentifier ?? emptyCell, for: indexPath)
      template?.configure(cell)
      return cell
    }

    public func collectionView(
      _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell, forItemAt indexPath: IndexPath
    ) {
      if coordinator.isSelected(at: indexPath) {
        collectionView.selectItem(at: indexPath, animated: false, scrollPosition: [])
      }
    }

    public func collectionView(
      _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
    ) -> UICollectionReusableView { supplementaryView(kind, indexPath) }

    // MARK: What the user does

    public func collectionView(_ collectionView: UICollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool {
      coordinator.select(at: indexPath, collectionView.allowsMultipleSelection ? .adding : .only)
    }

    public func collectionView(_ collectionView: UICollectionView, shouldDeselectItemAt indexPath: IndexPath) -> Bool {
      coordinator.deselect(at: indexPath)
    }

    public func collectionView(
      _ collectionView: UICollectionView, performPrimaryActionForItemAt indexPath: IndexPath
    ) { coordinator.activate(at: indexPath) }

    public func collectionView(
      _ collectionView: UICollectionView, contextMenuConfigurationForItemsAt indexPaths: [IndexPath], point: CGPoint
    ) -> UIContextMenuConfiguration? { indexPaths.first.flatMap { coordinator.menu(at: $0) } }

    // MARK: Dragging

    public func collectionView(
      _ collectionView: UICollectionView, itemsForBeginning session: any UIDragSession, at indexPath: IndexPath
    ) -> [UIDragItem] { coordinator.dragItems(at: indexPath) }

    public func collectionView(_ collectionView: UICollectionView, dragSessionWillBegin session: any UIDragSession) {
      coordinator.suspend()
    }

    public func collectionView(_ collectionView: UICollectionView, dragSessionDidEnd session: any UIDragSession) {
      coordinator.resume()
    }

    public func collectionView(
      _ collectionView: UICollectionView, dropSessionDidUpdate session: any UIDropSession,
      withDestinationIndexPath destinationIndexPath: IndexPath?
    ) -> UICollectionViewDropProposal {
      let allows = coordinator.canDrop(session.items, at: destinationIndexPath)
      return UICollectionViewDropProposal(operation: allows ? .move : .forbidden, intent: .insertAtDestinationIndexPath)
    }

    public func collectionView(
      _ collectionView: UICollectionView, performDropWith coordinator: any UICollectionViewDropCoordinator
    ) { self.coordinator.drop(coordinator.session.items, at: coordinator.destinationIndexPath) }
  }

  extension CollectionViewAdapter: ListWidget {
    public func reload() { collection.reloadData() }

    public func perform(_ batch: ChangeSet.Batch) {
      collection.performBatchUpdates { [collection] in
        collection.deleteSections(batch.sections(\.deletions))
        collection.deleteItems(at: batch.rows(\.deletions))
        collection.insertSections(batch.sections(\.insertions))
        collection.insertItems(at: batch.rows(\.insertions))
        for move in batch.sections(\.moves) { collection.moveSection(move.source, toSection: move.destination) }
        for move in batch.rows(\.moves) { collection.moveItem(at: move.source, to: move.destination) }
        collection.reloadSections(IndexSet(batch.sections(\.reloads).map(\.source)))
        collection.reloadItems(at: batch.rows(\.reloads).map(\.source))
      }
    }

    public func shownCount(at path: IndexPath) -> Int? {
      path.isEmpty ? collection.numberOfSections : collection.numberOfItems(inSection: path[0])
    }

    public var scrollPosition: ScrollPosition? {
      get {
        collection.indexPathsForVisibleItems.min().flatMap { path in
          collection.layoutAttributesForItem(at: path).map {
            ScrollPosition(path: path, offset: Double($0.frame.minY - collection.top))
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
