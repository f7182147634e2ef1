import OffsetIndexing

/// A node of this library whose snapshot shares what the node has.
///
/// It says only what it is made of; see `SnapshotTaking`.
protocol SnapshotSharing<Element>: TreeNode {
  /// What the node is made of.
  ///
  /// - Complexity: O(1), but for nodes with many members.
  var snapshotParts: SnapshotParts<Element> { get }
}

/// What a node is made of, as far as its snapshot goes.
enum SnapshotParts<Element> {
  /// What it has itself, which are leaves.
  case whole(SnapshotContents<Element>)
  /// A branch of a forest, the elements of which are in a chunked array.
  case tree(SnapshotShape, ChunkedArray<Element>)
  /// Nothing but what another node shows.
  case same(any TreeNode<Element>)
  /// Children of another node.
  case view(SnapshotMapping, any TreeNode<Element>)
  /// Those of several, by the offsets at which each begins.
  case join(OffsetIndex, [SnapshotParts])
}

/// The work of taking what a node shares.
///
/// A loop, as deep as nodes may be stacked; a node that several others show is taken once.
struct SnapshotTaking<Element> {
  /// What can be shared.
  enum Result {
    case list(SnapshotContents<Element>)
    case tree(SnapshotShape, SnapshotContents<Element>)
  }

  private enum Step {
    case visit(any TreeNode<Element>)
    case take(SnapshotParts<Element>, of: ObjectIdentifier)
    /// Lays a view over what was taken last.
    case lay(SnapshotMapping, sources: Int, of: ObjectIdentifier)
  }

  private var open: [Step] = []
  private var done: [SnapshotContents<Element>] = []
  /// The views and joins that are done.
  private var known: [ObjectIdentifier: SnapshotContents<Element>] = [:]

  init() {}

  /// Takes what a node shows.
  ///
  /// - Parameter node: the node; it is only read.
  /// - Returns: a list of leaves, or a forest; nil where some children are nodes that have to be copied.
  mutating func take(_ node: any TreeNode<Element>) -> Result? {
    open.append(.visit(node))
    while let step = open.popLast() {
      switch step {
      case .visit(let node):
        let identity = ObjectIdentifier(node)
        if let contents = known[identity] {
          done.append(contents)
        } else if let sharing = node as? any SnapshotSharing<Element> {
          open.append(.take(sharing.snapshotParts, of: identity))
        } else if (0..<node.count).allSatisfy({ node.child(at: $0) == nil }) {
          finish(SnapshotContents(copying: node), identity)
        } else {
          return nil
        }
      case .take(.whole(let contents), _): done.append(contents)
      case .take(.tree(let shape, let elements), let identity):
        let elements = SnapshotContents.elements(elements)
        // No view is above it.
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
