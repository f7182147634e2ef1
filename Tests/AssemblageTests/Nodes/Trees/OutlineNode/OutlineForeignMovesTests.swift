@testable import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// A branch moves to another tree and back in one transaction. Outlines of both trees and of their join show it.
@Suite struct OutlineForeignMovesTests {
  private struct Stop: Error {}

  private static let demands: Minimality = [.survivors, .fewestMoves, .acrossParents]

  /// Moves a child from one tree to another.
  private func move(
    _ position: Int, of source: any WritableNode<Row>, to goal: any WritableNode<Row>, at destination: Int
  ) {
    let name = SerialNumber.next()
    let child = source.hub.marking(name) { source.removeChild(at: position) }
    goal.hub.marking(name) { goal.insert(child, at: destination) }
  }

  @Test(arguments: OutlineFaultTests.Source.allCases)
  func aBranchMovesToAnotherTreeAndBack(_ kind: OutlineFaultTests.Source) throws {
    let (first, second) = (try kind(), try kind())
    // The rows of the second tree get other ids.
    second.performUpdates {
      for position in (0..<second.count).reversed() { second.remove(at: position) }
      second.insert(Row(id: 10), at: 0)
    }
    let join = JoinNode([first, second])
    let roots: [any TreeNode<Row>] = [first, second, join]
    let outlines = roots.flatMap { root in
      [ExpansionPolicy.expanded, .collapsed].map {
        OutlineNode(root, expansion: ExpansionState(policy: $0), id: \.id)
      }
    }
    outlines[1].expand(row: 1)
    let shadows = outlines.map { ShadowTree(of: $0, id: \.id, minimality: Self.demands) }
    func transaction(_ body: () -> Void) throws {
      join.performUpdates(body)
      for outline in outlines {
        let fresh = OutlineNode(outline.root, expansion: outline.expansion, id: \.id)
        #expect(outline.rows(in: 0..<outline.count) == fresh.rows(in: 0..<fresh.count))
      }
      for shadow in shadows { try shadow.check() }
    }
    try transaction {
      move(1, of: first, to: second, at: 1)
      move(1, of: second, to: first, at: 2)
    }
    try transaction {
      move(2, of: first, to: second, at: 1)
      move(1, of: second, to: first, at: 2)
    }
    try transaction { first.insert(Row(id: 20), at: [2, 0]) }
    try transaction {
      move(2, of: first, to: second, at: 0)
      second.insert(Row(id: 21), at: [0, 1])
    }
    try transaction {
      move(0, of: second, to: first, at: 0)
      first.insert(Row(id: 22), at: [0, 1])
      move(0, of: first, to: second, at: 0)
      second.insert(Row(id: 23), at: [0, 1])
      move(0, of: second, to: first, at: 1)
    }
    #expect(outlines[0].elements.map(\.id) == [1, 4, 2, 20, 23, 22, 21, 3, 5, 6])
  }

  /// After the rollback, the branch has its former handle or a new one. The outline follows it.
  @Test func aRolledBackMoveLeavesTheRows() throws {
    let first = try ForestNode(rows: [(0, Row(id: 1)), (1, Row(id: 2)), (2, Row(id: 3)), (0, Row(id: 4))])
    let second = ForestNode(leaves: [Row(id: 10)])
    let join = JoinNode([first, second])
    let outline = OutlineNode(first, expansion: ExpansionState(policy: .expanded), id: \.id)
    let shadow = ShadowTree(of: outline, id: \.id, minimality: Self.demands)
    try? join.performUpdates {
      move(0, of: first, to: second, at: 1)
      throw Stop()
    }
    #expect(shadow.deliveryCount == 0 && outline.row(at: 1).hasChildren)
    first.insert(Row(id: 20), at: [0, 0, 1])
    #expect(outline.elements.map(\.id) == [1, 2, 3, 20, 4])
    try shadow.check()
  }
}
