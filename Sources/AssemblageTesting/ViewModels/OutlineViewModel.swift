public import Assemblage
import Foundation

/// Models `NSOutlineView` with all items expanded: applies calls one after the other, and refuses positions that do not
/// exist at that moment.
///
/// The model asks its data source only after all calls, as `NSOutlineView` documents. It asks for the values of
/// inserted and reloaded items, and for the counts of all items.
///
/// ```swift
/// var outline = OutlineViewModel(TreeSnapshot(of: node))
/// let token = node.observe { change in
///   let tree = TreeSnapshot(of: node)
///   for case .batch(let batch) in change.stages(for: .outline, countBefore: { outline.count(at: $0) }) {
///     try! outline.perform(batch, from: ViewDataSource(tree, after: batch))
///   }
/// }
/// ```
///
/// The model is made for tests, and recurses as deep as the tree is.
public struct OutlineViewModel<Element> {
  /// An item and its children.
  ///
  /// ```swift
  /// let tree = TreeSnapshot(children: [TreeSnapshot(value: "notes", leaves: ["a.md"])])
  /// let item = OutlineViewModel(tree).items[0]
  /// item.value                // "notes"
  /// item.children[0].value    // "a.md"
  /// ```
  public struct Item {
    /// The value that the item shows.
    public internal(set) var value: Element?
    /// The items below it.
    public internal(set) var children: [Item]

    /// Whether the item was inserted and has not been asked for yet.
    var isNew = false
    /// Whether its value has to be asked for again.
    var isReloaded = false

    init(_ place: TreeSnapshot<Element>) {
      value = place.value
      children = place.children.map { Item($0) }
    }

    fileprivate init() {
      children = []
      isNew = true
    }
  }

  /// The items at the top.
  public var items: [Item] { root.children }

  var root: Item

  /// Creates a view that shows all of a tree below its root.
  public init(_ tree: TreeSnapshot<Element>) {
    root = Item(tree)
    root.value = nil  // No view shows the root.
  }

  /// The number of children of an item; the empty path is the root.
  ///
  /// - Precondition: the item exists.
  public func count(at path: IndexPath) -> Int { path.reduce(root) { $0.children[$1] }.children.count }

  /// Reads all items again.
  public mutating func reload(from source: ViewDataSource<Element>) {
    root = Item()
    // A new item accepts any number of children.
    do { try Self.fill(&root, at: [], from: source) } catch { preconditionFailure("\(error)") }
    root.value = nil
  }

  /// Applies a stage.
  ///
  /// - Parameters:
  ///   - batch: a stage for outlines.
  ///   - source: the data source, which the view asks after the stage.
  /// - Throws: the first call that cannot be applied, or a count that is wrong afterwards; the view stays unchanged.
  public mutating func perform(
    _ batch: ChangeSet.Batch, from source: ViewDataSource<Element>
  ) throws(OutlineViewError) {
    try perform(batch.calls, from: source)
  }

  /// Applies calls, one after the other.
  ///
  /// - Parameters:
  ///   - calls: the calls, as between `beginUpdates` and `endUpdates`.
  ///   - source: the data source, which the view asks after the calls.
  /// - Throws: the first call that cannot be applied, or a count that is wrong afterwards; the view stays unchanged.
  public mutating func perform(
    _ calls: [ChangeSet.OutlineCall], from source: ViewDataSource<Element>
  ) throws(OutlineViewError) {
    var result = root
    for call in calls {
      switch call {
      case .remove(let positions, let parent):
        try Self.change(&result, parent) { item throws(OutlineViewError) in
          for position in positions.reversed() {
            try Self.check(position, parent, item.children.count)
            item.children.remove(at: position)
          }
        }
      case .insert(let positions, let parent):
        try Self.change(&result, parent) { item throws(OutlineViewError) in
          for position in positions {
            try Self.check(position, parent, item.children.count + 1)
            item.children.insert(Item(), at: position)
          }
        }
      case .move(let position, let parent, let newPosition, let newParent):
        try Self.move(&result, position, parent, newPosition, newParent)
      case .reload(let path):
        try Self.change(&result, path) { item throws(OutlineViewError) in item.isReloaded = true }
      }
    }
    try Self.fill(&result, at: [], from: source)
    root = result
  }

  private static func check(_ position: Int, _ parent: IndexPath, _ count: Int) throws(OutlineViewError) {
    if position < 0 || position >= count { throw .outOfRange(position, parent: parent, count: count) }
  }

  private static func move(
    _ root: inout Item, _ position: Int, _ parent: IndexPath, _ newPosition: Int, _ newParent: IndexPath
  ) throws(OutlineViewError) {
    let path = parent.appending(position)
    if newParent.starts(with: path) { throw .moveIntoItself(path) }
    var moved: Item?
    try change(&root, parent) { item throws(OutlineViewError) in
      try check(position, parent, item.children.count)
      moved = item.children.remove(at: position)
    }
    // Both parents are named by their paths before the call.
    var goal = newParent
    if newParent.count > parent.count, newParent.starts(with: parent), newParent[parent.count] > position {
      goal[parent.count] -= 1
    }
    try change(&root, goal) { item throws(OutlineViewError) in
      try check(newPosition, newParent, item.children.count + 1)
      if let moved { item.children.insert(moved, at: newPosition) }
    }
  }

  private static func change(
    _ item: inout Item, _ path: IndexPath, _ depth: Int = 0,
    _ body: (inout Item) throws(OutlineViewError) -> Void
  ) throws(OutlineViewError) {
    if depth == path.count { return try body(&item) }
    guard item.children.indices.contains(path[depth]) else { throw .noParent(path) }
    try change(&item.children[path[depth]], path, depth + 1, body)
  }

  /// Asks for new and reloaded items, and compares all counts.
  private static func fill(
    _ item: inout Item, at path: IndexPath, from source: ViewDataSource<Element>
  ) throws(OutlineViewError) {
    let count = source.count(path)
    if item.isNew {
      item.children = (0..<count).map { _ in Item() }
    } else if item.children.count != count {
      throw .invalidCount(path, shown: item.children.count, after: count)
    }
    if item.isNew || item.isReloaded { item.value = source.value(path) }
    item.isNew = false
    item.isReloaded = false
    for position in item.children.indices {
      try fill(&item.children[position], at: path.appending(position), from: source)
    }
  }
}

extension OutlineViewModel.Item: Equatable where Element: Equatable {}
extension OutlineViewModel: Equatable where Element: Equatable {}
extension OutlineViewModel.Item: Sendable where Element: Sendable {}
extension OutlineViewModel: Sendable where Element: Sendable {}
