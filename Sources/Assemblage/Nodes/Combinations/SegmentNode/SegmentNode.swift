/// A node that shows the children of one of its members, or of none.
///
/// ```swift
/// let songs = ArrayNode(["Song 2", "Yesterday"])
/// let albums = ArrayNode(["Help!"])
/// let library = SegmentNode([songs, albums], selection: 0)
/// library.elements            // ["Song 2", "Yesterday"]
/// library.selection = 1       // library reports a removal of 0..<2 and an insertion of 0..<1
/// library.removeMember(at: 0) // reports nothing: albums are still shown
/// library.selection           // 0
/// ```
///
/// `selection` follows its member when other members are inserted, removed or moved, so that the same member stays
/// shown. When another member is shown, observers receive the removal of all children and the insertion of all new
/// ones. Where both members are the same node, they receive nothing. Changes of hidden members are not reported. The
/// node has no value of its own.
public final class SegmentNode<Element>: TreeNode, ReadableNode, DerivedNode {
  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  /// Which member is shown when the first member arrives, and when the shown member leaves.
  let policy: SegmentPolicy
  @usableFromInline let state: NodeCell<State>
  @usableFromInline let functions: NodeReader<Element>.Functions

  /// Creates a segment node.
  ///
  /// - Parameters:
  ///   - members: the members in order; the list may be empty, and may hold the same node several times.
  ///   - selection: the member to show, `0..<members.count`; nil for none.
  ///   - policy: which member is shown later, when the first member arrives and when the shown member leaves; by
  ///     default none.
  /// - Complexity: O(m) for m members.
  @inlinable
  public convenience init(
    _ members: [any TreeNode<Element>] = [], selection: Int? = nil, policy: SegmentPolicy = SegmentPolicy()
  ) {
    self.init(members, selection, policy, functions: .reading(State.self))
  }

  @usableFromInline
  init(
    _ members: [any TreeNode<Element>], _ selection: Int?, _ policy: SegmentPolicy,
    functions: NodeReader<Element>.Functions
  ) {
    if let selection { checkPosition(selection, in: members.count, of: "SegmentNode's members") }
    state = NodeCell(
      State(
        translation: SegmentTranslation(memberCount: members.count), members: SlotTable(members),
        depth: members.reduce(depthOfMembers) { Swift.max($0, $1.reader.depth + 1) }), of: port)
    self.functions = functions
    self.policy = policy
    hub.attach(to: self)
    for (slot, member) in members.enumerated() { hub.link(member, slot: slot) }
    if let selection { _ = state.cell.value.show(selection) }
  }

  deinit {
    releaseSources()
    state.destroy()
  }

  func surrenderSources(to references: inout [any TreeNode]) {
    let cell = state.cell
    for member in cell.value.members.removeAll() { references.append(member) }
    if let member = cell.value.shown { references.append(member) }
    cell.value.shown = nil
  }

  /// The shown member, its reader, and by slot all members.
  @usableFromInline
  struct State: NodeState, ~Copyable {
    @usableFromInline var translation: SegmentTranslation
    @usableFromInline var reader: NodeReader<Element>?
    @usableFromInline var shown: (any TreeNode<Element>)?
    var members: SlotTable<any TreeNode<Element>>
    /// The greatest number of nodes through which a call goes, this node included.
    @usableFromInline let depth: Int

    /// Shows the member in a slot, or none.
    mutating func show(_ slot: Int?) -> Delta {
      let member = slot.flatMap { members[$0] }
      if let slot, let member, let shown, member === shown {
        translation.showSame(slot)
        return Delta()
      }
      shown = member
      reader = member?.reader.below(depth)
      return translation.show(slot, count: member?.count ?? 0)
    }

    @inlinable
    var count: Int { translation.count }

    @inlinable
    func element(at position: Int) -> Element? { reader?.element(at: position) }

    @inlinable
    func origin(of position: Int) -> (reader: NodeReader<Element>, position: Int)? {
      reader.map { ($0, position) }
    }

    @inlinable
    static func forEachSpan(
      in range: Range<Int>, of state: UnsafePointer<Self>, _ body: (_ start: Int, _ span: Span<Element>) -> Void
    ) {
      let (reader, shown) = unsafe (state.pointee.reader, state.pointee.shown)
      withExtendedLifetime(shown) { reader?.forEachSpan(in: range, body) }
    }
  }

  // MARK: Reading

  @inlinable
  public var count: Int { state.value.count }

  @inlinable
  public func element(at position: Int) -> Element? { state.value.element(at: position) }

  public func child(at position: Int) -> (any TreeNode<Element>)? { state.value.shown?.child(at: position) }

  @_spi(NodeAuthors)
  @inlinable
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "SegmentNode")
    state.forEachSpan(in: range, body)
  }

  var reader: NodeReader<Element> { state.reader(functions) }

  func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    state.value.translation.translate(changes)
  }
}

@available(*, unavailable)
extension SegmentNode: Sendable {}
