/// A persistent position, which follows an element of a node, and after the element has left, the nearest survivor.
///
/// ```swift
/// let names = ArrayNode(["Ada", "Bob", "Cy"])
/// let sorted = SortNode(names, by: <)
/// let bob = NodeAnchor(of: sorted, at: [1])
/// names.append("Abe")
/// bob.path                    // [2]
/// names.removeAll { $0 == "Bob" }
/// bob.path                    // nil
/// bob.nearest                 // [2]: "Cy"
/// ```
///
/// The anchor follows moves among siblings and from one parent to another. An element that leaves, alone or with one of
/// its parents, is lost for good; an equal element that arrives later is another one. From then on the anchor follows
/// the nearest survivor. That is the next sibling, or else the previous one, or else the parent. If a subtree left as a
/// whole, these are the relatives of its topmost node. If that survivor leaves too, the anchor follows its nearest
/// survivor.
///
/// Many anchors in one node share their work in an `AnchorSet`.
public final class NodeAnchor<Element> {
  /// The set that follows this anchor with others.
  package let anchors: AnchorSet<Element>

  private let number: Int

  init(_ anchors: AnchorSet<Element>, _ number: Int) {
    self.anchors = anchors
    self.number = number
  }

  /// Creates an anchor in a set of its own.
  ///
  /// - Parameters:
  ///   - node: the node at which the path begins, which is kept alive.
  ///   - path: the path of an element, as of now; [] is the node itself, which never leaves.
  /// - Precondition: there is such a place; anything else traps.
  /// - Complexity: O(d · log n) for a path of length d.
  public convenience init(of node: any TreeNode<Element>, at path: IndexPath) {
    let anchors = AnchorSet(of: node)
    self.init(anchors, anchors.number(at: path))
  }

  deinit { anchors.release(number) }

  /// The present path of the element; nil after the element has left, for good.
  ///
  /// - Complexity: O(d · log k) for a path of length d, and at most k places that are followed below one node.
  public var path: IndexPath? {
    let place = anchors.place(of: number)
    return place.isLost ? nil : place.path
  }

  /// The path of the element; after the element has left, the path of the nearest survivor.
  ///
  /// - Complexity: as `path`.
  public var nearest: IndexPath { anchors.place(of: number).path }

  /// Whether the element has left.
  package var isLost: Bool { anchors.place(of: number).isLost }

  /// The present value of the element; nil where the element has none, or has left.
  ///
  /// - Complexity: O(d · log n) for a path of length d.
  public var element: Element? { path.flatMap { anchors.node.element(at: $0) } }
}

@available(*, unavailable)
extension NodeAnchor: Sendable {}

extension NodeAnchor: CustomStringConvertible {
  public var description: String {
    let place = anchors.place(of: number)
    return place.isLost ? "NodeAnchor(lost near \(place.path.sentence))" : "NodeAnchor(\(place.path.sentence))"
  }
}
