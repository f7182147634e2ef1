@testable import Assemblage
import AssemblageTesting
import OffsetIndexing
import TestSupport
import Testing

/// The steps of a predicate that is evaluated in the background, in every order with edits and further calls: the test is the
/// scheduler.
@Suite struct FilterSweepTests {
  /// What can happen between two steps.
  enum Step: Hashable, CaseIterable {
    case take, answerFirst, answerLast, slice
    case insert, remove, update, move, transaction, rolledBack
    case refresh, giveUp
    case supersedeWhenDone, supersedeAsItGoes, setAtOnce
  }

  /// A filter, and a model that knows of each row whether the new predicate's verdict is there.
  final class World {
    struct Stop: Error {}

    /// A predicate: what it says of a row.
    struct Threshold: Equatable {
      let value: Int

      func passes(_ row: Row) -> Bool { (row.id * 7 + row.version * 3) % 10 < value }
    }

    /// Which rows the new predicate has been asked about, on the node's domain.
    final class Asked {
      var rows: Set<Row> = []
    }

    let source: ArrayNode<Row>
    let filter: FilterNode<Row>
    let shadow: ShadowTree<Row>
    private var nextID = 1_000
    /// The rows that were removed or updated in a transaction.
    private var touched: Set<Row> = []
    /// The rows that were refreshed in a transaction.
    private var refreshed: Set<Row>?

    /// The predicate that is in force.
    var former = Threshold(value: 5)
    /// The one that is being evaluated.
    var latest = Threshold(value: 5)
    var isShownAsItGoes = false
    var sweep: FilterSweep<Row>?
    var asked = Asked()
    /// What was shown of rows before the sweep began, where it is shown as it goes.
    var base: [Row: Bool] = [:]
    var underWay: [(piece: Sweep.Piece, rows: [Row], verdicts: BitRun)] = []

    init(count: Int) {
      source = ArrayNode((0..<count).map { Row(id: $0) })
      let threshold = former
      filter = FilterNode(source) { threshold.passes($0) }
      shadow = ShadowTree(of: filter, id: \.id)
    }

    // MARK: The model

    func isShown(_ row: Row) -> Bool {
      guard sweep != nil, isShownAsItGoes else { return former.passes(row) }
      return isAnswered(row) ? latest.passes(row) : base[row] ?? former.passes(row)
    }

    func isAnswered(_ row: Row) -> Bool { asked.rows.contains(row) }

    func check() throws {
      try #require(filter.elements == source.elements.filter(isShown))
      try shadow.check()
      filter.state.value.translation.passes.checkInvariants()
    }

    // MARK: Steps

    func begin(_ threshold: Threshold, _ hint: FilterHint, asItGoes: Bool, from: Range<Int> = 0..<0) {
      let shown = Dictionary(uniqueKeysWithValues: source.elements.map { ($0, isShown($0)) })
      let excluded = source.elements.filter { row in
        guard sweep == nil || isAnswered(row) else { return false }
        return switch hint {
        case .different: false
        case .stricter: !latest.passes(row)
        case .looser: latest.passes(row)
        }
      }
      // What was shown as it went is not shown any longer where the next is shown when it is done.
      base = sweep != nil && isShownAsItGoes && asItGoes ? shown : [:]
      asked = Asked()
      let asked = asked
      underWay = []
      sweep = filter.begin(
        { row in
          asked.rows.insert(row)
          return threshold.passes(row)
        }, hint, asItGoes ? .asItGoes(from: from) : .whenDone)
      // Those are known by the hint.
      asked.rows.formUnion(excluded)
      latest = threshold
      isShownAsItGoes = asItGoes
    }

    func setAtOnce(_ threshold: Threshold, _ hint: FilterHint) {
      filter.setPredicate(hint: hint) { threshold.passes($0) }
      (former, latest, sweep, underWay) = (threshold, threshold, nil, [])
    }

    func giveUp() {
      guard let sweep else { return }
      filter.giveUp(sweep)
      (latest, self.sweep, underWay) = (former, nil, [])
    }

    func take(_ count: Int) {
      guard let sweep, underWay.count < 3, let piece = sweep.sweep.take(atMost: count) else { return }
      // Both forms, in turn.
      let copy =
        piece.id % 2 == 0
        ? ElementPiece(.shared(source.sharedSlices(of: piece.range)!), piece.mask)
        : ElementPiece(copying: filter.state.value.reader, piece.range, piece.mask)
      let threshold = latest
      let rows = piece.range.filter { piece.mask[$0 - piece.range.lowerBound] }.map { source[$0] }
      let verdicts = try? copy.takeVerdicts(of: { threshold.passes($0) }, valueless: true)
      underWay.append((piece, rows, verdicts!))
    }

    func answer(_ index: Int) {
      guard let sweep, underWay.indices.contains(index) else { return }
      let work = underWay.remove(at: index)
      filter.take(work.verdicts, on: work.piece, of: sweep)
      let present = Set(source.elements)
      asked.rows.formUnion(work.rows.filter { present.contains($0) })
    }

    func slice(_ count: Int) {
      guard let sweep else { return }
      let isLeft = sweep.sweep.unansweredCount > underWay.reduce(0) { $0 + $1.piece.mask.setCount }
      #expect(filter.evaluateSlice(of: sweep, atMost: count) == isLeft)
    }

    func end() {
      guard let sweep else { return }
      #expect(sweep.sweep.isDone)
      filter.end(sweep)
      (former, self.sweep) = (latest, nil)
    }

    /// Does the rest of the work.
    func finish() throws {
      while !underWay.isEmpty { answer(0) }
      while let sweep, filter.evaluateSlice(of: sweep, atMost: 2) { try check() }
      end()
      try check()
      #expect(filter.elements == source.elements.filter(latest.passes))
    }

    /// Makes edits and settings that are rolled back.
    func rollBack(_ body: () -> Void) {
      let (former, settlements) = (self.former, filter.hub.graph.settlementCount)
      let deliveries = shadow.deliveryCount
      (touched, refreshed) = ([], nil)
      // A setting is a settlement of its own.
      shadow.minimality = []
      try? source.performUpdates {
        body()
        throw Stop()
      }
      shadow.minimality = .standard
      self.former = former
      if sweep == nil { latest = former }
      let isSettled = filter.hub.graph.settlementCount != settlements
      if !isSettled { #expect(shadow.deliveryCount == deliveries) }
      // What pieces under way say of these rows is out of date, as far as the sweep has received the edits.
      var stale = refreshed ?? []
      if isSettled { stale.formUnion(touched) }
      // All rows are asked about again.
      if refreshed != nil, isSettled || isShownAsItGoes { stale = Set(source.elements) }
      for index in underWay.indices { underWay[index].rows.removeAll { stale.contains($0) } }
    }

    func refresh(_ range: Range<Int>) {
      refreshed = (refreshed ?? []).union(source.elements[range])
      filter.refresh(range)
    }

    func newRow() -> Row {
      nextID += 1
      return Row(id: nextID)
    }

    func insert(at position: Int) { source.insert(newRow(), at: min(position, source.count)) }

    func remove(at position: Int) {
      guard source.count > 0 else { return }
      touched.insert(source[min(position, source.count - 1)])
      source.remove(at: min(position, source.count - 1))
    }

    func update(at position: Int) {
      guard source.count > 0 else { return }
      touched.insert(source[min(position, source.count - 1)])
      source[min(position, source.count - 1)].version += 1
    }

    func move(from origin: Int, to destination: Int) {
      guard source.count > 1 else { return }
      source.move(from: min(origin, source.count - 1), to: min(destination, source.count - 1))
    }
  }

  /// Every sequence of three steps over three rows, and what is left to do after it.
  @Test(arguments: [false, true]) func everyOrder(_ asItGoes: Bool) throws {
    let steps = Step.allCases
    try Exhaustive.forEachVector(over: steps, count: 3) { script in
      let world = World(count: 3)
      world.begin(World.Threshold(value: 8), .different, asItGoes: asItGoes)
      for step in script {
        switch step {
        case .take: world.take(1)
        case .answerFirst: world.answer(0)
        case .answerLast: world.answer(world.underWay.count - 1)
        case .slice: world.slice(1)
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
        case .refresh: world.refresh(0..<min(1, world.source.count))
        case .giveUp: world.giveUp()
        case .supersedeWhenDone: world.begin(World.Threshold(value: 3), .stricter, asItGoes: false)
        case .supersedeAsItGoes: world.begin(World.Threshold(value: 9), .looser, asItGoes: true)
        case .setAtOnce: world.setAtOnce(World.Threshold(value: 5), .different)
        }
        try world.check()
      }
      try world.finish()
    }
  }

  @Test func randomOrders() throws {
    var done: [Step: Int] = [:]
    for iteration in 0..<TestSeed.iterations(300) {
      var generator = TestSeed.generator("filter-sweep", iteration: iteration)
      let world = World(count: Int.random(in: 0...(generator.chance(1, in: 8) ? 300 : 12), using: &generator))
      func position() -> Int { Int.random(in: 0...world.source.count, using: &generator) }
      func edit() {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: world.insert(at: position())
        case 1: world.remove(at: position())
        case 2: world.update(at: position())
        default: world.move(from: position(), to: position())
        }
      }
      /// A predicate with a hint that holds.
      func next() -> (World.Threshold, FilterHint) {
        let threshold = World.Threshold(value: Int.random(in: 0...10, using: &generator))
        guard generator.chance(2, in: 3), threshold != world.latest else { return (threshold, .different) }
        return (threshold, threshold.value < world.latest.value ? .stricter : .looser)
      }
      for _ in 0..<TestSeed.length(60) {
        let step = Step.allCases.randomElement(using: &generator)!
        if world.sweep != nil || [.supersedeWhenDone, .supersedeAsItGoes].contains(step) {
          done[step, default: 0] += 1
        }
        switch step {
        case .take: world.take(Int.random(in: 1...4, using: &generator))
        case .answerFirst: world.answer(0)
        case .answerLast: world.answer(world.underWay.count - 1)
        case .slice: world.slice(Int.random(in: 1...4, using: &generator))
        case .insert: world.insert(at: position())
        case .remove: world.remove(at: position())
        case .update: world.update(at: position())
        case .move: world.move(from: position(), to: position())
        case .transaction:
          world.source.performUpdates { for _ in 0..<Int.random(in: 1...4, using: &generator) { edit() } }
        case .rolledBack:
          world.rollBack {
            for _ in 0..<Int.random(in: 0...4, using: &generator) { edit() }
            if generator.chance(1, in: 4) {
              world.refresh(generator.range(in: world.source.count))
              if generator.chance(1, in: 2) { edit() }
            }
            if generator.chance(1, in: 8) {
              let (threshold, hint) = next()
              world.setAtOnce(threshold, hint)
              if generator.chance(1, in: 2) { edit() }
            }
          }
        case .refresh: world.refresh(generator.range(in: world.source.count))
        case .giveUp: if generator.chance(1, in: 4) { world.giveUp() }
        case .supersedeWhenDone, .supersedeAsItGoes:
          guard world.sweep == nil || generator.chance(1, in: 4) else { continue }
          let (threshold, hint) = next()
          world.begin(
            threshold, hint, asItGoes: step == .supersedeAsItGoes, from: generator.range(in: world.source.count))
        case .setAtOnce:
          guard generator.chance(1, in: 4) else { continue }
          let (threshold, hint) = next()
          world.setAtOnce(threshold, hint)
        }
        try world.check()
        if let sweep = world.sweep, sweep.sweep.isDone { world.end() }
        try world.check()
      }
      try world.finish()
    }
    #expect(Set(done.keys) == Set(Step.allCases))
  }

  /// A call that is rolled back supersedes a sweep: the filter is as if the sweep had been given up.
  @Test(arguments: [false, true], [false, true])
  func aRolledBackCallSupersedes(_ asItGoes: Bool, _ isAmongEdits: Bool) throws {
    let world = World(count: 6)
    let former = world.filter.elements
    world.begin(World.Threshold(value: 2), .different, asItGoes: asItGoes)
    world.slice(3)
    try world.check()
    #expect((world.filter.elements == former) == !asItGoes)
    let (sweep, deliveries) = (try #require(world.sweep), world.shadow.deliveryCount)
    world.rollBack {
      if isAmongEdits {
        world.remove(at: 4)
        world.insert(at: 2)
      }
      world.setAtOnce(World.Threshold(value: 10), .different)
      if isAmongEdits { world.remove(at: 0) }
    }
    try world.check()
    #expect(world.filter.elements == former)
    if !asItGoes, !isAmongEdits { #expect(world.shadow.deliveryCount == deliveries) }
    #expect(throws: CancellationError.self) { try world.filter.check(sweep) }
    world.filter.giveUp(sweep)
    world.update(at: 1)
    try world.finish()
  }

  /// What is asked about first is what is on the screen; the rest follows below, and then from the beginning.
  @Test func theVisibleRegionComesFirst() {
    var asked: [Int] = []
    let filter = FilterNode(ArrayNode(Array(0..<12))) { $0 % 2 == 0 }
    let ask = { (number: Int) in
      asked.append(number)
      return true
    }
    let sweep = filter.begin(ask, .stricter, .asItGoes(from: 3..<5))
    while filter.evaluateSlice(of: sweep, atMost: 2) {}
    #expect(asked == [6, 8, 10, 0, 2, 4])
  }

  /// A piece is looked for among few that have to be asked, and spans not too much.
  @Test func aPieceIsSmall() {
    var bits = BitIndex(repeating: false, count: 10_000)
    for position in [0, 63, 64, 127, 9_000] { bits[position] = true }
    var sweep = Sweep(bits, from: 60)
    var ranges: [Range<Int>] = []
    while let piece = sweep.take(atMost: 2) { ranges.append(piece.range) }
    #expect(ranges == [63..<65, 127..<255, 9_000..<9_001, 0..<1])
    #expect(!sweep.isDone && sweep.unansweredCount == 5 && sweep.unanswered == bits)
  }
}
