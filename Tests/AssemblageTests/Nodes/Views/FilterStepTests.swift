import AssemblageTesting
import TestSupport
import Testing

@testable import Assemblage

/// The steps of a predicate that is set in the background, in every order with edits and further calls. The test is the
/// scheduler.
@Suite struct FilterStepTests {
  /// An event between two steps of the work.
  enum Event: Hashable, CaseIterable {
    case stepFirst, stepLast
    case insert, remove, update, move, transaction, rolledBack, rolledBackCall
    case refresh, cancel, stricter, looser, setAtOnce
  }

  /// A filter, and a model of its contents.
  final class World {
    struct Stop: Error {}

    /// A predicate, as its verdict on a row.
    struct Threshold: Equatable {
      let value: Int

      func passes(_ row: Row) -> Bool { (row.id * 7 + row.version * 3) % 10 < value }
    }

    let source: ArrayNode<Row>
    let filter: FilterNode<Row>
    let shadow: ShadowTree<Row>
    let steps = StepScheduler()
    private var nextID = 1_000

    /// The predicate of the shown rows.
    var shown = Threshold(value: 5)
    /// The predicate that was set last.
    var latest = Threshold(value: 5)
    /// The work that has not ended.
    var works: [(task: StepTask, threshold: Threshold, isLatest: Bool)] = []

    init(count: Int) {
      source = ArrayNode((0..<count).map { Row(id: $0) })
      let threshold = shown
      filter = FilterNode(source) { threshold.passes($0) }
      shadow = ShadowTree(of: filter, id: \.id)
    }

    func check() throws {
      try #require(filter.elements == source.elements.filter(shown.passes))
      try shadow.check()
    }

    private func supersede() { for index in works.indices { works[index].isLatest = false } }

    func begin(_ threshold: Threshold, _ hint: FilterHint, inSlices: Bool) {
      let task = steps.begin(filter) { filter in
        if inSlices {
          try await filter.setPredicate(hint: hint, inBackground: .inSlices(of: .milliseconds(1))) {
            threshold.passes($0)
          }
        } else {
          try await filter.setPredicate(hint: hint, inBackground: .concurrently) { threshold.passes($0) }
        }
      }
      supersede()
      works.append((task, threshold, true))
      latest = threshold
      // One step leads to the filter's actor, and one to the call. From then on the call supersedes other calls.
      for _ in 0..<2 { step(steps.waitingCount - 1) }
    }

    func step(_ choice: Int) {
      guard steps.waitingCount > 0 else { return }
      steps.step(choice)
      for work in works {
        guard let outcome = work.task.outcome else { continue }
        works.removeAll { $0.task === work.task }
        switch outcome {
        case .success:
          #expect(work.isLatest)
          shown = work.threshold
        case .failure(let error):
          #expect(error is CancellationError)
          if work.isLatest { latest = shown }
        }
      }
    }

    func setAtOnce(_ threshold: Threshold, _ hint: FilterHint) {
      filter.setPredicate(hint: hint) { threshold.passes($0) }
      supersede()
      (shown, latest) = (threshold, threshold)
    }

    /// Finishes the work.
    func finish() throws {
      while steps.waitingCount > 0 {
        step(0)
        try check()
      }
      #expect(works.isEmpty && filter.work == nil && shown == latest)
    }

    /// Makes edits and calls that are rolled back.
    func rollBack(_ body: () -> Void) {
      let (former, formerLatest) = (shown, latest)
      let isCalled = works.contains(where: \.isLatest)
      // A call is a settlement of its own.
      shadow.minimality = []
      try? source.performUpdates {
        body()
        throw Stop()
      }
      shadow.minimality = .standard
      shown = former
      latest = isCalled && !works.contains(where: \.isLatest) ? former : formerLatest
    }

    func insert(at position: Int) {
      nextID += 1
      source.insert(Row(id: nextID), at: min(position, source.count))
    }

    func remove(at position: Int) {
      if source.count > 0 { source.remove(at: min(position, source.count - 1)) }
    }

    func update(at position: Int) {
      if source.count > 0 { source[min(position, source.count - 1)].version += 1 }
    }

    func move(from origin: Int, to destination: Int) {
      guard source.count > 1 else { return }
      source.move(from: min(origin, source.count - 1), to: min(destination, source.count - 1))
    }

    /// Returns a predicate that passes fewer rows than the predicate that was set last, or more.
    func next(_ hint: FilterHint, _ distance: Int) -> Threshold {
      Threshold(value: hint == .stricter ? max(0, latest.value - distance) : min(10, latest.value + distance))
    }
  }

  /// Every pair of events over three rows, at several stages of the work, and the rest of the work afterwards.
  @Test(arguments: [false, true]) func everyOrder(_ inSlices: Bool) throws {
    let events = Event.allCases
    for stage in 0..<8 {
      try Exhaustive.forEachVector(over: events, count: 2) { script in
        let world = World(count: 3)
        world.begin(World.Threshold(value: 8), .different, inSlices: inSlices)
        for _ in 0..<2 * stage { world.step(0) }
        for event in script {
          switch event {
          case .stepFirst: world.step(0)
          case .stepLast: world.step(world.steps.waitingCount - 1)
          case .insert: world.insert(at: 1)
          case .remove: world.remove(at: 0)
          case .update: world.update(at: 1)
          case .move: world.move(from: 0, to: 2)
          case .transaction:
            world.source.performUpdates {
              world.move(from: 2, to: 0)
              world.remove(at: 1)
              world.insert(at: 0)
            }
          case .rolledBack:
            world.rollBack {
              world.remove(at: 0)
              world.update(at: 0)
            }
          case .rolledBackCall:
            world.rollBack {
              world.remove(at: 2)
              world.setAtOnce(World.Threshold(value: 10), .different)
              world.update(at: 0)
            }
          case .refresh: world.filter.refresh(0..<min(1, world.source.count))
          case .cancel: world.works.last?.task.cancel()
          case .stricter: world.begin(world.next(.stricter, 4), .stricter, inSlices: !inSlices)
          case .looser: world.begin(world.next(.looser, 1), .looser, inSlices: inSlices)
          case .setAtOnce: world.setAtOnce(World.Threshold(value: 5), .different)
          }
          try world.check()
        }
        try world.finish()
      }
    }
  }

  @Test func randomOrders() throws {
    var done: Set<Event> = []
    for iteration in 0..<TestSeed.iterations(200) {
      var generator = TestSeed.generator("filter-steps", iteration: iteration)
      let world = World(count: Int.random(in: 0...(generator.chance(1, in: 8) ? 100 : 12), using: &generator))
      func position() -> Int { Int.random(in: 0...world.source.count, using: &generator) }
      func edit() {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: world.insert(at: position())
        case 1: world.remove(at: position())
        case 2: world.update(at: position())
        default: world.move(from: position(), to: position())
        }
      }
      func call() {
        let hint: FilterHint = generator.chance(1, in: 2) ? .stricter : .looser
        let threshold = world.next(hint, Int.random(in: 0...4, using: &generator))
        world.setAtOnce(threshold, generator.chance(1, in: 2) ? hint : .different)
      }
      for _ in 0..<TestSeed.length(80) {
        let event = Event.allCases.randomElement(using: &generator)!
        if !world.works.isEmpty { done.insert(event) }
        switch event {
        case .stepFirst: for _ in 0..<4 { world.step(0) }
        case .stepLast: world.step(world.steps.waitingCount - 1)
        case .insert: world.insert(at: position())
        case .remove: world.remove(at: position())
        case .update: world.update(at: position())
        case .move: world.move(from: position(), to: position())
        case .transaction:
          world.source.performUpdates { for _ in 0..<Int.random(in: 1...4, using: &generator) { edit() } }
        case .rolledBack: world.rollBack { for _ in 0..<Int.random(in: 0...4, using: &generator) { edit() } }
        case .rolledBackCall:
          guard generator.chance(1, in: 4) else { continue }
          world.rollBack {
            edit()
            call()
            edit()
          }
        case .refresh: world.filter.refresh(generator.range(in: world.source.count))
        case .cancel: if generator.chance(1, in: 4) { world.works.last?.task.cancel() }
        case .stricter, .looser:
          guard world.works.isEmpty || generator.chance(1, in: 4) else { continue }
          let hint: FilterHint = event == .stricter ? .stricter : .looser
          let threshold = world.next(hint, Int.random(in: 0...4, using: &generator))
          world.begin(threshold, hint, inSlices: Bool.random(using: &generator))
        case .setAtOnce: if generator.chance(1, in: 4) { call() }
        }
        try world.check()
      }
      try world.finish()
    }
    #expect(done == Set(Event.allCases))
  }

  /// A predicate is called only for the elements that a hint leaves open, also where the call supersedes another call
  /// with the same hint.
  @Test(arguments: [FilterHint.different, .stricter, .looser], [true, false])
  func hintsSaveCalls(_ former: FilterHint, _ isSuperseding: Bool) throws {
    let filter = FilterNode(ArrayNode(0..<120)) { $0 % 3 == 0 }
    let steps = StepScheduler()
    if isSuperseding {
      _ = steps.begin(filter) { filter in
        try await filter.setPredicate(hint: former, inBackground: .inSlices(of: .milliseconds(1))) { number in
          switch former {
          case .different: number % 4 == 0
          case .stricter: number % 6 == 0
          case .looser: number % 3 < 2
          }
        }
      }
      for _ in 0..<10 { steps.step() }
    }
    var asked: [Int] = []
    let task = steps.begin(filter) { filter in
      try await filter.setPredicate(hint: .stricter, inBackground: .inSlices(of: .milliseconds(1))) {
        asked.append($0)
        return $0 % 12 == 0
      }
    }
    while steps.step() {}
    try #require(task.outcome).get()
    #expect(filter.elements == (0..<120).filter { $0 % 12 == 0 })
    #expect(asked == (0..<120).filter { isSuperseding && former != .stricter || $0 % 3 == 0 })
  }

  @Test func everyStepMayBeTheLastOne() throws {
    func begin(_ filter: FilterNode<Int>, _ divisor: Int, _ inSlices: Bool, _ steps: StepScheduler) -> StepTask {
      steps.begin(filter) { filter in
        if inSlices {
          try await filter.setPredicate(inBackground: .inSlices(of: .milliseconds(1))) { $0 % divisor == 0 }
        } else {
          try await filter.setPredicate(inBackground: .concurrently) { $0 % divisor == 0 }
        }
      }
    }
    var outcomes = (done: 0, superseded: 0)
    for form in 0..<4 {
      for count in 0..<60 {
        let source = ArrayNode(0..<6)
        let filter = FilterNode(source) { $0 < 4 }
        let shadow = ShadowTree(of: filter, id: \.self)
        let steps = StepScheduler()
        let first = begin(filter, 3, form % 2 == 0, steps)
        for _ in 0..<count where first.outcome == nil { steps.step() }
        let second = begin(filter, 2, form < 2, steps)
        // The second call has begun before the edits, and after other steps.
        for step in 0..<100_000 {
          if step == 1 { source.append(6) }
          if step == 3 { source.removeSubrange(0..<3) }
          // The last waiting step: work that the first call gave to other cores is late.
          if !steps.step(step % 2 == 0 ? 0 : max(0, steps.waitingCount - 1)) { break }
        }
        switch try #require(first.outcome) {
        case .success: outcomes.done += 1
        case .failure(let error):
          #expect(error is CancellationError)
          outcomes.superseded += 1
        }
        try #require(second.outcome).get()
        #expect(filter.elements == source.elements.filter { $0 % 2 == 0 }, "\(form), \(count)")
        try shadow.check()
      }
    }
    #expect(outcomes.done > 0 && outcomes.superseded > 0)
  }
}
