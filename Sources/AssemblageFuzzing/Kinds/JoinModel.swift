import Assemblage
import AssemblageTesting

/// The model of a `JoinNode`: its members.
struct JoinModel: MembersModel {
  typealias Node = JoinNode<PipelineRow>

  static let kind = "join"

  var members: [NodeNumber]

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    let members = draw.sources(below: 4)
    let list = members.map { draw.name($0) }.joined(separator: ", ")
    return NodeDraft(
      JoinModel(members: members), JoinNode(members.map { draw.node($0) }),
      code: "JoinNode<PipelineRow>([\(list)])")
  }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    var children: [NaiveTree<PipelineRow>] = []
    for member in members { children += contents(member).children }
    return NaiveTree(value: nil, children: children)
  }

  static var edits: [NodeEdit<Self>] {
    memberEdits { $0.moveMember(from: $1, to: $2) }
  }

  // MARK: Writing

  /// The ordinal of the member that holds a position, and the range of the member's children in the join.
  private func member(
    holding position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>
  ) -> (ordinal: Int, range: Range<Int>)? {
    var start = 0
    for (ordinal, member) in members.enumerated() {
      let range = start..<start + contents(member).children.count
      if range.contains(position) { return (ordinal, range) }
      start = range.upperBound
    }
    return nil
  }

  func route(ofChild position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute? {
    member(holding: position, contents).map { .source(members[$0.ordinal], position - $0.range.lowerBound) }
  }

  func route(ofInsertion position: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> WritingRoute? {
    if position == 0 { return members.first.map { .source($0, 0) } }
    // A boundary belongs to the member that holds the child before it.
    return member(holding: position - 1, contents).map {
      .source(members[$0.ordinal], position - $0.range.lowerBound)
    }
  }

  func route(
    ofMove position: Int, to destination: Int, _ contents: (NodeNumber) -> NaiveTree<PipelineRow>
  ) -> MovingRoute? {
    guard let (ordinal, range) = member(holding: position, contents) else { return nil }
    guard range.contains(destination) else { return .relocating }
    return .source(members[ordinal], from: position - range.lowerBound, to: destination - range.lowerBound)
  }
}
