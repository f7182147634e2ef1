import OffsetIndexing
import Testing

@Suite struct OffsetIndexFaultTests {
  @Test func stopsAtAPlaceOutOfRange() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = OffsetIndex([1, 2, 3])[3]
    }
    #expect(result.says("index 3 is out of range: there are 3 sizes, 0..<3"))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = OffsetIndex([1, 2, 3]).range(of: -1)
    }
    #expect(result.says("index -1 is out of range: there are 3 sizes, 0..<3"))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = OffsetIndex([1, 2, 3]).offset(of: 4)
    }
    #expect(result.says("boundary 4 is out of range: there are 3 sizes, 0...3"))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = OffsetIndex([1, 2, 3]).locate(6)
    }
    #expect(result.says("offset 6 is out of range: the sizes add up to 6, 0..<6"))
  }

  @Test func stopsAtAChangeOutOfRange() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var index = OffsetIndex([1, 2])
      index.insert(1, at: 3)
    }
    #expect(result.says("boundary 3 is out of range: there are 2 sizes, 0...2"))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var index = OffsetIndex([1, 2])
      index.remove(at: 2)
    }
    #expect(result.says("index 2 is out of range: there are 2 sizes, 0..<2"))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var index = OffsetIndex([1, 2])
      index.add(0, at: 2)
    }
    #expect(result.says("index 2 is out of range: there are 2 sizes, 0..<2"))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var index = OffsetIndex([1, 2])
      index.replaceSubrange(1..<3, with: [])
    }
    #expect(result.says("range 1..<3 is out of range: there are 2 sizes, 0..<2"))
  }

  @Test func stopsAtANegativeSize() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = OffsetIndex([1, -1])
    }
    #expect(result.says("size -1 is negative"))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var index = OffsetIndex([1])
      index.insert(-7, at: 0)
    }
    #expect(result.says("size -7 is negative"))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var index = OffsetIndex([1, 2, 3])
      index.add(-3, at: 1)
    }
    #expect(result.says("size -1 is negative"))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var index = OffsetIndex(repeating: 1, count: 1000)
      index.add(-3, at: 1)
    }
    #expect(result.says("size -2 is negative"))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var index = OffsetIndex()
      index.insert(contentsOf: [1, -2], at: 0)
    }
    #expect(result.says("size -2 is negative"))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = OffsetIndex(repeating: 1, count: -1)
    }
    #expect(result.says("count -1 is negative"))
  }

  @Test func stopsWhereTheSumOverflows() async {
    let sentence = "sum of sizes does not fit in an Int"
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = OffsetIndex([.max, 1])
    }
    #expect(result.says(sentence))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = OffsetIndex(repeating: .max / 2, count: 3)
    }
    #expect(result.says(sentence))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var index = OffsetIndex([.max, 0])
      index.add(1, at: 1)
    }
    #expect(result.says(sentence))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var index = OffsetIndex([.max])
      index.append(1)
    }
    #expect(result.says(sentence))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var index = OffsetIndex([.max - 1])
      index.insert(contentsOf: [1, 1], at: 0)
    }
    #expect(result.says(sentence))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var index = OffsetIndex(repeating: 0, count: .max)
      index.append(0)
    }
    #expect(result.says("number of children does not fit in an Int"))
  }
}
