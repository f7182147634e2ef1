import Assemblage
import AssemblageSearch
import Testing

/// The code of the first page of the documentation of `AssemblageSearch`.
@Suite struct AssemblageSearchPageTests {
  @Test func aQueryFindsFoldedTexts() {
    let names = ArrayNode(["Ada Lovelace", "Straße", "Grace Hopper"])
    let index = TextIndex(of: names)
    #expect(index.count(for: .substring("strasse")) == 1)
    let found = FilterNode(names) { _ in true }
    found.setSearch(.words("love ada"), in: index)
    #expect(found.elements == ["Ada Lovelace"])
  }
}
