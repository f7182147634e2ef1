import Assemblage
import AssemblageTerminal
import Foundation
import TestSupport
import Testing

@testable import outline

/// The entries that the outline reads, without a terminal.
@MainActor @Suite struct EntryBrowserTests {
  private func folder() throws -> URL {
    let url = FileManager.default.temporaryDirectory.appending(path: "entries-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url
  }

  private func write(_ size: Int, _ name: String, in folder: URL) throws {
    let file = folder.appending(path: name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(count: size).write(to: file)
  }

  /// Returns the names of all entries of the forest, indented, and checks that the store has the same entries.
  private func tree(_ browser: EntryBrowser) -> [String] {
    var lines: [String] = []
    func walk(_ node: any TreeNode<Item>, _ children: [Item], _ depth: Int) {
      #expect(node.elements == children)
      for (position, item) in children.enumerated() {
        #expect(Int(browser.store[item].position) == position)
        #expect(!browser.store[item].isRemoved)
        lines.append(String(repeating: " ", count: depth) + browser.store.text(item))
        #expect((node.child(at: position) != nil) == browser.store.isFolder(item))
        if let child = node.child(at: position) { walk(child, browser.store.children(item), depth + 1) }
      }
    }
    walk(browser.forests[0], browser.store.children(browser.roots[0]), 0)
    #expect(browser.store.count() == lines.count)
    return lines
  }

  private func isSettled(_ browser: EntryBrowser) async -> Bool {
    await eventually { browser.store.folder(browser.roots[0])?.state == .read && browser.contents.progress() == nil }
  }

  @Test func readsAgainWhatDiffers() async throws {
    let home = try folder()
    defer { try? FileManager.default.removeItem(at: home) }
    for name in ["a/1", "a/2", "b/x/deep", "c", "d"] { try write(10, name, in: home) }
    let browser = EntryBrowser(directories: [FileName(home.path)], colors: LSColors(nil))
    browser.start()
    #expect(await isSettled(browser))
    #expect(tree(browser) == ["a", " 1", " 2", "b", " x", "  deep", "c", "d"])
    let root = browser.roots[0]
    #expect(browser.store.folder(root)?.totals.files() == 5)
    #expect(browser.store.folder(root)?.totals.size() == 50)
    let kept = browser.store.children(root)[3]

    try FileManager.default.removeItem(at: home.appending(path: "b"))
    try FileManager.default.removeItem(at: home.appending(path: "a/1"))
    try FileManager.default.removeItem(at: home.appending(path: "c"))
    try write(3, "a/0", in: home)
    try write(3, "a/9", in: home)
    try write(7, "c/now a folder", in: home)
    try write(100, "d", in: home)
    #expect(browser.reload())
    #expect(await eventually { browser.store.folder(root)?.totals.size() == 123 && browser.contents.progress() == nil })
    #expect(tree(browser) == ["a", " 0", " 2", " 9", "c", " now a folder", "d"])
    #expect(browser.store.children(root)[2] == kept)
    #expect(browser.store.folder(root)?.totals.files() == 5)
    browser.stop()
  }

  /// A second reading is shown as progress, and ends. Totals of folders that are not watched have a time.
  @Test func readingAgainIsProgressThatEnds() async throws {
    let home = try folder()
    defer { try? FileManager.default.removeItem(at: home) }
    for name in ["a/1", "b"] { try write(10, name, in: home) }
    let browser = EntryBrowser(directories: [FileName(home.path)], colors: LSColors(nil))
    browser.start()
    defer { browser.stop() }
    #expect(await isSettled(browser))
    #expect(browser.contents.summary().wholeMatch(of: /2 files, 20 B at \d\d:\d\d/) != nil)
    let rows = browser.store.children(browser.roots[0])
    browser.watch(rows, expanded: [rows[0]])
    #expect(browser.contents.summary() == "2 files, 20 B")
    #expect(browser.reload())
    #expect(browser.contents.progress() == "reading again, 2 folders to go")
    #expect(await isSettled(browser))
    #expect(!EntryBrowser(directories: [], colors: LSColors(nil)).reload())
  }

  @Test func aRootThatGoesTakesItsRowsAlong() async throws {
    let home = try folder()
    defer { try? FileManager.default.removeItem(at: home) }
    for name in ["a/1", "b"] { try write(10, name, in: home) }
    let browser = EntryBrowser(directories: [FileName(home.path)], colors: LSColors(nil))
    browser.start()
    defer { browser.stop() }
    #expect(await isSettled(browser))
    try FileManager.default.removeItem(at: home)
    #expect(await eventually { browser.store.count() == 0 && browser.contents.progress() == nil })
    #expect(tree(browser).isEmpty && browser.failure == nil)
    #expect(browser.contents.summary().hasPrefix("0 files, 0 B"))
    #expect(browser.contents.summary().hasSuffix("could not be read: it is not there"))
    try write(10, "c/1", in: home)
    #expect(browser.reload())
    #expect(await eventually { browser.store.count() == 2 && browser.contents.progress() == nil })
    #expect(tree(browser) == ["c", " 1"] && !browser.contents.summary().contains("could not"))
    // The folder is watched again.
    browser.watch([], expanded: [])
    try write(10, "d", in: home)
    #expect(await eventually { browser.store.count() == 3 })
  }

  @Test func aDocumentThatGoesStaysAndSaysSo() async throws {
    let home = try folder()
    defer { try? FileManager.default.removeItem(at: home) }
    let file = home.appending(path: "a.json")
    try Data("[1]".utf8).write(to: file)
    let browser = JSONBrowser(FileName(file.path))
    browser.start()
    #expect(await eventually { browser.contents.progress() == nil })
    try FileManager.default.removeItem(at: file)
    #expect(browser.reload() && browser.contents.progress() != nil)
    #expect(await eventually { browser.contents.progress() == nil })
    #expect(browser.contents.total() == 1 && browser.failure == nil)
    #expect(browser.contents.summary().hasSuffix("this could not be read: \(file.path): it is not there"))
    try Data("[1, 2]".utf8).write(to: file)
    #expect(browser.reload())
    #expect(await eventually { browser.contents.total() == 2 })
    #expect(!browser.contents.summary().contains("could not"))
  }

  /// The time grows with the number of levels, and nothing recurses.
  @Test func documentsOfAnyDepthAreShown() async throws {
    let levels = TestSeed.isShortened ? 2_000 : 8_000
    let home = try folder()
    defer { try? FileManager.default.removeItem(at: home) }
    let file = home.appending(path: "deep.json")
    try Data((String(repeating: "[", count: levels) + String(repeating: "]", count: levels)).utf8).write(to: file)
    let browser = JSONBrowser(FileName(file.path))
    browser.start()
    #expect(await eventually { browser.contents.progress() == nil && browser.contents.total() == levels - 1 })
    browser.contents.rows.expandAll()
    #expect(browser.contents.rows.count == levels - 1)
    #expect(browser.contents.rows.row(at: levels - 2).depth == levels - 2)
  }

  /// A printed list and a browsed list are the same tree, wherever the list is cut into pieces.
  @Test func listsAreReadAsTheyArePrinted() async throws {
    let home = try folder()
    defer { try? FileManager.default.removeItem(at: home) }
    for iteration in 0..<TestSeed.iterations(40) {
      var generator = TestSeed.generator("browsed list", iteration: iteration)
      let parts = ["a", "b", "ab", "a", "/", "/", "/", ".", "..", "é"]
      let lines = (0..<12).map { _ in
        (0..<Int.random(in: 0...6, using: &generator)).map { _ in parts.randomElement(using: &generator)! }.joined()
      }
      let separator = ["\n", "\r\n", "\u{0}"].randomElement(using: &generator)!
      let bytes = Array((lines.joined(separator: separator) + ["", separator].randomElement(using: &generator)!).utf8)
      let cut = separator == "\u{0}" ? 0 : Int.random(in: 0...bytes.count, using: &generator)
      let rest = home.appending(path: "\(iteration)")
      try Data(bytes[cut...]).write(to: rest)
      let descriptor = FileName(rest.path).open()
      defer { close(descriptor) }
      let list = BrowsedList(descriptor: descriptor, start: Array(bytes[..<cut]))
      let browser = EntryBrowser(directories: [], colors: LSColors(nil), list: list)
      browser.start()
      #expect(await eventually { browser.contents.progress() == nil })
      _ = tree(browser)
      let browsed = (1..<browser.store.entries.count).map { number in
        browser.store.path(Item(number), withRoot: false).printed
          + (browser.store.isFolder(Item(number)) ? " folder" : "")
      }
      let store = PathListReader.read(bytes.span)
      let printed = (1..<store.count).map { number in
        store.path(Item(number), withRoot: false).printed + (store.isDirectory(Item(number)) ? " folder" : "")
      }
      #expect(browsed.sorted() == printed.sorted(), "\(lines)")
    }
  }

  /// A later path shows that an entry is a folder, and some patterns are for folders only.
  @Test func aListedFolderIsLeftOutByAPatternForFolders() async throws {
    let home = try folder()
    defer { try? FileManager.default.removeItem(at: home) }
    try write(0, "rest", in: home)
    let descriptor = FileName(home.appending(path: "rest").path).open()
    defer { close(descriptor) }
    let pattern = try #require(IgnorePattern(line: Array("build/".utf8)[...]))
    let list = BrowsedList(descriptor: descriptor, start: Array("build\nbuild/x\na\n/build/y\n".utf8))
    let browser = EntryBrowser(
      directories: [], colors: LSColors(nil), visibility: Visibility(excluded: [pattern]), list: list)
    browser.start()
    #expect(await eventually { browser.contents.progress() == nil && browser.store.count() == 5 })
    #expect(browser.store.count(without: .ignored) == 1)
    let totals = browser.store.folder(browser.roots[0])?.totals
    #expect(totals?.files() == 3 && totals?.files(without: .ignored) == 1)
  }

  @Test func whatCameBeforeADirectoryWasWatchedIsRead() async throws {
    let home = try folder()
    defer { try? FileManager.default.removeItem(at: home) }
    for name in ["changed/1", "new/1", "old/1"] { try write(10, name, in: home) }
    for name in ["changed", "old"] {
      let path = home.appending(path: name).path
      try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1_000)], ofItemAtPath: path)
    }
    let browser = EntryBrowser(directories: [FileName(home.path)], colors: LSColors(nil))
    browser.start()
    defer { browser.stop() }
    #expect(await isSettled(browser))
    let folders = browser.store.children(browser.roots[0])
    let turns = folders.map { browser.store.folder($0)?.turn }
    // No row has been drawn, so these folders are not watched.
    for name in ["changed/2", "new/2"] { try write(10, name, in: home) }
    browser.watch(folders.flatMap { browser.store.children($0) }, expanded: folders)
    #expect(await eventually { browser.store.count() == 8 && browser.contents.progress() == nil })
    #expect(tree(browser) == ["changed", " 1", " 2", "new", " 1", " 2", "old", " 1"])
    let isReadAgain = zip(folders, turns).map { browser.store.folder($0)?.turn != $1 }
    #expect(isReadAgain == [true, true, false])
  }

  @Test func ofTwoReadingsTheOneBegunLaterCounts() async throws {
    let home = try folder()
    defer { try? FileManager.default.removeItem(at: home) }
    try write(10, "a", in: home)
    let browser = EntryBrowser(directories: [FileName(home.path)], colors: LSColors(nil))
    browser.start()
    defer { browser.stop() }
    #expect(await isSettled(browser))
    let root = browser.roots[0]
    let turn = try #require(browser.store.folder(root)?.turn)
    browser.take(DirectoryListing(), of: root, turn: turn - 1)
    #expect(tree(browser) == ["a"])
    browser.take(DirectoryListing(), of: root, turn: turn + 1)
    #expect(tree(browser).isEmpty)
  }

  @Test func anythingCanBeRemovedAndAdded() {
    // Every change from one set of files and folders to another.
    let names = ["a", "b", "c", "d"]
    for former in 0..<81 {
      for latter in 0..<81 {
        func listing(_ code: Int) -> DirectoryListing {
          var (listing, rest) = (DirectoryListing(), code)
          for name in names {
            let kind: BrowseKind? = [nil, .file, .directory][rest % 3]
            if let kind { listing.append(Array(name.utf8), .init(kind: kind, size: kind == .file ? 1 : 0)) }
            rest /= 3
          }
          return listing
        }
        let store = BrowseStore()
        let root = store.addRoot(Array("/".utf8))
        let forest = ForestNode<Item>()
        for code in [former, latter] {
          let diff = ListingDiff(listing(code), of: root, in: store)
          diff.apply(to: forest)
          store.add(diff.totals, waiting: diff.waiting, to: root)
        }
        let wanted = listing(latter)
        #expect(forest.elements == store.children(root))
        #expect(forest.elements.map { Array(store.name($0)) } == wanted.names)
        #expect((0..<forest.count).map { forest.isBranch(at: $0) } == wanted.entries.map { $0.kind == .directory })
        let files = wanted.entries.count { $0.kind == .file }
        #expect(store.folder(root)?.totals.files() == files)
        #expect(store.folder(root)?.totals.size() == files)
        #expect(store.count() == wanted.count)
      }
    }
  }

  @Test func namesAreBytes() async throws {
    let home = try folder()
    defer { try? FileManager.default.removeItem(at: home) }
    let name: [UInt8] = [0x61, 0xFF, 0x62]
    let path = Array(home.path.utf8) + [0x2F] + name
    let file = unsafe FileName(bytes: path).withCString { unsafe open($0, O_CREAT | O_WRONLY, 0o600) }
    try #require(file >= 0)
    close(file)
    let browser = EntryBrowser(directories: [FileName(home.path)], colors: LSColors(nil))
    browser.start()
    #expect(await isSettled(browser))
    #expect(tree(browser) == [#"a\xFFb"#])
    #expect(browser.output(browser.store.children(browser.roots[0])[0], .path) == path)
    browser.stop()
  }

  @Test func aFolderThatCannotBeReadSaysSo() async throws {
    let home = try folder()
    defer { try? FileManager.default.removeItem(at: home) }
    let browser = EntryBrowser(directories: [FileName(home.path + "/gone")], colors: LSColors(nil))
    browser.start()
    #expect(await eventually { browser.failure != nil })
    #expect(browser.failure?.code == 2)
    browser.stop()
  }

  @Test func whatPatternsLeaveOutIsKnown() async throws {
    let home = try folder()
    defer { try? FileManager.default.removeItem(at: home) }
    for name in [".git/HEAD", "a.o", "b.c", "sub/c.o", "sub/d.c", "sub/deep/e.tmp", "out/f.c", "mine"] {
      try write(1, name, in: home)
    }
    func ignore(_ patterns: String, in name: String) throws {
      try Data(patterns.utf8).write(to: home.appending(path: name))
    }
    try ignore("*.o\nout/\n", in: ".gitignore")
    try ignore("*.tmp\n!c.o\n", in: "sub/.gitignore")
    let pattern = try #require(IgnorePattern(line: Array("mine".utf8)[...]))
    let browser = EntryBrowser(
      directories: [FileName(home.path)], colors: LSColors(nil),
      visibility: Visibility(excluded: [pattern], obeysGit: true))
    browser.start()
    #expect(await isSettled(browser))
    #expect(browser.contents.hidings == [.hidden, .ignored])
    func ignored() -> [String] {
      let items = browser.store.entries.indices.map { Item($0) }
      let shown = items.filter { !browser.store[$0].isRemoved && browser.store.parent($0) != nil }
      return shown.filter { !browser.store.isShown($0, .ignored) }
        .map { browser.store.path($0, withRoot: false).text }.sorted()
    }
    #expect(ignored() == [".git", ".git/HEAD", "a.o", "mine", "out", "out/f.c", "sub/deep/e.tmp"])
    // A folder with no other entries says how many are left out.
    browser.contents.hides([.hidden, .ignored])
    let deep = try #require(
      browser.store.entries.indices.map { Item($0) }.first { browser.store.text($0) == "deep" })
    #expect(browser.contents.row(deep).note.map(\.text) == ["/", "  1 hidden or ignored"])
    browser.contents.hides([])
    #expect(browser.contents.row(deep).note.map(\.text) == ["/"])
    // Other patterns at the top reach the folders below, which are read again.
    try ignore("e.*\nd.c\n", in: ".gitignore")
    #expect(browser.reload())
    #expect(await eventually { ignored() == [".git", ".git/HEAD", "mine", "sub/d.c", "sub/deep/e.tmp"] })
    // A file `.ignore` that arrives counts, too.
    try ignore("!d.c\n", in: ".ignore")
    #expect(browser.reload())
    #expect(await eventually { ignored() == [".git", ".git/HEAD", "mine", "sub/deep/e.tmp"] })
    #expect(await isSettled(browser))
    _ = tree(browser)
    browser.stop()
  }

  @Test(
    arguments: [
      ("01;35", TerminalStyle(.named(5), .bold)), ("0", .plain),
      ("38;5;208;4", TerminalStyle(.palette(208), .underlined)),
      ("48;2;1;2;3", TerminalStyle(nil, on: .rgb(1, 2, 3))), ("91;107", TerminalStyle(.named(9), on: .named(15))),
      ("9999", nil), ("38;5", nil),
    ] as [(String, TerminalStyle?)])
  func stylesAreReadFromCodes(_ codes: String, _ style: TerminalStyle?) {
    #expect(TerminalStyle(codes: codes) == style)
  }

  @Test func namesHaveTheColoursOfLs() async throws {
    let home = try folder()
    defer { try? FileManager.default.removeItem(at: home) }
    for name in ["a.gz", "dir/x", "plain"] { try write(1, name, in: home) }
    try FileManager.default.createSymbolicLink(
      atPath: home.appending(path: "gone").path, withDestinationPath: "nowhere")
    let browser = EntryBrowser(
      directories: [FileName(home.path)], colors: LSColors("di=01;35:*.gz=31:or=33"))
    browser.start()
    #expect(await isSettled(browser))
    let rows = browser.store.children(browser.roots[0]).map { browser.contents.row($0).label[0] }
    #expect(rows.map(\.text) == ["a.gz", "dir", "gone", "plain"])
    #expect(
      rows.map(\.style) == [
        TerminalStyle(.named(1)), TerminalStyle(.named(5), .bold), TerminalStyle(.named(3)), .plain,
      ])
    browser.stop()
  }
}
