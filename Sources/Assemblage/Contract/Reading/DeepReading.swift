// A node reads its source, which reads its own: one call for each derived node. So that the call stack does not limit how
// many nodes may stand one above the other, the reader of every 32nd one does not call its source. It walks down to the
// nodes that have the values, in a loop, with all the children that are asked for at once.

/// Through how many nodes a value is read by calls, before a walk takes their place.
///
/// A debug build takes up to 4 KiB of stack for each; a walk takes several times as long for each node as a call.
/// `swift test --filter ChainDepthTests` reads 1,000 views on a small stack.
@usableFromInline let callingDepth = 32

/// How many children a walk takes along at once. What stands between is read anew for the next ones: the closure that gets
/// the values may have changed the nodes.
private let walkingCount = 1_024

/// What leads from children of a node that stand side by side to their values.
@usableFromInline
enum ReadingStep {
  /// The node has the values itself: they are `ReadValues` of the node's `Element`.
  case values(Any)

  /// The values are those of another node's children.
  case source(ReadingPlace)

  /// The values are made of those of another node's children, by a function from one `ReadValues` to another.
  case transformed(ReadingPlace, (Any) -> Any)

  /// They come from several places. Each step stands with how many children come before its own; children without a
  /// value may be left out.
  case several([(start: Int, step: ReadingStep)])
}

/// Children of a node whose type is not known.
@safe @usableFromInline
struct ReadingPlace {
  // A reader's place and function; the owner of the reader keeps the node.
  @usableFromInline let node: UnsafeRawPointer
  @usableFromInline let step: (UnsafeRawPointer, Range<Int>) -> ReadingStep
  @usableFromInline var range: Range<Int>

  @inlinable
  init(node: UnsafeRawPointer, step: @escaping (UnsafeRawPointer, Range<Int>) -> ReadingStep, range: Range<Int>) {
    unsafe self.node = node
    unsafe self.step = step
    self.range = range
  }
}

/// The values of children side by side, in a type of its own: a cast to an optional could not tell the levels of optionals
/// apart.
@usableFromInline
enum ReadValues<Element> {
  case one(Element?)
  case many([Element?])

  @inlinable
  init(of range: Range<Int>, from element: (Int) -> Element?) {
    self = range.count == 1 ? .one(element(range.lowerBound)) : .many(range.map(element))
  }

  @inlinable
  func map<Result>(_ transform: (Element) -> Result) -> ReadValues<Result> {
    switch self {
    case .one(let value): .one(value.map(transform))
    case .many(let values): .many(values.map { $0.map(transform) })
    }
  }
}

extension NodeState where Self: ~Copyable {
  @inlinable
  static func step(from range: Range<Int>, of state: UnsafePointer<Self>) -> ReadingStep {
    if range.count == 1 { return unsafe step(from: range.lowerBound, of: state) }
    guard range.contains(where: { unsafe state.pointee.origin(of: $0) != nil }) else {
      return .values(ReadValues(of: range) { unsafe state.pointee.element(at: $0) })
    }
    var parts = ReadingParts<Element>(start: range.lowerBound)
    for position in range {
      if let (reader, origin) = unsafe state.pointee.origin(of: position) {
        parts.append(position, reader, origin..<origin &+ 1)
      } else {
        parts.append(position, unsafe state.pointee.element(at: position))
      }
    }
    return parts.step
  }

  @inlinable
  static func step(from position: Int, of state: UnsafePointer<Self>) -> ReadingStep {
    if let (reader, origin) = unsafe state.pointee.origin(of: position) {
      return .source(reader.place(of: origin..<origin &+ 1))
    }
    return unsafe .values(ReadValues.one(state.pointee.element(at: position)))
  }

  @inlinable
  func origin(of position: Int) -> (reader: NodeReader<Element>, position: Int)? { nil }

  @usableFromInline
  var depth: Int { 0 }
}

/// Makes one step of many, in which neighbours are together.
@usableFromInline
struct ReadingParts<Element> {
  /// The position of the first child.
  @usableFromInline let start: Int
  @usableFromInline var parts: [(start: Int, step: ReadingStep)] = []

  @inlinable
  init(start: Int) { self.start = start }

  /// Adds children from a position on, which are read as children of another node.
  @inlinable
  mutating func append(_ position: Int, _ reader: NodeReader<Element>, _ origins: Range<Int>) {
    let place = reader.place(of: origins)
    if let last = parts.last, case .source(var former) = last.step, unsafe former.node == place.node,
      former.range.upperBound == origins.lowerBound, last.start &+ former.range.count == position &- start
    {
      former.range = former.range.lowerBound..<origins.upperBound
      parts[parts.count &- 1].step = .source(former)
    } else {
      parts.append((position &- start, .source(place)))
    }
  }

  /// Adds a child with a value of its own.
  @inlinable
  mutating func append(_ position: Int, _ value: Element?) {
    parts.append((position &- start, .values(ReadValues.one(value))))
  }

  @inlinable
  var step: ReadingStep { parts.count == 1 && parts[0].start == 0 ? parts[0].step : .several(parts) }
}

extension NodeReader {
  /// Children of the node, for a walk.
  @inlinable
  func place(of range: Range<Int>) -> ReadingPlace {
    unsafe ReadingPlace(node: place, step: functions.step, range: range)
  }
}

extension NodeReader.Functions {
  /// Functions that read the same by walking.
  @usableFromInline
  var walking: Self {
    let step = unsafe step
    return unsafe Self(
      element: { node, position in
        var next = unsafe step(node, position..<position + 1)
        while case .source(let place) = next { next = unsafe place.step(place.node, place.range) }
        // Mostly that is all, and takes no lists.
        if case .values(let values) = next, case .one(let value) = values as! ReadValues<Element> { return value }
        return Self.walk(from: next, count: 1)[0]
      },
      spans: { node, range, body in
        var start = range.lowerBound
        while start < range.upperBound {
          let piece = start..<min(start + walkingCount, range.upperBound)
          // No one else's closure is called before all of them are there, so that no node on the way goes meanwhile.
          let values = unsafe Self.walk(from: step(node, piece), count: piece.count)
          gatherSpans(in: piece, body) { values[$0 - piece.lowerBound] }
          start = piece.upperBound
        }
      }, step: step)
  }

  /// What is made of the values at the end of a way: the function that was met last first.
  private final class Transform {
    let function: (Any) -> Any
    let next: Transform?

    init(_ function: @escaping (Any) -> Any, _ next: Transform?) {
      self.function = function
      self.next = next
    }
  }

  private static func walk(from start: ReadingStep, count: Int) -> [Element?] {
    var result = [Element?](repeating: nil, count: count)
    var open: [(start: Int, step: ReadingStep, transform: Transform?)] = []
    var (offset, step, transform) = (0, start, Transform?.none)
    while true {
      switch step {
      case .source(let place):
        step = unsafe place.step(place.node, place.range)
        continue
      case .transformed(let place, let function):
        transform = Transform(function, transform)
        step = .source(place)
        continue
      case .several(let parts):
        for part in parts { open.append((offset + part.start, part.step, transform)) }
      case .values(var values):
        while let last = transform {
          values = last.function(values)
          transform = last.next
        }
        switch values as! ReadValues<Element> {
        case .one(let value): result[offset] = value
        case .many(let values): for (index, value) in values.enumerated() { result[offset + index] = value }
        }
      }
      guard let next = open.popLast() else { return result }
      (offset, step, transform) = next
    }
  }
}
