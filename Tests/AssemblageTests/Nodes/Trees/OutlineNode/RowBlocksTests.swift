@testable import Assemblage
import OffsetIndexing
import Testing

/// The rows of blocks, and the shorter way for one block.
@Suite struct RowBlocksTests {
  /// `a`, `b` with `c` and `d`, which contains `e`, and `f`.
  private static let shape = TreeIndex(depths: [0, 0, 1, 1, 2, 0])

  @Test func oneBlockHasTheDeltaOfTheGeneralWay() {
    let translation = OutlineTranslation(Self.shape, recordCount: 3, isFull: true)
    let (b, d) = (translation.record(at: [1])!, translation.record(at: [1, 1])!)
    // The places, with the rows that are there after the change.
    let places: [(place: RowBlocks.Place, rows: Range<Int>)] = [
      (.nowhere, 0..<0), (.hidden, 0..<0), (.child(1, of: b), 3..<4), (.below(d), 4..<5),
      (.children(0..<1, of: TreeIndex.root), translation.rows(ofChildren: 0..<1, of: TreeIndex.root)),
      (.children(0..<2, of: b), translation.rows(ofChildren: 0..<2, of: b)),
    ]
    for (place, shown) in places {
      // A block that is shown before and after the change keeps its number of rows.
      for former in [0..<0, 0..<1, 2..<4, 2..<5, 3..<6]
      where former.isEmpty || shown.isEmpty || former.count == shown.count {
        for isUpdating in [false, true] {
          var one = RowBlocks(count: translation.count - shown.count + former.count)
          one.append(former, to: place)
          if isUpdating { one.appendUpdate(0..<2, of: b) }
          var several = one
          several.append(.nowhere)
          let delta = one.delta(translation)
          #expect(delta == several.delta(translation), "\(former) \(place)")
          #expect(delta.isEmpty == (!isUpdating && former == shown), "\(former) \(place)")
        }
      }
    }
  }
}
