@testable import Assemblage
import OffsetIndexing
import TestSupport
import Testing

@Suite struct PlaceLevelTests {
  private enum Edit: CaseIterable { case keep, keepSeveral, drop, close, open, move }

  /// The place at each position, and its handle.
  private struct Model {
    var slots: [(place: Int, handle: OrderIndex.Handle)?] = []

    var kept: [(position: Int, place: Int, handle: OrderIndex.Handle)] {
      slots.enumerated().compactMap { position, slot in slot.map { (position, $0.place, $0.handle) } }
    }

    func check(_ level: PlaceLevel) throws {
      level.checkInvariants()
      let kept = kept
      try #require(level.count == kept.count)
      try #require(level.allPlaces == kept.map(\.place))
      for position in 0...slots.count {
        try #require(level.place(at: position) == (position < slots.count ? slots[position]?.place : nil))
      }
      for (position, _, handle) in kept { try #require(level.position(of: handle) == position) }
      for lower in 0...slots.count {
        let range = lower..<min(lower + 3, slots.count)
        if range.isEmpty { continue }
        let found = level.places(in: range)
        try #require(found.map(\.position) == kept.map(\.position).filter(range.contains))
        try #require(found.map(\.place) == kept.filter { range.contains($0.position) }.map(\.place))
      }
    }
  }

  @Test func itKeepsPlacesAsAListDoes() throws {
    var tally = OperationTally<Edit>()
    for iteration in 0..<TestSeed.iterations(100) {
      var generator = TestSeed.generator("place level", iteration: iteration)
      var model = Model(slots: Array(repeating: nil, count: 10))
      var level = PlaceLevel()
      var lastPlace = 0
      for _ in 0..<TestSeed.length(60) {
        let edit = tally.random(using: &generator)
        let position = Int.random(in: 0..<model.slots.count, using: &generator)
        let range = generator.range(in: model.slots.count, longest: 4)
        switch edit {
        case .keep, .keepSeveral:
          let free = model.slots[position...].prefix { $0 == nil }.count
          let count = edit == .keep ? min(free, 1) : Int.random(in: 0...free, using: &generator)
          let places = (0..<count).map { lastPlace + 1 + $0 }
          lastPlace += count
          let handles = level.keep(places, at: position)
          try #require(handles.count == count)
          for offset in 0..<count { model.slots[position + offset] = (places[offset], handles[offset]) }
        case .drop:
          guard let handle = model.slots[position]?.handle else { continue }
          level.drop(handle)
          model.slots[position] = nil
        case .close:
          if range.count == model.slots.count { continue }
          level.close(range)
          model.slots.removeSubrange(range)
        case .open:
          if model.slots.count > 40 { continue }
          level.open(range)
          model.slots.insert(contentsOf: Array(repeating: nil, count: range.count), at: range.lowerBound)
        case .move:
          guard let place = model.slots[position]?.place else { continue }
          level.close(position..<position + 1)
          model.slots.remove(at: position)
          let goal = Int.random(in: 0...model.slots.count, using: &generator)
          level.open(goal..<goal + 1)
          model.slots.insert((place, level.keep([place], at: goal)[0]), at: goal)
        }
        tally.count(edit)
        try model.check(level)
      }
    }
    try tally.check()
  }
}
