import OffsetIndexing
import TestSupport
import Testing

private let overflow = "sum of sizes does not fit in an Int"

@Suite struct OffsetIndexFaultTests: MisuseSuite {
  static let misuses = [
    Misuse("index 3 is out of range: there are 3 sizes, 0..<3") { _ = OffsetIndex([1, 2, 3])[3] },
    Misuse("index -1 is out of range: there are 3 sizes, 0..<3") { _ = OffsetIndex([1, 2, 3]).range(of: -1) },
    Misuse("boundary 4 is out of range: there are 3 sizes, 0...3") { _ = OffsetIndex([1, 2, 3]).offset(of: 4) },
    Misuse("offset 6 is out of range: the sizes add up to 6, 0..<6") { _ = OffsetIndex([1, 2, 3]).locate(6) },
    Misuse("boundary 3 is out of range: there are 2 sizes, 0...2") {
      var index = OffsetIndex([1, 2])
      index.insert(1, at: 3)
    },
    Misuse("index 2 is out of range: there are 2 sizes, 0..<2") {
      var index = OffsetIndex([1, 2])
      index.remove(at: 2)
    },
    Misuse("index 2 is out of range: there are 2 sizes, 0..<2") {
      var index = OffsetIndex([1, 2])
      index.add(0, at: 2)
    },
    Misuse("range 1..<3 is out of range: there are 2 sizes, 0..<2") {
      var index = OffsetIndex([1, 2])
      index.replaceSubrange(1..<3, with: [])
    },
    Misuse("size -1 is negative") { _ = OffsetIndex([1, -1]) },
    Misuse("size -7 is negative") {
      var index = OffsetIndex([1])
      index.insert(-7, at: 0)
    },
    Misuse("size -1 is negative") {
      var index = OffsetIndex([1, 2, 3])
      index.add(-3, at: 1)
    },
    Misuse("size -2 is negative") {
      var index = OffsetIndex(repeating: 1, count: 1000)
      index.add(-3, at: 1)
    },
    Misuse("size -2 is negative") {
      var index = OffsetIndex()
      index.insert(contentsOf: [1, -2], at: 0)
    },
    Misuse("count -1 is negative") { _ = OffsetIndex(repeating: 1, count: -1) },
    Misuse(overflow) { _ = OffsetIndex([.max, 1]) },
    Misuse(overflow) { _ = OffsetIndex(repeating: .max / 2, count: 3) },
    Misuse(overflow) {
      var index = OffsetIndex([.max, 0])
      index.add(1, at: 1)
    },
    Misuse(overflow) {
      var index = OffsetIndex([.max])
      index.append(1)
    },
    Misuse(overflow) {
      var index = OffsetIndex([.max - 1])
      index.insert(contentsOf: [1, 1], at: 0)
    },
    Misuse("number of children does not fit in an Int") {
      var index = OffsetIndex(repeating: 0, count: .max)
      index.append(0)
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
