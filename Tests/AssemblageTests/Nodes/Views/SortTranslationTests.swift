@testable import Assemblage
import OffsetIndexing
import TestSupport
import Testing

/// `SortTranslation` and `PermutationIndex` alone, compared with models that know every element.
@Suite struct SortTranslationTests {
  /// Returns stably sorted positions.
  private func sorted(_ keys: [Int]) -> [Int] {
    keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
  }

  /// Returns the change of the sorted children for a source's change, element by element.
  private func sortedModel(_ model: DeltaModel, _ former: [Int], _ present: [Int]) -> DeltaModel {
    let before = sorted(former)
    let after = sorted(present)
    return DeltaModel(
      oldCount: former.count, origins: after.map { model.origins[$0].map { before.firstIndex(of: $0)! } },
      isUpdated: after.map { model.isUpdated[$0] })
  }

  private func check(_ model: DeltaModel, _ former: [Int], _ present: [Int], nested: Bool) -> Bool {
    let delta = model.delta
    let expected = sortedModel(model, former, present)
    let after = sorted(present)
    var children: [(position: Int, change: ChangeSet)] = []
    if nested {
      children = model.origins.indices.filter { model.origins[$0] != nil }
        .map { ($0, ChangeSet(.insertion(0..<$0 + 1))) }
    }
    let expectedChildren = after.enumerated().compactMap { position, source in
      children.first { $0.position == source }.map { (position: position, change: $0.change) }
    }
    for method in [OrderUpdate.stepwise, .wholesale, .automatic] {
      var translation = SortTranslation(count: former.count, sources: sorted(former))
      let plan = translation.plan(delta, by: method) { present[$0] < present[$1] }
      let result = translation.translate(ChangeSet(delta: delta, children: children), plan)
      translation.order.checkInvariants()
      let isRight =
        result == ChangeSet(delta: expected.delta, children: expectedChildren) && translation.count == present.count
        && translation.order.sources == after
        && after.indices.allSatisfy {
          translation.sourcePosition(of: $0) == after[$0] && translation.sortedPosition(of: after[$0]) == $0
        }
      guard isRight else {
        Issue.record("\(method): \(delta) on \(former) to \(present): \(result), not \(expected.delta)")
        return false
      }
    }
    return true
  }

  /// Every change of up to three children to up to three (two in a debug build). Two or all of the keys may be equal.
  @Test func everyChangeOfUpToThree() {
    let most = TestSeed.isShortened ? 2 : 3
    for old in 0...most {
      for new in 0...most {
        let models = DeltaModel.all(oldCount: old, newCount: new)
        Exhaustive.forEachVector(over: [0, 1], count: old) { former in
          for model in models {
            let asked = model.origins.indices.filter { model.origins[$0] == nil || model.isUpdated[$0] }
            Exhaustive.forEachVector(over: [0, 1], count: asked.count) { keys in
              var present = model.origins.map { $0.map { former[$0] } ?? 0 }
              for (position, key) in zip(asked, keys) { present[position] = key }
              _ = check(model, former, present, nested: true)
            }
          }
        }
      }
    }
  }

  /// Random changes of hundreds of children, few and many at once.
  @Test func manyChildren() {
    for iteration in 0..<TestSeed.iterations(60) {
      var generator = TestSeed.generator("sort-translation/many", iteration: iteration)
      let keys = generator.chance(1, in: 2) ? 5 : 100_000
      let count = Int.random(in: 0...300, using: &generator)
      let former = (0..<count).map { _ in Int.random(in: 0...keys, using: &generator) }
      var model = DeltaModel(identity: former.count)
      let longest = generator.chance(1, in: 2) ? 3 : 200
      let range = generator.range(in: former.count, longest: longest)
      let moved = Array(model.origins[range])
      model.origins.removeSubrange(range)
      model.origins.insert(contentsOf: moved, at: Int.random(in: 0...model.origins.count, using: &generator))
      model.origins.removeSubrange(generator.range(in: model.origins.count, longest: longest))
      let inserted = Int.random(in: 0...longest, using: &generator)
      let place = Int.random(in: 0...model.origins.count, using: &generator)
      model.origins.insert(contentsOf: Array(repeating: nil, count: inserted), at: place)
      let updates = generator.range(in: model.origins.count, longest: longest)
      model = DeltaModel(
        oldCount: former.count, origins: model.origins, isUpdated: model.origins.indices.map { updates.contains($0) })
      let present = model.origins.indices.map { position in
        model.isUpdated[position] || model.origins[position] == nil
          ? Int.random(in: 0...keys, using: &generator) : former[model.origins[position]!]
      }
      #expect(check(model, former, present, nested: false), "script \(iteration)")
    }
  }

  /// From each order of up to four children to each other order, with as few moves as possible.
  @Test func everyReordering() {
    for count in 0...4 {
      let orders = Exhaustive.permutations(of: count)
      for former in orders.map(Optional.some) + [nil] {
        for present in orders.map(Optional.some) + [nil] {
          var translation = SortTranslation(count: count, sources: former)
          let delta = translation.reorder(present)
          let old = former ?? Array(0..<count)
          let new = present ?? Array(0..<count)
          let model = DeltaModel(
            oldCount: count, origins: new.map { old.firstIndex(of: $0)! },
            isUpdated: Array(repeating: false, count: count))
          let isRight =
            delta == model.delta && translation.sources(in: 0..<count) == new
            && translation.isSorted == (present != nil)
          #expect(isRight, "\(old) to \(new): \(delta)")
        }
      }
    }
  }

  /// A single child that arrives or changes is translated in a shorter way, with the same result.
  @Test func singleEditsAgreeWithPlans() {
    for iteration in 0..<TestSeed.iterations(200) {
      var generator = TestSeed.generator("sort-translation/single", iteration: iteration)
      let former = (0..<Int.random(in: 1...40, using: &generator)).map { _ in Int.random(in: 0...5, using: &generator) }
      let position = Int.random(in: 0..<former.count, using: &generator)
      for isInsertion in [false, true] {
        var present = former
        let key = Int.random(in: 0...5, using: &generator)
        if isInsertion { present.insert(key, at: position) } else { present[position] = key }
        var translation = SortTranslation(count: former.count, sources: sorted(former))
        var planned = translation
        let change = isInsertion ? Delta.insertion(position..<position + 1) : .update(position..<position + 1)
        let plan = planned.plan(change) { present[$0] < present[$1] }
        let expected = planned.translate(ChangeSet(change), plan).delta
        let origin = isInsertion ? -1 : translation.sortedPosition(of: position)
        let source = ArrayNode(present)
        let place = withExtendedLifetime(source) {
          placed(position, from: origin, in: translation.order, Landmarks(), source.reader, <)
        }
        let delta =
          isInsertion
          ? translation.insert(at: position, sorted: place) : translation.update(from: origin, to: place)
        translation.order.checkInvariants()
        let isRight =
          delta == expected && translation.order.sources == sorted(present) && translation.count == present.count
        #expect(isRight, "\(change) of \(former) to \(present): \(delta), not \(expected)")
      }
    }
  }

  // MARK: Comparisons

  /// An update costs log n comparisons, or two where it changes nothing; an insertion costs log n.
  @Test(arguments: [1, 2, 3, 10, 1_000, 100_000])
  func oneChangeAsksLogarithmically(count: Int) {
    var generator = TestSeed.generator("sort-translation/comparisons/\(count)")
    let keys = (0..<count).map { _ in Int.random(in: 0...count, using: &generator) }
    let translation = SortTranslation(count: count, sources: sorted(keys))
    let logarithm = Int.bitWidth - count.leadingZeroBitCount
    for _ in 0..<50 {
      let position = Int.random(in: 0..<count, using: &generator)
      var present = keys
      present[position] = Int.random(in: 0...count, using: &generator)
      var asked = 0
      _ = translation.plan(.update(position..<position + 1), by: .stepwise) {
        asked += 1
        return present[$0] < present[$1]
      }
      #expect(asked <= logarithm + 2)
      asked = 0
      _ = translation.plan(.update(position..<position + 1), by: .stepwise) {
        asked += 1
        return keys[$0] < keys[$1]
      }
      #expect(asked <= 2)
      asked = 0
      present = keys
      present.insert(Int.random(in: 0...count, using: &generator), at: position)
      _ = translation.plan(.insertion(position..<position + 1), by: .stepwise) {
        asked += 1
        return present[$0] < present[$1]
      }
      #expect(asked <= logarithm + 1)
    }
  }

  /// k changes of n children cost O(k · log n) comparisons, by either method, and never much more than n for merging.
  @Test func manyChangesAskAsMergingDoes() {
    let count = 20_000
    var generator = TestSeed.generator("sort-translation/merging")
    let keys = (0..<count).map { _ in Int.random(in: 0...count, using: &generator) }
    let translation = SortTranslation(count: count, sources: sorted(keys))
    for inserted in [2, 30, 1_000, 20_000] {
      let present = keys + (0..<inserted).map { _ in Int.random(in: 0...count, using: &generator) }
      for method in [OrderUpdate.stepwise, .wholesale] where inserted <= 1_000 || method == .wholesale {
        var asked = 0
        _ = translation.plan(.insertion(count..<count + inserted), by: method) {
          asked += 1
          return present[$0] < present[$1]
        }
        let gap = Int.bitWidth - (count / inserted).leadingZeroBitCount
        let sorting = Int.bitWidth - inserted.leadingZeroBitCount
        // The library's sort begins with runs that it sorts by insertion: about 2 log k comparisons for each of k
        // children.
        #expect(asked <= inserted * (gap + 6 + 2 * sorting), "\(inserted) by \(method): \(asked)")
      }
    }
  }
}

extension Exhaustive {
  /// Returns every order of the numbers below `count`.
  fileprivate static func permutations(of count: Int) -> [[Int]] {
    if count == 0 { return [[]] }
    return permutations(of: count - 1).flatMap { order in
      (0...order.count).map { place in
        var order = order
        order.insert(count - 1, at: place)
        return order
      }
    }
  }
}
