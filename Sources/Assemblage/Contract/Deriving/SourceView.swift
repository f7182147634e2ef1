/// A node that shows children of one source: some of them, in another order, or both.
///
/// The node implements only the maps between the positions. Its values, child nodes, header, footer and own value, and
/// the edits that it allows, follow from these maps. So a view of your own states nothing else:
///
/// ```swift
/// extension ReversedNode: SourceView {
///   func sourcePosition(of position: Int) -> Int { count - 1 - position }
///   func position(ofSource position: Int) -> Int? { count - 1 - position }
///   func insertionPoint(at position: Int) -> Int { count - position }
/// }
/// ```
///
/// Law, beside those of `TreeNode` and `SectionNode`: `position(ofSource: sourcePosition(of: p)) == p` for every p, and
/// `position(ofSource:)` is nil for every other position of the source. `NodeChecker` checks it.
@_spi(NodeAuthors)
public protocol SourceView<Element>: SectionNode, RoutingNode {
  /// The node whose children are shown.
  var source: any TreeNode<Element> { get }

  /// The position of a child in the source.
  ///
  /// - Parameter position: `0..<count`, in this node's index space.
  /// - Returns: a position in the source's index space.
  func sourcePosition(of position: Int) -> Int

  /// The position in this node of a child of the source.
  ///
  /// - Parameter position: 0..<the source's count, in the source's index space.
  /// - Returns: a position in this node's index space, or nil where the child is hidden.
  func position(ofSource position: Int) -> Int?

  /// The place in the source of an insertion.
  ///
  /// By default, the place is directly behind the child before `position`, or at the source's beginning.
  ///
  /// - Parameter position: `0...count`, in this node's index space.
  /// - Returns: a position in the source's index space, 0...its count.
  func insertionPoint(at position: Int) -> Int
}

extension SourceView {
  public var value: Element? { source.value }

  public var header: Element? { source.header(at: []) }

  public var footer: Element? { source.footer(at: []) }

  public func element(at position: Int) -> Element? {
    position >= 0 && position < count ? source.element(at: sourcePosition(of: position)) : nil
  }

  public func child(at position: Int) -> (any TreeNode<Element>)? {
    position >= 0 && position < count ? source.child(at: sourcePosition(of: position)) : nil
  }

  public func insertionPoint(at position: Int) -> Int { position == 0 ? 0 : sourcePosition(of: position - 1) + 1 }

  public func owner(of position: Int) -> OwnedPlace<Element> { OwnedPlace(source, at: sourcePosition(of: position)) }

  public func insertionOwner(at position: Int) -> OwnedPlace<Element>? {
    OwnedPlace(source, at: insertionPoint(at: position))
  }
}
