import Foundation
import OffsetIndexing
import TestSupport
import Testing

@testable import Assemblage

@Suite struct ListDifferenceTests {
  private struct Row: Hashable {
    var id: Int
    var version = 0
  }

  /// Returns the difference that `Delta` makes of snapshots that share nothing.
  private func naive(_ old: TreeSnapshot<Row>, _ new: TreeSnapshot<Row>) -> Delta {
    Delta(from: old.elements, to: new.elements, id: \.id)
  }

  /// Checks a difference. Applied to the ids and versions, it gives the new list. As many elements survive as in the
  /// naive difference.
  private func check(_ old: TreeSnapshot<Row>, _ new: TreeSnapshot<Row>, _ message: String) {
    let delta = old.difference(to: new, id: \.id).delta
    let fresh = new.elements
    #expect(delta.applying(to: old.elements, new: { fresh[$0] }) == fresh, "\(message): \(delta)")
    let expected = naive(old, new)
    #expect(delta.removals.joined().count == expected.removals.joined().count, "\(message): \(delta), \(expected)")
    #expect(delta.insertions.joined().count == expected.insertions.joined().count, "\(message)")
  }

  /// Random edits of lists with unique ids, seen through filters and joins. A difference leads from each state to each
  /// other state.
  @Test func differencesLeadFromStateToState() {
    for iteration in 0..<TestSeed.iterations(50) {
      var generator = TestSeed.generator("snapshot-difference", iteration: iteration)
      var next = 0
      func row() -> Row {
        next += 1
        return Row(id: next)
      }
      let lists = (0..<3).map { _ in ArrayNode((0..<7).map { _ in row() }, small: 2, chunk: 3) }
      let join = JoinNode(lists)
      let views: [any TreeNode<Row>] = [
        join, FilterNode(join) { $0.id % 3 != 0 || $0.version > 0 }, SortNode(join) { $0.id % 4 < $1.id % 4 },
        SliceNode(join, 2..<9), FilterNode(FilterNode(join) { $0.id % 2 == 0 }) { $0.id % 3 == 0 },
      ]
      var states = views.map { [TreeSnapshot(of: $0)] }
      for _ in 0..<6 {
        let list = lists.randomElement(using: &generator)!
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: list.insert(row(), at: .random(in: 0...list.count, using: &generator))
        case 1 where !list.isEmpty: list.remove(at: .random(in: 0..<list.count, using: &generator))
        case 2 where !list.isEmpty: list[.random(in: 0..<list.count, using: &generator)].version += 1
        case 3 where !list.isEmpty:
          list.move(
            from: .random(in: 0..<list.count, using: &generator), to: .random(in: 0..<list.count, using: &generator))
        case 4: join.moveMember(from: .random(in: 0..<3, using: &generator), to: .random(in: 0..<3, using: &generator))
        default:
          // An element moves from one list to another.
          guard let last = list.elements.last else { continue }
          list.remove(at: list.count - 1)
          lists.randomElement(using: &generator)!.insert(last, at: 0)
        }
        for index in views.indices { states[index].append(TreeSnapshot(of: views[index])) }
      }
      for (index, states) in states.enumerated() {
        for old in states { for new in states { check(old, new, "view \(index)") } }
      }
    }
  }

  /// All pairs of short lists, including lists with an id several times.
  @Test func shortListsMatchANaiveDifference() {
    let lists = (0...3).flatMap { count in
      (0..<3.power(count)).map { code in (0..<count).map { code / 3.power($0) % 3 } }
    }
    for old in lists {
      for new in lists {
        let (first, second) = (TreeSnapshot(leaves: old), TreeSnapshot(leaves: new))
        let delta = first.difference(to: second).delta
        #expect(delta.applying(to: old, new: { new[$0] }) == new)
        #expect(delta.removals.joined().count == Delta(from: old, to: new).removals.joined().count)
      }
    }
  }

  /// A comparison reads only a few chunks, however long the list is.
  @Test func whatIsSharedIsNotAskedAbout() {
    let node = ArrayNode(0..<100_000)
    let filter = FilterNode(JoinNode([node, ArrayNode(200_000..<300_000)])) { $0 % 2 == 0 }
    let before = filter.snapshot()
    node.remove(at: 50_000)
    node.append(400_000)
    var asked = 0
    let delta = before.difference(
      to: filter.snapshot(),
      id: {
        asked += 1
        return $0
      }
    ).delta
    #expect(delta == Delta(removals: [25_000..<25_001], insertions: [49_999..<50_000]))
    #expect(asked > 0 && asked < 20_000, "\(asked)")
    asked = 0
    #expect(
      before.difference(
        to: before,
        id: {
          asked += 1
          return $0
        }
      ).isEmpty)
    #expect(asked == 0)
  }

  /// A member that moves keeps its elements, and the comparison reads none of them.
  @Test func sharedRunsMove() {
    let join = JoinNode((0..<3).map { ArrayNode($0 * 100..<$0 * 100 + 10) })
    let before = join.snapshot()
    join.moveMember(from: 2, to: 0)
    #expect(before.difference(to: join.snapshot()).delta == Delta(moves: [Delta.Move(from: 20..<30, to: 0..<10)]))
  }
}

extension Int {
  fileprivate func power(_ exponent: Int) -> Int { (0..<exponent).reduce(1) { value, _ in value * self } }
}
