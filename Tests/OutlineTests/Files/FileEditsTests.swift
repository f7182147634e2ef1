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
      #expect(FileEdits.delete([Array((home + "/new").utf8), Array((home + "/b").utf8)]))
      #expect(try FileManager.default.contentsOfDirectory(atPath: home) == ["c d"])
    }
  }

  @Test func theTrashHasTheFormOfFreedesktop() throws {
    try withTemporaryDirectory { home in
      let trash = FileName(home + "/data/Trash")
      for number in 1...3 {
        try write(number, to: home + "/ä b")
        try FileEdits.putIntoTrash(FileName(home + "/ä b"), trash, date: Date(timeIntervalSince1970: 1))
      }
      let files = try FileManager.default.contentsOfDirectory(atPath: home + "/data/Trash/files").sorted()
      #expect(files == ["ä b", "ä b.2", "ä b.3"])
      let note = try String(contentsOfFile: home + "/data/Trash/info/ä b.2.trashinfo", encoding: .utf8)
      #expect(note.hasPrefix("[Trash Info]\nPath=\(home)/%C3%A4%20b\nDeletionDate="))
      #expect(note.contains(/DeletionDate=\d{4}-\d\d-\d\dT\d\d:\d\d:01\n/))
      // What cannot be moved leaves no note.
      #expect(code { try FileEdits.putIntoTrash(FileName(home + "/none"), trash) } == ENOENT)
      #expect(try FileManager.default.contentsOfDirectory(atPath: home + "/data/Trash/info").count == 3)
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
      #expect(await terminal.shows("put 1 entry into the trash?"))
      terminal.press("y")
      #expect(await terminal.shows("1 entry put into the trash"))
      #expect(await terminal.hides("about.txt  "))
      #expect(home.text(of: ".data/Trash/files/about.txt") == "read me\n")
      terminal.press("q")
      #expect(await terminal.exitCode() == 130)
    }
  #endif
}
