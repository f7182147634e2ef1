@_spi(NodeAuthors) @testable import Assemblage
import TestSupport
import Testing

/// `JoinTranslation` alone, compared with models that know every element.
@Suite struct JoinTranslationTests {
  /// Returns the changes of several members in the index space of the join, element by element.
  private func concatenated(_ models: [DeltaModel]) -> DeltaModel {
    var result = DeltaModel(identity: 0)
    for model in models {
      result.origins += model.origins.map { $0.map { $0 + result.oldCount } }
      result.isUpdated += model.isUpdated
      result.oldCount += model.oldCount
    }
    return result
  }

  /// Returns a change inside each surviving child. All these changes are different.
  private func nested(_ model: DeltaModel, tag: Int) -> [(position: Int, change: ChangeSet)] {
    model.origins.indices.filter { model.origins[$0] != nil }
      .map { ($0, ChangeSet(.insertion(0..<(tag * 10 + $0 + 1)))) }
  }

  private func makeTranslation(_ sizes: [Int]) -> JoinTranslation { JoinTranslation(counts: sizes) }

  /// Every vector of up to four members of up to two children, and every change of one member.
  @Test func everyChangeOfOneMember() {
    let models = (0...2).map { old in (0...2).flatMap { DeltaModel.all(oldCount: old, newCount: $0) } }
    Exhaustive.forEachVector(over: [0, 1, 2], upTo: 4) { sizes in
      for (slot, size) in sizes.enumerated() {
        for model in models[size] {
          var translation = makeTranslation(sizes)
          let children = nested(model, tag: 1)
          let change = ChangeSet(delta: model.delta, updatesValue: true, children: children)
          let result = translation.translate(SourceChanges([SourceChange(slot: slot, change: change)]))
          var parts = sizes.map { DeltaModel(identity: $0) }
          parts[slot] = model
          let start = sizes[..<slot].reduce(0, +)
          let expected = ChangeSet(
            delta: concatenated(parts).delta, children: children.map { ($0.position + start, $0.change) })
          let isRight = result == expected && Array(translation.offsets) == parts.map(\.newCount)
          #expect(isRight, "\(sizes), \(change) of \(slot): \(result), not \(expected)")
        }
      }
    }
  }

  /// Every pair of changes of two members out of two, and of the outer two of three, reported in either order.
  @Test func everyChangeOfTwoMembersTogether() {
    let models = (0...2).map { old in (0...2).flatMap { DeltaModel.all(oldCount: old, newCount: $0) } }
    for vector in Exhaustive.vectors(over: [0, 1, 2], upTo: 3)
    where vector.count >= 2 && vector.dropFirst().first != 0 {
      let (first, last) = (0, vector.count - 1)
      for (number, left) in models[vector[first]].enumerated() {
        for right in models[vector[last]] where !left.delta.isEmpty || !right.delta.isEmpty {
          var translation = makeTranslation(vector)
          let changes = [
            SourceChange(slot: first, change: ChangeSet(delta: left.delta, children: nested(left, tag: 1))),
            SourceChange(slot: last, change: ChangeSet(delta: right.delta, children: nested(right, tag: 2))),
          ]
          let result = translation.translate(SourceChanges(number % 2 == 0 ? changes : changes.reversed()))
          var parts = vector.map { DeltaModel(identity: $0) }
          parts[first] = left
          parts[last] = right
          let start = left.newCount + vector[(first + 1)..<last].reduce(0, +)
          let expected = ChangeSet(
            delta: concatenated(parts).delta,
            children: nested(left, tag: 1) + nested(right, tag: 2).map { ($0.position + start, $0.change) })
          let isRight = result == expected && Array(translation.offsets) == parts.map(\.newCount)
          #expect(isRight, "\(vector), \(changes.map(\.change)): \(result), not \(expected)")
        }
      }
    }
  }

  /// Insertion, removal, replacement and move of every member, with the slots that stay.
  @Test func everyChangeOfTheMembers() {
    Exhaustive.forEachVector(over: [0, 1, 2], upTo: 4) { sizes in
      // Children are numbered from first to last, and new ones from 100.
      var next = 0
      let members = sizes.map { size -> [Int] in
        next += size
        return Array(next - size..<next)
      }
      func check(
        _ translation: JoinTranslation, _ delta: Delta, _ slots: [Int], _ after: [[Int]], _ what: String
      ) {
        let old = Array(0..<next)
        let model = DeltaModel(
          oldCount: next, origins: after.joined().map { old.contains($0) ? $0 : nil },
          isUpdated: after.joined().map { _ in false })
        let isRight =
          delta == model.delta && Array(translation.offsets) == after.map(\.count)
          && slots.indices.allSatisfy {
            translation.slot(at: $0) == slots[$0] && translation.ordinal(ofSlot: slots[$0]) == $0
          }
        #expect(isRight, "\(what) of \(sizes): \(delta), not \(model.delta)")
      }
      let slots = Array(sizes.indices)
      for ordinal in 0...sizes.count {
        for size in 0...2 {
          var translation = makeTranslation(sizes)
          let (slot, delta) = translation.insertMember(count: size, at: ordinal)
          var after = members
          after.insert(Array(100..<100 + size), at: ordinal)
          var order = slots
          order.insert(slot, at: ordinal)
          #expect(!slots.contains(slot))
          check(translation, delta, order, after, "insertion of \(size) at \(ordinal)")
        }
      }
      for ordinal in sizes.indices {
        var translation = makeTranslation(sizes)
        let (slot, delta) = translation.removeMember(at: ordinal)
        #expect(slot == ordinal)
        var after = members
        after.remove(at: ordinal)
        var order = slots
        order.remove(at: ordinal)
        check(translation, delta, order, after, "removal of \(ordinal)")
        // A free slot is used again.
        #expect(translation.insertMember(count: 1, at: 0).slot == slot)
        for size in 0...2 {
          var translation = makeTranslation(sizes)
          let delta = translation.replaceMember(at: ordinal, count: size)
          var after = members
          after[ordinal] = Array(100..<100 + size)
          check(translation, delta, slots, after, "replacement of \(ordinal) by \(size)")
        }
        for destination in sizes.indices {
          var translation = makeTranslation(sizes)
          let delta = translation.moveMember(from: ordinal, to: destination)
          var after = members
          after.insert(after.remove(at: ordinal), at: destination)
          var order = slots
          order.insert(order.remove(at: ordinal), at: destination)
          check(translation, delta, order, after, "move of \(ordinal) to \(destination)")
        }
      }
    }
  }

  /// A boundary belongs to the member with the preceding element. The start belongs to the first member.
  @Test func everyInsertionPoint() {
    for sizes in Exhaustive.vectors(over: [0, 1, 2], upTo: 4) where !sizes.isEmpty {
      let translation = makeTranslation(sizes)
      let owners = sizes.enumerated().flatMap { ordinal, size in
        (0..<size).map { (ordinal: ordinal, offset: $0) }
      }
      #expect(translation.insertionPoint(at: 0) == (0, 0))
      for position in stride(from: 1, through: owners.count, by: 1) {
        let before = owners[position - 1]
        #expect(translation.insertionPoint(at: position) == (before.ordinal, before.offset + 1))
      }
    }
  }
}
