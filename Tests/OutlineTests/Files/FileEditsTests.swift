import AssemblageTerminal
import Foundation
import TestSupport
import Testing

@testable import outline

/// Names, folders and the trash.
@Suite struct FileEditsTests {
  private func code(_ body: () throws -> Void) -> Int32? {
    do { try body() } catch { return (error as? FileSystemError)?.code ?? -1 }
    return nil
  }

  @Test func namesAreGivenButNotTaken() throws {
    try withTemporaryDirectory { home in
      for name in ["a", "b"] { try write(1, to: home + "/" + name) }
      try FileEdits.rename(FileName(home + "/a"), to: "c d")
      #expect(try FileManager.default.contentsOfDirectory(atPath: home).sorted() == ["b", "c d"])
      #expect(code { try FileEdits.rename(FileName(home + "/b"), to: "c d") } == EEXIST)
      #expect(code { try FileEdits.rename(FileName(home + "/a"), to: "x") } == ENOENT)
      for name in ["", ".", "..", "x/y"] {
        #expect(code { try FileEdits.rename(FileName(home + "/b"), to: FileName(name)) } == -1, "\(name)")
      }
      try FileEdits.makeFolder(FileName(home + "/new"))
      #expect(code { try FileEdits.makeFolder(FileName(home + "/new")) } == EEXIST)
      #expect(FileEdits.delete([Array((home + "/new").utf8), Array((home + "/b").utf8)]) == nil)
      #expect(try FileManager.default.contentsOfDirectory(atPath: home) == ["c d"])
    }
  }

  /// A name that is shown with escapes is not typed, because its bytes would change.
  @MainActor @Test func namesWithEscapes() async throws {
    let home = FileManager.default.temporaryDirectory.appending(path: "edits-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: home) }
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    for name in ["a\u{1B}b", "c\\d", "e\u{301} ü"] { try write(1, to: home.path + "/" + name) }
    let browser = EntryBrowser(directories: [FileName(home.path)], colors: LSColors(nil))
    browser.start()
    defer { browser.stop() }
    #expect(await eventually { browser.contents.progress() == nil && browser.store.count() == 3 })
    let items = browser.store.children(browser.roots[0])
    #expect(items.map { browser.store.text($0) } == [#"a\u{1B}b"#, #"c\\d"#, "e\u{301} ü"])
    #expect(items.map { browser.contents.typedName($0) } == [nil, #"c\d"#, "e\u{301} ü"])
    #expect(browser.name(.rename(items[1]), #"c\d"#) == "the name is the same")
    #expect(browser.name(.rename(items[1]), #"c\\d"#) == #"renamed to c\\\\d"#)
    // Another normal form of the same letter is another name.
    #expect(browser.name(.rename(items[2]), "\u{E9} ü") == "renamed to \u{E9} ü")
  }

  /// More paths than one program may get, and more errors than fit into a pipe.
  @Test func manyEntriesAreDeletedInPortions() throws {
    try withTemporaryDirectory { home in
      let long = String(repeating: "n", count: 200)
      let paths = (0..<400).map { Array("\(home)/\(long)\($0)".utf8) }
      for path in paths { try write(1, to: String(decoding: path, as: UTF8.self)) }
      #expect(FileEdits.delete(paths, limit: 4_096) == nil)
      #expect(paths.allSatisfy { FileEdits.isGone(FileName(bytes: $0)) })
      // A name that is too long fails, and the others are deleted all the same.
      let wrong = (0..<400).map { Array("\(home)/\($0)\(long)\(long)".utf8) }
      for number in [0, 399] { try write(1, to: String(decoding: paths[number], as: UTF8.self)) }
      let reason = FileEdits.delete([paths[0]] + wrong + [paths[399]])
      #expect(reason?.contains("/0\(long)") == true && reason?.contains("\n") == false, "\(reason ?? "")")
      #expect(try FileManager.default.contentsOfDirectory(atPath: home).isEmpty)
    }
  }

  /// The words count only what was moved or deleted, and the other entries remain marked.
  @MainActor @Test func theWordsCountWhatIsGone() async throws {
    let home = FileManager.default.temporaryDirectory.appending(path: "edits-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: home) }
    let top = home.path + "/top"
    try FileManager.default.createDirectory(atPath: top + "/a", withIntermediateDirectories: true)
    for name in ["a/x", "b", "c", "d", "e"] { try write(1, to: top + "/" + name) }
    let browser = EntryBrowser(directories: [FileName(top)], colors: LSColors(nil))
    browser.start()
    defer { browser.stop() }
    #expect(await eventually { browser.contents.progress() == nil && browser.store.count() == 6 })
    let items = browser.store.children(browser.roots[0])
    let inside = browser.store.children(items[0])

    // A link that leads to nothing: the trash cannot be made, and nothing is moved.
    try FileManager.default.createSymbolicLink(atPath: home.path + "/link", withDestinationPath: "none")
    let wrong = browser.delete([items[1], items[2]], .toTrash, trash: FileName(home.path + "/link"))
    #expect(wrong.gone.isEmpty && wrong.rest.isEmpty)
    #expect(wrong.words == "2 entries not put into the trash: b: it is not there", "\(wrong.words)")
    #expect(FileManager.default.fileExists(atPath: top + "/b"))

    let trash = FileName(home.path + "/Trash")
    try FileManager.default.removeItem(atPath: top + "/b")
    let gone = browser.delete([items[1]], .toTrash, trash: trash)
    #expect(gone.words == "1 entry was already gone" && gone.gone == [items[1]])
    // An entry in a folder that is in the trash is there, too.
    let both = browser.delete([items[0], inside[0]], .toTrash, trash: trash)
    #expect(both.words == "2 entries put into the trash" && both.gone == [items[0], inside[0]])
    #expect(browser.delete([items[2]], .toTrash, trash: nil).rest == [items[2]])
    #expect(browser.delete([items[2], items[3]], .forGood, trash: nil).words == "2 entries deleted")
    #expect(await eventually { browser.store.count() == 1 })
    #expect(browser.delete(items, .toTrash, trash: trash).words == "1 entry put into the trash")
  }

  @Test func theTrashHasTheFormOfFreedesktop() throws {
    try withTemporaryDirectory { home in
      let trash = FileName(home + "/data/Trash")
      for number in 1...3 {
        try write(number, to: home + "/ä b")
        try FileEdits.putIntoTrash(
          FileName(home + "/ä b"), trash, form: .freedesktop, date: Date(timeIntervalSince1970: 1))
      }
      let files = try FileManager.default.contentsOfDirectory(atPath: home + "/data/Trash/files").sorted()
      #expect(files == ["ä b", "ä b.2", "ä b.3"])
      let note = try String(contentsOfFile: home + "/data/Trash/info/ä b.2.trashinfo", encoding: .utf8)
      #expect(note.hasPrefix("[Trash Info]\nPath=\(home)/%C3%A4%20b\nDeletionDate="))
      #expect(note.contains(/DeletionDate=\d{4}-\d\d-\d\dT\d\d:\d\d:01\n/))
      // What cannot be moved leaves no note.
      #expect(code { try FileEdits.putIntoTrash(FileName(home + "/none"), trash, form: .freedesktop) } == ENOENT)
      #expect(try FileManager.default.contentsOfDirectory(atPath: home + "/data/Trash/info").count == 3)
    }
  }

  @Test func theTrashOfMacOSIsAFolder() throws {
    try withTemporaryDirectory { home in
      for number in 1...2 {
        try write(number, to: home + "/a")
        try FileEdits.putIntoTrash(FileName(home + "/a"), FileName(home + "/Trash"), form: .folder)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: home + "/Trash").sorted() == ["a", "a.2"])
    }
  }

  /// The note and the number need space in a name, so a long name is cut between two letters.
  @Test func longNamesAreCut() throws {
    try withTemporaryDirectory { home in
      let trash = FileName(home + "/Trash")
      for (name, count) in [(String(repeating: "n", count: 250), 245), ("x" + String(repeating: "ä", count: 127), 245)]
      {
        for number in 1...2 {
          try write(number, to: home + "/" + name)
          try FileEdits.putIntoTrash(FileName(home + "/" + name), trash, form: .freedesktop)
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: home + "/Trash/files").sorted()
          .filter { $0.hasPrefix(name.prefix(1)) }
        #expect(files.map(\.utf8.count) == [count, count])
        let first = try #require(files.first { !$0.hasSuffix(".2") })
        #expect(name.hasPrefix(first) && files.contains { $0.hasSuffix(".2") })
      }
    }
  }

  /// A file that arrives between the question and the answer is not replaced.
  @Test func anotherFileIsNotReplaced() throws {
    try withTemporaryDirectory { home in
      for name in ["a", "b", "Trash/files/a"] {
        try FileManager.default.createDirectory(atPath: home + "/Trash/files", withIntermediateDirectories: true)
        try write(name.count, to: home + "/" + name)
      }
      #expect(code { try FileEdits.rename(FileName(home + "/a"), to: "b") } == EEXIST)
      try FileEdits.putIntoTrash(FileName(home + "/a"), FileName(home + "/Trash"), form: .freedesktop)
      #expect(try FileManager.default.contentsOfDirectory(atPath: home + "/Trash/files").sorted() == ["a", "a.2"])
      // The attempt with the first name leaves no note.
      #expect(try FileManager.default.contentsOfDirectory(atPath: home + "/Trash/info") == ["a.2.trashinfo"])
    }
  }

  @Test func theTrashOfAUser() {
    #expect(FileEdits.trash([:]) == nil && FileEdits.trash(["HOME": "relative"]) == nil)
    #if canImport(Glibc)
      #expect(FileEdits.trash(["HOME": "/h"]) == "/h/.local/share/Trash")
      #expect(FileEdits.trash(["HOME": "/h", "XDG_DATA_HOME": "/d"]) == "/d/Trash")
    #endif
  }

  #if canImport(Glibc)
    @MainActor @Test func byKeys() async throws {
      let home = try BrowseTests.Home()
      let terminal = try PseudoTerminal(
        "cd \(home.path) && exec outline --browse", environment: ["XDG_DATA_HOME": home.path + "/.data"])
      #expect(await terminal.shows("4 files, 29 B"))
      terminal.press("jR")
      #expect(await terminal.shows("name: readme.txt"))
      terminal.press("\u{15}about.txt\r")
      #expect(await terminal.shows("renamed to about.txt"))
      #expect(await terminal.shows("    about.txt"))
      terminal.press("+new\r")
      #expect(await terminal.shows("new/"))
      terminal.press("gD")
      #expect(await terminal.shows("put about.txt into the trash?"))
      terminal.press("y")
      #expect(await terminal.shows("1 entry put into the trash"))
      #expect(await terminal.hides("about.txt  "))
      #expect(home.text(of: ".data/Trash/files/about.txt") == "read me\n")
      terminal.press("q")
      #expect(await terminal.exitCode() == 130)
    }
  #endif
}
