public import Foundation

open class UICollectionReusableView: UIView {
  public internal(set) var reuseIdentifier: String?
  public nonisolated required override init() { super.init() }
}
open class UICollectionViewCell: UICollectionReusableView, ListCell { public var text = "" }
public final class UICollectionViewLayoutAttributes: NSObject {
  public let frame: CGRect
  init(_ frame: CGRect) { self.frame = frame }
}

public final class UICollectionView: ListView {
  public nonisolated static let elementKindSectionHeader = "UICollectionElementKindSectionHeader"
  public nonisolated static let elementKindSectionFooter = "UICollectionElementKindSectionFooter"

  public struct ScrollPosition: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }

  /// The view asks a new data source for its counts when the view next needs them.
  public weak var dataSource: (any UICollectionViewDataSource)? { didSet { contents.invalidate() } }
  /// The view asks which methods a delegate implements when the delegate is set, and at no other time.
  public weak var delegate: (any UICollectionViewDelegate)? {
    didSet { if let delegate, delegate !== oldValue { delegateCount += 1 } }
  }
  /// How often a delegate was set.
  public private(set) var delegateCount = 0
  public weak var prefetchDataSource: (any UICollectionViewDataSourcePrefetching)?
  public weak var dragDelegate: (any UICollectionViewDragDelegate)?
  public weak var dropDelegate: (any UICollectionViewDropDelegate)?
  private var viewClasses: [[String]: UICollectionReusableView.Type] = [:]

  public func numberOfItems(inSection section: Int) -> Int { numberOfRows(section) }

  override func count(_ section: Int?) -> Int {
    guard let dataSource else { return 0 }
    return section.map { dataSource.collectionView(self, numberOfItemsInSection: $0) }
      ?? dataSource.numberOfSections(in: self)
  }

  override func cell(at path: IndexPath) -> UIView? {
    Self.isProviding = true
    defer { Self.isProviding = false }
    return dataSource?.collectionView(self, cellForItemAt: path)
  }

  /// Whether a data source is being asked for a cell. By the documentation, it must not make a registration then.
  private static var isProviding = false

  /// The view registers the class by itself, with an identifier that nobody else knows.
  @MainActor public struct CellRegistration<Cell: UICollectionViewCell, Item> {
    public typealias Handler = (Cell, IndexPath, Item) -> Void
    fileprivate let handler: Handler
    fileprivate let identifier = UUID().uuidString

    public init(handler: @escaping Handler) {
      precondition(!UICollectionView.isProviding, "a registration is made while the view asks for a cell")
      self.handler = handler
    }
  }

  public func dequeueConfiguredReusableCell<Cell: UICollectionViewCell, Item>(
    using registration: CellRegistration<Cell, Item>, for indexPath: IndexPath, item: Item?
  ) -> Cell {
    cellClasses[registration.identifier] = Cell.self
    let cell = dequeueCell(registration.identifier, for: indexPath) as! Cell
    if let item { registration.handler(cell, indexPath, item) }
    return cell
  }

  override func display(_ cell: UIView?, at path: IndexPath) {
    if let cell = cell as? UICollectionViewCell { delegate?.collectionView(self, willDisplay: cell, forItemAt: path) }
  }

  override var isComplete: Bool { delegate != nil && dataSource != nil }

  /// The action of the user, with the questions in the documented order.
  public func tapItem(at path: IndexPath) {
    layoutIfNeeded()
    func ask(_ question: (any UICollectionViewDelegate) -> Bool) -> Bool {
      self.ask { delegate.map(question) ?? true }
    }
    func deselect(_ path: IndexPath) {
      contents[path].isSelected = false
      delegate?.collectionView(self, didDeselectItemAt: path)
    }
    if selectsSeveral, contents[path].isSelected {
      if ask({ $0.collectionView(self, shouldDeselectItemAt: path) }) { deselect(path) }
      return
    }
    guard ask({ $0.collectionView(self, shouldSelectItemAt: path) }) else { return }
    if !selectsSeveral { for other in contents.selectedPaths where other != path { deselect(other) } }
    contents[path].isSelected = true
    delegate?.collectionView(self, didSelectItemAt: path)
  }

  public func reconfigureItems(at indexPaths: [IndexPath]) { reconfigure(indexPaths) }

  public func cellForItem(at indexPath: IndexPath) -> UICollectionViewCell? {
    shownCell(at: indexPath) as? UICollectionViewCell
  }

  public func deleteSections(_ sections: IndexSet) { contents.deleteSections(sections) }
  public func insertSections(_ sections: IndexSet) { contents.insertSections(sections) }
  public func reloadSections(_ sections: IndexSet) {
    contents.reloadSections(sections, count)
    layoutIfNeeded()
  }
  public func moveSection(_ section: Int, toSection newSection: Int) { contents.moveSection(section, newSection) }
  public func deleteItems(at indexPaths: [IndexPath]) { contents.deleteRows(indexPaths) }
  public func insertItems(at indexPaths: [IndexPath]) { contents.insertRows(indexPaths) }
  public func reloadItems(at indexPaths: [IndexPath]) {
    contents.reloadRows(indexPaths)
    layoutIfNeeded()
  }
  public func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    contents.moveRow(indexPath, newIndexPath)
  }

  public func register(_ cellClass: AnyClass?, forCellWithReuseIdentifier identifier: String) {
    cellClasses[identifier] = cellClass as? any ListCell.Type
  }
  public func register(_ nib: UINib?, forCellWithReuseIdentifier identifier: String) {
    cellClasses[identifier] = nib?.viewClass as? any ListCell.Type
  }
  public func dequeueReusableCell(withReuseIdentifier identifier: String, for indexPath: IndexPath)
    -> UICollectionViewCell
  { dequeueCell(identifier, for: indexPath) as! UICollectionViewCell }

  public func register(
    _ viewClass: AnyClass?, forSupplementaryViewOfKind elementKind: String, withReuseIdentifier identifier: String
  ) { viewClasses[[elementKind, identifier]] = viewClass as? UICollectionReusableView.Type }
  public func register(
    _ nib: UINib?, forSupplementaryViewOfKind kind: String, withReuseIdentifier identifier: String
  ) { viewClasses[[kind, identifier]] = nib?.viewClass as? UICollectionReusableView.Type }
  public func dequeueReusableSupplementaryView(
    ofKind elementKind: String, withReuseIdentifier identifier: String, for indexPath: IndexPath
  ) -> UICollectionReusableView {
    guard let viewClass = viewClasses[[elementKind, identifier]] else {
      preconditionFailure("no \(elementKind) is registered for \(identifier)")
    }
    let view = viewClass.init()
    view.reuseIdentifier = identifier
    return view
  }

  public func indexPathForItem(at point: CGPoint) -> IndexPath? { path(at: point) }
  public func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
    load()
    return UICollectionViewLayoutAttributes(frame(of: indexPath))
  }
  /// In no particular order, like in the real view.
  public var indexPathsForVisibleItems: [IndexPath] { visiblePaths.reversed() }

  public var indexPathsForSelectedItems: [IndexPath]? { contents.selectedPaths }
  public func selectItem(at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition) {
    setSelected(true, indexPath)
  }
  public func deselectItem(at indexPath: IndexPath, animated: Bool) { setSelected(false, indexPath) }
}

@MainActor public protocol UICollectionViewDataSource: NSObjectProtocol {
  func numberOfSections(in collectionView: UICollectionView) -> Int
  func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int
  func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell
  func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
  ) -> UICollectionReusableView
}

@MainActor public protocol UICollectionViewDelegate: NSObjectProtocol {
  func collectionView(
    _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell, forItemAt indexPath: IndexPath)
  func collectionView(_ collectionView: UICollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool
  func collectionView(_ collectionView: UICollectionView, shouldDeselectItemAt indexPath: IndexPath) -> Bool
  func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath)
  func collectionView(_ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath)
  func collectionView(_ collectionView: UICollectionView, performPrimaryActionForItemAt indexPath: IndexPath)
  func collectionView(
    _ collectionView: UICollectionView, contextMenuConfigurationForItemsAt indexPaths: [IndexPath], point: CGPoint
  ) -> UIContextMenuConfiguration?
}

@MainActor public protocol UICollectionViewDataSourcePrefetching: NSObjectProtocol {
  func collectionView(_ collectionView: UICollectionView, prefetchItemsAt indexPaths: [IndexPath])
}

@MainActor public protocol UICollectionViewDragDelegate: AnyObject {
  func collectionView(
    _ collectionView: UICollectionView, itemsForBeginning session: any UIDragSession, at indexPath: IndexPath
  ) -> [UIDragItem]
  func collectionView(_ collectionView: UICollectionView, dragSessionWillBegin session: any UIDragSession)
  func collectionView(_ collectionView: UICollectionView, dragSessionDidEnd session: any UIDragSession)
}

@MainActor public protocol UICollectionViewDropDelegate: AnyObject {
  func collectionView(
    _ collectionView: UICollectionView, dropSessionDidUpdate session: any UIDropSession,
    withDestinationIndexPath destinationIndexPath: IndexPath?
  ) -> UICollectionViewDropProposal
  func collectionView(
    _ collectionView: UICollectionView, performDropWith coordinator: any UICollectionViewDropCoordinator)
}

public final class UICollectionViewDropProposal: UIDropProposal {
  public enum Intent: Sendable { case unspecified, insertAtDestinationIndexPath }
  public init(operation: UIDropOperation, intent: Intent) { super.init(operation: operation) }
}

@MainActor public protocol UICollectionViewDropCoordinator {
  var session: any UIDropSession { get }
  /// nil if the view is empty, and below its last row.
  var destinationIndexPath: IndexPath? { get }
  @discardableResult
  func drop(_ dragItem: UIDragItem, toItemAt indexPath: IndexPath) -> any UIDragAnimating
}
