public import Synchronization

/// The state of a derived node; each read brings the node up to date first.
///
/// Every method of a derived node reads its state through such a cell. So no other code has to bring a node up to date
/// that a transaction has left behind.
@safe
@usableFromInline
struct NodeCell<Value: ~Copyable> {
  /// The state as it is, for code that must not settle the graph: where the node is made and where it is released.
  @usableFromInline let cell: Cell<Value>
  // The node owns the cell and the hub.
  @usableFromInline unowned(unsafe) let hub: NodeHub

  @inlinable
  init(_ value: consuming Value, of port: NodePort) {
    cell = Cell(value)
    unsafe hub = unsafeDowncast(port, to: NodeHub.self)
  }

  /// The state, brought up to date.
  ///
  /// - Complexity: O(1), a load and a comparison, where no transaction is under way; see `NodeHub.settle()`.
  @inlinable
  var value: Value {
    @inline(__always) unsafeAddress {
      settle()
      return unsafe UnsafePointer(cell.pointer)
    }
    @inline(__always) nonmutating unsafeMutableAddress {
      settle()
      return unsafe cell.pointer
    }
  }

  /// Brings the node up to date, if a transaction has changed sources since they were read last.
  @inlinable @inline(__always)
  func settle() {
    // Checked before the hub is loaded: usually the hub is not needed.
    if unsettledGraphs.load(ordering: .relaxed) != 0 { unsafe hub.settleGraph() }
  }

  /// The address of the state, for functions that read the state without counting a reference to the owner.
  ///
  /// The state is brought up to date now.
  @inlinable @inline(__always)
  var place: UnsafeRawPointer {
    settle()
    return unsafe cell.place
  }

  /// Frees the state; the cell must not be used again.
  @inlinable
  func destroy() { cell.destroy() }
}

extension NodeCell where Value: NodeState & ~Copyable {
  /// See `NodeState.forEachSpan(in:of:_:)`.
  @inlinable
  func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Value.Element>) -> Void) {
    settle()
    cell.forEachSpan(in: range, body)
  }

  /// A reader of the state in this cell.
  func reader(_ functions: NodeReader<Value.Element>.Functions) -> NodeReader<Value.Element> {
    settle()
    return cell.reader(functions)
  }
}
