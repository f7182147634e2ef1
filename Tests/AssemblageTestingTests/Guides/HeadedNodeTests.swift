import Assemblage
import AssemblageTesting
import Foundation
import Testing

@Suite struct HeadedNodeTests {
  @Test func theHeaderComesAndLeavesWithTheRows() {
    var translation = HeadedTranslation(sourceCount: 0)
    #expect(translation.translate(ChangeSet(.insertion(0..<2))) == ChangeSet(.insertion(0..<3)))
    #expect(translation.translate(ChangeSet(.update(1..<2))) == ChangeSet(.update(2..<3)))
    #expect(translation.translate(ChangeSet(.removal(0..<2))) == ChangeSet(.removal(0..<3)))
    #expect(translation.count == 0)
  }

  @Test func everyEditOfEveryShortListObeysTheLaws() throws {
    for count in 0...4 {
      for position in 0...count {
        try check(count) { $0.insert(50, at: position) }
        try check(count) { $0.removeSubrange(position..<count) }
        try check(count) { $0.replaceSubrange(0..<position, with: [50, 51]) }
      }
      for position in 0..<count {
        try check(count) { $0.replace(at: position, with: 50) }
        for destination in 0..<count { try check(count) { $0.move(from: position, to: destination) } }
      }
    }
  }

  /// Checks all laws of the node, and of a filter that derives from it, around one edit of the source.
  private func check(_ count: Int, _ edit: (ArrayNode<Int>) -> Void) throws {
    let checker = NodeChecker<Int>(id: { $0 })
    let source = ArrayNode(0..<count)
    let headed = HeadedNode(99, source)
    let filter = FilterNode(headed) { $0 % 2 == 1 }
    let shadow = ShadowTree(of: filter, checker: checker)
    try checker.checkTransaction(of: headed) { edit(source) }
    try checker.checkTransaction(of: headed) { headed.setHeader(97) }
    try checker.checkReading(of: headed) { source.append(51) }
    try checker.checkReading(of: headed) { source.removeAll() }
    try checker.check(filter)
    try shadow.check()
  }

  @Test func aPathOutOfRangeTraps() async {
    await #expect(processExitsWith: .failure) { _ = HeadedNode("header", ArrayNode(["row"]))[[2]] }
  }
}
