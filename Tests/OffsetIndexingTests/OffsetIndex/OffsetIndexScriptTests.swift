import OffsetIndexing
import TestSupport
import Testing

/// Random scripts against an array.
@Suite struct OffsetIndexScriptTests {
  enum Operation: CaseIterable {
    case append, insert, insertRepeating, insertMany, remove, removeRange, replace, set, add, removeAll, copy
  }

  /// The kind of sizes: mostly equal, so that they form runs; all small; or of every magnitude.
  enum Sizes: CaseIterable {
    case few, small, any

    func random(using generator: inout SeededGenerator) -> Int {
      switch self {
      case .few: Int.random(in: 0..<2, using: &generator)
      case .small: Int.random(in: 0..<100, using: &generator)
      case .any: 1 << Int.random(in: 0..<40, using: &generator) - 1
      }
    }
  }

  @Test(arguments: Sizes.allCases)
  func agreesAfterEachStepWithTinyNodes(_ kind: Sizes) throws {
    var tally = OperationTally<Operation>()
    for iteration in 0..<TestSeed.iterations(30) {
      var generator = TestSeed.generator("OffsetIndex/tiny/\(kind)", iteration: iteration)
      let capacity = (
        leaf: Int.random(in: 2...5, using: &generator), runs: Int.random(in: 2...4, using: &generator),
        branch: Int.random(in: 3...5, using: &generator)
      )
      let index = OffsetIndex(
        [], leafCapacity: capacity.leaf, runCapacity: capacity.runs, branchCapacity: capacity.branch)
      try run(index, kind, TestSeed.length(80), most: 40, checkingEvery: 1, &tally, &generator)
    }
    try tally.check()
  }

  @Test(arguments: Sizes.allCases)
  func agreesWithUsualNodes(_ kind: Sizes) throws {
    var tally = OperationTally<Operation>()
    for iteration in 0..<TestSeed.iterations(4) {
      var generator = TestSeed.generator("OffsetIndex/usual/\(kind)", iteration: iteration)
      try run(OffsetIndex(), kind, TestSeed.length(300), most: 2000, checkingEvery: 25, &tally, &generator)
    }
    try tally.check()
  }

  private func run(
    _ start: OffsetIndex, _ kind: Sizes, _ length: Int, most: Int, checkingEvery interval: Int,
    _ tally: inout OperationTally<Operation>, _ generator: inout SeededGenerator
  ) throws {
    var index = start
    var model = OffsetIndexModel(sizes: [])
    // Copies made between edits, which must not change.
    var copies: [(index: OffsetIndex, sizes: [Int])] = []
    for step in 0..<length {
      var operation = tally.random(using: &generator)
      // Without this rule, removals of everything would be too frequent for a script to become long.
      if operation == .removeAll, Int.random(in: 0..<8, using: &generator) > 0 { operation = .insert }
      let count = model.sizes.count
      if count > most { operation = .removeRange }
      if count == 0, [.remove, .set, .add].contains(operation) { operation = .insertMany }
      let size = kind.random(using: &generator)
      let place = Int.random(in: 0...count, using: &generator)
      let end = Swift.min(count, place + Int.random(in: 0...Swift.max(8, most / 4), using: &generator))
      let many = Int.random(in: 0...Swift.max(6, most / 5), using: &generator)
      tally.count(operation)
      switch operation {
      case .append:
        index.append(size)
        model.sizes.append(size)
      case .insert:
        index.insert(size, at: place)
        model.sizes.insert(size, at: place)
      case .insertRepeating:
        index.insert(repeating: size, count: many, at: place)
        model.sizes.insert(contentsOf: repeatElement(size, count: many), at: place)
      case .insertMany:
        let new = (0..<many).map { _ in kind.random(using: &generator) }
        index.insert(contentsOf: new, at: place)
        model.sizes.insert(contentsOf: new, at: place)
      case .remove:
        let removed = index.remove(at: Swift.min(place, count - 1))
        #expect(removed == model.sizes.remove(at: Swift.min(place, count - 1)))
      case .removeRange:
        index.removeSubrange(place..<end)
        model.sizes.removeSubrange(place..<end)
      case .replace:
        let new = (0..<many).map { _ in kind.random(using: &generator) }
        index.replaceSubrange(place..<end, with: new)
        model.sizes.replaceSubrange(place..<end, with: new)
      case .set:
        index[Swift.min(place, count - 1)] = size
        model.sizes[Swift.min(place, count - 1)] = size
      case .add:
        let target = Swift.min(place, count - 1)
        index.add(size - model.sizes[target], at: target)
        model.sizes[target] = size
      case .removeAll:
        index.removeSubrange(0..<count)
        model.sizes.removeAll()
      case .copy:
        copies.append((index, model.sizes))
        if copies.count > 3 { copies.removeFirst() }
      }
      guard step % interval == 0 else { continue }
      let total = model.sizes.reduce(0, +)
      let offsets = (0..<Swift.min(20, total)).map { _ in Int.random(in: 0..<total, using: &generator) }
      let places = (0..<Swift.min(20, model.sizes.count)).map { _ in
        Int.random(in: 0..<model.sizes.count, using: &generator)
      }
      let disagreement = model.disagreement(index, indices: places, offsets: offsets)
      try #require(disagreement == nil, "\(operation) in step \(step)\n\(index.debugShape)")
    }
    for copy in copies {
      copy.index.checkInvariants()
      #expect(Array(copy.index) == copy.sizes)
      #expect(copy.index == OffsetIndex(copy.sizes))
    }
  }
}
