/// Serves two sequences over the same handles. The first sequence gives handles out and frees them, and the second only
/// orders them.
///
/// The second sequence never frees a handle. It takes a handle out, and the handle is *away* then. Later it gets the
/// handle back, or gets another one that the first sequence has given out meanwhile.
extension OrderIndex {
  /// Creates a sequence of handles that another sequence has given out.
  ///
  /// - Parameter numbers: the handles' numbers in order. They are all numbers below their count, each once.
  /// - Precondition: there are no more than 2³⁰ handles.
  /// - Complexity: O(n), n = `numbers.count`.
  package init(numbers: [Int32]) {
    self.init()
    checkRoom(numbers.count)
    unsafe makeUnique().pointee.fill(with: numbers)
    checkAfterMutation()
  }

  /// One more than the greatest number of all handles that were ever in the sequence.
  package var handleLimit: Int { tree.leaves.handleLimit }

  /// Returns the handle nearest to a position whose number is a multiple of a power of two.
  ///
  /// The handles beside the position are searched, as far as they are in a range. Where none of them has such a number,
  /// the result is the handle at the position.
  ///
  /// - Parameters:
  ///   - position: a position of the range.
  ///   - range: positions, in `0..<count`.
  ///   - power: a power of two.
  /// - Returns: the handle's position and its number.
  /// - Complexity: O(log n), n = `count`: the search reads no more nodes than the look-up of the position.
  package func handle(
    near position: Int, in range: Range<Int>, multipleOf power: Int
  ) -> (position: Int, number: Int) {
    tree.handle(near: position, in: range, multipleOf: power)
  }

  /// Removes a handle without freeing its number.
  ///
  /// - Parameter handle: a handle that is in the sequence.
  /// - Returns: the position that the handle had.
  /// - Precondition: `handle` is in the sequence.
  /// - Complexity: O(log n), n = `count`; O(n) once where the storage is shared.
  @discardableResult
  package mutating func takeOut(_ handle: Handle) -> Int {
    let position = position(of: handle)
    let tree = unsafe makeUnique()
    let number = unsafe tree.pointee.remove(at: position)
    unsafe tree.pointee.leaves.sendAway(number)
    checkAfterMutation()
    return position
  }

  /// Inserts a handle that was taken out, or one that the sequence never had.
  ///
  /// - Parameters:
  ///   - handle: a handle that is not in the sequence.
  ///   - position: the handle's position, in `0...count`.
  /// - Precondition: `handle` is not in the sequence, the sequence has never freed a handle, and `position` is in its
  ///   range.
  /// - Complexity: O(log n), n = `count`; O(n) once where the storage is shared.
  package mutating func put(_ handle: Handle, at position: Int) {
    checkBoundary(position)
    checkRoom(1)
    if contains(handle) || tree.leaves.freeHandleCount > 0 { UnitTrap.unwelcomeHandle(handle.number) }
    let tree = unsafe makeUnique()
    let number = Int32(truncatingIfNeeded: handle.number)
    unsafe tree.pointee.leaves.takeBack(number)
    unsafe tree.pointee.insert(number, at: position)
    checkAfterMutation()
  }
}
