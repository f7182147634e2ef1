/// A place where rows are to arrive. The place follows its node while the rows arrive.
struct InsertionAnchor<Element> {
  private let node: any TreeNode<Element>
  private let parent: NodeAnchor<Element>?
  /// The row at the place before the rows arrive; nil: the place is the end.
  private let next: NodeAnchor<Element>?

  /// Creates an anchor.
  ///
  /// - Parameters:
  ///   - anchors: the anchors of the node.
  ///   - parent: the path of the parent.
  ///   - position: 0...the parent's count.
  ///   - node: the node.
  init(_ anchors: AnchorSet<Element>, _ parent: IndexPath, _ position: Int, of node: any TreeNode<Element>) {
    self.node = node
    self.parent = parent.isEmpty ? nil : anchors.anchor(at: parent)
    let count = node.child(at: parent)?.count ?? 0
    next = position < count ? anchors.anchor(at: parent.appending(position)) : nil
  }

  /// The place where the next row is to arrive.
  ///
  /// - Parameter last: the row that has arrived last; nil: no row has arrived.
  /// - Returns: the place behind that row and the rows that moved with it, if the row is now a child of the parent.
  ///   Otherwise the place where the first row would arrive. nil if the parent has left.
  func place(behind last: NodeAnchor<Element>?) -> (parent: IndexPath, position: Int)? {
    guard let own = parent.map({ $0.path }) ?? [], let parent = node.child(at: own) else { return nil }
    func position(of anchor: NodeAnchor<Element>?) -> Int? {
      anchor?.path.flatMap { $0.dropLast() == own ? $0.last : nil }
    }
    let behind = position(of: last).map { $0 + (parent.writer?.countMoving(with: $0) ?? 1) }
    return (own, behind ?? position(of: next) ?? parent.count)
  }
}
