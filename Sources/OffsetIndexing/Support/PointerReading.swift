// Look-ups through a pointer to an index, for the package's own nodes.
//
// An index holds a reference to its storage. A caller of one of its methods from another module first loads that
// reference from memory, and retains it during the call. On a random look-up, this takes longer than the look-up
// itself. It needs two atomic operations, and the processor cannot run the next look-up's loads ahead of them. Here one
// function contains the load and the use, and the methods are always inlined into it, so that nothing needs to be
// retained. The pointers point to the state of nodes, which nothing changes while it is read.

extension UnsafePointer<OffsetIndex> {
  /// See `OffsetIndex.total`.
  package var total: Int { unsafe pointee.total }

  /// See `OffsetIndex.locate(_:)`.
  package func locate(_ offset: Int) -> (index: Int, offset: Int) { unsafe pointee.locate(offset) }
}

extension UnsafePointer<OrderIndex> {
  /// The number of the handle at a position. See `OrderIndex`'s subscript.
  package func number(at position: Int) -> Int { unsafe pointee[position].number }

  /// The position of the handle with a number. See `OrderIndex.position(of:)`.
  package func position(ofNumber number: Int) -> Int {
    unsafe pointee.position(of: OrderIndex.Handle(number: number))
  }
}

extension UnsafePointer<BitIndex> {
  /// See `BitIndex.setCount`.
  package var setCount: Int { unsafe pointee.setCount }

  /// See `BitIndex.select(_:)`.
  package func select(_ rank: Int) -> Int { unsafe pointee.select(rank) }
}
