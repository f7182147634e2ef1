import OffsetIndexing

/// A node that shows the children of its members, one member after the other, as one index space.
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
/// Members can be any nodes, joins and filters among them, and the same node may be a member several times. They can
/// be inserted, removed, replaced and moved at any time. The join keeps its members alive.
public final class JoinNode<Element>: DerivedNode {
  public let hub = NodeHub()
  @usableFromInline let state: Cell<State>
  @usableFromInline let functions: NodeReader<Element>.Functions

  /// A member, with what reads it.
  @usableFromInline
  struct Member {
    @usableFromInline let node: any TreeNode<Element>
    @usableFromInline let reader: NodeReader<Element>

    @usableFromInline
    init(_ node: any TreeNode<Element>) {
      self.node = node
      reader = node.reader
    }
  }

  /// Creates a join.
  ///
  /// - Parameter members: the members in order; may be empty, and hold the same node several times.
  /// - Complexity: O(m) for m members.
  @inlinable
  public convenience init(_ members: [any TreeNode<Element>] = []) {
    self.init(members, functions: .reading(State.self))
  }

  @usableFromInline
  init(_ members: [any TreeNode<Element>], functions: NodeReader<Element>.Functions) {
    state = Cell(
      State(
        translation: JoinTranslation(counts: members.lazy.map(\.count)),
        members: ContiguousArray(members.lazy.map { Member($0) })))
    self.functions = functions
    hub.attach(to: self)
    for (slot, member) in members.enumerated() { hub.link(member, slot: slot) }
  }

  deinit {
    hub.detach()
    var references: [any TreeNode] = []
    surrenderSources(to: &references)
    release(&references)
    state.destroy()
  }

  public func surrenderSources(to references: inout [any TreeNode]) {
    for case .some(let member) in state.value.members { references.append(member.node) }
    state.value.members = []
  }

  /// Where the members' children stand, and the members by slot.
  @usableFromInline
  struct State: NodeState {
    @usableFromInline var translation: JoinTranslation
    @usableFromInline var members: ContiguousArray<Member?>

    @usableFromInline
    init(translation: JoinTranslation, members: ContiguousArray<Member?>) {
      self.translation = translation
      self.members = members
    }

    @inlinable
    var count: Int { translation.count }

    @inlinable
    func element(at position: Int) -> Element? {
      let (slot, offset) = translation.place(of: position)
      guard slot >= 0, let reader = members[slot]?.reader else { return nil }
      return reader.element(at: offset)
    }

    @inlinable
    func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
      // Copies: should `body` change the members, this visit goes on with those it began with.
      let translation = translation
      let members = members
      translation.forEachMember(in: range) { slot, local, start in
        guard let member = members[slot] else { return }
        member.reader.forEachSpan(in: local) { body($0 &- local.lowerBound &+ start, $1) }
      }
    }
  }

  // MARK: Reading

  @inlinable
  public var count: Int { state.value.count }

  @inlinable
  public func element(at position: Int) -> Element? { state.value.element(at: position) }

  public func child(at position: Int) -> (any TreeNode<Element>)? {
    let (slot, offset) = state.value.translation.place(of: position)
    return slot < 0 ? nil : state.value.members[slot]?.node.child(at: offset)
  }

  @inlinable
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "JoinNode")
    state.value.forEachSpan(in: range, body)
  }

  public var reader: NodeReader<Element> { state.reader(functions) }

  public func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    state.value.translation.translate(consume changes)
  }
}

@available(*, unavailable)
extension JoinNode: Sendable {}

extension JoinNode: CustomStringConvertible {
  public var description: String { "JoinNode(\(count) children of \(memberCount) members)" }
}
