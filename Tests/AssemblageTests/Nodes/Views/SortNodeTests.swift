@_spi(NodeAuthors) @testable import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@Suite struct SortNodeTests: MisuseSuite {
  @Test func theExampleHolds() {
    let scores = ArrayNode([30, 10, 20])
    let ranking = SortNode(scores)
    #expect(ranking.elements == [10, 20, 30])
    #expect(ranking.sourcePosition(of: 0) == 1)
    var received: [ChangeSet] = []
    let token = ranking.observe { received.append($0) }
    scores.append(15)
    #expect(received == [ChangeSet(.insertion(1..<2))])
    scores[0] = 5
    #expect(received.last == ChangeSet(Delta(updates: [0..<1], moves: [Delta.Move(from: 3..<4, to: 0..<1)])))
    ranking.setComparator(>)
    #expect(ranking.elements == [20, 15, 10, 5])
    token.cancel()
  }

  /// Returns the places of a source, stably sorted, with places without a value last.
  private func sorted(_ places: [Place], by comparator: SortNode<Row>.Comparator?) -> [Place] {
    guard let comparator else { return places }
    let valued = places.filter { $0.value != nil }.sorted { comparator($0.value!, $1.value!) }
    return valued + places.filter { $0.value == nil }
  }

  // MARK: Orders turned round

  /// The present order, reversed or not, is found without sorting, also with equal rows. So many rows are sorted to
  /// test this.
  @Test(arguments: [63, 64, 65, 200, 1_000]) func orderTurnedRound(_ count: Int) throws {
    var generator = TestSeed.generator("sort-node/turned", iteration: count)
    for keys in [1, 2, 10, 1_000_000] {
      let rows = (0..<count).map { Row(id: $0, version: Int.random(in: 0..<keys, using: &generator)) }
      let source = ArrayNode(rows)
      let comparators: [SortNode<Row>.Comparator] = [
        { $0.version < $1.version }, { $0.version > $1.version }, { ($0.version, $0.id) < ($1.version, $1.id) },
        { ($0.version, $0.id) > ($1.version, $1.id) }, { _, _ in false }, { $0.version / 2 > $1.version / 2 },
        { $0.id > $1.id },
      ]
      let sort = SortNode(source, by: comparators[0])
      let shadow = ShadowTree(of: sort, id: \.id)
      shadow.minimality = .fewestMoves
      for step in 0..<(count < 1_000 ? 16 : 8) {
        let comparator = comparators[Int.random(in: 0..<comparators.count, using: &generator)]
        sort.setComparator(comparator)
        #expect(sort.elements.map(\.id) == source.elements.sorted(by: comparator).map(\.id), "\(keys) \(step)")
        if count < 1_000 { try shadow.check() }
        // A single row is out of place. As a rule, the samples don't find it.
        source[Int.random(in: 0..<count, using: &generator)].version = Int.random(in: 0..<keys, using: &generator)
        try shadow.check()
      }
    }
  }

  /// To reverse an order takes about one comparison for each child. So does the discovery that the order is unchanged.
  @Test func turningAsksOnce() {
    let count = 10_000
    let source = ArrayNode((0..<count).map { $0 * 7_919 % count })
    let sort = SortNode(source)
    var asked = 0
    sort.setComparator {
      asked += 1
      return $0 > $1
    }
    #expect(sort.elements == Array((0..<count).reversed()))
    #expect(asked <= count + 50)
    asked = 0
    sort.refresh()
    #expect(sort.elements == Array((0..<count).reversed()))
    #expect(asked <= 2 * count)
  }

  /// Many rows arrive among few, few among many, and as many as there are.
  @Test(arguments: [(0, 300), (3, 300), (300, 300), (300, 9), TestSeed.isShortened ? (1_000, 50) : (2_000, 100)])
  func manyArriveAtOnce(_ former: Int, _ new: Int) throws {
    var generator = TestSeed.generator("sort-node/many", iteration: former + new)
    for keys in [3, 100_000] {
      var id = 0
      func rows(_ count: Int) -> [Row] {
        (0..<count).map { _ in
          id += 1
          return Row(id: id, version: Int.random(in: 0..<keys, using: &generator))
        }
      }
      let source = ArrayNode(rows(former))
      let sort = SortNode(source) { $0.version < $1.version }
      let shadow = ShadowTree(of: sort, id: \.id)
      for _ in 0..<5 {
        let place = Int.random(in: 0...source.count, using: &generator)
        let batches = [rows(new / 2), rows(new - new / 2)]
        source.performUpdates {
          source.insert(contentsOf: batches[0], at: place)
          source.insert(contentsOf: batches[1], at: 0)
        }
        let expected = source.elements.sorted { $0.version < $1.version }
        #expect(sort.elements.map(\.id) == expected.map(\.id))
        try shadow.check()
        source.removeSubrange(0..<new)
        try shadow.check()
      }
    }
  }

  // MARK: Scripts

  /// Random edits of the source and changes of the comparator. The test checks contents, mappings, and every delivery.
  @Test func scriptsAgreeWithAModel() throws {
    let comparators: [SortNode<Row>.Comparator?] = [
      { $0.version < $1.version }, { $0.version > $1.version }, { $0.id > $1.id }, { _, _ in false }, nil,
      { ($0.version % 2, $0.id) < ($1.version % 2, $1.id) },
    ]
    var tally = OperationTally<SourceScript.Edit>()
    for iteration in 0..<TestSeed.iterations(15) {
      let script = SourceScript("sort-node/script", iteration: iteration)
      var comparator = comparators[iteration % comparators.count]
      let node = SortNode(script.source, by: comparator)
      let shadow = ShadowTree(of: node, id: \.id)
      let checker = NodeChecker<Row>(id: \.id)
      for step in 0..<TestSeed.length(60) {
        if script.random(0...9) == 0 {
          comparator = comparators[script.random(0...comparators.count - 1)]
          node.setComparator(comparator)
        } else {
          script.step()
        }
        let expected = sorted(script.source.places, by: comparator)
        let isRight = node.places == expected
        #expect(isRight, "script \(iteration), step \(step): \(node.places), not \(expected)")
        try shadow.check()
        try checker.check(node)
        if !isRight { return }
      }
      for edit in SourceScript.Edit.allCases where script.tally[edit] > 0 { tally.count(edit) }
    }
    try tally.check()
  }

  @Test func laterNodesHearTheSameOfAChain() throws {
    for iteration in 0..<TestSeed.iterations(15) {
      let script = SourceScript("sort-node/chain", iteration: iteration)
      let filter = FilterNode(script.source) { $0.version > 0 }
      let sort = SortNode(filter, by: \.version, order: .reverse)
      let top = JoinNode([sort, script.array])
      let shadow = ShadowTree(of: top, id: \.id)
      for _ in 0..<TestSeed.length(40) {
        // The array's rows are in both members. In one change of several edits, a row may leave one member and arrive
        // in the other.
        shadow.minimality = [.fewestMoves]
        if !script.step() { shadow.minimality = .standard }
        if script.random(0...7) == 0 { filter.setPredicate { [limit = script.random(0...2)] in $0.version > limit } }
        if script.random(0...7) == 0 { sort.setComparator(\.version, order: .forward) }
        try shadow.check()
      }
    }
  }

  // MARK: Reported changes

  @Test func anUpdatedElementMovesAlone() {
    let source = ArrayNode(0..<100)
    let sort = SortNode(source)
    var received: [ChangeSet] = []
    let token = sort.observe { received.append($0) }
    source[10] = 90
    #expect(received == [ChangeSet(Delta(updates: [89..<90], moves: [Delta.Move(from: 10..<11, to: 89..<90)]))])
    source[10] = 90
    #expect(received.last == ChangeSet(.update(89..<90)))
    source.move(from: 10, to: 99)
    #expect(received.last == ChangeSet(.move(89..<90, to: 90)), "it ties with its neighbour")
    received = []
    source.move(from: 0, to: 50)
    #expect(received.isEmpty, "it ties with nobody")
    token.cancel()
  }

  @Test func anotherOrderIsTheFewestMoves() {
    let source = ArrayNode([5, 1, 2, 3, 4])
    let sort = SortNode(source, by: nil)
    var received: [ChangeSet] = []
    let token = sort.observe { received.append($0) }
    sort.setComparator(<)
    #expect(received == [ChangeSet(.move(0..<1, to: 4))])
    sort.setComparator { $0 < $1 && $0 < 100 }
    #expect(received.count == 1, "the order is the same")
    sort.setComparator(nil)
    #expect(sort.elements == [5, 1, 2, 3, 4] && received.last == ChangeSet(.move(4..<5, to: 0)))
    token.cancel()
  }

  @Test func keyPathsAndDirections() {
    let rows = ArrayNode([Row(id: 1, version: 2), Row(id: 2, version: 1), Row(id: 3, version: 2)])
    let sort = SortNode(rows, by: \.version)
    #expect(sort.elements.map(\.id) == [2, 1, 3])
    sort.setComparator(\.version, order: .reverse)
    #expect(sort.elements.map(\.id) == [1, 3, 2], "ties stay in the order of the source")
    #expect(SortNode(rows, by: \.id, order: .reverse).elements.map(\.id) == [3, 2, 1])
    #expect(SortNode(ArrayNode([2, 3, 1]), order: .reverse).elements == [3, 2, 1])
  }

  @Test func objectsThatChangedAreSortedAgain() {
    final class Item {
      var rank: Int
      init(_ rank: Int) { self.rank = rank }
    }
    let items = [3, 1, 2].map(Item.init)
    let sort = SortNode(ArrayNode(items), by: \.rank)
    var received: [ChangeSet] = []
    let token = sort.observe { received.append($0) }
    items[1].rank = 9
    sort.refresh()
    #expect(sort.elements.map(\.rank) == [2, 3, 9] && received == [ChangeSet(.move(0..<1, to: 2))])
    token.cancel()
  }

  @Test func theValueIsThatOfTheSource() {
    let source = BranchNode(value: 7, leaves: [2, 1])
    let sort = SortNode(source)
    var received: [ChangeSet] = []
    let token = sort.observe { received.append($0) }
    source.value = 8
    #expect(sort.value == 8 && received == [ChangeSet(updatesValue: true)])
    #expect(sort.source === source && "\(sort)" == "SortNode 8 [1, 2]")
    token.cancel()
  }

  // MARK: Comparators without an order

  /// Whatever a comparator returns, no element is lost and nothing traps.
  @Test func aComparatorWithoutAnOrderLosesNothing() throws {
    for iteration in 0..<TestSeed.iterations(30) {
      let script = SourceScript("sort-node/disorder", iteration: iteration)
      var noise = TestSeed.generator("sort-node/noise", iteration: iteration)
      let comparators: [SortNode<Row>.Comparator] = [
        { _, _ in true }, { _, _ in Bool.random(using: &noise) }, { $0.version <= $1.version },
        { ($0.id - $1.id) % 3 == 1 },
      ]
      let node = SortNode(script.source, by: comparators[iteration % 4])
      let shadow = ShadowTree(of: node, id: \.id)
      for _ in 0..<TestSeed.length(40) {
        script.step()
        if script.random(0...9) == 0 { node.setComparator(comparators[script.random(0...3)]) }
        let sources = (0..<node.count).map { node.sourcePosition(of: $0) }
        #expect(sources.sorted() == Array(0..<script.source.count))
        try shadow.check()
      }
    }
  }

  @Test func numbersThatAreNoneLoseNobody() {
    let source = ArrayNode([2, Double.nan, 1, .nan, 0])
    let sort = SortNode(source)
    source.append(contentsOf: [.nan, 3, 1])
    source[1] = 5
    #expect(sort.count == 8 && sort.elements.filter { $0.isNaN }.count == 2)
  }

  // MARK: Writing

  @Test func writingGoesToTheSource() {
    let source = ArrayNode([30, 10, 20])
    let sort = SortNode(source)
    sort.insert(5, at: [3])
    #expect(source.elements == [30, 10, 20, 5] && sort.elements == [5, 10, 20, 30])
    #expect(sort.remove(at: [1]).value == 10)
    sort.replace(at: [0], with: 25)
    #expect(source.elements == [30, 20, 25] && sort.elements == [20, 25, 30])
    sort.setComparator(nil)
    sort.insert(1, at: [1])
    sort.move(from: [0], to: [3])
    #expect(source.elements == [1, 20, 25, 30] && sort.elements == source.elements)
    let sections = BranchNode<Int>()
    let sorted = SortNode(sections)
    sorted.insert(BranchNode(value: 2), at: 0)
    sorted.insert(BranchNode(value: 1), at: 0)
    #expect(sorted.elements == [1, 2] && sections.elements == [2, 1])
  }

  static let misuses = [
    Misuse("SortNode: the child 0 cannot be moved to 1, because the comparator decides where each child is;") {
      SortNode(ArrayNode([2, 1])).move(from: 0, to: 1)
    },
    Misuse("was changed from a closure that must only read") {
      let source = ArrayNode([2, 1])
      let sort = SortNode(source) { left, right in
        if source.count == 3 { source.removeLast() }
        return left < right
      }
      withExtendedLifetime(sort) { source.append(3) }
    },
    Misuse("SortNode: its source is a ProviderNode<Int>, which cannot be written.") {
      SortNode(ProviderNode(count: 1) { $0 }).remove(at: 0)
    },
    Misuse("SortNode: the position 1 is out of range 0..<1.") { _ = SortNode(ArrayNode([1])).sourcePosition(of: 1) },
    Misuse("SortNode's source: the position -1 is out of range 0..<1.") {
      _ = SortNode(ArrayNode([1])).position(ofSource: -1)
    },
    Misuse("SortNode: the position 2 of an insertion is out of range 0...1.") {
      SortNode(ArrayNode([1])).insert(2, at: 2)
    },
    Misuse("SortNode: the range 0..<2 is out of range 0..<1.") {
      SortNode(ArrayNode([1])).forEachSpan(in: 0..<2) { _, _ in }
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }

  // MARK: Memory

  @Test func theComparatorIsReleasedWithTheNextOne() throws {
    try withLifetimeTracking { tracker in
      let source = ArrayNode(tracker.track([3, 1, 2]))
      var sort: SortNode<Tracked<Int>>? = SortNode(source)
      tracker.expectRelease(of: sort!, "the sorted view")
      sort?.setComparator { [limit = tracker.track(0)] in ($0.payload - limit.payload) > $1.payload }
      source.removeLast()
      #expect(sort?.elements.map(\.payload) == [3, 1] && tracker.liveCount == 3)
      sort = nil
      #expect(tracker.liveCount == 2)
    }
  }

  /// Design, section 8: at most 24 bytes an element.
  @Test func theOrderTakesLittleMemory() {
    let source = ArrayNode((0..<20_000).map { $0 &* 7_919 % 20_011 })
    let sort = SortNode(source)
    #expect(sort.byteCount <= 24 * sort.count)
    for step in 0..<4_000 { source.insert(step, at: step * 5) }
    #expect(sort.byteCount <= 24 * sort.count, "\(Double(sort.byteCount) / Double(sort.count))")
    sort.setComparator(nil)
    #expect(sort.byteCount < 1_000)
  }
}
