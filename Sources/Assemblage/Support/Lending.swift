// Calling closures with elements in place. A closure receives its argument without owning it, so the storage alone may
// hold the element. But an element that is read from a span is copied first: the copy retains the objects that the
// element refers to, and releases them afterwards. For objects and strings, this was five sixths of a predicate's time.
// See Decision 33.

/// Hands the elements of a span to closures, one at a time, without retaining them.
///
/// The bytes of an element are copied to separate memory, moved out of that memory for the time of one call, and put
/// back. No reference is counted. The storage is never written, so other threads may read it at the same time. The
/// storage of the span keeps the element alive, and the owner of the storage keeps it as long as the span is valid. A
/// closure that stores the element retains it, like any argument.
///
/// An element is copied in the usual way if it has no references. The same is true if its bytes alone cannot be moved
/// (a structure with a weak reference).
@safe
@usableFromInline
struct Lender<Element>: ~Copyable {
  // The memory of the span, and room for one element; the room is not initialized between two calls.
  @usableFromInline let base: UnsafePointer<Element>
  @usableFromInline let room: UnsafeMutablePointer<Element>

  @inlinable
  init(base: UnsafePointer<Element>, room: UnsafeMutablePointer<Element>) {
    unsafe self.base = base
    unsafe self.room = room
  }

  /// Calls a closure with the element at an index of the span.
  ///
  /// The index is not checked.
  ///
  /// - Parameters:
  ///   - index: within the span.
  ///   - body: the closure.
  /// - Returns: the result of the closure.
  /// - Throws: the error of the closure.
  @inlinable @inline(__always)
  func lend<Result, Failure: Error>(
    _ index: Int, to body: (Element) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if !isLendable(Element.self) { return try unsafe body(base[index]) }
    unsafe UnsafeMutableRawPointer(room).copyMemory(from: base + index, byteCount: MemoryLayout<Element>.size)
    let element = unsafe room.move()
    // The element is put back, not destroyed, whether the call returns or throws.
    do throws(Failure) {
      let result = try body(element)
      unsafe room.initialize(to: consume element)
      return result
    } catch {
      unsafe room.initialize(to: consume element)
      throw error
    }
  }
}

/// Whether elements are lent by their bytes: they contain references that a copy would retain, and they may be moved by
/// bytes.
@inlinable @inline(__always)
func isLendable<Element>(_ type: Element.Type) -> Bool { !_isPOD(type) && _isBitwiseTakable(type) }

extension Span where Element: Copyable {
  /// Calls a closure with a lender of the elements, unless the span is empty.
  ///
  /// - Parameter body: the closure.
  /// - Throws: the error of the closure.
  @inlinable @inline(__always)
  func withLender<Failure: Error>(
    _ body: (borrowing Lender<Element>) throws(Failure) -> Void
  ) throws(Failure) {
    if isEmpty { return }
    try unsafe withUnsafeBufferPointer { (elements) throws(Failure) in
      try unsafe withUnsafeTemporaryAllocation(of: Element.self, capacity: 1) { (room) throws(Failure) in
        try unsafe body(Lender(base: elements.baseAddress!, room: room.baseAddress!))
      }
    }
  }

  /// Calls a closure with each element and its index, without retaining the element.
  ///
  /// - Parameter body: the closure.
  /// - Throws: the error of the closure.
  @inlinable @inline(__always)
  package func lendEach<Failure: Error>(
    _ body: (_ index: Int, _ element: Element) throws(Failure) -> Void
  ) throws(Failure) {
    let count = count
    try withLender { (lender) throws(Failure) in
      for index in 0..<count {
        try lender.lend(index) { (element) throws(Failure) in try body(index, element) }
      }
    }
  }
}
