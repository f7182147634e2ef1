import Assemblage
import Foundation
import TestSupport
import Testing

/// Flat nodes as collections.
@Suite struct FlatNodeTests: MisuseSuite {
  @Test func theExampleHolds() {
    let numbers = ArrayNode([3, 8, 5, 12])
    let large = FilterNode(numbers) { $0 > 4 }
    #expect(large[0] == 8 && large.first == 8 && large.last { $0 < 10 } == 5)
    var seen: [Int] = []
    for number in large { seen.append(number) }
    #expect(seen == [8, 5, 12] && large.map { $0 * 2 } == [16, 10, 24])
    numbers[0] = 7
    #expect(large.count == 4 && Array(large[1...]) == [8, 5, 12] && large.reversed() == [12, 5, 8, 7])
  }

  @Test func everyFlatNodeIsTheCollectionOfItsElements() {
    let numbers = ArrayNode(0..<1_000)
    func check(_ node: some FlatNode<Int>) {
      let elements = node.elements
      #expect(Array(node) == elements && node.map { $0 } == elements && !node.isEmpty, "\(node)")
      #expect(node.indices == 0..<elements.count && node.first == elements[0] && node.last == elements.last)
      #expect(node.indices.map { node[$0] } == elements && node.dropFirst(3).elementsEqual(elements.dropFirst(3)))
    }
    check(numbers)
    check(FilterNode(numbers) { $0 % 3 == 0 })
    check(SortNode(numbers, by: >))
    check(MapNode(numbers) { $0 + 1 })
    check(SliceNode(numbers, 5..<700))
    check(UniqueNode(numbers, id: { $0 % 300 }))
    check(JoinNode([numbers, ArrayNode([1]), numbers]))
    check(FlattenNode(BranchNode([numbers, ArrayNode([1])])))
    check(FlattenNode(BranchNode([BranchNode([numbers]), ArrayNode([1])]), levels: 2))
    check(SegmentNode([ArrayNode([1]), numbers], selection: 1))
    check(GroupNode(numbers) { $0 % 2 }.section(at: 1))
    check(SingleNode(5))
    check(ProviderNode(count: 300) { $0 * 2 })
    check(OutlineNode(BranchNode(leaves: [1, 2, 3])) { $0 })
    let tree = BranchNode([.node(numbers), .node(BranchNode(value: 7, [.leaf(8), .node(numbers)])), .leaf(9)])
    check(DescendantsNode(tree))
    check(DescendantsNode(tree, .leaves))
    #expect(Array(FilterNode(numbers) { $0 < 0 }).isEmpty && SingleNode<Int>().first == nil)
  }

  @Test func aLoopSeesChangesThatItsBodyMakes() {
    let list = ArrayNode([1, 2, 3, 4])
    var seen: [Int] = []
    for number in list {
      seen.append(number)
      if number == 1 { list.append(5) }
      if number == 5 { list.removeAll() }
    }
    #expect(seen == [1, 2, 3, 4, 5] && list.isEmpty)
  }

  static let misuses = [
    Misuse("JoinNode<Int>: its child 1 is a node without a value, which cannot be read as an element.") {
      _ = JoinNode([BranchNode([.leaf(1), .node(ArrayNode([2]))])])[1]
    },
    Misuse("FilterNode<Int>: its child 1 is a node without a value, which cannot be read as an element.") {
      for _ in FilterNode(BranchNode([.leaf(1), .node(ArrayNode([2])), .leaf(3)]), where: { _ in true }) {}
    },
    Misuse("FilterNode<Int>: the position 1 is out of range 0..<1.") {
      _ = FilterNode(ArrayNode([1])) { _ in true }[1]
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
