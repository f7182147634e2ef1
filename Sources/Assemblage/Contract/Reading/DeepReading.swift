// A node reads its source, and the source reads its own source: one call for each derived node. The call stack must not
// limit the number of nodes above each other. So the reader of every 32nd node does not call its source. It walks down
// in a loop to the node that has the value, for one child at a time.

/// The number of nodes through which a value is read by calls, before a walk replaces them.
///
/// A debug build uses up to 4 KiB of stack for each call. For each node, a walk takes several times as long as a call.
/// `swift test --filter ChainDepthTests` reads 1,000 views on a small stack.
@usableFromInline let callingDepth = 32

/// One step on the way from a child of a node to its value.
@usableFromInline
enum ReadingStep {
  /// The node has the value itself: it is a `ReadValue` of the node's `Element`.
  case value(Any)

  /// The value is the value of another node's child.
  case source(ReadingPlace)

  /// The value is made of the value of another node's child, by a function from one `ReadValue` to another.
  case transformed(ReadingPlace, (Any) -> Any)
}

/// A child of a node; the type of the node is not known here.
@safe @usableFromInline
struct ReadingPlace {
  // The place and the function of a reader. The owner of the reader keeps the node alive.
  @usableFromInline let node: UnsafeRawPointer
  @usableFromInline let step: (UnsafeRawPointer, Int) -> ReadingStep
  @usableFromInline let position: Int

  @inlinable
  init(node: UnsafeRawPointer, step: @escaping (UnsafeRawPointer, Int) -> ReadingStep, position: Int) {
    unsafe self.node = node
    unsafe self.step = step
    self.position = position
  }
}

/// The value of a child, in a type of its own, because a cast to an optional could not distinguish nested optionals.
@usableFromInline
struct ReadValue<Element> {
  @usableFromInline let value: Element?

  @inlinable
  init(_ value: Element?) { self.value = value }
}

extension NodeState where Self: ~Copyable {
  @inlinable
  func step(from position: Int) -> ReadingStep {
    if let (reader, origin) = origin(of: position) { return .source(reader.place(of: origin)) }
    return .value(ReadValue(element(at: position)))
  }

  @inlinable
  func origin(of position: Int) -> (reader: NodeReader<Element>, position: Int)? { nil }

  @usableFromInline
  var depth: Int { 0 }
}

extension NodeReader {
  /// The place of a child of the node, for a walk.
  @inlinable
  func place(of position: Int) -> ReadingPlace {
    unsafe ReadingPlace(node: place, step: functions.step, position: position)
  }
}

extension NodeReader.Functions {
  /// Functions that read the same values by walking.
  @usableFromInline
  var walking: Self {
    let step = unsafe step
    return unsafe Self(
      element: { node, position in unsafe Self.walk(from: step(node, position)) },
      spans: { node, range, body in
        gatherSpans(in: range, body) { position in unsafe Self.walk(from: step(node, position)) }
      }, step: step)
  }

  private static func walk(from start: ReadingStep) -> Element? {
    var step = start
    // The functions that make the value, the last one first.
    var transforms: [(Any) -> Any] = []
    while true {
      switch step {
      case .source(let place): step = unsafe place.step(place.node, place.position)
      case .transformed(let place, let transform):
        transforms.append(transform)
        step = unsafe place.step(place.node, place.position)
      case .value(var value):
        while let transform = transforms.popLast() { value = transform(value) }
        return (value as! ReadValue<Element>).value
      }
    }
  }
}
