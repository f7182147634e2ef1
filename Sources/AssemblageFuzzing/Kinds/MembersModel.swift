import Assemblage

/// A node whose members are edited by their ordinals.
protocol MemberNode<Element>: TreeNode {
  func insertMember(_ member: any TreeNode<Element>, at ordinal: Int)
  @discardableResult
  func removeMember(at ordinal: Int) -> any TreeNode<Element>
  @discardableResult
  func replaceMember(at ordinal: Int, with member: any TreeNode<Element>) -> any TreeNode<Element>
}

extension JoinNode: MemberNode {}
extension SegmentNode: MemberNode {}

/// The model of a node that has members.
protocol MembersModel: NodeModel where Node: MemberNode {
  var members: [NodeNumber] { get set }

  /// Updates the model after a change of the members.
  ///
  /// - Parameter former: the former ordinal of each member. A member that replaces another one has the ordinal of that
  ///   one. A new member has nil.
  mutating func followMembers(_ former: [Int?])
}

extension MembersModel {
  var sources: [NodeNumber] { members }

  mutating func followMembers(_ former: [Int?]) {}

  /// The edits of the members.
  ///
  /// - Parameter move: moves a member. Not every node with members can do that.
  /// - Returns: insertion, removal, replacement and move.
  static func memberEdits(
    move: @escaping (_ node: Node, _ ordinal: Int, _ destination: Int) -> Void
  ) -> [NodeEdit<Self>] {
    [
      NodeEdit("insertMember", reversal: .always) { model, draw in
        guard let member = draw.source() else { return nil }
        let ordinal = draw.number(below: model.members.count + 1)
        let node = draw.node(member)
        model.rearrangeMembers { members, former in
          members.insert(member, at: ordinal)
          former.insert(nil, at: ordinal)
        }
        return NodeStep("\(draw.name).insertMember(\(draw.name(member)), at: \(ordinal))") {
          $0.insertMember(node, at: ordinal)
        }
      },
      NodeEdit("removeMember", reversal: .always) { model, draw in
        guard !model.members.isEmpty else { return nil }
        let ordinal = draw.number(below: model.members.count)
        model.rearrangeMembers { members, former in
          members.remove(at: ordinal)
          former.remove(at: ordinal)
        }
        return NodeStep("\(draw.name).removeMember(at: \(ordinal))") { _ = $0.removeMember(at: ordinal) }
      },
      // The new member may show rows that the former member showed.
      NodeEdit("replaceMember", reversal: .always) { model, draw in
        guard !model.members.isEmpty, let member = draw.source() else { return nil }
        let ordinal = draw.number(below: model.members.count)
        let node = draw.node(member)
        let replaced = draw.contents(model.members[ordinal]).ids.intersection(draw.contents(member).ids)
        model.members[ordinal] = member
        return NodeStep(
          "\(draw.name).replaceMember(at: \(ordinal), with: \(draw.name(member)))", replacing: replaced
        ) {
          _ = $0.replaceMember(at: ordinal, with: node)
        }
      },
      NodeEdit("moveMember", reversal: .always) { model, draw in
        guard !model.members.isEmpty else { return nil }
        let (ordinal, destination) = (
          draw.number(below: model.members.count), draw.number(below: model.members.count)
        )
        model.rearrangeMembers { members, former in
          members.moveElement(from: ordinal, to: destination)
          former.moveElement(from: ordinal, to: destination)
        }
        return NodeStep("\(draw.name).moveMember(from: \(ordinal), to: \(destination))") {
          move($0, ordinal, destination)
        }
      },
    ]
  }

  private mutating func rearrangeMembers(_ body: (_ members: inout [NodeNumber], _ former: inout [Int?]) -> Void) {
    var former = members.indices.map(Optional.init)
    body(&members, &former)
    followMembers(former)
  }
}
