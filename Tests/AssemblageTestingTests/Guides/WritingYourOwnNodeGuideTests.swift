import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// The claims of Docs/WritingYourOwnNode.md about its node. The node's code is in the files beside this one.
@Suite struct WritingYourOwnNodeGuideTests {
  @Test func theExampleNodeIsShort() throws {
    let text = try GuideCode.text(of: "Tests/AssemblageTestingTests/Guides/HeadedNode.swift")
    let lines = text.split(separator: "\n").count { !$0.allSatisfy(\.isWhitespace) }
    #expect(lines <= 75, "translation, node and mapping together")
  }

  @Test func theDumpIsWhatTheGuideShows() throws {
    let rows = ArrayNode(["a", "b"])
    let headed = HeadedNode("Letters", rows)
    print(TreeDump(of: headed))
    #expect(TreeDump(of: headed).description == Self.dump)
    #expect(try GuideCode.text(of: "Docs/WritingYourOwnNode.md").contains("```text\n\(Self.dump)\n```"))
  }

  private static let dump = """
    #1 HeadedNode (3 children)
       shows 2 of 2 children of #2 at 1..<3
       [0]: Letters
       [1] ← #2[0]: a
       [2] ← #2[1]: b
    #2 ArrayNode (2 children)
       [0]: a
       [1]: b
    """

  @Test func expectationsAreMade() throws {
    let rows = ArrayNode(["a", "b"])
    let headed = HeadedNode("Letters", rows)
    let recorder = ChangeRecorder(of: headed)
    try recorder.expecting(["[-0..<3]"]) { rows.removeAll() }
    try recorder.expecting(["[+0..<2]"]) { rows.append("c") }
  }

  @Test func aRollbackAndAnUndoRestoreTheHeader() {
    struct Stop: Error {}
    let rows = ArrayNode(["a"])
    let headed = HeadedNode("Letters", rows)
    #expect(throws: Stop.self) {
      try headed.performUpdates {
        headed.setHeader("Numbers")
        throw Stop()
      }
    }
    #expect(headed.header == "Letters")
    rows.removeAll()
    let log = UndoLog(of: headed)
    headed.setHeader("Words")
    log.undo()
    #expect(headed.header == "Letters" && log.canRedo)
  }

  /// Random edits, in transactions, of rows below headers below a join.
  @Test func randomEditsObeyTheLaws() throws {
    for iteration in 0..<TestSeed.iterations(20) {
      var generator = TestSeed.generator("headed-node", iteration: iteration)
      let sources = [ArrayNode<Int>(), ArrayNode(1..<4), ArrayNode(4..<5)]
      let headed = sources.enumerated().map { HeadedNode(-1 - $0, $1) }
      let join = JoinNode<Int>(headed)
      let checker = NodeChecker<Int>(id: { $0 })
      let shadow = ShadowTree(of: join, checker: checker)
      for number in 5..<TestSeed.length(60) {
        let source = sources[Int.random(in: 0..<3, using: &generator)]
        let range = generator.range(in: source.count, longest: 2)
        try shadow.checkTransaction {
          switch number % 3 {
          case 0: source.replaceSubrange(range, with: [number])
          case 1: source.removeSubrange(range)
          default:
            join.performUpdates {
              source.append(number)
              source.move(from: source.count - 1, to: range.lowerBound)
            }
          }
        }
        try checker.check(join)
      }
    }
  }
}
