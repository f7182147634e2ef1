// A node reads its source, which reads its own: one call for each derived node. So that the call stack does not limit how
// many nodes may stand one above the other, the reader of every 32nd one does not call its source. It walks down to the
// node that has the value, in a loop.

/// Through how many nodes a value is read by calls, before a walk takes their place.
///
/// A debug build takes up to 4 KiB of stack for each; a walk takes several times as long for each node as a call.
@usableFromInline let callingDepth = 32

/// What leads from a node's child to its value.
@usableFromInline
enum ReadingStep {
  /// The node has the value itself: it is a `ReadValue` of the node's `Element`.
  case value(Any)

  /// The value is that of another node's child.
  case source(ReadingPlace)

  /// The value is made of that of another node's child, by a function from one `ReadValue` to another.
  case transformed(ReadingPlace, (Any) -> Any)
}

/// A child of a node whose type is not known.
@safe @usableFromInline
struct ReadingPlace {
  // A reader's place and function; the owner of the reader keeps the node.
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

/// The value of a child, in a type of its own: a cast to an optional could not tell the levels of optionals apart.
@usableFromInline
struct ReadValue<Element> {
  @usableFromInline let element: Element?

  @inlinable
  init(element: Element?) { self.element = element }
}

extension NodeState where Self: ~Copyable {
  @inlinable
  func step(from position: Int) -> ReadingStep {
    if let (reader, position) = origin(of: position) { return .source(reader.place(at: position)) }
    return .value(ReadValue(element: element(at: position)))
  }

  @inlinable
  func origin(of position: Int) -> (reader: NodeReader<Element>, position: Int)? { nil }

  @usableFromInline
  var depth: Int { 0 }
}

extension NodeReader {
  /// A child of the node, for a walk.
  @inlinable
  func place(at position: Int) -> ReadingPlace {
    unsafe ReadingPlace(node: place, step: functions.step, position: position)
  }
}

extension NodeReader.Functions {
  /// Functions that read the same by walking.
  var walking: Self {
    let step = unsafe step
    let read = { (node: UnsafeRawPointer, position: Int) -> Element? in
      unsafe Self.walk(from: ReadingPlace(node: node, step: step, position: position))
    }
    return unsafe Self(
      element: read, spans: { node, range, body in gatherSpans(in: range, body) { unsafe read(node, $0) } }, step: step)
  }

  private static func walk(from start: ReadingPlace) -> Element? {
    var transforms: [(Any) -> Any] = []
    var place = start
    while true {
      switch unsafe place.step(place.node, place.position) {
      case .source(let next):
        place = next
      case .transformed(let next, let transform):
        transforms.append(transform)
        place = next
      case .value(var value):
        while let transform = transforms.popLast() { value = transform(value) }
        return (value as! ReadValue<Element>).element
      }
    }
  }
}
