import CommandSupport
import Foundation
import TestSupport
import Testing

@testable import outline

/// The rows of directories: their expansion, range, order and groups.
@Suite struct DirectoryTests {
  let fake = Fake.directory([
    "top": .directory([
      "b.txt": .dated(1_500, 951_782_400),
      "a": .directory(["z.MD": .dated(10, 1), "y.txt": .dated(20, 2), "empty": .directory([:])]),
      "c": .directory(["deep": .directory(["x.md": .dated(4_000, 86_400), "hidden": .dated(1, 0)])]),
      "link": .link("b.txt"),
    ])
  ])

  /// Returns the fake file system, and a closure that gives the directories read so far.
  private func counting() -> (fileSystem: FileSystem, read: () -> [String]) {
    var read: [String] = []
    var fileSystem = fake.fileSystem
    let list = fileSystem.list
    fileSystem.list = { path, needs in
      read.append(path.text)
      return try list(path, needs)
    }
    return (fileSystem, { read })
  }

  @Test func whatIsCollapsedIsNotRead() {
    let (fileSystem, read) = counting()
    #expect(
      run("--expand", "1", "/top", in: fileSystem).output == """
        /top  4 entries
          a/  3 entries
            empty/
            y.txt  20 B
            z.MD  10 B
          b.txt  1.5 kB
          c/  1 entry
            deep/
          link -> b.txt

        8 entries shown

        """)
    #expect(read() == ["/top", "/top/a", "/top/c"])
    #expect(
      run("--expand", "0", "/top", in: fileSystem).output == """
        /top  4 entries
          a/
          b.txt  1.5 kB
          c/
          link -> b.txt

        4 entries shown

        """)
    #expect(read().count == 4)
    #expect(
      run("--expand", "0", "--filter", "md", "/top", in: fileSystem).output == """
        /top  2 files, 4.0 kB
          a/  1 file, 10 B
          c/  1 file, 4.0 kB

        2 files with "md" in the name in 4 directories, 4.0 kB

        """)
  }

  @Test func expandingAllShowsWhatTheWholeOutlineShows() {
    let names = run("/top", in: fake.fileSystem).output.split(separator: "\n").map { $0.split(separator: "/").first }
    let rows = run("--expand", "9", "/top", in: fake.fileSystem).output.split(separator: "\n")
    #expect(rows.count == names.count && rows.contains("    deep/  2 entries"))
  }

  @Test func unreadableDirectoriesAreReportedWhenTheyAreExpanded() {
    let fake = Fake.directory(["top": .directory(["a": .locked, "b": .file(1)])])
    let run = run("--expand", "1", "/top", in: fake.fileSystem)
    #expect(run.code == 0 && run.output.contains("  a/  unreadable: there is no permission\n"))
    #expect(run.errors == "outline: 1 entry could not be read:\n  /top/a: there is no permission\n")
    let collapsed = runCommand(["--expand", "0", "/top"], in: fake.fileSystem)
    #expect(collapsed.output.contains("  a/\n") && collapsed.errors.isEmpty)
    #expect(runCommand(["--expand", "0", "/top/a"], in: fake.fileSystem).output.hasPrefix("/top/a  unreadable: there"))
  }

  @Test func rowsAreThoseAndNoOthers() {
    let (fileSystem, read) = counting()
    #expect(
      run("--rows", "1..<4", "/top", in: fileSystem).output == """
        1\t1\t  empty/  0 entries
        2\t1\t  y.txt  20 B
        3\t1\t  z.MD  10 B

        """)
    #expect(read() == ["/top", "/top/a", "/top/a/empty"], "what stands behind the last row is not read")
    #expect(
      run("--rows", "7..<99", "/top", in: fileSystem).output
        == "7\t2\t    hidden  1 B\n8\t2\t    x.md  4.0 kB\n9\t0\tlink -> b.txt\n")
    #expect(run("--rows", "3..<3", "/top", in: fileSystem).output.isEmpty)
    #expect(run("--rows", "3..<3", "/top", in: fileSystem).code == 0)
    #expect(
      run("--rows", "1..<3", "--expand", "0", "--json", "/top", in: fileSystem).output == """
        {"paths":["/top"],"kind":"directory","rows":[
        {"row":1,"depth":0,"name":"b.txt","kind":"file","size":1500},
        {"row":2,"depth":0,"name":"c","kind":"directory"}
        ]}

        """)
    #expect(run("--rows", "2..<2", "--json", "/top", in: fileSystem).output.hasSuffix("\"rows\":[\n]}\n"))
    for arguments in [["--rows", "10..<11"], ["--rows", "10..<11", "--json"]] {
      let run = runCommand(arguments + ["/top"], in: fileSystem)
      #expect(run.code == 64 && run.output.isEmpty)
      #expect(run.errors == "outline: --rows 10..<11 begins behind the last row: there are 10 rows\n")
    }
  }

  /// Rows are written one by one: the first rows appear before further directories are read.
  @Test func theFirstRowsDoNotWaitForTheLast() throws {
    let (fileSystem, read) = counting()
    var readWhenRowsCame: [Int] = []
    let buffer = OutputBuffer(capacity: 8) { _ in
      readWhenRowsCame.append(read().count)
      return .written
    }
    #expect(Command(fileSystem: fileSystem, output: buffer, report: { _ in }).run(["--expand", "9", "/top"]) == 0)
    #expect(readWhenRowsCame.first == 2 && readWhenRowsCame.last == 5)
    #expect(readWhenRowsCame == readWhenRowsCame.sorted())
  }

  /// Every range of rows is a part of all rows, however many levels are expanded.
  @Test func rowsAreAPartOfAllRows() throws {
    for options in [
      [], ["--expand", "0"], ["--expand", "1"], ["--filter", "x"], ["--depth", "2"], ["--sort", "size"],
    ] {
      let all = runCommand(options + ["--rows", "0..<99", "/top"], in: fake.fileSystem).output
      let lines = all.split(separator: "\n")
      for first in 0..<lines.count {
        for end in first...lines.count + 1 {
          let part = runCommand(options + ["--rows", "\(first)..<\(end)", "/top"], in: fake.fileSystem).output
          let expected = Array(lines[first..<min(end, lines.count)])
          #expect(part.split(separator: "\n") == expected, "\(options) \(first)..<\(end)")
        }
      }
    }
  }

  @Test func theLargestComeFirst() {
    #expect(
      run("--sort", "size", "/top", in: fake.fileSystem).output == """
        /top  6 files, 5.5 kB
          c/  2 files, 4.0 kB
            deep/  2 files, 4.0 kB
              x.md  4.0 kB
              hidden  1 B
          b.txt  1.5 kB
          a/  2 files, 30 B
            y.txt  20 B
            z.MD  10 B
            empty/  0 files, 0 B
          link -> b.txt

        6 files in 5 directories, 5.5 kB

        """)
    let filtered = run("--sort", "size", "--filter", ".txt", "--expand", "0", "/top", in: fake.fileSystem).output
    #expect(filtered.contains("  b.txt  1.5 kB\n  a/  1 file, 20 B\n"))
  }

  @Test func theNewestComeFirstWithTheirDates() {
    #expect(
      run("--sort", "date", "--limit", "2", "/top/c/deep", in: fake.fileSystem).output == """
        /top/c/deep  2 files, 4.0 kB
          x.md  4.0 kB  1970-01-02 00:00
          hidden  1 B  1970-01-01 00:00

        2 files in 1 directory, 4.0 kB

        """)
    let json = run("--sort", "date", "--json", "/top", in: fake.fileSystem).output
    #expect(json.contains(#"{"name":"b.txt","kind":"file","size":1500,"modified":951782400}"#))
    #expect(run("--sort", "name", "/top", in: fake.fileSystem) == run("/top", in: fake.fileSystem))
  }

  @Test func filesAreGroupedByExtension() throws {
    #expect(
      run("--group", "extension", "/top", in: fake.fileSystem).output == """
        /top  6 files, 5.5 kB
          .md  2 files, 4.0 kB
            a/z.MD  10 B
            c/deep/x.md  4.0 kB
          .txt  2 files, 1.5 kB
            a/y.txt  20 B
            b.txt  1.5 kB
          (no extension)  2 files, 1 B
            c/deep/hidden  1 B
            link -> b.txt

        6 files in 5 directories, 5.5 kB, 3 extensions

        """)
    #expect(
      run("--group", "extension", "--sort", "size", "--rows", "0..<3", "/top", in: fake.fileSystem).output == """
        0\t0\t.md  2 files, 4.0 kB
        1\t1\t  c/deep/x.md  4.0 kB
        2\t1\t  a/z.MD  10 B

        """)
    #expect(
      run("--group", "extension", "--expand", "0", "--filter", "Y", "/top", in: fake.fileSystem).output == """
        /top  1 file, 20 B
          .txt  1 file, 20 B

        1 file with "Y" in the name in 2 directories, 20 B, 1 extension

        """)
    let byDate = run("--group", "extension", "--sort", "date", "--expand", "0", "/top", in: fake.fileSystem).output
    #expect(byDate.contains("  .txt  2 files, 1.5 kB\n  .md  2 files, 4.0 kB\n  (no extension)"))
    let joined = run("--group", "extension", "--join", "/top/a", "/top/c", in: fake.fileSystem).output
    #expect(joined.contains("  .md  2 files, 4.0 kB\n    /top/a/z.MD  10 B\n    /top/c/deep/x.md  4.0 kB\n"))
    let json = run("--group", "extension", "--json", "/top", in: fake.fileSystem).output
    let document = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let sections = try #require(document["children"] as? [[String: Any]])
    #expect(document["group"] as? String == "extension" && sections.map { $0["name"] as? String } == ["md", "txt", ""])
    let files = try #require(sections[0]["children"] as? [[String: Any]])
    #expect(files.map { $0["name"] as? String } == ["a/z.MD", "c/deep/x.md"])
  }

  @Test(arguments: [
    ("a.txt", "txt"), ("A.TXT", "txt"), ("a.tar.gz", "gz"), (".hidden", ""), ("none", ""), ("ends.", ""), ("", ""),
    (".a.b", "b"), ("ü.É", "é"),
  ])
  func extensions(name: String, text: String) {
    #expect(GroupTree.fileExtension(Array(name.utf8)[...]) == text)
  }

  @Test func veryDeepRowsSayTheirDepth() {
    var tree = Fake.file(1)
    for _ in 0..<502 { tree = .directory(["d": tree]) }
    let lines = run("--rows", "499..<502", "/", in: tree.fileSystem).output.split(separator: "\n")
    let indent = String(repeating: "  ", count: 500)
    #expect(lines.map { String($0.split(separator: "\t")[1]) } == ["499", "500", "501"])
    #expect(lines[1].hasSuffix("\t" + indent + "d/  1 entry") && lines[2].hasSuffix("\t" + indent + "(501) d  1 B"))
  }
}
