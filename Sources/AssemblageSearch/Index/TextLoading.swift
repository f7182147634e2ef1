@_spi(NodeAuthors) public import Assemblage
import OffsetIndexing

// Reads texts. The functions are inlinable, so that they are specialized for the element and the closure of an index.

/// Appends the texts of a range of a node's children.
@inlinable
func appendTexts<Element>(
  of reader: NodeReader<Element>, _ range: Range<Int>, to builder: inout TextColumn.Builder, _ text: (Element) -> String
) {
  // The end of the texts so far. The children between two pieces have no value.
  var next = 0
  reader.forEachSpan(in: range) { start, span in
    let first = start &- range.lowerBound
    while next < first {
      builder.append(nil)
      next &+= 1
    }
    span.lendEach { builder.append(text($1)) }
    next = first &+ span.count
    countCalls(span.count)
  }
  while next < range.count {
    builder.append(nil)
    next &+= 1
  }
}

/// Appends the texts of all elements of a forest, in one scan.
@inlinable
func appendTexts<Element>(
  of forest: ForestNode<Element>, to builder: inout TextColumn.Builder, _ text: (Element) -> String
) {
  forest.forEachDescendantSpan { span in
    span.lendEach { builder.append(text($1)) }
    countCalls(span.count)
  }
}

/// Reads the texts of a tree.
@usableFromInline
struct TextReading<Element> {
  @usableFromInline typealias Children = (NodeReader<Element>, Range<Int>, inout TextColumn.Builder) -> Void
  @usableFromInline typealias Forest = (ForestNode<Element>, inout TextColumn.Builder) -> Void

  private let children: Children
  private let forest: Forest

  @usableFromInline
  init(children: @escaping Children, forest: @escaping Forest) {
    self.children = children
    self.forest = forest
  }

  /// The elements that have been read, in document order.
  struct Reading {
    var shape = TreeIndex()
    var texts: [TextChunk] = []
  }

  /// Reads children of a node without their descendants.
  func readLevel(_ node: any TreeNode<Element>, _ range: Range<Int>, _ builder: inout TextColumn.Builder) {
    node.refusingChanges { children(node.reader, range, &builder) }
  }

  /// Reads children of a node with all their descendants.
  ///
  /// - Parameters:
  ///   - node: the node.
  ///   - range: the positions of the children.
  ///   - builder: receives the texts.
  ///   - time: whether the texts are read, or only placeholders are made.
  /// - Returns: the shape and the texts.
  /// - Complexity: O(n) for n elements in all.
  func read(
    _ node: any TreeNode<Element>, _ range: Range<Int>, _ builder: consuming TextColumn.Builder,
    _ time: TextReadingTime = .atOnce
  ) -> Reading {
    var builder = builder
    var reading = Reading()
    if let forest = node as? ForestNode<Element>, let whole = forest.wholeShape, range == 0..<forest.count {
      if time == .atOnce {
        node.refusingChanges { self.forest(forest, &builder) }
      } else {
        for _ in 0..<forest.descendantCount { builder.appendUnread() }
      }
      reading.shape.insert(whole.shape, childrenOf: whole.root, into: TreeIndex.root, at: 0) { _, _ in }
      reading.texts = builder.finish()
      return reading
    }
    var shape = TreeIndex.Builder()
    var open = [(node: node, rest: range)]
    while let (node, rest) = open.last {
      if rest.isEmpty {
        open.removeLast()
        if !open.isEmpty { shape.closeBranch() }
        continue
      }
      // The next piece: leaves, and after them one child that has children.
      let next = node.hasOnlyLeavesNow ? nil : Self.firstBranch(of: node, in: rest)
      let end = next.map { $0.position + 1 } ?? rest.upperBound
      if time == .atOnce {
        readLevel(node, rest.lowerBound..<end, &builder)
      } else {
        for _ in rest.lowerBound..<end { builder.appendUnread() }
      }
      open[open.count - 1].rest = end..<rest.upperBound
      shape.appendLeaves((next?.position ?? end) - rest.lowerBound)
      if let child = next?.child {
        shape.openBranch()
        open.append((child, 0..<child.count))
      }
    }
    reading.shape = shape.finish()
    reading.texts = builder.finish()
    return reading
  }

  private static func firstBranch(
    of node: any TreeNode<Element>, in range: Range<Int>
  ) -> (position: Int, child: any TreeNode<Element>)? {
    for position in range {
      if let child = node.child(at: position), child.count > 0 { return (position, child) }
    }
    return nil
  }
}
