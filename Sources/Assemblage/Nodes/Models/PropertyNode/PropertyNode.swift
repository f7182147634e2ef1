/// A node whose children are the elements of a model object's array property, written both ways.
///
/// ```swift
/// final class Person { var friends = ["Al", "Bo"] }
/// let person = Person()
/// let friends = PropertyNode(person, \.friends)
/// friends.insert("Cy", at: 2)
/// person.friends                      // ["Al", "Bo", "Cy"]
/// person.friends.removeFirst()
/// friends.elements                    // ["Al", "Bo", "Cy"]: the node has not been told yet
/// friends.refresh()              // reports a removal at 0
/// friends.elements                    // ["Bo", "Cy"]
/// ```
///
/// An edit of the node sets the property. When the owner of the object has changed the property, it calls `refresh()`,
/// mostly in the property's `didSet`; the node then reports what differs, by id or by equality. For `@Observable` objects
/// `observeModel()` does that by itself. Until then the node shows what it last read, of which it holds a copy that shares
/// its memory with the property's array as long as neither is changed: so it is settled at all times.
///
/// `init(_:levels:)` and `init(_:repeating:)` make trees of objects, whose children are in turn held by array properties.
/// The nodes below are made when they are first asked for.
///
/// An edit sets the whole array once; what the property's setter makes of it is taken in. `didSet` may call
/// `refresh()`: during an edit of the node's own it does nothing. What the owner had changed without telling is taken in
/// before an edit, whose positions follow their elements; an element that the owner has taken out stays out.
///
/// A transaction that is rolled back and an `UndoLog` set the property to what it was, also where the owner's own change was
/// told with `refresh()`. An object that stands in several places has a node in each: an edit through one of them reaches
/// the others at the next `refresh()`. What the owner moved from one object's property to another's is told as removed and
/// inserted, because each property is compared with itself; `move(from:to:)` of the tree tells a move.
public final class PropertyNode<Element>: TreeNode, ReadableNode, DerivedNode, ElementUpdating {
  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  @usableFromInline let state: Cell<State>
  let access: PropertyAccess<Element>
  let functions: NodeReader<Element>.Functions
  /// Tells this node of changes of an observable model.
  var following: ModelFollowing?

  @usableFromInline
  init(value: Element?, _ access: PropertyAccess<Element>, _ functions: NodeReader<Element>.Functions) {
    state = Cell(State(value: value, elements: access.get()))
    self.access = access
    self.functions = functions
    hub.attach(to: self)
    hub.state.value.isContainer = true
  }

  deinit {
    following?.end()
    releaseSources()
    state.destroy()
  }

  func surrenderSources(to references: inout [any TreeNode]) {
    references += state.value.nodes.all
    state.value.nodes.removeAll()
  }

  /// What was last read, and the nodes that were made for some of it.
  @usableFromInline
  struct State: ElementsState {
    let value: Element?
    @usableFromInline var elements: [Element]
    var nodes = ChildNodes<PropertyNode>()
    /// Whether the node is setting the property.
    var isWriting = false
  }

  // MARK: Reading

  /// The object whose property holds the children, in a tree of objects; nil otherwise.
  public var value: Element? { state.value.value }

  @inlinable
  public var count: Int { state.value.count }

  @inlinable
  public func element(at position: Int) -> Element? { state.value.element(at: position) }

  /// The node of a child that has children of its own, made when it is first asked for; nil for a leaf, and where there is
  /// no such child.
  public func child(at position: Int) -> (any TreeNode<Element>)? { node(at: position) }

  /// See `child(at:)`.
  func node(at position: Int) -> PropertyNode? {
    guard let element = state.value.element(at: position) else { return nil }
    if let node = state.value.nodes[position] { return node }
    guard let access = access.below(element) else { return nil }
    let node = hub.refusingChanges { PropertyNode(value: element, access, functions) }
    hub.linkNew(node, slot: state.value.nodes.add(node, at: position))
    node.following = following?.relay.follow(node)
    return node
  }

  @_spi(NodeAuthors)
  @inlinable
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "PropertyNode")
    state.forEachSpan(in: range, body)
  }

  var reader: NodeReader<Element> { state.reader(functions) }

  func position(ofChildInSlot slot: Int) -> Int? { state.value.nodes.position(ofSlot: slot) }
}

@available(*, unavailable)
extension PropertyNode: Sendable {}
