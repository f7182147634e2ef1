import Foundation
import Testing

@testable import outline

/// The size of files with several names, which count once, and the size on the disk.
@Suite struct UsageTests {
  let fake = Fake.directory([
    "top": .directory([
      "a": .directory(["x": .linked(100, 1), "y": .linked(100, 1), "z": .file(1)]),
      "b": .directory(["x": .linked(100, 1), "w.md": .linked(5_000, 2)]), "w.txt": .linked(5_000, 2),
    ])
  ])

  @Test func aFileOfSeveralNamesCountsOnce() {
    #expect(
      run("/top", in: fake.fileSystem).output == """
        /top  6 files, 5.1 kB
          a/  3 files, 101 B
            x  100 B
            y  100 B
            z  1 B
          b/  2 files, 5.1 kB
            w.md  5.0 kB
            x  100 B
          w.txt  5.0 kB

        6 files in 3 directories, 5.1 kB

        """)
    #expect(run("--json", "--depth", "0", "/top", in: fake.fileSystem).output.contains(#""files":6,"size":5101,"#))
    #expect(
      run("--filter", "x", "--json", "--depth", "0", "/top", in: fake.fileSystem).output.contains(#""size":5100,"#))
    #expect(
      run("--filter", "w.txt", "--json", "--depth", "0", "/top", in: fake.fileSystem).output.contains(#""size":5000,"#))
    #expect(
      run("--join", "/top/a", "/top/b", "--json", "--depth", "0", in: fake.fileSystem).output.contains(#""size":5101,"#)
    )
    let grouped = run("--group", "extension", "--expand", "0", "/top", in: fake.fileSystem).output
    #expect(grouped.contains("  .md  1 file, 5.0 kB\n  .txt  1 file, 5.0 kB\n  (no extension)  4 files, 101 B\n"))
  }

  @Test func whatIsOnTheDisk() {
    #expect(
      run("--disk-usage", "--depth", "1", "/top", in: fake.fileSystem).output == """
        /top  6 files, 5.1 kB, 20.5 kB on disk
          a/  3 files, 101 B, 8.2 kB on disk
          b/  2 files, 5.1 kB, 12.3 kB on disk
          w.txt  5.0 kB, 8.2 kB on disk

        6 files in 3 directories, 5.1 kB, 20.5 kB on disk

        """)
    let json = run("--disk-usage", "--json", "--depth", "1", "/top/a", in: fake.fileSystem).output
    #expect(json.contains(#""size":101,"usage":12288,"directories":1"#))
    #expect(json.contains(#"{"name":"z","kind":"file","size":1,"usage":4096}"#))
    #expect(run("--disk-usage", "-", input: "a").code == 64)
  }

  @Test func realLinks() throws {
    try withTemporaryDirectory { path in
      try write(10_000, to: path + "/a")
      try FileManager.default.linkItem(atPath: path + "/a", toPath: path + "/b")
      let run = run("--disk-usage", "--json", "--depth", "0", path)
      let document = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
      #expect(document["files"] as? Int == 2 && document["size"] as? Int == 10_000)
      #expect(document["usage"] as? Int ?? 0 >= 10_000)
    }
  }
}
