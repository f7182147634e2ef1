/// A reference to a node that does not keep the node alive. Its holder is notified before the node dies.
struct LivingNode {
  /// The node; it must not be read once the node dies.
  unowned let node: AnyObject
  /// Identifies the node while it dies: the reference can't be read then.
  let identity: ObjectIdentifier

  init(_ node: AnyObject) {
    self.node = node
    identity = ObjectIdentifier(node)
  }
}

extension LivingNode: Hashable {
  static func == (first: LivingNode, second: LivingNode) -> Bool { first.identity == second.identity }

  func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

/// The nodes that were made for children, found again by a key for as long as they live.
///
/// None of them is kept alive: each removes itself before it dies, so the references are never used too late.
///
/// The list is not generic over the element, and so returns plain objects. With an element type, the type of the list
/// would be looked up at run time at each use. That takes longer than the search for a node in the list.
struct LivingNodes<Key: Hashable> {
  private var members: [Key: LivingNode] = [:]

  var isEmpty: Bool { members.isEmpty }

  var count: Int { members.count }

  var keys: some Collection<Key> { members.keys }

  /// All nodes, in any order.
  var all: some Sequence<AnyObject> { members.values.lazy.map(\.node) }

  /// The living node of a key. The setter adds a node, or forgets one.
  subscript(key: Key) -> AnyObject? {
    get { members[key]?.node }
    set { members[key] = newValue.map(LivingNode.init) }
  }

  /// Forgets the node of a key, which is about to die, unless the key has another node by now.
  mutating func forget(_ node: AnyObject, for key: Key) {
    if members[key]?.identity == ObjectIdentifier(node) { members[key] = nil }
  }
}
