import Assemblage
import Foundation
import TestSupport
import Testing

@Suite struct SelectionModelTests: MisuseSuite {
  @Test func theExamplesHold() {
    let names = ArrayNode(["Ada", "Bob", "Cy", "Dee"])
    let sorted = SortNode(names, by: <)
    let selection = SelectionModel(of: sorted)
    selection.select(1)
    selection.extend(to: 2)
    names.insert("Abe", at: 0)
    #expect(selection.selectedRanges == [2..<4])
    names.remove(at: 2)
    #expect(selection.selectedRanges == [2..<3])

    let long = FilterNode(names) { $0.count > 2 }
    let kept = SelectionModel(of: long, id: { $0 })
    kept.select(1)
    long.setPredicate { $0.hasPrefix("D") }
    #expect(kept.absentIDs == ["Ada"] && kept.selectedCount == 0)
    long.setPredicate { _ in true }
    #expect(kept.selectedRanges == [1..<2] && kept.selectedIDs == ["Ada"] && kept.absentIDs.isEmpty)
  }

  @Test func theExampleOfExtendingHolds() {
    let selection = SelectionModel(of: ArrayNode(0..<9))
    selection.select(4)
    selection.extend(to: 6)
    #expect(selection.selectedRanges == [4..<7])
    selection.extend(to: 3)
    #expect(selection.selectedRanges == [3..<5] && selection.anchorRow == 4)
    // Other selected rows stay selected, unless an extension passes over them.
    selection.select(8)
    selection.extend(to: 7)
    #expect(selection.selectedRanges == [3..<5, 7..<9] && selection.anchorRow == 8)
  }

  @Test func everyEditSelectsWhatItSays() {
    let selection = SelectionModel(of: ArrayNode(0..<200))
    var received = 0
    let token = selection.observe { received += 1 }
    selection.extend(to: 5)
    #expect(selection.selectedRanges == [5..<6] && selection.anchorRow == 5 && received == 1)
    selection.toggle(7)
    selection.toggle(5)
    #expect(selection.selectedRanges == [7..<8] && selection.anchorRow == 5 && received == 3)
    selection.select(100..<180)
    #expect(selection.selectedRanges == [7..<8, 100..<180] && selection.selectedCount == 81 && received == 4)
    selection.extend(to: 101)
    #expect(selection.selectedRanges == [7..<8, 100..<102] && received == 5)
    selection.deselect(0..<101)
    #expect(selection.selectedRanges == [101..<102] && selection.selectedRow == 101 && received == 6)
    selection.select(only: 3)
    #expect(
      selection.selectedRanges == [3..<4] && selection.isSelected(3) && !selection.isSelected(101) && received == 7)
    selection.selectAll()
    #expect(selection.selectedRanges == [0..<200] && selection.anchorRow == 3 && received == 8)
    selection.deselectAll()
    #expect(
      selection.selectedRanges.isEmpty && selection.selectedRow == nil && selection.anchorRow == nil && received == 9)
    // Nothing changes, so no observer is notified.
    selection.deselectAll()
    selection.deselect(4)
    selection.select(3..<3)
    #expect(received == 9 && selection.anchorRow == 4)
    #expect(!selection.isSelected(-1) && !selection.isSelected(200))
    token.cancel()
    token.cancel()
    selection.select(1)
    #expect(received == 9)
  }

  @Test func aSingleSelectionHasOneRow() {
    let names = ArrayNode(["a", "b", "c"])
    let selection = SelectionModel(of: names, mode: .single, id: { $0 })
    selection.select(0)
    selection.select(2)
    #expect(selection.selectedRanges == [2..<3] && selection.mode == .single)
    selection.extend(to: 1)
    #expect(selection.selectedRanges == [1..<2])
    selection.toggle(1)
    #expect(selection.selectedCount == 0)
    selection.select(0..<1)
    names.remove(at: 0)
    #expect(selection.selectedCount == 0 && selection.absentIDs == ["a"])
    // If another row is selected, the absent row is not kept any more.
    selection.select(1)
    names.append("a")
    #expect(selection.selectedIDs == ["c"] && selection.absentIDs.isEmpty)
    selection.select(ids: ["x", "c", "b"])
    #expect(selection.selectedIDs == ["b"] && selection.absentIDs.isEmpty)
  }

  @Test func aStoredSelectionIsRestored() {
    let names = ArrayNode(["a", "b", "c", "b"])
    let selection = SelectionModel(of: names, id: { $0 })
    selection.select(ids: ["b", "x"])
    #expect(selection.selectedRanges == [1..<2] && selection.absentIDs == ["x"])
    names.replaceAll(with: ["x", "d"], id: { $0 })
    #expect(selection.selectedRanges == [0..<1] && selection.absentIDs == ["b"])
    selection.forgetAbsentIDs()
    names.append("b")
    #expect(selection.selectedRanges == [0..<1] && selection.absentIDs.isEmpty)
  }

  @Test func anUpdatedRowStaysSelectedUnderItsNewID() {
    let names = ArrayNode(["a", "b"])
    let selection = SelectionModel(of: names, id: { $0 })
    selection.select(1)
    names[1] = "c"
    #expect(selection.selectedIDs == ["c"])
    names.remove(at: 1)
    names[0] = "c"
    #expect(selection.selectedRanges == [0..<1] && selection.absentIDs.isEmpty)
  }

  @Test func rowsOfAnOutlineComeBackWhenTheirParentIsExpanded() {
    let notes = BranchNode(value: "notes", leaves: ["a", "b"])
    let outline = OutlineNode(BranchNode(value: "home", [.leaf("x"), .node(notes)]), id: { $0 })
    let selection = SelectionModel(of: outline, id: { $0 })
    var received = 0
    let token = selection.observe { received += 1 }
    outline.expand(row: 1)
    selection.select(3)
    outline.collapse(row: 1)
    #expect(selection.selectedCount == 0 && selection.absentIDs == ["b"] && received == 2)
    notes.insert(.leaf("0"), at: 0)
    outline.expand(row: 1)
    #expect(selection.selectedRanges == [4..<5] && received == 3)
    token.cancel()
  }

  // MARK: When it follows

  /// Identifiable elements need no closure for their ids: a search does not remove them from the selection.
  @Test func identifiableRowsAreKeptBehindASearch() {
    struct Person: Identifiable {
      let id: String
    }
    let people = FilterNode(ArrayNode(["Ada", "Bob"].map(Person.init))) { _ in true }
    let selection = SelectionModel(of: people)
    selection.select(1)
    people.setPredicate { $0.id == "Ada" }
    #expect(selection.selectedCount == 0 && selection.absentIDs == ["Bob"])
    people.setPredicate { _ in true }
    #expect(selection.selectedIDs == ["Bob"])
    let plain: SelectionModel<Person, Never> = SelectionModel(of: people)
    plain.select(1)
    people.setPredicate { $0.id == "Ada" }
    people.setPredicate { _ in true }
    #expect(plain.selectedCount == 0)
  }

  @Test func itIsNeverBehindItsNode() {
    let names = ArrayNode(["a", "b", "c"])
    // This observer is notified first, and reads the selection before the selection is notified.
    var rows: [Range<Int>] = []
    var look: () -> Void = {}
    let early = names.observe { _ in look() }
    let selection = SelectionModel(of: names)
    look = { rows = selection.selectedRanges }
    selection.select(2)
    names.remove(at: 0)
    #expect(rows == [1..<2])
    var received: [Int] = []
    let token = selection.observe { received.append(selection.selectedCount) }
    names.performUpdates {
      names.insert("z", at: 0)
      #expect(selection.selectedRanges == [2..<3])
      names.remove(at: 2)
      #expect(selection.selectedCount == 0 && received.isEmpty)
      names.insert("y", at: 0)
    }
    // The loss was found inside the transaction, and is reported once, at its end.
    #expect(received == [0])
    early.cancel()
    token.cancel()
  }

  struct Stop: Error {}

  @Test func aTransactionThatIsRolledBackLeavesItAsItWas() {
    let names = ArrayNode(["a", "b", "c"])
    let plain = SelectionModel(of: names)
    let kept = SelectionModel(of: names, id: { $0 })
    plain.select(1)
    kept.select(1)
    #expect(throws: Stop.self) {
      try names.performUpdates {
        names.removeAll()
        throw Stop()
      }
    }
    #expect(plain.selectedRanges == [1..<2] && kept.selectedRanges == [1..<2])
    #expect(throws: Stop.self) {
      try names.performUpdates {
        names.insert("z", at: 0)
        #expect(kept.selectedRanges == [2..<3])
        names.remove(at: 2)
        #expect(plain.selectedCount == 0 && kept.absentIDs == ["b"])
        throw Stop()
      }
    }
    #expect(plain.selectedCount == 0 && kept.selectedRanges == [1..<2] && kept.absentIDs.isEmpty)
    names.remove(at: 0)
    #expect(kept.selectedRanges == [0..<1])
  }

  /// A row that left returns, after all rows, of which there was one, have been selected.
  @Test func allRowsOfASingleSelectionAreOne() {
    let names = ArrayNode(["a", "b"])
    let shown = FilterNode(names) { _ in true }
    let selection = SelectionModel(of: shown, mode: .single, id: { $0 })
    selection.select(0)
    shown.setPredicate { $0 == "b" }
    selection.selectAll()
    shown.setPredicate { _ in true }
    #expect(selection.selectedIDs == ["b"])
    names.removeAll()
    selection.selectAll()
    #expect(selection.selectedCount == 0 && selection.absentIDs == ["b"])
  }

  @Test func observersMayChangeTheSelectionAndLeave() {
    let names = ArrayNode(["a", "b", "c"])
    let selection = SelectionModel(of: names, mode: .single)
    selection.select(1)
    var second: NodeObservation?
    var received = 0
    // This observer selects a row whenever none is selected.
    let first = selection.observe {
      second?.cancel()
      if selection.selectedCount == 0, names.count > 0 { selection.select(0) }
    }
    second = selection.observe { received += 1 }
    names.remove(at: 1)
    #expect(selection.selectedRanges == [0..<1] && received == 0)
    first.cancel()
  }

  // MARK: Misuse

  static let misuses = [
    Misuse("SelectionModel: the position 1 is out of range 0..<1.") { SelectionModel(of: ArrayNode([1])).select(1) },
    Misuse("SelectionModel: the position -1 is out of range 0..<1.") {
      SelectionModel(of: ArrayNode([1])).select(only: -1)
    },
    Misuse("SelectionModel: the range 0..<2 is out of range 0..<1.") {
      SelectionModel(of: ArrayNode([1])).select(0..<2)
    },
    Misuse("SelectionModel: the position 1 is out of range 0..<1.") { SelectionModel(of: ArrayNode([1])).deselect(1) },
    Misuse("SelectionModel: the range -1..<1 is out of range 0..<1.") {
      SelectionModel(of: ArrayNode([1])).deselect(-1..<1)
    },
    Misuse("SelectionModel: the position 1 is out of range 0..<1.") { SelectionModel(of: ArrayNode([1])).toggle(1) },
    Misuse("SelectionModel: the position 1 is out of range 0..<1.") {
      SelectionModel(of: ArrayNode([1])).extend(to: 1)
    },
    Misuse("SelectionModel: 2 rows cannot be selected, because the mode is single.") {
      SelectionModel(of: ArrayNode([1, 2]), mode: .single).selectAll()
    },
    Misuse("SelectionModel: 2 rows cannot be selected, because the mode is single.") {
      SelectionModel(of: ArrayNode([1, 2]), mode: .single).select(0..<2)
    },
    Misuse("SelectionModel: there are no ids, because the selection was made without them.") {
      SelectionModel(of: ArrayNode([1])).select(ids: [])
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
