import TestSupport
import Testing

@testable import Assemblage

/// Snapshots of joins of many arrays.
@Suite struct JoinSnapshotTests {
  private struct Refusal: Error {}

  /// Every kind of edit of the members and of their elements, with snapshots before and after, and of states that are
  /// rolled back.
  @Test func keptSnapshotsOfManyArraysStayAsTheyWere() throws {
    var tally = (edits: 0, members: 0, rollbacks: 0, views: 0)
    for iteration in 0..<TestSeed.iterations(40) {
      var generator = TestSeed.generator("join-snapshots", iteration: iteration)
      func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }
      let arrays = (0..<[1, 3, 40].randomElement(using: &generator)!).map { ArrayNode([$0, -$0]) }
      let join = JoinNode(arrays)
      let filter = FilterNode(join) { $0 % 3 != 0 }
      func editArray() {
        tally.edits += 1
        let array = arrays[random(0..<arrays.count)]
        switch random(0..<4) {
        case 0 where !array.isEmpty: array.remove(at: random(0..<array.count))
        case 1 where !array.isEmpty: array[random(0..<array.count)] += 1
        case 2 where !array.isEmpty: array.move(from: random(0..<array.count), to: random(0..<array.count))
        default: array.insert(random(0..<100), at: random(0..<array.count + 1))
        }
      }
      func editMembers() {
        tally.members += 1
        switch random(0..<5) {
        case 0 where join.memberCount > 0: join.removeMember(at: random(0..<join.memberCount))
        case 1 where join.memberCount > 0:
          join.moveMember(from: random(0..<join.memberCount), to: random(0..<join.memberCount))
        case 2 where join.memberCount > 0:
          join.replaceMember(at: random(0..<join.memberCount), with: arrays[random(0..<arrays.count)])
        case 3:
          tally.views += 1
          join.insertMember(SliceNode(arrays[0], 0..<1), at: random(0..<join.memberCount + 1))
        default: join.insertMember(arrays[random(0..<arrays.count)], at: random(0..<join.memberCount + 1))
        }
      }
      var kept: [(TreeSnapshot<Int>, [Int])] = []
      func keep() {
        kept.append((join.snapshot(), join.elements))
        kept.append((filter.snapshot(), filter.elements))
      }
      for _ in 0..<TestSeed.length(12) {
        keep()
        switch random(0..<6) {
        case 0: editMembers()
        case 1:
          tally.rollbacks += 1
          #expect(throws: Refusal.self) {
            try join.performUpdates { () throws in
              for _ in 0..<3 { random(0..<4) == 0 ? editMembers() : editArray() }
              keep()
              throw Refusal()
            }
          }
        default: for _ in 0..<random(1..<4) { editArray() }
        }
      }
      keep()
      for (snapshot, elements) in kept {
        #expect(snapshot.elements == elements && Array(snapshot) == elements)
        #expect(snapshot.indices.map { snapshot[$0] } == elements)
      }
    }
    #expect(tally.edits > 0 && tally.members > 0 && tally.rollbacks > 0 && tally.views > 0)
  }

  @Test func whatSeveralMembersShowIsTakenOnce() {
    let forest = ForestNode(leaves: 0..<100)
    forest.insert(100, at: [99, 0])
    // The snapshot of a collapsed outline is a copy of its rows.
    let outline = OutlineNode(forest, id: { $0 })
    let filters = (2..<5).map { divisor in FilterNode(outline) { $0 % divisor == 0 } }
    let snapshot = JoinNode(filters).snapshot()
    let addresses = snapshot.contents.segments(in: 0..<snapshot.count).compactMap { $0.place?.first }
    #expect(addresses.count == 3 && Set(addresses).count == 1)
  }

  /// A join keeps no element alive that no member has any more.
  @Test func whatMembersGiveUpIsReleased() throws {
    try withLifetimeTracking { tracker in
      let arrays = (0..<3).map { _ in ArrayNode(tracker.track(0..<2)) }
      let join = JoinNode(arrays)
      #expect(join.snapshot().count == 6)
      arrays[1].remove(at: 0)
      #expect(tracker.liveCount == 5)
      let snapshot = join.snapshot()
      arrays[1].removeAll()
      #expect(tracker.liveCount == 5 && snapshot.count == 5)
      join.removeMember(at: 0)
      #expect(join.count == 2)
    }
  }
}
