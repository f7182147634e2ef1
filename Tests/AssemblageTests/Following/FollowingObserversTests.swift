import Assemblage
import AssemblageTesting
import Foundation
import Testing

/// Observers of an index, a tracker or a selection.
@Suite struct FollowingObserversTests {
  private struct Stop: Error {}

  @Test func anIndexTellsOfTransactionsThatChangedATotal() {
    let work = BranchNode(value: "work", leaves: ["memo", "report"])
    let home = BranchNode(value: "home", leaves: ["letter"])
    let tree = BranchNode([work, home])
    let lengths = AggregateIndex(of: tree, .sum(\.count))
    var received: [(change: ChangeSet, total: Int)] = []
    let token = lengths.observe { received.append(($0, lengths.total)) }
    tree.insert("note", at: [1, 0])
    #expect(received.count == 1 && received[0].change.paths.insertions == [[1, 0]] && received[0].total == 28)
    // A transaction has several edits, and the index is read between them.
    tree.performUpdates {
      work.append(.leaf("ab"))
      #expect(lengths.total == 30)
      work.append(.leaf("c"))
    }
    #expect(
      received.count == 2 && received[1].change.paths.insertions == [[0, 2], [0, 3]] && received[1].total == 31)
    // The index is read inside the transaction, after its last edit.
    tree.performUpdates {
      work.remove(at: 3)
      _ = lengths.total
    }
    #expect(received.count == 3 && received[2].total == 30)
    // Neither another order nor another value of the same length changes a total.
    work.move(from: 0, to: 1)
    tree.replace(at: [1, 0], with: "Note")
    #expect(received.count == 3)
    tree.move(from: [0, 0], to: [1, 0])
    #expect(received.count == 4 && lengths.total == 30)
    try? tree.performUpdates {
      work.append(.leaf("x"))
      throw Stop()
    }
    #expect(received.count == 4)
    token.cancel()
    work.append(.leaf("y"))
    #expect(received.count == 4)
  }

  /// An observer that begins in the middle of a transaction receives no change of before.
  @Test func anObserverReceivesOnlyWhatComesLater() {
    let numbers = ArrayNode([1])
    let sum = AggregateIndex(of: numbers, .sum { $0 })
    let selection = SelectionModel(of: numbers, id: { $0 })
    selection.select(0)
    var received: [ChangeSet] = []
    var selectionCalls = 0
    var tokens: [NodeObservation] = []
    numbers.performUpdates {
      numbers[0] = 2
      tokens = [sum.observe { received.append($0) }, selection.observe { selectionCalls += 1 }]
    }
    #expect(received.isEmpty && selectionCalls == 0)
    numbers.append(3)
    #expect(received == [ChangeSet(Delta(insertions: [1..<2]))])
    withExtendedLifetime(tokens) {}
  }

  @Test func aFormTellsWhetherItIsValid() {
    let form = BranchNode([BranchNode(leaves: ["Ada", ""])])
    let invalid = AggregateIndex(of: form, .sum { $0.isEmpty ? 1 : 0 })
    var received: [Bool] = []
    let token = invalid.observe { _ in received.append(invalid.total == 0) }
    form.replace(at: [0, 1], with: "Lovelace")
    form.replace(at: [0, 1], with: "King")
    form.replace(at: [0, 0], with: "")
    #expect(received == [true, false])
    token.cancel()
  }

  @Test func aTrackerTellsWhatWasChangedAndMarked() {
    let list = ArrayNode(["a", "b"])
    let changes = ChangeTracker(of: list)
    var received: [Int] = []
    let token = changes.observe { _ in received.append(changes.changedCount()) }
    list.replace(at: 0, with: "A")
    list.replace(at: 0, with: "AA")
    list.append("c")
    changes.markUnchanged(at: [0])
    changes.markUnchanged()
    changes.markUnchanged()
    #expect(received == [1, 2, 1, 0])
    token.cancel()
  }

  @Test func aSelectionTellsSeveralEditsAsOne() {
    let letters = ArrayNode(["a", "b", "c", "d", "e", "f"])
    let selection = SelectionModel(of: letters)
    selection.select(1)
    var (received, count) = ([SelectionChange](), 0)
    let token = selection.observe { received.append($0) }
    let other = selection.observe { count += 1 }
    selection.performEdits {
      selection.select(only: 3)
      selection.performEdits { selection.extend(to: 4) }
    }
    #expect(received.count == 1 && count == 1)
    #expect(received.last?.selected == [3..<5] && received.last?.deselected == [1..<2])
    // The ranges are positions after the removal.
    letters.remove(at: 0)
    #expect(received.count == 1)
    selection.select(0)
    #expect(received.last?.selected == [0..<1] && received.last?.deselected == [])
    // A selected row that has left is in neither list.
    letters.remove(at: 2)
    #expect(received.count == 3 && received.last?.selected == [] && received.last?.deselected == [])
    selection.performEdits {}
    selection.performEdits { selection.select(0) }
    #expect(received.count == 3 && count == 3)
    #expect(throws: Stop.self) {
      try selection.performEdits {
        selection.deselectAll()
        throw Stop()
      }
    }
    #expect(received.last?.deselected == [0..<1, 2..<3] && received.count == 4)
    token.cancel()
    other.cancel()
  }
}
