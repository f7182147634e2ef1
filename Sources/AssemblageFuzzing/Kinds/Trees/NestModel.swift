import Assemblage
import AssemblageTesting

/// The model of a `NestNode`: its source, and the two closures that give the id and the parent id of a row.
///
/// The model gives no route for writes. In a nest, a path through a child of the source that is a node leads nowhere.
struct NestModel: WholeModel {
  typealias Node = NestNode<PipelineRow, Int>

  /// An id that can be printed as Swift code.
  enum ID: Int, CaseIterable {
    case own, some, changing

    var code: String {
      switch self {
      case .own: "{ $0.id }"
      case .some: "{ $0.id % 13 }"
      case .changing: "{ ($0.id + $0.version) % 11 }"
      }
    }

    var of: (PipelineRow) -> Int {
      switch self {
      case .own: { $0.id }
      case .some: { $0.id % 13 }
      case .changing: { ($0.id + $0.version) % 11 }
      }
    }
  }

  /// A parent id that can be printed as Swift code.
  enum Parent {
    case neighbor, some, any
    /// The parent id of the rows of a `MovingWorld`.
    case named

    /// The parent ids that pipelines draw.
    static let drawn: [Parent] = [.neighbor, .some, .any]

    var code: String {
      switch self {
      case .neighbor: "{ $0.version % 3 == 2 ? nil : $0.id - 1 - $0.version }"
      case .some: "{ ($0.id + $0.version) % 4 == 0 ? nil : ($0.id * 3 + $0.version) % 13 }"
      case .any: "{ ($0.id / 2 + $0.version * 5) % 11 }"
      case .named: MovingWorld.parentCode
      }
    }

    var of: (PipelineRow) -> Int? {
      switch self {
      case .neighbor: { $0.version % 3 == 2 ? nil : $0.id - 1 - $0.version }
      case .some: { ($0.id + $0.version) % 4 == 0 ? nil : ($0.id * 3 + $0.version) % 13 }
      case .any: { ($0.id / 2 + $0.version * 5) % 11 }
      case .named: MovingWorld.parent
      }
    }
  }

  static let kind = "nest"
  static let childKind = "nestChild"
  static let reportsOwnMovesOnly = true
  static let typeCode = "NestNode<PipelineRow, Int>"
  // If a child of the source is a node without a value, the nest has a row without a value.
  static let hasEmptyLeaves = true

  var source: NodeNumber
  var id: ID
  var parent: Parent

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    guard let source = draw.source() else { return nil }
    let id = ID.allCases[draw.number(below: ID.allCases.count)]
    let parent = Parent.drawn[draw.number(below: Parent.drawn.count)]
    return NodeDraft(
      NestModel(source: source, id: id, parent: parent), NestNode(draw.node(source), id: id.of, parent: parent.of),
      code: "\(typeCode)(\(draw.name(source)), id: \(id.code), parent: \(parent.code))")
  }

  var sources: [NodeNumber] { [source] }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    let tree = contents(source)
    return NaiveTree(
      value: tree.value, children: NaiveNest(tree.children.map(\.value), id: id.of, parent: parent.of).trees())
  }

  func contents(
    ofChild id: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>
  ) -> NaiveTree<PipelineRow>? {
    let tree = self.contents(contents)
    return tree.paths.dropFirst().first { tree[$0].value?.id == id }.map { tree[$0] }
  }

  // A row without children is a leaf, but its node is kept. So the row only has to be in the list once.
  func holds(child id: Int, of source: NodeNumber, in run: PipelineRun) -> Bool {
    var list = source
    while let sort = run.specimens[list]?.model as? SortModel { list = sort.source }
    guard let model = run.specimens[list]?.model, model is ArrayModel || model is any OwnTreeModel else { return false }
    return run.contents(of: list).children.count { $0.value?.id == id } == 1
  }

  static var edits: [NodeEdit<Self>] {
    [
      NodeEdit("refresh", reversal: .onRollback) { _, draw in
        NodeStep("\(draw.name).refresh()") { $0.refresh() }
      }
    ]
  }
}
