import AssemblageTesting

/// The model of a node that owns all of its children. A child is written in the node itself, at the child's position.
protocol OwnChildrenModel: NodeModel {}

extension OwnChildrenModel {
  func route(ofChild position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute? {
    .own(position)
  }

  func route(ofInsertion position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute? {
    .own(position)
  }

  func route(
    ofMove position: Int, to destination: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>
  ) -> MovingRoute? { .own }
}

/// The model of a node that holds rows in an order that can be edited freely.
protocol OwnRowsModel: OwnChildrenModel {
  var rows: [PipelineRow] { get set }
}

extension OwnRowsModel {
  /// The model adds no row to this number of rows or more, so that pipelines stay small.
  static var limit: Int { 40 }

  mutating func insert(_ row: PipelineRow, at position: Int) -> Bool {
    guard rows.count < Self.limit else { return false }
    rows.insert(row, at: position)
    return true
  }

  mutating func remove(at position: Int) -> Bool {
    rows.remove(at: position)
    return true
  }

  mutating func replace(at position: Int, with row: PipelineRow) -> Bool {
    rows[position] = row
    return true
  }

  mutating func move(from position: Int, to destination: Int) -> Bool {
    rows.moveElement(from: position, to: destination)
    return true
  }
}
