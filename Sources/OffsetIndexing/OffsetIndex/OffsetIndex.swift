/// The sizes of children that are laid end to end. The index finds the child that holds an offset, and the offset at
/// which a child begins.
///
/// Children are inserted and removed anywhere, and sizes change, all in logarithmic time. An array of offsets would
/// have to be rebuilt at each of these changes, and a ``FenwickTree`` could not grow.
///
/// ```swift
/// var sections = OffsetIndex([2, 0, 3])   // rows of three sections
/// sections.offset(of: 2)                  // 2: the section's first row
/// sections.locate(2)                      // (index: 2, offset: 0): a size of zero holds nothing
/// sections.add(1, at: 1)                  // a row more in section 1
/// sections.locate(2)                      // (index: 1, offset: 0)
/// sections.insert(5, at: 0)
/// sections.range(of: 1)                   // 5..<7
/// ```
///
/// The index is a collection of the sizes. Long runs of equal sizes are stored once: the index of a thousand million
/// children of size 1 needs less than 1 KB. With k exceptions among them, it needs O(k).
///
/// ## How it works
/// The index is a counted B+-tree. A leaf holds up to 127 sizes. A branch holds up to 127 nodes with the sums of their
/// counts and of their totals:
///
/// ```
///                     ┌ totals   0  411  902 …┐
///                     │ counts   0   96  180 …│             branches
///                     └──┬────────┬────────┬──┘
///             ┌──────────┘        │        └─────────┐
///     0 3 4 8 │ 23 … 404    9000 × 1, 1 × 7    0 2²⁰ 2²¹ …   leaves: small, runs, large
/// ```
///
/// A search in a node compares several sums at a time, without a branch that could be mispredicted. First it compares
/// the sixteen sums before each group of eight, then the eight sums of one group. An update adds to the same sums.
/// <doc:InsideOffsetIndex> describes the alternatives and their measurements. The wide nodes with two levels of sums
/// are after Pibiri & Venturini, "Practical Trade-Offs for the Prefix-Sum Problem" (2021).
///
/// The nodes of one index are in two allocations. Copies share them until one copy is changed. That copy then copies
/// all nodes once.
///
/// `@unchecked Sendable` because only an index that holds the sole reference to the storage changes it. The
/// copy-on-write check before each mutation ensures this.
public struct OffsetIndex: @unchecked Sendable {
  var storage: IndexStorage

  /// Creates an index of no children.
  ///
  /// - Complexity: O(1).
  public init() { storage = unsafe IndexStorage.empty }

  /// Creates an index of children of the given sizes.
  ///
  /// - Parameter sizes: the sizes in order, each zero or more. There may be none.
  /// - Precondition: no size is negative, and their sum fits in an `Int`.
  /// - Complexity: O(n), where n is the number of sizes. Sizes that are not in one piece of memory are copied first.
  @inlinable
  public init(_ sizes: some Sequence<Int>) {
    self.init()
    let isContiguous: Void? = sizes.withContiguousStorageIfAvailable { unsafe build($0) }
    if isContiguous == nil { unsafe ContiguousArray(sizes).withUnsafeBufferPointer { unsafe build($0) } }
  }

  /// Creates an index of `count` children of the same size.
  ///
  /// - Parameters:
  ///   - size: the size of each child, zero or more.
  ///   - count: the number of children, zero or more.
  /// - Precondition: neither is negative, and their product fits in an `Int`.
  /// - Complexity: O(1).
  public init(repeating size: Int, count: Int) {
    self.init()
    insert(repeating: size, count: count, at: 0)
  }

  /// Creates an index whose nodes hold less than usual, so that tests reach deep trees with few sizes.
  ///
  /// - Parameters:
  ///   - sizes: the sizes in order, each zero or more.
  ///   - leafCapacity: the greatest number of sizes in a leaf, 2...127.
  ///   - runCapacity: the greatest number of runs in a leaf of runs, 2...19.
  ///   - branchCapacity: the greatest number of children of a branch, 3...127.
  /// - Precondition: no size is negative, and their sum fits in an `Int`.
  package init(_ sizes: some Sequence<Int>, leafCapacity: Int, runCapacity: Int, branchCapacity: Int) {
    self.init()
    let limits = NodeLimits(leaf: leafCapacity, runs: runCapacity, branch: branchCapacity)
    unsafe ContiguousArray(sizes).withUnsafeBufferPointer { unsafe build($0, limits) }
  }

  @usableFromInline
  mutating func build(_ sizes: UnsafeBufferPointer<Int>) { unsafe build(sizes, NodeLimits()) }

  private mutating func build(_ sizes: UnsafeBufferPointer<Int>, _ limits: NodeLimits) {
    storage = IndexStorage.make(limits)
    var builder = LeafBuilder(storage)
    // The last leaf may be a partial one, and the empty leaf is still there.
    storage.head.leaves.reserve(sizes.count / NodeLimits.fill(limits.leaf) + 2)
    _ = unsafe builder.append(checking: sizes)
    builder.finish()
    storage.adopt(builder.entries)
    checkAfterMutation()
  }

  /// The number of children.
  ///
  /// - Complexity: O(1).
  public var count: Int { storage.head.count }

  /// The sum of all sizes.
  ///
  /// - Complexity: O(1).
  public var total: Int { storage.head.total }

  /// Makes the storage this index's own before a mutation.
  @inline(__always) mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&storage) { copyStorage() }
  }

  @inline(never) private mutating func copyStorage() { storage = storage.copy() }

  /// Checks the invariants where the trait `InternalChecks` is on.
  @inline(__always) func checkAfterMutation() {
    #if InternalChecks
      checkUnlessCounting { checkInvariants() }
    #endif
  }
}
