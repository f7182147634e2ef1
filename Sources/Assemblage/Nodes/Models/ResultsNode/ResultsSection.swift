/// A section of a `ResultsNode`, and the node of its objects.
///
/// ```swift
/// let section = node.section(at: 0)
/// section.name         // the controller's name of the section
/// section.elements     // its objects
/// ```
public final class ResultsSection<Object>: TreeNode, ReadableNode {
  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  let storage: Cell<ChunkedArray<Object>>
  private let functions: NodeReader<Object>.Functions

  /// The section's name, which the controller returned after its last reported change.
  public internal(set) var name: String

  /// The section's position among the sections.
  var ordinal = 0

  /// The slot in which the results' node has linked the section.
  var slot = 0

  init(name: String, _ objects: [Object]) {
    self.name = name
    storage = Cell(ChunkedArray(objects))
    functions = .reading(ChunkedArray<Object>.self)
    hub.attach(to: self)
    hub.state.value.nesting = .none
  }

  deinit {
    hub.detach()
    storage.destroy()
  }

  public var count: Int { storage.value.count }

  public func element(at position: Int) -> Object? { storage.value.element(at: position) }

  @_spi(NodeAuthors)
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Object>) -> Void) {
    checkRange(range, in: count, of: "ResultsSection")
    storage.forEachSpan(in: range, body)
  }

  var reader: NodeReader<Object> { storage.reader(functions) }

  /// Makes a change, and reports it.
  ///
  /// - Parameters:
  ///   - change: the change.
  ///   - object: returns the inserted and updated objects, by their positions after the change.
  /// - Complexity: O(c · log n + k) for c ranges with k objects that arrived, moved or were updated, and the
  ///   propagation.
  func apply(_ change: ChangeSet, _ object: (Int) -> Object) {
    let delta = change.level
    guard !delta.isEmpty else { return }
    // Objects are read before anything changes, because reading them runs a user's code.
    let inserted = delta.insertions.map { $0.map(object) }
    let updated = delta.updates.map { range in (range.lowerBound, range.map(object)) }
    var inserting = inserted.makeIterator()
    var former: [[Object]] = []
    delta.rearrange(
      carrying: { storage.value.elements(in: $0) },
      lifting: { range in
        former.append(storage.value.elements(in: range))
        storage.value.replaceSubrange(range, with: EmptyCollection())
      },
      putting: { range, moved in
        storage.value.replaceSubrange(range.lowerBound..<range.lowerBound, with: moved ?? inserting.next()!)
      })
    for (position, objects) in updated {
      let range = position..<position + objects.count
      former.append(storage.value.elements(in: range))
      storage.value.replaceSubrange(range, with: objects)
    }
    hub.publish(change)
    // Released last, because an object may use this node while it is released.
    withExtendedLifetime(former) {}
  }
}

@available(*, unavailable)
extension ResultsSection: Sendable {}
