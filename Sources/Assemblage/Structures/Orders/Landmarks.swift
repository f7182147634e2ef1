/// Keeps the elements of some things of an order, so that a search for a place reads these elements at once.
///
///     sorted       a  b  c  d  e  f  g  h  …
///     handles      7  4  9  1  8  5  2  0  …
///     kept            b        e        h        the elements of every fourth handle: 4, 8, 0
///
/// To read an element by its place in an order takes a look-up in two trees, and a path through the nodes below. Little
/// of that memory is in the processor's caches. A search can choose the elements that it compares with. While many are
/// left, it takes the landmark that is nearest to their middle. It reads other elements only among the last few.
///
/// The landmarks are a cache. It is filled when an order is made, and by each search; an element that is missing here
/// is read from the node. The cache takes about two bytes for each handle, and keeps its elements alive. So its holder
/// must update the cache when a handle gets another element, or none.
///
/// Decision 46 states the time that edits of a sort took without the cache.
/// `benchmark --suite elements --operation sort-insert` and `--operation sort-update` measure them.
@usableFromInline
final class Landmarks<Element> {
  /// The elements of the handles whose number is a multiple of the spacing, in the order of these numbers. The array is
  /// shorter where no element of the rest is kept.
  @usableFromInline let kept: Cell<ContiguousArray<Element?>>

  /// Creates landmarks without elements.
  @inlinable
  init() { kept = Cell([]) }

  /// Creates the landmarks of an order in which the number of each handle is a position in a node.
  ///
  /// Nil where the children are few: these are read as fast without landmarks.
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

  /// The distance between the numbers of two kept handles: the smallest power of two with which two bytes for each
  /// handle suffice.
  @inlinable @inline(__always)
  static var spacing: Int { 1 << shift }

  @inlinable @inline(__always)
  static var shift: Int { Int.bitWidth &- ((MemoryLayout<Element?>.stride &- 1) / 2).leadingZeroBitCount }

  /// Reads the kept element of a handle.
  ///
  /// - Parameter number: the handle's number.
  /// - Returns: the element; nil where the caller has to read it from the node.
  /// - Complexity: O(1).
  @inlinable @inline(__always)
  func element(of number: Int) -> Element? {
    guard number & (Self.spacing &- 1) == 0, number &>> Self.shift < kept.value.count else { return nil }
    return kept.value[number &>> Self.shift]
  }

  /// Keeps the element of a handle, if the handle's number is a multiple of the spacing.
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
    // By an eighth at least: the array itself would double its room.
    let room = kept.value.count &+ kept.value.count / 8
    if count > kept.value.capacity { kept.value.reserveCapacity(Swift.max(count, room)) }
    kept.value.append(contentsOf: repeatElement(nil, count: count &- kept.value.count))
  }

  /// Forgets the kept element of a handle.
  ///
  /// - Parameter number: the handle's number.
  /// - Complexity: O(1).
  @inlinable @inline(__always)
  func forget(_ number: Int) {
    guard number & (Self.spacing &- 1) == 0, number &>> Self.shift < kept.value.count else { return }
    // The element dies after the table has changed: its deinitializer may run a client's code.
    let former = kept.value[number &>> Self.shift]
    kept.value[number &>> Self.shift] = nil
    withExtendedLifetime(former) {}
  }

  /// The memory of the cache, in bytes, without the objects that the elements refer to.
  var byteCount: Int { kept.value.capacity * MemoryLayout<Element?>.stride }
}

@available(*, unavailable)
extension Landmarks: Sendable {}
