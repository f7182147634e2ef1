/// The elements of some of the things of an order, kept where a search for a place finds them at once.
///
///     sorted       a  b  c  d  e  f  g  h  …
///     handles      7  4  9  1  8  5  2  0  …
///     kept            b        e        h        those of every fourth handle: 4, 8, 0
///
/// To read an element by its place in an order takes a look-up in two trees and a way through the nodes below, little of
/// which is in the processor's caches. A search can choose what it compares with: while there are many left, it takes the
/// landmark that is nearest to their middle, and reads others only among the last few.
///
/// It is a cache, filled where an order is made, and by what a search reads: what is not here is read. It takes about two
/// bytes for each handle, and keeps elements alive; so its holder has to say which handles stand for another element from
/// now on, or for none.
///
/// Decision 46 states the time that edits of a sort took without it. `benchmark --suite elements --operation sort-insert` and
/// `--operation sort-update` measure them.
@usableFromInline
final class Landmarks<Element> {
  /// By handle, those whose number is a multiple of the spacing; shorter than that where the rest is not kept.
  @usableFromInline let kept: Cell<ContiguousArray<Element?>>

  /// Creates landmarks of which nothing is kept yet.
  @inlinable
  init() { kept = Cell([]) }

  /// Creates the landmarks of an order whose handles have the numbers of their positions in a node; nil where there are few,
  /// which are read as fast.
  ///
  /// - Parameters:
  ///   - reader: reads the node.
  ///   - count: the number of its children.
  /// - Complexity: O(n) for n children.
  @inlinable @inline(__always)
  init?(_ reader: NodeReader<Element>, _ count: Int) {
    if count < 4_096 { return nil }
    let spacing = Self.spacing
    var elements = ContiguousArray<Element?>(repeating: nil, count: (count &+ spacing &- 1) &>> Self.shift)
    reader.forEachSpan(in: 0..<count) { start, span in
      var place = -start & (spacing &- 1)
      while place < span.count {
        elements[(start &+ place) &>> Self.shift] = span[place]
        place &+= spacing
      }
    }
    kept = Cell(elements)
  }

  @inlinable
  deinit { kept.destroy() }

  /// An element is kept of each so-and-so-many-th handle: a power of two, the smallest with which two bytes for each suffice.
  @inlinable @inline(__always)
  static var spacing: Int { 1 << shift }

  @inlinable @inline(__always)
  static var shift: Int { Int.bitWidth &- ((MemoryLayout<Element?>.stride &- 1) / 2).leadingZeroBitCount }

  /// What is kept of a handle.
  ///
  /// - Parameter number: the handle's number.
  /// - Returns: its element; nil where that has to be read.
  /// - Complexity: O(1).
  @inlinable @inline(__always)
  func element(of number: Int) -> Element? {
    guard number & (Self.spacing &- 1) == 0, number &>> Self.shift < kept.value.count else { return nil }
    return kept.value[number &>> Self.shift]
  }

  /// Keeps the element of a handle, if that is one of those that are kept.
  ///
  /// - Parameters:
  ///   - element: the element.
  ///   - number: the handle's number.
  ///   - limit: one more than the greatest number of a handle.
  /// - Complexity: amortized O(1).
  @inlinable @inline(__always)
  func keep(_ element: Element, of number: Int, below limit: Int) {
    guard number & (Self.spacing &- 1) == 0 else { return }
    if number &>> Self.shift >= kept.value.count { grow(to: (limit &- 1) &>> Self.shift &+ 1) }
    kept.value[number &>> Self.shift] = element
  }

  @inlinable @inline(never)
  func grow(to count: Int) {
    // By an eighth at least, but not by half, as the array itself would.
    let room = kept.value.count &+ kept.value.count / 8
    if count > kept.value.capacity { kept.value.reserveCapacity(Swift.max(count, room)) }
    kept.value.append(contentsOf: repeatElement(nil, count: count &- kept.value.count))
  }

  /// Gives up what is kept of a handle.
  ///
  /// - Parameter number: the handle's number.
  /// - Complexity: O(1).
  @inlinable @inline(__always)
  func forget(_ number: Int) {
    guard number & (Self.spacing &- 1) == 0, number &>> Self.shift < kept.value.count else { return }
    // It dies when the table is as it will be: its end may run code of a user.
    let former = kept.value[number &>> Self.shift]
    kept.value[number &>> Self.shift] = nil
    withExtendedLifetime(former) {}
  }

  /// The memory that it takes, in bytes, without what the elements refer to.
  var byteCount: Int { kept.value.capacity * MemoryLayout<Element?>.stride }
}

@available(*, unavailable)
extension Landmarks: Sendable {}
