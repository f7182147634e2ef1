import Foundation
import Testing

@testable import outline

/// Lists of paths, types of entries, and other file systems.
@Suite struct FlatTests {
  let fake = Fake.directory([
    "top": .directory([
      "b.txt": .dated(1_500, 30), "-odd": .dated(3, 20), "link": .link("b.txt"), "pipe": .pipe(""),
      "a": .directory([
        "z.txt": .dated(9_000, 10), "deep": .directory(["y.md": .dated(20, 40)]), "empty": .directory([:]),
      ]),
    ])
  ])

  private func lines(_ arguments: String...) -> [String] {
    let run = runCommand(["--flat"] + arguments + ["/top"], in: fake.fileSystem)
    #expect(run.errors.isEmpty)
    return run.output.split(separator: "\n").map { String($0.dropFirst("/top/".count)) }
  }

  @Test func pathsInTheOrderOfTheTree() {
    #expect(
      lines() == ["-odd", "a/", "a/deep/", "a/deep/y.md", "a/empty/", "a/z.txt", "b.txt", "link", "pipe"])
    #expect(lines("--depth", "1") == ["-odd", "a/", "b.txt", "link", "pipe"])
    #expect(lines("--limit", "2") == ["-odd", "a/"])
    #expect(lines("--filter", "txt") == ["a/z.txt", "b.txt"])
    #expect(lines("--glob", "a/**/*.md") == ["a/deep/y.md"])
    #expect(lines("--exclude", "a/") == ["-odd", "b.txt", "link", "pipe"])
  }

  @Test func sortedByWhatTheyAreWhereverTheyAre() {
    #expect(lines("--type", "f", "--sort", "size") == ["a/z.txt", "b.txt", "a/deep/y.md", "-odd"])
    #expect(lines("--type", "f", "--sort", "date") == ["a/deep/y.md", "b.txt", "-odd", "a/z.txt"])
  }

  @Test func endsWithNulAndStaysByteByByte() throws {
    #expect(run("--flat", "-0", "--filter", "txt", "/top", in: fake.fileSystem).output == "/top/a/z.txt\0/top/b.txt\0")
    #expect(run("--flat", "-", input: "x/é\n-a\nx/b\n").output == "./-a\nx/\nx/b\nx/é\n")
    #expect(run("--flat", "--null", "-", input: "x/a\nb\0c\0").output == "c\0x/\0x/a\nb\0")
    #expect(run("--flat", "--input", "paths", "-", input: "tab\there\n").output == "tab\there\n")
    let onTerminal = runCommand(
      ["--flat", "--color", "never", "-"], input: Array("tab\there\n".utf8), isTerminal: true)
    #expect(onTerminal.output == "tab\\there\n")
    try withTemporaryDirectory { home in
      try write(3, to: home + "/a")
      #expect(run("--flat", home).output == home + "/a\n")
    }
  }

  @Test func asJSONAndByRows() {
    let json = run("--flat", "--json", "--filter", "md", "/top", in: fake.fileSystem).output
    #expect(json.contains(#""name":"/top/a/deep/y.md","kind":"file","size":20"#))
    #expect(
      run("--flat", "--rows", "1..<3", "/top", in: fake.fileSystem).output == "1\t0\t/top/a/\n2\t0\t/top/a/deep/\n")
  }

  @Test func types() {
    #expect(lines("--type", "d") == ["a/", "a/deep/", "a/empty/"])
    #expect(lines("--type", "l") == ["link"])
    #expect(lines("--type", "d,l") == ["a/", "a/deep/", "a/empty/", "link"])
    #expect(lines("--type", "f", "--filter", "o") == ["-odd"])
    #expect(lines("--type", "d", "--filter", "E") == ["a/deep/", "a/empty/"])
    let none = run("--flat", "--type", "x", "/top", in: fake.fileSystem)
    #expect(none.output.isEmpty && none.code == 1)
    // If only directories are shown, the counts still include all of their entries.
    #expect(
      run("--type", "d", "/top", in: fake.fileSystem).output == """
        /top  6 files, 10.5 kB
          a/  2 files, 9.0 kB
            deep/  1 file, 20 B
            empty/  0 files, 0 B

        6 files in 4 directories, 10.5 kB

        """)
    #expect(
      run("--type", "l", "/top", in: fake.fileSystem).output == """
        /top  1 file, 0 B
          link -> b.txt

        1 file of type l in 4 directories, 0 B

        """)
  }

  @Test func directoriesThatDoNotMatchAreNotCounted() {
    let fake = Fake.directory([
      "top": .directory([
        "foo": .directory([:]), "bar": .directory(["x": .file(1)]), "baz": .directory(["foo": .file(1)]),
      ])
    ])
    let directories = run("--type", "d", "--filter", "foo", "/top", in: fake.fileSystem).output
    #expect(directories.contains("  foo/") && !directories.contains("ba"))
    #expect(directories.hasSuffix(" in 2 directories, 2 B\n"))
    let both = run("--type", "d,f", "--filter", "foo", "/top", in: fake.fileSystem).output
    #expect(both.hasSuffix(" in 3 directories, 1 B\n"))
  }

  @Test func programsAreAType() throws {
    try withTemporaryDirectory { home in
      for name in ["run", "text"] { try write(3, to: "\(home)/\(name)") }
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home + "/run")
      #expect(run("--flat", "--type", "x", home).output == home + "/run\n")
      #expect(run("--flat", "--type", "f", home).output == home + "/run\n" + home + "/text\n")
    }
  }

  @Test func otherFileSystemsAreNotRead() {
    let fake = Fake.directory(["top": .directory(["a": .file(1), "m": .mounted(["b": .file(20)])])])
    #expect(run("--flat", "/top", in: fake.fileSystem).output == "/top/a\n/top/m/\n/top/m/b\n")
    #expect(run("--flat", "-x", "/top", in: fake.fileSystem).output == "/top/a\n/top/m/\n")
    #expect(
      run("-x", "/top", in: fake.fileSystem).output == """
        /top  1 file, 1 B
          a  1 B
          m/  (another file system)

        1 file in 2 directories, 1 B

        """)
    #expect(run("-x", "--expand", "1", "/top", in: fake.fileSystem).output.contains("m/  (another file system)\n"))
    #expect(run("-x", "--json", "/top", in: fake.fileSystem).output.contains(#""fileSystem":"another""#))
  }

  @Test(arguments: [
    (["--flat", "--group", "extension"], "--flat and --group both say how to print; give one of them"),
    (["--type", "q"], "--type takes one of d, f, l, x, not \"q\""),
    (["--type", "d,"], "--type takes one of d, f, l, x, not \"\""),
    (["--browse", "--flat"], "--flat is about what is printed, and --browse prints what is chosen"),
  ]) func whatMakesNoSense(_ arguments: [String], _ sentence: String) {
    let wrong = runCommand(arguments, in: fake.fileSystem)
    #expect(wrong.code == 64 && wrong.errors == "outline: \(sentence)\n")
  }

  @Test func documentsAndListsHaveNoTypes() {
    let list = "which says nothing but names"
    for (arguments, sentence) in [
      (["--type", "l", "-"], "--type l is not for a list of paths, \(list)"),
      (["-x", "-"], "--one-file-system is not for a list of paths, \(list)"),
      (["--flat", "--input", "json", "-"], "--flat is not for JSON documents"),
    ] {
      let wrong = runCommand(arguments, input: Array((arguments.contains("json") ? "[1]" : "a\n").utf8))
      #expect(wrong.code == 64 && wrong.errors == "outline: \(sentence)\n")
    }
    #expect(run("--flat", "--type", "d", "-", input: "a/b\nc\n").output == "a/\n")
  }

  /// The function changes to the folder of the chosen entry, whatever the folder's name is.
  @Test(arguments: ["bash", "zsh", "fish"])
  func theFunctionOfTheShell(_ name: String) throws {
    let script = run("--shell", name)
    #expect(script.code == 0 && script.output.contains("ocd") && script.output.contains("outline --shell \(name)"))
    guard let shell = ["/bin/", "/usr/bin/"].map({ $0 + name }).first(where: FileManager.default.isExecutableFile)
    else {
      return
    }
    try withTemporaryDirectory { home in
      let folder = home + "/a b/-c\n"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try write(1, to: folder + "/file")
      // In place of the program, a script that chooses the value of the variable. Another process writes it: a process
      // that a test beside this one starts would inherit an open file of ours, and nobody can run a file that is open
      // for writing.
      let text = "#!/bin/sh\n[ -n \"$CHOSEN\" ] || exit 130\nprintf '%s\\0other\\0' \"$CHOSEN\"\n"
      let writer = try Process.run(
        URL(fileURLWithPath: "/bin/sh"),
        arguments: ["-c", #"printf %s "$1" > "$2"; chmod 755 "$2""#, "sh", text, home + "/outline"])
      writer.waitUntilExit()
      #expect(writer.terminationStatus == 0)
      for (chosen, expected) in [
        (folder, folder), (folder + "/file", folder), ("a b/none", home + "/a b"), ("outline", home), ("", home),
        (home + "/none", home),
      ] {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: shell)
        process.arguments = ["-c", script.output + "\nocd\nprintf '%s' \"$PWD\""]
        process.currentDirectoryURL = URL(fileURLWithPath: home)
        process.environment = ["PATH": "\(home):/usr/bin:/bin", "CHOSEN": chosen, "HOME": home]
        process.standardOutput = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(String(decoding: data, as: UTF8.self).hasSuffix(expected), "\(chosen)")
      }
    }
  }
}
