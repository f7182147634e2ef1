import Assemblage
import AssemblageTesting
import TestSupport
import Testing

/// Rows with the same id in one outline. Each is expanded by itself, and the last choice is remembered.
@Suite struct OutlineRepeatedIDTests {
  /// A row that arrives is expanded if the last choice for its id says so. So a folder that is expanded for the first
  /// time also expands the folder of the same id below it.
  ///
  /// Found by the fuzzer: seed 90117, script 5635. The outline is right, and its model did not know this rule.
  @Test func aRowBelowOneWithTheSameIDFollowsTheChoice() throws {
    let inner = TreeSnapshot(value: Row(id: 8, version: 1), children: [TreeSnapshot(leaf: Row(id: 1))])
    let forest = try ForestNode(TreeSnapshot(children: [TreeSnapshot(value: Row(id: 8), children: [inner])]))
    let outline = OutlineNode(forest, expansion: ExpansionState(policy: .collapsed), id: \.id)
    let shadow = ShadowTree(of: outline, id: \.id)
    func expect(_ versions: [Int]) throws {
      #expect(outline.elements.map(\.version) == versions)
      try shadow.check()
    }
    outline.expand(row: 0)
    try expect([0, 1, 0])
    outline.collapse(row: 0)
    try expect([0])
    // A row that stays is expanded as before, whatever choice was made for its id in the meantime.
    outline.expand(row: 0)
    try expect([0, 1, 0])
    outline.collapse(row: 1)
    try expect([0, 1])
    outline.collapse(row: 0)
    outline.expand(row: 0)
    try expect([0, 1])
  }
  /// A folder that has not been expanded is expanded by an update, if another folder with its id was expanded.
  @Test func anUpdateFollowsTheChoiceForTheSameID() throws {
    func folder(_ version: Int) -> TreeSnapshot<Row> {
      TreeSnapshot(value: Row(id: 8, version: version), children: [TreeSnapshot(leaf: Row(id: 1))])
    }
    let forest = try ForestNode(TreeSnapshot(children: [folder(0), folder(1)]))
    let outline = OutlineNode(forest, expansion: ExpansionState(policy: .collapsed), id: \.id)
    outline.expand(row: 0)
    #expect(outline.elements.map(\.id) == [8, 1, 8])
    forest.replace(at: [1], with: Row(id: 8, version: 2))
    #expect(outline.elements.map(\.id) == [8, 1, 8, 1])
  }
}
