import Assemblage
import Testing

/// The code of the first page of the documentation of `Assemblage`.
@Suite struct AssemblagePageTests {
  @Test func aFilterOfAJoinFollowsItsMembers() {
    let family = ArrayNode(["Dad", "Mum"])
    let friends = ArrayNode(["Best mate"])
    let everyone = JoinNode([family, friends])
    let short = FilterNode(everyone) { $0.count < 4 }
    let token = short.observe { change in print("inserted at", change.delta.insertions) }
    friends.append("Bo")
    #expect(short.elements == ["Dad", "Mum", "Bo"])
    token.cancel()
  }

  @Test func theObserverReceivesOneInsertion() {
    let names = ArrayNode(["Dad", "Mum"])
    let short = FilterNode(names) { $0.count < 4 }
    var reports: [String] = []
    let token = short.observe { change in reports.append("inserted at \(change.delta.insertions)") }
    names.append("Bo")
    #expect(reports == ["inserted at [2..<3]"])
    token.cancel()
  }
}
