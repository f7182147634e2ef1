// The few declarations of UIKit that the adapters use, by Apple's documentation, so that they are compiled and driven on Linux.
// Requirements that are optional there are not here: a method that is misspelled in an adapter does not compile.
// The views are as hostile as the documentation allows: they count late, ask whether a row may be selected without expecting that
// anything changes, take no reload in the middle of a batch, and stop scrolling where their offset is set.
public import Foundation

public struct UIEdgeInsets { public var top: CGFloat = 0, bottom: CGFloat = 0 }

@MainActor open class UIView: NSObject {
  public var bounds = CGRect(x: 0, y: 0, width: 100, height: 50)
  open func layoutIfNeeded() {}
  public nonisolated override init() { super.init() }
}

@MainActor open class UIScrollView: UIView {
  public var contentOffset = CGPoint.zero { didSet { isDecelerating = false } }
  /// Whether a finger drags it.
  public var isDragging = false
  /// Whether it still moves after a finger has left it.
  public var isDecelerating = false
  public var contentSize: CGSize { .zero }
  public var adjustedContentInset = UIEdgeInsets()
}

// MARK: Tables

open class UITableViewCell: UIView {
  public enum EditingStyle: Sendable { case none, delete, insert }
  public var text = ""
  public internal(set) var reuseIdentifier: String?
}

public final class UITableView: UIScrollView {
  public enum RowAnimation: Sendable { case automatic, fade }
  public enum ScrollPosition: Sendable { case none, top }

  public weak var dataSource: (any UITableViewDataSource)?
  public weak var delegate: (any UITableViewDelegate)?
  public weak var dragDelegate: (any UITableViewDragDelegate)?
  public weak var dropDelegate: (any UITableViewDropDelegate)?
  public var dragInteractionEnabled = false
  public var isEditing = false
  public var allowsMultipleSelection = true
  public var allowsMultipleSelectionDuringEditing = false
  private var contents = ListContents()
  private var isLoading = false
  /// Whether the delegate is asked a question, as which row may be selected: nothing may change meanwhile.
  private var isAsking = false
  /// The row whose cell is configured again.
  private var reconfigured: IndexPath?
  public private(set) var reloadCount = 0

  public var numberOfSections: Int {
    load()
    return contents.sections.count
  }
  public func numberOfRows(inSection section: Int) -> Int {
    load()
    return contents.sections.indices.contains(section) ? contents.sections[section].count : 0
  }

  private func count(_ section: Int?) -> Int {
    guard let dataSource else { return 0 }
    return section.map { dataSource.tableView(self, numberOfRowsInSection: $0) }
      ?? dataSource.numberOfSections(in: self)
  }

  private func load() {
    // A data source that asks in turn learns that nothing is known.
    if !contents.isInvalid || isLoading { return }
    isLoading = true
    contents.load((0..<count(nil)).map { count($0) })
    isLoading = false
  }

  public func reloadData() {
    precondition(!isAsking, "the data source changes while the table asks a question")
    reloadCount += 1
    contents.invalidate()
  }

  public func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
    precondition(!isAsking, "the data source changes while the table asks a question")
    load()
    contents.begin()
    updates?()
    contents.end(count)
    layoutIfNeeded()
  }

  /// The texts of the cells, as they were configured.
  public var texts: [[String]] {
    layoutIfNeeded()
    return contents.sections.map { $0.map { ($0.cell as? UITableViewCell)?.text ?? "" } }
  }

  public override func layoutIfNeeded() {
    load()
    guard let delegate, let dataSource else { return }
    for path in contents.paths where contents[path].cell == nil {
      let cell = dataSource.tableView(self, cellForRowAt: path)
      contents[path].cell = cell
      delegate.tableView(self, willDisplay: cell, forRowAt: path)
    }
  }

  /// As the user does it, with the questions in the documented order.
  public func tapRow(at path: IndexPath) {
    layoutIfNeeded()
    let isMultiple = isEditing ? allowsMultipleSelectionDuringEditing : allowsMultipleSelection
    func ask(_ question: (any UITableViewDelegate) -> IndexPath?) -> IndexPath? {
      isAsking = true
      defer { isAsking = false }
      return delegate.flatMap(question)
    }
    func deselect(_ path: IndexPath) -> Bool {
      guard let path = ask({ $0.tableView(self, willDeselectRowAt: path) }) else { return false }
      contents[path].isSelected = false
      delegate?.tableView(self, didDeselectRowAt: path)
      return true
    }
    if isMultiple, contents[path].isSelected {
      _ = deselect(path)
      return
    }
    guard let path = ask({ $0.tableView(self, willSelectRowAt: path) }) else { return }
    if !isMultiple { for other in contents.selectedPaths where other != path { if !deselect(other) { return } } }
    contents[path].isSelected = true
    delegate?.tableView(self, didSelectRowAt: path)
  }

  /// Configures the cells of rows again. The data source has to return the same cell, as it is documented.
  public func reconfigureRows(at indexPaths: [IndexPath]) {
    precondition(!contents.isUpdating, "rows are configured in the middle of a batch")
    for path in indexPaths {
      guard let cell = contents[path].cell else { continue }
      reconfigured = path
      precondition(
        dataSource?.tableView(self, cellForRowAt: path) === cell, "another cell for a row that is reconfigured")
      reconfigured = nil
    }
  }

  public func cellForRow(at indexPath: IndexPath) -> UITableViewCell? {
    contents.contains(indexPath) ? contents[indexPath].cell as? UITableViewCell : nil
  }

  public func deleteSections(_ sections: IndexSet, with animation: RowAnimation) { contents.deleteSections(sections) }
  public func insertSections(_ sections: IndexSet, with animation: RowAnimation) { contents.insertSections(sections) }
  public func reloadSections(_ sections: IndexSet, with animation: RowAnimation) {
    contents.reloadSections(sections, count)
    layoutIfNeeded()
  }
  public func moveSection(_ section: Int, toSection newSection: Int) { contents.moveSection(section, newSection) }
  public func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) { contents.deleteRows(indexPaths) }
  public func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) { contents.insertRows(indexPaths) }
  public func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    contents.reloadRows(indexPaths)
    layoutIfNeeded()
  }
  public func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) { contents.moveRow(indexPath, newIndexPath) }

  public func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell {
    if reconfigured == indexPath, let cell = cellForRow(at: indexPath), cell.reuseIdentifier == identifier {
      return cell
    }
    let cell = UITableViewCell()
    cell.reuseIdentifier = identifier
    return cell
  }

  public override var contentSize: CGSize {
    load()
    return CGSize(width: 100, height: 10 * contents.paths.count)
  }
  public func rectForRow(at indexPath: IndexPath) -> CGRect {
    CGRect(x: 0, y: contents.top(of: indexPath), width: 100, height: 10)
  }
  public var indexPathsForVisibleRows: [IndexPath]? {
    layoutIfNeeded()
    return contents.paths.filter {
      rectForRow(at: $0).maxY > contentOffset.y && rectForRow(at: $0).minY < contentOffset.y + 50
    }
  }

  public var indexPathsForSelectedRows: [IndexPath]? { contents.selectedPaths.isEmpty ? nil : contents.selectedPaths }
  public func selectRow(at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition) {
    precondition(!isAsking, "the selection changes while the table asks a question")
    if let indexPath { contents[indexPath].isSelected = true }
  }
  public func deselectRow(at indexPath: IndexPath, animated: Bool) {
    precondition(!isAsking, "the selection changes while the table asks a question")
    contents[indexPath].isSelected = false
  }
}

@MainActor public protocol UITableViewDataSource: AnyObject {
  func numberOfSections(in tableView: UITableView) -> Int
  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
  func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell
  func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool
  func tableView(
    _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath)
}

@MainActor public protocol UITableViewDelegate: AnyObject {
  func tableView(_ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath)
  func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView?
  func tableView(_ tableView: UITableView, viewForFooterInSection section: Int) -> UIView?
  func tableView(_ tableView: UITableView, willSelectRowAt indexPath: IndexPath) -> IndexPath?
  func tableView(_ tableView: UITableView, willDeselectRowAt indexPath: IndexPath) -> IndexPath?
  func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath)
  func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath)
  func tableView(_ tableView: UITableView, performPrimaryActionForRowAt indexPath: IndexPath)
  func tableView(
    _ tableView: UITableView, contextMenuConfigurationForRowAt indexPath: IndexPath, point: CGPoint
  ) -> UIContextMenuConfiguration?
}

@MainActor public protocol UITableViewDragDelegate: AnyObject {
  func tableView(
    _ tableView: UITableView, itemsForBeginning session: any UIDragSession, at indexPath: IndexPath
  ) -> [UIDragItem]
  func tableView(_ tableView: UITableView, dragSessionWillBegin session: any UIDragSession)
  func tableView(_ tableView: UITableView, dragSessionDidEnd session: any UIDragSession)
}

@MainActor public protocol UITableViewDropDelegate: AnyObject {
  func tableView(
    _ tableView: UITableView, dropSessionDidUpdate session: any UIDropSession,
    withDestinationIndexPath destinationIndexPath: IndexPath?
  ) -> UITableViewDropProposal
  func tableView(_ tableView: UITableView, performDropWith coordinator: any UITableViewDropCoordinator)
}

public final class UITableViewDropProposal: UIDropProposal {
  public enum Intent: Sendable { case unspecified, insertAtDestinationIndexPath }
  public init(operation: UIDropOperation, intent: Intent) { super.init(operation: operation) }
}

@MainActor public protocol UITableViewDropCoordinator {
  var session: any UIDropSession { get }
  /// nil where the view is empty, and below its last row.
  var destinationIndexPath: IndexPath? { get }
  @discardableResult
  func drop(_ dragItem: UIDragItem, toRowAt indexPath: IndexPath) -> any UIDragAnimating
}

// MARK: Collections

open class UICollectionReusableView: UIView {
  public internal(set) var reuseIdentifier: String?
}
open class UICollectionViewCell: UICollectionReusableView { public var text = "" }
public final class UICollectionViewLayoutAttributes: NSObject {
  public let frame: CGRect
  init(_ frame: CGRect) { self.frame = frame }
}

public final class UICollectionView: UIScrollView {
  public struct ScrollPosition: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }

  public weak var dataSource: (any UICollectionViewDataSource)?
  public weak var delegate: (any UICollectionViewDelegate)?
  public weak var dragDelegate: (any UICollectionViewDragDelegate)?
  public weak var dropDelegate: (any UICollectionViewDropDelegate)?
  public var dragInteractionEnabled = false
  public var isEditing = false
  public var allowsMultipleSelection = true
  public var allowsMultipleSelectionDuringEditing = false
  private var contents = ListContents()
  private var isLoading = false
  /// Whether the delegate is asked a question, as which item may be selected: nothing may change meanwhile.
  private var isAsking = false
  /// The item whose cell is configured again.
  private var reconfigured: IndexPath?
  private var registeredKinds: Set<String> = []
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
    // A data source that asks in turn learns that nothing is known.
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

  /// As the user does it, with the questions in the documented order.
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

  /// Configures the cells of items again. The data source has to return the same cell, as it is documented.
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

  public func register(_ cellClass: AnyClass?, forCellWithReuseIdentifier identifier: String) {}
  public func dequeueReusableCell(withReuseIdentifier identifier: String, for indexPath: IndexPath)
    -> UICollectionViewCell
  {
    if reconfigured == indexPath, let cell = cellForItem(at: indexPath), cell.reuseIdentifier == identifier {
      return cell
    }
    let cell = UICollectionViewCell()
    cell.reuseIdentifier = identifier
    return cell
  }

  public func register(
    _ viewClass: AnyClass?, forSupplementaryViewOfKind elementKind: String, withReuseIdentifier identifier: String
  ) { registeredKinds.insert("\(elementKind) \(identifier)") }
  public func dequeueReusableSupplementaryView(
    ofKind elementKind: String, withReuseIdentifier identifier: String, for indexPath: IndexPath
  ) -> UICollectionReusableView {
    precondition(registeredKinds.contains("\(elementKind) \(identifier)"), "a view that was not registered")
    let view = UICollectionReusableView()
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
  /// In no order, as there.
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

@MainActor public protocol UICollectionViewDataSource: AnyObject {
  func numberOfSections(in collectionView: UICollectionView) -> Int
  func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int
  func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell
  func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
  ) -> UICollectionReusableView
}

@MainActor public protocol UICollectionViewDelegate: AnyObject {
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
  /// nil where the view is empty, and below its last row.
  var destinationIndexPath: IndexPath? { get }
  @discardableResult
  func drop(_ dragItem: UIDragItem, toItemAt indexPath: IndexPath) -> any UIDragAnimating
}

// MARK: Dragging and menus

/// Foundation has it on Apple's systems.
public final class NSItemProvider: NSObject {}

@MainActor public final class UIDragItem: NSObject {
  public var localObject: Any?
  public init(itemProvider: NSItemProvider) {}
}

@MainActor public protocol UIDragAnimating {}
@MainActor public protocol UIDragDropSession { var items: [UIDragItem] { get } }
@MainActor public protocol UIDragSession: UIDragDropSession {}
@MainActor public protocol UIDropSession: UIDragDropSession {}

public enum UIDropOperation: Sendable { case cancel, forbidden, copy, move }

@MainActor open class UIDropProposal: NSObject {
  public let operation: UIDropOperation
  init(operation: UIDropOperation) { self.operation = operation }
}

@MainActor open class UIMenuElement: NSObject {
  public struct Attributes: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let disabled = Attributes(rawValue: 1)
    public static let destructive = Attributes(rawValue: 2)
  }
}

public final class UIAction: UIMenuElement {
  public let title: String
  public let attributes: Attributes
  public let handler: (UIAction) -> Void
  public init(title: String = "", attributes: Attributes = [], handler: @escaping (UIAction) -> Void) {
    (self.title, self.attributes, self.handler) = (title, attributes, handler)
  }
}

public final class UIMenu: UIMenuElement {
  public let children: [UIMenuElement]
  public init(title: String = "", children: [UIMenuElement] = []) { self.children = children }
}

@MainActor public final class UIContextMenuConfiguration: NSObject {
  public let menu: UIMenu?
  public init(
    identifier: (any NSCopying)?, previewProvider: (() -> UIView?)? = nil,
    actionProvider: (([UIMenuElement]) -> UIMenu?)? = nil
  ) { menu = actionProvider?([]) }
}
