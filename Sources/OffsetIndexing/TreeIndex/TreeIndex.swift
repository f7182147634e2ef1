/// The shape of an ordered forest: the parent and the position of each element, without the elements themselves.
///
/// Elements are numbered in document order, and each element is before its children. Every edit, and every question
/// that a list asks about the tree that it shows, takes logarithmic time **however deep the tree is**. `locate(_:in:)`
/// leads from a number to the parent, the position among the siblings and the depth. `number(of:)` leads from a branch
/// to its number, and `child(at:of:)` leads to its n-th child. A subtree is cut out and inserted elsewhere in such a
/// time too, however large it is.
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
/// An element is a *leaf* or a *branch*. A branch has a handle, `Branch`. The handle stays valid wherever the branch is
/// moved, until the branch is removed or becomes a leaf. A leaf has no handle, and a run of leaves costs as much as one
/// leaf. The parent of the top level is a branch, too. That branch is `root`, which is no element.
///
/// A branch can be *collapsed*. Then it is one element without descendants, and the elements below it are a forest of
/// their own. This forest can be read and changed like any other. A piece that was cut out is also a forest of its own.
/// Numbers count in one such forest. That is the forest of `root`, unless the caller names another one.
///
/// A copy shares its storage until one of the two is changed. There are at most 2²⁹ − 1 branches. The number of
/// elements is limited by `Int` only.
///
/// The structure is from Navarro & Sadakane, "Fully Functional Static and Dynamic Succinct Trees" (ACM Transactions on
/// Algorithms 10, 2014). It is a balanced tree over the events of a walk, which records the lowest level of each piece.
/// Here the events are runs, and openings and closings with the handles of their branches.
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

    /// Creates the handle of the branch with a number. A branch must have this number.
    @inline(__always)
    package init(number: Int) { record = UInt32(truncatingIfNeeded: number) }

    /// A small number. The root's number is 0. The number of a removed branch is given to a later branch.
    public var number: Int { Int(record) }
  }

  /// The place of an element.
  ///
  /// ```swift
  /// let place = TreeIndex(depths: [0, 1, 1]).locate(2)
  /// place.position                                       // 1
  /// place.depth                                          // 1
  /// place.branch                                         // nil: it is a leaf
  /// ```
  public struct Place: Hashable, Sendable {
    /// The parent of the element.
    public let parent: Branch
    /// The element's position among its parent's children.
    public let position: Int
    /// The number of branches above the element in its forest.
    public let depth: Int
    /// The element's handle, where the element is a branch.
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

  /// The storage that all empty forests share. It always has more than one owner, so it is never changed.
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
  /// After a bulk build, that is at most 4 for each element, and at most 36 for each element that is a branch.
  ///
  /// - Complexity: O(1).
  public var byteCount: Int { tree.byteCount }

  // MARK: Storage

  /// Whether another index is a copy of this one, and neither has been changed since. False does not mean that they
  /// differ.
  package func isIdentical(to other: TreeIndex) -> Bool { storage === other.storage }

  /// The tree, for reading.
  @inline(__always)
  var tree: ShapeTree { unsafe storage.tree.pointee }

  /// Makes the tree this index's own, and changes it.
  @inline(__always)
  mutating func edit<Result>(_ body: (inout ShapeTree) -> Result) -> Result {
    if !isKnownUniquelyReferenced(&storage) { storage = TreeStorage(tree.copy()) }
    let result = unsafe body(&storage.tree.pointee)
    #if InternalChecks
      checkUnlessCounting(size: tree.branches.used + tree.leaves.liveCount) { checkInvariants() }
    #endif
    return result
  }

  /// Traps where the index has no branch with this handle.
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
