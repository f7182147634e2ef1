@_spi(NodeAuthors) @testable import Assemblage
import TestSupport
import Testing

/// The translation of a segment node alone, compared with a list of members.
@Suite struct SegmentTranslationTests {
  @Test func scriptsAgreeWithAModel() {
    for iteration in 0..<TestSeed.iterations(80) {
      var generator = TestSeed.generator("segment-translation", iteration: iteration)
      var translation = SegmentTranslation(memberCount: 3)
      // The slots of the members in order, and the number of children of each slot's member.
      var order = [0, 1, 2]
      var counts = [0: 2, 1: 0, 2: 4]
      var shown: Int?
      for _ in 0..<TestSeed.length(30) {
        let ordinal = order.isEmpty ? 0 : Int.random(in: 0..<order.count, using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0:
          let slot = translation.insertMember(at: ordinal)
          #expect(!order.contains(slot))
          order.insert(slot, at: ordinal)
          counts[slot] = Int.random(in: 0...3, using: &generator)
        case 1 where !order.isEmpty && order[ordinal] != shown:
          #expect(translation.removeMember(at: ordinal) == order.remove(at: ordinal))
        case 2 where !order.isEmpty:
          let destination = Int.random(in: 0..<order.count, using: &generator)
          translation.moveMember(from: ordinal, to: destination)
          order.insert(order.remove(at: ordinal), at: destination)
        case 3:
          let former = shown.map { counts[$0]! } ?? 0
          shown = order.isEmpty || generator.chance(1, in: 4) ? nil : order[ordinal]
          let present = shown.map { counts[$0]! } ?? 0
          #expect(
            translation.show(shown, count: present)
              == Delta(removals: former == 0 ? [] : [0..<former], insertions: present == 0 ? [] : [0..<present]))
        default:
          let changes = order.filter { _ in generator.chance(1, in: 2) }.map { slot in
            SourceChange(slot: slot, change: ChangeSet(.insertion(0..<slot + 1), updatesValue: true))
          }
          for change in changes { counts[change.slot]! += change.slot + 1 }
          let isReported = changes.contains { $0.slot == shown }
          #expect(
            translation.translate(SourceChanges(changes))
              == (isReported ? ChangeSet(.insertion(0..<shown! + 1)) : ChangeSet()))
        }
        #expect(translation.selection == shown.flatMap { order.firstIndex(of: $0) })
        #expect(translation.count == shown.map { counts[$0]! } ?? 0)
        #expect(order.indices.map { translation.slot(at: $0) } == order)
      }
    }
  }
}
