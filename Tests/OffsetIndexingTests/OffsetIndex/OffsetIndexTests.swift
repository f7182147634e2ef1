import OffsetIndexing
import TestSupport
import Testing

/// The smallest capacities of nodes, so that a few sizes make a deep tree.
private let tiny: [(leaf: Int, runs: Int, branch: Int)] = [(2, 2, 3), (3, 2, 4), (4, 19, 3), (127, 19, 127)]

private func makeIndex(_ sizes: [Int], _ capacity: (leaf: Int, runs: Int, branch: Int)) -> OffsetIndex {
  OffsetIndex(
    sizes, leafCapacity: capacity.leaf, runCapacity: capacity.runs, branchCapacity: capacity.branch)
}

@Suite struct OffsetIndexTests {
  @Test func matchesItsDocumentation() {
    var sections = OffsetIndex([2, 0, 3])
    #expect(sections.offset(of: 2) == 2)
    #expect(sections.locate(2) == (2, 0))
    sections.add(1, at: 1)
    #expect(sections.locate(2) == (1, 0))
    sections.insert(5, at: 0)
    #expect(sections.range(of: 1) == 5..<7)
    #expect("\(sections)" == "OffsetIndex(count: 4, total: 11)")
    let index = OffsetIndex([2, 0, 3])
    #expect(index.offset(of: 1) == 2)
    #expect(index.offset(of: 3) == 5)
    #expect(index.locate(1) == (0, 1))
  }

  @Test func holdsNothing() {
    let index = OffsetIndex()
    #expect(OffsetIndexModel(sizes: []).disagreement(index) == nil)
    #expect(index.isEmpty)
    #expect(index == OffsetIndex([]))
    #expect(index == OffsetIndex(repeating: 7, count: 0))
    #expect(index.debugShape == "runs of 0: count 0, total 0")
  }

  @Test(arguments: tiny.indices)
  func answersForEveryShortVectorOfSizes(_ number: Int) {
    for sizes in Exhaustive.vectors(over: [0, 1, 2], upTo: 6) {
      let index = makeIndex(sizes, tiny[number])
      #expect(OffsetIndexModel(sizes: sizes).disagreement(index) == nil, "\(sizes)")
    }
  }

  @Test(arguments: tiny.indices)
  func changesEveryShortVectorOfSizes(_ number: Int) {
    // Longer vectors take long.
    let longest = TestSeed.isSoak ? 6 : TestSeed.isShortened ? 3 : 4
    for sizes in Exhaustive.vectors(over: [0, 1, 2], upTo: longest) {
      let index = makeIndex(sizes, tiny[number])
      func check(_ what: String, _ change: (inout OffsetIndex) -> Void, _ expected: (inout [Int]) -> Void) {
        var changed = index
        change(&changed)
        var model = OffsetIndexModel(sizes: sizes)
        expected(&model.sizes)
        #expect(model.disagreement(changed) == nil, "\(what) of \(sizes)\n\(changed.debugShape)")
      }
      for place in sizes.indices {
        check("removal at \(place)", { $0.remove(at: place) }, { $0.remove(at: place) })
        for size in 0...2 {
          check("new size \(size) at \(place)", { $0[place] = size }, { $0[place] = size })
          check("addition at \(place)", { $0.add(size - sizes[place], at: place) }, { $0[place] = size })
        }
      }
      for place in 0...sizes.count {
        for size in 0...2 {
          check("insertion at \(place)", { $0.insert(size, at: place) }, { $0.insert(size, at: place) })
          check(
            "insertion of two at \(place)", { $0.insert(repeating: size, count: 2, at: place) },
            { $0.insert(contentsOf: [size, size], at: place) })
        }
        for end in place...sizes.count {
          check("removal", { $0.removeSubrange(place..<end) }, { $0.removeSubrange(place..<end) })
          for new in [[1], [2, 0], [0, 1, 2, 1, 0]] {
            check(
              "replacement by \(new)", { $0.replaceSubrange(place..<end, with: new) },
              { $0.replaceSubrange(place..<end, with: new) })
          }
        }
      }
      #expect(OffsetIndexModel(sizes: sizes).disagreement(index) == nil, "a copy changed \(sizes)")
    }
  }

  @Test func isEqualByContents() {
    let vectors = Exhaustive.vectors(over: [0, 1], upTo: 4)
    for left in vectors {
      for right in vectors {
        #expect((makeIndex(left, tiny[0]) == OffsetIndex(right)) == (left == right), "\(left), \(right)")
      }
    }
    // The sizes are appended one by one, which makes leaves of another form.
    var built = OffsetIndex()
    for size in 0..<300 { built.append(size / 100) }
    let bulk = OffsetIndex((0..<300).map { $0 / 100 })
    #expect(built == bulk)
    built.add(1, at: 299)
    #expect(built != bulk)
  }

  @Test func buildsTheSameInBulkAndOneByOne() {
    #if InternalChecks
      // Each change checks the whole tree.
      let longest = 1000
    #else
      let longest = 13_000
    #endif
    for count in [0, 1, 95, 96, 97, 126, 127, 128, 191, 192, 193, 500, longest] {
      let sizes = (0..<count).map { $0 * 7919 % 97 }
      var appended = OffsetIndex()
      for size in sizes { appended.append(size) }
      var prepended = OffsetIndex()
      for size in sizes.reversed() { prepended.insert(size, at: 0) }
      for index in [OffsetIndex(sizes), appended, prepended] {
        index.checkInvariants()
        #expect(Array(index) == sizes)
      }
      #expect(appended == prepended)
    }
  }

  @Test func keepsLeavesFullWhereSizesAreAppended() {
    var index = OffsetIndex()
    for number in 0..<2000 { index.append(number * 7919 % 97) }
    // A leaf of 127 takes 320 bytes, and the branch 1664. Room for growth is at most half as much again.
    #expect(index.byteCount < 2000 * 5)
  }

  @Test func iteratesOverItsOwnContents() {
    var index = OffsetIndex((0..<1000).map { $0 % 10 })
    var iterator = index.makeIterator()
    index.removeSubrange(10..<1000)
    index.add(5, at: 0)
    var sizes: [Int] = []
    while let size = iterator.next() { sizes.append(size) }
    #expect(sizes == (0..<1000).map { $0 % 10 })
    #expect(iterator.next() == nil)
  }

  @Test func passesRuns() {
    var index = OffsetIndex(repeating: 3, count: 1000)
    index.insert(4, at: 500)
    var runs: [[Int]] = []
    index.forEachRun { runs.append([$0, $1]) }
    #expect(runs == [[3, 500], [4, 1], [3, 500]])
    var sizes: [Int] = []
    OffsetIndex([1, 1, 2]).forEachRun { size, count in sizes += Array(repeating: size, count: count) }
    #expect(sizes == [1, 1, 2])
  }

  @Test func isARangeReplaceableCollection() {
    var index = OffsetIndex([1, 2])
    index.append(contentsOf: [3, 4])
    index += [5]
    index.append(contentsOf: sequence(first: 6) { $0 < 200 ? $0 + 1 : nil })
    #expect(Array(index) == Array(1...200))
    index.removeAll { $0.isMultiple(of: 2) }
    #expect(index == OffsetIndex(stride(from: 1, to: 200, by: 2)))
    index.insert(contentsOf: repeatElement(7, count: 300), at: 1)
    index.removeFirst(2)
    index.removeLast()
    #expect(index.count == 397 && index.first == 7 && index.last == 197)
    #expect(Array(index[298..<301]) == [7, 3, 5])
    #expect(Array(index.reversed()) == Array(index).reversed())
    index.removeAll()
    #expect(index.isEmpty && index == OffsetIndex())
  }

  @Test func findsAPlaceInAsManyStepsAsTheTreeIsDeep() {
    var generator = TestSeed.generator("OffsetIndex/depth")
    // A search reads one node a level, so the levels are the steps. A branch below the root has at least two
    // children, and a search never goes back.
    func depth(_ index: OffsetIndex) -> Int {
      let lines = index.debugShape.split(separator: "\n")
      return lines.map { line in line.prefix { $0 == " " }.count / 2 + 1 }.max() ?? 0
    }
    func mostSteps(_ count: Int) -> Int { Int.bitWidth - count.leadingZeroBitCount + 1 }
    for count in [0, 1, 127, 128, 10_000, 100_000] {
      let index = OffsetIndex((0..<count).map { $0 * 7919 % 97 })
      #expect(depth(index) <= (count < 128 ? 1 : count < 12_000 ? 2 : 3))
    }
    var index = OffsetIndex((0..<3000).map { $0 % 10 }, leafCapacity: 2, runCapacity: 2, branchCapacity: 3)
    #expect(depth(index) <= mostSteps(index.count))
    while index.count > 1 {
      let start = Int.random(in: 0..<index.count, using: &generator)
      let end = Swift.min(index.count, start + Int.random(in: 1...200, using: &generator))
      index.removeSubrange(start..<end)
      #expect(depth(index) <= mostSteps(index.count))
    }
  }

  @Test func describesItsShape() {
    let index = OffsetIndex((0..<200).map { $0 % 100 })
    #expect(
      index.debugShape == """
        branch of 2: count 200, total 9900
          small of 96: count 96, total 4560
          small of 104: count 104, total 5340
        """)
    #expect(OffsetIndex(repeating: 2, count: 500).debugShape == "runs of 1: count 500, total 1000")
  }
}
