/// A sequence of stable handles that finds, in logarithmic time, the handle at a position and the position of a handle.
///
/// A handle keeps its identity while other handles are inserted and removed around it. So it can serve as an anchor:
/// ask for its position whenever you need the position. Handles are small numbers, dense from zero, so they can index
/// an array. The number of a removed handle is given to a later one.
///
/// ```swift
/// var order = OrderIndex(count: 3)
/// let middle = order[1]
/// order.insert(at: 0)
/// order.position(of: middle)                           // 2
/// order.move(from: 2, to: 0)
/// order.position(of: middle)                           // 0
/// ```
///
/// A copy shares its storage until one of the two is changed. Until then, a handle means the same in both.
public struct OrderIndex: Sendable {
  /// The identity of one element of an `OrderIndex`.
  ///
  /// ```swift
  /// let names = ["a", "b", "c"]                        // by the handles' numbers
  /// var order = OrderIndex(count: 3)
  /// let first = order[0]
  /// order.move(from: 0, to: 2)
  /// order.map { names[$0.number] }                     // ["b", "c", "a"]
  /// names[first.number]                                // "a"
  /// ```
  public struct Handle: Hashable, Sendable {
    /// The handle's number: at least 0, and less than the greatest number of elements that the sequence ever held at
    /// once.
    public let number: Int

    /// Creates the handle with a number. The handle may be in no sequence.
    public init(number: Int) { self.number = number }
  }

  typealias Tree = CountedTree<HandleLeaves>

  var storage: OrderStorage

  /// Creates an empty sequence.
  ///
  /// ```swift
  /// OrderIndex().count                                 // 0
  /// ```
  ///
  /// - Complexity: O(1).
  public init() { storage = .empty }

  init(limits: Tree.Limits) { storage = OrderStorage(Tree(limits: limits, leaves: HandleLeaves())) }

  /// Creates an empty sequence with small nodes, for tests.
  ///
  /// - Parameters:
  ///   - leafCapacity: the most handles in a leaf, in `2...31`.
  ///   - fanOut: the most children of an inner node, in `3...62`.
  package init(leafCapacity: Int, fanOut: Int) {
    self.init(limits: Tree.Limits(leafCapacity: leafCapacity, leafFill: leafCapacity - 1, fanOut: fanOut))
  }

  /// Creates a sequence of `count` handles, numbered by their position.
  ///
  /// ```swift
  /// OrderIndex(count: 3)[2].number                     // 2
  /// ```
  ///
  /// - Parameter count: the number of handles, in `0...1 << 30`.
  /// - Precondition: `count` is in its range; anything else traps.
  /// - Complexity: O(n), n = `count`.
  public init(count: Int) {
    self.init()
    checkRoom(count)
    // Without handles, the sequence continues to share the storage of all empty sequences.
    if count > 0 { unsafe makeUnique().pointee.insert(count: count, at: 0) { _ in } }
  }

  /// The number of handles in the sequence.
  ///
  /// - Complexity: O(1).
  public var count: Int { tree.count }

  /// The bytes of heap memory that the sequence holds, shared or not: about 9 for each handle after a bulk build.
  ///
  /// - Complexity: O(1).
  public var byteCount: Int { tree.byteCount + 32 }

  /// A link to a parent is a number of 32 bits that also holds a slot. Up to this count, 32 bits are enough in the
  /// worst case.
  static var maximumCount: Int { 1 << 30 }

  /// Returns the handle at `position`.
  ///
  /// ```swift
  /// OrderIndex(count: 3)[0].number                     // 0
  /// ```
  ///
  /// - Parameter position: a position, in `0..<count`.
  /// - Precondition: `position` is in its range; anything else traps.
  /// - Complexity: O(log n), n = `count`.
  public subscript(position: Int) -> Handle {
    @inline(__always) get {
      checkPosition(position)
      return Handle(number: tree.handle(at: position))
    }
  }

  /// Returns the position of `handle`.
  ///
  /// ```swift
  /// var order = OrderIndex(count: 2)
  /// let last = order[1]
  /// order.remove(at: 0)
  /// order.position(of: last)                           // 0
  /// ```
  ///
  /// - Parameter handle: a handle that is in the sequence.
  /// - Returns: its position, in `0..<count`.
  /// - Precondition: `handle` is in the sequence. A removed handle traps, unless its number has been given to another
  ///   handle.
  /// - Complexity: O(log n), n = `count`.
  @inline(__always)
  public func position(of handle: Handle) -> Int {
    guard let position = tree.position(of: handle.number) else { UnitTrap.deadHandle(handle.number) }
    return position
  }

  /// Returns whether a handle of this number is in the sequence.
  ///
  /// ```swift
  /// var order = OrderIndex(count: 2)
  /// let last = order.remove(at: 1)
  /// order.contains(last)                               // false
  /// ```
  ///
  /// - Parameter handle: any handle.
  /// - Returns: whether the handle is in the sequence. This is also true of a removed handle whose number has been
  ///   given to another handle.
  /// - Complexity: O(1).
  public func contains(_ handle: Handle) -> Bool { tree.leaves.leaf(of: handle.number) != nil }
}
