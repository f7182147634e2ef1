package import Assemblage
package import AssemblageTesting

/// The number of a node in a fuzzed pipeline.
package struct NodeNumber: Hashable, Sendable {
  let serial: Int
}

/// The naive model of a node kind: a value from which everything that a node should show can be computed.
///
/// A pipeline fuzzer makes nodes of every kind that it is given, each beside a model, does the same to both, and
/// compares. A kind of your own is one type:
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
/// The model is changed before the node is: an observer that the change calls finds both alike.
///
/// Nodes that can be written have the requirements from `route(ofChild:_:)` on; the defaults say that a node cannot.
package protocol NodeModel {
  /// The type of the nodes.
  associatedtype Node: TreeNode<PipelineRow>

  /// The name of the kind, with which the names of its nodes begin: a Swift identifier.
  static var kind: String { get }

  /// Whether the nodes hold contents of their own, and need no other node. Pipelines begin with such nodes.
  static var isSource: Bool { get }

  /// Whether a child may be neither a value nor a node, as the row of an outline is whose node has no value. By default
  /// false.
  static var hasEmptyLeaves: Bool { get }

  /// Whether the nodes report moves only within their own source, as maps and tree views do. By default false.
  ///
  /// A row that comes to a node through such a view at one time, and without it or through another one at another time, is
  /// new there.
  static var reportsOwnMovesOnly: Bool { get }

  /// The type of the nodes in Swift code; by default as the runtime names it.
  static var typeCode: String { get }

  /// Makes a node and its model.
  ///
  /// - Parameter draw: where sources, rows and numbers come from.
  /// - Returns: both, or nil where the pipeline has not what it takes.
  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>?

  /// What can be done to a node of this kind, apart from writing through it.
  static var edits: [NodeEdit<Self>] { get }

  /// The nodes that this one derives from, in any order.
  var sources: [NodeNumber] { get }

  /// What the node should show.
  ///
  /// - Parameter contents: what another node of the pipeline should show; asked about `sources` only.
  /// - Returns: the node's value and children, at every depth.
  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow>

  /// What tells rows apart in the node, where that is another id than the rows' own, as in a `UniqueNode`; by default nil.
  func identity(of row: PipelineRow) -> Int?

  /// Where a write of the child at a position goes; nil where it cannot be written.
  func route(ofChild position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute?

  /// Where an insertion goes; nil where it is not possible.
  func route(ofInsertion position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute?

  /// Where the move of a child goes; nil where it is not possible.
  ///
  /// - Parameters:
  ///   - position: the place of the child before the move.
  ///   - destination: its place after it.
  ///   - contents: what another node of the pipeline should show.
  /// - Returns: where it goes, or nil.
  func route(
    ofMove position: Int, to destination: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>
  ) -> MovingRoute?

  /// Inserts a row in the contents of the model's own; false where that is not possible.
  mutating func insert(_ row: PipelineRow, at position: Int) -> Bool

  /// Inserts a node in the contents of the model's own; false where that is not possible.
  mutating func insertNode(_ node: NodeNumber, at position: Int) -> Bool

  /// Removes a child from the contents of the model's own; false where that is not possible.
  mutating func remove(at position: Int) -> Bool

  /// Replaces a row in the contents of the model's own; false where that is not possible.
  mutating func replace(at position: Int, with row: PipelineRow) -> Bool

  /// Moves a child within the contents of the model's own; false where that is not possible.
  mutating func move(from position: Int, to destination: Int) -> Bool

  /// The node that stands at a position of the contents of the model's own; nil where a row does.
  func node(at position: Int) -> NodeNumber?
}

/// Where a write ends up.
///
/// ```swift
/// // In the model of a node that shows its source from `start` on:
/// func route(ofChild position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute? {
///   .source(source, start + position)
/// }
/// ```
package enum WritingRoute {
  /// In the node's own contents, at a position.
  case own(Int)
  /// In a source, at a position there.
  case source(NodeNumber, Int)
}

/// Where a move ends up.
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
  /// In a source, between positions there.
  case source(NodeNumber, from: Int, to: Int)
  /// The child goes to another owner, before the child that stands at the destination, or behind it where it comes from before.
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
