import CommandSupport
import Foundation
import Testing

@testable import outline

/// The real file system, in temporary directories.
@Suite struct FileSystemTests {
  @Test func filesDirectoriesAndLinks() throws {
    try withTemporaryDirectory { path in
      try write(1_500, to: path + "/b.txt")
      try FileManager.default.createDirectory(atPath: path + "/a", withIntermediateDirectories: false)
      try write(7, to: path + "/a/Ä ö.txt")
      try FileManager.default.createDirectory(atPath: path + "/empty", withIntermediateDirectories: false)
      // A loop, a link to a directory and a link to nothing. All are shown, and none is followed.
      try FileManager.default.createSymbolicLink(atPath: path + "/a/loop", withDestinationPath: "..")
      try FileManager.default.createSymbolicLink(atPath: path + "/link", withDestinationPath: "a")
      try FileManager.default.createSymbolicLink(atPath: path + "/lost", withDestinationPath: "no\nwhere")
      let run = run(path)
      #expect(run.code == 0 && run.errors.isEmpty)
      #expect(
        run.output == """
          \(path)  5 files, 1.5 kB
            a/  2 files, 7 B
              loop -> ..
              Ä ö.txt  7 B
            b.txt  1.5 kB
            empty/  0 files, 0 B
            link -> a
            lost -> no\\nwhere  (dangling link)

          5 files in 3 directories, 1.5 kB

          """)
    }
  }

  @Test func aLinkGivenAsThePathIsFollowed() throws {
    try withTemporaryDirectory { path in
      try FileManager.default.createDirectory(atPath: path + "/a", withIntermediateDirectories: false)
      try write(7, to: path + "/a/file")
      try FileManager.default.createSymbolicLink(atPath: path + "/link", withDestinationPath: "a")
      #expect(run(path + "/link").output.contains("  file  7 B\n"))
      #expect(run(path + "/a/").output.contains("  file  7 B\n"))
    }
  }

  @Test func namesThatAreNoTextOrSteerATerminal() throws {
    try withTemporaryDirectory { path in
      try write(1, to: path + "/new\nline")
      try write(2, to: path + "/esc\u{1B}[31m")
      try write(3, to: path + "/\"quoted\"\\")
      // A name with a byte that is no UTF-8. Some file systems refuse the name.
      let bytes = Array((path + "/bad").utf8) + [0xFF, 0]
      let descriptor = unsafe bytes.withUnsafeBufferPointer { name in
        unsafe name.withMemoryRebound(to: CChar.self) {
          unsafe open($0.baseAddress!, O_CREAT | O_WRONLY, 0o600)
        }
      }
      if descriptor >= 0 { close(descriptor) }

      let text = run(path)
      #expect(text.code == 0 && text.errors.isEmpty)
      #expect(text.output.contains("  new\\nline  1 B\n"))
      #expect(text.output.contains("  esc\\u{1B}[31m  2 B\n"))
      #expect(text.output.contains("  \"quoted\"\\\\  3 B\n"))
      let json = run("--json", path)
      let document = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
      let names = (document?["children"] as? [[String: Any]])?.compactMap { $0["name"] as? String } ?? []
      #expect(Set(names).isSuperset(of: ["new\nline", "esc\u{1B}[31m", "\"quoted\"\\"]))
      if descriptor >= 0 {
        #expect(text.output.contains("  bad\\xFF  0 B\n"))
        #expect(json.output.contains(#"{"name":"bad\#u{FFFD}","bytes":"626164ff","kind":"file","size":0}"#))
      }
    }
  }

  @Test func aDeepChainIsRead() throws {
    try withTemporaryDirectory { path in
      let depth = 500
      let deepest = path + String(repeating: "/d", count: depth)
      try FileManager.default.createDirectory(atPath: deepest, withIntermediateDirectories: true)
      try write(9, to: deepest + "/end")
      let run = run("--filter", "end", path)
      #expect(run.code == 0 && run.output.contains("end  9 B\n"))
      #expect(run.output.hasSuffix("1 file with \"end\" in the name in 501 directories, 9 B\n"))
    }
  }

  /// Directories are read as usual even if their paths are several times as long as the system allows.
  @Test func pathsOfAnyLengthAreRead() throws {
    try withTemporaryDirectory { path in
      let (name, depth) = (String(repeating: "x", count: 200), 50)
      var directories = [unsafe open(path, O_RDONLY | O_DIRECTORY)]
      var deepest = FileName(path)
      for _ in 0..<depth {
        #expect(unsafe mkdirat(directories[directories.count - 1], name, 0o700) == 0)
        directories.append(unsafe openat(directories[directories.count - 1], name, O_RDONLY | O_DIRECTORY))
        deepest = deepest.appending(FileName(name))
      }
      defer {
        for (number, directory) in directories.enumerated().reversed() {
          for leaf in ["leaf", ".gitignore", "link", name] {
            _ = unsafe unlinkat(directory, leaf, leaf == name ? AT_REMOVEDIR : 0)
          }
          close(directories[number])
        }
      }
      func write(_ text: String, to name: String) {
        let file = unsafe openat(directories[depth], name, O_CREAT | O_WRONLY, 0o600)
        #expect(ProgramStream(file).write(text) == .written)
        close(file)
      }
      write("hello", to: "leaf")
      write("lea*\n", to: ".gitignore")
      #expect(unsafe symlinkat("leaf", directories[depth], "link") == 0)

      let all = run("--all", path)
      #expect(all.code == 0 && all.errors.isEmpty)
      #expect(all.output.hasSuffix("3 files in 51 directories, 10 B\n"))
      #expect(all.output.contains("link -> leaf\n"))
      let found = run("--filter", "leaf", path)
      #expect(found.code == 0 && found.output.contains("leaf  5 B\n"))
      let file = deepest.appending("leaf")
      #expect(deepest.bytes.count > 2 * Int(PATH_MAX))
      let places = try [file, deepest, deepest.appending("none")].map { try FileSystem.local.place($0) }
      #expect(places == [.file, .directory, .nothing])
      let contents = try FileSystem.local.contents(file)
      #expect(contents == Data("hello".utf8))
      #expect(FileSystem.status(of: deepest) != nil)
      let listing = DirectoryListing.read(
        deepest.bytes, .natural, scope: EntryScope(of: FileName(path), Visibility(obeysGit: true), .local))
      #expect(listing.names == [".gitignore", "leaf", "link"].map { Array($0.utf8) })
      #expect(listing.entries.map(\.isIgnored) == [false, true, false])
    }
  }

  @Test func propertiesAreReadWhereTheyAreNeeded() throws {
    try withTemporaryDirectory { home in
      try FileManager.default.createDirectory(atPath: home + "/folder", withIntermediateDirectories: false)
      for name in ["file", "other"] { try write(3, to: home + "/" + name) }
      try FileManager.default.createSymbolicLink(atPath: home + "/link", withDestinationPath: "file")
      let entries = try FileSystem.local.list(FileName(home)) { $0 == "other" }.entries
      let found = Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0) })
      // This holds where directories list the kinds of their entries, as those of all usual file systems do.
      #expect(found["file"] == Entry(name: "file", kind: .file) && found["link"] == Entry(name: "link", kind: .link))
      #expect(found["other"]?.size == 3 && found["folder"]?.mode ?? 0 > 0)
    }
  }

  @Test func onlyMatchesNeedTheirProperties() throws {
    func needs(_ arguments: String...) throws -> PropertyNeeds {
      try Options(arguments.map { FileName($0) }).needs(hasColors: false)
    }
    #expect(try needs("/") == .all && needs("--filter", "a", "/") == .matches && needs("--flat", "/") == .nothing)
    #expect(try needs("--filter", "a", "--long", "/") == .all && needs("--flat", "--size", "+1", "/") == .all)
    #expect(try needs("--filter", "a", "--type", "d", "/") == .all && needs("--flat", "--sort", "date", "/") == .all)
    #expect(try needs("--flat", "--filter", "a", "--type", "x", "/") == .all)
    #expect(try Options(["--flat", "/"]).needs(hasColors: true) == .all)
  }

  @Test func errorsAreInWords() throws {
    func words(_ body: () throws -> Void) -> String? {
      #expect(throws: FileSystemError.self, performing: body)?.description
    }
    #expect(words { _ = try FileSystem.local.list("/no/such/directory", { _ in true }) } == "it is not there")
    #expect(words { _ = try FileSystem.local.contents("/no/such/file") } == "it is not there")
    let long = "/" + String(repeating: "a", count: 300)
    #expect(words { _ = try FileSystem.local.place(FileName(long)) } == "the name is longer than the system allows")
    #expect(
      run(long).code == 2
        && run(long).errors == "outline: this could not be read: \(long): the name is longer than the system allows\n")
    #expect(FileSystemError(code: EACCES).description == "there is no permission")
    #expect(words { _ = try FileSystem.local.place("/dev/null/x") } == "a part of the path is no directory")
    #expect(try FileSystem.local.place("/") == .directory)
    #expect(try FileSystem.local.place("/dev/null") == .other)
    #expect(try FileSystem.local.place("/no/such/directory") == .nothing)
  }

  @Test func documentsAreReadAndDatesAreReported() throws {
    try withTemporaryDirectory { path in
      try Data(#"{"a": [1, "ü"]}"#.utf8).write(to: URL(fileURLWithPath: path + "/a.json"))
      try Data().write(to: URL(fileURLWithPath: path + "/empty.json"))
      #expect(
        run(path + "/a.json").output == """
          \(path)/a.json: {1 member}
            a: [2 elements]
              0: 1
              1: "ü"

          2 values in 1 object and 1 array

          """)
      let empty = run(path + "/empty.json")
      #expect(empty.code == 65 && empty.output.isEmpty)
      #expect(empty.errors.hasSuffix("line 1, column 1: the document ends here, and a value is missing\n"))
      let date = Date(timeIntervalSince1970: 951_829_506)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path + "/a.json")
      #expect(run("--sort", "date", path).output.contains("  a.json  16 B  2000-02-29 13:05\n"))
    }
  }
}
