/// The rows of all sections of a tree, one section after the other, as one flat list.
///
/// ```swift
/// let fruit = BranchNode(value: "fruit", leaves: ["apple", "pear"])
/// let food = BranchNode([.node(fruit), .leaf("bread")])
/// let flat = FlattenNode(food)
/// flat.elements               // ["apple", "pear", "bread"]
/// flat.locate(1)              // (member: 0, position: 1)
/// food.append(BranchNode(leaves: ["milk"]))     // flat reports an insertion at 3
/// food.move(from: 0, to: 2)   // flat reports a move
/// ```
///
/// A flat list is a join whose members are the children of one node. It shows the members' children, and follows when
/// members arrive, leave and move in that node. A child that is a leaf is one row. The members' own values are not
/// shown. The node has the value of its source.
///
/// Of a deeper tree, the node shows one level: elements below the children's children stay below the rows.
/// `FlattenNode(_:levels:)` removes several levels. A `DescendantsNode` shows all elements of a tree, or all its
/// leaves, at any depth.
///
/// A row that moves from one member to another is reported as a move. The same holds for the rows of a member that
/// moves to another parent below the source. For example, a member may move from one branch of a join to another. When
/// a row becomes a member, the row is removed, and its children stay. When a member becomes a row, the row is inserted.
public final class FlattenNode<Element>: TreeNode, ReadableNode, DerivedNode {
  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  @usableFromInline let state: NodeCell<State>
  @usableFromInline let functions: NodeReader<Element>.Functions

  /// Creates the flat list of a node's children's children, or of the rows below several levels of nodes.
  ///
  /// ```swift
  /// let pages = BranchNode([BranchNode(leaves: [1, 2]), BranchNode(leaves: [3])])
  /// let library = BranchNode([.node(pages), .leaf(4), .node(BranchNode(leaves: [5]))])
  /// FlattenNode(library, levels: 2).elements       // [1, 2, 3, 4, 5]
  /// ```
  ///
  /// Several levels are like a flat list of a flat list: leaves at a higher level are rows too. Then the property
  /// `source` is the flat list with one level less, and its children are the members.
  ///
  /// - Parameters:
  ///   - source: the node to flatten; it is kept alive.
  ///   - levels: the number of levels to remove, at least 1.
  /// - Precondition: `levels` is at least 1.
  /// - Complexity: O(m) for m members at all these levels. A look-up takes O(log m) for each level.
  @inlinable
  public convenience init(_ source: any TreeNode<Element>, levels: Int = 1) {
    require(levels > 0, "FlattenNode: it takes at least 1 level away, not \(levels).")
    let functions = NodeReader<Element>.Functions.reading(State.self)
    var source = source
    for _ in 1..<levels { source = FlattenNode(source, functions: functions) }
    self.init(source, functions: functions)
  }

  @usableFromInline
  init(_ source: any TreeNode<Element>, functions: NodeReader<Element>.Functions) {
    let members = (0..<source.count).map { Member(source.child(at: $0)) }
    state = NodeCell(State(members, of: source), of: port)
    self.functions = functions
    hub.attach(to: self)
    // Changes among the children's children are changes of this node's own contents.
    hub.listenToNestedChanges()
    hub.link(source, slot: 0)
  }

  deinit {
    releaseSources()
    state.destroy()
  }

  func surrenderSources(to references: inout [any TreeNode]) {
    let cell = state.cell
    for member in cell.value.members.removeAll() {
      if let node = member.node { references.append(node) }
    }
    if let source = cell.value.source { references.append(source) }
    cell.value.source = nil
  }

  /// A child of the source: the node and its reader, or neither for a leaf.
  @usableFromInline
  struct Member {
    @usableFromInline let node: (any TreeNode<Element>)?
    @usableFromInline let reader: NodeReader<Element>?

    init(_ node: (any TreeNode<Element>)?) { self.init(node, node?.reader) }

    private init(_ node: (any TreeNode<Element>)?, _ reader: NodeReader<Element>?) {
      self.node = node
      self.reader = reader
    }

    /// The same member, for a call through less than `limit` nodes.
    func below(_ limit: Int) -> Member { Member(node, reader?.below(limit)) }

    var depth: Int { reader?.depth ?? 0 }

    /// The same child, as the translation needs it.
    var child: FlattenTranslation.Child { FlattenTranslation.Child(count: node?.count ?? 1, isLeaf: node == nil) }
  }

  /// The places of the rows and, by slot, the members.
  @usableFromInline
  struct State: NodeState, ~Copyable {
    @usableFromInline var translation: FlattenTranslation
    @usableFromInline var members: SlotTable<Member>
    @usableFromInline var source: (any TreeNode<Element>)?
    @usableFromInline let reader: NodeReader<Element>
    /// The greatest number of nodes through which a call goes, this node included.
    @usableFromInline let depth: Int

    init(_ members: [Member], of source: any TreeNode<Element>) {
      translation = FlattenTranslation(members.map { $0.child })
      self.members = SlotTable(members)
      self.source = source
      reader = source.reader
      depth = members.reduce(Swift.max(depthOfMembers, reader.depth + 1)) { Swift.max($0, $1.depth + 1) }
    }

    mutating func insert(_ member: Member, at slot: Int) {
      members.insert(member.below(depth), at: slot)
    }

    @inlinable
    var count: Int { translation.count }

    @inlinable
    func element(at position: Int) -> Element? {
      let (slot, offset) = translation.members.place(of: position)
      guard slot >= 0 else { return nil }
      if let reader = members[slot]?.reader { return reader.element(at: offset) }
      return reader.element(at: translation.ordinal(ofSlot: slot))
    }

    @inlinable
    func origin(of position: Int) -> (reader: NodeReader<Element>, position: Int)? {
      let (slot, offset) = translation.members.place(of: position)
      guard slot >= 0 else { return nil }
      if let reader = members[slot]?.reader { return (reader, offset) }
      return (reader, translation.ordinal(ofSlot: slot))
    }

    @inlinable
    static func forEachSpan(
      in range: Range<Int>, of state: UnsafePointer<Self>, _ body: (_ start: Int, _ span: Span<Element>) -> Void
    ) {
      let (translation, members) = unsafe (state.pointee.translation, state.pointee.members)
      let (source, reader) = unsafe (state.pointee.source, state.pointee.reader)
      withExtendedLifetime((members, source)) {
        translation.members.forEachMember(in: range) { slot, local, start in
          if let reader = members[slot]?.reader {
            reader.forEachSpan(in: local) { body($0 &- local.lowerBound &+ start, $1) }
          } else {
            let ordinal = translation.ordinal(ofSlot: slot)
            reader.forEachSpan(in: ordinal..<ordinal + 1) { _, span in body(start, span) }
          }
        }
      }
    }
  }

  // MARK: Reading

  /// The node whose children are the members.
  public var source: any TreeNode<Element> { state.value.source! }

  public var value: Element? { source.value }

  @inlinable
  public var count: Int { state.value.count }

  @inlinable
  public func element(at position: Int) -> Element? { state.value.element(at: position) }

  public func child(at position: Int) -> (any TreeNode<Element>)? {
    let (slot, offset) = state.value.translation.members.place(of: position)
    return slot < 0 ? nil : state.value.members[slot]?.node?.child(at: offset)
  }

  @_spi(NodeAuthors)
  @inlinable
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "FlattenNode")
    state.forEachSpan(in: range, body)
  }

  var reader: NodeReader<Element> { state.reader(functions) }

  func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    var change = changes.takeOnlyChange(of: self)
    if !hub.isObserved { change.crossings = [] }
    // The source is asked for all children that the translation needs, before anything changes.
    var present: [Int: Member] = [:]
    for ordinal in change.concernedChildren { present[ordinal] = Member(source.child(at: ordinal)) }
    // Members are released at the end, because a release may run code of the elements.
    var released: [Member] = []
    var settling: (freed: [Int], placed: [(slot: Int, ordinal: Int)]) = ([], [])
    let result = state.value.translation.translate(
      change, after: { present[$0]!.child }, settle: { settling = ($0, $1) })
    for slot in settling.freed { state.value.take(slot, &released) }
    for (slot, ordinal) in settling.placed {
      state.value.take(slot, &released)
      state.value.insert(present[ordinal]!, at: slot)
    }
    withExtendedLifetime(released) {}
    return result
  }
}

extension FlattenNode.State {
  /// Empties a slot, where it holds a member.
  fileprivate mutating func take(_ slot: Int, _ released: inout [FlattenNode.Member]) {
    guard slot < members.capacity, let member = members[slot] else { return }
    released.append(member)
    members.remove(at: slot)
  }
}

extension ChangeSet {
  /// The positions, after the change, of children that arrived, moved, were updated or changed inside.
  fileprivate var concernedChildren: Set<Int> {
    if delta.isEmpty && crossings.isEmpty && children.count == 1 { return [] }
    var concerned = Set(children.map(\.position))
    for ranges in [Array(delta.insertions), Array(delta.updates), delta.moves.map(\.destination)] {
      concerned.formUnion(ranges.joined())
    }
    return concerned
  }
}

@available(*, unavailable)
extension FlattenNode: Sendable {}
