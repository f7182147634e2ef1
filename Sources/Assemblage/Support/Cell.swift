/// A value on the heap, read and written without run-time exclusivity checks.
///
/// A stored property of a class is checked for overlapping accesses each time it is used, which costs more
/// than the look-ups that nodes make (about 7 ns of 10, measured with `perf` on `JoinNode.element(at:)`).
/// A node keeps its state in a cell instead, and owns the cell. No closure of a user runs while a node's
/// state is being modified: that is what keeps the accesses apart.
@safe
@usableFromInline
struct Cell<Value: ~Copyable> {
  // Allocated and initialized by `init`, freed by `destroy()`, which the owning node calls when it dies.
  @usableFromInline let pointer: UnsafeMutablePointer<Value>

  @inlinable
  init(_ value: consuming Value) {
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: value)
  }

  // Always inlined: a call would need the type of a generic node's state, which is looked up at run time each time.
  @inlinable
  var value: Value {
    @inline(__always) unsafeAddress { unsafe UnsafePointer(pointer) }
    @inline(__always) nonmutating unsafeMutableAddress { unsafe pointer }
  }

  /// Where the value is, for functions that read it without counting a reference to the owner.
  @inlinable @inline(__always)
  var place: UnsafeRawPointer { unsafe UnsafeRawPointer(pointer) }

  /// Frees the value; the cell must not be used again.
  @inlinable
  func destroy() {
    unsafe pointer.deinitialize(count: 1)
    unsafe pointer.deallocate()
  }
}
