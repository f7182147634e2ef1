import AssemblageTesting
import TestSupport
import Testing

@testable import Assemblage

/// Changes between the steps of work in the background, which the work has to take in.
@Suite struct ChangesDuringWorkTests {
  /// A total changes the order of the rows that are shown, although the list of the rows stays as it is.
  @Test func rowsMoveByTheirTotals() throws {
    for stop in 0..<60 {
      let tree = BranchNode<Int>((0..<8).map { .node(BranchNode(value: $0, leaves: [$0])) })
      let sorted = SortNode(tree, by: AggregateIndex(of: tree, .sum { $0 }))
      let shadow = ShadowTree(of: sorted, id: { $0 })
      let steps = StepScheduler()
      let task = steps.begin(sorted) { try await $0.setComparator(inBackground: .concurrently) { $0 > $1 } }
      for step in 0... {
        if step == stop { tree.replace(at: [3, 0], with: 1_000) }
        if !steps.step() { break }
      }
      try #require(task.outcome).get()
      try shadow.check()
      #expect(sorted.elements == (0..<8).reversed())
    }
  }

  private struct Refusal: Error {}

  private static func key(of number: Int) throws -> Int? {
    if number == 100 { throw Refusal() }
    return number % 3
  }

  /// The key throws for a row that arrives, or changes, during the work. Then the group keeps its former key.
  @Test(arguments: [false, true]) func aKeyThrowsForALateRow(_ isConcurrent: Bool) throws {
    var count = 0
    for stop in 0... {
      let numbers = ArrayNode(Array(0..<6))
      let groups = GroupNode(numbers) { $0 % 2 }
      let steps = StepScheduler()
      let task = steps.begin(groups) { groups in
        if isConcurrent {
          try await groups.setKey(inBackground: .concurrently) { try Self.key(of: $0) }
        } else {
          try await groups.setKey(inBackground: .inSlices(of: .milliseconds(1))) { try Self.key(of: $0) }
        }
      }
      for _ in 0..<stop { steps.step() }
      // The work has shown its result.
      if groups.count == 3 { break }
      if stop % 2 == 0 { numbers.append(100) } else { numbers[0] = 100 }
      while steps.step() {}
      #expect(throws: Refusal.self) { try task.outcome?.get() }
      #expect((0..<groups.count).map { groups.key(ofSection: $0) } == [0, 1], "\(stop)")
      count += 1
    }
    #expect(count > 3)
  }

  /// The comparator throws for a row that arrives during the work, also after the last round. Then the sort keeps its
  /// former comparator.
  @Test func aComparatorThrowsForALateRow() throws {
    /// Sorts while a row arrives at each step.
    ///
    /// - Parameter stop: the step of the row for which the comparator throws.
    /// - Returns: the number of steps, and whether the comparator threw.
    func sort(throwingAt stop: Int?) -> (stepCount: Int, hasThrown: Bool) {
      let source = BranchNode<Int>(leaves: Array(0..<8))
      let sorted = TreeSortNode(source) { $0 < $1 }
      #expect(sorted.elements.first == 0)
      let steps = StepScheduler()
      var (stepCount, hasThrown) = (0, false)
      let task = steps.begin(sorted) { sorted in
        try await sorted.setComparator(inBackground: .inSlices(of: .milliseconds(1))) { left, right in
          if left < 0 || right < 0 {
            hasThrown = true
            throw Refusal()
          }
          return left > right
        }
      }
      while task.outcome == nil {
        source.append(stepCount == stop ? -1 : 100 + stepCount)
        steps.step()
        stepCount += 1
      }
      if hasThrown {
        #expect(throws: Refusal.self, "row \(stop ?? -1)") { try task.outcome?.get() }
        #expect(sorted.elements == source.elements.sorted())
      } else {
        #expect(throws: Never.self) { try task.outcome?.get() }
        #expect(sorted.elements == source.elements.sorted(by: >))
      }
      return (stepCount, hasThrown)
    }
    let last = sort(throwingAt: nil).stepCount - 1
    var count = 0
    for stop in [0, 1, last / 2] + (last - 4...last) where sort(throwingAt: stop).hasThrown { count += 1 }
    #expect(count > 4, "\(last)")
  }

  private typealias Person = ObservablePerson

  /// Each report of an element changes the next element: the last check of the work does not find the last change.
  @Test(arguments: [0, 1, 2]) func elementsChangeOneAfterAnother(_ kind: Int) throws {
    let people = (0..<12).map { Person("\($0)") }
    let items = ArrayNode(people)
    let tracker = ElementTracker.manual(of: items) { $0.name }
    let token = items.observe { change in
      for position in change.delta.updates.joined() where position + 1 < items.count {
        if !people[position + 1].name.hasSuffix("!") { people[position + 1].name += "!" }
      }
      // Rows that leave meanwhile.
      if change.delta.updates.contains(where: { $0.contains(2) }), items.count == 12 { items.removeLast() }
    }
    let steps = StepScheduler()
    let task: StepTask
    let isRight: () -> Bool
    func ids(_ people: some Sequence<Person>) -> [ObjectIdentifier] { people.map { ObjectIdentifier($0) } }
    switch kind {
    case 0:
      let groups = GroupNode(items) { _ in "" }
      task = steps.begin(groups) {
        try await $0.setKey(inBackground: .inSlices(of: .milliseconds(1))) { String($0.name.last!) }
      }
      isRight = {
        (0..<groups.count).allSatisfy { Set(groups.section(at: $0).elements.map { $0.name.last! }).count == 1 }
      }
    case 1:
      let sorted = TreeSortNode(items, by: nil)
      _ = sorted.elements
      task = steps.begin(sorted) {
        try await $0.setComparator(inBackground: .inSlices(of: .milliseconds(1))) { $0.name.count < $1.name.count }
      }
      isRight = { ids(sorted.elements) == ids(SortNode(items) { $0.name.count < $1.name.count }.elements) }
    default:
      let found = TreeFilterNode(items) { _ in true }
      task = steps.begin(found) {
        try await $0.setPredicate(inBackground: .inSlices(of: .milliseconds(1))) { $0.name.hasSuffix("!") }
      }
      isRight = { ids(found.elements) == ids(items.elements.filter { $0.name.hasSuffix("!") }) }
    }
    people[0].name += "!"
    while steps.step() {}
    try #require(task.outcome).get()
    for _ in people { tracker.refresh() }
    #expect(isRight())
    token.cancel()
  }

  /// A predicate that is being evaluated is asked again, too.
  @Test func refreshedElementsAreAskedAgain() throws {
    for stop in 0..<30 {
      let people = ["a", "b", "c"].map { Person($0) }
      let forest = ForestNode<Person>([people[0]]) { (person: Person) -> [Person]? in
        person === people[0] ? [people[1], people[2]] : nil
      }
      let found = TreeFilterNode(forest) { _ in true }
      let steps = StepScheduler()
      let task = steps.begin(found) {
        try await $0.setPredicate(inBackground: .inSlices(of: .milliseconds(1))) { $0.name == "found" }
      }
      for step in 0... {
        if step == stop {
          people[2].name = "found"
          found.refresh(at: [0, 1])
        }
        if !steps.step() { break }
      }
      try #require(task.outcome).get()
      if stop < 6 { #expect(found[[0, 0]] === people[2], "\(stop)") }
    }
  }

  /// An observer of the refreshed element removes another one, so that the path leads to a third one afterwards.
  @Test func aRefreshedElementIsAskedAgainBeforeObserversEdit() throws {
    for stop in 0..<30 {
      let people = ["a", "b", "c"].map { Person($0) }
      let source = ArrayNode(people)
      let found = TreeFilterNode(source) { $0.motto == "shown" }
      let token = found.observe { _ in if source.count == 3 { source.remove(at: 0) } }
      let steps = StepScheduler()
      let task = steps.begin(found) {
        try await $0.setPredicate(inBackground: .inSlices(of: .milliseconds(1))) { $0.name == "found" }
      }
      for _ in 0..<stop { steps.step() }
      people[1].name = "found"
      people[1].motto = "shown"
      found.refresh(at: [1])
      while steps.step() {}
      try #require(task.outcome).get()
      #expect(found.elements.map(\.name) == ["found"], "\(stop)")
      token.cancel()
    }
  }

  /// A slice sorts as many rows as it may, however many siblings there are.
  @MainActor @Test func aSliceOfManySiblingsIsNotOneRow() async throws {
    let count = 3_000
    let sorted = TreeSortNode(ArrayNode((0..<count).map { $0 &* 7_919 % count }), by: nil)
    _ = sorted.elements
    var turns = 0
    let counter = Task {
      while !Task.isCancelled {
        turns += 1
        await Task.yield()
      }
    }
    try await BackgroundPacing.$elements.withValue(100) {
      try await sorted.setComparator(inBackground: .inSlices(of: .milliseconds(1))) { $0 < $1 }
    }
    counter.cancel()
    #expect(sorted.elements == Array(0..<count))
    // Twelve levels of merges, a hundred rows in each slice.
    #expect(turns < 2_000)
  }
}
