@testable import Assemblage
import AssemblageTesting
import TestSupport
import Testing

@MainActor @Suite struct IdentityUpdatingTests {
  private final class Volumes {
    var of = [1: 1, 2: 9, 3: 3]
  }

  @Test func allPlacesOfAnIDAreReported() {
    let volumes = Volumes()
    let tracks = ArrayNode([3, 1, 2, 1])
    let everything = JoinNode([tracks, ArrayNode([1])])
    let loud = FilterNode(everything) { volumes.of[$0]! > 5 }
    let index = IdentityIndex(of: everything, id: { $0 })
    var received: [Delta] = []
    let token = everything.observe { received.append($0.delta) }
    volumes.of[1] = 8
    volumes.of[2] = 0
    index.update([1, 2, 1, 77])
    #expect(loud.elements == [1, 1, 1])
    #expect(received == [Delta(updates: [1..<5])])
    token.cancel()
  }

  /// An id that is updated after an edit of the same transaction is settled together with the edit.
  ///
  /// Otherwise a sort would compare the new row with a row that has changed and has not moved yet.
  @Test func anUpdateAfterAnEditIsSettledWithIt() {
    let names = (0..<81).map { (new: $0 / 9, updated: $0 % 9) }
    for (new, updated) in names {
      let volumes = Volumes()
      volumes.of = [1: 1, 2: 4, 3: 7, 4: new]
      let tracks = ArrayNode([1, 2, 3])
      let sorted = SortNode(tracks) { volumes.of[$0]! < volumes.of[$1]! }
      let index = IdentityIndex(of: JoinNode([tracks]), id: { $0 })
      tracks.performUpdates {
        tracks.append(4)
        volumes.of[2] = updated
        index.update([2, 77])
      }
      #expect(sorted.elements == SortNode(tracks) { volumes.of[$0]! < volumes.of[$1]! }.elements, "\(new), \(updated)")
    }
  }

  @Test func idsComeAsASequence() async {
    let volumes = Volumes()
    let tracks = ArrayNode([3, 1, 2])
    let loud = FilterNode(tracks) { volumes.of[$0]! > 5 }
    let index = IdentityIndex(of: tracks, id: { $0 })
    let (ids, feed) = AsyncStream.makeStream(of: Int.self)
    volumes.of = [1: 9, 2: 0, 3: 9]
    feed.yield(3)
    feed.yield(1)
    feed.finish()
    await index.update(each: ids)
    #expect(loud.elements == [3, 1, 2])
  }

  @Test func idsComeInBatches() async {
    let volumes = Volumes()
    let tracks = ArrayNode([3, 1, 2])
    let loud = FilterNode(tracks) { volumes.of[$0]! > 5 }
    let index = IdentityIndex(of: tracks, id: { $0 })
    let (batches, feed) = AsyncStream.makeStream(of: [Int].self)
    var received = 0
    let token = loud.observe { _ in received += 1 }
    volumes.of = [1: 9, 2: 0, 3: 9]
    feed.yield([1, 2, 3])
    feed.finish()
    await index.update(each: batches)
    #expect(loud.elements == [3, 1] && received == 1)
    token.cancel()
  }
}
