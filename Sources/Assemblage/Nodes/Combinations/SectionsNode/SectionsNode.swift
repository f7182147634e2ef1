/// The sections of a tree, wherever they are, as one list of sections.
///
/// ```swift
/// let fruit = BranchNode(value: "fruit", leaves: ["apple", "pear"])
/// let drinks = BranchNode([BranchNode(value: "hot", leaves: ["tea"]), BranchNode(value: "cold", leaves: ["milk"])])
/// let sections = SectionsNode(BranchNode<String>([fruit, drinks]))
/// sections.elements                  // ["fruit", "hot", "cold"]
/// sections[[1, 0]]                   // "tea"
/// sections.child(at: 0) === fruit    // true
/// sections.path(ofSection: 2)        // [1, 1]
/// drinks.remove(at: 0)               // sections reports a removal at 1
/// fruit.append(.leaf("fig"))         // sections reports an insertion at [0, 2]
/// ```
///
/// A section is a node whose children are leaves. The children of the list are these nodes themselves, each with its
/// own value, header and footer. A node with a node among its children only groups sections, and its own value is not
/// shown. A leaf beside nodes is a child of the list without children. The root is never a section.
///
/// A node may become a section, or cease to be one, when children arrive and leave. A node without children is a
/// section without rows. But a `BranchNode` with a `rule` that accepts no leaves never is a section, also while it is
/// empty.
///
/// A section that moves in the tree is reported as a move, also if it moves to another parent and depth. So is a row
/// that moves from one section to another.
///
/// A `SectionedListCoordinator` shows such a list. A `FlattenNode` shows the rows of all sections.
public final class SectionsNode<Element>: TreeNode, ReadableNode, DerivedNode {
  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  let state: NodeCell<State>
  private let functions: NodeReader<Element>.Functions

  /// Creates the list of a tree's sections.
  ///
  /// - Parameter root: the tree; it is kept alive.
  /// - Complexity: O(n) for the n children of all nodes that are no sections. A section takes O(1) if its kind of node
  ///   knows that its children are leaves, otherwise O(r) for its r rows.
  public init(_ root: any TreeNode<Element>) {
    let found = root.hub.refusingChanges { Self.sections(of: root) { node, _ in Self.isSection(node) } }
    state = NodeCell(State(places: found.places, parents: found.parents), of: port)
    functions = .reading(State.self)
    hub.attach(to: self)
    hub.listenToNestedChanges()
    hub.link(root, slot: 0)
  }

  deinit {
    releaseSources()
    state.destroy()
  }

  func surrenderSources(to references: inout [any TreeNode]) {
    let cell = state.cell
    for parent in cell.value.parents { references.append(parent.node) }
    cell.value.parents = []
  }

  /// A node that is no section: the root, or a node with nodes among its children.
  struct Parent {
    let node: any TreeNode<Element>
    let reader: NodeReader<Element>

    init(_ node: any TreeNode<Element>) {
      self.node = node
      reader = node.reader.below(depthOfMembers)
    }
  }

  /// The sections, and the nodes that hold them, by number.
  struct State: NodeState, ~Copyable {
    var places: SectionPlaces
    /// The first is the root.
    var parents: [Parent]

    var count: Int { places.items.count }

    func element(at position: Int) -> Element? {
      origin(of: position).flatMap { $0.reader.element(at: $0.position) }
    }

    func origin(of position: Int) -> (reader: NodeReader<Element>, position: Int)? {
      guard position >= 0, position < count else { return nil }
      let item = places.items[position]
      return (parents[item.parent].reader, item.position)
    }

    var depth: Int { depthOfMembers }

    static func forEachSpan(
      in range: Range<Int>, of state: UnsafePointer<Self>, _ body: (_ start: Int, _ span: Span<Element>) -> Void
    ) {
      let (items, parents) = unsafe (state.pointee.places.items, state.pointee.parents)
      gatherSpans(in: range, body) { parents[items[$0].parent].reader.element(at: items[$0].position) }
    }
  }

  // MARK: Reading

  /// The tree whose sections are shown.
  public var root: any TreeNode<Element> { state.value.parents[0].node }

  public var value: Element? { root.value }

  /// The number of sections.
  public var count: Int { state.value.count }

  /// The value of a section's own node.
  public func element(at position: Int) -> Element? { state.value.element(at: position) }

  /// The section's own node.
  public func child(at position: Int) -> (any TreeNode<Element>)? {
    guard position >= 0, position < count else { return nil }
    let item = state.value.places.items[position]
    // Without the question, a call does not go down through many views.
    return item.isLeaf ? nil : state.value.parents[item.parent].node.child(at: item.position)
  }

  @_spi(NodeAuthors)
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "SectionsNode")
    state.forEachSpan(in: range, body)
  }

  var reader: NodeReader<Element> { state.reader(functions) }

  // MARK: Finding sections

  /// Whether a node is a section.
  static func isSection(_ node: any TreeNode<Element>) -> Bool {
    let count = node.count
    if count == 0, let branch = node as? BranchNode<Element>, let rule = branch.rule { return rule.allows(.insert) }
    return hasOnlyLeaves(node, [0..<count])
  }

  /// Whether all children of a node in some ranges are leaves.
  static func hasOnlyLeaves(_ node: any TreeNode<Element>, _ ranges: [Range<Int>]) -> Bool {
    node.hub.hasOnlyLeavesNow(sparing: ranges.reduce(0) { $0 + $1.count })
      || ranges.joined().allSatisfy { node.child(at: $0) == nil }
  }

  /// Finds the sections of a tree.
  ///
  /// - Parameters:
  ///   - root: the root of the tree.
  ///   - isSection: whether a node is a section; its path costs O(d) at depth d.
  /// - Returns: the sections, and the nodes on the way to them.
  static func sections(
    of root: any TreeNode<Element>, where isSection: (_ node: any TreeNode<Element>, _ path: () -> [Int]) -> Bool
  ) -> (places: SectionPlaces, parents: [Parent]) {
    var places = SectionPlaces()
    var parents = [Parent(root)]
    var open = [(parent: 0, next: 0, count: root.count)]
    while let (parent, next, count) = open.popLast() {
      for position in next..<count {
        let child = parents[parent].node.child(at: position)
        if let child, !isSection(child, { places.path(of: position, in: parent) }) {
          open.append((parent, position + 1, count))
          open.append((places.appendNode(at: position, of: parent), 0, child.count))
          parents.append(Parent(child))
          break
        }
        places.appendItem(at: position, of: parent, isLeaf: child == nil)
      }
    }
    return (places, parents)
  }
}

@available(*, unavailable)
extension SectionsNode: Sendable {}
