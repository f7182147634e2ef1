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
  @usableFromInline let translation: Cell<JoinTranslation>
  @usableFromInline let membersBySlot: Cell<ContiguousArray<Member?>>
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
    self.init(members, functions: .calling(JoinNode.self))
  }

  @usableFromInline
  init(_ members: [any TreeNode<Element>], functions: NodeReader<Element>.Functions) {
    translation = Cell(JoinTranslation(counts: members.lazy.map(\.count)))
    membersBySlot = Cell(ContiguousArray(members.lazy.map { Member($0) }))
    self.functions = functions
    hub.attach(to: self)
    for (slot, member) in members.enumerated() { hub.link(member, slot: slot) }
  }

  deinit {
    hub.unlinkAll()
    var references: [any TreeNode] = []
    surrenderSources(to: &references)
    release(&references)
    translation.destroy()
    membersBySlot.destroy()
  }

  @inlinable
  public var count: Int { total }

  @usableFromInline
  var total: Int { translation.value.offsets.total }

  @inlinable
  public func element(at position: Int) -> Element? {
    let (slot, offset) = place(of: position)
    guard slot >= 0, let member = membersBySlot.value[slot] else { return nil }
    return member.reader.element(at: offset)
  }

  /// The slot and local position of a global one; a negative slot where there is no such position.
  @usableFromInline
  func place(of position: Int) -> (slot: Int, offset: Int) {
    guard position >= 0, position < total else { return (-1, 0) }
    let (ordinal, offset) = translation.value.offsets.locate(position)
    return (translation.value.slot(at: ordinal), offset)
  }

  public func child(at position: Int) -> (any TreeNode<Element>)? {
    let (slot, offset) = place(of: position)
    return slot < 0 ? nil : membersBySlot.value[slot]?.node.child(at: offset)
  }

  @inlinable
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "JoinNode")
    forEachMember(in: range) { member, local, start in
      member.reader.forEachSpan(in: local) { body($0 &- local.lowerBound &+ start, $1) }
    }
  }

  /// Passes the members that share in a range, with the local range and the global position of its start.
  @usableFromInline
  func forEachMember(in range: Range<Int>, _ body: (_ member: Member, _ local: Range<Int>, _ start: Int) -> Void) {
    guard !range.isEmpty else { return }
    // Copies: should `body` change the members, this visit goes on with those it began with.
    let translation = translation.value
    let members = membersBySlot.value
    var (ordinal, offset) = translation.offsets.locate(range.lowerBound)
    var position = range.lowerBound
    while position < range.upperBound {
      let length = min(translation.offsets[ordinal] - offset, range.upperBound - position)
      if length > 0, let member = members[translation.slot(at: ordinal)] {
        body(member, offset..<offset + length, position)
      }
      position += length
      ordinal += 1
      offset = 0
    }
  }

  public var reader: NodeReader<Element> { NodeReader(self, functions) }

  public func translate(_ changes: consuming [SourceChange]) -> ChangeSet {
    translation.value.translate(consume changes)
  }

  public func surrenderSources(to references: inout [any TreeNode]) {
    for case .some(let member) in membersBySlot.value { references.append(member.node) }
    membersBySlot.value = []
  }
}

@available(*, unavailable)
extension JoinNode: Sendable {}

extension JoinNode: CustomStringConvertible {
  public var description: String { "JoinNode(\(count) children of \(memberCount) members)" }
}
