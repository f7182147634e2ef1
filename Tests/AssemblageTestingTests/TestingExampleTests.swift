@_spi(NodeAuthors) import Assemblage
import AssemblageTesting
import Foundation
import Testing

/// The examples on the pages of types that appear in no guide.
@Suite struct TestingExampleTests {
  @Test func recording() {
    let friends = ArrayNode(["Al"])
    let recorder = ChangeRecorder(of: friends)
    do {
      try recorder.expecting(["[+0]"]) { friends.append("Bo") }
      Issue.record("Nothing else was heard.")
    } catch {
      #expect("\(error)" == "1 delivery instead of 1; number 1 should be [+0] and is [+1]; received:\n[+1]")
    }
    do {
      let change = try ChangeSet(recorded: "[+]")
      Issue.record("The text is a change: \(change)")
    } catch {
      #expect("\(error)" == "at character 2: a position is expected")
    }
  }

  /// Counts one child too many.
  private final class Clock: TreeNode {
    private let author = NodeAuthor()
    var port: NodePort { author.port }
    let count = 4
    init() { author.attach(to: self) }
    func element(at position: Int) -> Int? { (0..<3).contains(position) ? position : nil }
  }

  @Test func laws() {
    #expect(NodeLaw.changesAreMinimal.description == "law 5 (changes are minimal)")
    #expect(NodeLaw(rawValue: 4) == .replayAgrees)
    let clock = Clock()
    do {
      try NodeChecker<Int>().check(clock)
      Issue.record("The clock is right.")
    } catch {
      #expect(error.law == .countIsEnumerated && error.path == [3])
      #expect(error.finding == "the count is 4, but there is neither a value nor a node at 3")
    }
  }

  @Test func naiveTrees() {
    var tree = NaiveTree(value: "home", children: [NaiveTree(value: "x"), NaiveTree(value: "notes", children: [])])
    tree.insert(NaiveTree(value: "a"), at: [1, 0])
    #expect(tree.description == "home(x notes(a))")
    tree.move(from: [0], to: [0, 1])
    #expect(tree.description == "home(notes(a x))")
  }

  @Test func emptyLeaves() throws {
    let tree = BranchNode([.node(BranchNode(leaves: ["Al"]))])
    let outline = OutlineNode(tree, id: { $0 })
    let violation = #expect(throws: LawViolation.self) { try NodeChecker<String>().check(outline) }
    #expect(violation?.law == .countIsEnumerated)
    try NodeChecker<String>().allowingEmptyLeaves().check(outline)
  }

  @Test func minimality() throws {
    let friends = ArrayNode(["Al", "Bo"])
    let checker = NodeChecker<String>()
    try checker.checkTransaction(of: friends) { friends.replace(at: 0, with: "Al") }
    let violation = #expect(throws: LawViolation.self) {
      try checker.checkTransaction(of: friends, minimality: .strict) { friends.replace(at: 0, with: "Al") }
    }
    #expect(violation?.law == .changesAreMinimal)
  }

  // MARK: Random scripts

  @Test func tallies() throws {
    enum Operation: CaseIterable { case insert, remove }
    var generator = SeededGenerator(seed: 1)
    var model: [Int] = []
    var tally = OperationTally<Operation>()
    for _ in 0..<TestSeed.length(100) {
      switch tally.random(using: &generator) {
      case .insert:
        model.append(1)
        tally.count(.insert)
      case .remove: if model.popLast() != nil { tally.count(.remove) }
      }
    }
    try tally.check()
  }

  @Test(.enabled(if: !TestSeed.isResized)) func missingOperations() {
    var tally = OperationTally(kinds: ["insert", "remove"])
    tally.count("insert", times: 3)
    do {
      try tally.check()
      Issue.record("There was a removal.")
    } catch {
      #expect("\(error)" == #"made fewer than 1 times: ["remove"]; the script made insert × 3, remove × 0"#)
    }
  }

  @Test func seeds() {
    var generator = SeededGenerator(seed: 1)
    #expect(generator.next() == 0x910A_2DEC_8902_5CC1)
    func scripts() -> [[Int]] {
      var places: [[Int]] = []
      for iteration in 0..<TestSeed.iterations(100) {
        let friends = ArrayNode<String>()
        var generator = TestSeed.generator("friends", iteration: iteration)
        places.append([])
        for _ in 0..<TestSeed.length(20) {
          let place = Int.random(in: 0...friends.count, using: &generator)
          friends.insert("Al", at: place)
          places[iteration].append(place)
        }
      }
      return places
    }
    let first = scripts()
    #expect(first == scripts())
    #expect(TestSeed.isResized || (first.count == 100 && first.allSatisfy { $0.count == 20 }))
  }

  // MARK: Models of views

  @Test func lists() throws {
    var table = ListViewModel(TreeSnapshot(children: [TreeSnapshot(value: "Friends", leaves: ["Al", "Bo"])]))
    let section = table.sections[0]
    #expect(section.value == "Friends" && section.rows == ["Al", "Bo"])
    let tree = TreeSnapshot(children: [TreeSnapshot(value: "Friends", leaves: ["Bo"])])
    let source = ViewDataSource(count: { tree.count(at: $0) ?? 0 }, value: { tree.value(at: $0) })
    do {
      try table.perform(ListBatch(deletions: [[0, 2]]), from: source)
      Issue.record("There is a row [0, 2].")
    } catch {
      #expect(error == .outOfRange(.delete, [0, 2], count: 2))
    }
    try table.perform(ListBatch(deletions: [[0, 0]]), from: source)
    #expect(table.sections[0].rows == ["Bo"])
    #expect(
      ListViewError.collision(.delete, .moveFrom, [0, 1]).description
        == "attempt to perform a delete and a move from at the same row ([0, 1])")
  }

  @Test func outlines() {
    let notes = TreeSnapshot(children: [TreeSnapshot(value: "notes", leaves: ["a.md"])])
    let item = OutlineViewModel(notes).items[0]
    #expect(item.value == "notes" && item.children[0].value == "a.md")

    let tree = TreeSnapshot(leaves: ["Al"])
    var outline = OutlineViewModel(tree)
    do {
      try outline.perform(
        [.remove(at: [1], inParent: [])],
        from: ViewDataSource(count: { tree.count(at: $0) ?? 0 }, value: { tree.value(at: $0) }))
      Issue.record("There is an item [1].")
    } catch {
      #expect(error == .outOfRange(1, parent: [], count: 1))
    }
  }
}
