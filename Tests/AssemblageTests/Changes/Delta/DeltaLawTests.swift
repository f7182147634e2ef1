@_spi(NodeAuthors) import Assemblage
import TestSupport
import Testing

/// The laws of deltas, on all short deltas.
@Suite struct DeltaLawTests {
  /// All deltas between 0 to 3 elements.
  static let small: [DeltaModel] = (0...3).flatMap { old in
    (0...3).flatMap { DeltaModel.all(oldCount: old, newCount: $0) }
  }

  @Test func everyDeltaMeansItsModelAndMovesTheFewest() {
    let larger = DeltaModel.all(oldCount: 4, newCount: 4, withUpdates: false)
    for model in Self.small + larger + DeltaModel.all(oldCount: 5, newCount: 5, withUpdates: false) {
      let delta = model.delta
      let meaning = DeltaModel(delta, oldCount: model.oldCount)
      let moved = delta.moves.reduce(0) { $0 + $1.source.count }
      if meaning != model || moved != model.fewestMoved
        || delta.countChange != model.newCount - model.oldCount
      {
        Issue.record("\(delta) is not the canonical form of \(model)")
      }
    }
  }

  @Test func rangesAreAsLongAsTheyCanBe() {
    for model in Self.small {
      let delta = model.delta
      for list in [delta.removals, delta.insertions, delta.updates] {
        #expect(list.allSatisfy { !$0.isEmpty })
        #expect(zip(list, list.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
      }
      for (move, next) in zip(delta.moves, delta.moves.dropFirst()) {
        #expect(move.destination.upperBound <= next.destination.lowerBound)
        #expect(
          move.destination.upperBound < next.destination.lowerBound
            || move.source.upperBound != next.source.lowerBound)
      }
    }
  }

  @Test func theCanonicalFormIsUnique() {
    // Different meanings have different deltas, whatever the number of elements behind. One meaning has one delta.
    for old in 0...3 {
      for new in 0...3 {
        let models = DeltaModel.all(oldCount: old, newCount: new)
        #expect(Set(models.map(\.delta)).count == models.count)
      }
    }
    for model in Self.small {
      let delta = model.delta
      #expect(model.embedded(after: 0, before: 3).delta == delta)
      #expect(DeltaModel(delta, oldCount: model.oldCount + 2) == model.embedded(after: 0, before: 2))
      let again = Delta(
        removals: Array(delta.removals), insertions: Array(delta.insertions), updates: Array(delta.updates),
        moves: delta.moves.reversed())
      #expect(again == delta && again.hashValue == delta.hashValue)
      #expect(delta.isEmpty == (delta == Delta()))
    }
  }

  @Test func composingIsApplyingOneAfterTheOther() {
    let withDeltas = Self.small.map { ($0, $0.delta) }
    var pairs = 0
    for (first, delta) in withDeltas {
      for (second, next) in withDeltas where second.oldCount == first.newCount {
        let net = delta.composed(with: next)
        let expected = first.composed(with: second)
        if DeltaModel(net, oldCount: first.oldCount) != expected {
          Issue.record("\(delta) then \(next) is \(net), not \(expected.delta)")
        }
        pairs += 1
      }
    }
    #expect(pairs > 10_000)
  }

  @Test func compositionsAreCanonical() {
    // Models without updates, because updates do not influence the other lists.
    let models = (0...3).flatMap { old in
      (0...3).flatMap { DeltaModel.all(oldCount: old, newCount: $0, withUpdates: false) }
    }
    for first in models {
      for second in models where second.oldCount == first.newCount {
        #expect(first.delta.composed(with: second.delta) == first.composed(with: second).delta)
      }
    }
  }

  @Test func composingIsAssociativeWithIdentity() {
    let deltas = (0...2).flatMap { old in
      (0...2).flatMap { new in DeltaModel.all(oldCount: old, newCount: new).map { (old, new, $0.delta) } }
    }
    for (_, count, a) in deltas {
      #expect(a.composed(with: Delta()) == a)
      #expect(Delta().composed(with: a) == a)
      for (second, next, b) in deltas where second == count {
        let ab = a.composed(with: b)
        for (third, _, c) in deltas where third == next {
          if ab.composed(with: c) != a.composed(with: b.composed(with: c)) {
            Issue.record("(\(a) \(b)) \(c) is not \(a) (\(b) \(c))")
          }
        }
      }
    }
  }

  @Test func theInverseTakesBack() {
    for model in Self.small {
      let delta = model.delta
      let inverse = delta.inverse()
      #expect(inverse == model.inverse.delta)
      #expect(inverse.inverse() == delta)
      // Survivors return to their places. Inserted elements are gone, and removed elements return as new ones.
      let there = delta.composed(with: inverse)
      #expect(there.moves.isEmpty && there.removals == delta.removals && there.insertions == there.removals)
    }
  }

  @Test func positionsMapThereAndBack() {
    for model in Self.small {
      let delta = model.delta
      let map = Delta.PositionMap(delta)
      let tail = 2
      for old in 0..<(model.oldCount + tail) {
        let new = old < model.oldCount ? model.origins.firstIndex(of: old) : old + delta.countChange
        #expect(delta.position(after: old) == new && map.position(after: old) == new)
      }
      for new in 0..<(model.newCount + tail) {
        let old = new < model.newCount ? model.origins[new] : new - delta.countChange
        #expect(delta.position(before: new) == old && map.position(before: new) == old)
        #expect(old.map { delta.position(after: $0) == new } ?? true)
      }
    }
  }

  @Test func rangesMapAsTheirPositionsDo() {
    for model in Self.small where model.isUpdated.allSatisfy({ !$0 }) {
      let map = Delta.PositionMap(model.delta)
      let full = model.embedded(after: 0, before: 2)
      for lower in 0...full.oldCount {
        for upper in lower...full.oldCount {
          let survivors = (lower..<upper).compactMap { full.origins.firstIndex(of: $0) }
          #expect(map.ranges(after: lower..<upper).flatMap { Array($0) } == survivors.sorted())
        }
      }
      for lower in 0...full.newCount {
        for upper in lower...full.newCount {
          let survivors = full.origins[lower..<upper].compactMap { $0 }
          #expect(map.ranges(before: lower..<upper).flatMap { Array($0) } == survivors.sorted())
          var seen: [Int] = []
          map.forEachRun(inNew: lower..<upper) { old, new in
            #expect(old.count == new.count && new.lowerBound >= lower && new.upperBound <= upper)
            seen += Array(old)
          }
          #expect(seen == survivors)
        }
      }
    }
  }

  @Test func shiftingIsEmbedding() {
    for model in Self.small {
      let delta = model.delta
      #expect(delta.shifted(by: 4) == model.embedded(after: 4, before: 0).delta)
      #expect(delta.shifted(by: 4).shifted(by: -4) == delta)
    }
  }

  @Test func applyingYieldsTheElementsAfterwards() {
    for model in Self.small {
      let old = (0..<(model.oldCount + 1)).map { "old \($0)" }
      var asked: [Int] = []
      let new = model.delta.applying(to: old) { position in
        asked.append(position)
        return "new \(position)"
      }
      let expected = model.embedded(after: 0, before: 1)
      let fresh = expected.origins.indices.filter { expected.origins[$0] == nil || expected.isUpdated[$0] }
      #expect(asked == fresh)
      #expect(
        new
          == expected.origins.enumerated().map { position, origin in
            fresh.contains(position) ? "new \(position)" : "old \(origin!)"
          })
    }
  }

  @Test func aBuilderTakesTheNewOrder() {
    for model in Self.small {
      var builder = Delta.Builder()
      for (origin, isUpdated) in zip(model.origins, model.isUpdated) {
        switch (origin, isUpdated) {
        case (nil, _): builder.insert(1)
        case (let origin?, false): builder.keep(origin..<(origin + 1))
        case (let origin?, true): builder.update(origin..<(origin + 1))
        }
      }
      #expect(builder.postCount == model.newCount)
      #expect(builder.finish(preCount: model.oldCount) == model.delta)
    }
  }

  @Test func aComposerOfThreeIsTheirComposition() {
    let deltas = (0...2).flatMap { old in
      (0...2).flatMap { new in DeltaModel.all(oldCount: old, newCount: new).map { (old, new, $0.delta) } }
    }
    for (_, count, a) in deltas {
      for (second, next, b) in deltas where second == count {
        let ab = a.composed(with: b)
        for (third, _, c) in deltas where third == next {
          var composer = DeltaComposer()
          composer.append(a)
          composer.append(b)
          composer.append(c)
          let net = composer.net()
          if net != ab.composed(with: c) { Issue.record("\(a), \(b), \(c): \(net)") }
        }
      }
    }
  }
}
