import AssemblageTesting
import TestSupport
import Testing

@testable import Assemblage

/// Elements that change by themselves: several at once in trees, or during work in the background.
@Suite struct ElementsChangingMeanwhileTests {
  private typealias Person = ObservablePerson

  /// A newly made tree, and the people in it.
  private struct Family {
    let root: any TreeNode<Person>
    let people: [Person]
  }

  private func person(_ generator: inout SeededGenerator) -> Person {
    Person(String(Int.random(in: 0...9, using: &generator)))
  }

  /// Returns the same tree of people as nodes of three kinds.
  private func families(using generator: inout SeededGenerator) -> [Family] {
    let top = Person("top")
    var people: [Person] = []
    for _ in 0..<5 {
      let child = person(&generator)
      child.children = (0..<Int.random(in: 0...3, using: &generator)).map { _ in person(&generator) }
      top.children.append(child)
      people += [child] + child.children
    }
    let forest = ForestNode<Person>(top.children) { $0.children.isEmpty ? nil : $0.children }
    let branches = BranchNode<Person>(
      top.children.map { child in
        child.children.isEmpty ? .leaf(child) : .node(BranchNode(value: child, leaves: child.children))
      })
    let properties = PropertyNode(top, repeating: PropertyLevel(objects: \Person.children))
    let roots: [any TreeNode<Person>] = [forest, branches, properties]
    return roots.map { Family(root: $0, people: people) }
  }

  /// Returns the identities of the objects at every depth.
  private func shape(of node: any TreeNode<Person>) -> TreeSnapshot<ObjectIdentifier> {
    TreeSnapshot(of: node).mapValues { ObjectIdentifier($0) }
  }

  /// Siblings that change at the same time all move to their new positions, in a tree sort and in a sort of all
  /// descendants.
  @Test func siblingsThatChangeAtOnceAreAllMoved() {
    for iteration in 0..<TestSeed.iterations(30) {
      var generator = TestSeed.generator("changing-siblings", iteration: iteration)
      for family in families(using: &generator) {
        let sorted = TreeSortNode(family.root) { $0.name < $1.name }
        let all = SortNode(DescendantsNode(family.root)) { $0.name < $1.name }
        let rows = OutlineNode(sorted, expansion: ExpansionState(policy: .expanded), id: { ObjectIdentifier($0) })
        let found = TreeFilterNode(family.root) { $0.name > "4" }
        let tracker = ElementTracker.manual(of: family.root) { $0.name }
        var shown = shape(of: sorted)
        var isFaulty = false
        let token = sorted.observe { change in
          let present = shape(of: sorted)
          if let next = try? shown.applying(change, new: present), next == present {
            shown = next
          } else {
            isFaulty = true
          }
        }
        for _ in 0..<TestSeed.length(6) {
          for _ in 0..<Int.random(in: 1...5, using: &generator) {
            family.people.randomElement(using: &generator)!.name = String(Int.random(in: 0...9, using: &generator))
          }
          tracker.refresh()
          let name = "\(iteration): \(type(of: family.root))"
          let fresh = TreeSortNode(family.root) { $0.name < $1.name }
          #expect(shape(of: sorted) == shape(of: fresh), "\(name)")
          #expect(
            all.elements.map { ObjectIdentifier($0) }
              == SortNode(DescendantsNode(family.root)) { $0.name < $1.name }.elements.map { ObjectIdentifier($0) },
            "\(name)")
          #expect(rows.elements.map(\.name) == DescendantsNode(fresh).elements.map(\.name), "\(name)")
          #expect(shape(of: found) == shape(of: TreeFilterNode(family.root) { $0.name > "4" }), "\(name)")
          #expect(!isFaulty && shown == shape(of: sorted), "\(name)")
        }
        token.cancel()
      }
    }
  }

  /// An edit by position means the rows that its caller has seen, although an observer of a changed element edits, too.
  @Test func observersEditAfterTheEdit() {
    var (edits, removals) = (0, 0)
    for iteration in 0..<TestSeed.iterations(60) {
      var generator = TestSeed.generator("observers-that-edit", iteration: iteration)
      let people = (0..<6).map { _ in person(&generator) }
      let sources: [any WritableNode<Person>] = [
        ArrayNode(people), BranchNode(leaves: people), ForestNode(leaves: people),
      ]
      for source in sources {
        var expected = people
        let done = FilterNode(source) { $0.name > "7" }
        let tracker = ElementTracker.manual(of: source) { $0.name }
        let token = done.observe { _ in
          for position in (0..<source.count).reversed() where source.element(at: position)!.name > "7" {
            removals += 1
            source.remove(at: position)
          }
        }
        for _ in 0..<TestSeed.length(20) {
          for _ in 0..<Int.random(in: 0...2, using: &generator) {
            expected.randomElement(using: &generator)?.name = String(Int.random(in: 0...9, using: &generator))
          }
          let position = Int.random(in: 0...expected.count, using: &generator)
          let newcomer = person(&generator)
          switch Int.random(in: 0...2, using: &generator) {
          case 0 where position < expected.count:
            source.remove(at: position)
            expected.remove(at: position)
          case 1 where position < expected.count:
            source.replace(at: position, with: newcomer)
            expected[position] = newcomer
          default:
            source.insert(newcomer, at: position)
            expected.insert(newcomer, at: position)
          }
          edits += 1
          // A person who was above "7" from the beginning stays until the filter changes.
          if !done.isEmpty { tracker.refresh() }
          if done.isEmpty { expected.removeAll { $0.name > "7" } }
          #expect(source.elements.map { ObjectIdentifier($0) } == expected.map { ObjectIdentifier($0) }, "\(iteration)")
        }
        token.cancel()
      }
    }
    #expect(edits > 0 && removals > 0)
  }

  /// A refresh by position asks about the element that its caller has seen, although a report would move the element.
  @Test func aRefreshMeansThePresentRows() {
    let people = ["a", "b", "c"].map { Person($0) }
    let source = ArrayNode(people)
    let sorted = SortNode(source) { $0.name < $1.name }
    let filter = FilterNode(sorted) { $0.motto == "shown" }
    let tree = TreeFilterNode(sorted) { $0.motto == "shown" }
    let tracker = ElementTracker.manual(of: source) { $0.name }
    people[0].name = "z"
    people[1].motto = "shown"
    filter.refresh(1..<2)
    tree.refresh(at: [1])
    #expect(filter.elements.map(\.name) == ["b"] && tree.elements.map(\.name) == ["b"])
    tracker.refresh()
    #expect(sorted.elements.map(\.name) == ["b", "c", "z"])
  }

  /// A report before an edit that concerns nobody is delivered with that edit, or, if the edit does nothing, by the
  /// tracker.
  @Test func observersAreCalledWhereTheEditConcernsNobody() {
    let people = ArrayNode([Person("a"), Person("b")])
    let sources: [any WritableNode<Person>] = [ArrayNode([]), BranchNode(leaves: []), ForestNode(leaves: [])]
    for source in sources { withExtendedLifetime(JoinNode([people, source])) {} }
    let tracker = ElementTracker.manual(of: people) { $0.name }
    var received: [Delta] = []
    let token = people.observe { received.append($0.delta) }
    for source in sources {
      people[1].name += "x"
      source.insert(Person("c"), at: 0)
      #expect(received == [.update(1..<2)], "\(type(of: source))")
      received = []
    }
    let person = ObservablePerson("d")
    let fields = FieldsNode(person, [\.name])
    let names = PropertyNode(person, \.friends)
    let refreshes = [{ fields.refresh() }, { names.refresh() }]
    performUpdates(on: [people, fields, names]) {}
    for refresh in refreshes {
      people[1].name += "x"
      refresh()
      #expect(received == [.update(1..<2)])
      received = []
    }
    people[0].name = "x"
    people.hub.prepareForChange()
    #expect(received.isEmpty)
    tracker.refresh()
    #expect(received == [.update(0..<1)])
    token.cancel()
  }

  /// A kind of work in the background.
  private enum Work: CaseIterable { case sort, treeSort, group, filter, treeFilter }

  /// People change before, between and after the slices in which the work reads them.
  @Test func keysThatChangeMeanwhileAreTakenIn() throws {
    for work in Work.allCases {
      var changes = 0
      for iteration in 0..<TestSeed.iterations(40) {
        var generator = TestSeed.generator("changing-keys/\(work)", iteration: iteration)
        let people = (0..<20).map { _ in person(&generator) }
        let node = ArrayNode(people)
        let tracker = ElementTracker.manual(of: node) { $0.name }
        let steps = StepScheduler()
        let task: StepTask
        let isRight: () -> Bool
        switch work {
        case .sort:
          let sort = SortNode(node, by: nil)
          task = steps.begin(sort) {
            try await $0.setComparator(inBackground: .inSlices(of: .milliseconds(1))) { $0.name < $1.name }
          }
          isRight = { areSame(sort, SortNode(node) { $0.name < $1.name }) }
        case .treeSort:
          let sort = TreeSortNode(node, by: nil)
          _ = sort.elements
          task = steps.begin(sort) {
            try await $0.setComparator(inBackground: .inSlices(of: .milliseconds(1))) { $0.name < $1.name }
          }
          isRight = { areSame(sort, SortNode(node) { $0.name < $1.name }) }
        case .group:
          let group = GroupNode(node) { _ in "" }
          task = steps.begin(group) { try await $0.setKey(inBackground: .inSlices(of: .milliseconds(1))) { $0.name } }
          // Sections are in the order of their arrival.
          isRight = { sections(of: group) == sections(of: GroupNode(node) { $0.name }) }
        case .filter:
          let filter = FilterNode(node) { _ in true }
          task = steps.begin(filter) {
            try await $0.setPredicate(inBackground: .inSlices(of: .milliseconds(1))) { $0.name > "4" }
          }
          isRight = { areSame(filter, FilterNode(node) { $0.name > "4" }) }
        case .treeFilter:
          let filter = TreeFilterNode(node) { _ in true }
          task = steps.begin(filter) {
            try await $0.setPredicate(inBackground: .inSlices(of: .milliseconds(1))) { $0.name > "4" }
          }
          isRight = { areSame(filter, FilterNode(node) { $0.name > "4" }) }
        }
        for _ in 0..<100_000 where task.outcome == nil {
          if Int.random(in: 0..<4, using: &generator) == 0 {
            changes += 1
            people.randomElement(using: &generator)!.name = String(Int.random(in: 0...9, using: &generator))
          }
          if Bool.random(using: &generator) { tracker.refresh() }
          if !steps.step() { break }
        }
        _ = try #require(task.outcome).get()
        tracker.refresh()
        #expect(isRight(), "\(work), \(iteration)")
      }
      #expect(changes > 0)
    }
  }

  private func sections(of group: GroupNode<Person, String>) -> Set<[ObjectIdentifier]> {
    Set((0..<group.count).map { group.section(at: $0).elements.map { ObjectIdentifier($0) } })
  }

  private func areSame(_ first: some TreeNode<Person>, _ second: some TreeNode<Person>) -> Bool {
    first.elements.map { ObjectIdentifier($0) } == second.elements.map { ObjectIdentifier($0) }
  }
}
