import AssemblageTesting
import Observation
import TestSupport
import Testing

@testable import Assemblage

/// Observers and tracked readers that change what they observe, and reads inside transactions.
@Suite struct ReadersThatEditTests: MisuseSuite {
  private typealias Flag = ObservableNodeTests.Flag

  // MARK: Selections

  /// A reader that edits is called when the selection has followed the whole change.
  @Test func aReaderOfASelectionMayEditTheNode() {
    for edit in [{ $0.removeAll() }, { $0.insert("y", at: 0) }] as [(ArrayNode<String>) -> Void] {
      nonisolated(unsafe) let names = ArrayNode(["a", "b"])
      nonisolated(unsafe) let edit = edit
      nonisolated(unsafe) let selection = unsafe SelectionModel(of: names, id: { $0 })
      unsafe selection.select(1)
      withObservationTracking {
        _ = unsafe selection.selectedRanges
      } onChange: {
        unsafe edit(names)
        _ = unsafe selection.selectedCount
      }
      unsafe names.performUpdates {
        unsafe names.insert("x", at: 0)
        unsafe names[2] = "B"
      }
      let isLeft = unsafe names.isEmpty
      #expect(unsafe selection.selectedIDs == (isLeft ? [] : ["B"]))
      #expect(unsafe selection.absentIDs == (isLeft ? ["B"] : []))
    }
  }

  @Test func aReaderOfASelectionIsNotCalledInsideItsCall() {
    nonisolated(unsafe) let selection = SelectionModel(of: ArrayNode(["a", "b"]), id: { $0 })
    nonisolated(unsafe) var calls = 0
    withObservationTracking {
      _ = unsafe selection.selectedCount
    } onChange: {
      unsafe calls += 1
      if unsafe calls < 9 { unsafe selection.toggle(1) }
    }
    unsafe selection.select(0)
    #expect(unsafe calls == 1)
  }

  @Test func anotherIDOfASelectedRowIsNoted() {
    let names = ArrayNode(["a", "b"])
    let selection = SelectionModel(of: names, id: { $0 })
    selection.select(0)
    let flag = Flag()
    withObservationTracking {
      _ = selection.selectedIDs
    } onChange: {
      flag.set()
    }
    names.replace(at: 1, with: "B")
    #expect(!flag.isSet)
    names.replace(at: 0, with: "A")
    #expect(flag.isSet && selection.selectedIDs == ["A"])
  }

  /// An observer receives its own changes together: those that an earlier observer has made, too.
  @Test func observersOfASelectionReceiveWhatIsNewForThem() {
    let selection = SelectionModel(of: ArrayNode(["a", "b", "c"]))
    var mirror: Set<Int> = []
    let rule = selection.observe { if selection.selectedCount > 1 { selection.select(only: 0) } }
    let view = selection.observe { (change: SelectionChange) in
      mirror.formUnion(change.selected.joined())
      mirror.subtract(change.deselected.joined())
    }
    selection.select(0..<3)
    #expect(mirror == [0])
    selection.select(2)
    #expect(mirror == [0])
    for token in [rule, view] { token.cancel() }
  }

  // MARK: Indexes

  @Test func observersOfAnIndexReceiveWhatIsNewForThem() {
    let tree = BranchNode(leaves: ["a"])
    let lengths = AggregateIndex(of: tree, .sum(\.count))
    var totals: [Int] = []
    var changes: [ChangeSet] = []
    let rule = lengths.observe { _ in if tree.count > 1 { tree.remove(at: 1) } }
    let view = lengths.observe { change in
      changes.append(change)
      totals += change.paths.insertions.map { lengths.total(at: $0) }
    }
    tree.append(.leaf("b"))
    #expect(totals.isEmpty && changes.allSatisfy { $0.isEmpty } && lengths.total == 1)
    for token in [rule, view] { token.cancel() }
  }

  // MARK: Observable nodes

  /// The node returns to the state of before the transaction, but not to the state that was read.
  @Test func aReadInsideATransactionIsNotLost() {
    let names = ArrayNode(["a"])
    let observable = ObservableNode(names)
    let flags = (count: Flag(), row: Flag())
    names.performUpdates {
      names.append("b")
      withObservationTracking {
        _ = observable.count
      } onChange: {
        flags.count.set()
      }
      withObservationTracking {
        _ = observable[1]
      } onChange: {
        flags.row.set()
      }
      names.removeLast()
    }
    #expect(flags.count.isSet && flags.row.isSet)
  }

  @Test func anObservableChildThatHasMovedIsTheSame() {
    let tree = BranchNode([BranchNode(value: 1, leaves: [2]), BranchNode(value: 3, leaves: [4])])
    let observable = ObservableNode(tree)
    let child = observable.child(at: 1)
    tree.performUpdates {
      tree.move(from: 1, to: 0)
      #expect(observable.child(at: 0) === child)
    }
  }

  // MARK: Elements that change by themselves

  /// While the observers of a report are called, edits report the elements that have changed since.
  @Test func anEditDuringAReportComesLater() {
    let people = ["c1", "c2", "c3", "c4", "c5", "c6", "c7", "g", "i"].map { ObservablePerson($0) }
    let node = ArrayNode(people)
    let sorted = SortNode(node) { $0.name < $1.name }
    let tracker = ElementTracker.manual(of: node) { $0.name }
    var isFirst = true
    let token = node.observe { _ in
      guard isFirst else { return }
      isFirst = false
      for person in people.prefix(7) { person.name = "z" + person.name }
      node.append(ObservablePerson("h"))
    }
    people[8].name = "ii"
    tracker.refresh()
    tracker.refresh()
    #expect(sorted.elements.map(\.name) == ["g", "h", "ii"] + (1...7).map { "zc\($0)" })
    token.cancel()
  }

  /// The data of a provider have changed before it announces the change.
  @Test func aProviderReportsChangedElementsByTheirPresentPositions() {
    var people = [ObservablePerson("aaa"), ObservablePerson("bb")]
    let node = ProviderNode(count: 2) { people[$0] }
    let short = FilterNode(node) { $0.name.count < 2 }
    let tracker = ElementTracker.manual(of: node) { $0.name }
    people[1].name = "b"
    people.insert(ObservablePerson("ccc"), at: 0)
    node.announce(.insertion(0..<1))
    #expect(short.elements.map(\.name) == ["b"])
    people[2].name = "c"
    people.removeSubrange(0..<2)
    node.announce(.removal(0..<2))
    #expect(short.elements.map(\.name) == ["c"] && tracker.updateCount == 2)
  }

  // MARK: Misuse

  static let misuses = [
    Misuse("An observer was notified 1000 times") {
      let selection = SelectionModel(of: ArrayNode([1, 2]))
      let token = selection.observe { selection.toggle(1) }
      withExtendedLifetime(token) { selection.select(0) }
    }
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
