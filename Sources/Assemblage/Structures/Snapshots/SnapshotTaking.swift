import OffsetIndexing

/// A node of this library whose snapshot shares what the node has.
///
/// It says only what it is made of; see `SnapshotContents.init(of:)`.
protocol SnapshotSharing<Element>: TreeNode {
  /// What the node is made of.
  ///
  /// - Complexity: O(1), but for nodes with many members.
  var snapshotParts: SnapshotParts<Element> { get }
}

/// What a node is made of, as far as its snapshot goes.
enum SnapshotParts<Element> {
  /// What it has itself.
  case whole(SnapshotContents<Element>)
  /// Nothing but what another node shows.
  case same(any TreeNode<Element>)
  /// Children of another node.
  case view(SnapshotMapping, any TreeNode<Element>)
  /// Those of several, by the offsets at which each begins.
  case join(OffsetIndex, [Member])

  /// A member of a join.
  enum Member {
    /// One that had to be asked for nothing.
    case known(SnapshotContents<Element>)
    case node(any TreeNode<Element>)
  }
}

extension SnapshotContents {
  /// Takes what a node shows.
  ///
  /// A loop, as deep as nodes may stand one above the other; a node that several others show is taken once.
  ///
  /// - Parameter node: the node; it is only read.
  init(of node: any TreeNode<Element>) {
    var taking = SnapshotTaking<Element>()
    self = taking.take(node)
  }

  /// Copies what a node shows.
  ///
  /// - Complexity: O(n).
  init(copying node: some TreeNode<Element>) {
    let (reader, count) = (node.reader, node.count)
    var builder = ChunkedArray<Element>.Builder()
    var missing: [Range<Int>] = []
    var next = 0
    reader.forEachSpan(in: 0..<count) { start, span in
      if start > next { missing.append(next..<start) }
      for index in span.indices { builder.append(span[index]) }
      next = start + span.count
    }
    if next < count { missing.append(next..<count) }
    let elements = builder.finish()
    if missing.isEmpty {
      self = .elements(elements)
      return
    }
    var isThere = BitIndex(repeating: true, count: count)
    for range in missing { isThere.toggle(range) }
    self = .sparse(elements, isThere)
  }
}

/// The work of taking a snapshot.
private struct SnapshotTaking<Element> {
  private enum Step {
    case visit(any TreeNode<Element>)
    case put(SnapshotContents<Element>)
    /// Lays a view over what was put last.
    case lay(SnapshotMapping, sources: Int, of: ObjectIdentifier)
  }

  private var open: [Step] = []
  private var done: [SnapshotContents<Element>] = []
  /// The views and joins that are done.
  private var known: [ObjectIdentifier: SnapshotContents<Element>] = [:]

  mutating func take(_ node: any TreeNode<Element>) -> SnapshotContents<Element> {
    open.append(.visit(node))
    while let step = open.popLast() {
      switch step {
      case .visit(let node): visit(node)
      case .put(let contents): done.append(contents)
      case .lay(let mapping, let count, let identity):
        let layer = SnapshotContents.layer(SnapshotLayer(mapping, done.suffix(count)))
        done.removeLast(count)
        finish(layer, identity)
      }
    }
    return done.removeLast()
  }

  private mutating func finish(_ contents: SnapshotContents<Element>, _ identity: ObjectIdentifier) {
    known[identity] = contents
    done.append(contents)
  }

  private mutating func visit(_ node: any TreeNode<Element>) {
    let identity = ObjectIdentifier(node)
    if let contents = known[identity] { return done.append(contents) }
    guard let node = node as? any SnapshotSharing<Element> else {
      return finish(SnapshotContents(copying: node), identity)
    }
    switch node.snapshotParts {
    case .whole(let contents): done.append(contents)
    case .same(let node): open.append(.visit(node))
    case .view(let mapping, let source):
      open.append(.lay(mapping, sources: 1, of: identity))
      open.append(.visit(source))
    case .join(let offsets, let members):
      open.append(.lay(.join(offsets), sources: members.count, of: identity))
      for member in members.reversed() {
        switch member {
        case .known(let contents): open.append(.put(contents))
        case .node(let node): open.append(.visit(node))
        }
      }
    }
  }
}
