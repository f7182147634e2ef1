import OffsetIndexing
import TestSupport
import Testing

@_spi(NodeAuthors) @testable import Assemblage

@Suite struct SectionIndexTests {
  /// Random deltas, applied row by row and all at once. Both results agree with a naive list of slots.
  @Test func bothMethodsAgreeWithAModel() {
    for iteration in 0..<TestSeed.iterations(300) {
      var generator = TestSeed.generator("section-index", iteration: iteration)
      func slot() -> Int { Int.random(in: 0...3, using: &generator) }
      var slots = (0..<Int.random(in: 0...12, using: &generator)).map { _ in slot() }
      var index = SectionIndex(slots, slotCount: 4)
      for _ in 0..<6 {
        // The order of the rows that survive, among new rows, and the rows that change.
        var order = slots.indices.filter { _ in Int.random(in: 0...3, using: &generator) > 0 }.map(Optional.some)
        if Bool.random(using: &generator) { order.shuffle(using: &generator) }
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
          order.insert(nil, at: Int.random(in: 0...order.count, using: &generator))
        }
        var builder = Delta.Builder()
        for former in order {
          guard let former else {
            builder.insert(1)
            continue
          }
          if Int.random(in: 0...2, using: &generator) == 0 {
            builder.update(former..<former + 1)
          } else {
            builder.keep(former..<former + 1)
          }
        }
        let delta = builder.finish(preCount: slots.count)
        let inserted = delta.insertions.joined().map { _ in slot() }
        let updated = delta.updates.joined().map { _ in slot() }
        var next = order.map { $0.map { slots[$0] } ?? -1 }
        for (position, slot) in zip(delta.insertions.joined(), inserted) { next[position] = slot }
        for (position, slot) in zip(delta.updates.joined(), updated) { next[position] = slot }

        var other = index
        let former = (0..<index.count).map { index.place(of: $0) }
        let changes = index.apply(delta, inserted: inserted, updated: updated, by: .stepwise)
        let otherChanges = other.apply(delta, inserted: inserted, updated: updated, by: .wholesale)
        slots = next
        for index in [index, other] {
          index.checkInvariants()
          let places = (0..<index.count).map { index.place(of: $0) }
          #expect(places.map(\.slot) == slots)
          var sizes = [0, 0, 0, 0]
          for (position, place) in places.enumerated() {
            #expect(place.row == sizes[place.slot], "in the order of the source")
            #expect(index.position(slot: place.slot, row: place.row) == position)
            sizes[place.slot] += 1
          }
          #expect(sizes == (0..<4).map { index.count(ofSlot: $0) })
          for slot in 0..<4 {
            let positions = slots.indices.filter { slots[$0] == slot }
            #expect(index.positions(slot: slot, rows: 0..<sizes[slot]) == positions)
            #expect(index.firstPosition(ofSlot: slot) == positions.first)
          }
          for change in changes where change.place != nil { #expect(change.place == places[change.position]) }
          for change in changes where change.former != nil { #expect(change.former == former[change.formerPosition]) }
        }
        #expect(changes.map(\.place) == otherChanges.map(\.place))
        #expect(changes.map(\.former) == otherChanges.map(\.former))
      }
    }
  }

  /// Single rows that arrive and leave, in sections whose rows lie evenly, in clusters, or nearly all in one place.
  @Test func singleRowsFindTheirPlaces() {
    for iteration in 0..<TestSeed.iterations(20) {
      var generator = TestSeed.generator("section-index-rows", iteration: iteration)
      let slotCount = Int.random(in: 1...5, using: &generator)
      var slots: [Int] = []
      let run = [1, 10, 60].randomElement(using: &generator)!
      while slots.count < 200 {
        let slot = Int.random(in: 0..<slotCount, using: &generator)
        slots += [Int](repeating: slot, count: Int.random(in: 1...run, using: &generator))
      }
      var index = SectionIndex(slots, slotCount: slotCount)
      for _ in 0..<300 {
        if slots.isEmpty || Bool.random(using: &generator) {
          let position = Int.random(in: 0...slots.count, using: &generator)
          let slot = Int.random(in: 0..<slotCount, using: &generator)
          slots.insert(slot, at: position)
          #expect(index.insert(at: position, inSlot: slot) == slots[..<position].count { $0 == slot })
        } else {
          let position = Int.random(in: 0..<slots.count, using: &generator)
          let slot = slots.remove(at: position)
          let row = slots[..<position].count { $0 == slot }
          #expect(index.remove(at: position) == SectionIndex.Place(slot: slot, row: row))
        }
      }
      index.checkInvariants()
      #expect((0..<index.count).map { index.place(of: $0).slot } == slots)
    }
  }
}
