import Assemblage
import AssemblageTesting
import Testing

@Suite struct NodeCheckerTests {
  @Test func theExampleHolds() throws {
    let checker = NodeChecker<String>()
    let friends = ArrayNode(["Al", "Bo"])
    try checker.check(friends)
    try checker.checkTransaction(of: friends) { friends.append("Cy") }
    #expect(friends.elements == ["Al", "Bo", "Cy"])
  }
}
