// Elements asked about where they stand. A closure takes its argument without owning it, so what holds the element may be the
// storage alone; but an element that is read out of a span is copied first, which retains what it refers to, and
// releases it afterwards. For objects and strings that was five sixths of a predicate's time. See Decision 33.

/// Hands the elements of a span to closures, one at a time, without retaining them.
///
/// The bytes of an element are moved to memory of its own, taken from there for the time of one call, and put back; nothing
/// is counted, and the storage is never written, so other threads may read it as well. What keeps the element alive is
/// the storage of the span, which its owner holds as long as the span is valid. A closure that stores the element retains
/// it, as it would any argument.
///
/// What has no references, and what can't be moved by its bytes alone (a structure with a weak reference), is copied.
@safe
@usableFromInline
struct Lender<Element>: ~Copyable {
  // The memory of the span, and room for one element, which is not initialized between two calls.
  @usableFromInline let base: UnsafePointer<Element>
  @usableFromInline let room: UnsafeMutablePointer<Element>

  @inlinable
  init(base: UnsafePointer<Element>, room: UnsafeMutablePointer<Element>) {
    unsafe self.base = base
    unsafe self.room = room
  }

  /// Calls a closure with the element at an index of the span, which is not checked.
  ///
  /// - Parameters:
  ///   - index: within the span.
  ///   - body: the closure.
  /// - Returns: what the closure returns.
  /// - Throws: what the closure throws.
  @inlinable @inline(__always)
  func lend<Result, Failure: Error>(
    _ index: Int, to body: (Element) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if !isLendable(Element.self) { return try unsafe body(base[index]) }
    unsafe UnsafeMutableRawPointer(room).copyMemory(from: base + index, byteCount: MemoryLayout<Element>.size)
    let element = unsafe room.move()
    // Put back, not destroyed, whichever way the call ends.
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

/// Whether elements are handed on by their bytes: they have references that would be retained, and may be moved so.
@inlinable @inline(__always)
func isLendable<Element>(_ type: Element.Type) -> Bool { !_isPOD(type) && _isBitwiseTakable(type) }

extension Span where Element: Copyable {
  /// Calls a closure with a lender of the elements; not where there are none.
  ///
  /// - Parameter body: the closure.
  /// - Throws: what the closure throws.
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
  /// - Throws: what the closure throws.
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
