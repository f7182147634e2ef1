package import Assemblage
package import AssemblageTesting

/// The number of a node in a fuzzed pipeline.
package struct NodeNumber: Hashable, Sendable {
  let serial: Int
}

/// The naive model of a node kind: a value that can compute everything that a node should show.
///
/// A pipeline fuzzer makes nodes of every given kind, and a model for each node. The fuzzer makes the same edits on
/// both, and compares them. A kind of your own is one type:
///
/// ```swift
/// struct TailModel: NodeModel {
///   typealias Node = TailNode<PipelineRow>
///
///   static let kind = "tail"
///   var source: NodeNumber
///   var start: Int
///
///   static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
///     guard let source = draw.source() else { return nil }
///     let start = draw.number(below: 4)
///     return NodeDraft(
///       TailModel(source: source, start: start), TailNode(draw.node(source), from: start),
///       code: "TailNode(\(draw.name(source)), from: \(start))")
///   }
///
///   var sources: [NodeNumber] { [source] }
///
///   func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
///     let tree = contents(source)
///     return NaiveTree(value: tree.value, children: Array(tree.children.dropFirst(start)))
///   }
///
///   static var edits: [NodeEdit<Self>] {
///     [
///       NodeEdit("start") { model, draw in
///         let start = draw.number(below: 4)
///         model.start = start
///         return NodeStep("\(draw.name).start = \(start)") { $0.start = start }
///       }
///     ]
///   }
/// }
/// ```
///
/// The fuzzer changes the model before the node. So an observer that the change notifies finds model and node alike.
///
/// The requirements from `route(ofChild:_:)` on are for nodes that can be written. By default a node cannot be written.
package protocol NodeModel {
  /// The type of the nodes.
  associatedtype Node: TreeNode<PipelineRow>

  /// The name of the kind, a Swift identifier. The names of the kind's nodes begin with this name.
  static var kind: String { get }

  /// Whether the nodes hold contents of their own, and need no other node. A pipeline begins with such nodes.
  static var isSource: Bool { get }

  /// Whether a child may be neither a value nor a node. By default false.
  ///
  /// An outline has such a child where the node of a row has no value.
  static var hasEmptyLeaves: Bool { get }

  /// Whether the nodes report moves only within their own source, as maps and tree views do. By default false.
  ///
  /// A node may receive a row through such a view at one time, and without the view or through another one at another
  /// time. Then the row is a new row in the node.
  static var reportsOwnMovesOnly: Bool { get }

  /// The type of the nodes in Swift code; by default the name that the runtime gives.
  static var typeCode: String { get }

  /// Makes a node and its model.
  ///
  /// - Parameter draw: gives sources, rows and numbers.
  /// - Returns: the node and its model, or nil where the pipeline has no source that the node needs.
  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>?

  /// The edits of a node of this kind, apart from writes through the node.
  static var edits: [NodeEdit<Self>] { get }

  /// The nodes from which this node derives, in any order.
  var sources: [NodeNumber] { get }

  /// Computes the contents that the node should show.
  ///
  /// - Parameter contents: gives the contents that another node of the pipeline should show. Is called for `sources`
  ///   only.
  /// - Returns: the node's value and children, at every depth.
  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow>

  /// The identity of a row in the node, where the node uses another id than the row's own, as a `UniqueNode` does; by
  /// default nil.
  func identity(of row: PipelineRow) -> Int?

  /// The route of a write of the child at a position; nil where the child cannot be written.
  func route(ofChild position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute?

  /// The route of an insertion; nil where the insertion is not possible.
  func route(ofInsertion position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute?

  /// The route of the move of a child; nil where the move is not possible.
  ///
  /// - Parameters:
  ///   - position: the position of the child before the move.
  ///   - destination: the position of the child after the move.
  ///   - contents: gives the contents that another node of the pipeline should show.
  /// - Returns: the route, or nil.
  func route(
    ofMove position: Int, to destination: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>
  ) -> MovingRoute?

  /// Inserts a row in the model's own contents, and returns false where that is not possible.
  mutating func insert(_ row: PipelineRow, at position: Int) -> Bool

  /// Inserts a node in the model's own contents, and returns false where that is not possible.
  mutating func insertNode(_ node: NodeNumber, at position: Int) -> Bool

  /// Removes a child from the model's own contents, and returns false where that is not possible.
  mutating func remove(at position: Int) -> Bool

  /// Replaces a row in the model's own contents, and returns false where that is not possible.
  mutating func replace(at position: Int, with row: PipelineRow) -> Bool

  /// Moves a child within the model's own contents, and returns false where that is not possible.
  mutating func move(from position: Int, to destination: Int) -> Bool

  /// The node at a position of the model's own contents; nil where the child is a row.
  func node(at position: Int) -> NodeNumber?
}

/// The place where a write ends.
///
/// ```swift
/// // In the model of a node that shows its source from `start` on:
/// func route(ofChild position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute? {
///   .source(source, start + position)
/// }
/// ```
package enum WritingRoute {
  /// In the node's own contents, at a position in them.
  case own(Int)
  /// In a source, at a position in the source.
  case source(NodeNumber, Int)
}

/// The place where a move ends.
///
/// ```swift
/// // In the model of a node that shows its source from `start` on:
/// func route(
///   ofMove position: Int, to destination: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>
/// ) -> MovingRoute? {
///   .source(source, from: start + position, to: start + destination)
/// }
/// ```
package enum MovingRoute {
  /// In the node's own contents.
  case own
  /// In a source, from one of its positions to another.
  case source(NodeNumber, from: Int, to: Int)
  /// The child goes to another owner. It goes before the child that is at the destination, or behind that child where
  /// the moved child was before it.
  case relocating
}

extension NodeModel {
  package static var isSource: Bool { false }
  package static var hasEmptyLeaves: Bool { false }
  package static var reportsOwnMovesOnly: Bool { false }
  package static var typeCode: String { "\(Node.self)" }
  package static var edits: [NodeEdit<Self>] { [] }
  package var sources: [NodeNumber] { [] }
  package func identity(of row: PipelineRow) -> Int? { nil }

  package func route(
    ofChild position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>
  ) -> WritingRoute? { nil }

  package func route(
    ofInsertion position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>
  ) -> WritingRoute? { nil }

  package func route(
    ofMove position: Int, to destination: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>
  ) -> MovingRoute? { nil }

  package mutating func insert(_ row: PipelineRow, at position: Int) -> Bool { false }
  package mutating func insertNode(_ node: NodeNumber, at position: Int) -> Bool { false }
  package mutating func remove(at position: Int) -> Bool { false }
  package mutating func replace(at position: Int, with row: PipelineRow) -> Bool { false }
  package mutating func move(from position: Int, to destination: Int) -> Bool { false }
  package func node(at position: Int) -> NodeNumber? { nil }
}
