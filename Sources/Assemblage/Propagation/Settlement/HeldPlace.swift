/// A place in the node that holds its children itself, for a child that moves.
///
/// Both places of a move are found before anything changes. Reading a view between the removal and the insertion would
/// bring the view up to date with the removal alone. The child would then be reported as removed and inserted.
struct HeldPlace<Element> {
  /// The node.
  let holder: any TreeNode
  /// The position in that node: of the child, or of the insertion.
  let position: Int
  /// Removes the child at the position.
  let remove: () -> TreeChild<Element>
  /// Inserts a child at a position; where there are fewer children, at the end.
  let insert: (_ child: TreeChild<Element>, _ position: Int) -> Void
  /// Moves the child at the position within the node.
  let move: (_ destination: Int) -> Void
}

/// A node that passes edits on to its source, and shows other values than the node that holds the children.
protocol TransformingNode<Element>: WritableNode {
  /// Finds the place of a child, or of an insertion, in the node that holds the children.
  func heldPlace(_ position: Int, ofInsertion isInsertion: Bool) -> HeldPlace<Element>

  /// Finds the tree row that shows a child in the source; nil where there is none.
  func sourceRow(at position: Int) -> (node: any TreeRows, row: Int)?
}

extension WritableNode {
  /// Finds the place of a child, or of an insertion, in the node that holds the children.
  ///
  /// - Parameters:
  ///   - position: `0..<count`; of an insertion `0...count`.
  ///   - isInsertion: whether a child is to be inserted there.
  /// - Returns: the place.
  /// - Precondition: all nodes on the way can be written.
  func heldPlace(of position: Int, forInsertion isInsertion: Bool = false) -> HeldPlace<Element> {
    func place<Node: TransformingNode>(in node: Node) -> HeldPlace<Element> {
      // The node is this one, so both types are the same.
      node.heldPlace(position, ofInsertion: isInsertion) as! HeldPlace<Element>
    }
    if let node = self as? any TransformingNode { return place(in: node) }
    if let view = routing {
      let place = isInsertion ? view.requireInsertionOwner(at: position) : view.owner(of: position)
      return place.requireWriter(for: hub.description).heldPlace(of: place.position, forInsertion: isInsertion)
    }
    return HeldPlace(
      holder: self, position: position, remove: { [self] in removeChild(at: position) },
      insert: { [self] child, position in insert(child, at: Swift.min(position, count)) },
      move: { [self] in move(from: position, to: $0) })
  }

  /// Moves a child to a place of this node or of another one, as one transaction and one move.
  ///
  /// - Parameters:
  ///   - position: the child, `0..<count`.
  ///   - destination: the node to which the child moves.
  ///   - goal: the position before which the child is inserted, counted before the move.
  func relocate(_ position: Int, to destination: any WritableNode<Element>, at goal: Int) {
    destination.adopt(heldPlace(of: position), at: goal)
  }

  /// Moves a child to a place of this node, as one transaction and one move.
  ///
  /// - Parameters:
  ///   - source: the place of the child.
  ///   - goal: the position before which the child is inserted, counted before the move.
  func adopt(_ source: HeldPlace<Element>, at goal: Int) {
    let target = heldPlace(of: goal, forInsertion: true)
    if source.holder === target.holder {
      if target.position == source.position || target.position == source.position + 1 { return }
      return source.move(target.position > source.position ? target.position - 1 : target.position)
    }
    let name = SerialNumber.next()
    performUpdates {
      // The node that holds the child returns the child itself, and not the value that a view shows.
      let child = hub.marking(name) { source.remove() }
      hub.marking(name) { target.insert(child, target.position) }
    }
  }
}
