import Assemblage
import Foundation
import Testing

/// The code of Docs/Cookbook.md, without the recipes that need other modules.
@MainActor @Suite struct CookbookGuideTests {
  @Test func aSpinnerRowIsShownWhileALoadRuns() async {
    @MainActor final class Inbox {
      let messages = ArrayNode<String>()
      let spinner = SingleNode<String>()
      let rows: JoinNode<String>
      private(set) var task: Task<Void, Never>?

      init() { rows = JoinNode([messages, spinner]) }

      func load(_ fetch: @escaping () async throws -> [String]) {
        spinner.content = "Loading…"
        task = Task {
          do {
            let fetched = try await fetch()
            rows.performUpdates {
              messages.append(contentsOf: fetched)
              spinner.content = nil
            }
          } catch { spinner.content = "Try again" }
        }
      }
    }

    let inbox = Inbox()
    inbox.load { ["Hello", "Bill"] }
    #expect(inbox.rows.elements == ["Loading…"])
    await inbox.task?.value
    #expect(inbox.rows.elements == ["Hello", "Bill"])
    inbox.load { throw CancellationError() }
    await inbox.task?.value
    #expect(inbox.rows.elements == ["Hello", "Bill", "Try again"])
  }

  @Test func aRowOfAPageSaysThatItLoads() async {
    let pages = PagedNode(count: .exact(1_000), pageSize: 50, keeping: 4) { range in
      range.map { "message \($0)" }
    }
    let texts = MapNode(pages) { row in
      switch row {
      case .loading: "Loading…"
      case .failed: "Try again"
      case .loaded(let message): message
      }
    }
    #expect(texts[7] == "Loading…")
    for await _ in texts.changes where !pages[7].isLoading { break }
    #expect(texts[7] == "message 7")
  }

  @Test func aFolderSaysThatItLoads() async {
    let tree = HierarchyNode(
      "/", id: { $0 }, hasChildren: { $0.hasSuffix("/") },
      loading: { folder in folder == "/" ? ["etc/", "readme"] : ["hosts"] })
    let outline = OutlineNode(tree, id: { $0 })
    func text(_ row: Int) -> String {
      let isLoading = tree.loadState(at: outline.path(ofRow: row))?.isLoading ?? false
      return outline[row] + (isLoading ? " …" : "")
    }

    tree.load()
    for await _ in tree.changes where !tree.loadState.isLoading { break }
    outline.expand(row: 0)
    #expect(outline.indices.map(text) == ["etc/ …", "readme"])
    for await _ in tree.changes where tree.loadState(at: [0])?.isLoading == false { break }
    #expect(outline.indices.map(text) == ["etc/", "hosts", "readme"])
  }

  @Test func theSaveButtonFollowsChangesAndValidity() {
    final class Draft {
      var name = "Ada"
      var city = "London"
      var phones = ["12"]
    }

    final class Form {
      let fields: BranchNode<String>
      let changes: ChangeTracker<String>
      let invalid: AggregateIndex<String, Int>

      init(_ draft: Draft) {
        fields = BranchNode([FieldsNode(draft, [\.name, \.city]), PropertyNode(draft, \.phones)])
        changes = ChangeTracker(of: fields, comparing: ==)
        invalid = AggregateIndex(of: fields, .sum { $0.isEmpty ? 1 : 0 })
      }

      var canSave: Bool { changes.wasChanged && invalid.total == 0 }

      func save() { changes.markUnchanged() }
    }

    let draft = Draft()
    let form = Form(draft)
    var isEnabled = form.canSave
    let tokens = [
      form.changes.observe { _ in isEnabled = form.canSave },
      form.invalid.observe { _ in isEnabled = form.canSave },
    ]
    form.fields.replace(at: [0, 1], with: "")
    #expect(isEnabled == false)
    #expect(form.invalid.total(at: [0]) == 1)
    form.fields.replace(at: [0, 1], with: "London")
    #expect(isEnabled == false)
    form.fields.replace(at: [0, 1], with: "Paris")
    #expect(isEnabled == true)
    #expect(draft.city == "Paris")
    #expect(form.changes.changedPaths == [[0, 1]])
    form.save()
    #expect(isEnabled == false)
    tokens.forEach { $0.cancel() }
  }

  @Test func aRefreshKeepsTheRowsOfEqualIDs() throws {
    struct Article: Identifiable, Equatable {
      let id: Int
      var title: String
    }
    let articles = ArrayNode([
      Article(id: 1, title: "Rain"), Article(id: 2, title: "Sun"), Article(id: 3, title: "Snow"),
    ])
    let selection = SelectionModel(of: articles)
    selection.select(2)
    var delta = Delta()
    let token = articles.observe { delta = $0.delta }

    let fetched = [
      Article(id: 4, title: "Wind"), Article(id: 5, title: "Fog"),
      Article(id: 1, title: "Rain at night"), Article(id: 3, title: "Snow"),
    ]
    articles.replaceAll(with: fetched)
    #expect(delta.insertions == [0..<2])
    #expect(delta.removals == [1..<2])
    #expect(delta.updates == [2..<3])
    #expect(selection.isSelected(2) == false)
    #expect(selection.isSelected(3) == true)
    token.cancel()

    let folders = try ForestNode(rows: [(0, "notes"), (1, "a.md"), (0, "x.txt")])
    try folders.replaceAll(with: TreeSnapshot(children: [TreeSnapshot(value: "notes", leaves: ["b.md"])]))
    #expect(folders.elements == ["notes"])
    #expect(folders[[0, 0]] == "b.md")
  }

  @Test func photosHaveASectionForEachDay() {
    struct Photo: Equatable {
      var name: String
      var date: Date
    }
    let calendar = Calendar(identifier: .gregorian)
    func time(_ month: Int, _ day: Int, _ hour: Int) -> Date {
      calendar.date(from: DateComponents(year: 2025, month: month, day: day, hour: hour))!
    }
    let photos = ArrayNode([
      Photo(name: "dog", date: time(5, 31, 9)), Photo(name: "sea", date: time(6, 1, 8)),
      Photo(name: "cat", date: time(6, 2, 20)), Photo(name: "sky", date: time(6, 2, 7)),
    ])
    let days = GroupNode(photos, sectionsBy: >, rowsBy: { $0.date < $1.date }) {
      calendar.startOfDay(for: $0.date)
    }
    let months = GroupNode(photos, sectionsBy: >) {
      calendar.dateInterval(of: .month, for: $0.date)!.start
    }
    let shown = SegmentNode([days, months], selection: 0)

    func title(ofSection section: Int, at now: Date) -> String {
      let day = days.key(ofSection: section)!
      switch calendar.dateComponents([.day], from: day, to: calendar.startOfDay(for: now)).day! {
      case 0: return "Today"
      case 1: return "Yesterday"
      case let count: return "\(count) days ago"
      }
    }
    #expect((0..<days.count).map { title(ofSection: $0, at: time(6, 2, 21)) } == ["Today", "Yesterday", "2 days ago"])
    #expect((0..<days.count).map { title(ofSection: $0, at: time(6, 3, 1)) }[0] == "Yesterday")
    #expect(shown.child(at: 0)?.elements.map(\.name) == ["sky", "cat"])
    photos.update(at: 3) { $0.date = time(5, 31, 10) }
    #expect(days.section(at: 2).elements.map(\.name) == ["dog", "sky"])
    shown.selection = 1
    #expect(shown.child(at: 0)?.elements.map(\.name) == ["sea", "cat"])
  }

  @Test func aClickOnAColumnSortsOrReverses() {
    struct File: Equatable {
      var name: String
      var size: Int
    }

    enum Column { case name, size }

    final class FileTable {
      let rows: SortNode<File>
      private(set) var column = Column.name
      private(set) var order = SortOrder.forward

      init(_ files: any TreeNode<File>) { rows = SortNode(files, by: \.name) }

      func click(_ clicked: Column) {
        order = clicked == column && order == .forward ? .reverse : .forward
        column = clicked
        switch clicked {
        case .name: rows.setComparator(\.name, order: order)
        case .size: rows.setComparator(\.size, order: order)
        }
      }
    }

    let files = ArrayNode([File(name: "b", size: 9), File(name: "c", size: 9), File(name: "a", size: 20)])
    let table = FileTable(files)
    #expect(table.rows.map(\.name) == ["a", "b", "c"])
    table.click(.size)
    #expect(table.rows.map(\.name) == ["b", "c", "a"])
    table.click(.size)
    #expect(table.rows.map(\.name) == ["a", "b", "c"])
    files.append(File(name: "d", size: 30))
    #expect(table.rows.map(\.name) == ["d", "a", "b", "c"])
  }

  @Test func theWindowFollowsTheEndOfALog() {
    final class Console {
      let log = ArrayNode<String>()
      let lines: SliceNode<String>
      let height: Int
      var followsTail = true { didSet { if followsTail { showTail() } } }

      init(height: Int) {
        self.height = height
        lines = SliceNode(log, 0..<height)
      }

      func append(_ new: [String]) {
        lines.performUpdates {
          log.append(contentsOf: new)
          if followsTail { showTail() }
        }
      }

      private func showTail() {
        let end = max(log.count, height)
        lines.window = end - height..<end
      }
    }

    let console = Console(height: 3)
    console.append(["a", "b", "c", "d"])
    #expect(console.lines.elements == ["b", "c", "d"])
    var delta = Delta()
    let token = console.lines.observe { delta = $0.delta }
    console.append(["e"])
    #expect(console.lines.elements == ["c", "d", "e"])
    #expect(delta.removals == [0..<1])
    #expect(delta.insertions == [2..<3])
    console.followsTail = false
    console.append(["f", "g"])
    #expect(console.lines.elements == ["c", "d", "e"])
    console.followsTail = true
    #expect(console.lines.elements == ["e", "f", "g"])
    token.cancel()
  }

  @Test func groupsOfGroupsHaveTotals() {
    struct Sale: Hashable {
      var country: String
      var city = ""
      var customer = ""
      var amount = 0
    }
    let sales = ArrayNode([
      Sale(country: "France", city: "Paris", customer: "Ada", amount: 30),
      Sale(country: "Italy", city: "Rome", customer: "Bo", amount: 20),
      Sale(country: "France", city: "Lyon", customer: "Cy", amount: 10),
    ])
    let cities = GroupNode(sales, header: { Sale(country: $0[0], city: $0[1]) }) { [$0.country, $0.city] }
    let countries = GroupNode(cities, sectionsBy: <, header: { Sale(country: $0) }, by: \.country)
    let totals = AggregateIndex(of: countries, .sum(\.amount))
    let rows = OutlineNode(countries, expansion: ExpansionState(policy: .expanded), id: { $0 })

    func line(_ row: Int) -> String {
      let (sale, depth) = (rows[row], rows.row(at: row).depth)
      let name = [sale.country, sale.city, sale.customer][depth]
      return String(repeating: "  ", count: depth) + "\(name) \(totals.total(at: rows.path(ofRow: row)))"
    }

    #expect(rows.indices.map(line).prefix(3) == ["France 40", "  Paris 30", "    Ada 30"])
    #expect(rows.indices.map(line).suffix(3) == ["Italy 20", "  Rome 20", "    Bo 20"])
    sales.append(Sale(country: "France", city: "Paris", customer: "Di", amount: 5))
    #expect(rows.indices.map(line).prefix(2) == ["France 45", "  Paris 35"])
    var changed = [IndexPath]()
    let token = totals.observe { changed = $0.paths.updates }
    sales.update(at: 0) { $0.amount = 31 }
    #expect(changed == [[0, 0, 0]])
    token.cancel()

    let largestFirst = SortNode(countries, by: totals, order: .reverse)
    #expect(largestFirst.map(\.country) == ["France", "Italy"])
    sales.append(Sale(country: "Italy", city: "Rome", customer: "Ed", amount: 60))
    #expect(largestFirst.map(\.country) == ["Italy", "France"])
  }

  @Test func aTreeStaysLazyUnderAnEmptySearchField() {
    final class TreeSearch {
      let tree: HierarchyNode<String>
      let rows: OutlineNode<String, String>
      private let shown: SegmentNode<String>
      private var found: TreeFilterNode<String>?

      init(_ tree: HierarchyNode<String>) {
        self.tree = tree
        shown = SegmentNode([tree], selection: 0)
        rows = OutlineNode(shown, id: { $0 })
      }

      func search(for text: String) {
        if let found, !text.isEmpty { return found.setPredicate { $0.contains(text) } }
        rows.performUpdates {
          if text.isEmpty {
            rows.endTemporaryExpansion()
            shown.replaceMember(at: 0, with: tree)
            found = nil
          } else {
            found = TreeFilterNode(tree) { $0.contains(text) }
            shown.replaceMember(at: 0, with: found!)
            rows.beginTemporaryExpansion()
          }
        }
      }
    }

    let disk = ["/": ["etc/", "usr/", "readme"], "etc/": ["hosts"], "usr/": ["bin/"], "bin/": ["ls"]]
    var read: [String] = []
    let tree = HierarchyNode("/", id: { $0 }, hasChildren: { $0.hasSuffix("/") }) { folder in
      read.append(folder)
      return disk[folder] ?? []
    }
    let search = TreeSearch(tree)
    search.rows.expand(row: 1)
    #expect(search.rows.elements == ["etc/", "usr/", "bin/", "readme"])
    #expect(read == ["/", "usr/"])
    search.search(for: "host")
    #expect(search.rows.elements == ["etc/", "hosts"])
    #expect(read == ["/", "usr/", "bin/", "etc/"])
    search.search(for: "")
    #expect(search.rows.elements == ["etc/", "usr/", "bin/", "readme"])
  }

  @Test func eachViewReadsALargeTreeOnce() throws {
    var rows: [(Int, String)] = []
    for folder in 0..<1_000 {
      rows.append((0, "folder \(folder)"))
      rows += (0..<100).map { (1, "file \($0)") }
    }
    let tree = try ForestNode(rows: rows)
    var calls = 0
    let found = TreeFilterNode(tree) { name in
      calls += 1
      return name.hasSuffix("7")
    }
    let outline = OutlineNode(found, expansion: ExpansionState(policy: .expanded), id: { $0 })
    #expect(calls == 101_000)
    #expect(outline.count == 11_000)

    var reports = 0
    let token = outline.observe { _ in reports += 1 }
    tree.performUpdates {
      for folder in 0..<1_000 { tree.insert("file 107", at: [folder, 100]) }
    }
    #expect(reports == 1)
    tree.insert(.node(ForestNode(value: "new", leaves: (0..<500).map { "page \($0)" })), at: 0)
    #expect(reports == 2)
    #expect(outline.count == 12_051)
    token.cancel()
  }

  @Test func aTransactionIsOneStepOfUndo() {
    let family = ArrayNode(["Dad", "Mum"])
    let friends = ArrayNode(["Bo", "Al"])
    let shown = FilterNode(JoinNode([family, friends])) { _ in true }
    let log = UndoLog(of: shown, limit: 100)
    shown.performUpdates {
      friends.append(family.remove(at: 1))
      friends.replace(at: 0, with: "Bob")
    }
    shown.setPredicate { $0.count == 3 }
    #expect(shown.elements == ["Dad", "Bob", "Mum"])
    #expect(log.undoCount == 1)
    #expect(log.undo() == true)
    #expect(shown.elements == ["Dad", "Mum"])
    #expect(friends.elements == ["Bo", "Al"])
    #expect(log.canRedo == true)
    #expect(log.redo() == true)
    #expect(friends.elements == ["Bob", "Al", "Mum"])
  }

  @Test func anEnumJoinsSeveralTypes() {
    struct Person: Equatable { var name: String }
    struct Company: Equatable { var name: String, size: Int }
    enum Item: Equatable { case person(Person), company(Company), addButton }

    let people = ArrayNode([Person(name: "Ada")])
    let companies = ArrayNode([Company(name: "Acme", size: 12)])
    let button = SingleNode(Item.addButton)
    let items = JoinNode<Item>([MapNode(people, Item.person), MapNode(companies, Item.company), button])
    people.append(Person(name: "Bo"))
    #expect(items[1] == .person(Person(name: "Bo")))
    #expect(items[2] == .company(Company(name: "Acme", size: 12)))

    let place = items.locate(1)
    if place.member == 0 { people.update(at: place.position) { $0.name = "Bob" } }
    #expect(items[1] == .person(Person(name: "Bob")))
  }

  @Test func aProtocolIsAnElementType() {
    protocol Shape { var area: Double { get } }
    struct Square: Shape { var side: Double; var area: Double { side * side } }
    struct Plot: Shape { var width, depth: Double; var area: Double { width * depth } }

    let squares = ArrayNode([Square(side: 3)])
    let plots = ArrayNode([Plot(width: 2, depth: 4)])
    let shapes = JoinNode<any Shape>([squares.erasing { $0 as any Shape }, plots.erasing { $0 as any Shape }])
    let bySize = SortNode(shapes, by: { $0.area < $1.area })
    #expect(bySize.map(\.area) == [8, 9])
    bySize.replace(at: 0, with: Plot(width: 5, depth: 4))
    #expect(bySize.map(\.area) == [9, 20])
    #expect(plots[0].width == 5)
  }
}
