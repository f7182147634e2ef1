// Has not been compiled with UIKit, which Linux lacks: see Docs/Adapters.md.
#if canImport(UIKit) && !os(watchOS)
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
  /// While the user drags an item, the view shows no changes. On tvOS there are no drags and no menus.
  @MainActor
  public final class CollectionViewAdapter<Element>: ForwardingAdapter, UICollectionViewDataSource,
    UICollectionViewDelegate,
    CollectionViewDragging
  {
    /// The view.
    public let collection: UICollectionView

    /// What says which items there are, and what may be done with them.
    public let coordinator: ListWidgetCoordinator<Element>

    /// Yields a view of a kind for the section, or the item, at a path, as the layout asks for it: dequeued, never made.
    ///
    /// nil: the views are empty.
    public var supplementaryView: ((_ kind: String, IndexPath) -> UICollectionReusableView)?

    /// The application's delegate, which receives each call that the adapter does not implement: sizes of a flow layout, scrolling.
    ///
    /// ```swift
    /// adapter.delegate = self
    /// ```
    ///
    /// It is a weak reference.
    public var delegate: (any UICollectionViewDelegate)? {
      get { forwardedDelegate as? any UICollectionViewDelegate }
      set {
        forwardedDelegate = newValue
        becomeDelegate()
      }
    }

    /// The application's data source, which receives each call that neither the adapter nor `delegate` implements.
    ///
    /// It is a weak reference.
    public var dataSource: (any UICollectionViewDataSource)? {
      get { forwardedDataSource as? any UICollectionViewDataSource }
      set {
        forwardedDataSource = newValue
        becomeDelegate()
      }
    }

    private let cells: CellFactory<Element, UICollectionViewCell>
    private let emptyCell: String
    private let drag: RowDrag<Element>

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
      drag = RowDrag(coordinator)
      super.init()
      collection.register(UICollectionViewCell.self, forCellWithReuseIdentifier: emptyCell)
      becomeDelegate()
      #if !os(tvOS)
        collection.dragDelegate = self
        collection.dropDelegate = self
        collection.dragInteractionEnabled = true
      #endif
      coordinator.widget = self
    }

    /// Becomes the view's delegate anew: the view asks only then which methods are implemented.
    private func becomeDelegate() {
      (collection.dataSource, collection.delegate) = (nil, nil)
      (collection.dataSource, collection.delegate) = (self, self)
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
    ) -> UICollectionReusableView {
      if let supplementaryView { return supplementaryView(kind, indexPath) }
      collectionView.register(
        UICollectionReusableView.self, forSupplementaryViewOfKind: kind, withReuseIdentifier: emptyCell)
      return collectionView.dequeueReusableSupplementaryView(
        ofKind: kind, withReuseIdentifier: emptyCell, for: indexPath)
    }

    // MARK: What the user does

    public func collectionView(_ collectionView: UICollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool {
      coordinator.canSelect(at: indexPath)
    }

    public func collectionView(_ collectionView: UICollectionView, shouldDeselectItemAt indexPath: IndexPath) -> Bool {
      coordinator.canDeselect(at: indexPath)
    }

    public func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
      let allowsMultiple =
        collectionView.isEditing
        ? collectionView.allowsMultipleSelectionDuringEditing : collectionView.allowsMultipleSelection
      if !coordinator.select(at: indexPath, allowsMultiple ? .adding : .only) { showSelection() }
    }

    public func collectionView(_ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath) {
      if !coordinator.deselect(at: indexPath) { showSelection() }
    }

    public func collectionView(
      _ collectionView: UICollectionView, performPrimaryActionForItemAt indexPath: IndexPath
    ) { coordinator.activate(at: indexPath) }

    #if !os(tvOS)
      public func collectionView(
        _ collectionView: UICollectionView, contextMenuConfigurationForItemsAt indexPaths: [IndexPath], point: CGPoint
      ) -> UIContextMenuConfiguration? { indexPaths.first.flatMap { coordinator.menu(at: $0) } }

      // MARK: Dragging

      public func collectionView(
        _ collectionView: UICollectionView, itemsForBeginning session: any UIDragSession, at indexPath: IndexPath
      ) -> [UIDragItem] { coordinator.dragItems(at: indexPath) }

      public func collectionView(_ collectionView: UICollectionView, dragSessionWillBegin session: any UIDragSession) {
        drag.begin()
      }

      public func collectionView(_ collectionView: UICollectionView, dragSessionDidEnd session: any UIDragSession) {
        drag.end()
      }

      public func collectionView(
        _ collectionView: UICollectionView, dropSessionDidUpdate session: any UIDropSession,
        withDestinationIndexPath destinationIndexPath: IndexPath?
      ) -> UICollectionViewDropProposal {
        let allows = coordinator.canDrop(session.items, at: destinationIndexPath)
        return UICollectionViewDropProposal(
          operation: allows ? .move : .forbidden, intent: .insertAtDestinationIndexPath)
      }

      public func collectionView(
        _ collectionView: UICollectionView, performDropWith coordinator: any UICollectionViewDropCoordinator
      ) {
        let items = coordinator.session.items
        let path = self.coordinator.drop(items, at: coordinator.destinationIndexPath) { drag.end() }
        if let path {
          coordinator.drop(items[0], toItemAt: path)
        }
      }
    #endif
  }

  #if os(tvOS)
    /// Nothing: tvOS has no drag and drop.
    public typealias CollectionViewDragging = UIScrollViewDelegate
  #else
    /// What a collection view's adapter is for its drags.
    public typealias CollectionViewDragging = UICollectionViewDragDelegate & UICollectionViewDropDelegate
  #endif

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
      // In a batch, a collection view takes them for deletions and insertions, which clash with the others.
      let sections = IndexSet(batch.sections(\.reloads).map(\.destination))
      if !sections.isEmpty { collection.reloadSections(sections) }
      showValues(batch.rows(\.reloads).map(\.destination))
    }

    /// Shows the values of items anew: in the cells that they have, or, where another kind of cell is needed, in that.
    private func showValues(_ paths: [IndexPath]) {
      let (same, other) = coordinator.divide(paths, cells, emptyCell: emptyCell) {
        collection.cellForItem(at: $0).map(\.reuseIdentifier)
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
