import Assemblage

/// A place where rows are to come, which follows its node while they do.
struct InsertionAnchor<Element> {
  private let node: any TreeNode<Element>
  private let parent: NodeAnchor<Element>?
  /// What stands there before rows come; nil: it is the end.
  private let next: NodeAnchor<Element>?

  /// Creates an anchor.
  ///
  /// - Parameters:
  ///   - anchors: those of the node.
  ///   - parent: the path of the parent.
  ///   - position: 0...the parent's count.
  ///   - node: the node.
  init(_ anchors: AnchorSet<Element>, _ parent: IndexPath, _ position: Int, of node: any TreeNode<Element>) {
    self.node = node
    self.parent = parent.isEmpty ? nil : anchors.anchor(at: parent)
    let count = node.child(at: parent)?.count ?? 0
    next = position < count ? anchors.anchor(at: parent.appending(position)) : nil
  }

  /// Where the next row is to come.
  ///
  /// - Parameter last: the row that came before it; nil: none did.
  /// - Returns: the place behind that and the rows that it takes along, if it came into the parent, or else where the first one
  ///   would; nil where the parent has left.
  func place(behind last: NodeAnchor<Element>?) -> (parent: IndexPath, position: Int)? {
    guard let own = parent.map({ $0.path }) ?? [], let parent = node.child(at: own) else { return nil }
    func position(of anchor: NodeAnchor<Element>?) -> Int? {
      anchor?.path.flatMap { $0.dropLast() == own ? $0.last : nil }
    }
    let behind = position(of: last).map { $0 + (parent.writer?.countMoving(with: $0) ?? 1) }
    return (own, behind ?? position(of: next) ?? parent.count)
  }
}
