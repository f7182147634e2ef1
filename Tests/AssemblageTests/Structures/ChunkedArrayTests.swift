@_spi(NodeAuthors) @testable import Assemblage
import TestSupport
import Testing

/// `ChunkedArray` compared with `[Int]`, with capacities down to the smallest.
@Suite struct ChunkedArrayTests {
  /// An edit of a script. A run must have made each kind by its end.
  private enum Edit: CaseIterable {
    case insert, append, remove, insertRange, removeRange, replaceRange, set, removeAll, copy, cut, paste
  }

  /// A subject with its model, and copies made between the edits. Later edits must not change the copies.
  private struct Script {
    var subject: ChunkedArray<Int>
    var model: [Int]
    var copies: [(subject: ChunkedArray<Int>, model: [Int])] = []
    var generator: SeededGenerator
    var longest: Int
    private var next = 1_000_000

    init(count: Int, longest: Int, _ capacities: ChunkCapacities, _ generator: SeededGenerator) {
      model = Array(0..<count)
      subject = ChunkedArray(model, capacities: capacities)
      self.longest = longest
      self.generator = generator
    }

    private mutating func fresh(_ count: Int) -> [Int] {
      next += count
      return Array(next - count..<next)
    }

    private mutating func position(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

    /// Makes one edit; returns false where the edit is not possible.
    mutating func make(_ edit: Edit) -> Bool {
      let range = generator.range(in: model.count, longest: longest)
      let elements = fresh(position(below: longest + 1))
      switch edit {
      case .insert:
        let place = position(below: model.count + 1)
        subject.insert(next, at: place)
        model.insert(next, at: place)
      case .append:
        subject.insert(next, at: model.count)
        model.append(next)
      case .remove:
        guard !model.isEmpty else { return false }
        let place = position(below: model.count)
        #expect(subject.remove(at: place) == model.remove(at: place))
      case .insertRange:
        subject.replaceSubrange(range.lowerBound..<range.lowerBound, with: elements)
        model.insert(contentsOf: elements, at: range.lowerBound)
      case .removeRange:
        guard !range.isEmpty else { return false }
        subject.replaceSubrange(range, with: EmptyCollection())
        model.removeSubrange(range)
      case .replaceRange:
        guard !range.isEmpty, !elements.isEmpty else { return false }
        subject.replaceSubrange(range, with: elements)
        model.replaceSubrange(range, with: elements)
      case .set:
        guard !model.isEmpty else { return false }
        let place = position(below: model.count)
        subject[place] = next
        model[place] = next
      case .removeAll:
        // Only half of the time, or the array would hardly grow.
        guard generator.chance(1, in: 2) else { return false }
        subject.removeAll()
        model.removeAll()
      case .copy:
        copies.append((subject, model))
        if copies.count > 3 { copies.removeFirst() }
      case .cut, .paste:
        // The range has any length. A range longer than a chunk is cut chunk by chunk.
        let range = generator.range(in: model.count)
        let taken = subject.cut(range)
        taken.checkInvariants()
        #expect(taken.elements(in: 0..<taken.count) == Array(model[range]))
        let elements = Array(model[range])
        model.removeSubrange(range)
        // Not each time, or the array would hardly grow.
        if edit == .paste || range.count > longest {
          let place = position(below: model.count + 1)
          subject.insert(contentsOf: taken, at: place)
          model.insert(contentsOf: elements, at: place)
        }
      }
      return true
    }

    func check() -> Bool {
      subject.checkInvariants()
      return agrees(subject, model) && copies.allSatisfy { agrees($0.subject, $0.model) }
    }

    private func agrees(_ subject: ChunkedArray<Int>, _ model: [Int]) -> Bool {
      guard subject.count == model.count, subject.elements(in: 0..<model.count) == model else { return false }
      // All elements of a short array, and some of a long one.
      return stride(from: 0, to: model.count, by: max(1, model.count / 16)).allSatisfy {
        subject[$0] == model[$0]
      }
    }
  }

  @Test func randomScriptsAgreeWithArrays() throws {
    var tally = OperationTally<Edit>()
    for small in 0...4 {
      for chunk in 2...6 {
        let capacities = ChunkCapacities(small: small, chunk: chunk)
        for iteration in 0..<TestSeed.iterations(4) {
          var script = Script(
            count: iteration * 7, longest: 9, capacities,
            TestSeed.generator("chunked-array/\(small)/\(chunk)", iteration: iteration))
          #expect(script.check())
          for _ in 0..<TestSeed.length(80) {
            let edit = tally.random(using: &script.generator)
            if script.make(edit) { tally.count(edit) }
            let isRight = script.check()
            #expect(isRight, "\(edit) with \(capacities), script \(iteration)")
            guard isRight else { return }
          }
        }
      }
    }
    try tally.check()
  }

  /// The standard capacities, around the counts at which the array is divided and joined.
  @Test func randomScriptsAgreeWithArraysAtTheStandardCapacities() throws {
    var tally = OperationTally<Edit>()
    for iteration in 0..<TestSeed.iterations(4) {
      var script = Script(
        count: [0, 2_047, 2_048, 9_000][iteration % 4], longest: 1_500, .standard,
        TestSeed.generator("chunked-array/standard", iteration: iteration))
      for _ in 0..<TestSeed.length(50) {
        let edit = tally.random(using: &script.generator)
        if script.make(edit) { tally.count(edit) }
        let isRight = script.check()
        #expect(isRight, "\(edit), script \(iteration)")
        guard isRight else { return }
      }
    }
    try tally.check()
  }

  /// Every edit of every short array, in every shape that a build makes.
  @Test func everyShortEditAgreesWithArrays() {
    for (small, chunk) in [(0, 2), (0, 3), (1, 2), (2, 4), (4, 5)] {
      for count in 0...7 {
        let model = Array(0..<count)
        let original = ChunkedArray(model, capacities: ChunkCapacities(small: small, chunk: chunk))
        for range in Exhaustive.subranges(of: count) {
          for inserted in 0...3 {
            var subject = original
            var expected = model
            subject.replaceSubrange(range, with: Array(100..<100 + inserted))
            expected.replaceSubrange(range, with: Array(100..<100 + inserted))
            subject.checkInvariants()
            #expect(
              subject.elements(in: 0..<expected.count) == expected, "\(range) of \(count), \(small), \(chunk)"
            )
          }
        }
        for position in 0..<count {
          var subject = original
          var expected = model
          #expect(subject.remove(at: position) == expected.remove(at: position))
          subject.checkInvariants()
          #expect(subject.elements(in: 0..<count - 1) == expected)
        }
        #expect(original.elements(in: 0..<count) == model)
      }
    }
  }

  /// Removes all elements one by one, from the front, the back and the middle, and inserts them again.
  @Test func anArrayIsEmptiedAndFilledOneByOne() {
    for (small, chunk) in [(0, 2), (0, 3), (3, 2), (4, 6)] {
      for share in [0, 1, 2] {
        var subject = ChunkedArray(0..<40, capacities: ChunkCapacities(small: small, chunk: chunk))
        var model = Array(0..<40)
        while !model.isEmpty {
          let position = (model.count - 1) * share / 2
          #expect(subject.remove(at: position) == model.remove(at: position))
          subject.checkInvariants()
        }
        #expect(subject.isSmall)
        for element in 0..<40 {
          let position = model.count * share / 2
          subject.insert(element, at: position)
          model.insert(element, at: position)
          subject.checkInvariants()
        }
        #expect(subject.elements(in: 0..<40) == model)
      }
    }
  }

  @Test func spansOfEverySubrangeFollowOneAnother() {
    for (small, chunk) in [(20, 4), (0, 2), (0, 3), (4, 6)] {
      var subject = ChunkedArray(0..<10, capacities: ChunkCapacities(small: small, chunk: chunk))
      // Chunks of uneven lengths.
      subject.insert(10, at: 3)
      subject.replaceSubrange(6..<8, with: [11])
      _ = subject.remove(at: 0)
      let model = subject.elements(in: 0..<subject.count)
      for range in Exhaustive.subranges(of: subject.count) {
        var next = range.lowerBound
        var seen: [Int] = []
        var isOrdered = true
        subject.forEachSpan(in: range) { start, span in
          isOrdered = isOrdered && start == next && !span.isEmpty
          for index in span.indices { seen.append(span[index]) }
          next += span.count
        }
        #expect(isOrdered && next == range.upperBound && seen == Array(model[range]))
        #expect(subject.elements(in: range) == Array(model[range]))
      }
    }
  }

  @Test func aSmallArrayIsOneSpan() {
    let subject = ChunkedArray(0..<2_048)
    #expect(subject.isSmall)
    var counts: [Int] = []
    subject.forEachSpan(in: 0..<2_048) { counts.append($1.count) }
    #expect(counts == [2_048])
    #expect(!ChunkedArray(0..<2_049).isSmall)
  }

  @Test func aCopyIsUnaffected() {
    for (small, chunk) in [(100, 4), (0, 2), (2, 4)] {
      let original = ChunkedArray(0..<9, capacities: ChunkCapacities(small: small, chunk: chunk))
      let edits: [(inout ChunkedArray<Int>) -> Void] = [
        { $0.insert(50, at: 4) }, { _ = $0.remove(at: 4) }, { $0[4] = 50 },
        { $0.replaceSubrange(1..<8, with: [50]) }, { $0.removeAll() },
        { $0.replaceSubrange(4..<4, with: Array(50..<60)) },
      ]
      for edit in edits {
        var copy = original
        edit(&copy)
        copy.checkInvariants()
        original.checkInvariants()
        #expect(original.elements(in: 0..<9) == Array(0..<9))
        #expect(copy.elements(in: 0..<copy.count) != Array(0..<9))
      }
    }
  }

  @Test func everyElementIsReleasedOnce() throws {
    for (small, chunk) in [(100, 4), (0, 2), (2, 5)] {
      try withLifetimeTracking { tracker in
        var generator = TestSeed.generator("chunked-array/lifetime/\(small)")
        var subject = ChunkedArray(
          tracker.track(0..<20), capacities: ChunkCapacities(small: small, chunk: chunk))
        for step in 0..<TestSeed.length(100) {
          let range = generator.range(in: subject.count, longest: 4)
          switch step % 4 {
          case 0: subject.insert(tracker.track(step), at: range.lowerBound)
          case 1: if !range.isEmpty { _ = subject.remove(at: range.lowerBound) }
          case 2: subject.replaceSubrange(range, with: tracker.track(0..<3))
          default: if !range.isEmpty { subject[range.lowerBound] = tracker.track(step) }
          }
          #expect(tracker.liveCount == subject.count)
        }
        subject.removeAll()
        #expect(tracker.liveCount == 0)
        subject.insert(tracker.track(1), at: 0)
      }
    }
  }
}
