import OffsetIndexing

/// A node that shows the children of all its members as one index space, one member after the other.
///
/// ```swift
/// let family = ArrayNode(["Dad", "Mum"])
/// let friends = ArrayNode(["Best mate"])
/// let everyone = JoinNode([family, friends])
/// everyone.elements                   // ["Dad", "Mum", "Best mate"]
/// everyone.locate(2)                  // (member: 1, position: 0)
/// friends.append("Bo")                // everyone reports one insertion at 3
/// everyone.insert("Aunt", at: [2])    // goes to family: a boundary belongs to the earlier member
/// ```
///
/// Any nodes can be members, joins and filters included. The same node may be a member several times. Members can be
/// inserted, removed, replaced and moved at any time. The join keeps its members alive.
public final class JoinNode<Element>: TreeNode, ReadableNode, DerivedNode {
  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  @usableFromInline let state: NodeCell<State>
  @usableFromInline let functions: NodeReader<Element>.Functions

  /// Creates a join.
  ///
  /// - Parameter members: the members in order; the list may be empty, and may hold the same node several times.
  /// - Complexity: O(m) for m members.
  // A list of nodes of one type matches both initializers, and the compiler prefers neither of them without this
  // attribute.
  @_disfavoredOverload
  @inlinable
  public convenience init(_ members: [any TreeNode<Element>] = []) {
    self.init(members, functions: .reading(State.self))
  }

  /// Creates a join of nodes of one type, where no node needs a cast.
  ///
  /// - Parameter members: the members in order; the list may be empty, and may hold the same node several times.
  /// - Complexity: O(m) for m members.
  @inlinable
  public convenience init<Member: TreeNode<Element>>(_ members: [Member]) {
    self.init(members.map { $0 as any TreeNode<Element> }, functions: .reading(State.self))
  }

  @usableFromInline
  init(_ members: [any TreeNode<Element>], functions: NodeReader<Element>.Functions) {
    state = NodeCell(State(members), of: port)
    self.functions = functions
    // `element(at:in:)` relies on the translation being the first property.
    let cell = state.cell
    assert(unsafe withUnsafePointer(to: &cell.value.translation) { unsafe UnsafeRawPointer($0) == cell.place })
    hub.attach(to: self)
    hub.state.value.nesting = .ofSources
    hub.linkFirst(members.map { $0.hub })
  }

  deinit {
    releaseSources()
    state.destroy()
  }

  func surrenderSources(to references: inout [any TreeNode]) {
    for member in state.cell.value.members.removeAll() { references.append(member) }
  }

  /// The positions of the members' children and, by slot, the members and their readers.
  ///
  /// The readers have a table of their own, so that a look-up does not retain a member.
  @usableFromInline
  struct State: NodeState, ~Copyable {
    @usableFromInline var translation: JoinTranslation
    @usableFromInline var readers: SlotTable<NodeReader<Element>>
    @usableFromInline var members: SlotTable<any TreeNode<Element>>
    /// The greatest number of nodes through which a call goes, this node included.
    @usableFromInline let depth: Int

    init(_ members: [any TreeNode<Element>]) {
      var readers: [NodeReader<Element>] = []
      var counts: [Int] = []
      readers.reserveCapacity(members.count)
      counts.reserveCapacity(members.count)
      var depth = depthOfMembers
      for member in members {
        let reader = member.reader
        depth = Swift.max(depth, reader.depth + 1)
        readers.append(reader)
        counts.append(member.count)
      }
      self.depth = depth
      translation = JoinTranslation(counts: counts)
      self.members = SlotTable(members)
      self.readers = SlotTable(readers)
    }

    /// Puts a member in a slot.
    mutating func insert(_ member: any TreeNode<Element>, at slot: Int) {
      members.insert(member, at: slot)
      readers.insert(member.reader.below(depth), at: slot)
    }

    /// Takes the member out of a slot.
    mutating func remove(at slot: Int) -> any TreeNode<Element> {
      let member = members[slot]!
      members.remove(at: slot)
      readers.remove(at: slot)
      return member
    }

    @inlinable
    var count: Int { translation.count }

    @inlinable
    func element(at position: Int) -> Element? {
      let (slot, offset) = translation.place(of: position)
      guard slot >= 0 else { return nil }
      return readers[slot]?.element(at: offset)
    }

    /// `element(at:)` in place: neither the translation nor the members are retained.
    @inlinable
    static func element(at position: Int, in place: UnsafeRawPointer) -> Element? {
      let state = unsafe place.assumingMemoryBound(to: State.self)
      // The translation is the first property, so the translation has the same address as the state.
      let (slot, offset) = unsafe JoinTranslation.place(
        of: position, in: place.assumingMemoryBound(to: JoinTranslation.self))
      guard slot >= 0 else { return nil }
      return unsafe state.pointee.readers[slot]?.element(at: offset)
    }

    /// Leads all children of one member in one piece.
    @inlinable
    static func step(from block: inout ReadingBlock, of state: UnsafePointer<Self>) -> ReadingStep {
      guard let (slot, positions) = unsafe state.pointee.translation.member(at: block[0]),
        let reader = unsafe state.pointee.readers[slot]
      else {
        block.count = 1
        return .values(ReadValues<Element>([nil]))
      }
      block.replacePrefix { positions.contains($0) ? $0 &- positions.lowerBound : nil }
      return .source(reader.walkingPlace)
    }

    @inlinable
    static func forEachSpan(
      in range: Range<Int>, of state: UnsafePointer<Self>, _ body: (_ start: Int, _ span: Span<Element>) -> Void
    ) {
      let (readers, members) = unsafe (state.pointee.readers, state.pointee.members)
      let translation = unsafe state.pointee.translation
      withExtendedLifetime(members) {
        translation.forEachMember(in: range) { slot, local, start in
          readers[slot]?.forEachSpan(in: local) { body($0 &- local.lowerBound &+ start, $1) }
        }
      }
    }
  }

  // MARK: Reading

  @inlinable
  public var count: Int { state.value.count }

  @inlinable
  public func element(at position: Int) -> Element? { unsafe State.element(at: position, in: state.place) }

  public func child(at position: Int) -> (any TreeNode<Element>)? {
    let (slot, offset) = state.value.translation.place(of: position)
    return slot < 0 ? nil : state.value.members[slot]?.child(at: offset)
  }

  @_spi(NodeAuthors)
  @inlinable
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "JoinNode")
    state.forEachSpan(in: range, body)
  }

  var reader: NodeReader<Element> { state.reader(functions) }

  func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    state.value.translation.translate(consume changes)
  }
}

@available(*, unavailable)
extension JoinNode: Sendable {}

extension JoinNode: SharingNode {
  func sharedSlices(of range: Range<Int>) -> [ArraySlice<Element>]? {
    var slices: [ArraySlice<Element>]? = []
    state.value.translation.forEachMember(in: range) { slot, local, _ in
      guard slices != nil else { return }
      guard let member = state.value.members[slot] as? any SharingNode<Element>,
        let shared = member.sharedSlices(of: local)
      else { return slices = nil }
      slices?.append(contentsOf: shared)
    }
    return slices
  }
}
