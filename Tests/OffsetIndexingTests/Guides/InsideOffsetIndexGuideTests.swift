import OffsetIndexing
import Testing

/// The code of the article `InsideOffsetIndex`.
@Suite struct InsideOffsetIndexGuideTests {
  @Test func aSizeOfZeroHoldsNothing() {
    var sections = OffsetIndex([2, 0, 3])
    #expect(sections.locate(2) == (index: 2, offset: 0))
    sections.add(1, at: 1)
    #expect(sections.locate(2) == (index: 1, offset: 0))
  }
}
