public import OffsetIndexing

/// Translates between the places of a tree and the places of a view of this tree.
///
/// The translation keeps the shape of the known part of the tree.
///
/// Each known node is a branch of the shape, its *record*. Every other child is a leaf of the shape. A record that is
/// on its way from one parent to another is *detached*: the record is in a piece that was cut out. The shape has the
/// children in the order of the source or in the order of the view.
///
/// A translation knows no nodes and no elements. All walks are loops, so that a deep tree needs no more stack.
protocol TreeTranslation {
  typealias Record = TreeIndex.Branch

  var shape: TreeIndex { get set }

  /// The record of the child at a position of the source; nil if the child has none.
  func record(ofChild position: Int, of parent: Record) -> Record?

  /// The position of a record's node in its parent, in the source.
  func position(of record: Record) -> Int

  /// The place of a record's node in the view; nil if the node is hidden, and for the root.
  func place(of record: Record) -> (parent: Record, position: Int)?

  /// Forgets the facts of a record that is free now.
  mutating func forget(_ record: Record)
}

/// The translation of a view that is a tree itself.
@usableFromInline
protocol TreeViewTranslation {
  /// Whether the children of a record's node have been looked at.
  func isLoaded(_ record: TreeIndex.Branch) -> Bool

  /// The number of children of a record's node that are shown.
  func count(of record: TreeIndex.Branch) -> Int

  /// The position at which a child is shown, by its position in the source; nil if the child is hidden or does not
  /// exist.
  func shownPosition(of position: Int, in record: TreeIndex.Branch) -> Int?

  /// The position of a child in the source, by the position at which the child is shown; -1 if there is no such child.
  func sourcePosition(of position: Int, in record: TreeIndex.Branch) -> Int

  /// Passes the values of shown children, given the reader of the record's node in the source; the range is not empty.
  static func forEachSpan<Element>(
    in range: Range<Int>, of record: TreeIndex.Branch, _ translation: Cell<Self>, _ reader: NodeReader<Element>,
    _ body: (_ start: Int, _ span: Span<Element>) -> Void)

  /// Detaches the record of a child, with all records below; the child then counts as a leaf.
  mutating func detach(_ record: TreeIndex.Branch)
}

extension TreeTranslation {
  // MARK: Look-ups

  func position(of record: Record) -> Int { shape.position(of: record) }

  func place(of record: Record) -> (parent: Record, position: Int)? {
    parent(of: record).map { ($0, shape.position(of: record)) }
  }

  /// The number of children of a record's node; 0 until they have been looked at.
  func childCount(of record: Record) -> Int { shape.childCount(of: record) }

  /// The children that have records, by their positions in the shape.
  func children(of record: Record) -> [(position: Int, branch: Record)] {
    shape.branches(in: 0..<shape.childCount(of: record), of: record)
  }

  /// The record of a node's parent; nil for the root, and for a detached record.
  func parent(of record: Record) -> Record? { shape.parent(of: record).flatMap { shape.isPiece($0) ? nil : $0 } }

  /// Whether a record is in the tree now, and not below a detached record.
  ///
  /// - Complexity: O(log n).
  func contains(_ record: Record) -> Bool {
    guard shape.contains(record), !shape.isPiece(record) else { return false }
    return record == TreeIndex.root || shape.forest(of: record) == TreeIndex.root
  }

  /// The record of the node at a path in the source; nil if the node has none.
  func record(at path: some Collection<Int>) -> Record? {
    var record = TreeIndex.root
    for position in path {
      guard position >= 0, position < childCount(of: record), let next = self.record(ofChild: position, of: record)
      else { return nil }
      record = next
    }
    return record
  }

  /// The path in the source of a record's node; nil for a detached record, and for a record below a detached one.
  ///
  /// - Complexity: O(d · log n) for a node at depth d.
  func path(of record: Record) -> [Int]? {
    var path: [Int] = []
    var record = record
    while let parent = shape.parent(of: record) {
      if shape.isPiece(parent) { return nil }
      path.append(position(of: record))
      record = parent
    }
    return path.reversed()
  }

  /// The records below a branch of the shape, each before the records below it.
  func records(below branch: Record) -> [Record] {
    var records = children(of: branch).map(\.branch)
    var next = 0
    while next < records.count {
      for child in children(of: records[next]) { records.append(child.branch) }
      next += 1
    }
    return records
  }

  // MARK: Changes

  /// Cuts a record out of the shape, and puts a leaf in its place.
  ///
  /// - Returns: the piece that contains the record.
  @discardableResult
  mutating func cutOut(_ record: Record) -> Record {
    let (parent, position) = (shape.parent(of: record)!, shape.position(of: record))
    let piece = shape.cutChildren(position..<position + 1, of: parent)
    shape.insertLeaves(1, into: parent, at: position)
    return piece
  }

  /// Puts a detached record into the shape, in place of a leaf.
  mutating func paste(_ record: Record, into parent: Record, at place: Int) {
    shape.removeChildren(place..<place + 1, of: parent)
    shape.paste(shape.parent(of: record)!, into: parent, at: place)
  }

  /// Frees the records of a piece.
  ///
  /// - Returns: the records.
  /// - Complexity: O(r) for r records, and the runs of leaves between them.
  @discardableResult
  mutating func discard(_ piece: Record) -> [Record] {
    var freed: [Record] = []
    shape.removePiece(piece) { freed.append($0) }
    for record in freed { forget(record) }
    return freed
  }

  /// Rearranges the shape below a record; inserted children are leaves.
  ///
  /// - Parameters:
  ///   - delta: the change of the children, in the order of the shape.
  ///   - record: the record of the children's parent.
  ///   - removed: receives the pieces of removed children that contain records.
  mutating func rearrangeShape(_ delta: Delta, in record: Record, _ removed: inout [Record]) {
    var isCarried = false
    delta.rearrange(
      carrying: {
        isCarried = true
        return takeOut($0, of: record)
      },
      lifting: {
        if !isCarried, let piece = takeOut($0, of: record) { removed.append(piece) }
        isCarried = false
      },
      putting: { range, piece in
        if case let piece?? = piece {
          shape.paste(piece, into: record, at: range.lowerBound)
        } else {
          shape.insertLeaves(range.count, into: record, at: range.lowerBound)
        }
      })
  }

  /// Takes children out of the shape.
  ///
  /// - Returns: the piece that contains the children; nil if all of them are leaves, which need no piece.
  private mutating func takeOut(_ range: Range<Int>, of record: Record) -> Record? {
    if shape.branches(in: range, of: record).isEmpty {
      shape.removeChildren(range, of: record)
      return nil
    }
    return shape.cutChildren(range, of: record)
  }
}
