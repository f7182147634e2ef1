@testable import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@MainActor @Suite struct ElementTrackerTests {
  private struct Refusal: Error {}

  private typealias Person = ObservablePerson

  @Test func theRowMoves() async {
    let (ada, grace) = (Person("Ada"), Person("Grace"))
    let people = ArrayNode([ada, grace])
    let short = FilterNode(people) { $0.name.count < 5 }
    let sorted = SortNode(people) { $0.name < $1.name }
    let tracker = ElementTracker(of: people) { $0.name }
    var received: [Delta] = []
    let token = people.observe { received.append($0.delta) }
    grace.motto = "!"
    grace.name = "Mary"
    ada.name = "Nora"
    ada.name = "Zoe"
    #expect(short.elements.map(\.name) == ["Zoe"])
    #expect(await eventually { tracker.updateCount == 2 })
    #expect(short.elements.map(\.name) == ["Zoe", "Mary"] && sorted.elements.map(\.name) == ["Mary", "Zoe"])
    #expect(received == [.update(0..<2)])
    grace.name = "Gracie"
    tracker.refresh()
    #expect(short.elements.map(\.name) == ["Zoe"] && received.last == .update(1..<2))
    tracker.refresh()
    grace.motto = "?"
    tracker.refresh()
    #expect(received.count == 2)
    token.cancel()
  }

  /// A sort must not compare a new row with a row that has changed and has not moved yet: the sort would lose its
  /// order.
  @Test func theNextEditComesLater() {
    let people = ArrayNode(["b", "m", "z"].map { Person($0) })
    let sorted = SortNode(people) { $0.name < $1.name }
    let tracker = ElementTracker(of: people) { $0.name }
    people[1].name = "a"
    people.append(Person("a5"))
    #expect(sorted.elements.map(\.name) == ["a", "a5", "b", "z"] && tracker.updateCount == 1)
    let long = FilterNode(people) { $0.name.count > 1 }
    let names = SortNode(long) { $0.name < $1.name }
    people[0].name = "bb"
    people[3].name = "cc"
    long.setPredicate { _ in true }
    #expect(names.elements.map(\.name) == ["a", "bb", "cc", "z"])
  }

  /// The tracker finds elements that have changed in every kind of source, before a sort compares new rows with them.
  @Test func eachSourceIsSearchedBeforeTheSortIsSettled() {
    let (dan, eve) = (Person("Dan"), Person("Eve"))
    let people = ArrayNode([Person("Ada"), Person("Bob")])
    let hierarchy = HierarchyNode(dan, id: { $0.name }, areEqual: ===, children: { $0 === dan ? [eve] : [] })
    let everyone = JoinNode([people as any TreeNode<Person>, SingleNode(dan), hierarchy])
    let sorted = SortNode(everyone) { $0.name < $1.name }
    let tracker = ElementTracker.manual(of: everyone) { $0.name }
    everyone.performUpdates {
      people.append(Person("Bea"))
      dan.name = "Aaa"
    }
    #expect(sorted.elements.map(\.name) == ["Aaa", "Ada", "Bea", "Bob", "Eve"])
    everyone.performUpdates {
      people.append(Person("Abe"))
      eve.name = "Aab"
    }
    #expect(sorted.elements.map(\.name) == ["Aaa", "Aab", "Abe", "Ada", "Bea", "Bob"] && tracker.updateCount == 2)
  }

  @Test func anElementOfAHierarchyIsReported() {
    let (ada, bob) = (Person("Ada"), Person("Bob"))
    let tree = HierarchyNode(ada, id: { $0.name }, areEqual: ===, children: { $0 === ada ? [bob] : [] })
    let found = TreeFilterNode(tree) { $0.name.count > 3 }
    let tracker = ElementTracker.manual(of: tree) { $0.name }
    bob.name = "Robert"
    tracker.refresh()
    #expect(found.elements.map(\.name) == ["Robert"])
  }

  /// An element that has left and changed is searched for once, and not at each edit.
  @Test func aChangeOfAnElementThatHasLeftCostsLittle() {
    let count = 10_000
    let people = ArrayNode((0..<count).map { Person("\($0)") })
    let tracker = ElementTracker.manual(of: people) { $0.name }
    let first = people[0]
    people.performUpdates {
      people.remove(at: 0)
      first.name = "x"
      for number in 0..<count { people.append(Person("new \(number)")) }
    }
    #expect(people.count == 2 * count - 1 && tracker.updateCount == 0 && first.name == "x")
  }

  /// A rollback brings back an element that has left and changed, and the next sorted row finds it at its new place.
  @Test func anElementThatARollbackRestoresIsReported() {
    let people = ArrayNode(["a", "m", "z"].map { Person($0) })
    let sorted = SortNode(people) { $0.name < $1.name }
    let tracker = ElementTracker.manual(of: people) { $0.name }
    people.performUpdates {
      try? people.performUpdates {
        people.remove(at: 0).name = "y"
        people.append(Person("b"))
        throw Refusal()
      }
      people.append(Person("x"))
    }
    #expect(sorted.elements.map(\.name) == ["m", "x", "y", "z"] && tracker.updateCount == 1)
  }

  /// An element that arrives is followed from the settlement of its arrival on. An element that leaves is not followed
  /// any more.
  @Test func comingAndLeaving() throws {
    let people = ArrayNode([Person("Ada")])
    let sorted = SortNode(people) { $0.name < $1.name }
    let tracker = ElementTracker(of: people) { $0.name }
    let bob = Person("Bob")
    people.performUpdates {
      people.append(bob)
      bob.name = "Aaron"
    }
    tracker.refresh()
    #expect(sorted.elements.map(\.name) == ["Aaron", "Ada"] && tracker.updateCount == 0, "no view saw the former name")
    people.performUpdates {
      people.remove(at: 1)
      people.append(bob)
      #expect(sorted.elements.map(\.name) == ["Aaron", "Ada"])
      bob.name = "Bert"
    }
    tracker.refresh()
    #expect(sorted.elements.map(\.name) == ["Ada", "Bert"] && tracker.updateCount == 1)
    people.remove(at: 1)
    bob.name = "Zed"
    tracker.refresh()
    #expect(tracker.updateCount == 1)
    people.append(bob)
    bob.name = "A"
    tracker.refresh()
    #expect(tracker.updateCount == 2 && sorted.elements.map(\.name) == ["A", "Ada"])
    // The element lies at several positions, and each of them is reported.
    people.insert(bob, at: 0)
    var received: [Delta] = []
    let token = people.observe { received.append($0.delta) }
    bob.name = "B"
    tracker.refresh()
    #expect(received == [Delta(updates: [0..<1, 2..<3])])
    token.cancel()
  }

  /// An element that changes after an edit of the same transaction is settled together with the edit.
  ///
  /// Otherwise a sort would compare the new row with a row that has changed and has not moved yet.
  @Test(arguments: 0..<3) func whatChangesAfterAnEditIsSettledWithIt(_ position: Int) {
    for (new, name) in (0..<81).map({ ($0 / 9, $0 % 9) }) {
      let people = BranchNode(leaves: [1, 4, 7].map { Person("\($0)") })
      let sorted = SortNode(people) { $0.name < $1.name }
      let tracker = ElementTracker.manual(of: JoinNode([people])) { $0.name }
      people.performUpdates {
        people.insert(Person("\(new)"), at: 1)
        people[[position < 1 ? 0 : position + 1]]!.name = "\(name)"
        if new % 2 == 0 { people.remove(at: 0) }
      }
      tracker.refresh()
      #expect(same(sorted, SortNode(people) { $0.name < $1.name }), "\(new) and \(name)")
    }
  }

  @Test func inTreesAtAnyDepth() {
    let root = Person("root")
    root.children = [Person("a"), Person("b")]
    root.children[0].children = [Person("c")]
    let tree = PropertyNode(root, repeating: PropertyLevel(objects: \Person.children))
    let forest = ForestNode<Person>()
    let (leaf, below) = (Person("leaf"), Person("below"))
    forest.append(leaf)
    forest.insert(below, at: [0, 0])
    for (node, top, deep) in [
      (tree as any TreeNode<Person>, root.children[0], root.children[0].children[0]), (forest, leaf, below),
    ] {
      let found = TreeFilterNode(node) { $0.name.contains("x") }
      let tracker = ElementTracker(of: node) { $0.name }
      deep.name = "xc"
      tracker.refresh()
      #expect(found.count == 1 && found.count(at: [0]) == 1)
      deep.name = "c"
      top.name = "x"
      tracker.refresh()
      #expect(found.count == 1 && found.count(at: [0]) == 0)
      #expect(tracker.updateCount == 3)
    }
  }

  /// An element has changed, and this was not reported. An undo reports it before the sort places another element.
  @Test func anUndoReportsElementsFirst() {
    let people = ArrayNode(["b", "m", "p", "c"].map { Person($0) })
    let sorted = SortNode(people) { $0.name < $1.name }
    let tracker = ElementTracker.manual(of: people) { $0.name }
    let log = UndoLog(of: people)
    people.remove(at: 3)
    people[2].name = "a"
    log.undo()
    #expect(sorted.elements.map(\.name) == ["a", "b", "c", "m"])
    people[0].name = "z"
    log.redo()
    #expect(sorted.elements.map(\.name) == ["a", "m", "z"])
    withExtendedLifetime(tracker) {}
  }

  /// A change that an object reports of itself is no edit. It cannot be undone, and a rollback does not revert it.
  @Test func undoingAndRollingBack() {
    let people = ArrayNode(["a", "b", "c"].map { Person($0) })
    let sorted = SortNode(people) { $0.name < $1.name }
    var shown = TreeSnapshot(leaves: sorted.elements.map(\.name))
    let token = sorted.observe { change in
      do {
        shown = try shown.applying(change, new: TreeSnapshot(leaves: sorted.elements.map(\.name)))
      } catch {
        Issue.record(error)
      }
    }
    let log = UndoLog(of: people)
    let tracker = ElementTracker(of: people) { $0.name }
    people.append(Person("d"))
    people[0].name = "x"
    tracker.refresh()
    #expect(log.undoCount == 1)
    log.undo()
    #expect(sorted.elements.map(\.name) == ["b", "c", "x"])
    #expect(throws: Refusal.self) {
      try people.performUpdates { () throws in
        people.remove(at: 1)
        people[1].name = "y"
        tracker.refresh()
        throw Refusal()
      }
    }
    #expect(sorted.elements.map(\.name) == ["b", "x", "y"])
    #expect(shown == TreeSnapshot(leaves: ["b", "x", "y"]))
    token.cancel()
  }

  @Test func nothingIsKept() async {
    let lives = LifetimeTracker()
    weak var person: Person?
    weak var watched: ElementTracker<Person>?
    let kept = Person("kept")
    do {
      let people = ArrayNode([kept, Person("gone")])
      person = people[1]
      let tracker = ElementTracker(of: people) { $0.name }
      watched = tracker
      lives.expectRelease(of: people, "the node")
      people.remove(at: 1)
      #expect(person == nil)
      kept.name = "changed"
    }
    #expect(watched == nil)
    #expect(throws: Never.self) { try lives.check() }
    kept.name = "nobody listens"
  }

  private actor Store {
    private let person = Person("Ada")
    private lazy var people = ArrayNode([person])
    private lazy var short = FilterNode(people) { $0.name.count < 4 }
    private var tracker: ElementTracker<Person>?

    func start() { tracker = ElementTracker(of: people) { $0.name } }

    func rename(_ name: String) { person.name = name }

    func shows(_ count: Int) async -> Bool { await eventually { short.count == count } }
  }

  @Test func anActorIsNotKeptAlive() async {
    var store: Store? = Store()
    weak let released = store
    await store?.start()
    for (name, count) in [("Grace", 0), ("Bob", 1)] {
      await store?.rename(name)
      #expect(await store?.shows(count) == true)
    }
    store = nil
    #expect(await eventually { released == nil })
  }

  @Test func objectsThatComeAndGoAreForgotten() {
    let people = ArrayNode<Person>([])
    let tracker = ElementTracker(of: people) { $0.name }
    for number in 0..<2_000 {
      people.append(Person("\(number)"))
      people.remove(at: 0)
      if number % 10 == 0 {
        people.append(Person("x"))
        people[0].name = "y"
        tracker.refresh()
        people.remove(at: 0)
      }
    }
    #expect(tracker.entryCount < 300 && tracker.updateCount == 200)
  }

  private func same(_ first: some TreeNode<Person>, _ second: some TreeNode<Person>) -> Bool {
    first.elements.map { ObjectIdentifier($0) } == second.elements.map { ObjectIdentifier($0) }
  }

  /// Random edits, changes and rollbacks, compared with newly made views.
  @Test func randomScriptsAreThoseOfFreshNodes() throws {
    var tally = (edits: 0, changes: 0, rollbacks: 0, taken: 0)
    for iteration in 0..<TestSeed.iterations(40) {
      var generator = TestSeed.generator("element-tracker", iteration: iteration)
      func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
      let pool = (0..<8).map { _ in Person(String(random(0...9))) }
      let arrays = [ArrayNode(pool.prefix(4)), ArrayNode(pool.prefix(2))]
      let everyone = JoinNode(arrays)
      let filter = FilterNode(everyone) { Int($0.name)! % 3 > 0 }
      let sort = SortNode(filter) { $0.name < $1.name }
      let group = GroupNode(everyone) { Int($0.name)! % 2 }
      let tracker = ElementTracker(of: everyone) { $0.name }
      var shown = TreeSnapshot(leaves: sort.elements.map { ObjectIdentifier($0) })
      let ids = MapNode(sort) { ObjectIdentifier($0) }
      let token = ids.observe { change in
        do {
          shown = try shown.applying(change, new: TreeSnapshot(leaves: ids.elements))
        } catch {
          Issue.record(error)
        }
      }
      func change() {
        tally.changes += 1
        pool.randomElement(using: &generator)!.name = String(random(0...9))
      }
      func edit() {
        tally.edits += 1
        let array = arrays[random(0...1)]
        let person = pool.randomElement(using: &generator)!
        switch random(0...4) {
        case 0 where array.count > 0: array.remove(at: random(0...array.count - 1))
        case 1 where array.count > 0: array.move(from: random(0...array.count - 1), to: random(0...array.count - 1))
        case 2 where array.count > 0: array[random(0...array.count - 1)] = person
        case 3 where array.count > 6: array.removeAll()
        default: array.insert(person, at: random(0...array.count))
        }
      }
      for _ in 0..<TestSeed.length(30) {
        switch random(0...5) {
        case 0: edit()
        case 1, 2: change()
        case 3:
          everyone.performUpdates { for _ in 0..<random(1...4) { random(0...1) == 0 ? edit() : change() } }
        case 4:
          tally.rollbacks += 1
          #expect(throws: Refusal.self) {
            try everyone.performUpdates { () throws in
              for _ in 0..<random(1...4) { random(0...1) == 0 ? edit() : change() }
              throw Refusal()
            }
          }
        default: tally.taken += 1
        }
        tracker.refresh()
        let fresh = FilterNode(everyone) { Int($0.name)! % 3 > 0 }
        #expect(same(filter, fresh))
        // Equal rows are in the order of the source.
        #expect(same(sort, SortNode(fresh) { $0.name < $1.name }))
        #expect(
          NaiveTree(of: group).children.count == NaiveTree(of: GroupNode(everyone) { Int($0.name)! % 2 }).children.count
        )
        #expect(shown == TreeSnapshot(leaves: ids.elements))
      }
      token.cancel()
    }
    #expect(tally.edits > 0 && tally.changes > 0 && tally.rollbacks > 0 && tally.taken > 0)
  }
}
