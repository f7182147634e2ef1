/// Holds a tree of values at one moment: the values that a node had, or the values that it should get.
///
/// A snapshot is a value, and `Sendable` where the elements are: any thread may read it, and it stays the same while
/// the node changes. The difference of two snapshots is a `ChangeSet`, and a change set leads from one snapshot to the
/// other.
///
/// ```swift
/// let sections = TreeSnapshot(children: [
///   TreeSnapshot(value: "family", leaves: ["Dad", "Mum"]),
///   TreeSnapshot(value: "friends", leaves: ["Bo"]),
/// ])
/// sections.description         // "[family[Dad, Mum], friends[Bo]]"
/// sections[[0, 1]].value       // "Mum"
/// sections.count(at: [1])      // 1
/// sections.count(at: [1, 0])   // nil: a leaf
/// ```
///
/// Each place has a value, or none, and is a *node* or a *leaf*. A node may have no children: an empty folder is not a
/// file. Equality distinguishes nodes from leaves, and so does the difference of two snapshots. A place that survives
/// and becomes a node, or becomes a leaf, is an updated place.
///
/// A snapshot is a collection of its children's values, as a `FlatNode` is. `children` has the children as snapshots,
/// and `descendants` has the values of all places in document order.
///
/// ```swift
/// let lines = ArrayNode(["error: disk", "ok", "error: net"])
/// let errors = FilterNode(lines) { $0.hasPrefix("error") }
/// let before = errors.snapshot()
/// lines.remove(at: 0)
/// Array(before)                         // ["error: disk", "error: net"]
/// errors.elements                       // ["error: net"]
/// before.difference(to: errors.snapshot()).delta.removals.first   // 0..<1
/// ```
///
/// ## Shared storage
/// A snapshot shares its storage with the node where that is possible. To take the snapshot then copies no element, and
/// the node's first change afterwards copies only the changed parts.
///
/// | of | a snapshot takes |
/// |---|---|
/// | `ArrayNode` | O(1) |
/// | `ForestNode`, or one of its branches | O(log n) |
/// | `FilterNode`, `SortNode`, `SliceNode`, `UniqueNode`, `GroupSection`, `DescendantsNode` of leaves | O(1), and the time for the source |
/// | `SegmentNode` | the time for the selected member |
/// | `JoinNode`, `FlattenNode` of leaves | O(m) for m members, and the time for all members |
/// | `OutlineNode` that shows all of a forest | O(1) |
/// | other lists: `MapNode`, `ProviderNode`, models, collapsed outlines, nodes of your own | a copy of the values, O(n) |
/// | other trees | a copy of the values, O(p · log n) for p places |
///
/// A snapshot of a `PagedNode` has a row for each position, and takes O(n). A row that is not loaded is `.loading`, and
/// the snapshot fetches no row.
///
/// A snapshot keeps its elements alive, and with them the other elements of the same chunks.
///
/// ## How it is stored
/// The values lie in document order, and a `TreeIndex` has the shape, as in a `ForestNode`. A list has no shape: its
/// values are layers over the values of the nodes below.
///
/// ```text
///            root                contents   a b c d e      by number
///           /    \               shape      a: 1..<3       the branches, and their descendants
///          a      d                         d: 4..<5
///         / \      \
///        b   c      e
/// ```
///
/// Nothing here recurses, however deep the tree.
public struct TreeSnapshot<Element> {
  /// The values of a list, or the values of a whole forest by number.
  @usableFromInline let contents: SnapshotContents<Element>
  /// The shape; nil where all children are leaves, and `contents` are their values.
  @usableFromInline let shape: SnapshotShape?

  /// The value of the root itself, or nil.
  public let value: Element?

  /// Whether the root is a node, which may have children, and not a leaf.
  public let isNode: Bool

  /// The number of the root's children; 0 for a leaf.
  public let count: Int

  /// Makes a list of leaves, or a leaf.
  @usableFromInline
  init(value: Element?, isNode: Bool = true, _ contents: SnapshotContents<Element>) {
    self.value = value
    self.isNode = isNode
    self.contents = contents
    shape = nil
    count = contents.count
  }

  /// Makes a tree whose values are numbered as in its shape.
  init(value: Element?, shape: SnapshotShape, _ contents: SnapshotContents<Element>) {
    self.value = value
    self.contents = contents
    self.shape = shape
    isNode = true
    count = shape.childCount
  }

  /// The shape, also for a list: then numbers are positions.
  @usableFromInline
  var structure: SnapshotShape { shape ?? SnapshotShape(leafCount: count) }

  /// The numbers of the places below the root in `contents`.
  @usableFromInline
  var numbers: Range<Int> { shape?.numbers ?? 0..<count }
}

extension TreeSnapshot: Sendable where Element: Sendable {}
