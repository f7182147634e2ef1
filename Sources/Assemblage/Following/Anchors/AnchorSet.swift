/// A set of anchors in one node: each is a persistent position that follows its element.
///
/// ```swift
/// let work = BranchNode(value: "work", leaves: ["a", "b"])
/// let home = BranchNode(value: "home", leaves: ["c"])
/// let tree = BranchNode([work, home])
/// let anchors = AnchorSet(of: tree)
/// let b = anchors.anchor(at: [0, 1])
/// tree.move(from: [0, 1], to: [1, 0])
/// b.path                      // [1, 0]
/// home.remove(at: 0)
/// b.path                      // nil: "b" has left
/// b.nearest                   // [1, 0]: "c", the next sibling
/// ```
///
/// A set observes the node once for all its anchors. It holds only the places of the anchors, and the places above
/// these; the rest of the tree costs nothing.
///
/// An anchor is always current. Inside a transaction, and in observers that are called before others, the anchor has
/// the place of its element at that moment. Asking an anchor brings the node up to date, like reading a view. A
/// transaction that is rolled back leaves the anchors where they were, with one exception: if its body removed an
/// element, and then asked an anchor or read a view, the anchors of that element stay lost.
///
/// - Complexity: a change of the node costs O(log k) for each of its ranges in a node with k anchors below, and
///   O(d · log k) for each transfer. Each anchor that is lost or moves costs O(1) more.
public final class AnchorSet<Element> {
  /// The node of the anchors.
  package let node: any TreeNode<Element>

  private let places = Cell(AnchorPlaces())
  private let observation = Cell<NodeObservation?>(nil)

  /// Creates a set without anchors.
  ///
  /// - Parameter node: the node of the anchors, which is kept alive.
  /// - Complexity: O(1).
  public init(of node: any TreeNode<Element>) {
    self.node = node
    observation.value = node.observe { [unowned self] change in follow(change) }
  }

  deinit {
    observation.value?.cancel()
    observation.destroy()
    places.destroy()
  }

  /// Creates an anchor.
  ///
  /// - Parameter path: the path of an element, as of now; [] is the node itself, which never leaves.
  /// - Returns: the anchor, which keeps the set alive; when the anchor is released, the place is no longer followed.
  /// - Precondition: there is such a place; anything else traps.
  /// - Complexity: O(d · log n) for a path of length d.
  public func anchor(at path: IndexPath) -> NodeAnchor<Element> {
    NodeAnchor(self, number(at: path))
  }

  /// Makes an anchor at a path, and returns its number.
  func number(at path: IndexPath) -> Int {
    catchUp()
    if let last = path.last {
      checkComponent(last, in: node.count(at: path.dropLast()) ?? 0, at: path.dropLast(), of: path)
    }
    return places.value.makeAnchor(at: places.value.tree.makePlace(at: path))
  }

  /// The number of anchors.
  ///
  /// - Complexity: O(1).
  package var count: Int { places.value.anchors.count - places.value.freeNumbers.count }

  private func catchUp() { observation.value?.catchUp() }

  /// Finds the path of an anchor, and whether its element has left.
  func place(of number: Int) -> (path: IndexPath, isLost: Bool) {
    catchUp()
    let anchor = places.value.anchors[number]
    return (IndexPath(indexes: places.value.tree.path(of: Int(anchor.place))), anchor.isLost)
  }

  func release(_ number: Int) { places.value.release(number) }

  private func follow(_ change: ChangeSet) {
    let outcome = places.value.tree.apply(change)
    for loss in outcome.losses {
      let lost = places.value.lose(loss.places)
      if lost.isEmpty { continue }
      let path = places.value.tree.path(of: loss.parent)
      let count = node.child(at: IndexPath(indexes: path))?.count ?? 0
      let survivor = loss.next < count ? loss.next : loss.previous
      places.value.put(
        lost, at: survivor.map { places.value.tree.makePlace(at: $0, in: loss.parent) } ?? loss.parent)
    }
    places.value.tree.prune(outcome)
  }

  /// The number of places that are followed, for tests.
  var placeCount: Int {
    places.value.checkInvariants()
    return places.value.tree.count
  }
}

@available(*, unavailable)
extension AnchorSet: Sendable {}
