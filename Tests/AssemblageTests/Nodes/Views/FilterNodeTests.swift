import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@Suite struct FilterNodeTests {
  @Test func theExampleHolds() {
    let numbers = ArrayNode([3, 8, 5, 12, 9])
    let large = FilterNode(numbers) { $0 > 4 }
    #expect(large.elements == [8, 5, 12, 9])
    #expect(large.sourcePosition(of: 2) == 3)
    var received: [ChangeSet] = []
    let token = large.observe { received.append($0) }
    numbers[0] = 7
    #expect(received == [ChangeSet(.insertion(0..<1))])
    large.setPredicate(hint: .stricter) { $0 > 8 }
    #expect(large.elements == [12, 9])
    #expect(received.last == ChangeSet(.removal(0..<3)))
    token.cancel()
  }

  // MARK: Calls of the predicate

  /// Records the elements for which a predicate is called.
  private final class Questions {
    private(set) var asked: [Int] = []

    func taking(_ body: () -> Void) -> [Int] {
      asked = []
      body()
      return asked
    }

    func predicate(_ passes: @escaping (Int) -> Bool) -> (Int) -> Bool {
      { element in
        self.asked.append(element)
        return passes(element)
      }
    }
  }

  @Test func aFilterAsksOnceWhenItIsMade() {
    let questions = Questions()
    var filter: FilterNode<Int>?
    let asked = questions.taking {
      filter = FilterNode(ArrayNode(0..<200), where: questions.predicate { $0 % 3 == 0 })
    }
    #expect(asked == Array(0..<200))
    #expect(questions.taking { _ = filter?.elements } == [])
  }

  @Test func anEditAsksOnceForEachNewOrUpdatedElement() {
    let questions = Questions()
    let source = ArrayNode(0..<10)
    let filter = FilterNode(JoinNode([source]), where: questions.predicate { $0 % 2 == 0 })
    #expect(questions.taking { source.insert(100, at: 4) } == [100])
    #expect(questions.taking { source.append(contentsOf: 101..<105) } == [101, 102, 103, 104])
    #expect(questions.taking { source[0] = 105 } == [105])
    #expect(questions.taking { source.replaceSubrange(1..<3, with: [106]) } == [106])
    #expect(questions.taking { source.remove(at: 5) } == [])
    #expect(questions.taking { source.move(from: 0, to: 5) } == [])
    #expect(questions.taking { source.swapAt(0, 5) } == [])
    #expect(questions.taking { source.removeAll { $0 > 100 } } == [])
    // A transaction is translated once, so the predicate is not called for the value in between.
    let asked = questions.taking {
      source.performUpdates {
        source.append(7)
        source.update(at: source.count - 1) { $0 += 1 }
      }
    }
    #expect(asked == [8])
    #expect(filter.elements == source.filter { $0 % 2 == 0 })
  }

  @Test func aHintSaysWhomToAsk() {
    let questions = Questions()
    let filter = FilterNode(ArrayNode(0..<12), where: questions.predicate { $0 % 2 == 0 })
    let even = [0, 2, 4, 6, 8, 10]
    let stricter = questions.taking {
      filter.setPredicate(hint: .stricter, where: questions.predicate { $0 % 4 == 0 })
    }
    #expect(stricter == even && filter.elements == [0, 4, 8])
    let looser = questions.taking {
      filter.setPredicate(hint: .looser, where: questions.predicate { $0 % 2 == 0 })
    }
    #expect(looser == [1, 2, 3, 5, 6, 7, 9, 10, 11] && filter.elements == even)
    let different = questions.taking { filter.setPredicate(where: questions.predicate { $0 > 6 }) }
    #expect(different == Array(0..<12) && filter.elements == [7, 8, 9, 10, 11])
    #expect(questions.taking { filter.setPredicate(where: questions.predicate { _ in true }) }.count == 12)
    // There is no element left for which the predicate must be called.
    #expect(
      questions.taking { filter.setPredicate(hint: .looser, where: questions.predicate { _ in true }) } == [])
    filter.setPredicate { _ in false }
    #expect(
      questions.taking { filter.setPredicate(hint: .stricter, where: questions.predicate { _ in true }) }
        == [])
    #expect(filter.isEmpty)
  }

  /// If a hint is wrong, the predicate is not called for some children, and these children stay as they were.
  @Test func aWrongHintLeavesThoseWhoWereNotAsked() {
    let source = ArrayNode(0..<6)
    let filter = FilterNode(source) { $0 < 3 }
    filter.setPredicate(hint: .stricter) { $0 > 1 }
    #expect(filter.elements == [2])
    filter.setPredicate(hint: .looser) { $0 > 4 }
    #expect(filter.elements == [2, 5])
    // From then on, the new predicate decides.
    source[2] = 2
    #expect(filter.elements == [5])
    filter.refresh()
    #expect(filter.elements == [5])
  }

  @Test func aChangeOfThePredicateDeliversTheRowsThatCameAndWent() {
    let filter = FilterNode(ArrayNode(0..<10)) { $0 % 2 == 0 }
    var received: [ChangeSet] = []
    let token = filter.observe { received.append($0) }
    filter.setPredicate { $0 % 3 == 0 }
    // 0 2 4 6 8 → 0 3 6 9
    #expect(received == [ChangeSet(Delta(removals: [1..<3, 4..<5], insertions: [1..<2, 3..<4]))])
    filter.setPredicate { $0 % 3 == 0 && $0 < 100 }
    #expect(received.count == 1, "nothing came or went")
    token.cancel()
  }

  @Test func elementsThatChangedByThemselvesAreAskedAgain() {
    final class Item {
      var isShown = false
    }
    let items = (0..<5).map { _ in Item() }
    let filter = FilterNode(ArrayNode(items)) { $0.isShown }
    var received: [ChangeSet] = []
    let token = filter.observe { received.append($0) }
    items[1].isShown = true
    items[3].isShown = true
    #expect(filter.isEmpty)
    filter.refresh(2..<5)
    #expect(filter.count == 1 && filter.element(at: 0) === items[3])
    filter.refresh()
    #expect(filter.count == 2)
    filter.refresh(0..<0)
    filter.refresh()
    #expect(received == [ChangeSet(.insertion(0..<1)), ChangeSet(.insertion(0..<1))])
    token.cancel()
  }

  // MARK: Positions

  /// Every visibility of up to six children: the maps are inverses of each other, and nil for hidden children.
  @Test func positionsMapThereAndBack() {
    Exhaustive.forEachVector(over: [false, true], upTo: 6) { shown in
      let filter = FilterNode(ArrayNode(shown)) { $0 }
      let visible = shown.indices.filter { shown[$0] }
      var isRight = filter.count == visible.count
      for (rank, position) in visible.enumerated() {
        isRight = isRight && filter.sourcePosition(of: rank) == position
      }
      for position in shown.indices {
        isRight = isRight && filter.position(ofSource: position) == visible.firstIndex(of: position)
      }
      for range in Exhaustive.subranges(of: shown.count) {
        let lower = visible.filter { $0 < range.lowerBound }.count
        let upper = visible.filter { $0 < range.upperBound }.count
        isRight = isRight && filter.range(ofSource: range) == lower..<upper
      }
      #expect(isRight, "\(shown)")
    }
  }

  // MARK: Children that are nodes

  @Test func childrenWithoutAValuePass() {
    let section = ArrayNode([1])
    let source = BranchNode([.leaf(1), .node(section), .leaf(2), .node(BranchNode(value: 3, leaves: []))])
    let questions = Questions()
    var filter: FilterNode<Int>?
    #expect(
      questions.taking { filter = FilterNode(source, where: questions.predicate { $0 > 2 }) } == [1, 2, 3])
    #expect(filter?.count == 2 && filter?.element(at: 0) == nil && filter?.element(at: 1) == 3)
    #expect(filter?.child(at: 0) === section)
    for hint in [FilterHint.stricter, .looser, .different] {
      filter?.setPredicate(hint: hint) { $0 > 2 }
      #expect(filter?.count == 2)
    }
    source.insert(.node(ArrayNode<Int>()), at: 0)
    #expect(filter?.count == 3 && filter?.elements == [3])
  }

  @Test func aBranchComesAndGoesWithItsValue() {
    let branch = BranchNode(value: 1, leaves: [7])
    let source = BranchNode([.leaf(5), .node(branch)])
    let filter = FilterNode(source) { $0 > 2 }
    var received: [ChangeSet] = []
    let token = filter.observe { received.append($0) }
    branch.append(.leaf(8))
    #expect(received.isEmpty, "what happens below a hidden child is hidden")
    branch.value = 3
    branch.append(.leaf(9))
    branch.value = 4
    source.performUpdates {
      branch.append(.leaf(10))
      branch.value = 0
    }
    branch.value = nil
    #expect(
      received == [
        ChangeSet(.insertion(1..<2)), ChangeSet(.insertion(2..<3)).wrapped(at: 1), ChangeSet(.update(1..<2)),
        ChangeSet(.removal(1..<2)), ChangeSet(.insertion(1..<2)),
      ])
    #expect(filter[[1, 3]] == 10)
    // Below the child, no rows are filtered.
    branch.append(.leaf(0))
    #expect(received.last == ChangeSet(.insertion(4..<5)).wrapped(at: 1))
    token.cancel()
  }

  @Test func changesBelowArriveAtTheVisiblePosition() {
    let sections = (0..<6).map { BranchNode(value: $0, leaves: [0]) }
    let filter = FilterNode(BranchNode(sections)) { $0 % 2 == 1 }
    var received: [IndexPath] = []
    let token = filter.observe { received += $0.paths.insertions }
    for section in sections { section.append(.leaf(1)) }
    #expect(received == [[0, 1], [1, 1], [2, 1]])
    filter.performUpdates { for section in sections.reversed() { section.insert(.leaf(2), at: 0) } }
    #expect(received.dropFirst(3) == [[0, 0], [1, 0], [2, 0]])
    token.cancel()
  }

  @Test func theValueIsThatOfTheSource() {
    let source = BranchNode(value: "a", leaves: ["b"])
    let filter = FilterNode(source) { _ in false }
    var received: [ChangeSet] = []
    let token = filter.observe { received.append($0) }
    #expect(filter.value == "a" && filter[[]] == "a")
    source.value = "c"
    #expect(filter.value == "c" && received == [ChangeSet(updatesValue: true)])
    #expect(filter.source === source && "\(filter)" == #"FilterNode "c" []"#)
    token.cancel()
  }

  // MARK: Writing

  @Test func writingGoesToTheSource() {
    let source = ArrayNode([1, 20, 2, 30, 3])
    let filter = FilterNode(source) { $0 >= 10 }
    filter.insert(25, at: [1])
    #expect(source.elements == [1, 20, 25, 2, 30, 3])
    filter.insert(10, at: [0])
    #expect(source.elements == [10, 1, 20, 25, 2, 30, 3])
    filter.insert(40, at: [4])
    #expect(source.elements == [10, 1, 20, 25, 2, 30, 40, 3])
    filter.insert(5, at: [1])
    #expect(source.elements == [10, 5, 1, 20, 25, 2, 30, 40, 3] && filter.elements == [10, 20, 25, 30, 40])
    #expect(filter.remove(at: [4]).value == 40)
    filter.replace(at: [0], with: 0)
    #expect(source.elements == [0, 5, 1, 20, 25, 2, 30, 3] && filter.elements == [20, 25, 30])
    filter.move(from: [0], to: [2])
    #expect(source.elements == [0, 5, 1, 25, 2, 30, 20, 3] && filter.elements == [25, 30, 20])
    filter.move(from: [2], to: [0])
    #expect(filter.elements == [20, 25, 30])
  }

  /// Every move of a visible child: the child then lies at its destination.
  @Test func everyMoveArrives() {
    Exhaustive.forEachVector(over: [false, true], upTo: 5) { shown in
      let visible = shown.indices.filter { shown[$0] }
      for source in visible.indices {
        for destination in visible.indices {
          let filter = FilterNode(ArrayNode(shown.indices)) { shown[$0] }
          var model = visible
          model.insert(model.remove(at: source), at: destination)
          filter.move(from: source, to: destination)
          #expect(filter.elements == model, "\(source) to \(destination) of \(shown)")
        }
      }
    }
  }

  // MARK: Many at once

  @Test func thousandsAreUpdatedAndMovedAtOnce() {
    let source = ArrayNode((0..<3_000).map { Row(id: $0) })
    let filter = FilterNode(source) { ($0.id + $0.version) % 3 == 0 }
    let shadow = ShadowTree(of: filter, id: \.id)
    source.replaceAll(
      with: source.reversed().map { Row(id: $0.id, version: 1) }, id: \.id, areEqual: ==)
    #expect(filter.elements == source.filter { ($0.id + $0.version) % 3 == 0 })
    #expect(throws: Never.self) { try shadow.check() }
  }

  @Test func thePredicateIsReleasedWithTheFilterOrTheNextOne() throws {
    try withLifetimeTracking { tracker in
      let source = ArrayNode(0..<3)
      var filter: FilterNode<Int>? = FilterNode(source) { [limit = tracker.track(1)] in $0 > limit.payload }
      filter?.setPredicate { [limit = tracker.track(0)] in $0 > limit.payload }
      #expect(tracker.liveCount == 1 && filter?.count == 2)
      filter = nil
      #expect(tracker.liveCount == 0)
    }
  }
}
