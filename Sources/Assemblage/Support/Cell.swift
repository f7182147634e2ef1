/// A value on the heap, read and written without run-time exclusivity checks.
///
/// A stored property of a class is checked for overlapping accesses at each use. This check costs more than the
/// look-ups that nodes make (about 7 ns of 10, measured with `perf` on `JoinNode.element(at:)`). So a node keeps its
/// state in a cell, and owns the cell. No closure of a user runs while a node's state is being modified. For this
/// reason, two accesses never overlap.
@safe
@usableFromInline
struct Cell<Value: ~Copyable> {
  // `init` allocates and initializes the memory. The owning node calls `destroy()`, which frees it, in its own
  // `deinit`.
  @usableFromInline let pointer: UnsafeMutablePointer<Value>

  @inlinable
  init(_ value: consuming Value) {
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: value)
  }

  // Always inlined, because a call would need the type of a generic node's state, with a look-up at run time each time.
  @inlinable
  var value: Value {
    @inline(__always) unsafeAddress { unsafe UnsafePointer(pointer) }
    @inline(__always) nonmutating unsafeMutableAddress { unsafe pointer }
  }

  /// The address of the value, for functions that read the value without counting a reference to the owner.
  @inlinable @inline(__always)
  var place: UnsafeRawPointer { unsafe UnsafeRawPointer(pointer) }

  /// Frees the value; the cell must not be used again.
  @inlinable
  func destroy() {
    unsafe pointer.deinitialize(count: 1)
    unsafe pointer.deallocate()
  }
}
