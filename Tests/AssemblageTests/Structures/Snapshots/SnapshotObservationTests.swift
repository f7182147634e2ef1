import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Assemblage

@Suite struct SnapshotObservationTests {
  @Test func removedElementsAreFoundInTheFormerState() {
    let numbers = ArrayNode(0..<8)
    let even = FilterNode(numbers) { $0 % 2 == 0 }
    var log: [String] = []
    let token = even.observeSnapshots { old, change, new in
      log.append(
        "-\(change.delta.removals.joined().map { old[$0] }) +\(change.delta.insertions.joined().map { new[$0] })")
    }
    numbers.remove(at: 2)
    numbers.performUpdates {
      numbers.append(10)
      numbers.remove(at: 0)
      numbers.append(11)
    }
    numbers[0] = 12
    #expect(log == ["-[2] +[]", "-[0] +[10]", "-[] +[12]"])
    token.cancel()
    numbers.append(14)
    #expect(log.count == 3)
  }

  /// Each delivery leads from the last reported state to the present one, also where an observer makes changes.
  @Test func statesFollowOneAnother() {
    for iteration in 0..<TestSeed.iterations(50) {
      var generator = TestSeed.generator("snapshot-observation", iteration: iteration)
      let numbers = ArrayNode([1, 2, 3])
      let sorted = SortNode(numbers, by: <)
      var last = sorted.elements
      var deliveries = 0
      let tokens = [
        sorted.observe { _ in if numbers.count % 5 == 0 { numbers.append(numbers.count) } },
        sorted.observeSnapshots { old, change, new in
          deliveries += 1
          #expect(old.elements == last)
          #expect(new.elements == sorted.elements)
          #expect(change.delta.applying(to: old.elements, new: { new[$0] }) == new.elements)
          last = new.elements
        },
      ]
      for _ in 0..<10 {
        numbers.performUpdates {
          for _ in 0..<Int.random(in: 1...3, using: &generator) {
            if Bool.random(using: &generator) || numbers.isEmpty {
              numbers.insert(
                .random(in: 0..<9, using: &generator), at: .random(in: 0...numbers.count, using: &generator))
            } else {
              numbers.remove(at: .random(in: 0..<numbers.count, using: &generator))
            }
          }
        }
      }
      #expect(deliveries > 0 && last == sorted.elements)
      tokens.forEach { $0.cancel() }
    }
  }

  @Test func aTransactionThatThrowsTellsNothing() {
    struct Refusal: Error {}
    let numbers = ArrayNode([1])
    var received: [[Int]] = []
    let token = numbers.observeSnapshots { old, _, new in received.append(old.elements + new.elements) }
    try? numbers.performUpdates { () throws(Refusal) in
      numbers.append(2)
      throw Refusal()
    }
    #expect(received.isEmpty)
    numbers.append(3)
    #expect(received == [[1, 1, 3]])
    token.cancel()
  }

  @Test func treesTellTheirStatesToo() {
    let tree = BranchNode([ArrayNode(["a", "b"])])
    var removed: [String?] = []
    let token = tree.observeSnapshots { old, change, _ in
      removed += change.paths.removals.map { old.value(at: $0) }
    }
    tree.remove(at: [0, 1])
    #expect(removed == ["b"])
    token.cancel()
  }

  @Test func theTokenAloneKeepsTheNode() throws {
    try withLifetimeTracking { tracker in
      let node = ArrayNode(tracker.track(0..<3))
      let view = FilterNode(node) { $0.payload > 0 }
      tracker.expectRelease(of: node, "array")
      tracker.expectRelease(of: view, "filter")
      let token = view.observeSnapshots { _, _, _ in }
      node.remove(at: 1)
      tracker.expectRelease(of: token, "token")
    }
  }
}

/// Snapshots that other threads read while the nodes change.
@MainActor @Suite struct SnapshotThreadTests {
  @Test func snapshotsAreReadElsewhereWhileTheNodeChanges() async {
    let lists = (0..<20).map { list in ArrayNode((0..<500).map { "\(list) \($0)" }, small: 16, chunk: 16) }
    let found = FilterNode(JoinNode(lists)) { $0.hasSuffix("7") }
    let sorted = SortNode(found) { $0 > $1 }
    let letters = GroupNode(found) { $0.count }
    let section = letters.section(at: 0)
    let forest = ForestNode<String>()
    for number in 0..<100 { forest.append("\(number)") }
    for round in 0..<40 {
      let expected = [found.elements, sorted.elements, section.elements, forest.elements]
      let states = [found.snapshot(), sorted.snapshot(), section.snapshot(), TreeSnapshot(of: forest)]
      let readers = (0..<2).map { _ in
        Task.detached(priority: .high) {
          zip(states, expected).allSatisfy { state, expected in
            state.elements == expected && Array(state) == expected
              && state.difference(to: state).isEmpty
          }
        }
      }
      for list in lists {
        list[round] = "\(round) changed 7"
        list.remove(at: 3)
        list.insert("17", at: round)
      }
      forest.insert("below \(round)", at: [round, 0])
      forest.remove(at: [forest.count - 1])
      for reader in readers { #expect(await reader.value) }
    }
  }

  /// The last reference to a snapshot may be released on any thread.
  @Test func snapshotsAreReleasedElsewhere() async {
    let node = ArrayNode((0..<5_000).map { "\($0)" })
    var view: any TreeNode<String> = node
    for _ in 0..<50 { view = FilterNode(view) { _ in true } }
    for _ in 0..<20 {
      let state = TreeSnapshot(of: view)
      let task = Task.detached(priority: .high) { state.count }
      node.append("more")
      #expect(await task.value == node.count - 1)
    }
  }
}
