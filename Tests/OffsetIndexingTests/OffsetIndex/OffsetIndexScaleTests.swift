import OffsetIndexing
import TestSupport
import Testing

/// Long runs, large sizes and sums near the limits.
@Suite struct OffsetIndexScaleTests {
  private let billion = 1_000_000_000

  @Test func holdsABillionEqualSizesInLessThanAKilobyte() {
    for size in [0, 1, 3, 1_000_000] {
      let index = OffsetIndex(repeating: size, count: billion)
      #expect(index.byteCount < 1024)
      #expect(index.total == size * billion)
      #expect(index.offset(of: 999_999_999) == size * 999_999_999)
      #expect(index[billion / 3] == size)
      if size > 0 { #expect(index.locate(size * 12_345 + size - 1) == (12_345, size - 1)) }
    }
  }

  @Test func holdsExceptionsInMemoryLinearInTheirNumber() {
    #if InternalChecks
      // Each change checks the whole tree.
      let numbers = [100, 500]
    #else
      let numbers = [100, 1000, 10_000]
    #endif
    for exceptions in numbers {
      var index = OffsetIndex(repeating: 1, count: billion)
      for number in 0..<exceptions { index[number * (billion / exceptions)] = 2 + number % 7 }
      index.checkInvariants()
      #expect(index.byteCount < 1024 + exceptions * 128)
      #expect(index.total == billion + (0..<exceptions).reduce(0) { $0 + 1 + $1 % 7 })
      let last = (exceptions - 1) * (billion / exceptions)
      #expect(index.offset(of: last) == last + (0..<exceptions - 1).reduce(0) { $0 + 1 + $1 % 7 })
      // All exceptions are removed again.
      for number in 0..<exceptions { index[number * (billion / exceptions)] = 1 }
      #expect(index == OffsetIndex(repeating: 1, count: billion))
    }
  }

  @Test func growsByRuns() {
    var appended = OffsetIndex()
    for _ in 0..<5000 { appended.append(5) }
    #expect(appended.byteCount < 2048)
    var inserted = OffsetIndex(repeating: 1, count: 10)
    inserted.insert(repeating: 1, count: billion, at: 5)
    inserted.insert(repeating: 1, count: billion, at: 0)
    inserted.insert(repeating: 1, count: billion, at: inserted.count)
    #expect(inserted == OffsetIndex(repeating: 1, count: 3 * billion + 10))
    #expect(inserted.byteCount < 1024)
    inserted.removeSubrange(7..<3 * billion)
    #expect(inserted == OffsetIndex(repeating: 1, count: 17))
  }

  @Test func takesSizesOfEachForm() {
    // The greatest size of a small leaf, of a large leaf and of a run, each with the next greater size.
    let limits = [0, 1, 4095, 4096, 1 << 28 - 1, 1 << 28, 1 << 31 - 1, 1 << 31, 1 << 32, 1 << 53]
    var generator = TestSeed.generator("OffsetIndex/forms")
    for count in [1, 5, 64, 300, 1000] {
      var sizes = (0..<count).map { _ in limits[Int.random(in: 0..<limits.count, using: &generator)] }
      var index = OffsetIndex(sizes)
      func check() {
        let offsets = sizes.indices.map { index.offset(of: $0) }.filter { $0 < index.total }
        let model = OffsetIndexModel(sizes: sizes)
        #expect(model.disagreement(index, indices: sizes.indices, offsets: offsets) == nil)
      }
      check()
      for _ in 0..<100 {
        let place = Int.random(in: 0..<count, using: &generator)
        let size = limits[Int.random(in: 0..<limits.count, using: &generator)]
        index[place] = size
        sizes[place] = size
      }
      check()
    }
  }

  @Test func changesTheFormOfALeafAsSizesGrow() {
    var index = OffsetIndex((0..<100).map { $0 })
    #expect(index.debugShape.contains("small"))
    for place in 0..<100 { index[place] = 10_000 + place }
    #expect(!index.debugShape.contains("small"))
    #expect(index.debugShape.contains("large"))
    for place in 0..<100 { index[place] = 1 << 40 + place }
    #expect(!index.debugShape.contains("large"))
    #expect(Array(index) == (0..<100).map { 1 << 40 + $0 })
  }

  @Test func widensItsBranches() {
    var index = OffsetIndex((0..<1000).map { $0 })
    #expect(!index.debugShape.contains("wide"))
    index.add(Int(Int32.max), at: 500)
    #expect(index.debugShape.contains("wide"))
    index.checkInvariants()
    var sizes = (0..<1000).map { $0 }
    sizes[500] += Int(Int32.max)
    #expect(index == OffsetIndex(sizes))
    #expect(index.locate(index.total - 1) == (999, 998))
    for place in 0..<1000 { #expect(index.offset(of: place) == sizes[..<place].reduce(0, +)) }
    index.removeSubrange(0..<1000)
    #expect(index == OffsetIndex())
  }

  @Test func reachesTheLargestSumAndCount() {
    var index = OffsetIndex([.max - 3, 0, 3])
    #expect(index.total == .max)
    #expect(index.locate(.max - 1) == (2, 2))
    #expect(index.locate(.max - 4) == (0, .max - 4))
    index.add(-7, at: 0)
    index.insert(7, at: 1)
    #expect(index.offset(of: 2) == .max - 3)
    let zeros = OffsetIndex(repeating: 0, count: .max)
    #expect(zeros.count == .max && zeros.total == 0 && zeros[.max - 1] == 0)
    #expect(zeros.offset(of: .max) == 0)
    let ones = OffsetIndex(repeating: 1, count: .max)
    #expect(ones.locate(.max - 1) == (.max - 1, 0))
  }

  @Test func insertsAndRemovesManyAtOnce() {
    var generator = TestSeed.generator("OffsetIndex/many")
    var index = OffsetIndex()
    var sizes: [Int] = []
    for length in [1, 100, 1000, 10_000, 3000, 1] {
      let new = (0..<length).map { _ in Int.random(in: 0..<50, using: &generator) }
      let place = Int.random(in: 0...sizes.count, using: &generator)
      index.insert(contentsOf: new, at: place)
      sizes.insert(contentsOf: new, at: place)
      index.checkInvariants()
      #expect(Array(index) == sizes)
    }
    while !sizes.isEmpty {
      let start = Int.random(in: 0..<sizes.count, using: &generator)
      let end = Swift.min(sizes.count, start + Int.random(in: 1...5000, using: &generator))
      index.removeSubrange(start..<end)
      sizes.removeSubrange(start..<end)
      index.checkInvariants()
      #expect(Array(index) == sizes)
    }
  }
}
