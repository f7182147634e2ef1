import Assemblage
import AssemblageTesting

/// A variable that a node needs, for example the data that its closure reads.
///
/// ```swift
/// return NodeDraft(
///   model, ProviderNode(count: rows.count) { box.rows[$0] },
///   code: "ProviderNode<PipelineRow>(count: \(rows.count)) { \(draw.name)Rows[$0] }",
///   variables: [NodeVariable("\(draw.name)Rows", type: "[PipelineRow]", value: rows.code)])
/// ```
package struct NodeVariable {
  let name: String
  let type: String
  let value: String

  /// Creates a variable.
  ///
  /// - Parameters:
  ///   - name: the variable's name. It begins with the node's name, as `PipelineDraw.name` gives that name.
  ///   - type: its type, in Swift code.
  ///   - value: a Swift expression of its value before the node is made.
  package init(_ name: String, type: String, value: String) {
    self.name = name
    self.type = type
    self.value = value
  }
}

/// A new node with its model, and the code that makes it.
package struct NodeDraft<Model: NodeModel> {
  let model: Model
  let node: Model.Node
  let code: String
  let variables: [NodeVariable]

  /// Creates a draft.
  ///
  /// - Parameters:
  ///   - model: the model, which computes the contents that the node should show.
  ///   - node: the node.
  ///   - code: a Swift expression that makes the node.
  ///   - variables: the variables that the code declares before the node, if any.
  package init(_ model: Model, _ node: Model.Node, code: String, variables: [NodeVariable] = []) {
    self.model = model
    self.node = node
    self.code = code
    self.variables = variables
  }
}

/// Whether an edit can be reverted.
///
/// ```swift
/// // The node publishes the change `of: .view`, with an inverse.
/// NodeEdit("start", reversal: .onRollback) { model, draw in
///   let start = draw.number(below: 4)
///   model.start = start
///   return NodeStep("\(draw.name).start = \(start)") { $0.start = start }
/// }
/// ```
package enum Reversal: Int, Sendable {
  /// The edit is never reverted: it stays if a transaction throws.
  case never
  /// A transaction that throws reverts the edit.
  case onRollback
  /// An `UndoLog` reverts the edit, too.
  case always
}

/// A kind of edit that a fuzzer makes on nodes of one kind.
package struct NodeEdit<Model: NodeModel> {
  /// The edit's name, unique in its kind.
  package let name: String
  let reversal: Reversal
  let plan: (inout Model, inout PipelineDraw) -> NodeStep<Model.Node>?

  /// Creates a kind of edit.
  ///
  /// - Parameters:
  ///   - name: the edit's name, unique in its kind.
  ///   - reversal: whether the edit can be reverted. An edit of a node of your own cannot, unless it consists of edits
  ///     of other nodes.
  ///   - plan: changes the model, and returns a step that makes the same edit on the node; nil where the edit is not
  ///     possible.
  package init(
    _ name: String, reversal: Reversal = .never,
    plan: @escaping (inout Model, inout PipelineDraw) -> NodeStep<Model.Node>?
  ) {
    self.name = name
    self.reversal = reversal
    self.plan = plan
  }
}

/// An edit whose numbers have been drawn.
package struct NodeStep<Node> {
  let code: String
  let replaced: Set<Int>
  let isComposite: Bool
  let run: (Node) -> Void

  /// Creates a step.
  ///
  /// - Parameters:
  ///   - code: the Swift statements that make the edit, with the node's name as `PipelineDraw.name` gives it.
  ///   - replaced: the ids of the rows that the edit removes and inserts again as other rows. These rows do not survive
  ///     the edit.
  ///   - isComposite: whether the node reports the edit in several changes.
  ///   - run: makes the edit on a node.
  package init(
    _ code: String, replacing replaced: Set<Int> = [], isComposite: Bool = false, run: @escaping (Node) -> Void
  ) {
    self.code = code
    self.replaced = replaced
    self.isComposite = isComposite
    self.run = run
  }
}

/// A kind of node that a pipeline fuzzer makes and edits.
///
/// ```swift
/// var fuzzer = PipelineFuzzer(kinds: NodeKind.standard + [NodeKind(TailModel.self)])
/// try fuzzer.run(scripts: 200)
/// ```
package struct NodeKind {
  /// The name of the kind.
  package let name: String

  /// The names of the edits that nodes of this kind have, apart from writing through them.
  package let editNames: [String]

  let isSource: Bool
  /// Whether the nodes hold children of their own, rather than the children of others.
  let holdsChildren: Bool
  /// Whether the nodes show a tree at every depth, or a branch of one.
  let isOfTrees: Bool
  let hasEmptyLeaves: Bool
  let reportsOwnMovesOnly: Bool
  let make: (inout PipelineDraw) -> Specimen?
  let edit: (Specimen, _ name: String, inout PipelineDraw) -> PlannedStep?
  /// The names of the settings that can be changed in the background.
  let backgroundNames: [String]
  let begin: (Specimen, _ name: String, inout PipelineDraw) -> PlannedWork?

  /// Creates the kind that a model describes.
  package init<Model: NodeModel>(_ type: Model.Type) {
    let edits = Model.edits
    let name = Model.kind
    self.name = name
    editNames = edits.map(\.name)
    isSource = Model.isSource
    holdsChildren = Model.isSource || Model.self is any OwnChildrenModel.Type
    isOfTrees =
      Model.self is any WholeModel.Type || Model.self is any ChildOfWhole.Type || Model.self is OutlineModel.Type
    hasEmptyLeaves = Model.hasEmptyLeaves
    reportsOwnMovesOnly = Model.reportsOwnMovesOnly
    (backgroundNames, begin) = Self.background(of: Model.self as? any BackgroundModel.Type)
    make = { draw in
      guard let draft = Model.make(&draw) else { return nil }
      return Specimen(
        number: draw.number, kind: name, typeCode: Model.typeCode, model: draft.model, node: draft.node,
        code: draft.code, variables: draft.variables)
    }
    edit = { specimen, name, draw in
      guard let edit = edits.first(where: { $0.name == name }), var model = specimen.model as? Model,
        let node = specimen.node as? Model.Node, let step = edit.plan(&model, &draw)
      else { return nil }
      return PlannedStep(
        model: model, code: step.code, replaced: step.replaced, isComposite: step.isComposite,
        reversal: edit.reversal
      ) {
        step.run(node)
      }
    }
  }
}

extension NodeKind {
  private typealias Background = (names: [String], begin: (Specimen, String, inout PipelineDraw) -> PlannedWork?)

  private static func background(of type: (any BackgroundModel.Type)?) -> Background {
    func background<Model: BackgroundModel>(of type: Model.Type) -> Background {
      (Model.backgroundEdits.map(\.name), { Model.plannedWork($0, $1, &$2) })
    }
    return type.map { background(of: $0) } ?? ([], { _, _, _ in nil })
  }
}

/// A step, the model after the step, and the node on which the step runs.
struct PlannedStep {
  let model: any NodeModel
  let code: String
  let replaced: Set<Int>
  let isComposite: Bool
  let reversal: Reversal
  let run: () -> Void
}

/// A node of a pipeline beside its model.
final class Specimen {
  let number: NodeNumber
  let kind: String
  let typeCode: String
  var model: any NodeModel
  /// The node; nil after the pipeline has released the node.
  var node: (any TreeNode<PipelineRow>)?
  let code: String
  let variables: [NodeVariable]
  /// The contents that the node should show; nil after any model has changed.
  var contents: NaiveTree<PipelineRow>?
  /// The rows that the node showed at any time in this step, and the rows that it showed in several places.
  var staying = PipelinePlaces()
  /// The ids of rows that identified no row in the node at some time in this step.
  var ambiguous: Set<Int> = []
  /// For each node from which this node derives: its direct dependents on the way to this node, at any time in this
  /// step.
  var ways: [NodeNumber: Set<NodeNumber>] = [:]
  /// For each row's id: the views between the row's owner and this node that report only their own moves. They are the
  /// views of the first time that the row was found in this step.
  var views: [Int: [NodeNumber]] = [:]
  /// The views whose own settings were changed in this step, and from which this node derived after the change.
  var settings: Set<NodeNumber> = []

  init(
    number: NodeNumber, kind: String, typeCode: String, model: any NodeModel, node: any TreeNode<PipelineRow>,
    code: String, variables: [NodeVariable]
  ) {
    self.number = number
    self.kind = kind
    self.typeCode = typeCode
    self.model = model
    self.node = node
    self.code = code
    self.variables = variables
  }
}
