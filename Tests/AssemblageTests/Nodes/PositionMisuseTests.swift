@_spi(NodeAuthors) @testable import Assemblage
import TestSupport
import Testing

/// A position, a range or a count out of range traps.
@Suite struct PositionMisuseTests: MisuseSuite {
  static let misuses = [
    // MARK: Positions
    Misuse("ArrayNode: the position 2 is out of range 0..<2.") { _ = ArrayNode([1, 2])[2] },
    Misuse("ArrayNode: the position 3 of an insertion is out of range 0...2.") { ArrayNode([1, 2]).insert(3, at: 3) },
    Misuse("ArrayNode: the range 1..<4 is out of range 0..<2.") { ArrayNode([1, 2]).replaceSubrange(1..<4, with: []) },
    Misuse("ArrayNode: the position -1 is out of range 0..<1.") { ArrayNode([1])[-1] = 2 },
    Misuse("ArrayNode: the position 1 is out of range 0..<1.") { ArrayNode([1]).remove(at: 1) },
    Misuse("ArrayNode: the position 0 is out of range 0..<0.") { ArrayNode<Int>().removeFirst() },
    Misuse("ArrayNode: the position -1 is out of range 0..<0.") { ArrayNode<Int>().removeLast() },
    Misuse("ArrayNode: the range ..<2 is out of range 0..<1.") { ArrayNode([1]).removeSubrange(..<2) },
    Misuse("ArrayNode: the range -1..<1 is out of range 0..<1.") { ArrayNode([1]).removeSubrange(-1..<1) },
    Misuse("ArrayNode: the position 2 of an insertion is out of range 0...1.") {
      ArrayNode([1]).insert(contentsOf: [], at: 2)
    },
    Misuse("ArrayNode: the position 1 is out of range 0..<1.") { ArrayNode([1]).move(from: 0, to: 1) },
    Misuse("ArrayNode: the position 1 is out of range 0..<1.") { ArrayNode([1]).move(from: 1, to: 0) },
    Misuse("ArrayNode: the position 1 is out of range 0..<1.") { ArrayNode([1]).swapAt(0, 1) },
    Misuse("ArrayNode: the position 1 is out of range 0..<1.") { ArrayNode([1]).update(at: 1) },
    Misuse("ArrayNode: the position 1 is out of range 0..<1.") { ArrayNode([1]).update(at: 1) { $0 = 2 } },
    Misuse("ArrayNode: the position 1 is out of range 0..<1.") { ArrayNode([1]).replace(at: 1, with: 2) },
    Misuse("ArrayNode: the range 0..<2 is out of range 0..<1.") { ArrayNode([1]).forEachSpan(in: 0..<2) { _, _ in } },
    Misuse("BranchNode: the position 1 is out of range 0..<1.") { _ = BranchNode(leaves: [1])[1] },
    Misuse("JoinNode: the position 1 is out of range 0..<1.") { _ = JoinNode([ArrayNode([1])]).locate(1) },
    Misuse("JoinNode's members: the position 1 is out of range 0..<1.") {
      JoinNode([ArrayNode([1])]).removeMember(at: 1)
    },
    Misuse("JoinNode's member: the position 1 is out of range 0..<1.") {
      _ = JoinNode([ArrayNode([1])]).position(of: 1, inMember: 0)
    },
    Misuse("FilterNode: the position 1 is out of range 0..<1.") {
      _ = FilterNode(ArrayNode([1, 2])) { $0 > 1 }.sourcePosition(of: 1)
    },
    Misuse("FilterNode's source: the position 2 is out of range 0..<2.") {
      _ = FilterNode(ArrayNode([1, 2])) { $0 > 1 }.position(ofSource: 2)
    },
    Misuse("FilterNode's source: the range 1..<3 is out of range 0..<2.") {
      FilterNode(ArrayNode([1, 2])) { $0 > 1 }.refresh(1..<3)
    },
    Misuse("SingleNode: the position 1 is out of range 0..<1.") { SingleNode(1).replace(at: 1, with: 2) },
    Misuse("ProviderNode: the range 2..<4 is out of range 0..<3.") {
      ProviderNode(count: 3) { $0 }.forEachSpan(in: 2..<4) { _, _ in }
    },
    Misuse("BranchNode: the position 2 of an insertion is out of range 0...1.") {
      BranchNode(leaves: [1]).insert(.leaf(2), at: 2)
    },
    Misuse("BranchNode: the position 1 is out of range 0..<1.") { BranchNode(leaves: [1]).remove(at: 1) },
    Misuse("BranchNode: the position 1 is out of range 0..<1.") { BranchNode(leaves: [1]).move(from: 0, to: 1) },
    Misuse("BranchNode: the position -1 is out of range 0..<1.") {
      BranchNode(leaves: [1]).replace(at: -1, with: .leaf(2))
    },
    Misuse("JoinNode's members: the position 1 of an insertion is out of range 0...0.") {
      JoinNode<Int>().insertMember(ArrayNode<Int>(), at: 1)
    },
    Misuse("JoinNode's members: the position 1 is out of range 0..<1.") {
      JoinNode<Int>([ArrayNode([1])]).moveMember(from: 0, to: 1)
    },
    Misuse("JoinNode: the position 1 is out of range 0..<1.") { JoinNode<Int>([ArrayNode([1])]).move(from: 0, to: 1) },
    Misuse("JoinNode: the position 2 of an insertion is out of range 0...1.") {
      JoinNode<Int>([ArrayNode([1])]).insert(2, at: 2)
    },
    Misuse("FilterNode: the position 1 of an insertion is out of range 0...0.") {
      FilterNode(ArrayNode([1])) { _ in false }.insert(2, at: 1)
    },
    Misuse("FilterNode: the position 0 is out of range 0..<0.") {
      FilterNode(ArrayNode([1])) { _ in false }.remove(at: 0)
    },
    Misuse("SingleNode: the position 0 is out of range 0..<0.") { SingleNode<Int>().remove(at: 0) },
    Misuse("SingleNode: the position 1 is out of range 0..<1.") { SingleNode(1).move(from: 0, to: 1) },
    // MARK: Counts
    Misuse("ProviderNode: the count -1 is negative.") { _ = ProviderNode(count: -1) { $0 } },
    Misuse("the announced change reaches beyond the 3 elements there were, or beyond the 1 there are.") {
      ProviderNode(count: 3) { $0 }.announce(.removal(2..<4))
    },
    Misuse("ProviderNode: the count -2 is negative.") { ProviderNode(count: 3) { $0 }.reset(count: -2) },
    Misuse("ProviderNode: the announced change reaches beyond the 3 elements there were, or beyond the 4 there are.") {
      ProviderNode(count: 3) { $0 }.announce(.insertion(4..<5))
    },
    Misuse("ProviderNode: the announced change reaches beyond the 3 elements there were, or beyond the 3 there are.") {
      ProviderNode(count: 3) { $0 }.announce(.update(3..<4))
    },
    Misuse("ProviderNode: the announced change reaches beyond the 3 elements there were, or beyond the 3 there are.") {
      ProviderNode(count: 3) { $0 }.announce(.move(0..<1, to: 3))
    },
    Misuse("sum of sizes does not fit in an Int") {
      let half = ProviderNode(count: Int.max / 2 + 1) { $0 }
      _ = JoinNode([half, half])
    },
    Misuse("sum of sizes does not fit in an Int") {
      let half = ProviderNode(count: Int.max / 2 + 1) { $0 }
      let join = JoinNode([half])
      join.appendMember(half)
    },
    Misuse("sum of sizes does not fit in an Int") {
      let first = ProviderNode(count: Int.max / 2) { $0 }
      let second = ProviderNode(count: Int.max / 2 + 1) { $0 }
      let join = JoinNode([first, second])
      first.announce(.insertion(0..<1))
      _ = join.count
    },
    Misuse("ProviderNode: 2 more elements than 9223372036854775806 would overflow the count.") {
      ProviderNode(count: Int.max - 1) { $0 }.announce(.insertion(0..<2))
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
