public import Assemblage
public import Foundation

/// An object that represents a row of an outline, also after the row moves: see `OutlineItems`.
public final class OutlineItem {
  fileprivate weak var parent: OutlineItem?
  /// Its children. A child that the view has not asked for is nil. The array is nil if the view has never asked for the
  /// number.
  fileprivate var children: [OutlineItem?]?
  /// The item's last known position among its siblings.
  fileprivate var hint: Int
  /// Whether the view first asked for the children in the middle of a batch. Then they are the children after the
  /// batch.
  fileprivate var isAhead = false

  fileprivate init(_ parent: OutlineItem?, _ position: Int) {
    self.parent = parent
    hint = position
  }
}

@available(*, unavailable)
extension OutlineItem: Sendable {}

/// The rows of an outline as objects, for views that identify a row by an object.
///
/// Such a view asks for a row by its parent and its position.
///
/// An object is made when the view first asks for it, and then follows the calls that change the view. The calls leave
/// out the rows that the view has never asked for:
///
/// ```swift
/// let items = OutlineItems { coordinator.count(at: $0) }
/// let first = items.child(at: 0, of: nil)
/// items.perform(batch, commit: commit) { call in
///   switch call {
///   case .remove(let positions, let parent): view.removeItems(at: positions, inParent: parent)
///   case .insert(let positions, let parent): view.insertItems(at: positions, inParent: parent)
///   case .move(let position, let parent, let destination, let newParent):
///     view.moveItem(at: position, inParent: parent, to: destination, inParent: newParent)
///   case .reload(let item): view.reloadItem(item)
///   }
/// }
/// items.path(of: first)      // where that row is now, or nil
/// ```
///
/// The item nil is the root, which contains all rows. The view may also ask in the middle of a batch. Then a position
/// holds after the calls so far, and a path, for the coordinator, holds after all calls of the batch.
public final class OutlineItems {
  /// A call for a view that identifies its rows by objects. The parent nil is the root, which contains all rows.
  public enum Call {
    /// Removes the children at these positions.
    case remove(at: IndexSet, parent: OutlineItem?)

    /// Inserts children, which are at these positions afterwards.
    case insert(at: IndexSet, parent: OutlineItem?)

    /// Moves a child; `to` is its position afterwards.
    case move(at: Int, parent: OutlineItem?, to: Int, newParent: OutlineItem?)

    /// Shows the value of an item again; its children stay as they are.
    case reload(OutlineItem)
  }

  private let top = OutlineItem(nil, 0)
  private let countAt: (IndexPath) -> Int
  /// The remaining calls of the batch that is under way. `ahead` has the items whose children these calls do not
  /// change.
  private var pending: ArraySlice<ChangeSet.OutlineCall> = []
  private var ahead: [OutlineItem] = []

  /// Creates the items of an outline that has not asked for any row yet.
  ///
  /// - Parameter count: yields the number of children at a path, like `count(at:)` of the coordinator.
  public init(count: @escaping (IndexPath) -> Int) { countAt = count }

  // MARK: Questions of the view

  /// The number of children of an item. From now on, the items keep this number up to date.
  ///
  /// - Parameter item: an item; nil: the root, which contains all rows.
  /// - Returns: the number; 0 for an item that has left.
  public func count(of item: OutlineItem?) -> Int {
    let item = item ?? top
    if let children = item.children { return children.count }
    guard let path = path(of: item) else { return 0 }
    let count = countAt(path)
    item.children = Array(repeating: nil, count: count)
    if !pending.isEmpty {
      item.isAhead = true
      ahead.append(item)
    }
    return count
  }

  /// The item of a child. The first call makes the item.
  ///
  /// - Parameters:
  ///   - position: 0..<count(of: item); any other position traps.
  ///   - item: the parent; nil: the root, which contains all rows.
  /// - Returns: the item.
  public func child(at position: Int, of item: OutlineItem?) -> OutlineItem {
    let count = count(of: item)
    let parent = item ?? top
    if position < 0 || position >= count {
      fatalError("OutlineItems: the position \(position) is out of range 0..<\(count).")
    }
    if let child = parent.children?[position] { return child }
    let child = OutlineItem(parent, position)
    parent.children?[position] = child
    return child
  }

  /// The path of an item, as the coordinator uses it.
  ///
  /// - Parameter item: an item; nil: the root, which contains all rows.
  /// - Returns: the path; nil if the item has left, or will leave with the batch that is under way.
  /// - Complexity: O(1) for each level at which the position among the siblings is unchanged since the last call;
  ///   otherwise O(n) for n siblings.
  public func path(of item: OutlineItem?) -> IndexPath? {
    var components: [Int] = []
    // Below an item with `isAhead`, positions already hold after the batch.
    var settled = 0
    var next = item ?? top
    while next !== top {
      guard let parent = next.parent, let position = position(of: next, in: parent) else { return nil }
      components.append(position)
      if parent.isAhead { settled = components.count }
      next = parent
    }
    let path = IndexPath(indexes: components.reversed())
    var result: IndexPath? = path.dropLast(settled)
    for call in pending { result = result.flatMap { call.path(after: $0) } }
    return result?.appending(path.suffix(settled))
  }

  private func position(of item: OutlineItem, in parent: OutlineItem) -> Int? {
    guard let children = parent.children else { return nil }
    if item.hint < children.count, children[item.hint] === item { return item.hint }
    guard let position = children.firstIndex(where: { $0 === item }) else { return nil }
    item.hint = position
    return position
  }

  /// The number of children that the view knows: `CoordinatedWidget.shownCount(at:)`.
  ///
  /// - Parameter path: a path of the widget.
  /// - Returns: the number; nil if the view has never asked for it.
  public func shownCount(at path: IndexPath) -> Int? { item(at: path)?.children?.count }

  /// The item of a row, if the view has ever asked for it.
  ///
  /// - Parameter path: a path of the widget, between two batches; not [].
  /// - Returns: the item; nil if the view does not know the item.
  public func shownItem(at path: IndexPath) -> OutlineItem? { path.isEmpty ? nil : item(at: path) }

  /// The item at a path, if the item was made and changes with the batch. The item at [] is the root, which contains
  /// all rows.
  private func item(at path: IndexPath) -> OutlineItem? {
    var item = top
    for position in path {
      guard !item.isAhead, let children = item.children, children.indices.contains(position),
        let child = children[position]
      else { return nil }
      item = child
    }
    return item
  }

  // MARK: Changes

  /// Forgets all items, because the view asks for all rows again.
  public func removeAll() { top.children = nil }

  /// Applies a batch to the items, and to the view.
  ///
  /// - Parameters:
  ///   - batch: the batch.
  ///   - commit: the closure that the coordinator passes with the batch. This method calls it first.
  ///   - body: applies a call to the view. There are no calls for rows that the view has never asked for.
  /// - Complexity: O(n) for each call, for n siblings, like in any array.
  public func perform(_ batch: ChangeSet.Batch, commit: () -> Void, _ body: (Call) -> Void) {
    commit()
    pending = batch.calls[...]
    while let call = pending.popFirst() {
      if let call = apply(call) { body(call) }
    }
    for item in ahead { item.isAhead = false }
    ahead = []
  }

  private func apply(_ call: ChangeSet.OutlineCall) -> Call? {
    switch call {
    case .remove(let positions, let path):
      guard let parent = parent(at: path) else { return nil }
      for range in positions.rangeView.reversed() { parent.children?.removeSubrange(range) }
      return .remove(at: positions, parent: shown(parent))
    case .insert(let positions, let path):
      guard let parent = parent(at: path) else { return nil }
      for range in positions.rangeView {
        parent.children?.insert(contentsOf: repeatElement(nil, count: range.count), at: range.lowerBound)
      }
      return .insert(at: positions, parent: shown(parent))
    case .move(let position, let path, let destination, let newPath):
      return move(position, parent(at: path), destination, parent(at: newPath))
    case .reload(let path):
      return item(at: path).flatMap { $0 === top ? nil : .reload($0) }
    }
  }

  /// The item at a path, if the view has asked for its children and they change with the batch.
  private func parent(at path: IndexPath) -> OutlineItem? {
    item(at: path).flatMap { $0.isAhead || $0.children == nil ? nil : $0 }
  }

  private func move(_ position: Int, _ parent: OutlineItem?, _ destination: Int, _ newParent: OutlineItem?) -> Call? {
    // nil if the view has never asked for the child.
    let child: OutlineItem? = parent?.children?.remove(at: position) ?? nil
    child?.parent = newParent
    child?.hint = destination
    newParent?.children?.insert(child, at: destination)
    switch (parent, newParent) {
    case (let parent?, let newParent?):
      return .move(at: position, parent: shown(parent), to: destination, newParent: shown(newParent))
    // The view does not know one of the two parents: the child only leaves, or only arrives.
    case (let parent?, nil): return .remove(at: IndexSet(integer: position), parent: shown(parent))
    case (nil, let newParent?): return .insert(at: IndexSet(integer: destination), parent: shown(newParent))
    case (nil, nil): return nil
    }
  }

  private func shown(_ item: OutlineItem) -> OutlineItem? { item === top ? nil : item }
}

@available(*, unavailable)
extension OutlineItems: Sendable {}

@available(*, unavailable)
extension OutlineItems.Call: Sendable {}

extension ChangeSet.OutlineCall {
  /// The path of a row after the call; nil if the call removes the row.
  fileprivate func path(after path: IndexPath) -> IndexPath? {
    switch self {
    case .remove(let positions, let parent):
      guard let position = path.position(below: parent) else { return path }
      if positions.contains(position) { return nil }
      return path.moved(to: position - positions.count(in: 0..<position), below: parent)
    case .insert(let positions, let parent):
      guard var position = path.position(below: parent) else { return path }
      for inserted in positions where inserted <= position { position += 1 }
      return path.moved(to: position, below: parent)
    case .move(let position, let parent, let destination, let newParent):
      let removal = Self.remove(at: IndexSet(integer: position), inParent: parent)
      guard let goal = removal.path(after: newParent) else { return nil }
      guard let rest = removal.path(after: path) else {
        return goal.appending(destination).appending(path.dropFirst(parent.count + 1))
      }
      return Self.insert(at: IndexSet(integer: destination), inParent: goal).path(after: rest)
    case .reload: return path
    }
  }
}

extension IndexPath {
  /// The position of the parent's child that this path leads to, or through. nil if the path does not lead below the
  /// parent.
  fileprivate func position(below parent: IndexPath) -> Int? {
    count > parent.count && starts(with: parent) ? self[parent.count] : nil
  }

  /// The path through another child of the parent.
  fileprivate func moved(to position: Int, below parent: IndexPath) -> IndexPath {
    parent.appending(position).appending(dropFirst(parent.count + 1))
  }
}
