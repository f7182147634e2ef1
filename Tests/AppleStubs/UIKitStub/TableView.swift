public import Foundation

public final class UILabel: UIView {
  public var text: String?
}

open class UITableViewCell: UIView, ListCell {
  public enum EditingStyle: Sendable { case none, delete, insert }
  public let textLabel: UILabel? = UILabel()
  public var text: String {
    get { textLabel?.text ?? "" }
    set { textLabel?.text = newValue }
  }
  public internal(set) var reuseIdentifier: String?
  public nonisolated required override init() { super.init() }
}

open class UITableViewHeaderFooterView: UIView {
  public internal(set) var reuseIdentifier: String?
  public nonisolated required override init() { super.init() }
}

public final class UITableView: ListView {
  public enum RowAnimation: Sendable { case automatic, fade, left, none }
  public enum ScrollPosition: Sendable { case none, top }

  /// The table asks a new data source for its counts when the table next needs them.
  public weak var dataSource: (any UITableViewDataSource)? { didSet { contents.invalidate() } }
  /// The table asks which methods a delegate implements when the delegate is set, and at no other time.
  public weak var delegate: (any UITableViewDelegate)? {
    didSet { if let delegate, delegate !== oldValue { delegateCount += 1 } }
  }
  /// How often a delegate was set.
  public private(set) var delegateCount = 0
  public weak var prefetchDataSource: (any UITableViewDataSourcePrefetching)?
  public weak var dragDelegate: (any UITableViewDragDelegate)?
  public weak var dropDelegate: (any UITableViewDropDelegate)?
  private var headerClasses: [String: UITableViewHeaderFooterView.Type] = [:]
  public func numberOfRows(inSection section: Int) -> Int { numberOfRows(section) }

  override func count(_ section: Int?) -> Int {
    guard let dataSource else { return 0 }
    return section.map { dataSource.tableView(self, numberOfRowsInSection: $0) }
      ?? dataSource.numberOfSections(in: self)
  }

  override func cell(at path: IndexPath) -> UIView? { dataSource?.tableView(self, cellForRowAt: path) }

  override func display(_ cell: UIView?, at path: IndexPath) {
    if let cell = cell as? UITableViewCell { delegate?.tableView(self, willDisplay: cell, forRowAt: path) }
  }

  override var isComplete: Bool { delegate != nil && dataSource != nil }

  /// The action of the user, with the questions in the documented order.
  public func tapRow(at path: IndexPath) {
    layoutIfNeeded()
    func ask(_ question: (any UITableViewDelegate) -> IndexPath?) -> IndexPath? {
      self.ask { delegate.flatMap(question) }
    }
    func deselect(_ path: IndexPath) -> Bool {
      guard let path = ask({ $0.tableView(self, willDeselectRowAt: path) }) else { return false }
      contents[path].isSelected = false
      delegate?.tableView(self, didDeselectRowAt: path)
      return true
    }
    if selectsSeveral, contents[path].isSelected {
      _ = deselect(path)
      return
    }
    guard let path = ask({ $0.tableView(self, willSelectRowAt: path) }) else { return }
    if !selectsSeveral { for other in contents.selectedPaths where other != path { if !deselect(other) { return } } }
    contents[path].isSelected = true
    delegate?.tableView(self, didSelectRowAt: path)
  }

  /// The action of the user while the table is edited, with the questions in the documented order.
  ///
  /// The table moves the row by itself, and then calls its data source. During this call, the table can neither be
  /// updated nor reloaded.
  public func dragRow(at source: IndexPath, to proposed: IndexPath) {
    guard let dataSource, let delegate else { return }
    layoutIfNeeded()
    ask {
      guard dataSource.tableView(self, canEditRowAt: source), dataSource.tableView(self, canMoveRowAt: source) else {
        return
      }
      let destination = delegate.tableView(
        self, targetIndexPathForMoveFromRowAt: source, toProposedIndexPath: proposed)
      if destination == source { return }
      contents.move(source, to: destination)
      dataSource.tableView(self, moveRowAt: source, to: destination)
    }
  }

  /// How often the table was asked to reload the titles of the index.
  public private(set) var indexReloadCount = 0
  public func reloadSectionIndexTitles() { indexReloadCount += 1 }

  /// The animations of all changes, in the order of the calls.
  public private(set) var animations: [String] = []

  public func reconfigureRows(at indexPaths: [IndexPath]) { reconfigure(indexPaths) }

  public func cellForRow(at indexPath: IndexPath) -> UITableViewCell? { shownCell(at: indexPath) as? UITableViewCell }

  public func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {
    if !sections.isEmpty { animations.append("delete \(animation)") }
    contents.deleteSections(sections)
  }
  public func insertSections(_ sections: IndexSet, with animation: RowAnimation) {
    if !sections.isEmpty { animations.append("insert \(animation)") }
    contents.insertSections(sections)
  }
  public func reloadSections(_ sections: IndexSet, with animation: RowAnimation) {
    animations.append("reload \(animation)")
    contents.reloadSections(sections, count)
    layoutIfNeeded()
  }
  public func moveSection(_ section: Int, toSection newSection: Int) { contents.moveSection(section, newSection) }
  public func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    if !indexPaths.isEmpty { animations.append("delete \(animation)") }
    contents.deleteRows(indexPaths)
  }
  public func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    if !indexPaths.isEmpty { animations.append("insert \(animation)") }
    contents.insertRows(indexPaths)
  }
  public func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    animations.append("reload \(animation)")
    contents.reloadRows(indexPaths)
    layoutIfNeeded()
  }
  public func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) { contents.moveRow(indexPath, newIndexPath) }

  public func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {
    cellClasses[identifier] = cellClass as? any ListCell.Type
  }
  public func register(_ nib: UINib?, forCellReuseIdentifier identifier: String) {
    cellClasses[identifier] = nib?.viewClass as? any ListCell.Type
  }
  public func register(_ aClass: AnyClass?, forHeaderFooterViewReuseIdentifier identifier: String) {
    headerClasses[identifier] = aClass as? UITableViewHeaderFooterView.Type
  }
  public func register(_ nib: UINib?, forHeaderFooterViewReuseIdentifier identifier: String) {
    headerClasses[identifier] = nib?.viewClass as? UITableViewHeaderFooterView.Type
  }
  public func dequeueReusableHeaderFooterView(withIdentifier identifier: String) -> UITableViewHeaderFooterView? {
    let view = headerClasses[identifier]?.init()
    view?.reuseIdentifier = identifier
    return view
  }
  public func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell {
    dequeueCell(identifier, for: indexPath) as! UITableViewCell
  }

  public func indexPathForRow(at point: CGPoint) -> IndexPath? { path(at: point) }
  public func rectForRow(at indexPath: IndexPath) -> CGRect { frame(of: indexPath) }
  public var indexPathsForVisibleRows: [IndexPath]? { visiblePaths }

  public var indexPathsForSelectedRows: [IndexPath]? { contents.selectedPaths.isEmpty ? nil : contents.selectedPaths }
  public func selectRow(at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition) {
    setSelected(true, indexPath)
  }
  public func deselectRow(at indexPath: IndexPath, animated: Bool) { setSelected(false, indexPath) }
}

@MainActor public protocol UITableViewDataSource: NSObjectProtocol {
  func numberOfSections(in tableView: UITableView) -> Int
  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
  func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell
  func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool
  func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool
  func tableView(
    _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath)
  func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String?
  func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String?
  func sectionIndexTitles(for tableView: UITableView) -> [String]?
  func tableView(_ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int) -> Int
  func tableView(
    _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath)
}

@MainActor public protocol UITableViewDelegate: NSObjectProtocol {
  func tableView(_ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath)
  func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView?
  func tableView(_ tableView: UITableView, viewForFooterInSection section: Int) -> UIView?
  func tableView(
    _ tableView: UITableView, editingStyleForRowAt indexPath: IndexPath
  ) -> UITableViewCell.EditingStyle
  func tableView(
    _ tableView: UITableView, leadingSwipeActionsConfigurationForRowAt indexPath: IndexPath
  ) -> UISwipeActionsConfiguration?
  func tableView(
    _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
  ) -> UISwipeActionsConfiguration?
  func tableView(
    _ tableView: UITableView, targetIndexPathForMoveFromRowAt sourceIndexPath: IndexPath,
    toProposedIndexPath proposedDestinationIndexPath: IndexPath
  ) -> IndexPath
  func tableView(_ tableView: UITableView, willSelectRowAt indexPath: IndexPath) -> IndexPath?
  func tableView(_ tableView: UITableView, willDeselectRowAt indexPath: IndexPath) -> IndexPath?
  func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath)
  func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath)
  func tableView(_ tableView: UITableView, performPrimaryActionForRowAt indexPath: IndexPath)
  func tableView(
    _ tableView: UITableView, contextMenuConfigurationForRowAt indexPath: IndexPath, point: CGPoint
  ) -> UIContextMenuConfiguration?
}

@MainActor public protocol UITableViewDataSourcePrefetching: NSObjectProtocol {
  func tableView(_ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath])
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
  /// nil if the table is empty, and below its last row.
  var destinationIndexPath: IndexPath? { get }
  @discardableResult
  func drop(_ dragItem: UIDragItem, toRowAt indexPath: IndexPath) -> any UIDragAnimating
}
