import Assemblage
import AssemblageSearch
import Testing

/// The search with highlights of Docs/Cookbook.md.
@MainActor @Suite struct CookbookSearchGuideTests {
  @Test func matchingPartsAreMarked() {
    final class SearchField {
      let found: FilterNode<String>
      private let index: TextIndex<String>
      private var query = TextQuery.words("")

      init(_ names: any TreeNode<String>) {
        found = FilterNode(names) { _ in true }
        index = TextIndex(of: names)
      }

      func search(for text: String) {
        query = .words(text)
        found.setSearch(query, in: index)
      }

      func markedText(ofRow row: Int) -> String {
        var text = found[row]
        for range in query.ranges(in: text).reversed() {
          text.replaceSubrange(range, with: "[\(text[range])]")
        }
        return text
      }
    }

    let names = ArrayNode(["Ada Lovelace", "Grace Hopper", "Alan Turing"])
    let field = SearchField(names)
    field.search(for: "ac")
    #expect(field.found.indices.map(field.markedText) == ["Ada Lovel[ac]e", "Gr[ac]e Hopper"])
    field.search(for: "a lace")
    #expect(field.found.indices.map(field.markedText) == ["[A]d[a] Love[lace]"])
    field.search(for: "")
    #expect(field.found.count == 3)
  }
}
