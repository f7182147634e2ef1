/// Where a child that a change brings is read, without a call of each node between it and the node that hears of it.
///
/// Filters one above the other show the same children. Would each read the child that was inserted below all of them through
/// its source, an insertion would take time quadratic in their number; so the lowest filter says where it has read the child,
/// and each of the others reads it there and says it to the next.
///
/// It goes with a change, while the graph is settled, and is kept nowhere: the nodes below the one that translates have
/// translated already by then, and none of them changes before all others have.
@safe @usableFromInline
struct CarriedChild {
  // The `NodeReader` of the lowest filter's source, in the state of that filter. Each filter above it, down to it, is kept by
  // the next one.
  @usableFromInline let reader: UnsafeRawPointer

  /// The position in that source.
  @usableFromInline let position: Int

  init(reader: UnsafeRawPointer, position: Int) {
    unsafe self.reader = reader
    self.position = position
  }

  /// Another child that the same reader reads.
  func at(_ position: Int) -> CarriedChild { unsafe CarriedChild(reader: reader, position: position) }

  /// The child's value.
  ///
  /// - Parameter type: the type of value of the reader, which is that of each node that the child was carried through.
  /// - Returns: the value, or nil where the child has none.
  @inlinable
  func element<Element>(of type: Element.Type) -> Element? {
    unsafe reader.assumingMemoryBound(to: NodeReader<Element>.self).pointee.element(at: position)
  }
}
