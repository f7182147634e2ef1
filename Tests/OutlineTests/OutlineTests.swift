import CommandSupport
import Foundation
import TestSupport
import Testing

@testable import outline

@Suite struct OutlineTests {
  let fake = Fake.directory([
    "top": .directory([
      "b.txt": .file(1_500),
      "a": .directory(["z.md": .file(10), "y.txt": .file(20), "empty": .directory([:])]),
      "c": .directory(["deep": .directory(["x.md": .file(400)])]),
      "link": .link("b.txt"),
    ]),
    "other": .directory(["q.md": .file(1), "none": .directory(["n.txt": .file(5)])]),
  ])

  @Test func aTreeIsPrintedSortedWithCountsAndSizes() {
    let run = run("/top", in: fake.fileSystem)
    #expect(run.code == 0 && run.errors.isEmpty)
    #expect(
      run.output == """
        /top  5 files, 1.9 kB
          a/  2 files, 30 B
            empty/  0 files, 0 B
            y.txt  20 B
            z.md  10 B
          b.txt  1.5 kB
          c/  1 file, 400 B
            deep/  1 file, 400 B
              x.md  400 B
          link -> b.txt

        5 files in 5 directories, 1.9 kB

        """)
  }

  @Test func aFilterKeepsMatchesAndTheDirectoriesThatLeadThere() {
    #expect(
      run("--filter", "MD", "/top", in: fake.fileSystem).output == """
        /top  2 files, 410 B
          a/  1 file, 10 B
            z.md  10 B
          c/  1 file, 400 B
            deep/  1 file, 400 B
              x.md  400 B

        2 files with "MD" in the name in 4 directories, 410 B

        """)
    #expect(
      run("--filter", "nothing", "/top", in: fake.fileSystem).output == """
        /top  0 files, 0 B

        0 files with "nothing" in the name in 0 directories, 0 B

        """)
  }

  @Test(arguments: [
    ["--filter", "nothing"], ["--filter", "nothing", "--json"], ["--filter", "nothing", "--depth", "0"],
  ])
  func aFilterThatMatchesNothingExitsWithOne(_ arguments: [String]) {
    #expect(runCommand(arguments + ["/top"], in: fake.fileSystem).code == 1)
    #expect(runCommand(["--filter", "MD"] + arguments.dropFirst(2) + ["/top"], in: fake.fileSystem).code == 0)
  }

  /// A pattern is printed without a change, because its backslashes are escapes already.
  @Test func patternsArePrintedAsTheyAre() {
    #expect(run("--regex", #"\.swift$"#, "-", input: "a.swift").output.contains(#"1 file with /\.swift$/ in the name"#))
    #expect(run("--glob", #"\**"#, "-", input: "*a").output.contains(#"1 file like \** in"#))
    #expect(run("--regex", "a\u{1B}?", "-", input: "a").output.contains(#"/a\u{1B}?/"#))
  }

  @Test func severalDirectoriesAreOneList() {
    #expect(
      run("--join", "/other", "/top/a", "--filter", "m", in: fake.fileSystem).output == """
        /other + /top/a  2 files, 11 B
          q.md  1 B
          z.md  10 B

        2 files with "m" in the name in 2 directories, 11 B

        """)
    let twice = run("--join", "/other", "/other", in: fake.fileSystem)
    #expect(twice.output.hasPrefix("/other + /other  4 files, 12 B\n"))
  }

  @Test func depthCountsWhatItDoesNotOpen() {
    #expect(
      run("--depth", "1", "/top", in: fake.fileSystem).output == """
        /top  5 files, 1.9 kB
          a/  2 files, 30 B
          b.txt  1.5 kB
          c/  1 file, 400 B
          link -> b.txt

        5 files in 5 directories, 1.9 kB

        """)
    #expect(
      run("--depth", "0", "/top", in: fake.fileSystem).output == """
        /top  5 files, 1.9 kB

        5 files in 5 directories, 1.9 kB

        """)
  }

  @Test func aLimitTellsWhatItLeftOut() {
    let run = run("--limit", "3", "/top", in: fake.fileSystem)
    #expect(
      run.output == """
        /top  5 files, 1.9 kB
          a/  2 files, 30 B
            empty/  0 files, 0 B
            y.txt  20 B
          … and 6 more entries

        5 files in 5 directories, 1.9 kB

        """)
  }

  @Test func jsonHoldsTheSameTree() throws {
    let output = run("--json", "/top", in: fake.fileSystem).output
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    #expect(document["paths"] as? [String] == ["/top"])
    #expect(document["files"] as? Int == 5 && document["size"] as? Int == 1_930)
    #expect(document["directories"] as? Int == 5 && document["omitted"] as? Int == 0)
    let children = try #require(document["children"] as? [[String: Any]])
    #expect(children.map { $0["name"] as? String } == ["a", "b.txt", "c", "link"])
    #expect(children.map { $0["kind"] as? String } == ["directory", "file", "directory", "link"])
    #expect(children[1]["size"] as? Int == 1_500 && children[3]["target"] as? String == "b.txt")
    let below = try #require(children[0]["children"] as? [[String: Any]])
    #expect(below.map { $0["name"] as? String } == ["empty", "y.txt", "z.md"])
    #expect((below[0]["children"] as? [Any])?.isEmpty == true)
  }

  /// The help of `--json` names the members of the document and of its children, and no member that they lack. It calls
  /// the numbers of files, directories and bytes "the counts".
  @Test(arguments: [["/top"], ["--rows", "0..<9", "/top"], ["-"]])
  func theHelpNamesTheMembersOfJSON(_ arguments: [String]) throws {
    let help = try #require(OptionTable.option(FileName("--json"))?.help)
    let words = Set(help.split { !$0.isLetter }.map(String.init))
    let counts: Set = ["files", "directories", "size", "count"]
    let input = Array(#"[{"a": 1}, true]"#.utf8)
    let output = runCommand(["--json"] + arguments, in: fake.fileSystem, input: input).output
    let document = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    let isList = arguments.count > 1
    let root: Set = isList ? ["paths", "kind", "rows"] : ["paths", "kind", "children", "omitted"]
    #expect(Set(document.keys).subtracting(counts) == root && root.isSubset(of: words))
    var children = try #require(document[isList ? "rows" : "children"] as? [[String: Any]])
    var names = Set<String>()
    while let child = children.popLast() {
      names.formUnion(child.keys)
      children += child["children"] as? [[String: Any]] ?? []
    }
    #expect(names.subtracting(counts).subtracting(["target"]).isSubset(of: words))
    #expect(names.isSuperset(of: isList ? ["name", "kind", "row", "depth"] : ["kind", "children"]))
  }

  @Test(arguments: [
    ["--depth", "1"], ["--limit", "0"], ["--limit", "1"], ["--limit", "4"], ["--filter", "md"],
    ["--filter", "none"], ["--depth", "0"], ["--join", "/other"],
  ])
  func jsonIsValidWhateverIsLeftOut(arguments: [String]) throws {
    var output = ""
    let buffer = OutputBuffer(capacity: 8) { bytes in
      output += String(decoding: bytes, as: UTF8.self)
      return .written
    }
    let command = Command(fileSystem: fake.fileSystem, output: buffer, report: { _ in })
    #expect(command.run(["--json", "/top"] + arguments) == (arguments.contains("none") ? 1 : 0))
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(output.utf8)) }
  }

  @Test func unreadableDirectoriesAreReportedAtTheEnd() throws {
    let fake = Fake.directory([
      "top": .directory(["a": .locked, "b": .file(1), "c": .directory(["d\n": .locked, "e": .gone])])
    ])
    let text = run("/top", in: fake.fileSystem)
    #expect(text.code == 0)
    #expect(run("--strict", "/top", in: fake.fileSystem).code == 1)
    #expect(
      text.output == """
        /top  2 files, 1 B
          a/  unreadable: there is no permission
          b  1 B
          c/  1 file, 0 B
            d\\n/  unreadable: there is no permission
            e  (unknown)

        2 files in 4 directories, 1 B

        """)
    #expect(
      text.errors == """
        outline: 3 entries could not be read:
          /top/a: there is no permission
          /top/c/e: it is not there
          /top/c/d\\n: there is no permission

        """)
    #expect(run("--json", "/top", in: fake.fileSystem).output.contains(#""error":"there is no permission""#))
    let locked = Fake.directory(["top": .locked])
    #expect(run("/top", in: locked.fileSystem).code == 2)
    #expect(run("/top", in: locked.fileSystem).output.hasPrefix("/top  unreadable: there is no permission\n"))
    #expect(
      run("/top", in: locked.fileSystem).errors
        == "outline: this could not be read: /top: there is no permission\n")
    let both = Fake.directory(["top": .locked, "other": .directory(["f": .file(1)])])
    let joined = run("--join", "/top", "/other", in: both.fileSystem)
    #expect(joined.code == 2 && joined.output.contains("  f  1 B\n"))
  }

  /// Counts, sizes and rows agree with a naive walk, on random trees and filters.
  @Test func randomTreesAgreeWithANaiveWalk() {
    for iteration in 0..<TestSeed.iterations(40) {
      var generator = TestSeed.generator("outline/random", iteration: iteration)
      let tree = Self.randomTree(depth: 4, using: &generator)
      let filter = generator.chance(1, in: 4) ? nil : ["a", "b", "ab", "zz"].randomElement(using: &generator)
      let arguments = (filter.map { ["--filter", $0] } ?? []) + ["/"]
      let lines = runCommand(arguments, in: tree.fileSystem).output.split(separator: "\n").map(String.init)
      #expect(Array(lines.dropFirst().dropLast()) == Self.naiveLines(tree, depth: 0, filter))
    }
  }

  static func randomTree(depth: Int, using generator: inout SeededGenerator) -> Fake {
    var children: [String: Fake] = [:]
    for _ in 0..<Int.random(in: 0...4, using: &generator) {
      let name = (0..<2).map { _ in ["a", "b", "c"].randomElement(using: &generator) ?? "a" }.joined()
      children[name] =
        depth > 0 && generator.chance(1, in: 2)
        ? randomTree(depth: depth - 1, using: &generator)
        : .file(Int.random(in: 0...9, using: &generator))
    }
    return .directory(children)
  }

  private static func naiveSummary(_ tree: Fake, _ filter: String?) -> (files: Int, size: Int) {
    guard case .directory(let children) = tree else { return (0, 0) }
    var (files, size) = (0, 0)
    for (name, child) in children {
      if case .file(let bytes) = child {
        if filter.map({ name.contains($0) }) ?? true {
          files += 1
          size += bytes
        }
      } else {
        let below = naiveSummary(child, filter)
        files += below.files
        size += below.size
      }
    }
    return (files, size)
  }

  private static func naiveLines(_ tree: Fake, depth: Int, _ filter: String?) -> [String] {
    guard case .directory(let children) = tree else { return [] }
    var lines: [String] = []
    let indent = String(repeating: "  ", count: depth + 1)
    for (name, child) in children.sorted(by: { $0.key < $1.key }) {
      if case .file(let bytes) = child {
        if filter.map({ name.contains($0) }) ?? true { lines.append("\(indent)\(name)  \(bytes) B") }
      } else {
        let below = naiveSummary(child, filter)
        guard filter == nil || below.files > 0 else { continue }
        lines.append("\(indent)\(name)/  \(counted(below.files, "file", "files")), \(below.size) B")
        lines += naiveLines(child, depth: depth + 1, filter)
      }
    }
    return lines
  }

  @Test func aChainIsReadAndPrintedWithoutRecursion() throws {
    // Each directory contains one more. Its depth follows from the length of its path. No system has longer paths.
    let depth = 2_000
    let chain = FileSystem(
      list: { path, _ in
        let isEnd = path.bytes.count / 2 >= depth
        let entry = isEnd ? Entry(name: "end", kind: .file, size: 7) : Entry(name: "d", kind: .directory)
        return FileSystem.Contents(entries: [entry])
      },
      place: { _ in .directory }, contents: { _ in Data() }, resolved: { $0 })
    let tree = EntryTree(
      directories: [""], loader: DirectoryLoader(fileSystem: chain), options: try Options(["--filter", "END", "/"]))
    tree.loadAll()
    #expect(tree.totals?.summary(tree.roots) == EntryTotals.Summary(files: 1, size: 7))
    var depths: [Int] = []
    let rows = Rows(tree: tree).forEach(in: 0..<Int.max) { row in
      depths.append(row.depth)
      return true
    }
    #expect(rows == depth + 1 && depths == Array(0...depth))
  }

  @Test func hugeSparseFilesDoNotOverflow() {
    let half = Int.max / 2 + 1
    let fake = Fake.directory(["top": .directory(["a": .file(half), "b": .file(half), "c": .file(3)])])
    let run = run("/top", in: fake.fileSystem)
    #expect(run.code == 0 && run.output.contains("b  4.6 EB"))
    #expect(run.output.hasPrefix("/top  3 files, 9.2 EB\n"))
    #expect(EntryTotals.sum(half, half) == Int.max && EntryTotals.sum(1, 2) == 3)
  }

  @Test func hugeSparseHardLinksDoNotOverflow() {
    let link = Fake.linked(Int.max / 2 + 1, 1)
    let fake = Fake.directory(["top": .directory(["a": link, "b": link, "c": link, "d": link])])
    let run = run("/top", in: fake.fileSystem)
    #expect(run.code == 0 && run.output.hasPrefix("/top  4 files, "))
  }

  @Test func aFilterWithoutMatchesEndsWithOne() {
    for arguments in [["--group", "extension"], ["--flat"], []] {
      #expect(runCommand(arguments + ["--filter", "nothing", "/top"], in: fake.fileSystem).code == 1)
      #expect(runCommand(arguments + ["--filter", "deep/", "/top"], in: fake.fileSystem).code == 1)
      #expect(runCommand(arguments + ["--filter", "md", "/top"], in: fake.fileSystem).code == 0)
    }
    // A document of one value has no rows.
    #expect(run("--input", "json", "--filter", "abc", "-", input: "\"abc\"").code == 0)
    #expect(run("--input", "json", "--filter", "x", "-", input: "\"abc\"").code == 1)
  }

  @Test func outputStopsWhenTheReaderHasGone() {
    let buffer = OutputBuffer(capacity: 16) { _ in .closed }
    let command = Command(fileSystem: fake.fileSystem, output: buffer, report: { _ in })
    #expect(command.run(["/top"]) == 0)
    var errors = ""
    let full = OutputBuffer(capacity: 16) { _ in .failed(code: ENOSPC) }
    #expect(
      Command(fileSystem: fake.fileSystem, output: full, report: { errors += $0 }).run(["/top"]) == 74)
    #expect(errors == "outline: the output could not be written: no space is left on the device")
  }

  /// Rows that are printed while directories are read are not mixed with the progress.
  @Test(arguments: [
    (["/top"], true, true), (["--expand", "1", "/top"], true, false), (["--rows", "0..<9", "/top"], true, false),
    (["--expand", "1", "/top"], false, true),
  ])
  func rowsOnATerminalHaveNoProgress(_ arguments: [String], isTerminal: Bool, showsProgress: Bool) {
    var now = ContinuousClock.Instant.now
    var shown = ""
    let progress = ScanProgress(now: { now }, write: { shown += $0 })
    now += .seconds(1)
    let run = runCommand(arguments, in: fake.fileSystem, progress: progress, isTerminal: isTerminal)
    #expect(run.code == 0 && shown.isEmpty != showsProgress)
  }

  @Test func progressIsShownAfterHalfASecondTenTimesASecond() {
    var now = ContinuousClock.Instant.now
    var shown = ""
    let progress = ScanProgress(now: { now }, write: { shown += $0 })
    progress.update(10)
    progress.finish()
    #expect(shown == "", "a short scan shows nothing")
    now += .milliseconds(500)
    progress.update(1_000)
    now += .milliseconds(50)
    progress.update(2_000)
    now += .milliseconds(50)
    progress.update(3_000)
    progress.finish()
    #expect(shown == "\r1,000 entries …\r3,000 entries …\r\u{1B}[K")
  }
}
