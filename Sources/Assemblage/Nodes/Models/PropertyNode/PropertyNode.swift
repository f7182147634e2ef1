/// A node whose children are the elements of a model object's array property, which edits of the node set.
///
/// ```swift
/// final class Person { var friends = ["Al", "Bo"] }
/// let person = Person()
/// let friends = PropertyNode(person, \.friends)
/// friends.insert("Cy", at: 2)
/// person.friends                      // ["Al", "Bo", "Cy"]
/// person.friends.removeFirst()
/// friends.elements                    // ["Al", "Bo", "Cy"]: the node has not read the property again yet
/// friends.refresh()              // reports a removal at 0
/// friends.elements                    // ["Bo", "Cy"]
/// ```
///
/// An edit of the node sets the property. After the owner of the object has changed the property, the owner calls
/// `refresh()`, mostly in the property's `didSet`. The node then reports the difference, by id or by equality. For
/// `@Observable` objects, `observeModel()` makes this call unnecessary. Until then, the node shows the elements that it
/// last read, so it is settled at all times. The node holds a copy of the array. The copy shares its memory with the
/// property's array until one of them changes.
///
/// `init(_:levels:)` and `init(_:repeating:)` make trees of objects, whose children are also held by array properties.
/// The nodes below the root are made when a caller first asks for them.
///
/// An edit sets the whole array once. If the property's setter changes the array, the node shows the result. `didSet`
/// may call `refresh()`: during an edit of the node, this call does nothing. The setter may let other nodes read the
/// property again, but it should not edit nodes: a rollback or an undo would revert such an edit twice. The owner may
/// have changed the property without a call of `refresh()`. Then an edit reports this change first, and its positions
/// follow their elements. If the owner has removed the element of an edit, the element stays removed.
///
/// A transaction that is rolled back and an `UndoLog` set the property to its former value. This includes the owner's
/// own changes that `refresh()` reported. An object that is in several places has a node in each: an edit through one
/// of the nodes reaches the others at the next `refresh()`. The owner may move an object from one property to another.
/// Then the nodes report a removal and an insertion, because each property is compared only with itself.
/// `move(from:to:)` of the tree reports a move, unless the setter of the new parent changes the array.
public final class PropertyNode<Element>: TreeNode, ReadableNode, DerivedNode, ElementUpdating {
  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  @usableFromInline let state: Cell<State>
  let access: PropertyAccess<Element>
  let functions: NodeReader<Element>.Functions
  /// Notifies this node of changes of an observable model.
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

  /// The elements that were last read, and the nodes that were made for some of them.
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

  /// The node of a child with children of its own, made when a caller first asks for it; nil for a leaf, or where there
  /// is no such child.
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
