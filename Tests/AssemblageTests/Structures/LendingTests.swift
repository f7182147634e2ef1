import Testing

@_spi(NodeAuthors) @testable import Assemblage

/// Elements that are lent to closures in place are neither lost nor kept.
@Suite struct LendingTests {
  /// The number of living objects.
  final class Lives { var count = 0 }

  final class Living {
    let number: Int
    private let lives: Lives

    init(_ number: Int, _ lives: Lives) {
      (self.number, self.lives) = (number, lives)
      lives.count += 1
    }

    deinit { lives.count -= 1 }
  }

  struct Pair {
    let name: String
    let first: Living
    let second: Living?
  }

  /// A value that cannot be moved by its bytes alone.
  struct Watcher {
    weak var watched: Living?
    let kept: Living
  }

  struct Refusal: Error {}

  private func expectLives<Element>(of make: (Int, Lives) -> Element, _ living: @escaping (Element) -> Living) {
    let lives = Lives()
    var kept: [Living] = []
    do {
      let join = JoinNode((0..<5).map { member in ArrayNode((0..<200).map { make(member * 200 + $0, lives) }) })
      let alive = lives.count
      let filter = FilterNode(join) { living($0).number % 3 == 0 }
      filter.setPredicate {
        // An element that a closure keeps stays alive. A closure may also read its node.
        if living($0).number == 7 { kept.append(living($0)) }
        return join.element(at: living($0).number).map { living($0).number % 2 == 0 } ?? false
      }
      filter.setPredicate(hint: .stricter) { living($0).number % 4 != 2 }
      #expect(filter.elements.map { living($0).number } == (0..<1_000).filter { $0 % 4 == 0 })
      #expect(MapNode(filter) { living($0).number }.elements.reduce(0, +) == 124_500)
      #expect(GroupNode(filter) { living($0).number % 5 }.count == 5)
      #expect(SortNode(filter) { living($0).number > living($1).number }.element(at: 0).map(living)?.number == 996)
      #expect(lives.count == alive)
      // A scan of every fourth element lends gathered copies. An element that the body keeps stays alive.
      filter.forEachSpan(in: 0..<filter.count) { start, span in
        for index in span.indices where start + index == 125 { kept.append(living(span[index])) }
      }
    }
    #expect(kept.map(\.number) == [7, 500])
    kept = []
    #expect(lives.count == 0)
  }

  @Test func objectsLiveAsLongAsTheirNode() {
    expectLives(of: { Living($0, $1) }, { $0 })
    expectLives(of: { Pair(name: "a name of \($0)", first: Living($0, $1), second: Living($0, $1)) }, { $0.first })
    expectLives(of: { number, lives in Optional(Living(number, lives)) }, { $0! })
    expectLives(of: { Living($0, $1) as AnyObject }, { $0 as! Living })
    expectLives(of: { Living($0, $1) as Any }, { $0 as! Living })
    expectLives(
      of: { number, lives in
        let living = Living(number, lives)
        return Watcher(watched: living, kept: living)
      }, { $0.watched! })
    #expect(isLendable(Pair.self) && !isLendable(Watcher.self) && !isLendable(Int.self))
  }

  @Test func aClosureThatThrowsGivesBack() {
    let lives = Lives()
    do {
      let elements = (0..<100).map { Living($0, lives) }
      for limit in [0, 50, 99] {
        var run = BitRun(repeating: false, count: 100)
        #expect(throws: Refusal.self) {
          try run.ask(about: elements.span, from: 0, among: nil) { (living: Living) throws(Refusal) in
            if living.number == limit { throw Refusal() }
            return true
          }
        }
        #expect(lives.count == 100)
      }
    }
    #expect(lives.count == 0)
  }

  /// The storage stays alive while its elements are lent, even if the node is released.
  @Test func theLastReferenceToTheNodeMayGo() {
    let lives = Lives()
    var source: ArrayNode<Living>? = ArrayNode((0..<3_000).map { Living($0, lives) })
    var seen = 0
    source!.forEachSpan(in: 0..<3_000) { _, span in
      span.lendEach { _, living in
        source?.removeAll()
        source = nil
        #expect(living.number == seen)
        seen += 1
      }
    }
    #expect(seen == 3_000 && lives.count == 0)
  }
}
