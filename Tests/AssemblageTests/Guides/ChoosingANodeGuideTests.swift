import Assemblage
import Testing

/// The code of Docs/ChoosingANode.md.
@Suite struct ChoosingANodeGuideTests {
  @Test func severalNodesAreOneTransaction() {
    let inbox = ArrayNode(["a", "b"])
    let archive = ArrayNode(["c"])
    performUpdates(on: [inbox, archive]) {
      archive.append(inbox.remove(at: 0))
    }
    #expect(archive.elements == ["c", "a"])
    #expect(inbox.elements == ["b"])
  }
}
