@testable import Assemblage
@testable import AssemblageSearch
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Filters that use an index show and report the same as filters that ask for each element.
@Suite struct TextIndexFilterTests {
  @Test func theExamplesHold() {
    let names = ArrayNode(["Ada", "Adele", "Bob"])
    let found = FilterNode(names) { _ in true }
    let index = TextIndex(of: names)
    found.setSearch(.prefix("ad"), in: index)
    #expect(found.elements == ["Ada", "Adele"])
    names.append("Adam")
    found.setSearch(.prefix("ada"), in: index)
    #expect(found.elements == ["Ada", "Adam"])

    let notes = BranchNode(value: "notes", leaves: ["apple.md", "pear.md"])
    let home = BranchNode(value: "home", [.leaf("Apple.txt"), .node(notes), .leaf("todo.txt")])
    let tree = TreeFilterNode(home) { _ in true }
    tree.setSearch(.substring("apple"), in: TextIndex(of: home))
    #expect(tree.elements == ["Apple.txt", "notes"] && tree.matchCount == 2)
  }

  private static let texts = ["Ada", "ada b", "Straße", "é a", "b", "", "Σίγμας", "aab", "BA b", "strasse"]

  private static func text(_ row: Row) -> String { texts[(row.id * 7 + row.version) % texts.count] }

  private static func query(_ former: TextQuery, using generator: inout SeededGenerator) -> TextQuery {
    // A longer text, a shorter text, or another query.
    if generator.chance(1, in: 3) {
      return TextQuery(former.kind, former.text + ["a", "d", "s", " b"].randomElement(using: &generator)!)
    }
    if generator.chance(1, in: 2) { return TextQuery(former.kind, String(former.text.dropLast())) }
    return TextQuery(
      TextQuery.Kind.allCases.randomElement(using: &generator)!,
      ["", "a", "s", "str", "b", "é", "x"].randomElement(using: &generator)!)
  }

  private static func fold(_ change: ChangeSet) -> String { "\(change)" }

  /// The observers of twin nodes: both must be notified of the same changes.
  private final class Pair {
    var received: [[ChangeSet]] = [[], []]
    private var tokens: [NodeObservation] = []

    init(_ nodes: [any TreeNode<Row>]) {
      for (number, node) in nodes.enumerated() {
        tokens.append(node.observe { [unowned self] in received[number].append($0) })
      }
    }

    func check() throws {
      try #require(received[0].map { "\($0)" } == received[1].map { "\($0)" })
      try #require(received[0] == received[1])
      received = [[], []]
    }
  }

  /// A search supersedes a predicate that is evaluated in the background, also where the search is rolled back. The
  /// rows of such a predicate are not the result of a search.
  @Test func searchesSupersedeBackgroundWork() throws {
    let names = ArrayNode((0..<300).map { Self.texts[$0 % 10] + "\($0)" })
    let index = TextIndex(of: names)
    let filter = FilterNode(names) { _ in true }
    let shadow = ShadowTree(of: filter, id: \.self)
    let (former, next) = (TextQuery.substring("a"), TextQuery.substring("ad"))
    func check(_ passes: (String) -> Bool) throws {
      let expected = names.elements.filter(passes)
      #expect(filter.elements == expected)
      try shadow.check()
    }
    let steps = StepScheduler()
    func begin() -> StepTask {
      let task = steps.begin(filter) { filter in
        try await filter.setPredicate(inBackground: .inSlices(of: .milliseconds(1))) { $0.hasSuffix("3") }
      }
      for _ in 0..<100 { steps.step() }
      #expect(task.outcome == nil)
      return task
    }
    filter.setSearch(former, in: index)
    let abandoned = begin()
    struct Stop: Error {}
    // The filter is read between the search and the roll-back.
    shadow.minimality = []
    #expect(throws: Stop.self) {
      try filter.performUpdates { () throws in
        filter.setSearch(next, in: index)
        #expect(filter.elements == names.elements.filter(next.matches))
        throw Stop()
      }
    }
    try check(former.matches)
    shadow.minimality = .standard
    filter.setSearch(next, in: index)
    try check(next.matches)
    let another = begin()
    filter.setSearch(former, in: index)
    while steps.step() {}
    for task in [abandoned, another] { #expect(throws: CancellationError.self) { _ = try task.outcome?.get() } }
    try check(former.matches)

    let completed = begin()
    while steps.step() {}
    try #require(completed.outcome).get()
    try check { $0.hasSuffix("3") }
    // This query is narrower than the search before the predicate, but the filter does not show that search any more.
    filter.setSearch(.substring("ada"), in: index)
    try check(TextQuery.substring("ada").matches)
  }

  /// A search supersedes a predicate of a tree filter that is evaluated in the background. Such a predicate supersedes
  /// a search, too.
  @MainActor @Test func searchesSupersedeBackgroundWorkOfTrees() async throws {
    let forest = ForestNode<Int>()
    forest.append(contentsOf: 0..<30_000)
    let filter = TreeFilterNode(forest) { $0 % 2 == 0 }
    var isBegun = false
    let work = Task {
      try await filter.setPredicate(inBackground: .inSlices(of: .microseconds(1))) { number in
        isBegun = true
        return number % 6 < 4
      }
    }
    while !isBegun { await Task.yield() }
    filter.setSearch(.prefix("29"), in: TextIndex(of: forest) { "\($0)" })
    await #expect(throws: CancellationError.self) { try await work.value }
    let expected = (0..<30_000).filter { "\($0)".hasPrefix("29") }
    #expect(filter.elements == expected)
    try await filter.setPredicate(hint: .stricter, inBackground: .inSlices(of: .seconds(1))) { $0 % 2 == 0 }
    #expect(filter.elements == expected.filter { $0 % 2 == 0 })
  }

  @Test func flatFiltersTellTheSame() throws {
    struct Stop: Error {}
    for iteration in 0..<TestSeed.iterations(20) {
      var generator = TestSeed.generator("search filter", iteration: iteration)
      var edits = FlatEdits()
      let members = (0..<2).map { _ in ArrayNode(edits.rows(0..<80, using: &generator)) }
      let join = JoinNode(members)
      let index = TextIndex(of: join, text: Self.text)
      let searched = FilterNode(join) { _ in true }
      let asked = FilterNode(join) { _ in true }
      let pair = Pair([searched, asked])
      var query = TextQuery.substring("")
      func search() {
        query = Self.query(query, using: &generator)
        searched.setSearch(query, in: index)
        asked.setPredicate { [query] in query.matches(Self.text($0)) }
      }
      for _ in 0..<TestSeed.length(40) {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0, 1: search()
        case 2:
          join.performUpdates {
            for _ in 0..<4 {
              if generator.chance(1, in: 2) {
                search()
              } else {
                edits.step(members.randomElement(using: &generator)!, using: &generator)
              }
            }
          }
        case 3:
          #expect(throws: Stop.self) {
            try join.performUpdates {
              edits.step(members.randomElement(using: &generator)!, using: &generator)
              search()
              if generator.chance(1, in: 2) { search() }
              throw Stop()
            }
          }
        case 4 where generator.chance(1, in: 3):
          // A predicate that is not a search. The next search must not treat it as one.
          searched.setPredicate { $0.version == 0 }
          asked.setPredicate { $0.version == 0 }
        default: edits.step(members.randomElement(using: &generator)!, using: &generator)
        }
        try #require(searched.elements == asked.elements, "\(query)")
        try pair.check()
      }
    }
  }

  @Test func ofATreeTheChildrenAreFiltered() throws {
    for iteration in 0..<TestSeed.iterations(20) {
      var generator = TestSeed.generator("search children", iteration: iteration)
      let script = TreeScript(&generator)
      let index = TextIndex(of: script.root, text: Self.text)
      let searched = FilterNode(script.root) { _ in true }
      let asked = FilterNode(script.root) { _ in true }
      var query = TextQuery.substring("")
      for _ in 0..<TestSeed.length(30) {
        script.step(using: &generator)
        query = Self.query(query, using: &generator)
        searched.setSearch(query, in: index)
        asked.setPredicate { [query] in query.matches(Self.text($0)) }
        try #require(searched.elements == asked.elements, "\(query)")
      }
    }
  }

  @Test(arguments: TreeFilterPolicy.allCases)
  func treeFiltersTellTheSame(policy: TreeFilterPolicy) throws {
    struct Stop: Error {}
    for iteration in 0..<TestSeed.iterations(12) {
      var generator = TestSeed.generator("search tree \(policy)", iteration: iteration)
      let script = TreeScript(&generator)
      try check(script.root, policy, &generator) { script.step(using: &$0) }
      var edits = ForestEdits()
      for _ in 0..<12 { edits.step(using: &generator) }
      try check(edits.forest, policy, &generator) { edits.step(using: &$0) }
    }
  }

  private func check(
    _ root: any TreeNode<Row>, _ policy: TreeFilterPolicy, _ generator: inout SeededGenerator,
    _ step: (inout SeededGenerator) -> Void
  ) throws {
    struct Stop: Error {}
    let index = TextIndex(of: root, text: Self.text)
    let searched = TreeFilterNode(root, policy: policy) { _ in true }
    let asked = TreeFilterNode(root, policy: policy) { _ in true }
    let pair = Pair([searched, asked])
    var query = TextQuery.substring("")
    func search(_ generator: inout SeededGenerator) {
      query = Self.query(query, using: &generator)
      // The method may be called on the node of a child.
      let child = (0..<searched.count).lazy.compactMap { searched.node(at: $0) }.first
      _ = (0..<asked.count).lazy.compactMap { asked.node(at: $0) }.first
      (generator.chance(1, in: 3) ? child ?? searched : searched).setSearch(query, in: index)
      asked.setPredicate { [query] in query.matches(Self.text($0)) }
    }
    for _ in 0..<TestSeed.length(25) {
      switch Int.random(in: 0..<5, using: &generator) {
      case 0, 1: search(&generator)
      case 2:
        root.performUpdates {
          for _ in 0..<3 { if generator.chance(1, in: 2) { search(&generator) } else { step(&generator) } }
        }
      case 3 where generator.chance(1, in: 2):
        #expect(throws: Stop.self) {
          try root.performUpdates {
            step(&generator)
            search(&generator)
            throw Stop()
          }
        }
      default: step(&generator)
      }
      try #require(NaiveTree(of: searched) == NaiveTree(of: asked), "\(query) \(policy)")
      try #require(searched.matchCount == asked.matchCount)
      try pair.check()
    }
  }

  /// An index reads unread texts by itself when the change is large, or a branch gets another parent.
  @Test func textsThatAreReadBecauseOfAChangeAreFound() {
    let names = ArrayNode((0..<1_000).map { "name \($0)" })
    let index = TextIndex(of: names, reading: .later)
    let found = FilterNode(names) { _ in true }
    found.setSearch(.substring("name"), in: index)
    names.performUpdates { for position in stride(from: 0, to: 1_000, by: 2) { names[position] = "other" } }
    found.setSearch(.substring("name 9"), in: index)
    #expect(found.count == index.count(for: .substring("name 9")) && found.count > 0)

    let tree = BranchNode([BranchNode(value: "a", leaves: ["apple"]), BranchNode(value: "b", leaves: ["pear"])])
    let second = TextIndex(of: tree, reading: .later)
    let matches = TreeFilterNode(tree) { _ in true }
    matches.setSearch(.substring("pear"), in: second)
    tree.move(from: [1], to: [0, 0])
    matches.setSearch(.substring("pear"), in: second)
    #expect(matches.matchCount == 1)
  }

  /// A narrower query, and the same query, find texts that were read after the former search.
  @Test(arguments: ["ad", "a"]) func textsThatAreReadLaterAreFound(text: String) {
    let names = ArrayNode(["Ada", "Adele"])
    let index = TextIndex(of: names, reading: .later)
    let filter = FilterNode(names) { _ in true }
    let tree = TreeFilterNode(names) { _ in true }
    func search(_ text: String) {
      filter.setSearch(.substring(text), in: index)
      tree.setSearch(.substring(text), in: index)
    }
    search("a")
    #expect(filter.elements.isEmpty && tree.elements.isEmpty)
    #expect(index.readTexts(atMost: 1))
    search(text)
    #expect(filter.elements == ["Ada"] && tree.elements == ["Ada"])
    #expect(index.readTexts(atMost: 1))
    search(text)
    #expect(filter.elements == ["Ada", "Adele"] && tree.elements == ["Ada", "Adele"])
  }

  @Test func anObserverMaySearchAgain() {
    let names = ArrayNode(["ab", "abc", "b", "x"])
    let index = TextIndex(of: names)
    let filter = FilterNode(names) { _ in true }
    let tree = TreeFilterNode(names) { _ in true }
    var isFirst = true
    let token = filter.observe { _ in
      guard isFirst else { return }
      isFirst = false
      filter.setSearch(.substring("abc"), in: index)
      tree.setSearch(.substring("abc"), in: index)
    }
    let other = tree.observe { _ in if tree.count == 3 { tree.setSearch(.substring("abc"), in: index) } }
    filter.setSearch(.substring("b"), in: index)
    tree.setSearch(.substring("b"), in: index)
    #expect(filter.elements == ["abc"] && tree.elements == ["abc"])
    // The query is narrower than the first query, but not than the second, which is shown.
    filter.setSearch(.substring("ab"), in: index)
    tree.setSearch(.substring("ab"), in: index)
    #expect(filter.elements == ["ab", "abc"] && tree.elements == ["ab", "abc"])
    token.cancel()
    other.cancel()
  }

  @Test func noElementIsAskedThatIsThere() {
    var calls = 0
    let names = ArrayNode((0..<1_000).map { "name \($0)" })
    let index = TextIndex(of: names) { name in
      calls += 1
      return name
    }
    let filter = FilterNode(names) { _ in true }
    let forest = ForestNode(leaves: (0..<1_000).map { "name \($0)" })
    let forestIndex = TextIndex(of: forest) { name in
      calls += 1
      return name
    }
    let tree = TreeFilterNode(forest) { _ in true }
    #expect(calls == 2_000)
    calls = 0
    for query in ["9", "99", "999", "99", ""] {
      filter.setSearch(.substring(query), in: index)
      tree.setSearch(.substring(query), in: forestIndex)
    }
    #expect(calls == 0 && filter.count == 1_000 && tree.count == 1_000)
    names.append("name 1000")
    // Once by the filter, and once by the index.
    #expect(calls == 2)
  }
}
