@testable import Assemblage
import Foundation
import TestSupport
import Testing

@Suite struct IdentityIndexTests {
  @Test func theExampleHolds() {
    let work = BranchNode(value: "work", leaves: ["a", "b"])
    let home = BranchNode(value: "home", leaves: ["c"])
    let tree = BranchNode([work, home])
    let index = IdentityIndex(of: tree, id: { $0 })
    #expect(index.path(of: "b") == [0, 1])
    tree.move(from: [0, 1], to: [1, 0])
    #expect(index.path(of: "b") == [1, 0])
    #expect(index.id(at: [1, 1]) == "c")
    #expect(index.path(of: "x") == nil && !index.contains("x") && index.contains("c"))
    #expect(index.count == 5 && index.element(of: "a") == "a")
    #expect(index.node(of: "home") === home && index.node(of: "a") == nil)
    #expect(index.id(at: []) == nil && index.id(at: [7]) == nil)
  }

  @Test func equalIDsAreAllListedAndTheFirstIsFound() {
    let names = ArrayNode(["a", "b", "a"])
    let index = IdentityIndex(of: BranchNode([names, ArrayNode(["a"])]), id: { $0 })
    #expect(index.paths(of: "a") == [[0, 0], [0, 2], [1, 0]] && index.path(of: "a") == [0, 0])
    names.insert("a", at: 0)
    names.remove(at: 1)
    #expect(index.paths(of: "a") == [[0, 0], [0, 2], [1, 0]])
    names[0] = "c"
    #expect(index.path(of: "a") == [0, 2] && index.path(of: "c") == [0, 0] && index.paths(of: "x").isEmpty)
  }

  @Test func childrenWithoutAValueAreNotFound() {
    let names = ArrayNode(["a"])
    let tree = BranchNode([names])
    let index = IdentityIndex(of: tree, id: { $0 })
    #expect(index.count == 1 && index.id(at: [0]) == nil && index.path(of: "a") == [0, 0])
    let branch = BranchNode<String>()
    tree.append(.node(branch))
    branch.value = "b"
    #expect(index.path(of: "b") == [1])
    branch.value = nil
    #expect(!index.contains("b") && index.count == 1)
  }

  @Test func aTransactionIsFollowedFromWithinAndBack() {
    struct Stop: Error {}
    let names = ArrayNode(["a", "b"])
    let index = IdentityIndex(of: names, id: { $0 })
    #expect(throws: Stop.self) {
      try names.performUpdates {
        names.insert("z", at: 0)
        #expect(index.path(of: "b") == [2])
        names.remove(at: 1)
        #expect(!index.contains("a"))
        throw Stop()
      }
    }
    #expect(index.path(of: "a") == [0] && index.path(of: "b") == [1] && !index.contains("z") && index.count == 2)
  }

  @Test(.smallStack) func aTallChainIsIndexedAndReleased() {
    var node = BranchNode<Int>(value: 0)
    for level in 1..<TallTree.depth { node = BranchNode(value: level, [.node(node)]) }
    let index = IdentityIndex(of: node, id: { $0 })
    #expect(index.count == TallTree.depth - 1 && index.path(of: 0)?.count == TallTree.depth - 1)
    let anchor = NodeAnchor(of: node, at: IndexPath(indexes: Array(repeating: 0, count: TallTree.depth - 1)))
    node.insert(.leaf(-1), at: 0)
    #expect(index.path(of: 0)?.first == 1 && anchor.path?.count == TallTree.depth - 1)
    node.remove(at: 1)
    #expect(index.count == 1 && anchor.nearest == [0])
  }

  /// Checks an index whose ids are unique, or shared by many rows.
  private func check(
    _ index: IdentityIndex<Row, Int>, _ node: any TreeNode<Row>, _ id: (Row) -> Int
  ) throws {
    index.checkInvariants()
    var expected: [Int: [IndexPath]] = [:]
    let paths = WalkedTree(node).paths.values.map(IndexPath.init(indexes:)).sorted()
    for path in paths {
      let id = id(node[path]!)
      expected[id, default: []].append(path)
      try #require(index.id(at: path) == id, "at \(path)")
    }
    for (id, paths) in expected {
      try #require(index.paths(of: id) == paths && index.path(of: id) == paths[0], "\(id)")
    }
    #expect(index.count == paths.count && (0...40).allSatisfy { index.contains($0) == (expected[$0] != nil) })
  }

  @Test(arguments: TreeScript.View.allCases)
  func theIndexIsThatOfAWalk(view: TreeScript.View) throws {
    for iteration in 0..<TestSeed.iterations(8) {
      var generator = TestSeed.generator("identity \(view)", iteration: iteration)
      let script = TreeScript(&generator)
      let node = view.node(script.root)
      let unique = IdentityIndex(of: node, id: \.id)
      let shared = IdentityIndex(of: node, id: { $0.version })
      for _ in 0..<TestSeed.length(30) {
        if view == .treeInTransactions {
          try script.root.performUpdates {
            for _ in 0..<3 {
              script.step(using: &generator)
              if generator.chance(1, in: 4) { try check(unique, node, \.id) }
            }
          }
        } else {
          script.step(using: &generator)
        }
        try check(unique, node, \.id)
        try check(shared, node, \.version)
      }
    }
  }

  @Test func aRollBackIsFollowed() throws {
    try TreeScript.rollBack("identity rollback", iterations: 30) { script in
      let index = IdentityIndex(of: script.root, id: \.id)
      return (reading: { _ = index.count }, checking: { try check(index, script.root, \.id) })
    }
  }
}
