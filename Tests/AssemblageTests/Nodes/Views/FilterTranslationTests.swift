@testable import Assemblage
import OffsetIndexing
import TestSupport
import Testing

/// `FilterTranslation` and `BitRun` alone, compared with models that know every element.
@Suite struct FilterTranslationTests {
  private func run(_ bits: some Collection<Bool>) -> BitRun {
    var words = [UInt64](repeating: 0, count: (bits.count + 63) / 64)
    for (index, bit) in bits.enumerated() where bit { words[index / 64] |= 1 << UInt64(index % 64) }
    return BitRun(words: words, count: bits.count)
  }

  /// Returns the change of the visible children for a source's change, element by element.
  private func visible(_ model: DeltaModel, _ former: [Bool], _ present: [Bool]) -> DeltaModel {
    let ranks = former.indices.map { former[..<$0].filter { $0 }.count }
    let shown = present.indices.filter { present[$0] }
    return DeltaModel(
      oldCount: former.filter { $0 }.count,
      origins: shown.map { model.origins[$0].flatMap { former[$0] ? ranks[$0] : nil } },
      isUpdated: shown.map { model.isUpdated[$0] })
  }

  /// Translates one change with every possible verdict on inserted and updated children; returns false where a result
  /// is wrong.
  private func check(_ model: DeltaModel, _ former: [Bool], nested: Bool) -> Bool {
    let delta = model.delta
    let asked = model.origins.indices.filter { model.origins[$0] == nil || model.isUpdated[$0] }
    var isRight = true
    Exhaustive.forEachVector(over: [false, true], count: asked.count) { verdicts in
      var present = model.origins.map { $0.map { former[$0] } ?? false }
      for (position, verdict) in zip(asked, verdicts) { present[position] = verdict }
      var children: [(position: Int, change: ChangeSet)] = []
      if nested {
        children = model.origins.indices.filter { model.origins[$0] != nil }
          .map { ($0, ChangeSet(.insertion(0..<$0 + 1))) }
      }
      var translation = FilterTranslation(run(former))
      let result = translation.translate(
        ChangeSet(delta: delta, children: children), inserted: delta.insertions.map { run(present[$0]) },
        updated: delta.updates.map { run(present[$0]) })
      let expected = visible(model, former, present)
      // A change below a child is reported if the child was visible before and is visible now.
      let shown = present.indices.filter { present[$0] }
      let expectedChildren = shown.enumerated().compactMap { rank, position in
        expected.origins[rank] == nil
          ? nil : children.first { $0.position == position }.map { (position: rank, change: $0.change) }
      }
      let isSame =
        result == ChangeSet(delta: expected.delta, children: expectedChildren)
        && Array(translation.passes) == present && translation.count == shown.count
      if !isSame {
        isRight = false
        Issue.record("\(delta) on \(former) to \(present): \(result), not \(expected.delta)")
      }
    }
    return isRight
  }

  /// Every vector of up to three bits and every change at all of them, with changes below the children.
  @Test func everyChangeOfUpToThree() {
    for old in 0...3 {
      for new in 0...3 {
        let models = DeltaModel.all(oldCount: old, newCount: new)
        for former in Exhaustive.vectors(over: [false, true], upTo: old) where former.count == old {
          for model in models {
            guard check(model, former, nested: true) else { return }
          }
        }
      }
    }
  }

  /// Every vector of up to five bits and every edit of a range: insertion, removal, update and move.
  @Test func everyEditOfUpToFive() {
    Exhaustive.forEachVector(over: [false, true], upTo: 5) { former in
      let count = former.count
      var models: [DeltaModel] = []
      for position in 0...count {
        for length in 1...2 {
          var model = DeltaModel(identity: count)
          model.origins.insert(contentsOf: Array(repeating: nil, count: length), at: position)
          model.isUpdated.insert(contentsOf: Array(repeating: false, count: length), at: position)
          models.append(model)
        }
      }
      for range in Exhaustive.subranges(of: count) where !range.isEmpty {
        var removed = DeltaModel(identity: count)
        removed.origins.removeSubrange(range)
        removed.isUpdated.removeSubrange(range)
        models.append(removed)
        var updated = DeltaModel(identity: count)
        for position in range { updated.isUpdated[position] = true }
        models.append(updated)
        for destination in 0...(count - range.count) where destination != range.lowerBound {
          var moved = DeltaModel(identity: count)
          moved.origins.removeSubrange(range)
          moved.origins.insert(contentsOf: range.map(Optional.some), at: destination)
          models.append(moved)
        }
      }
      for model in models { _ = check(model, former, nested: false) }
    }
  }

  /// Every new verdict on every range of up to five bits.
  @Test func everyReevaluationOfUpToFive() {
    Exhaustive.forEachVector(over: [false, true], upTo: 5) { former in
      for range in Exhaustive.subranges(of: former.count) {
        Exhaustive.forEachVector(over: [false, true], count: range.count) { verdicts in
          var present = former
          present.replaceSubrange(range, with: verdicts)
          let expected = visible(DeltaModel(identity: former.count), former, present).delta
          var translation = FilterTranslation(run(former))
          let delta = translation.reevaluate(range, run(verdicts))
          let isRight = delta == expected && Array(translation.passes) == present
          #expect(isRight, "\(verdicts) on \(range) of \(former): \(delta), not \(expected)")
        }
      }
    }
  }

  /// Long runs of bits, which do not fit in a word: random changes of ranges of hundreds.
  @Test func longRangesAcrossWords() {
    for iteration in 0..<TestSeed.iterations(60) {
      var generator = TestSeed.generator("filter-translation/long", iteration: iteration)
      let former = (0..<Int.random(in: 1...400, using: &generator)).map { _ in Bool.random(using: &generator)
      }
      var translation = FilterTranslation(run(former))

      let range = generator.range(in: former.count)
      #expect(run(former[range]).allWords == translation.passes.bits(in: range).allWords || range.isEmpty)

      // A move of a range, a removal, an insertion and updates, all in one change.
      var model = DeltaModel(identity: former.count)
      let moved = Array(model.origins[range])
      model.origins.removeSubrange(range)
      model.origins.insert(contentsOf: moved, at: Int.random(in: 0...model.origins.count, using: &generator))
      let removed = generator.range(in: model.origins.count, longest: 150)
      model.origins.removeSubrange(removed)
      let inserted = Int.random(in: 0...150, using: &generator)
      let place = Int.random(in: 0...model.origins.count, using: &generator)
      model.origins.insert(contentsOf: Array(repeating: nil, count: inserted), at: place)
      let updates = generator.range(in: model.origins.count, longest: 100)
      model = DeltaModel(
        oldCount: former.count, origins: model.origins,
        isUpdated: model.origins.indices.map { updates.contains($0) })

      let present = model.origins.indices.map { position in
        model.isUpdated[position] || model.origins[position] == nil
          ? Bool.random(using: &generator) : former[model.origins[position]!]
      }
      let delta = model.delta
      let result = translation.translate(
        ChangeSet(delta), inserted: delta.insertions.map { run(present[$0]) },
        updated: delta.updates.map { run(present[$0]) })
      #expect(result == ChangeSet(visible(model, former, present).delta), "script \(iteration)")
      #expect(Array(translation.passes) == present, "script \(iteration)")
    }
  }

  // MARK: Runs of verdicts

  @Test(arguments: [0, 1, 63, 64, 65, 128, 200])
  func runsAreInvertedAndUnited(count: Int) {
    var generator = TestSeed.generator("bit-run/\(count)")
    let bits = (0..<count).map { _ in Bool.random(using: &generator) }
    let others = (0..<count).map { _ in Bool.random(using: &generator) }
    let inverted = run(bits).inverted()
    #expect(inverted.count == count && (0..<count).allSatisfy { inverted[$0] == !bits[$0] })
    #expect(inverted.allWords.reduce(0) { $0 + $1.nonzeroBitCount } == bits.filter { !$0 }.count)
    var union = run(bits)
    union.formUnion(run(others))
    #expect(union.count == count && (0..<count).allSatisfy { union[$0] == (bits[$0] || others[$0]) })
  }

  /// A predicate is called for the children in the mask, once each, in order. Children without a value pass.
  @Test func evaluationAsksWhatTheMaskNames() {
    for iteration in 0..<TestSeed.iterations(30) {
      var generator = TestSeed.generator("bit-run/evaluate", iteration: iteration)
      let count = Int.random(in: 0...300, using: &generator)
      let children = (0..<count).map { position -> TreeChild<Int> in
        generator.chance(1, in: 5) ? .node(BranchNode<Int>()) : .leaf(position)
      }
      let branch = BranchNode(children)
      let range = generator.range(in: count)
      let wanted = range.map { _ in Bool.random(using: &generator) }
      for mask in [nil, wanted] {
        var asked: [Int] = []
        let verdicts = evaluate(branch.reader, range, mask.map { run($0) }) { element in
          asked.append(element)
          return element % 3 == 0
        }
        let needed = range.filter { mask?[$0 - range.lowerBound] ?? true }
        #expect(asked == needed.filter { children[$0].node == nil })
        #expect(verdicts.count == range.count)
        let isRight = range.allSatisfy { position in
          let passes = children[position].node != nil || position % 3 == 0
          return verdicts[position - range.lowerBound] == (needed.contains(position) && passes)
        }
        #expect(isRight)
      }
    }
  }
}
