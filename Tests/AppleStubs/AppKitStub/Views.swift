// The few declarations of AppKit that the adapters use, by Apple's documentation. With them, the adapters are compiled
// and run on Linux. Requirements that are optional in AppKit are not optional here: a method that is misspelled in an
// adapter does not compile. The views are as hostile as the documentation allows. They count late. They ask whether a
// row may be selected or unfolded, and expect no change meanwhile. They reload no row in the middle of an update. They
// notify the delegate of each change of their selection, also if the adapter made the change.
public import Foundation

public typealias NSPoint = CGPoint
public typealias NSRect = CGRect

@MainActor open class NSView: NSObject {
  public var text = ""
  public var identifier: NSUserInterfaceItemIdentifier?
  public var visibleRect = CGRect(x: 0, y: 0, width: 100, height: 50)
  public func scroll(_ point: NSPoint) { visibleRect.origin = point }
  /// The stack view that has the view.
  weak var container: NSStackView?
  public func registerForDraggedTypes(_ newTypes: [NSPasteboard.PasteboardType]) {}
  public nonisolated override init() { super.init() }
  public nonisolated required init(frame frameRect: NSRect) { super.init() }
}

/// A nib file. It holds a view of a class, which the test has set for the name of the file.
@MainActor public final class NSNib: NSObject {
  /// The classes, by the name of the file.
  public static var classes: [String: NSView.Type] = [:]
  let viewClass: NSView.Type
  /// nil if there is no such file.
  public init?(nibNamed nibName: String, bundle: Bundle?) {
    guard let viewClass = Self.classes[nibName] else { return nil }
    self.viewClass = viewClass
  }
}

@MainActor public final class NSTableColumn: NSObject {}
public struct NSUserInterfaceItemIdentifier: Hashable, Sendable {
  public let rawValue: String
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

open class NSTableView: NSView {
  public struct AnimationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let effectFade = AnimationOptions(rawValue: 1)
  }
  public enum DropOperation: Sendable { case on, above }
  public enum RowActionEdge: Sendable { case leading, trailing }

  /// An outline has a data source of another type. A property of a Swift class cannot be overridden with another type.
  public weak var dataSource: (any NSRowSource)?
  public weak var delegate: (any NSRowDelegate)?
  public var clickedRow = -1
  /// Whether the actions of a row are shown. The table hides them by itself only when the row is removed.
  public var rowActionsVisible = false
  /// The table does not sort its rows. It notifies the data source of each change, also of a change by the program.
  public var sortDescriptors: [NSSortDescriptor] = [] {
    didSet {
      if sortDescriptors == oldValue { return }
      precondition(!isUpdating, "the order changes in the middle of an update")
      (dataSource as? any NSTableViewDataSource)?.tableView(self, sortDescriptorsDidChange: oldValue)
    }
  }
  private var texts: [String?] = []
  public internal(set) var selectedRowIndexes = IndexSet() {
    didSet { if selectedRowIndexes != oldValue { notifySelection() } }
  }
  public internal(set) var reloadCount = 0
  /// Whether the table has to ask for its rows again.
  fileprivate var isInvalid = true
  fileprivate var isUpdating = false
  /// Whether the table asks the delegate a question, for example which rows may be selected. The data source must not
  /// change meanwhile.
  fileprivate var isAsking = false

  /// The texts of the shown rows, as they were when the table asked for them.
  open var shownTexts: [String?] {
    load()
    return texts
  }

  /// Asks for the rows, if the table does not know them.
  fileprivate func load() {
    if !isInvalid || dataSource == nil { return }
    isInvalid = false
    loadRows()
  }

  fileprivate func loadRows() { texts = (0..<count).map(text) }

  fileprivate func notifySelection() {
    precondition(!isAsking, "the selection changes while the table asks a question")
    (delegate as? any NSTableViewDelegate)?.tableViewSelectionDidChange(
      Notification(name: Notification.Name("NSTableViewSelectionDidChangeNotification"), object: self))
  }

  fileprivate func ask<Answer>(_ question: () -> Answer) -> Answer {
    isAsking = true
    defer { isAsking = false }
    return question()
  }

  fileprivate func proposal(_ rows: IndexSet) -> IndexSet {
    (delegate as! any NSTableViewDelegate).tableView(self, selectionIndexesForProposedSelection: rows)
  }

  /// The action of the user.
  public func userSelects(_ rows: IndexSet) {
    load()
    let allowed = ask { proposal(rows) }
    setSelection(allowed)
  }

  fileprivate func setSelection(_ rows: IndexSet) { selectedRowIndexes = rows }
  public var numberOfRows: Int { shownTexts.count }
  public var numberOfColumns: Int { 1 }

  private var count: Int { (dataSource as! any NSTableViewDataSource).numberOfRows(in: self) }
  private func text(_ row: Int) -> String? {
    (delegate as! any NSTableViewDelegate).tableView(self, viewFor: nil, row: row)?.text
  }

  open func reloadData() {
    precondition(!isAsking && !isUpdating, "reloadData in the middle of something else")
    reloadCount += 1
    isInvalid = true
    selectedRowIndexes = []
  }

  public func beginUpdates() {
    precondition(!isAsking, "the data source changes while the table asks a question")
    load()
    isUpdating = true
  }

  open func endUpdates() {
    isUpdating = false
    precondition(texts.count == count, "invalid number of rows")
    for row in texts.indices where texts[row] == "new" { texts[row] = text(row) }
  }

  public func removeRows(at indexes: IndexSet, withAnimation animation: AnimationOptions = []) {
    for row in indexes.reversed() {
      texts.remove(at: row)
      var selected = selectedRowIndexes
      selected.remove(row)
      selected.shift(startingAt: row + 1, by: -1)
      selectedRowIndexes = selected
    }
  }

  public func insertRows(at indexes: IndexSet, withAnimation animation: AnimationOptions = []) {
    for row in indexes {
      texts.insert("new", at: row)
      selectedRowIndexes.shift(startingAt: row, by: 1)
    }
  }

  public func moveRow(at oldIndex: Int, to newIndex: Int) {
    let (text, isSelected) = (texts[oldIndex], selectedRowIndexes.contains(oldIndex))
    removeRows(at: IndexSet(integer: oldIndex))
    insertRows(at: IndexSet(integer: newIndex))
    texts[newIndex] = text
    if isSelected { selectedRowIndexes.insert(newIndex) }
  }

  public func reloadData(forRowIndexes rowIndexes: IndexSet, columnIndexes: IndexSet) {
    precondition(!isUpdating, "rows are reloaded in the middle of an update")
    for row in rowIndexes { texts[row] = text(row) }
  }

  public func selectRowIndexes(_ indexes: IndexSet, byExtendingSelection extend: Bool) {
    load()
    selectedRowIndexes = extend ? selectedRowIndexes.union(indexes) : indexes
  }

  public func rect(ofRow row: Int) -> NSRect { CGRect(x: 0, y: 10 * row, width: 100, height: 10) }
  public func rows(in rect: NSRect) -> NSRange {
    let first = min(max(0, Int(rect.minY) / 10), numberOfRows)
    return NSRange(location: first, length: min(numberOfRows - first, Int(rect.height) / 10))
  }

  /// The identifiers of the cells that are drawn in the table, in Interface Builder.
  public var prototypes: Set<NSUserInterfaceItemIdentifier> = [NSUserInterfaceItemIdentifier("name")]
  private var nibs: [NSUserInterfaceItemIdentifier: NSNib] = [:]

  public func register(_ nib: NSNib?, forIdentifier identifier: NSUserInterfaceItemIdentifier) {
    nibs[identifier] = nib
  }

  /// Makes a view, if the table knows how. The views of this stub are never out of sight, and never used again.
  public func makeView(withIdentifier identifier: NSUserInterfaceItemIdentifier, owner: Any?) -> NSView? {
    let view = prototypes.contains(identifier) ? NSView(frame: .zero) : nibs[identifier]?.viewClass.init(frame: .zero)
    view?.identifier = identifier
    return view
  }
}

@MainActor public protocol NSRowSource: AnyObject {}
@MainActor public protocol NSRowDelegate: AnyObject {}

@MainActor public protocol NSTableViewDataSource: NSRowSource {
  func numberOfRows(in tableView: NSTableView) -> Int
  func tableView(_ tableView: NSTableView, sortDescriptorsDidChange oldDescriptors: [NSSortDescriptor])
  func tableView(_ tableView: NSTableView, pasteboardWriterForRow row: Int) -> (any NSPasteboardWriting)?
  func tableView(
    _ tableView: NSTableView, draggingSession session: NSDraggingSession, willBeginAt screenPoint: NSPoint,
    forRowIndexes rowIndexes: IndexSet)
  func tableView(
    _ tableView: NSTableView, draggingSession session: NSDraggingSession, endedAt screenPoint: NSPoint,
    operation: NSDragOperation)
  func tableView(
    _ tableView: NSTableView, validateDrop info: any NSDraggingInfo, proposedRow row: Int,
    proposedDropOperation dropOperation: NSTableView.DropOperation
  ) -> NSDragOperation
  func tableView(
    _ tableView: NSTableView, acceptDrop info: any NSDraggingInfo, row: Int,
    dropOperation: NSTableView.DropOperation
  ) -> Bool
}

@MainActor public protocol NSTableViewDelegate: NSRowDelegate {
  func tableView(_ tableView: NSTableView, viewFor tableColumn: NSTableColumn?, row: Int) -> NSView?
  func tableView(
    _ tableView: NSTableView, selectionIndexesForProposedSelection proposedSelectionIndexes: IndexSet
  ) -> IndexSet
  func tableViewSelectionDidChange(_ notification: Notification)
  func tableView(
    _ tableView: NSTableView, rowActionsForRow row: Int, edge: NSTableView.RowActionEdge
  ) -> [NSTableViewRowAction]
}

@MainActor public final class NSTableViewRowAction: NSObject {
  public enum Style: Sendable { case regular, destructive }
  public let style: Style
  public let title: String
  public let handler: (NSTableViewRowAction, Int) -> Void
  public init(style: Style, title: String, handler: @escaping (NSTableViewRowAction, Int) -> Void) {
    (self.style, self.title, self.handler) = (style, title, handler)
  }
}

// MARK: Outlines

public let NSOutlineViewDropOnItemIndex = -1

/// An outline that identifies its rows by the objects of its data source, and asks for the children of a row that is
/// unfolded.
public final class NSOutlineView: NSTableView {
  private final class Row {
    let item: Any?
    var text: String?
    var isNew = true
    var isExpandable = false
    var isSelected = false
    /// nil: the row was never unfolded.
    var children: [Row]?
    var isExpanded = false
    init(_ item: Any?) { self.item = item }
  }

  /// Whether the outline asks at once for the values and the children of a row that arrives, in the middle of a batch.
  public var asksEarly = false
  private var top = Row(nil)
  private var source: any NSOutlineViewDataSource { dataSource as! any NSOutlineViewDataSource }
  private var handler: any NSOutlineViewDelegate { delegate as! any NSOutlineViewDelegate }

  private var rows: [Row] {
    load()
    func rows(of row: Row) -> [Row] { (row.children ?? []).flatMap { [$0] + ($0.isExpanded ? rows(of: $0) : []) } }
    return rows(of: top)
  }

  public override var shownTexts: [String?] { rows.map(\.text) }

  fileprivate override func loadRows() {
    top = Row(nil)
    load(top)
    display()
  }

  fileprivate override func proposal(_ rows: IndexSet) -> IndexSet {
    handler.outlineView(self, selectionIndexesForProposedSelection: rows)
  }

  fileprivate override func setSelection(_ rows: IndexSet) { selectRowIndexes(rows, byExtendingSelection: false) }

  fileprivate override func notifySelection() {
    precondition(!isAsking, "the selection changes while the outline asks a question")
    (delegate as? any NSOutlineViewDelegate)?.outlineViewSelectionDidChange(
      Notification(name: Notification.Name("NSOutlineViewSelectionDidChangeNotification"), object: self))
  }

  private func notification(_ item: Any?) -> Notification {
    Notification(name: Notification.Name("NSOutlineView"), object: self, userInfo: item.map { ["NSObject": $0] })
  }

  private func row(for item: Any?) -> Row {
    guard let row = shownRow(for: item) else { preconditionFailure("an item that the outline does not know") }
    return row
  }

  /// The row of an item; nil if the outline does not know the item. Insertions and removals in it have no effect then.
  private func shownRow(for item: Any?) -> Row? {
    guard let item else { return top }
    return find(item)?.row
  }

  private func find(_ item: Any) -> (row: Row, parent: Row)? {
    func find(in row: Row) -> (row: Row, parent: Row)? {
      for child in row.children ?? [] {
        if child.item as AnyObject === item as AnyObject { return (child, row) }
        if let found = find(in: child) { return found }
      }
      return nil
    }
    return find(in: top)
  }

  private func child(_ position: Int, of row: Row) -> Row {
    Row(source.outlineView(self, child: position, ofItem: row.item))
  }

  private func load(_ row: Row) {
    row.children = (0..<source.outlineView(self, numberOfChildrenOfItem: row.item)).map { child($0, of: row) }
  }

  /// Asks for the values of the new visible rows.
  private func display() {
    for row in rows where row.isNew { show(row) }
    selectedRowIndexes = IndexSet(rows.indices.filter { rows[$0].isSelected })
  }

  private func show(_ row: Row) {
    row.isNew = false
    row.isExpandable = source.outlineView(self, isItemExpandable: row.item!)
    row.text = handler.outlineView(self, viewFor: nil, item: row.item!)?.text
  }

  public override func endUpdates() {
    func check(_ row: Row) {
      guard let children = row.children else { return }
      precondition(
        children.count == source.outlineView(self, numberOfChildrenOfItem: row.item), "invalid number of children")
      for child in children { check(child) }
    }
    isUpdating = false
    check(top)
    display()
  }

  /// The action of the user.
  public func expandItem(_ item: Any?) {
    let row = row(for: item)
    guard row.isExpandable, ask({ handler.outlineView(self, shouldExpandItem: item!) }) else { return }
    if row.children == nil { load(row) }
    row.isExpanded = true
    display()
    handler.outlineViewItemDidExpand(notification(item))
  }

  /// The action of the user.
  public func collapseItem(_ item: Any?) {
    guard ask({ handler.outlineView(self, shouldCollapseItem: item!) }) else { return }
    // The outline forgets the selection of rows that are out of sight.
    func deselect(_ row: Row) {
      for child in row.children ?? [] {
        child.isSelected = false
        deselect(child)
      }
    }
    deselect(row(for: item))
    row(for: item).isExpanded = false
    display()
    handler.outlineViewItemDidCollapse(notification(item))
  }

  public func isItemExpanded(_ item: Any?) -> Bool { shownRow(for: item)?.isExpanded ?? false }

  public func removeItems(at indexes: IndexSet, inParent parent: Any?, withAnimation: AnimationOptions = []) {
    guard let row = shownRow(for: parent) else { return }
    for position in indexes.reversed() { row.children?.remove(at: position) }
  }

  public func insertItems(at indexes: IndexSet, inParent parent: Any?, withAnimation: AnimationOptions = []) {
    guard let row = shownRow(for: parent) else { return }
    for position in indexes where row.children != nil {
      let child = child(position, of: row)
      row.children?.insert(child, at: position)
      if !asksEarly { continue }
      show(child)
      load(child)
    }
  }

  public func moveItem(at fromIndex: Int, inParent oldParent: Any?, to toIndex: Int, inParent newParent: Any?) {
    let (source, destination) = (row(for: oldParent), row(for: newParent))
    // By the header, a position that the outline does not show ends the process.
    for parent in [source, destination] { precondition(parent === top || parent.isExpanded, "a move in a folded row") }
    let child = source.children!.remove(at: fromIndex)
    destination.children!.insert(child, at: toIndex)
  }

  public func reloadItem(_ item: Any?, reloadChildren: Bool) {
    precondition(!isUpdating, "rows are reloaded in the middle of an update")
    let row = row(for: item)
    // A row that became a leaf cannot stay unfolded.
    if row.isExpandable, !source.outlineView(self, isItemExpandable: item!) { row.isExpanded = false }
    row.isNew = true
    display()
  }

  public override func selectRowIndexes(_ indexes: IndexSet, byExtendingSelection extend: Bool) {
    for (position, row) in rows.enumerated() { row.isSelected = indexes.contains(position) || extend && row.isSelected }
    selectedRowIndexes = IndexSet(rows.indices.filter { rows[$0].isSelected })
  }

  public func item(atRow row: Int) -> Any? { rows.indices.contains(row) ? rows[row].item : nil }

  public func parent(forItem item: Any?) -> Any? {
    guard let item else { return nil }
    return find(item)?.parent.item
  }

  public func row(forItem item: Any?) -> Int {
    rows.firstIndex { $0.item as AnyObject === item as AnyObject } ?? -1
  }
}

@MainActor public protocol NSOutlineViewDataSource: NSRowSource {
  func outlineView(_ outlineView: NSOutlineView, numberOfChildrenOfItem item: Any?) -> Int
  func outlineView(_ outlineView: NSOutlineView, child index: Int, ofItem item: Any?) -> Any
  func outlineView(_ outlineView: NSOutlineView, isItemExpandable item: Any) -> Bool
  func outlineView(_ outlineView: NSOutlineView, pasteboardWriterForItem item: Any) -> (any NSPasteboardWriting)?
  func outlineView(
    _ outlineView: NSOutlineView, draggingSession session: NSDraggingSession, willBeginAt screenPoint: NSPoint,
    forItems draggedItems: [Any])
  func outlineView(
    _ outlineView: NSOutlineView, draggingSession session: NSDraggingSession, endedAt screenPoint: NSPoint,
    operation: NSDragOperation)
  func outlineView(
    _ outlineView: NSOutlineView, validateDrop info: any NSDraggingInfo, proposedItem item: Any?,
    proposedChildIndex index: Int
  ) -> NSDragOperation
  func outlineView(
    _ outlineView: NSOutlineView, acceptDrop info: any NSDraggingInfo, item: Any?, childIndex index: Int
  ) -> Bool
}

@MainActor public protocol NSOutlineViewDelegate: NSRowDelegate {
  func outlineView(_ outlineView: NSOutlineView, viewFor tableColumn: NSTableColumn?, item: Any) -> NSView?
  func outlineView(_ outlineView: NSOutlineView, shouldExpandItem item: Any) -> Bool
  func outlineView(_ outlineView: NSOutlineView, shouldCollapseItem item: Any) -> Bool
  func outlineViewItemDidExpand(_ notification: Notification)
  func outlineViewItemDidCollapse(_ notification: Notification)
  func outlineViewSelectionDidChange(_ notification: Notification)
  func outlineView(
    _ outlineView: NSOutlineView, selectionIndexesForProposedSelection proposedSelectionIndexes: IndexSet
  ) -> IndexSet
}

// MARK: Dragging

@MainActor public final class NSDraggingSession: NSObject {}
@MainActor public protocol NSDraggingInfo: AnyObject {}

public struct NSDragOperation: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let move = NSDragOperation(rawValue: 16)
}

public protocol NSPasteboardWriting: AnyObject {}

public final class NSPasteboard: NSObject {
  public struct PasteboardType: Hashable, Sendable {
    public let rawValue: String
    public init(_ rawValue: String) { self.rawValue = rawValue }
  }
}

public final class NSPasteboardItem: NSObject, NSPasteboardWriting {
  public private(set) var types: [NSPasteboard.PasteboardType] = []

  @discardableResult
  public func setString(_ string: String, forType type: NSPasteboard.PasteboardType) -> Bool {
    types.append(type)
    return true
  }
}
