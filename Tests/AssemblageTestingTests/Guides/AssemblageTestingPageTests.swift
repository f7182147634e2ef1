import Assemblage
import AssemblageTesting
import Testing

/// The code of the first page of the documentation of `AssemblageTesting`.
@Suite struct AssemblageTestingPageTests {
  @Test func anArrayIsRight() throws {
    let checker = NodeChecker<String>()
    let friends = ArrayNode(["Al", "Bo"])
    try checker.check(friends)
    try checker.checkTransaction(of: friends) { friends.append("Cy") }
    #expect(friends.elements == ["Al", "Bo", "Cy"])
  }
}
