@testable import Assemblage
import Foundation
import TestSupport
import Testing

@Suite struct NodeAnchorTests: MisuseSuite {
  @Test func theExamplesHold() {
    let work = BranchNode(value: "work", leaves: ["a", "b"])
    let home = BranchNode(value: "home", leaves: ["c"])
    let tree = BranchNode([work, home])
    let anchors = AnchorSet(of: tree)
    let b = anchors.anchor(at: [0, 1])
    tree.move(from: [0, 1], to: [1, 0])
    #expect(b.path == [1, 0] && b.element == "b")
    home.remove(at: 0)
    #expect(b.path == nil && b.nearest == [1, 0] && b.isLost && b.element == nil)

    let names = ArrayNode(["Ada", "Bob", "Cy"])
    let sorted = SortNode(names, by: <)
    let bob = NodeAnchor(of: sorted, at: [1])
    names.append("Abe")
    #expect(bob.path == [2] && bob.description == "NodeAnchor([2])")
    names.removeAll { $0 == "Bob" }
    #expect(bob.path == nil && bob.nearest == [2] && bob.description == "NodeAnchor(lost near [2])")
  }

  @Test func theNearestSurvivorIsTheNextThenThePreviousThenTheParent() {
    let leaves = ["a", "b", "c", "d"]
    let branch = BranchNode(value: "branch", leaves: leaves)
    let root = BranchNode(value: "root", [.node(branch)])
    let anchor = NodeAnchor(of: root, at: [0, 1])
    root.performUpdates {
      branch.remove(at: 1)
      branch.remove(at: 1)
    }
    #expect(anchor.nearest == [0, 1])  // "d"
    branch.remove(at: 1)
    #expect(anchor.nearest == [0, 0])  // "a"
    branch.append(.leaf("e"))
    branch.move(from: 0, to: 1)
    #expect(anchor.nearest == [0, 1])  // still "a"
    root.performUpdates {
      branch.remove(at: 0)
      branch.remove(at: 0)
    }
    #expect(anchor.nearest == [0])
    root.remove(at: 0)
    #expect(anchor.nearest == [] && anchor.path == nil)
  }

  @Test func theNodeItselfNeverLeaves() {
    let names = ArrayNode(["a"])
    let anchor = NodeAnchor(of: names, at: [])
    names.removeAll()
    #expect(anchor.path == [] && !anchor.isLost)
  }

  @Test func placesAreGivenUpWithTheirAnchors() {
    let root = BranchNode([BranchNode([ArrayNode([1, 2, 3])]), BranchNode([ArrayNode([4])])])
    let anchors = AnchorSet(of: root)
    #expect(anchors.placeCount == 1 && anchors.count == 0)
    var first: NodeAnchor? = anchors.anchor(at: [0, 0, 2])
    var second: NodeAnchor? = anchors.anchor(at: [0, 0, 2])
    let third = anchors.anchor(at: [0, 0])
    #expect(anchors.placeCount == 4 && anchors.count == 3)
    first = nil
    #expect(second?.path == [0, 0, 2] && anchors.placeCount == 4)
    second = nil
    #expect(anchors.placeCount == 3 && anchors.count == 1)
    let fourth = anchors.anchor(at: [1, 0, 0])
    #expect(fourth.path == [1, 0, 0] && third.path == [0, 0] && anchors.count == 2)
    root.remove(at: 0)
    #expect(fourth.path == [0, 0, 0] && third.nearest == [0] && anchors.placeCount == 4)
    _ = first
  }

  @Test func anAnchorIsNeverBehindItsNode() {
    let names = ArrayNode(["a", "b"])
    var anchor: NodeAnchor<String>?
    var seen: [IndexPath?] = []
    let early = names.observe { _ in seen.append(anchor?.path) }
    anchor = NodeAnchor(of: names, at: [1])
    names.insert("z", at: 0)
    #expect(seen == [[2]])
    names.performUpdates {
      names.insert("y", at: 0)
      #expect(anchor?.path == [3])
      names.insert("x", at: 0)
    }
    #expect(anchor?.path == [4])
    early.cancel()
  }

  struct Stop: Error {}

  @Test func aTransactionThatIsRolledBackLeavesTheAnchors() {
    let names = ArrayNode(["a", "b"])
    let anchor = NodeAnchor(of: names, at: [1])
    #expect(throws: Stop.self) {
      try names.performUpdates {
        names.removeAll()
        throw Stop()
      }
    }
    #expect(anchor.path == [1])
    #expect(throws: Stop.self) {
      try names.performUpdates {
        names.insert("z", at: 0)
        #expect(anchor.path == [2])
        throw Stop()
      }
    }
    #expect(anchor.path == [1])
  }

  static let misuses = [
    Misuse("The path [1] is out of range: there is 1 child at [].") {
      _ = NodeAnchor(of: ArrayNode([1]), at: [1])
    },
    Misuse("The path [-1] is out of range: there is 1 child at [].") {
      _ = NodeAnchor(of: ArrayNode([1]), at: [-1])
    },
    Misuse("The path [0, 0] is out of range: there are 0 children at [0].") {
      _ = NodeAnchor(of: ArrayNode([1]), at: [0, 0])
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }

  // MARK: Random scripts

  /// The expected state of an anchor.
  private struct Model {
    /// The id of the element that the anchor follows; nil for the node itself.
    var target: Int?
    var isLost = false
  }

  @Test(arguments: TreeScript.View.allCases)
  func anchorsAreWhereAWalkFindsTheirElements(view: TreeScript.View) throws {
    var tally = OperationTally<TreeScript.Edit>()
    for iteration in 0..<TestSeed.iterations(10) {
      var generator = TestSeed.generator("anchors \(view)", iteration: iteration)
      let script = TreeScript(&generator)
      let node = view.node(script.root)
      let anchors = AnchorSet(of: node)
      var pairs: [(anchor: NodeAnchor<Row>, model: Model)] = []
      var walked = WalkedTree(node)
      for _ in 0..<TestSeed.length(40) {
        if let (id, path) = walked.paths.sorted(by: { $0.key < $1.key }).randomElement(using: &generator) {
          pairs.append((anchors.anchor(at: IndexPath(indexes: path)), Model(target: id)))
        }
        if generator.chance(1, in: 3), !pairs.isEmpty {
          pairs.remove(at: Int.random(in: 0..<pairs.count, using: &generator))
        }
        if view == .treeInTransactions {
          script.root.performUpdates { for _ in 0..<3 { script.step(using: &generator) } }
        } else {
          script.step(using: &generator)
        }
        let former = walked
        walked = WalkedTree(node)
        for index in pairs.indices {
          if let target = pairs[index].model.target, walked.paths[target] == nil {
            pairs[index].model = Model(target: former.nearest(of: target, in: walked), isLost: true)
          }
          let (anchor, model) = pairs[index]
          let path = IndexPath(indexes: model.target.map { walked.paths[$0]! } ?? [])
          try #require(anchor.nearest == path && anchor.isLost == model.isLost, "\(anchor), not at \(path)")
          #expect(anchor.path == (model.isLost ? nil : path))
        }
        // The places are the nearest paths of the anchors, and all paths above them.
        var places: Set<[Int]> = [[]]
        for (anchor, _) in pairs {
          for length in 0...anchor.nearest.count { places.insert(Array(anchor.nearest.prefix(length))) }
        }
        try #require(anchors.placeCount == places.count && anchors.count == pairs.count)
      }
      for edit in TreeScript.Edit.allCases { tally.count(edit, times: script.tally[edit]) }
    }
    try tally.check()
  }
}
