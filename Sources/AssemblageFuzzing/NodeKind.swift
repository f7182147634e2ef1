import Assemblage
import AssemblageTesting

/// A variable that a node needs beside itself, such as the data that its closure reads.
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
  ///   - name: its name, which begins with that of the node, as `PipelineDraw.name` gives it.
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
  ///   - model: what the node should show.
  ///   - node: the node.
  ///   - code: a Swift expression that makes the node.
  ///   - variables: the variables that have to stand before it, if any.
  package init(_ model: Model, _ node: Model.Node, code: String, variables: [NodeVariable] = []) {
    self.model = model
    self.node = node
    self.code = code
    self.variables = variables
  }
}

/// Whether an edit can be taken back.
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
  /// It stays, whatever happens.
  case never
  /// It is taken back when the transaction that it is part of throws.
  case onRollback
  /// It is taken back by an `UndoLog`, too.
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
  ///   - reversal: whether the edit can be taken back; edits of nodes of your own cannot, unless they are made of others.
  ///   - plan: changes the model, and returns what does the same to the node; nil where there is no place for the edit.
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
  ///   - code: the Swift statements that do it, with the node's name as `PipelineDraw.name` gives it.
  ///   - replaced: the ids of the rows that it takes out and puts in again as others, so that they do not survive it.
  ///   - isComposite: whether the node tells of it with several changes.
  ///   - run: does it.
  package init(
    _ code: String, replacing replaced: Set<Int> = [], isComposite: Bool = false, run: @escaping (Node) -> Void
  ) {
    self.code = code
    self.replaced = replaced
    self.isComposite = isComposite
    self.run = run
  }
}

/// A kind of node, as a pipeline fuzzer makes and edits it.
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

/// A step with the model as it is afterwards, and the node it is for.
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
  /// The node; nil where the pipeline has let go of it.
  var node: (any TreeNode<PipelineRow>)?
  let code: String
  let variables: [NodeVariable]
  /// What the node should show, as long as no model has changed.
  var contents: NaiveTree<PipelineRow>?
  /// The rows that stood in the node at any time in this step, and those that stood in several places.
  var standing = PipelinePlaces()
  /// The ids of rows that told nothing in the node at any time in this step.
  var ambiguous: Set<Int> = []
  /// The nodes through which each node that it derives from came to it at any time in this step.
  var ways: [NodeNumber: Set<NodeNumber>] = [:]
  /// The views with elements of their own through which each row first came to it in this step, by the rows' ids.
  var views: [Int: [NodeNumber]] = [:]
  /// The views from which it derived in the step after their own settings had been changed.
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
