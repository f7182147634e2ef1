// Sorting rows in place. `Array.sort(by:)` copies the elements that it compares and moves, so it retains and releases
// objects. This sort moves the elements by their bytes. See Decision 33.

/// Sorts elements in memory that belongs to the caller, without retaining them.
///
/// This is a merge sort that uses the runs which exist already. The order of the merges follows Powersort: Munro and
/// Wild, "Nearly-Optimal Mergesorts: Fast, Practical Sorting Methods That Optimally Adapt to Existing Runs", ESA 2018.
@safe
@usableFromInline
struct MovingSort<Element>: ~Copyable {
  /// The elements; all of them are initialized between two steps.
  @usableFromInline let base: UnsafeMutablePointer<Element>
  @usableFromInline let count: Int
  /// Room for as many elements; not initialized between two steps.
  @usableFromInline let room: UnsafeMutablePointer<Element>

  @inlinable
  init(base: UnsafeMutablePointer<Element>, count: Int, room: UnsafeMutablePointer<Element>) {
    unsafe self.base = base
    self.count = count
    unsafe self.room = room
  }

  /// A sorted run, and the depth of its merge with the run before it.
  @usableFromInline
  struct Run {
    @usableFromInline var start: Int
    @usableFromInline var power: Int

    @inlinable
    init(start: Int, power: Int) {
      self.start = start
      self.power = power
    }
  }

  @inlinable @inline(__always)
  func sort<Failure: Error>(by areInIncreasingOrder: (Element, Element) throws(Failure) -> Bool) throws(Failure) {
    var open: [Run] = []
    var start = 0
    while start < count {
      let end = try endOfRun(from: start, areInIncreasingOrder)
      var power = 0
      if start > 0 {
        power = Self.power(open[open.count &- 1].start, start, end, count)
        while open.count > 1, open[open.count &- 1].power > power {
          let last = open.removeLast()
          try merge(open[open.count &- 1].start, last.start, start, areInIncreasingOrder)
        }
      }
      open.append(Run(start: start, power: power))
      start = end
    }
    while open.count > 1 {
      let last = open.removeLast()
      try merge(open[open.count &- 1].start, last.start, count, areInIncreasingOrder)
    }
  }

  /// The depth of the merge of two neighbouring runs in a tree of merges.
  ///
  /// The root of this tree halves all elements, its children halve the halves, and so on. The result is the depth of
  /// the node that lies between the middles of the two runs.
  @inlinable
  static func power(_ first: Int, _ second: Int, _ end: Int, _ count: Int) -> Int {
    // Twice the middles. As fractions of the whole, they are to be divided by twice the count.
    var left = first &+ second
    var right = second &+ end
    var power = 0
    while true {
      power &+= 1
      if left >= count {
        left &-= count
        right &-= count
      } else if right >= count {
        return power
      }
      left &<<= 1
      right &<<= 1
    }
  }

  /// Compares two elements.
  ///
  /// The elements are moved out of their memory for the time of the call.
  @inlinable @inline(__always)
  static func precedes<Failure: Error>(
    _ first: UnsafeMutablePointer<Element>, _ second: UnsafeMutablePointer<Element>,
    _ areInIncreasingOrder: (Element, Element) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    let left = unsafe first.move()
    let right = unsafe second.move()
    do throws(Failure) {
      let result = try areInIncreasingOrder(left, right)
      unsafe first.initialize(to: consume left)
      unsafe second.initialize(to: consume right)
      return result
    } catch {
      unsafe first.initialize(to: consume left)
      unsafe second.initialize(to: consume right)
      throw error
    }
  }

  /// Finds the run that begins at a place, and extends the run to at least 24 elements.
  @inlinable @inline(__always)
  func endOfRun<Failure: Error>(
    from start: Int, _ areInIncreasingOrder: (Element, Element) throws(Failure) -> Bool
  ) throws(Failure) -> Int {
    var end = start &+ 1
    if end == count { return end }
    let isDescending = try unsafe Self.precedes(base + end, base + start, areInIncreasingOrder)
    end &+= 1
    while end < count {
      guard try unsafe Self.precedes(base + end, base + (end &- 1), areInIncreasingOrder) == isDescending else { break }
      end &+= 1
    }
    if isDescending {
      var run = unsafe UnsafeMutableBufferPointer(start: base + start, count: end &- start)
      unsafe run.reverse()
    }
    let least = Swift.min(start &+ 24, count)
    while end < least {
      // The element is inserted behind all elements that are not greater, so that the sort is stable.
      var low = start
      var high = end
      while low < high {
        let middle = (low &+ high) / 2
        if try unsafe Self.precedes(base + end, base + middle, areInIncreasingOrder) {
          high = middle
        } else {
          low = middle &+ 1
        }
      }
      unsafe room.moveInitialize(from: base + end, count: 1)
      unsafe (base + low + 1).moveInitialize(from: base + low, count: end &- low)
      unsafe (base + low).moveInitialize(from: room, count: 1)
      end &+= 1
    }
    return end
  }

  /// Merges two neighbouring runs.
  @inlinable @inline(__always)
  func merge<Failure: Error>(
    _ start: Int, _ middle: Int, _ end: Int,
    _ areInIncreasingOrder: (Element, Element) throws(Failure) -> Bool
  ) throws(Failure) {
    // Neighbouring runs are often in order already.
    guard try unsafe Self.precedes(base + middle, base + (middle &- 1), areInIncreasingOrder) else { return }
    let count = middle &- start
    unsafe room.moveInitialize(from: base + start, count: count)
    var left = 0
    var right = middle
    // The gap between `place` and the right run always has room for the rest of the left run.
    var place = start
    do throws(Failure) {
      while left < count, right < end {
        if try unsafe Self.precedes(base + right, room + left, areInIncreasingOrder) {
          unsafe (base + place).initialize(to: (base + right).move())
          right &+= 1
        } else {
          unsafe (base + place).initialize(to: (room + left).move())
          left &+= 1
        }
        place &+= 1
      }
    } catch {
      unsafe (base + place).moveInitialize(from: room + left, count: count &- left)
      throw error
    }
    unsafe (base + place).moveInitialize(from: room + left, count: count &- left)
  }
}

extension Array {
  /// Sorts in place, stably, without retaining an element.
  ///
  /// - Parameter areInIncreasingOrder: whether its first argument must be before its second.
  /// - Throws: the error of the closure; all elements are in the array then, in some order.
  /// - Complexity: O(n · log n), and O(n) if the array consists of few ascending or descending runs.
  @inlinable @inline(__always)
  mutating func sortByMoving<Failure: Error>(
    _ areInIncreasingOrder: (Element, Element) throws(Failure) -> Bool
  ) throws(Failure) {
    if count < 2 { return }
    let count = count
    try unsafe withUnsafeMutableBufferPointer { (elements) throws(Failure) in
      let room = UnsafeMutablePointer<Element>.allocate(capacity: count)
      defer { unsafe room.deallocate() }
      try unsafe MovingSort(base: elements.baseAddress!, count: count, room: room).sort(by: areInIncreasingOrder)
    }
  }
}
