import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@Suite struct ChildRuleTests: MisuseSuite {
  @Test func theExampleHolds() {
    let table = BranchNode<String>()
    let section = BranchNode(value: "Fruit", leaves: ["apple"])
    table.rule = .nodes("sections")
    section.rule = .leaves("items")
    table.append(section)
    #expect(!table.allows(.insert, at: 0) && table.allows(.insertNode, at: 0))
    #expect(section.allows(.insert, at: 0) && !section.allows(.insertNode, at: 0))
    #expect(!section.accepts(.node(BranchNode())) && section.accepts(.leaf("pear")))
    #expect(table.rule != nil && BranchNode<String>().rule == nil)
    // Through a view, and by an index path.
    #expect(!FilterNode(section) { _ in true }.allows(.insertNode, at: 0))
    #expect(!table.allows(.insertNode, at: [0, 0]) && table.allows(.insert, at: [0, 0]))
  }

  static let misuses = [
    Misuse("BranchNode: it takes nodes, and not the leaf 1.") {
      let node = BranchNode<Int>()
      node.rule = .nodes()
      node.append(1)
    },
    Misuse("BranchNode: it takes leaves, and not an ArrayNode<Int>.") {
      let node = BranchNode(leaves: [1])
      node.rule = .leaves()
      node.replace(at: 0, with: .node(ArrayNode([1])))
    },
    Misuse("BranchNode: it takes even numbers, and not the leaf 3.") {
      let node = BranchNode(leaves: [2])
      node.rule = .leaves("even numbers") { $0.isMultiple(of: 2) }
      node.replace(at: 0, with: 3)
    },
    Misuse("BranchNode: its child 0 breaks the rule that it takes nodes.") { BranchNode(leaves: [1]).rule = .nodes() },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }

  @Test func aPredicateIsAskedForEachChild() {
    let node = BranchNode(leaves: [2, 4])
    node.rule = .children("even numbers and lists") { child in child.value?.isMultiple(of: 2) ?? true }
    #expect(node.accepts(.leaf(6)) && !node.accepts(.leaf(3)) && node.accepts(.node(ArrayNode([3]))))
    #expect(node.allows(.insert, at: 2) && node.allows(.insertNode, at: 2) && !node.allows(.insert, at: 3))
  }

  /// Only a rule that makes a section of an empty branch, or ends that, is reported.
  @Test func aRuleOfAnEmptyBranchIsReported() {
    let branch = BranchNode<Int>()
    let recorder = ChangeRecorder(of: branch)
    branch.rule = .nodes()
    branch.rule = .nodes("sections")
    branch.rule = nil
    branch.rule = .leaves()
    branch.append(1)
    branch.rule = nil
    let update = ChangeSet(updatesValue: true)
    #expect(recorder.recording.changes == [update, update, ChangeSet(.insertion(0..<1))])
  }

  @Test func aRuleStaysBesideTheHeaderAndIsNotAskedOfWhatIsTakenBack() {
    let node = BranchNode(leaves: [1, 2])
    let undo = UndoLog(of: node)
    node.remove(at: 0)
    node.replace(at: 0, with: 4)
    node.header = 9
    node.rule = .leaves("even numbers") { $0.isMultiple(of: 2) }
    node.header = nil
    #expect(node.rule != nil && node.header == nil)
    for _ in 0..<4 { undo.undo() }
    #expect(node.elements == [1, 2] && node.rule != nil)
    node.rule = nil
    node.append(3)
    #expect(node.elements == [1, 2, 3])
  }
}
