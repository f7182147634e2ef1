import OffsetIndexing

/// A node of this library whose snapshot shares the storage of the node.
///
/// The node only names its parts; `SnapshotTaking` takes the snapshot of them.
protocol SnapshotSharing<Element>: TreeNode {
  /// The parts that make up the node.
  ///
  /// - Complexity: O(1), except for nodes with many members.
  var snapshotParts: SnapshotParts<Element> { get }
}

/// The parts of a node that its snapshot shares.
enum SnapshotParts<Element> {
  /// The node's own contents; all children are leaves.
  case whole(SnapshotContents<Element>)
  /// A branch of a forest, and the chunked array with the forest's elements.
  case tree(SnapshotShape, ChunkedArray<Element>)
  /// Exactly the children of another node.
  case same(any TreeNode<Element>)
  /// Children of another node, chosen and ordered by a mapping.
  case view(SnapshotMapping, any TreeNode<Element>)
  /// The children of several members, with the offset at which each member begins.
  case join(OffsetIndex, [SnapshotParts])
}

/// Takes the storage that a node shares with its snapshot.
///
/// The work is a loop, because nodes may be stacked to any depth. A node that several other nodes show is taken once.
struct SnapshotTaking<Element> {
  /// The storage that can be shared.
  enum Result {
    case list(SnapshotContents<Element>)
    case tree(SnapshotShape, SnapshotContents<Element>)
  }

  private enum Step {
    case visit(any TreeNode<Element>)
    case take(SnapshotParts<Element>, of: ObjectIdentifier)
    /// Lays a view over the contents that were taken last.
    case lay(SnapshotMapping, sources: Int, of: ObjectIdentifier)
  }

  private var open: [Step] = []
  private var done: [SnapshotContents<Element>] = []
  /// The nodes that are done.
  private var known: [ObjectIdentifier: SnapshotContents<Element>] = [:]

  init() {}

  /// Takes the contents of a node.
  ///
  /// - Parameter node: the node; it is only read.
  /// - Returns: a list of leaves, or a forest; nil where the node must be copied place by place.
  mutating func take(_ node: any TreeNode<Element>) -> Result? {
    open.append(.visit(node))
    while let step = open.popLast() {
      switch step {
      case .visit(let node):
        let identity = ObjectIdentifier(node)
        if let contents = known[identity] {
          done.append(contents)
        } else if let sharing = node as? any SnapshotSharing {
          open.append(.take(parts(of: sharing), of: identity))
        } else if (0..<node.count).allSatisfy({ node.child(at: $0) == nil }) {
          finish(SnapshotContents(copying: node), identity)
        } else {
          return nil
        }
      case .take(.whole(let contents), let identity): finish(contents, identity)
      case .take(.tree(let shape, let elements), let identity):
        let elements = SnapshotContents.elements(elements)
        // No view lies over the tree.
        if open.isEmpty { return .tree(shape, elements) }
        guard shape.isList else { return nil }
        finish(.layer(SnapshotLayer(.window(shape.numbers), [elements])), identity)
      case .take(.same(let node), _): open.append(.visit(node))
      case .take(.view(let mapping, let source), let identity):
        open.append(.lay(mapping, sources: 1, of: identity))
        open.append(.visit(source))
      case .take(.join(let offsets, let members), let identity):
        open.append(.lay(.join(offsets), sources: members.count, of: identity))
        for member in members.reversed() { open.append(.take(member, of: identity)) }
      case .lay(let mapping, let count, let identity):
        let layer = SnapshotContents.layer(SnapshotLayer(mapping, Array(done.suffix(count))))
        done.removeLast(count)
        finish(layer, identity)
      }
    }
    return done.popLast().map { .list($0) }
  }

  /// The parts of a node; a cast of the node to `any SnapshotSharing<Element>` would take much longer.
  private func parts<Node: SnapshotSharing>(of node: Node) -> SnapshotParts<Element> {
    node.snapshotParts as! SnapshotParts<Element>
  }

  private mutating func finish(_ contents: SnapshotContents<Element>, _ identity: ObjectIdentifier) {
    known[identity] = contents
    done.append(contents)
  }
}

extension SnapshotContents {
  /// Copies the values that a node shows.
  ///
  /// - Complexity: O(n).
  init(copying node: some TreeNode<Element>) {
    let (reader, count) = (node.reader, node.count)
    var builder = ChunkedArray<Element>.Builder()
    var isThere = BitIndex(repeating: true, count: count)
    var next = 0
    reader.forEachSpan(in: 0..<count) { start, span in
      if start > next { isThere.toggle(next..<start) }
      for index in span.indices { builder.append(span[index]) }
      next = start + span.count
    }
    if next < count { isThere.toggle(next..<count) }
    let elements = builder.finish()
    self = elements.count == count ? .elements(elements) : .sparse(elements, isThere)
  }
}
