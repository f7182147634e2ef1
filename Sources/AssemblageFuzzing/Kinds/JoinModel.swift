import Assemblage
import AssemblageTesting

/// The model of a `JoinNode`: its members.
struct JoinModel: NodeModel {
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

  var sources: [NodeNumber] { members }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    var children: [NaiveTree<PipelineRow>] = []
    for member in members { children += contents(member).children }
    return NaiveTree(value: nil, children: children)
  }

  static var edits: [NodeEdit<Self>] {
    [
      NodeEdit("insertMember", reversal: .always) { model, draw in
        guard let member = draw.source() else { return nil }
        let ordinal = draw.number(below: model.members.count + 1)
        let node = draw.node(member)
        model.members.insert(member, at: ordinal)
        return NodeStep("\(draw.name).insertMember(\(draw.name(member)), at: \(ordinal))") {
          $0.insertMember(node, at: ordinal)
        }
      },
      NodeEdit("removeMember", reversal: .always) { model, draw in
        guard !model.members.isEmpty else { return nil }
        let ordinal = draw.number(below: model.members.count)
        model.members.remove(at: ordinal)
        return NodeStep("\(draw.name).removeMember(at: \(ordinal))") { $0.removeMember(at: ordinal) }
      },
      // The new member may show rows that the former one did.
      NodeEdit("replaceMember", reversal: .always) { model, draw in
        guard !model.members.isEmpty, let member = draw.source() else { return nil }
        let ordinal = draw.number(below: model.members.count)
        let node = draw.node(member)
        let replaced = draw.contents(model.members[ordinal]).ids.intersection(draw.contents(member).ids)
        model.members[ordinal] = member
        return NodeStep(
          "\(draw.name).replaceMember(at: \(ordinal), with: \(draw.name(member)))", replacing: replaced
        ) {
          $0.replaceMember(at: ordinal, with: node)
        }
      },
      NodeEdit("moveMember", reversal: .always) { model, draw in
        guard !model.members.isEmpty else { return nil }
        let (ordinal, destination) = (
          draw.number(below: model.members.count), draw.number(below: model.members.count)
        )
        model.members.moveElement(from: ordinal, to: destination)
        return NodeStep("\(draw.name).moveMember(from: \(ordinal), to: \(destination))") {
          $0.moveMember(from: ordinal, to: destination)
        }
      },
    ]
  }

  // MARK: Writing

  /// The ordinal of the member that holds a position, and where its children begin.
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
    guard range.contains(destination) else { return .removingAndInserting }
    return .source(members[ordinal], from: position - range.lowerBound, to: destination - range.lowerBound)
  }
}
