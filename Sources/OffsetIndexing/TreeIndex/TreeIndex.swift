/// The shape of an ordered forest: which element stands below which, and where, without the elements.
///
/// Elements are numbered in document order, each before its children. What a list that shows a tree asks of it, and every
/// edit, takes logarithmic time **however deep the tree is**: from a number to the parent, the
/// position among the siblings and the depth (`locate(_:in:)`), from a branch to its number (`number(of:)`), to its n-th
/// child (`child(at:of:)`); and a subtree is cut out and put in elsewhere, however large it is.
///
/// ```swift
/// // a
/// // ├ b
/// // └ c
/// //   └ d
/// // e
/// var tree = TreeIndex(depths: [0, 1, 1, 2, 0])
/// let place = tree.locate(3)                         // d
/// place.depth                                        // 2
/// tree.number(of: place.parent)                      // 2: c
/// tree.insertLeaves(2, into: place.parent, at: 0)    // c has three children
/// tree.count                                         // 7
/// ```
///
/// An element is a *leaf* or a *branch*. A branch has a handle, `Branch`, which stays valid wherever the branch is moved,
/// until it is removed or made a leaf; a leaf has none, and a run of leaves costs as much as one. The top level belongs
/// to a branch too, `root`, which is no element.
///
/// A branch can be *collapsed*: it then stands as one element without descendants, and what is below it is a forest of
/// its own, which can be read and changed all the while. So can what was cut out. Numbers count in one such forest:
/// that of `root`, where nothing else is said.
///
/// A copy shares its storage until one of the two is changed. There are at most 2²⁹ − 1 branches; the number of elements
/// is limited by `Int` only.
///
/// The structure is that of Navarro & Sadakane, "Fully Functional Static and Dynamic Succinct Trees" (ACM Transactions on
/// Algorithms 10, 2014): a balanced tree over the events of a walk, that knows of each piece the lowest level. Here the
/// events are runs, openings and closings with their branches' handles.
public struct TreeIndex: Sendable {
  /// The handle of a branch.
  ///
  /// ```swift
  /// var tree = TreeIndex(depths: [0, 0, 1])
  /// let branch = tree.locate(2).parent
  /// tree.insertLeaves(5, into: TreeIndex.root, at: 0)
  /// tree.number(of: branch)                              // 6: it was 1
  /// tree.childCount(of: branch)                          // 1
  /// ```
  public struct Branch: Hashable, Sendable {
    // 32 bits, so that tables of handles are small.
    let record: UInt32

    @inline(__always)
    init(_ record: UInt32) { self.record = record }

    /// The branch of a number, which must be one's.
    @inline(__always)
    package init(number: Int) { record = UInt32(truncatingIfNeeded: number) }

    /// A small number: 0 is the root's, and a number is given again when its branch has been removed.
    public var number: Int { Int(record) }
  }

  /// Where an element stands.
  ///
  /// ```swift
  /// let place = TreeIndex(depths: [0, 1, 1]).locate(2)
  /// place.position                                       // 1
  /// place.depth                                          // 1
  /// place.branch                                         // nil: it is a leaf
  /// ```
  public struct Place: Hashable, Sendable {
    /// The branch that the element is a child of.
    public let parent: Branch
    /// The element's position among its parent's children.
    public let position: Int
    /// The number of branches above it in its forest.
    public let depth: Int
    /// The element itself, where it is a branch.
    public let branch: Branch?

    package init(parent: Branch, position: Int, depth: Int, branch: Branch?) {
      self.parent = parent
      self.position = position
      self.depth = depth
      self.branch = branch
    }
  }

  private var storage: TreeStorage<ShapeTree>

  /// Creates an empty forest.
  ///
  /// ```swift
  /// TreeIndex().count                                  // 0
  /// ```
  ///
  /// - Complexity: O(1).
  public init() { storage = Self.emptyStorage }

  /// What all empty forests share; it is never changed, being never held once only.
  private static let emptyStorage = TreeStorage(ShapeTree(limits: ShapeTree.Limits()))

  init(storage: TreeStorage<ShapeTree>) { self.storage = storage }

  /// Creates an empty forest with small nodes, for tests.
  ///
  /// - Parameters:
  ///   - leafCapacity: the most events in a leaf, in `4...30`.
  ///   - fanOut: the most children of an inner node, in `4...16`.
  package init(leafCapacity: Int, fanOut: Int) {
    self.init(
      storage: TreeStorage(ShapeTree(limits: ShapeTree.Limits(leafCapacity: leafCapacity, fanOut: fanOut))))
  }

  /// The branch whose children are the elements of the top level. It is no element, has no parent, and always exists.
  public static var root: Branch { Branch(0) }

  /// The number of elements in the root's forest.
  ///
  /// - Complexity: O(1).
  public var count: Int { tree.forests[0].part.root.sum.elements }

  /// The bytes of heap memory that the index holds, shared or not.
  ///
  /// After a bulk build it is at most 4 an element, and at most 36 for each of them that is a branch.
  ///
  /// - Complexity: O(1).
  public var byteCount: Int { tree.byteCount }

  // MARK: Storage

  /// Whether another index is a copy of this one of which neither has been changed since; false tells nothing.
  package func isIdentical(to other: TreeIndex) -> Bool { storage === other.storage }

  /// The tree, to be read.
  @inline(__always)
  var tree: ShapeTree { unsafe storage.tree.pointee }

  /// Changes the tree, which is made this index's own.
  @inline(__always)
  mutating func edit<Result>(_ body: (inout ShapeTree) -> Result) -> Result {
    if !isKnownUniquelyReferenced(&storage) { storage = TreeStorage(tree.copy()) }
    let result = unsafe body(&storage.tree.pointee)
    #if InternalChecks
      checkUnlessCounting(size: tree.branches.used + tree.leaves.liveCount) { checkInvariants() }
    #endif
    return result
  }

  /// Traps where the handle is of no branch of the index.
  @inline(__always)
  func check(_ branch: Branch) {
    if !tree.branches.isBranch(branch.record) { TreeTrap.dead(branch.number) }
  }

  @inline(__always)
  func checkPosition(_ position: Int, of branch: Branch) {
    check(branch)
    let count = tree.branches.count(branch.record)
    if position < 0 || position >= count { TreeTrap.position(position, count: count) }
  }

  func checkBoundary(_ position: Int, of branch: Branch) {
    check(branch)
    let count = tree.branches.count(branch.record)
    if position < 0 || position > count { TreeTrap.boundary(position, count: count) }
  }

  func checkRange(_ range: Range<Int>, of branch: Branch) {
    check(branch)
    let count = tree.branches.count(branch.record)
    if range.lowerBound < 0 || range.upperBound > count { TreeTrap.range(range, count: count) }
  }
}

extension TreeIndex.Branch: CustomStringConvertible {
  /// The handle's number after a number sign.
  public var description: String { "#\(number)" }
}
