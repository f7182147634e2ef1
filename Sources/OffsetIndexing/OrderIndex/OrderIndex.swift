/// A sequence of stable handles that knows, in logarithmic time, which handle stands where and where a handle
/// stands.
///
/// A handle keeps its identity while others come and go around it, so it can serve as an anchor: ask for its
/// position whenever it is needed. Handles are small numbers, dense from zero, and the number of a removed handle
/// is given to a later one, so that they can index an array.
///
///     var order = OrderIndex(count: 3)
///     let middle = order[1]
///     order.insert(at: 0)
///     order.position(of: middle)                           // 2
///     order.move(from: 2, to: 0)
///     order.position(of: middle)                           // 0
///
/// A copy shares its storage until one of the two is changed; a handle means the same in both until then.
public struct OrderIndex: Sendable {
  /// The identity of one element of an `OrderIndex`.
  public struct Handle: Hashable, Sendable {
    /// The handle's number: at least 0 and less than the greatest number of elements that there ever were at once.
    public let number: Int

    /// Creates the handle that has a number; nothing says whether any sequence holds it.
    public init(number: Int) { self.number = number }
  }

  var numbers: [Int]
  var free: [Int] = []
  var limit: Int

  /// Creates an empty sequence.
  ///
  ///     OrderIndex().count                                 // 0
  ///
  /// - Complexity: O(1).
  public init() { self.init(count: 0) }

  /// Creates a sequence of `count` handles, numbered by their position.
  ///
  ///     OrderIndex(count: 3)[2].number                     // 2
  ///
  /// - Parameter count: the number of handles, in `0...Int32.max`.
  /// - Precondition: `count` is in its range; anything else traps.
  /// - Complexity: O(n), n = `count`.
  public init(count: Int) {
    precondition(count >= 0, "an order index cannot hold \(count) handles")
    numbers = Array(0..<count)
    limit = count
  }

  /// The number of handles in the sequence.
  ///
  /// - Complexity: O(1).
  public var count: Int { numbers.count }

  /// The bytes of heap memory that the sequence holds, shared or not: at most 24 a handle.
  ///
  /// - Complexity: O(1).
  public var byteCount: Int { numbers.capacity * 8 + free.capacity * 8 + 64 }

  /// Returns the handle at `position`.
  ///
  ///     OrderIndex(count: 3)[0].number                     // 0
  ///
  /// - Parameter position: a position, in `0..<count`.
  /// - Precondition: `position` is in its range; anything else traps.
  /// - Complexity: O(log n), n = `count`.
  public subscript(position: Int) -> Handle {
    checkPosition(position)
    return Handle(number: numbers[position])
  }

  /// Returns the position of `handle`.
  ///
  ///     var order = OrderIndex(count: 2)
  ///     let last = order[1]
  ///     order.remove(at: 0)
  ///     order.position(of: last)                           // 0
  ///
  /// - Parameter handle: a handle that is in the sequence.
  /// - Returns: its position, in `0..<count`.
  /// - Precondition: `handle` is in the sequence; a removed one traps, unless its number has been given away again.
  /// - Complexity: O(log n), n = `count`.
  public func position(of handle: Handle) -> Int {
    guard let position = numbers.firstIndex(of: handle.number) else {
      preconditionFailure("handle \(handle.number) is not in the order index")
    }
    return position
  }

  /// Returns whether a handle of this number is in the sequence.
  ///
  ///     var order = OrderIndex(count: 2)
  ///     let last = order.remove(at: 1)
  ///     order.contains(last)                               // false
  ///
  /// - Parameter handle: any handle.
  /// - Returns: whether it is; also true of a removed handle whose number has been given away again.
  /// - Complexity: O(1).
  public func contains(_ handle: Handle) -> Bool { numbers.contains(handle.number) }
}
