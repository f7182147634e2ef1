public import Foundation

open class UICollectionReusableView: UIView {
  public internal(set) var reuseIdentifier: String?
  public nonisolated required override init() { super.init() }
}
open class UICollectionViewCell: UICollectionReusableView { public var text = "" }
public final class UICollectionViewLayoutAttributes: NSObject {
  public let frame: CGRect
  init(_ frame: CGRect) { self.frame = frame }
}

public final class UICollectionView: UIScrollView {
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
  public var dragInteractionEnabled = false
  public var isEditing = false
  public var allowsMultipleSelection = true
  public var allowsMultipleSelectionDuringEditing = false
  private var contents = ListContents()
  private var isLoading = false
  /// Whether the view asks the delegate a question, for example which item may be selected. The data source must not
  /// change meanwhile.
  private var isAsking = false
  /// The item whose cell is configured again.
  private var reconfigured: IndexPath?
  private var cellClasses: [String: UICollectionViewCell.Type] = [:]
  private var viewClasses: [[String]: UICollectionReusableView.Type] = [:]
  public private(set) var reloadCount = 0

  public var numberOfSections: Int {
    load()
    return contents.sections.count
  }
  public func numberOfItems(inSection section: Int) -> Int {
    load()
    return contents.sections.indices.contains(section) ? contents.sections[section].count : 0
  }

  private func count(_ section: Int?) -> Int {
    guard let dataSource else { return 0 }
    return section.map { dataSource.collectionView(self, numberOfItemsInSection: $0) }
      ?? dataSource.numberOfSections(in: self)
  }

  private func load() {
    // A data source that asks the view in turn gets no counts.
    if !contents.isInvalid || isLoading { return }
    isLoading = true
    contents.load((0..<count(nil)).map { count($0) })
    isLoading = false
  }

  public func reloadData() {
    precondition(!isAsking, "the data source changes while the view asks a question")
    reloadCount += 1
    contents.invalidate()
  }

  public func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
    precondition(!isAsking, "the data source changes while the view asks a question")
    load()
    contents.begin()
    updates?()
    contents.end(count)
    layoutIfNeeded()
  }

  /// The texts of the cells, as they were configured.
  public var texts: [[String]] {
    layoutIfNeeded()
    return contents.sections.map { $0.map { ($0.cell as? UICollectionViewCell)?.text ?? "" } }
  }

  public override func layoutIfNeeded() {
    load()
    guard let delegate, let dataSource else { return }
    for path in contents.paths where contents[path].cell == nil {
      let cell = dataSource.collectionView(self, cellForItemAt: path)
      contents[path].cell = cell
      delegate.collectionView(self, willDisplay: cell, forItemAt: path)
    }
  }

  /// The action of the user, with the questions in the documented order.
  public func tapItem(at path: IndexPath) {
    layoutIfNeeded()
    let isMultiple = isEditing ? allowsMultipleSelectionDuringEditing : allowsMultipleSelection
    func ask(_ question: (any UICollectionViewDelegate) -> Bool) -> Bool {
      isAsking = true
      defer { isAsking = false }
      return delegate.map(question) ?? true
    }
    func deselect(_ path: IndexPath) {
      contents[path].isSelected = false
      delegate?.collectionView(self, didDeselectItemAt: path)
    }
    if isMultiple, contents[path].isSelected {
      if ask({ $0.collectionView(self, shouldDeselectItemAt: path) }) { deselect(path) }
      return
    }
    guard ask({ $0.collectionView(self, shouldSelectItemAt: path) }) else { return }
    if !isMultiple { for other in contents.selectedPaths where other != path { deselect(other) } }
    contents[path].isSelected = true
    delegate?.collectionView(self, didSelectItemAt: path)
  }

  /// Configures the cells of items again. By the documentation, the data source has to return the same cell.
  public func reconfigureItems(at indexPaths: [IndexPath]) {
    precondition(!contents.isUpdating, "items are configured in the middle of a batch")
    for path in indexPaths {
      guard let cell = contents[path].cell else { continue }
      reconfigured = path
      precondition(
        dataSource?.collectionView(self, cellForItemAt: path) === cell, "another cell for an item that is reconfigured")
      reconfigured = nil
    }
  }

  public func cellForItem(at indexPath: IndexPath) -> UICollectionViewCell? {
    contents.contains(indexPath) ? contents[indexPath].cell as? UICollectionViewCell : nil
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
    cellClasses[identifier] = cellClass as? UICollectionViewCell.Type
  }
  public func register(_ nib: UINib?, forCellWithReuseIdentifier identifier: String) {
    cellClasses[identifier] = nib?.viewClass as? UICollectionViewCell.Type
  }
  public func dequeueReusableCell(withReuseIdentifier identifier: String, for indexPath: IndexPath)
    -> UICollectionViewCell
  {
    if reconfigured == indexPath, let cell = cellForItem(at: indexPath), cell.reuseIdentifier == identifier {
      return cell
    }
    guard let cellClass = cellClasses[identifier] else {
      preconditionFailure("no cell is registered for \(identifier)")
    }
    let cell = cellClass.init()
    cell.reuseIdentifier = identifier
    return cell
  }

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

  public override var contentSize: CGSize {
    load()
    return CGSize(width: 100, height: 10 * contents.paths.count)
  }
  public func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
    load()
    return UICollectionViewLayoutAttributes(CGRect(x: 0, y: contents.top(of: indexPath), width: 100, height: 10))
  }
  /// In no particular order, like in the real view.
  public var indexPathsForVisibleItems: [IndexPath] {
    layoutIfNeeded()
    return contents.paths.filter {
      let top = contents.top(of: $0)
      return top + 10 > contentOffset.y && top < contentOffset.y + 50
    }.reversed()
  }

  public var indexPathsForSelectedItems: [IndexPath]? { contents.selectedPaths }
  public func selectItem(at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition) {
    precondition(!isAsking, "the selection changes while the view asks a question")
    if let indexPath { contents[indexPath].isSelected = true }
  }
  public func deselectItem(at indexPath: IndexPath, animated: Bool) {
    precondition(!isAsking, "the selection changes while the view asks a question")
    contents[indexPath].isSelected = false
  }
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
