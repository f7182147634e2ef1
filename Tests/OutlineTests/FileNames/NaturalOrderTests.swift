import TestSupport
import Testing

@testable import outline

@Suite struct NaturalOrderTests {
  @Test func numbersCountAsNumbers() {
    let sorted: [FileName] = [
      "", "00", "0", "01", "1", "1a", "2", "10", "99999999999999999999", "100000000000000000000", "A", "a", "a-1",
      "a.txt",
      "a0", "a1", "a1.9", "a1.10", "a2", "a10", "a10b", "aa", "b", "ä1", "ä02", "ä2", "ä10",
    ]
    var expected = sorted
    // Names with equal numbers are in the order of their bytes.
    expected.swapAt(1, 2)
    #expect(sorted.shuffled().sorted() == expected)
  }

  /// The order is total, and a sort by keys has the same result as comparisons.
  @Test func randomNames() {
    var (equal, different) = (0, 0)
    for iteration in 0..<TestSeed.iterations(60) {
      var generator = TestSeed.generator("outline/natural", iteration: iteration)
      let names = (0..<40).map { _ in
        FileName(
          bytes: (0..<Int.random(in: 0...12, using: &generator)).map { _ in
            Array("0012a.~\u{9}".utf8).randomElement(using: &generator) ?? 0
          })
      }
      for order in [NameOrder.natural, .bytes] {
        let sorted = order.sorted(names).map { names[$0] }
        for (first, second) in zip(sorted, sorted.dropFirst()) {
          #expect(!order.precedes(second, first), "\(first.printed) \(second.printed)")
        }
        for first in sorted.indices {
          for second in sorted.indices {
            let isBefore = order.precedes(sorted[first], sorted[second])
            if sorted[first] == sorted[second] { equal += 1 } else { different += 1 }
            #expect(isBefore == (first < second && sorted[first] != sorted[second]))
          }
        }
      }
    }
    #expect(equal > 0 && different > 0)
  }

  @Test func veryLongNumbers() {
    let (short, long) = (String(repeating: "9", count: 300), "1" + String(repeating: "0", count: 300))
    let names = ["a" + long, "a" + short + "b", "a" + short, "a1"].map { FileName($0) }
    #expect(NameOrder.natural.sorted(names) == [3, 2, 1, 0])
  }

  @Test func directoriesListsAndDocuments() {
    let fake = Fake.directory(["d": .directory(["f10": .file(1), "f9": .file(2), "f1": .file(3)])])
    #expect(
      run("--rows", "0..<9", "/d", in: fake.fileSystem).output == "0\t0\tf1  3 B\n1\t0\tf9  2 B\n2\t0\tf10  1 B\n")
    #expect(
      run("--sort", "bytes", "--rows", "0..<9", "/d", in: fake.fileSystem).output
        == "0\t0\tf1  3 B\n1\t0\tf10  1 B\n2\t0\tf9  2 B\n")
    #expect(run("--rows", "0..<9", "-", input: "f10\nf9\n").output == "0\t0\tf9\n1\t0\tf10\n")
    #expect(run("--rows", "0..<9", "--sort", "bytes", "-", input: "f9\nf10\n").output == "0\t0\tf10\n1\t0\tf9\n")
    #expect(
      run("--sort", "name", "--rows", "0..<9", "-", input: #"{"f10": 1, "f9": 2}"#).output
        == "0\t0\tf9: 2\n1\t0\tf10: 1\n")
  }
}
