import OffsetIndexing
import Testing

/// The code of the article `InsideTreeIndex`.
@Suite struct InsideTreeIndexGuideTests {
  @Test func whatIsCollapsedLivesOn() {
    // a
    // ├ b
    // └ c
    //   └ d
    // e
    var tree = TreeIndex(depths: [0, 1, 1, 2, 0])
    let place = tree.locate(3)
    #expect(place.depth == 2)
    #expect(tree.number(of: place.parent) == 2)
    tree.insertLeaves(2, into: place.parent, at: 0)
    #expect(tree.count == 7)
    tree.collapse(place.parent)
    #expect(tree.count == 4)
    tree.insertLeaves(1, into: place.parent, at: 0)
    tree.expand(place.parent)
    #expect(tree.count == 8)
  }
}
