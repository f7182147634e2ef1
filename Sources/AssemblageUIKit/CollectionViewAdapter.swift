// Has not been compiled with UIKit, which Linux lacks: see Docs/ShowingANode.md.
#if canImport(UIKit) && !os(watchOS)
  public import Assemblage
  public import AssemblageWidgets
  public import Foundation
  public import UIKit

  /// The cells, headers and footers of the sections of a collection view.
  public typealias CollectionCells<Element> = SectionCells<Element, UICollectionViewCell, UICollectionReusableView>

  /// Shows the rows of a coordinator in a collection view, and performs the user's actions on the coordinator.
  ///
  /// ```swift
  /// var cells = CollectionCells<Person>()
  /// cells.rows.register(.nib(PersonCell.self)) { cell, person in cell.nameLabel.text = person.name }
  /// cells.headers.register(.class(TeamView.self)) { view, team in view.title = team.name }
  /// adapter = CollectionViewAdapter(collection, SectionedListCoordinator(teams), cells: cells)
  /// ```
  ///
  /// The adapter becomes the view's data source, delegate, drag and drop delegate. None of these keeps the adapter
  /// alive. The adapter keeps the coordinator alive. While the user drags an item, the view shows no changes. On tvOS
  /// there are no drags and no menus.
  @MainActor
  public final class CollectionViewAdapter<Element>: ForwardingAdapter, UICollectionViewDataSource,
    UICollectionViewDelegate,
    UICollectionViewDataSourcePrefetching, CollectionViewDragging
  {
    /// The view.
    public let collection: UICollectionView

    /// The coordinator: it has the items, and the actions that the user may perform on them.
    public let coordinator: ListWidgetCoordinator<Element>

    /// Yields a view of a kind for the section, or the item, at a path, if `cells` has no header or footer there.
    ///
    /// The view must be dequeued. nil: the view is empty.
    public var supplementaryView: ((_ kind: String, IndexPath) -> UICollectionReusableView)?

    /// The application's delegate, which receives each call that the adapter does not implement: sizes of a flow
    /// layout, scrolling.
    ///
    /// ```swift
    /// adapter.delegate = self
    /// ```
    ///
    /// The adapter keeps only a weak reference.
    public var delegate: (any UICollectionViewDelegate)? {
      get { forwardedDelegate as? any UICollectionViewDelegate }
      set {
        forwardedDelegate = newValue
        becomeDelegate()
      }
    }

    /// The application's data source, which receives each call that neither the adapter nor `delegate` implements.
    ///
    /// The adapter keeps only a weak reference.
    public var dataSource: (any UICollectionViewDataSource)? {
      get { forwardedDataSource as? any UICollectionViewDataSource }
      set {
        forwardedDataSource = newValue
        becomeDelegate()
      }
    }

    let cells: CollectionCells<Element>
    let emptyCell: String
    /// The identifiers of the templates of UIKit's registrations, by UIKit's own identifiers.
    var registrations: [String: String] = [:]
    private let drag: LongAction<Element>
    /// The change of a single selection, from the deselection of one row to the selection of another.
    private let choice: LongAction<Element>

    /// Creates an adapter, and lets the view show the coordinator's rows.
    ///
    /// - Parameters:
    ///   - collection: the view. Kinds of cells that `cells` has by a reuse identifier are registered there.
    ///   - coordinator: a `ListCoordinator` or a `SectionedListCoordinator`, whose widget the adapter becomes.
    ///   - cells: the cells of the rows.
    ///   - emptyCell: the reuse identifier of the cell of a row without an element.
    public convenience init(
      _ collection: UICollectionView, _ coordinator: ListWidgetCoordinator<Element>,
      cells: CellFactory<Element, UICollectionViewCell>, emptyCell: String = "empty"
    ) {
      self.init(collection, coordinator, cells: CollectionCells(rows: cells), emptyCell: emptyCell)
    }

    /// Creates an adapter, and lets the view show the coordinator's rows, headers and footers.
    ///
    /// The layout decides whether a section has a header. Without an element, the header is empty.
    ///
    /// - Parameters:
    ///   - collection: the view. Kinds of views that `cells` has by a reuse identifier are registered there.
    ///   - coordinator: a `ListCoordinator` or a `SectionedListCoordinator`, whose widget the adapter becomes.
    ///   - cells: the cells, headers and footers.
    ///   - emptyCell: the reuse identifier of the cell of a row without an element.
    public init(
      _ collection: UICollectionView, _ coordinator: ListWidgetCoordinator<Element>, cells: CollectionCells<Element>,
      emptyCell: String = "empty"
    ) {
      self.collection = collection
      self.coordinator = coordinator
      self.cells = cells
      self.emptyCell = emptyCell
      drag = LongAction(coordinator)
      choice = LongAction(coordinator)
      super.init()
      collection.register(UICollectionViewCell.self, forCellWithReuseIdentifier: emptyCell)
      for kind in cells.rowKinds {
        switch kind.origin {
        case .class: collection.register(kind.type, forCellWithReuseIdentifier: kind.reuseIdentifier)
        case .nib: collection.register(kind.nib, forCellWithReuseIdentifier: kind.reuseIdentifier)
        }
      }
      register(cells.headerKinds, UICollectionView.elementKindSectionHeader)
      register(cells.footerKinds, UICollectionView.elementKindSectionFooter)
      becomeDelegate()
      #if !os(tvOS)
        collection.dragInteractionEnabled = true
      #endif
      coordinator.widget = self
    }

    private func register(_ kinds: [CellKind<UICollectionReusableView>], _ elementKind: String) {
      for kind in kinds {
        let identifier = kind.reuseIdentifier
        switch kind.origin {
        case .class:
          collection.register(
            kind.type, forSupplementaryViewOfKind: elementKind, withReuseIdentifier: identifier)
        case .nib:
          collection.register(kind.nib, forSupplementaryViewOfKind: elementKind, withReuseIdentifier: identifier)
        }
      }
    }

    /// Becomes the view's delegate again, because the view asks only then which methods are implemented.
    private func becomeDelegate() {
      (collection.dataSource, collection.delegate, collection.prefetchDataSource) = (nil, nil, nil)
      (collection.dataSource, collection.delegate, collection.prefetchDataSource) = (self, self, self)
      #if !os(tvOS)
        (collection.dragDelegate, collection.dropDelegate) = (nil, nil)
        (collection.dragDelegate, collection.dropDelegate) = (self, self)
      #endif
    }

    // MARK: Items

    public func numberOfSections(in collectionView: UICollectionView) -> Int { coordinator.count(at: []) }

    public func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
      coordinator.count(at: [section])
    }

    public func collectionView(
      _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
      let template = coordinator.template(at: indexPath, in: cells)
      if let template, let (object, part) = template.registration, let maker = object as? any CollectionCellMaking {
        let cell = maker.cell(in: collectionView, at: indexPath, showing: part)
        if let identifier = cell.reuseIdentifier { registrations[identifier] = template.reuseIdentifier }
        return cell
      }
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
      if let template = template(ofKind: kind, at: indexPath) {
        let view = collectionView.dequeueReusableSupplementaryView(
          ofKind: kind, withReuseIdentifier: template.reuseIdentifier, for: indexPath)
        template.configure(view)
        return view
      }
      if let supplementaryView { return supplementaryView(kind, indexPath) }
      collectionView.register(
        UICollectionReusableView.self, forSupplementaryViewOfKind: kind, withReuseIdentifier: emptyCell)
      return collectionView.dequeueReusableSupplementaryView(
        ofKind: kind, withReuseIdentifier: emptyCell, for: indexPath)
    }

    /// The template for the header or footer of a section; nil if the section has none in `cells`, and for another kind
    /// of view.
    private func template(
      ofKind kind: String, at path: IndexPath
    ) -> CellFactory<Element, UICollectionReusableView>.Template? {
      switch kind {
      case UICollectionView.elementKindSectionHeader: coordinator.headerTemplate(ofSection: path[0], in: cells)
      case UICollectionView.elementKindSectionFooter: coordinator.footerTemplate(ofSection: path[0], in: cells)
      default: nil
      }
    }

    public func collectionView(_ collectionView: UICollectionView, prefetchItemsAt indexPaths: [IndexPath]) {
      coordinator.prefetch(indexPaths, visible: collectionView.indexPathsForVisibleItems)
    }

    // MARK: Actions of the user

    public func collectionView(_ collectionView: UICollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool {
      coordinator.canSelect(at: indexPath)
    }

    public func collectionView(_ collectionView: UICollectionView, shouldDeselectItemAt indexPath: IndexPath) -> Bool {
      coordinator.canDeselect(at: indexPath)
    }

    private var selectsSeveral: Bool {
      collection.isEditing ? collection.allowsMultipleSelectionDuringEditing : collection.allowsMultipleSelection
    }

    public func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
      if !coordinator.select(at: indexPath, selectsSeveral ? .adding : .only) { showSelection() }
      choice.end()
    }

    public func collectionView(_ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath) {
      if !selectsSeveral { choice.beginBriefly() }
      if !coordinator.deselect(at: indexPath) { showSelection() }
    }

    public func collectionView(
      _ collectionView: UICollectionView, performPrimaryActionForItemAt indexPath: IndexPath
    ) { coordinator.activate(at: indexPath) }

    #if !os(tvOS)
      public func collectionView(
        _ collectionView: UICollectionView, contextMenuConfigurationForItemsAt indexPaths: [IndexPath], point: CGPoint
      ) -> UIContextMenuConfiguration? {
        // The menu of one item, also where the user has pressed one of several selected items.
        let pressed = collectionView.indexPathForItem(at: point).flatMap { indexPaths.contains($0) ? $0 : nil }
        return (pressed ?? indexPaths.first).flatMap { coordinator.menu(at: $0) }
      }

      // MARK: Dragging

      public func collectionView(
        _ collectionView: UICollectionView, itemsForBeginning session: any UIDragSession, at indexPath: IndexPath
      ) -> [UIDragItem] {
        let touched = collectionView.indexPathForItem(at: session.location(in: collectionView))
        return coordinator.dragItems(at: indexPath, touching: touched)
      }

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
    /// No dragging protocol, because tvOS has no drag and drop.
    public typealias CollectionViewDragging = UIScrollViewDelegate
  #else
    /// The protocols of a collection view's adapter for its drags.
    public typealias CollectionViewDragging = UICollectionViewDragDelegate & UICollectionViewDropDelegate
  #endif
#endif
