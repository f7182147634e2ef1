@testable import Assemblage
import AssemblageTesting
import Foundation
import Synchronization
import TestSupport
import Testing

/// Orders, keys, and predicates of trees that real tasks compute in the background.
@MainActor @Suite struct BackgroundTests {
  private struct Refusal: Error {}

  enum Kind: CaseIterable {
    case sort, group, treeSort, keepingAncestors, keepingDescendants, hidingSubtrees

    var policy: TreeFilterPolicy? {
      switch self {
      case .keepingAncestors: .keepingAncestors
      case .keepingDescendants: .keepingDescendants
      case .hidingSubtrees: .hidingSubtrees
      case .sort, .group, .treeSort: nil
      }
    }
  }

  enum Way: CaseIterable { case concurrently, inSlices }

  /// A node whose order, grouping or filter follows from a number.
  @MainActor struct Subject {
    let node: any TreeNode<Row>
    let report: (Int) -> Void
    /// Sets the number in the background; 0 makes the closure throw.
    let tellInBackground: (Int, Way, BackgroundProgress?) async throws -> Void

    init(_ kind: Kind, _ source: any TreeNode<Row>, _ number: Int) {
      @Sendable func rank(_ row: Row, _ number: Int) throws -> Int {
        if number == 0 { throw Refusal() }
        return (row.id &* 31 &+ row.version) % number
      }
      func precedes(_ number: Int) -> (Row, Row) -> Bool { { try! rank($0, number) < rank($1, number) } }
      func passes(_ number: Int) -> (Row) -> Bool { { try! rank($0, number) < 2 } }
      switch kind {
      case .sort:
        let sort = SortNode(source, by: precedes(number))
        node = sort
        report = { sort.setComparator(precedes($0)) }
        tellInBackground = { number, way, progress in
          switch way {
          case .concurrently:
            try await sort.setComparator(inBackground: .concurrently, progress: progress) {
              try rank($0, number) < rank($1, number)
            }
          case .inSlices:
            try await sort.setComparator(inBackground: .inSlices(of: .microseconds(20)), progress: progress) {
              try rank($0, number) < rank($1, number)
            }
          }
        }
      case .group:
        let group = GroupNode(source) { try! rank($0, number) }
        node = group
        report = { number in group.setKey { try! rank($0, number) } }
        tellInBackground = { number, way, progress in
          switch way {
          case .concurrently:
            try await group.setKey(inBackground: .concurrently, progress: progress) { try rank($0, number) }
          case .inSlices:
            try await group.setKey(inBackground: .inSlices(of: .microseconds(20)), progress: progress) {
              try rank($0, number)
            }
          }
        }
      case .treeSort:
        let sort = TreeSortNode(source, by: precedes(number))
        node = sort
        report = { sort.setComparator(precedes($0)) }
        tellInBackground = { number, way, progress in
          switch way {
          case .concurrently:
            try await sort.setComparator(inBackground: .concurrently, progress: progress) {
              try rank($0, number) < rank($1, number)
            }
          case .inSlices:
            try await sort.setComparator(inBackground: .inSlices(of: .microseconds(20)), progress: progress) {
              try rank($0, number) < rank($1, number)
            }
          }
        }
      case .keepingAncestors, .keepingDescendants, .hidingSubtrees:
        let filter = TreeFilterNode(source, policy: kind.policy!, where: passes(number))
        node = filter
        report = { filter.setPredicate(where: passes($0)) }
        tellInBackground = { number, way, progress in
          switch way {
          case .concurrently:
            try await filter.setPredicate(inBackground: .concurrently, progress: progress) {
              try rank($0, number) < 2
            }
          case .inSlices:
            try await filter.setPredicate(inBackground: .inSlices(of: .microseconds(20)), progress: progress) {
              try rank($0, number) < 2
            }
          }
        }
      }
    }
  }

  private func contents(_ node: any TreeNode<Row>) -> [NaiveTree<Row>] { NaiveTree(of: node).children }

  private func expect(_ subject: Subject, _ kind: Kind, _ source: any TreeNode<Row>, _ number: Int) {
    #expect(contents(subject.node) == contents(Subject(kind, source, number).node))
  }

  /// The results of a script's tasks.
  private final class Outcome {
    /// The number by which the node should be sorted, grouped or filtered.
    var number = 3
    var running = 0
    var tally = (taken: 0, cancelled: 0)
  }

  /// Calls, edits, cancellations, further calls and rollbacks in any order.
  @Test(arguments: Kind.allCases) func randomScriptsAreThoseOfAFreshNode(_ kind: Kind) async throws {
    var tally = (taken: 0, cancelled: 0)
    for iteration in 0..<TestSeed.iterations(12) {
      let script = SourceScript("background-\(kind)", iteration: iteration)
      let subject = Subject(kind, script.source, 3)
      let shadow = ShadowTree(of: subject.node, id: \.id)
      let outcome = Outcome()
      var tasks: [Task<Void, Never>] = []
      func begin() {
        let number = script.random(1...6)
        let way = Way.allCases.randomElement(using: &script.generator)!
        outcome.running += 1
        tasks.append(
          Task(priority: .high) { @MainActor in
            do {
              try await subject.tellInBackground(number, way, nil)
              outcome.number = number
              outcome.tally.taken += 1
            } catch {
              #expect(error is CancellationError)
              outcome.tally.cancelled += 1
            }
            outcome.running -= 1
          })
      }
      for _ in 0..<script.random(5...25) {
        switch script.random(0...9) {
        case 0...3: script.step()
        case 4, 5: begin()
        case 6: tasks.randomElement(using: &script.generator)?.cancel()
        case 7 where outcome.running == 0:
          outcome.number = script.random(1...6)
          subject.report(outcome.number)
        case 7:
          // Work that another call has superseded stays superseded if that call is rolled back. The call is a
          // settlement of its own.
          let (number, count) = (script.random(1...6), shadow.deliveryCount)
          shadow.minimality = []
          #expect(throws: Refusal.self) {
            try subject.node.performUpdates { () throws in
              subject.report(number)
              if Bool.random(using: &script.generator) { script.make(.insert) }
              throw Refusal()
            }
          }
          shadow.minimality = .standard
          #expect(shadow.deliveryCount <= count + 1)
          expect(subject, kind, script.source, outcome.number)
        default: for _ in 0..<script.random(1...6) { await Task.yield() }
        }
        expect(subject, kind, script.source, outcome.number)
        try shadow.check()
      }
      for task in tasks { await task.value }
      expect(subject, kind, script.source, outcome.number)
      try shadow.check()
      tally.taken += outcome.tally.taken
      tally.cancelled += outcome.tally.cancelled
    }
    #expect(TestSeed.isResized || tally.taken > 0 && tally.cancelled > 0)
  }

  /// Sources large enough for many pieces, both in shared arrays and in arrays that are copied, while edits are made.
  @Test(arguments: [Kind.sort, .group, .treeSort, .keepingAncestors], [false, true])
  func editsAreTakenIn(_ kind: Kind, _ isConcurrent: Bool) async throws {
    for isShared in [true, false] {
      let rows = ArrayNode((0..<600).map { Row(id: $0) })
      let source: any TreeNode<Row> = isShared ? rows : MapNode(rows) { Row(id: $0.id, version: $0.version + 1) }
      let subject = Subject(kind, source, 3)
      let shadow = ShadowTree(of: subject.node, id: \.id)
      let progress = BackgroundProgress()
      let task = Task(priority: .high) { @MainActor in
        try await subject.tellInBackground(5, isConcurrent ? .concurrently : .inSlices, progress)
      }
      var generator = TestSeed.generator("background-edits", iteration: 0)
      for edit in 0..<8 {
        await Task.yield()
        switch edit % 4 {
        case 0: rows.insert(Row(id: 100_000 + edit), at: Int.random(in: 0...rows.count, using: &generator))
        case 1: rows.remove(at: Int.random(in: 0..<rows.count, using: &generator))
        case 2: rows[Int.random(in: 0..<rows.count, using: &generator)].version += 1
        default:
          rows.move(
            from: Int.random(in: 0..<rows.count, using: &generator),
            to: Int.random(in: 0..<rows.count, using: &generator))
        }
      }
      try await task.value
      #expect(progress.fraction == 1)
      expect(subject, kind, source, 5)
      try shadow.check()
    }
  }

  @Test(arguments: Kind.allCases, Way.allCases) func anErrorChangesNothing(_ kind: Kind, _ way: Way) async throws {
    let script = SourceScript("background-errors", iteration: 0)
    script.make(.insertMany)
    let subject = Subject(kind, script.source, 3)
    let shadow = ShadowTree(of: subject.node, id: \.id)
    await #expect(throws: Refusal.self) { try await subject.tellInBackground(0, way, nil) }
    script.make(.insertMany)
    expect(subject, kind, script.source, 3)
    try shadow.check()
    try await subject.tellInBackground(4, way, nil)
    expect(subject, kind, script.source, 4)
  }

  @Test(arguments: Kind.allCases, Way.allCases) func theProgressCanCancel(_ kind: Kind, _ way: Way) async throws {
    let source = ArrayNode((0..<20_000).map { Row(id: $0) })
    let subject = Subject(kind, source, 3)
    let progress = BackgroundProgress()
    progress.progress.cancel()
    await #expect(throws: CancellationError.self) { try await subject.tellInBackground(5, way, progress) }
    expect(subject, kind, source, 3)
  }

  /// If a source shrinks, the total may become smaller than the work that is done.
  @Test func progressOfWhatShrinks() {
    let progress = BackgroundProgress()
    progress.report(9, of: 10)
    progress.report(2, of: 4)
    #expect(progress.fraction == 0.5 && progress.progress.completedUnitCount == 2)
    progress.tellEnd()
    #expect(progress.fraction == 1 && progress.progress.isFinished)
  }

  /// Work that has ended keeps no node alive, and does not follow the source.
  @Test(arguments: Kind.allCases, Way.allCases) func nothingStays(_ kind: Kind, _ way: Way) async throws {
    let source = ArrayNode((0..<100).map { Row(id: $0) })
    weak var node: AnyObject?
    do {
      let subject = Subject(kind, source, 3)
      node = subject.node
      try await subject.tellInBackground(5, way, nil)
      subject.report(4)
      expect(subject, kind, source, 4)
    }
    #expect(node == nil)
    #expect(source.hub.state.value.dependents.isEmpty)
  }

  @Test func childrenWithoutAValueComeLast() async throws {
    let branch = BranchNode<Int>((0..<200).map { $0 % 3 == 0 ? .node(ArrayNode([$0])) : .leaf(300 - $0) })
    for isConcurrent in [true, false] {
      let sort = SortNode(branch, by: >)
      let fresh = SortNode(branch, by: <)
      if isConcurrent {
        try await sort.setComparator(inBackground: .concurrently, by: <)
      } else {
        try await sort.setComparator(inBackground: .inSlices(of: .milliseconds(1)), by: <)
      }
      let sources = (0..<200).map(sort.sourcePosition)
      #expect(sources == (0..<200).map(fresh.sourcePosition))
    }
  }

  /// Returns the task of a predicate that a tree filter has evaluated for some of the elements.
  private nonisolated func begun(
    _ filter: TreeFilterNode<Int>, _ steps: StepScheduler, hint: FilterHint = .different,
    where predicate: @escaping (Int) -> Bool
  ) -> StepTask {
    let task = steps.begin(filter) { filter in
      try await filter.setPredicate(
        hint: hint, inBackground: .inSlices(of: .milliseconds(1)), where: predicate)
    }
    for _ in 0..<40 { steps.step() }
    #expect(task.outcome == nil && filter.family.state.value.background?.work != nil)
    return task
  }

  /// Checks that the next step of a task throws, and that the task leaves nothing behind.
  private nonisolated func expectSuperseded(_ filter: TreeFilterNode<Int>, _ task: StepTask, _ steps: StepScheduler) {
    let shown = filter.elements
    while steps.step() {}
    #expect(throws: CancellationError.self) { _ = try task.outcome?.get() }
    #expect(filter.elements == shown && filter.family.state.value.background == nil)
  }

  /// A hint compares a predicate with the last one that was set. If the verdicts of that one are not known yet, the
  /// hint holds for the predicate that is shown, or is ignored.
  @Test(arguments: [FilterHint.different, .stricter, .looser])
  nonisolated func hintsOfTreeFilters(_ former: FilterHint) throws {
    let forest = ForestNode<Int>()
    forest.append(contentsOf: 0..<300)
    let filter = TreeFilterNode(forest) { $0 % 3 == 0 }
    let steps = StepScheduler()
    let first = begun(filter, steps, hint: former) { number in
      switch former {
      case .different: number % 4 == 0
      case .stricter: number % 6 == 0
      case .looser: number % 3 < 2
      }
    }
    var calls = 0
    let second = steps.begin(filter) { filter in
      try await filter.setPredicate(hint: .stricter, inBackground: .inSlices(of: .milliseconds(1))) { number in
        calls += 1
        return number % 12 == 0
      }
    }
    while steps.step() {}
    #expect(throws: CancellationError.self) { _ = try first.outcome?.get() }
    try #require(second.outcome).get()
    #expect(filter.elements == (0..<300).filter { $0 % 12 == 0 })
    #expect(calls == (former == .stricter ? 100 : 300))
    #expect(filter.family.state.value.background == nil)
  }

  @Test(arguments: [false, true])
  nonisolated func aRolledBackPredicateOfATreeFilterSupersedes(_ isRead: Bool) throws {
    let forest = ForestNode<Int>()
    forest.append(contentsOf: 0..<300)
    let filter = TreeFilterNode(forest) { $0 % 2 == 0 }
    let shadow = ShadowTree(of: filter, id: \.self, minimality: [])
    let former = filter.elements
    let steps = StepScheduler()
    let task = begun(filter, steps) { $0 % 6 < 4 }
    #expect(filter.elements == former)
    let count = shadow.deliveryCount
    #expect(throws: Refusal.self) {
      try filter.performUpdates { () throws in
        filter.setPredicate { $0 % 3 == 0 }
        if isRead {
          forest.removeChild(at: 0)
          #expect(filter.count == 99)
        }
        throw Refusal()
      }
    }
    #expect(filter.elements == former)
    #expect(shadow.deliveryCount == count + 1)
    expectSuperseded(filter, task, steps)
    forest.append(300)
    #expect(filter.elements == former + [300])
    try shadow.check()
  }

  /// A flat filter shows children without a value. In a tree filter they match nothing, except under the policy that
  /// hides subtrees.
  @Test func leavesWithoutAValueMatchAsBefore() async throws {
    let sections = BranchNode<Int>([.leaf(1), .node(ArrayNode([5])), .leaf(2)])
    let nest = NestNode<Int, Int>(sections, id: { $0 }, parent: { _ in nil })
    for policy in [TreeFilterPolicy.keepingAncestors, .keepingDescendants, .hidingSubtrees] {
      let filter = TreeFilterNode(nest, policy: policy) { _ in true }
      try await filter.setPredicate(inBackground: .concurrently) { $0 < 2 }
      #expect(filter.count == (policy == .hidingSubtrees ? 2 : 1))
      try await filter.setPredicate(inBackground: .inSlices(of: .milliseconds(1))) { $0 > 0 }
      #expect(filter.count == (policy == .hidingSubtrees ? 3 : 2))
    }
  }
}
