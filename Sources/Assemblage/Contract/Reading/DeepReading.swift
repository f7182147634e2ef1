public import OffsetIndexing

// A node reads its source, and the source reads its own source: one call for each derived node. The call stack must not
// limit the number of nodes above each other. So the reader of every 32nd node does not call its source. It walks down
// in a loop to the nodes that have the values, with a block of children at a time.

/// The number of nodes through which a value is read by calls, before a walk replaces them.
///
/// A debug build uses up to 4 KiB of stack for each call. `swift test --filter ChainDepthTests` reads 1,000 views on a
/// small stack.
@usableFromInline let callingDepth = 32

/// The depth from which the readers of a node count whose members may change. Other nodes have taken that depth when a
/// deeper member arrives, so that the walk has to begin at the member. Most members are not so deep.
let depthOfMembers = 8

/// The number of children of a block.
///
/// A step costs one call for the whole block. The positions fill a quarter of a 32 KiB first-level cache. After each
/// block, the walk begins again at the top: the closure that receives the values may have changed the nodes.
/// (`benchmark --suite deep --operation scan`)
private let walkingCount = 1_024

/// One step on the way from children of a node to their values.
@usableFromInline
enum ReadingStep {
  /// The node has the values itself: they are `ReadValues` of the node's `Element`.
  case values(Any)

  /// The values are the values of another node's children.
  case source(ReadingPlace)

  /// The values are made of the values of another node's children, by a function from one `ReadValues` to another.
  case transformed(ReadingPlace, (Any) -> Any)
}

/// A node in which a walk arrives; the type of the node is not known here.
@safe @usableFromInline
struct ReadingPlace {
  // The place and the function of a reader. The owner of the reader keeps the node alive.
  @usableFromInline let node: UnsafeRawPointer
  @usableFromInline let step: (UnsafeRawPointer, inout ReadingBlock) -> ReadingStep

  @inlinable
  init(node: UnsafeRawPointer, step: @escaping (UnsafeRawPointer, inout ReadingBlock) -> ReadingStep) {
    unsafe self.node = node
    unsafe self.step = step
  }
}

/// The positions of some children of a node. A step replaces them by the positions in the next node.
///
/// A negative position belongs to a child that does not exist.
@safe @usableFromInline
struct ReadingBlock {
  // The walk owns this memory, and initializes it.
  @usableFromInline let base: UnsafeMutablePointer<Int>

  /// The number of children, at least 1. A step that leads only the first children to the next node lowers it.
  @usableFromInline var count: Int

  init(_ base: UnsafeMutablePointer<Int>, count: Int) {
    unsafe self.base = base
    self.count = count
  }

  @inlinable
  subscript(index: Int) -> Int {
    get { unsafe base[index] }
    nonmutating set { unsafe base[index] = newValue }
  }

  /// Replaces the positions up to the first one for which `position` returns nil, and keeps only these.
  @inlinable
  mutating func replacePrefix(_ position: (Int) -> Int?) {
    for index in 0..<count {
      guard let next = position(self[index]) else {
        count = index
        return
      }
      self[index] = next
    }
  }

  /// Replaces ranks by the positions of the set bits.
  @usableFromInline
  func select(in bits: BitIndex) {
    guard count > 1, isAscending, self[0] >= 0, self[count - 1] < bits.setCount else {
      for index in 0..<count {
        let rank = self[index]
        self[index] = rank >= 0 && rank < bits.setCount ? bits.select(rank) : -1
      }
      return
    }
    var (index, rank) = (0, self[0])
    bits.forEachSetRange(in: bits.select(rank)..<bits.select(self[count - 1]) + 1) { run in
      let distance = run.lowerBound - rank
      rank += run.count
      let end = self.end(below: rank, from: index)
      for index in index..<end { self[index] &+= distance }
      index = end
    }
  }

  /// Whether each position is greater than the one before.
  ///
  /// No pair ends the loop early, so that the compiler uses vectors. Positions are between -1 and the number of
  /// children, so that no difference overflows.
  private var isAscending: Bool {
    var differences = 0
    for index in 1..<count { differences |= self[index] &- self[index &- 1] &- 1 }
    return differences >= 0
  }

  /// The first index from `start` on whose position is not below a limit. The positions ascend, so that steps of
  /// doubled length find the index.
  private func end(below limit: Int, from start: Int) -> Int {
    var (low, step) = (start, 1)
    while low + step <= count, self[low + step - 1] < limit {
      low += step
      step *= 2
    }
    var high = min(count, low + step - 1)
    while low < high {
      let middle = low + (high - low) / 2
      if self[middle] < limit { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Passes the ranges of positions that follow one another.
  @inlinable
  func forEachRange(_ body: (Range<Int>) -> Void) {
    var start = 0
    for index in 1...count where index == count || self[index] != self[index - 1] + 1 {
      body(self[start]..<self[index - 1] + 1)
      start = index
    }
  }
}

/// The values of the children of a block, in a type of its own, because a cast to an optional could not distinguish
/// nested optionals.
@usableFromInline
struct ReadValues<Element> {
  @usableFromInline let values: [Element?]

  /// Passes the values in spans, the first one with a position. The function is specialized where the values are read.
  @usableFromInline let pass: ([Element?], Int, (_ start: Int, _ span: Span<Element>) -> Void) -> Void

  @inlinable
  init(_ values: [Element?]) {
    self.values = values
    pass = { values, start, body in
      gatherSpans(in: start..<start &+ values.count, body) { values[$0 &- start] }
    }
  }

  /// Reads the own values of a node.
  @inlinable
  init<State: NodeState & ~Copyable>(of block: ReadingBlock, _ state: UnsafePointer<State>)
  where State.Element == Element {
    var values: [Element?] = []
    values.reserveCapacity(block.count)
    block.forEachRange { range in
      let end = values.count + range.count
      if range.count > 1, range.lowerBound >= 0, unsafe range.upperBound <= state.pointee.count {
        var next = range.lowerBound
        unsafe State.forEachSpan(in: range, of: state) { start, span in
          while next < start {
            values.append(nil)
            next += 1
          }
          for index in span.indices { values.append(span[index]) }
          next += span.count
        }
      } else {
        for position in range { unsafe values.append(position < 0 ? nil : state.pointee.element(at: position)) }
      }
      while values.count < end { values.append(nil) }
    }
    self.init(values)
  }
}

extension NodeState where Self: ~Copyable {
  @inlinable
  static func step(from block: inout ReadingBlock, of state: UnsafePointer<Self>) -> ReadingStep {
    guard let (reader, _) = unsafe state.pointee.knownOrigin(of: block[0]) else {
      block.replacePrefix { unsafe state.pointee.knownOrigin(of: $0) == nil ? $0 : nil }
      return unsafe .values(ReadValues(of: block, state))
    }
    block.replacePrefix { position in
      guard let (other, origin) = unsafe state.pointee.knownOrigin(of: position), unsafe other.place == reader.place
      else { return nil }
      return origin
    }
    return .source(reader.walkingPlace)
  }

  /// The origin of a child; nil for a child that does not exist.
  @inlinable
  func knownOrigin(of position: Int) -> (reader: NodeReader<Element>, position: Int)? {
    position < 0 ? nil : origin(of: position)
  }

  @inlinable
  func origin(of position: Int) -> (reader: NodeReader<Element>, position: Int)? { nil }

  @usableFromInline
  var depth: Int { 0 }
}

extension NodeReader {
  /// The node, as a place of a walk.
  @inlinable
  var walkingPlace: ReadingPlace { unsafe ReadingPlace(node: place, step: functions.step) }
}

extension NodeReader.Functions {
  /// Functions that read the same values by walking.
  @usableFromInline
  var walking: Self {
    let step = unsafe step
    return unsafe Self(
      element: { node, position in
        // There is no such child, and a range that ends behind it would overflow.
        if position == .max { return nil }
        return unsafe Self.walk(from: ReadingPlace(node: node, step: step), position, count: 1)[0].values.values[0]
      },
      spans: { node, range, body in
        var start = range.lowerBound
        while start < range.upperBound {
          let count = min(walkingCount, range.upperBound - start)
          for part in unsafe Self.walk(from: ReadingPlace(node: node, step: step), start, count: count) {
            part.values.pass(part.values.values, part.start, body)
          }
          start += count
        }
      }, step: step)
  }

  /// Reads the values of children that follow one another.
  ///
  /// - Returns: the values in parts, each with the position of its first child.
  private static func walk(
    from place: ReadingPlace, _ start: Int, count: Int
  ) -> [(start: Int, values: ReadValues<Element>)] {
    unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: count) { memory in
      for index in 0..<count { unsafe memory.initializeElement(at: index, to: start &+ index) }
      var result: [(start: Int, values: ReadValues<Element>)] = []
      // The children from an index to another one have come to a place. The last function that makes their values is
      // the first one to be called.
      var part = (place: place, indices: 0..<count, transforms: [(Any) -> Any]())
      var waiting: [(place: ReadingPlace, indices: Range<Int>, transforms: [(Any) -> Any])] = []
      while true {
        var block = unsafe ReadingBlock(memory.baseAddress! + part.indices.lowerBound, count: part.indices.count)
        let step = unsafe part.place.step(part.place.node, &block)
        if block.count < part.indices.count {
          let end = part.indices.lowerBound + block.count
          waiting.append((part.place, end..<part.indices.upperBound, part.transforms))
          part.indices = part.indices.lowerBound..<end
        }
        switch step {
        case .source(let place): part.place = place
        case .transformed(let place, let transform):
          part.place = place
          part.transforms.append(transform)
        case .values(var values):
          for transform in part.transforms.reversed() { values = transform(values) }
          result.append((start &+ part.indices.lowerBound, values as! ReadValues<Element>))
          guard let next = waiting.popLast() else { return result }
          part = next
        }
      }
    }
  }
}
