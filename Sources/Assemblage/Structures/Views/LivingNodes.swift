/// A node that is not kept alive, by one that hears of its end.
struct LivingNode {
  /// The node; not to be read once it dies.
  unowned let node: AnyObject
  /// Tells the node from others when it dies: by then the reference can't be read.
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
/// It knows nothing of elements, and so hands out plain objects: a list of nodes of an element's would be looked up at run time
/// wherever it is used, which takes longer than to find a node in it.
struct LivingNodes<Key: Hashable> {
  private var members: [Key: LivingNode] = [:]

  var isEmpty: Bool { members.isEmpty }

  var count: Int { members.count }

  var keys: some Collection<Key> { members.keys }

  /// All nodes, in any order.
  var all: some Sequence<AnyObject> { members.values.lazy.map(\.node) }

  /// The living node of a key; setting it adds a node, or forgets one.
  subscript(key: Key) -> AnyObject? {
    get { members[key]?.node }
    set { members[key] = newValue.map(LivingNode.init) }
  }

  /// Forgets the node of a key that is about to die, unless another one is found there by now.
  mutating func forget(_ node: AnyObject, for key: Key) {
    if members[key]?.identity == ObjectIdentifier(node) { members[key] = nil }
  }
}
