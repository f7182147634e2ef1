import Assemblage
import TestSupport
import Testing

private struct Person: Equatable { var name: String }
private struct Shop: Equatable { var name: String }
private enum Entry: Equatable { case person(Person), shop(Shop) }
private struct Row { var name: String }
private struct Contact: Identifiable { var id: Int; var name: String }
private final class Search { var text = "1" }

/// The code of Docs/ErrorsYouMaySee.md that works.
@MainActor @Suite struct ErrorsGuideTests {
  @MainActor func load(_ names: ArrayNode<String>) async {
    names.append(contentsOf: await Task.detached { ["Bo", "Cy"] }.value)
  }

  @MainActor final class Screen {
    let names = ArrayNode(["Ada"])
    private(set) var changeCount = 0
    private var token: NodeObservation?

    init() {
      token = names.observe { [unowned self] _ in changeCount += 1 }
    }
  }

  @Test func twoTypesOfElementsBecomeOne() {
    let people = ArrayNode([Person(name: "Ada")])
    let shops = ArrayNode([Shop(name: "Books")])
    let tree = BranchNode([MapNode(people, Entry.person), MapNode(shops, Entry.shop)])
    #expect(tree[[1, 0]] == .shop(Shop(name: "Books")))
  }

  @Test func anotherTaskReturnsValues() async {
    let names = ArrayNode(["Ada"])
    await load(names)
    #expect(names.elements == ["Ada", "Bo", "Cy"])
  }

  @Test func aClosureInTheBackgroundCapturesAValue() async throws {
    let search = Search()
    let found = FilterNode(ArrayNode(["line 1", "line 2"])) { _ in true }
    try await found.setPredicate(inBackground: .concurrently) { [text = search.text] in $0.contains(text) }
    #expect(found.elements == ["line 1"])
    try await found.setPredicate(inBackground: .inSlices(of: .milliseconds(2))) { $0.contains(search.text) }
    #expect(found.elements == ["line 1"])
  }

  @Test func aViewFollowsAndAnArrayDoesNot() {
    let names = ArrayNode(["Ada", "Grace"])
    let copy = names.filter { $0.hasPrefix("A") }
    let view = FilterNode(names) { $0.hasPrefix("A") }
    let short = names.filtering { $0.hasPrefix("A") }.filtering { $0.count < 4 }
    names.append("Alan")
    #expect(copy == ["Ada"])
    #expect(view.elements == ["Ada", "Alan"])
    #expect(short.elements == ["Ada"])
  }

  @Test func anObservationLastsAsLongAsItsToken() {
    let screen = Screen()
    screen.names.append("Bo")
    #expect(screen.changeCount == 1)

    var count = 0
    _ = screen.names.observe { _ in count += 1 }
    screen.names.append("Cy")
    #expect(count == 0)
  }

  @Test func elementsWithoutAnIDAreGivenOne() {
    let rows = ArrayNode([Row(name: "a"), Row(name: "b")])
    let found = FilterNode(rows) { !$0.name.isEmpty }
    let index = IdentityIndex(of: found, id: \.name)
    #expect(index.path(of: "b") == [1])

    let selection = SelectionModel(of: rows)
    selection.select(0)
    let row = rows.remove(at: 0)
    rows.insert(row, at: 0)
    #expect(selection.selectedCount == 0)
  }

  @Test func anElementOfAViewIsWrittenInItsSource() {
    let rows = ArrayNode([Row(name: ""), Row(name: "b")])
    let found = FilterNode(rows) { !$0.name.isEmpty }
    rows[0].name = "a"
    found.update(at: 1) { $0.name += "b" }
    found.replace(at: 0, with: Row(name: "aa"))
    #expect(rows.map(\.name) == ["aa", "bb"])
    #expect(found.origin(of: [1])?.position == 1)
  }

  @Test func anElementIsWrittenByItsID() {
    let people = ArrayNode([Contact(id: 7, name: "Bo")])
    FilterNode(people) { _ in true }[id: 7]?.name = "Ada"
    #expect(people.map(\.name) == ["Ada"])
  }

  @Test func anObserverEdits() {
    let names = ArrayNode(["Ada", "Grace"])
    let token = names.observe { _ in
      if names.last == "" { names.removeLast() }
    }
    names.append("")
    #expect(names.elements == ["Ada", "Grace"])
    token.cancel()
  }

  @Test func parentAndChildAreSwapped() {
    let home = BranchNode<String>(value: "home")
    let notes = BranchNode(value: "notes", leaves: ["a.md"])
    home.append(notes)
    home.remove(at: 0)
    notes.append(home)
    #expect(notes.elements == ["a.md", "home"])
  }

  @Test func aPlaceThatDoesNotExistIsNil() {
    let names = ArrayNode(["Ada", "Grace"])
    let short = FilterNode(names) { $0.count < 5 }
    #expect(short.element(at: 1) == nil)
    #expect(short.position(ofSource: 0) == 0)
    #expect(short.position(ofSource: 1) == nil)
  }

  @Test func aNodeThatOnlyReadsSaysSo() {
    let prices = ArrayNode([3, 5])
    let labels = MapNode(prices) { "\($0) €" }
    #expect(labels.allows(.insert, at: [2]) == false)
    prices.append(7)
    #expect(labels.elements == ["3 €", "5 €", "7 €"])
  }

  @Test func childrenAreInsertedBelowABranch() {
    let home = BranchNode(value: "home", leaves: ["todo.txt"])
    home.append(BranchNode(value: "notes"))
    home.insert("a.md", at: [1, 0])
    let forest = ForestNode(leaves: ["notes"])
    forest.insert("a.md", at: [0, 0])
    TreeFilterNode(forest) { _ in true }.insert("b.md", at: [0, 0, 0])
    #expect(forest[[0, 0, 0]] == "b.md")
    #expect(forest[[0, 0]] == "a.md")
    #expect(home[[1, 0]] == "a.md")
  }

  @Test func rowsMoveWithoutAComparator() {
    let names = ArrayNode(["Grace", "Ada"])
    let sorted = SortNode(names)
    #expect(sorted.allows(.move(to: 1), at: 0) == false)
    sorted.setComparator(nil)
    sorted.move(from: 0, to: 1)
    #expect(names.elements == ["Ada", "Grace"])
  }

  @Test func sectionsAreFlattened() {
    let sections = JoinNode<String>([BranchNode([ArrayNode(["Ada"])]), BranchNode([ArrayNode(["Bo"])])])
    let rows = FlattenNode(sections)
    #expect(Array(rows) == ["Ada", "Bo"])
  }

  @Test func equalIDsAreFound() {
    let people = ArrayNode([Contact(id: 1, name: "Ada"), Contact(id: 1, name: "Bo")])
    let index = IdentityIndex(of: people)
    #expect(index.path(of: 1) == [0])
    #expect(index.paths(of: 1) == [[0], [1]])
    #expect(UniqueNode(people).map(\.name) == ["Ada"])
  }
}

/// The code of Docs/ErrorsYouMaySee.md that ends the process, each with its whole message.
@Suite struct ErrorsGuideMisuseTests: MisuseSuite {
  static let misuses = [
    Misuse(
      """
      ArrayNode<String> was changed from a closure that must only read, for example the predicate of a view; \
      change it from an observer, or after the change.
      """
    ) {
      let names = ArrayNode(["Ada", "Grace"])
      let short = FilterNode(names) { name in
        if name.isEmpty { names.removeLast() }
        return name.count < 5
      }
      names.append("")
      print(short.count)
    },
    Misuse(
      """
      An observer of SingleNode<Int> was notified 1000 times in one delivery, because an observer changes the graph \
      each time that it is notified.
      """
    ) {
      let count = SingleNode(0)
      let token = count.observe { _ in count.content = (count.content ?? 0) + 1 }
      count.content = 1
      token.cancel()
    },
    Misuse(
      """
      A cycle: BranchNode<String> (1 child, the value home) cannot become a source of BranchNode<String> \
      (1 child, the value notes), because it derives from it.
      """
    ) {
      let home = BranchNode<String>(value: "home")
      let notes = BranchNode(value: "notes", leaves: ["a.md"])
      home.append(notes)
      notes.append(home)
    },
    Misuse("FilterNode<String>: the position 1 is out of range 0..<1.") {
      let names = ArrayNode(["Ada", "Grace"])
      let short = FilterNode(names) { $0.count < 5 }
      print(short[1])
    },
    Misuse("The path [2] leads into a MapNode<Int, String>, which cannot be written.") {
      let prices = ArrayNode([3, 5])
      let labels = MapNode(prices) { "\($0) €" }
      labels.insert("7 €", at: [2])
    },
    Misuse("The path [0, 0] leads through [0], which is a leaf.") {
      let home = BranchNode(value: "home", leaves: ["notes"])
      home.insert("a.md", at: [0, 0])
    },
    Misuse(
      """
      SortNode: the child 0 cannot be moved to 1, because the comparator decides where each child is; move it in the \
      source, or set the comparator to nil.
      """
    ) {
      let names = ArrayNode(["Grace", "Ada"])
      let sorted = SortNode(names)
      sorted.move(from: 0, to: 1)
    },
    Misuse("JoinNode<String>: its child 0 is a node without a value, which cannot be read as an element.") {
      let sections = JoinNode<String>([BranchNode([ArrayNode(["Ada"])]), BranchNode([ArrayNode(["Bo"])])])
      for row in sections { print(row) }
    },
    Misuse("Fatal error: Duplicate values for key: '1'") {
      let people = ArrayNode([Contact(id: 1, name: "Ada"), Contact(id: 1, name: "Bo")])
      let byID = Dictionary(uniqueKeysWithValues: people.map { ($0.id, $0) })
      print(byID.count)
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }

  @Test(arguments: misuses) func theGuideShowsTheMessage(of misuse: Misuse) throws {
    let words = { (text: String) in text.split { $0.isWhitespace }.joined(separator: " ") }
    #expect(words(try GuideCode.text(of: "Docs/ErrorsYouMaySee.md")).contains(words(misuse.testDescription)))
  }
}

/// The code of Docs/ErrorsYouMaySee.md that the compiler refuses, or warns of, each with its messages.
@Suite struct ErrorsGuideCompilerTests {
  /// A section of the guide, and the declarations that its first block of code needs.
  struct Mistake: CustomTestStringConvertible {
    let section: String
    var before = ""
    var after = ""
    /// Code in place of the section's block, for the section's second message.
    var other: String?

    var testDescription: String { section + (other == nil ? "" : ": the other message") }
  }

  static let mistakes = [
    Mistake(
      section: "Two types of elements",
      before: "struct Person { var name = \"\" }; struct Shop { var name = \"\" }"),
    Mistake(section: "A node in another task"),
    Mistake(
      section: "A node in another task",
      other: """
        @MainActor final class Screen {
          let names = ArrayNode(["Ada"])
          func load() { Task.detached { await self.names.append("Bo") } }
        }
        """),
    Mistake(
      section: "A closure in the background",
      before: """
        final class Search { var text = "1" }
        @MainActor func search(_ found: FilterNode<String>) async throws {
        """,
      after: "}"),
    Mistake(section: "An array instead of a view", before: "let names = ArrayNode([\"Ada\"])"),
    Mistake(section: "An observation that ends at once", before: "let names = ArrayNode([\"Ada\"])"),
    Mistake(section: "No id", before: "struct Row { var name = \"\" }; let rows = ArrayNode([Row()])"),
    Mistake(
      section: "An element of a view",
      before: "struct Row { var name = \"\" }; let found = FilterNode(ArrayNode([Row()])) { _ in true }"),
    Mistake(
      section: "Another library",
      before: """
        struct Row { var name = "" }
        let names = ArrayNode([Row()])
        let found = names.filtering { _ in true }
        """),
  ]

  @Test(arguments: mistakes) func theCompilerSaysWhatTheGuideShows(of mistake: Mistake) throws {
    let guide = try GuideCode.text(of: "Docs/ErrorsYouMaySee.md")
    let section = try #require(guide.components(separatedBy: "\n## ").first { $0.hasPrefix(mistake.section + "\n") })
    let blocks = section.components(separatedBy: "```")
    let code = try #require(blocks.first { $0.hasPrefix("swift\n// Not compiled here.\n") }).dropFirst("swift\n".count)
    let texts = blocks.filter { $0.hasPrefix("text\nerror: ") || $0.hasPrefix("text\nwarning: ") }
    let text = try #require(mistake.other == nil ? texts.first : texts.last)
    let messages = text.dropFirst("text\n".count).replacing("\nerror: ", with: "\u{0}error: ").split(separator: "\u{0}")
      .map { $0.split { $0.isWhitespace }.joined(separator: " ") }
    let found = try CompiledCode(
      "import Assemblage\n\(mistake.before)\n\(mistake.other ?? String(code))\n\(mistake.after)"
    )
    .diagnostics
    for message in messages { #expect(found.contains { $0.hasSuffix(": " + message) }, "\(message) in \(found)") }
  }
}
