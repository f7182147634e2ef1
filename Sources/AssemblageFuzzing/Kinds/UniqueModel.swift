import Assemblage
import AssemblageTesting

/// The model of a `UniqueNode`: its source and its id.
struct UniqueModel: NodeModel {
  typealias Node = UniqueNode<PipelineRow, Int>

  static let kind = "unique"
  static let typeCode = "UniqueNode<PipelineRow, Int>"

  var source: NodeNumber
  /// Rows with equal remainders have the same identity. Rows with a remainder of 0 have no identity.
  var modulus: Int

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    guard let source = draw.source() else { return nil }
    let modulus = 2 + draw.number(below: 5)
    let model = UniqueModel(source: source, modulus: modulus)
    return NodeDraft(
      model, UniqueNode(draw.node(source), id: model.identity),
      code: """
        \(typeCode)(\(draw.name(source))) { \
        ($0.id + $0.version) % \(modulus) == 0 ? nil : ($0.id + $0.version) % \(modulus) }
        """)
  }

  func identity(of row: PipelineRow) -> Int? {
    let remainder = (row.id + row.version) % modulus
    return remainder == 0 ? nil : remainder
  }

  var sources: [NodeNumber] { [source] }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    let tree = contents(source)
    return NaiveTree(value: tree.value, children: visible(contents).map { tree.children[$0] })
  }

  /// The source's positions of the shown children.
  private func visible(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> [Int] {
    var seen: Set<Int> = []
    let children = contents(source).children
    return children.indices.filter { children[$0].value.flatMap(identity).map { seen.insert($0).inserted } ?? true }
  }

  // MARK: Writing

  func route(ofChild position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute? {
    .source(source, visible(contents)[position])
  }

  func route(ofInsertion position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute? {
    .source(source, position == 0 ? 0 : visible(contents)[position - 1] + 1)
  }

  func route(
    ofMove position: Int, to destination: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>
  ) -> MovingRoute? {
    .source(source, from: visible(contents)[position], to: visible(contents)[destination])
  }
}
