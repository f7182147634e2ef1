@testable import Assemblage
import Foundation
import TestSupport
import Testing

/// A path traps if it leads nowhere, or if nothing can be written at its end.
@Suite struct PathMisuseTests: MisuseSuite {
  static let misuses = [
    Misuse("The path [1, 2] is out of range: there are 2 children at [1].") {
      _ = BranchNode([ArrayNode([1]), ArrayNode([2, 3])])[[1, 2]]
    },
    Misuse("The path [1, 0, 0] is out of range: there is 1 child at [].") {
      _ = BranchNode([ArrayNode([1])])[[1, 0, 0]]
    },
    Misuse("The path [0, 0, 0] leads through [0, 0], which is a leaf.") {
      _ = BranchNode([ArrayNode([1])])[[0, 0, 0]]
    },
    Misuse("ArrayNode: the position 2 of an insertion is out of range 0...1.") {
      BranchNode([ArrayNode([1])]).insert(2, at: [0, 2])
    },
    Misuse("The path [] is the node itself, not a child that could be written.") {
      BranchNode([ArrayNode([1])]).remove(at: [])
    },
    Misuse("The path [-1] is out of range: there is 1 child at [].") { _ = ArrayNode([1])[[-1]] },
    Misuse("The path [1, 0] is out of range: there is 1 child at [].") {
      BranchNode([ArrayNode([1])]).remove(at: [1, 0])
    },
    Misuse("ArrayNode: the position 1 is out of range 0..<1.") {
      BranchNode([ArrayNode([1])]).replace(at: [0, 1], with: 2)
    },
    Misuse("ArrayNode: the position 1 is out of range 0..<1.") {
      BranchNode([ArrayNode([1])]).move(from: [0, 1], to: [0, 0])
    },
    Misuse("ArrayNode: the position 1 is out of range 0..<1.") {
      BranchNode([ArrayNode([1])]).move(from: [0, 0], to: [0, 1])
    },
    Misuse("The path [0, 0] leads into a ProviderNode<Int>, which cannot be written.") {
      BranchNode([ProviderNode(count: 1) { $0 }]).insert(2, at: [0, 0])
    },
    Misuse("JoinNode: its member 1 is a ProviderNode<Int>, which cannot be written.") {
      JoinNode<Int>([ArrayNode([1]), ProviderNode(count: 1) { $0 }]).remove(at: [1])
    },
    Misuse("FilterNode: its source is a ProviderNode<Int>, which cannot be written.") {
      FilterNode(ProviderNode(count: 1) { $0 }) { _ in true }.replace(at: [0], with: 1)
    },
    Misuse("JoinNode: nothing can be inserted, because it shows no member,") { JoinNode<Int>().insert(1, at: [0]) },
    Misuse("SingleNode: it has a child already and cannot hold a second one.") { SingleNode(1).insert(2, at: [1]) },
    Misuse("BranchNode: its child 0 is an ArrayNode<Int>, which has no value that could be replaced.") {
      BranchNode([ArrayNode([1])]).replace(at: [0], with: 2)
    },
    Misuse("ArrayNode<Int>: its children are elements; it cannot take the node ArrayNode [") {
      BranchNode([BranchNode([ArrayNode([1])]), ArrayNode([2])]).move(from: [0, 0], to: [1, 0])
    },
    Misuse("The path [0, 0, 0] is out of range: there are 0 children at [] besides the one that moves.") {
      BranchNode([BranchNode<Int>([BranchNode()])]).move(from: [0], to: [0, 0, 0])
    },
    Misuse("The child at [0] cannot move into itself, to [0, 0].") {
      BranchNode([BranchNode<Int>([BranchNode()])]).move([0], into: [0, 0], at: 0)
    },
    Misuse("The position 2 is out of range: there is 1 child at [1].") {
      BranchNode([ArrayNode([1]), ArrayNode([2])]).move([0, 0], into: [1], at: 2)
    },
    Misuse("ArrayNode<Int>: its children are elements; it cannot take the node ArrayNode [") {
      JoinNode<Int>([BranchNode([ArrayNode([1])]), ArrayNode([2])]).move(from: 0, to: 1)
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
