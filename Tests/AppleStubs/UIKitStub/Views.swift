// The few declarations of UIKit that the adapters use, by Apple's documentation, so that they are compiled and driven on Linux.
// Requirements that are optional there are not here: a method that is misspelled in an adapter does not compile.
public import Foundation

public struct UIEdgeInsets { public var top: CGFloat = 0, bottom: CGFloat = 0 }

@MainActor open class UIView: NSObject {
  public var bounds = CGRect(x: 0, y: 0, width: 100, height: 50)
  public func layoutIfNeeded() {}
  public nonisolated override init() { super.init() }
}

@MainActor open class UIScrollView: UIView {
  public var contentOffset = CGPoint.zero
  public var contentSize: CGSize { .zero }
  public var adjustedContentInset = UIEdgeInsets()
}

// MARK: Tables

open class UITableViewCell: UIView {
  public enum EditingStyle: Sendable { case none, delete, insert }
  public var text = ""
}

public final class UITableView: UIScrollView {
  public enum RowAnimation: Sendable { case automatic, fade }
  public enum ScrollPosition: Sendable { case none, top }

  public weak var dataSource: (any UITableViewDataSource)?
  public weak var delegate: (any UITableViewDelegate)?
  public weak var dragDelegate: (any UITableViewDragDelegate)?
  public weak var dropDelegate: (any UITableViewDropDelegate)?
  public var dragInteractionEnabled = false
  public var allowsMultipleSelection = true
  private var contents = ListContents()
  /// The cells as they were when they were last asked for, by their places now.
  public private(set) var reloadCount = 0

  public var numberOfSections: Int { contents.sections.count }
  public func numberOfRows(inSection section: Int) -> Int { contents.sections[section].count }

  private func count(_ section: Int?) -> Int {
    guard let dataSource else { return 0 }
    return section.map { dataSource.tableView(self, numberOfRowsInSection: $0) }
      ?? dataSource.numberOfSections(in: self)
  }

  public func reloadData() {
    reloadCount += 1
    contents.reload((0..<count(nil)).map { count($0) })
    display(contents.paths)
  }

  public func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
    contents.begin()
    updates?()
    contents.end(count)
    display(contents.paths)
  }

  private func display(_ paths: [IndexPath]) {
    guard let delegate, let dataSource else { return }
    for path in paths {
      delegate.tableView(self, willDisplay: dataSource.tableView(self, cellForRowAt: path), forRowAt: path)
    }
  }

  public func deleteSections(_ sections: IndexSet, with animation: RowAnimation) { contents.deleteSections(sections) }
  public func insertSections(_ sections: IndexSet, with animation: RowAnimation) { contents.insertSections(sections) }
  public func reloadSections(_ sections: IndexSet, with animation: RowAnimation) { contents.reloadSections(sections) }
  public func moveSection(_ section: Int, toSection newSection: Int) { contents.moveSection(section, newSection) }
  public func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) { contents.deleteRows(indexPaths) }
  public func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) { contents.insertRows(indexPaths) }
  public func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) { contents.reloadRows(indexPaths) }
  public func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) { contents.moveRow(indexPath, newIndexPath) }

  public func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell {
    UITableViewCell()
  }

  public override var contentSize: CGSize { CGSize(width: 100, height: 10 * contents.paths.count) }
  public func rectForRow(at indexPath: IndexPath) -> CGRect {
    CGRect(x: 0, y: contents.top(of: indexPath), width: 100, height: 10)
  }
  public var indexPathsForVisibleRows: [IndexPath]? {
    contents.paths.filter {
      rectForRow(at: $0).maxY > contentOffset.y && rectForRow(at: $0).minY < contentOffset.y + 50
    }
  }

  public var indexPathsForSelectedRows: [IndexPath]? { contents.selectedPaths.isEmpty ? nil : contents.selectedPaths }
  public func selectRow(at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition) {
    if let indexPath { contents.sections[indexPath[0]][indexPath[1]] = true }
  }
  public func deselectRow(at indexPath: IndexPath, animated: Bool) {
    contents.sections[indexPath[0]][indexPath[1]] = false
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
  var destinationIndexPath: IndexPath? { get }
}

// MARK: Collections

open class UICollectionReusableView: UIView {}
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
  public var allowsMultipleSelection = true
  private var contents = ListContents()
  public private(set) var reloadCount = 0

  public var numberOfSections: Int { contents.sections.count }
  public func numberOfItems(inSection section: Int) -> Int { contents.sections[section].count }

  private func count(_ section: Int?) -> Int {
    guard let dataSource else { return 0 }
    return section.map { dataSource.collectionView(self, numberOfItemsInSection: $0) }
      ?? dataSource.numberOfSections(in: self)
  }

  public func reloadData() {
    reloadCount += 1
    contents.reload((0..<count(nil)).map { count($0) })
    display()
  }

  public func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
    contents.begin()
    updates?()
    contents.end(count)
    display()
  }

  private func display() {
    guard let delegate, let dataSource else { return }
    for path in contents.paths {
      delegate.collectionView(self, willDisplay: dataSource.collectionView(self, cellForItemAt: path), forItemAt: path)
    }
  }

  public func deleteSections(_ sections: IndexSet) { contents.deleteSections(sections) }
  public func insertSections(_ sections: IndexSet) { contents.insertSections(sections) }
  public func reloadSections(_ sections: IndexSet) { contents.reloadSections(sections) }
  public func moveSection(_ section: Int, toSection newSection: Int) { contents.moveSection(section, newSection) }
  public func deleteItems(at indexPaths: [IndexPath]) { contents.deleteRows(indexPaths) }
  public func insertItems(at indexPaths: [IndexPath]) { contents.insertRows(indexPaths) }
  public func reloadItems(at indexPaths: [IndexPath]) { contents.reloadRows(indexPaths) }
  public func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    contents.moveRow(indexPath, newIndexPath)
  }

  public func register(_ cellClass: AnyClass?, forCellWithReuseIdentifier identifier: String) {}
  public func dequeueReusableCell(withReuseIdentifier identifier: String, for indexPath: IndexPath)
    -> UICollectionViewCell
  {
    UICollectionViewCell()
  }

  public override var contentSize: CGSize { CGSize(width: 100, height: 10 * contents.paths.count) }
  public func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
    UICollectionViewLayoutAttributes(CGRect(x: 0, y: contents.top(of: indexPath), width: 100, height: 10))
  }
  /// In no order, as there.
  public var indexPathsForVisibleItems: [IndexPath] {
    contents.paths.filter {
      let top = contents.top(of: $0)
      return top + 10 > contentOffset.y && top < contentOffset.y + 50
    }.reversed()
  }

  public var indexPathsForSelectedItems: [IndexPath]? { contents.selectedPaths }
  public func selectItem(at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition) {
    if let indexPath { contents.sections[indexPath[0]][indexPath[1]] = true }
  }
  public func deselectItem(at indexPath: IndexPath, animated: Bool) {
    contents.sections[indexPath[0]][indexPath[1]] = false
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
  var destinationIndexPath: IndexPath? { get }
}

// MARK: Dragging and menus

/// Foundation has it on Apple's systems.
public final class NSItemProvider: NSObject {}

@MainActor public final class UIDragItem: NSObject {
  public var localObject: Any?
  public init(itemProvider: NSItemProvider) {}
}

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
