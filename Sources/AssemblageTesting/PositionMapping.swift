@_spi(NodeAuthors) public import Assemblage

/// A place in one of a node's sources.
public struct SourcePlace: Hashable, Sendable, CustomStringConvertible {
  /// The number of the source, in the order of `mappedSources`.
  public let source: Int

  /// A position in the source's index space.
  public let position: Int

  /// Creates a place.
  ///
  /// - Parameters:
  ///   - source: the number of the source, in the order of `mappedSources`.
  ///   - position: a position in the source's index space.
  public init(source: Int, position: Int) {
    self.source = source
    self.position = position
  }

  /// A text like `1:[4]`: position 4 of source 1.
  public var description: String { "\(source):[\(position)]" }
}

/// A node that maps its children to places in the several nodes that it derives from.
///
/// A node that shows children of one source is a `SourceView`, and needs no conformance here. Let your other derived
/// nodes conform in your tests. Then `NodeChecker` checks law 3 of these nodes at every place, and `TreeDump` shows how
/// their positions map.
///
/// ```swift
/// extension HeadedNode: PositionMapping {
///   var mappedSources: [any TreeNode<Element>] { [source] }
///   func sourcePlace(of position: Int) -> SourcePlace? {
///     position == 0 ? nil : SourcePlace(source: 0, position: position - 1)
///   }
///   func position(of place: SourcePlace) -> Int? { place.position + 1 }
/// }
/// ```
public protocol PositionMapping<Element>: TreeNode {
  /// The nodes that the children are taken from; the same node may occur several times.
  var mappedSources: [any TreeNode<Element>] { get }

  /// Returns the place of a child of this node in its source.
  ///
  /// - Parameter position: `0..<count`, in this node's index space.
  /// - Returns: the place, or nil where the child is from no source.
  func sourcePlace(of position: Int) -> SourcePlace?

  /// Returns the position of a source's child in this node.
  ///
  /// - Parameter place: a place that exists in that source.
  /// - Returns: a position in this node's index space, or nil where the child is hidden.
  func position(of place: SourcePlace) -> Int?
}

/// How a node's positions map to its sources, and back.
struct SourceMap<Element> {
  let sources: [any TreeNode<Element>]
  let place: (Int) -> SourcePlace?
  let position: (SourcePlace) -> Int?

  /// The maps of a `PositionMapping` or a `SourceView`; nil for other nodes.
  init?(of node: any TreeNode<Element>) {
    if let node = node as? any PositionMapping<Element> {
      sources = node.mappedSources
      place = { node.sourcePlace(of: $0) }
      position = { node.position(of: $0) }
    } else if let node = node as? any SourceView<Element> {
      sources = [node.source]
      place = { SourcePlace(source: 0, position: node.sourcePosition(of: $0)) }
      position = { node.position(ofSource: $0.position) }
    } else {
      return nil
    }
  }
}

extension JoinNode: PositionMapping {
  public var mappedSources: [any TreeNode<Element>] { members }

  public func sourcePlace(of position: Int) -> SourcePlace? {
    let place = locate(position)
    return SourcePlace(source: place.member, position: place.position)
  }

  public func position(of place: SourcePlace) -> Int? {
    position(of: place.position, inMember: place.source)
  }
}

extension SegmentNode: PositionMapping {
  public var mappedSources: [any TreeNode<Element>] { members }

  public func sourcePlace(of position: Int) -> SourcePlace? {
    selection.map { SourcePlace(source: $0, position: position) }
  }

  public func position(of place: SourcePlace) -> Int? { place.source == selection ? place.position : nil }
}

extension FlattenNode: PositionMapping {
  /// The source first, for the leaves among its children; then its children that are nodes.
  public var mappedSources: [any TreeNode<Element>] {
    [source] + (0..<memberCount).compactMap { source.child(at: $0) }
  }

  public func sourcePlace(of position: Int) -> SourcePlace? {
    let (child, offset) = locate(position)
    guard let offset else { return SourcePlace(source: 0, position: child) }
    return SourcePlace(source: 1 + (0..<child).count { source.child(at: $0) != nil }, position: offset)
  }

  public func position(of place: SourcePlace) -> Int? {
    if place.source == 0 { return position(of: nil, inMember: place.position) }
    let nodes = (0..<memberCount).filter { source.child(at: $0) != nil }
    return position(of: place.position, inMember: nodes[place.source - 1])
  }
}
