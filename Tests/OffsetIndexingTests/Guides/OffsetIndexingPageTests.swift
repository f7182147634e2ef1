import OffsetIndexing
import Testing

/// The code of the first page of the documentation of `OffsetIndexing`.
@Suite struct OffsetIndexingPageTests {
  @Test func aSectionInFrontMovesTheOthers() {
    var sections = OffsetIndex([2, 0, 3])
    #expect(sections.locate(2) == (index: 2, offset: 0))
    sections.insert(4, at: 0)
    #expect(sections.offset(of: 3) == 6)
  }
}
