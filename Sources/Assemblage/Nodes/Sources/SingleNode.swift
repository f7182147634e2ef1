/// A node with one child, or none.
///
/// ```swift
/// let status = SingleNode<String>()
/// status.count                // 0
/// status.content = "Offline"  // reports an insertion at 0
/// status.content = "Online"   // reports an update of 0
/// status.content = nil        // reports a removal of 0
/// ```
public final class SingleNode<Element>: TreeNode, ReadableNode, ElementUpdating {
  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  @usableFromInline let storage: Cell<State>
  private let functions: NodeReader<Element>.Functions

  /// Creates a node.
  ///
  /// - Parameter content: the child's value; nil for no child.
  @inlinable
  public convenience init(_ content: Element? = nil) {
    self.init(content, functions: .reading(State.self))
  }

  @usableFromInline
  init(_ content: Element?, functions: NodeReader<Element>.Functions) {
    storage = Cell(State(content: content))
    self.functions = functions
    hub.attach(to: self)
    hub.state.value.nesting = .none
  }

  deinit {
    hub.detach()
    storage.destroy()
  }

  /// The child's value, if there is a child.
  @usableFromInline
  struct State: NodeState, ~Copyable {
    @usableFromInline var content: Element?

    @inlinable
    var count: Int { content == nil ? 0 : 1 }

    @inlinable
    func element(at position: Int) -> Element? { position == 0 ? content : nil }

    @inlinable
    static func forEachSpan(
      in range: Range<Int>, of state: UnsafePointer<Self>, _ body: (_ start: Int, _ span: Span<Element>) -> Void
    ) {
      let content = unsafe state.pointee.content
      gatherSpans(in: range, body) { _ in content }
    }
  }

  /// The child's value, or nil if there is no child.
  ///
  /// Setting the value inserts, updates or removes the child. Setting nil on a node without a child does nothing.
  ///
  /// - Complexity: O(1), and the propagation if it is set.
  public var content: Element? {
    get { storage.value.content }
    set {
      let change: Delta
      switch (storage.value.content, newValue) {
      case (nil, nil): return
      case (nil, _): change = .insertion(0..<1)
      case (_, nil): change = .removal(0..<1)
      default: change = .update(0..<1)
      }
      hub.prepareForChange()
      let former = storage.value.content
      storage.value.content = newValue
      hub.publish(ChangeSet(change), inverse: { [self] in content = former })
      withExtendedLifetime(former) {}
    }
  }

  @inlinable
  public var count: Int { storage.value.count }

  @inlinable
  public func element(at position: Int) -> Element? { storage.value.element(at: position) }

  @_spi(NodeAuthors)
  @inlinable
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "SingleNode")
    storage.forEachSpan(in: range, body)
  }

  var reader: NodeReader<Element> { storage.reader(functions) }
}

@available(*, unavailable)
extension SingleNode: Sendable {}

extension SingleNode: WritableNode {
  public func allows(_ edit: ChildEdit, at position: Int) -> Bool {
    switch edit {
    case .insert: isEmpty && position == 0
    case .insertNode, .turnIntoBranch: false
    case .remove, .replace, .move: edit.isInRange(at: position, of: count)
    }
  }

  /// Inserts the child of the node.
  ///
  /// - Precondition: the node has no child yet, because it can hold only one.
  public func insert(_ element: Element, at position: Int) {
    checkInsertion(position, in: count, of: "SingleNode")
    require(isEmpty, "SingleNode: it has a child already and cannot hold a second one.")
    content = element
  }

  @discardableResult
  public func removeChild(at position: Int) -> TreeChild<Element> {
    guard position == 0, let former = content else { trapPosition(position, count, "SingleNode") }
    content = nil
    return .leaf(former)
  }

  public func replace(at position: Int, with element: Element) {
    checkPosition(position, in: count, of: "SingleNode")
    content = element
  }

  public func move(from position: Int, to destination: Int) {
    checkPosition(position, in: count, of: "SingleNode")
    checkPosition(destination, in: count, of: "SingleNode")
  }
}
