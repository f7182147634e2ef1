import OffsetIndexing

// Wrappers of `countStep(_:_:)`, for code that may be inlined into other packages: such code cannot name `countStep`.

/// Counts calls of a predicate, a comparator, or another closure of the user's.
@inlinable @inline(__always)
package func countCalls(_ calls: Int = 1) {
  #if InternalChecks
    noteCalls(calls)
  #endif
}

/// Counts elements that are read through a node.
@inlinable @inline(__always)
func countElements(_ elements: Int = 1) {
  #if InternalChecks
    noteElements(elements)
  #endif
}

#if InternalChecks
  @usableFromInline
  func noteCalls(_ calls: Int) { countStep(.call, calls) }

  @usableFromInline
  func noteElements(_ elements: Int) { countStep(.element, elements) }
#endif
