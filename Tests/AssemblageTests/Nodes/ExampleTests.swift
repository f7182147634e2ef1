import Assemblage
import Foundation
import Testing

@Suite struct ExampleTests {
  @Test func theDesignsExampleWorks() {
    let family = ArrayNode(["Dad", "Mum"])
    let friends = ArrayNode(["Best mate"])
    let sections = BranchNode([family, friends])
    let everyone = JoinNode([family, friends])
    let short = FilterNode(everyone) { $0.count < 4 }
    var received: [ChangeSet] = []
    let token = short.observe { received.append($0) }

    #expect(sections[[1, 0]] == "Best mate")
    #expect(everyone.elements == ["Dad", "Mum", "Best mate"])
    friends.append("Bo")
    #expect(short.elements == ["Dad", "Mum", "Bo"])
    #expect(received == [ChangeSet(.insertion(2..<3))])
    everyone.insert("Al", at: [2])
    #expect(family.elements == ["Dad", "Mum", "Al"])
    #expect(received.count == 2)
    token.cancel()
    friends.removeAll()
    #expect(received.count == 2)
    #expect(short.elements == ["Dad", "Mum", "Al"])
  }
}
