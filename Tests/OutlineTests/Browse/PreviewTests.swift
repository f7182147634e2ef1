import Assemblage
import AssemblageTerminal
import Foundation
import TestSupport
import Testing

@testable import outline

/// The contents of files, folders and JSON values beside the rows.
@MainActor @Suite struct PreviewTests {
  private let place = TerminalSize(columns: 30, rows: 5)

  private func texts(_ preview: TerminalPreview) -> [String] { preview.lines.map { $0.map(\.text).joined() } }

  /// The preview of each entry of a directory with some files, by the entry's name.
  private func previews(_ files: [String: [UInt8]], _ prepare: (URL) throws -> Void = { _ in }) async throws
    -> [String: TerminalPreview]
  {
    let home = FileManager.default.temporaryDirectory.appending(path: "preview-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: home) }
    for (name, bytes) in files {
      let file = home.appending(path: name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: file)
    }
    try prepare(home)
    let browser = EntryBrowser(directories: [FileName(home.path)], colors: LSColors(nil))
    browser.start()
    defer { browser.stop() }
    #expect(
      await eventually {
        browser.store.folder(browser.roots[0])?.state == .read && browser.contents.progress() == nil
      })
    let preview = try #require(browser.contents.preview)
    return Dictionary(
      uniqueKeysWithValues: browser.store.children(browser.roots[0]).map {
        (browser.store.text($0), preview($0, place))
      })
  }

  @Test func files() async throws {
    let long = [UInt8](repeating: 0x61, count: 100_000)
    let shown = try await previews([
      "text": Array("a\tb\r\n\u{1B}[2J\\n\n\nlast".utf8), "binary": [1, 0, 2], "empty": [], "long": long,
      "bytes": [0x78, 0xFF, 0x0A], "many": Array(String(repeating: "x\n", count: 60_000).utf8),
    ])
    #expect(shown["text"]?.heading == "text, 17 B")
    #expect(texts(shown["text"]!) == ["a       b", "\\u{1B}[2J\\n", "", "last"])
    #expect(shown["binary"] == TerminalPreview("binary, 3 B"))
    #expect(shown["empty"]?.heading == "empty")
    #expect(shown["long"]?.heading == "text, 100.0 kB, the first 64 KiB")
    #expect(texts(shown["long"]!) == [String(repeating: "a", count: 120)])
    #expect(texts(shown["bytes"]!) == ["x\\xFF", ""])
    #expect(texts(shown["many"]!) == ["x", "x", "x", "x", "x"])
  }

  @Test func foldersLinksAndPipes() async throws {
    let shown = try await previews(["sub/a": [0x61], "sub/deep/b": [0x62, 0x62], "sub/c": [0x63]]) { home in
      for (name, target) in [("to file", "sub/a"), ("to folder", "sub"), ("to nothing", "none")] {
        try FileManager.default.createSymbolicLink(
          atPath: home.appending(path: name).path, withDestinationPath: target)
      }
      #expect(unsafe mkfifo(home.appending(path: "pipe").path, 0o600) == 0)
      #expect(unsafe mkfifo(home.appending(path: "sub/pipe").path, 0o600) == 0)
      try FileManager.default.createSymbolicLink(
        atPath: home.appending(path: "to pipe").path, withDestinationPath: "pipe")
    }
    #expect(shown["sub"]?.heading == "1 folder, 3 files, 4 B")
    #expect(texts(shown["sub"]!) == ["a  1 B", "c  1 B", "deep/  1 file      2 B", "pipe  "])
    #expect(shown["to file"]?.heading == "a link to sub/a · text, 1 B" && texts(shown["to file"]!) == ["a"])
    #expect(shown["to folder"]?.heading == "a link to sub · no file")
    #expect(shown["to nothing"]?.heading == "a link to none · this could not be read: it is not there")
    // Nobody writes to the pipe, and nobody waits for that.
    #expect(shown["pipe"]?.heading == "a special file, which has no contents")
    #expect(shown["to pipe"]?.heading == "a link to pipe · no file")
  }

  /// A pipe is not opened: its writer would get a reader who leaves at once.
  @Test func aLinkToAPipeLeavesTheWriterWaiting() throws {
    try withTemporaryDirectory { home in
      #expect(unsafe mkfifo(home + "/pipe", 0o600) == 0)
      try FileManager.default.createSymbolicLink(atPath: home + "/link", withDestinationPath: "pipe")
      let isOpened = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        let writer = unsafe open(home + "/pipe", O_WRONLY | O_CLOEXEC)
        isOpened.signal()
        close(writer)
      }
      // The writer waits for a reader by now.
      usleep(50_000)
      var files = FilePreview()
      for path in [home + "/pipe", home + "/link", "/dev/null"] {
        #expect(files.preview(FileName(path), in: place, .decimal) == TerminalPreview("no file"))
      }
      #expect(isOpened.wait(timeout: .now() + 0.05) == .timedOut)
      let reader = unsafe open(home + "/pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      isOpened.wait()
      close(reader)
    }
  }

  /// A file of the same size is read again if it has changed within a second, or is another file.
  @Test func changesAreShown() throws {
    try withTemporaryDirectory { home in
      let file = URL(filePath: home + "/file")
      var files = FilePreview()
      for text in ["one", "two", "six"] {
        try Data(text.utf8).write(to: file, options: text == "six" ? .atomic : [])
        #expect(texts(files.preview(FileName(file.path), in: place, .decimal)) == [text])
        // Two changes within one tick of the system's clock have the same time.
        usleep(20_000)
      }
      try FileManager.default.removeItem(at: file)
      #expect(files.preview(FileName(file.path), in: place, .decimal).heading.hasSuffix("it is not there"))
    }
  }

  #if os(Linux)
    /// The system's own files have contents, but the size 0.
    @Test func filesWithoutASize() {
      var files = FilePreview()
      let preview = files.preview("/proc/self/status", in: place, .decimal)
      #expect(preview.heading.hasPrefix("text, ") && preview.lines.count == place.rows)
      guard FileManager.default.isReadableFile(atPath: "/proc/kallsyms") else { return }
      #expect(files.preview("/proc/kallsyms", in: place, .decimal).heading.hasSuffix("the first 64 KiB"))
    }
  #endif

  @Test func valuesOfADocument() async throws {
    let home = FileManager.default.temporaryDirectory.appending(path: "preview-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: home) }
    let text = #"{"a":{"b":[1,true,{}],"c":"x\ny","d":null},"e":"one\ntwo","f":[[[[[[[]]]]]]]}"#
    try Data(text.utf8).write(to: home)
    let browser = JSONBrowser(FileName(home.path))
    browser.start()
    #expect(await eventually { browser.contents.total() > 0 && browser.contents.progress() == nil })
    let preview = try #require(browser.contents.preview)
    let items = Array(browser.contents.filter.source.elements)
    let large = TerminalSize(columns: 30, rows: 20)
    #expect(preview(items[0], large).heading == "{3 members}")
    #expect(
      texts(preview(items[0], large)) == [
        "{", #"  "b": ["#, "    1,", "    true,", "    {}", "  ],", #"  "c": "x\ny","#, #"  "d": null"#, "}",
      ])
    #expect(texts(preview(items[0], place)) == ["{", #"  "b": ["#, "    1,", "    true,", "    {}"])
    #expect(texts(preview(items[1], large)) == ["one", "two"] && preview(items[1], large).heading == "a text")
    #expect(texts(preview(items[2], place)) == ["[", "  [", "    [", "      [", "        ["])
  }

  #if canImport(Glibc)
    @Test func onATerminal() async throws {
      let home = try BrowseTests.Home()
      let terminal = try PseudoTerminal(
        "cd \(home.path) && exec outline --browse --units binary", size: TerminalSize(columns: 100, rows: 12))
      #expect(await terminal.shows("4 files, 29 B"))
      terminal.press("p")
      #expect(await terminal.shows("1 folder, 1 file, 12 B"))
      terminal.press("/guide")
      #expect(await terminal.shows("# Guide"))
      #expect(await terminal.shows("text, 8 B"))
      terminal.press("\u{1B}")
      #expect(await terminal.hides("# Guide"))
      terminal.press("p")
      #expect(await terminal.hides("1 folder, 1 file"))
      terminal.press("q")
      #expect(await terminal.exitCode() == 130)
    }
  #endif
}
