import Foundation
import Testing

@testable import outline

/// Filters by size and by time.
@Suite struct FileConditionsTests {
  let fake = Fake.directory([
    "top": .directory([
      "big": .dated(20_000_000, 86_400), "small": .dated(4_096, 172_800), "empty": .dated(0, 259_200),
      "link": .link("big"), "sub": .directory(["old": .dated(4_097, 10)]), "none": .directory(["x": .dated(7, 20)]),
    ])
  ])

  private func lines(_ arguments: String...) -> [String] {
    runCommand(["--flat"] + arguments + ["/top"], in: fake.fileSystem).output.split(separator: "\n")
      .map { String($0.dropFirst("/top/".count)) }
  }

  @Test func sizes() {
    #expect(lines("--size", "+10M") == ["big"])
    #expect(lines("--size", "-4Ki") == ["empty", "none/x", "small"])
    #expect(lines("--size", "0") == ["empty"])
    #expect(lines("--size", "4096b", "--type", "f") == ["small"])
    #expect(lines("--size", "+4ki", "--size=-5kB") == ["small", "sub/old"])
    #expect(lines("--size", "+1", "--filter", "SMALL") == ["small"])
    #expect(lines("--size", "+99999999999T").isEmpty)
    #expect(run("--size", "+1G", "/top", in: fake.fileSystem).code == 1)
    #expect(
      run("--size", "+4k", "--size", "-10M", "/top", in: fake.fileSystem).output == """
        /top  2 files, 8.2 kB
          small  4.1 kB
          sub/  1 file, 4.1 kB
            old  4.1 kB

        2 files of 4.0 kB to 10.0 MB in 2 directories, 8.2 kB

        """)
  }

  @Test func times() {
    #expect(lines("--newer", "1970-01-03") == ["empty", "small"])
    #expect(lines("--older", "1970-01-02 00:01", "--type", "f") == ["big", "none/x", "sub/old"])
    #expect(lines("--newer", "1970-01-02T00:00", "--older", "1970-01-04") == ["big", "small"])
    #expect(lines("--newer", "100d").isEmpty)
    let summary = run("--older", "1970-01-02", "--filter", "o", "/top", in: fake.fileSystem).output
    #expect(
      summary.hasSuffix(
        "1 file changed before 1970-01-02 00:00 and with \"o\" in the name in 2 directories, 4.1 kB\n"))
  }

  @Test func agesAreCountedFromNow() throws {
    try withTemporaryDirectory { home in
      for (name, age) in [("new", 60.0), ("old", 90_000)] {
        try write(1, to: "\(home)/\(name)")
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: "\(home)/\(name)")
      }
      for age in ["1d", "24h", "1440min"] { #expect(run("--flat", "--newer", age, home).output == home + "/new\n") }
      for age in ["1d", "86400s"] { #expect(run("--flat", "--older", age, home).output == home + "/old\n") }
      #expect(run("--flat", "--newer", "1w", "--older", "2h", home).output == home + "/old\n")
    }
  }

  @Test func everyDateIsReadAsItIsPrinted() throws {
    for seconds in stride(from: -2_208_988_800, to: 5_680_281_600, by: 12_345_780) {
      let text = formattedDate(seconds)
      #expect(try OptionValue(option: "--newer", bytes: FileName(text)).time(now: 0) == seconds)
    }
  }

  @Test(arguments: [
    (["--size", "big"], "--size takes a size like +10M, -4k or 0 (at least, at most, exactly), not \"big\""),
    (["--size", "+"], "--size takes a size like +10M, -4k or 0 (at least, at most, exactly), not \"+\""),
    (["--size", "1Q"], "--size takes a size like +10M, -4k or 0 (at least, at most, exactly), not \"1Q\""),
    (["--type", "d", "--size", "100"], "--size is about files, and --type d shows no files"),
    (["--type", "l,d", "--size", "100"], "--size is about files, and --type d,l shows no files"),
    (["--size", "+2k", "--size", "-1k"], "no size meets all of the --size options"),
    (["--newer", "2"], "--newer takes an age like 2d, 3h or 10min, or a date like 2026-01-31, not \"2\""),
    (
      ["--older", "2026-02-30"],
      "--older takes an age like 2d, 3h or 10min, or a date like 2026-01-31, not \"2026-02-30\""
    ),
    (["--browse", "--newer", "2d"], "--newer is about what is printed, and --browse prints what is chosen"),
    (["--size", "1", "--input", "paths", "-"], "--size is not for a list of paths, which says nothing but names"),
    (["--newer", "1d", "--input", "json", "-"], "--newer is not for JSON documents"),
  ]) func errorsAreOneSentence(_ arguments: [String], _ sentence: String) {
    let wrong = runCommand(arguments, in: fake.fileSystem, input: Array("[1]".utf8))
    #expect(wrong.code == 64 && wrong.errors.hasPrefix("outline: " + sentence), "\(wrong.errors)")
  }
}
