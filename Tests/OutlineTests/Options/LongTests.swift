import Foundation
import Testing

@testable import outline

/// Permissions, owners, dates and units.
@Suite struct LongTests {
  let fake = Fake.directory([
    "top": .directory([
      "a.txt": .dated(1_536, 86_400), "sub": .directory(["b": .dated(7, 951_782_400)]), "link": .link("a.txt"),
    ])
  ])
  let owner = {
    var permissions = Permissions()
    let name = permissions.name(ofUser: 0)
    return name.padding(toLength: max(8, name.count), withPad: " ", startingAt: 0)
  }()

  @Test func columnsBeforeTheRows() {
    #expect(
      run("--long", "--units", "binary", "/top", in: fake.fileSystem).output == """
        /top  3 files, 1.5 KiB
        -rw-r--r--  \(owner)  1970-01-02 00:00    a.txt  1.5 KiB
        lrwxrwxrwx  \(owner)  1970-01-01 00:00    link -> a.txt
        drwxr-xr-x  \(owner)  1970-01-01 00:00    sub/  1 file, 7 B
        -rw-r--r--  \(owner)  2000-02-29 00:00      b  7 B

        3 files in 2 directories, 1.5 KiB

        """)
    #expect(
      run("-l", "--flat", "--type", "f", "--sort", "date", "/top", in: fake.fileSystem).output == """
        -rw-r--r--  \(owner)  2000-02-29 00:00       7 B  /top/sub/b
        -rw-r--r--  \(owner)  1970-01-02 00:00    1.5 kB  /top/a.txt

        """)
    let grouped = run("-l", "--group", "extension", "/top", in: fake.fileSystem).output
    #expect(grouped.contains("  .txt  1 file, 1.5 kB\n-rw-r--r--  \(owner)  1970-01-02 00:00      a.txt  1.5 kB\n"))
    let json = run("-l", "--json", "/top", in: fake.fileSystem).output
    #expect(
      json.contains(
        #""size":7,"modified":951782400,"mode":"-rw-r--r--","owner":"\#(owner.trimmingCharacters(in: .whitespaces))""#))
    #expect(run("--units", "bytes", "/top", in: fake.fileSystem).output.contains("a.txt  1,536 B\n"))
  }

  @Test(arguments: [
    (UInt16(0o100644), "-rw-r--r--"), (0o104755, "-rwsr-xr-x"), (0o102644, "-rw-r-Sr--"), (0o041777, "drwxrwxrwt"),
    (0o010600, "prw-------"), (0o140000, "s---------"), (0o020620, "crw--w----"), (0o060660, "brw-rw----"),
  ])
  func modes(mode: UInt16, text: String) { #expect(Permissions.text(mode) == text) }

  @Test func ownersAreThoseOfTheFileSystem() throws {
    var permissions = Permissions()
    #expect(permissions.name(ofUser: 4_000_000_000) == "4000000000")
    try withTemporaryDirectory { home in
      try write(1, to: home + "/a")
      #expect(try FileSystem.local.list(FileName(home), { _ in true }).entries[0].owner == getuid())
      #expect(run("-l", home).output.contains(permissions.name(ofUser: getuid())))
    }
  }

  @Test func whatHasNoOwnersRefusesThem() {
    let wrong = run("--long", "-", input: "a\nb\n")
    #expect(wrong.code == 64 && wrong.errors.contains("--long is not for a list of paths"))
    #expect(run("--units", "binary", "-", input: "[1]").errors.contains("--units is not for JSON documents"))
    #expect(run("--browse", "--long").errors.contains("--long is about what is printed"))
    #expect(run("--units", "kilo").errors.contains("--units takes one of decimal, binary, bytes, not \"kilo\""))
  }
}
