import Assemblage
import AssemblageWidgets
import Foundation
import TestSupport
import Testing

/// Rows that are dropped on other rows.
@Suite struct DroppingTests {
  /// Refuses a row or a target with the name "locked".
  private struct Gate: MovingBehavior {
    func allowsMoving(from place: NodePlace) -> Bool { name(at: place) != "locked" }

    func allowsMoving(from origin: NodePlace, to place: NodePlace) -> Bool {
      (place.node as? ForestNode<String>)?.value != "locked"
    }

    private func name(at place: NodePlace) -> String? {
      (place.node as? ForestNode<String>)?.element(at: place.position)
    }
  }

  /// `cases/drop-open-folder.swift`: the rows of an open folder move with the folder.
  @Test func anOpenFolderLandsWhereItIsDropped() {
    func makeHome() -> ForestNode<String> {
      ForestNode(["x", "A", "B", "y"]) { (name: String) -> [String]? in ["A": ["a1", "C"], "B": [], "C": ["c1"]][name] }
    }
    let stays = "x A(a1 C(c1)) B() y"
    let expected =
      ["A(a1 C(c1)) x B() y"] + Array(repeating: stays, count: 5) + ["x B() A(a1 C(c1)) y", "x B() y A(a1 C(c1))"]
    let open = ExpansionState<String>(policy: .expanded)
    for position in 0...7 {
      let home = makeHome()
      let coordinator = ListCoordinator(OutlineNode(home, expansion: open, id: { $0 }))
      coordinator.behaviors = { _ in [WritingBehavior()] }
      let isInside = (2...4).contains(position)
      #expect(coordinator.canMove([0, 1], into: [0], at: position) == !isInside)
      #expect(coordinator.move([0, 1], into: [0], at: position) == !isInside)
      #expect(text(home) == expected[position], "before row \(position)")
      let outlined = makeHome()
      OutlineNode(outlined, expansion: open, id: { $0 }).move([1], into: [], at: position)
      #expect(text(outlined) == expected[position])
      let flat = makeHome()
      DescendantsNode(flat).move([1], into: [], at: position)
      #expect(text(flat) == expected[position])
      let mapped = makeHome()
      let upper = MapNode(
        OutlineNode(mapped, expansion: open, id: { $0 }), { $0.uppercased() }, inverse: { $0.lowercased() })
      upper.move([1], into: [], at: position)
      #expect(text(mapped) == expected[position])
      let joined = makeHome()
      JoinNode([ArrayNode(["0"]), OutlineNode(joined, expansion: open, id: { $0 })]).move(
        [2], into: [], at: position + 1)
      #expect(text(joined) == expected[position], "before row \(position) of a join")
    }
  }

  /// Several rows arrive one behind the other, each with its descendants.
  @Test func openFoldersLandBehindEachOther() {
    let tree = makeTree()
    let coordinator = ListCoordinator(
      OutlineNode(tree, expansion: ExpansionState(policy: .expanded), id: { $0 }))
    coordinator.behaviors = { _ in [WritingBehavior()] }
    #expect(coordinator.move([[0, 0], [0, 3], [0, 7]], into: [0], at: coordinator.count) == 3)
    #expect(text(tree) == "locked(key) a.txt docs(b.md sub()) src(main) z.txt")
  }

  private func makeTree() -> ForestNode<String> {
    ForestNode(["docs", "src", "locked", "z.txt", "a.txt"]) { (name: String) -> [String]? in
      switch name {
      case "docs": ["b.md", "sub"]
      case "sub": []
      case "src": ["main"]
      case "locked": ["key"]
      default: nil
      }
    }
  }

  private func text(_ tree: ForestNode<String>) -> String {
    func text(_ node: any TreeNode<String>) -> String {
      (0..<node.count).map { position in
        node.element(at: position)! + (node.child(at: position).map { "(\(text($0)))" } ?? "")
      }.joined(separator: " ")
    }
    return text(tree)
  }

  @Test func aRowOfAnOutlineGoesIntoAnotherOne() {
    let tree = makeTree()
    let outline = OutlineNode(TreeSortNode(tree, by: <), id: { $0 })
    let coordinator = ListCoordinator(outline)
    #expect(outline.elements == ["a.txt", "docs", "locked", "src", "z.txt"])
    #expect(!coordinator.canMove([0, 4], onto: [0, 1]), "nobody allows it")
    coordinator.behaviors = { $0 is ForestNode<String> ? [Gate()] : [] }
    #expect(coordinator.canMove([0, 4], onto: [0, 1]))
    #expect(coordinator.move([0, 4], onto: [0, 1]))
    #expect(text(tree) == "docs(b.md sub() z.txt) src(main) locked(key) a.txt")
    outline.expand(row: 1)
    #expect(outline.elements == ["a.txt", "docs", "b.md", "sub", "z.txt", "locked", "src"])
    #expect(coordinator.move([0, 6], onto: [0, 3]), "a folder, with what is in it")
    #expect(text(tree) == "docs(b.md sub(src(main)) z.txt) locked(key) a.txt")
  }

  @Test func whatCannotBeIsRefused() {
    let tree = makeTree()
    let log = UndoLog(of: tree)
    let outline = OutlineNode(tree, expansion: ExpansionState(policy: .expanded), id: { $0 })
    let coordinator = ListCoordinator(outline)
    coordinator.behaviors = { $0 is ForestNode<String> ? [Gate()] : [] }
    #expect(outline.elements == ["docs", "b.md", "sub", "src", "main", "locked", "key", "z.txt", "a.txt"])
    let refused: [(Int, Int, Comment)] = [
      (7, 8, "a leaf takes nothing"), (0, 2, "nothing goes into itself"), (0, 0, "nor onto itself"),
      (1, 0, "it is there"), (5, 0, "its behavior keeps it"), (7, 5, "its behavior takes nothing"), (9, 0, "no row"),
    ]
    for (row, goal, comment) in refused {
      #expect(!coordinator.canMove([0, row], onto: [0, goal]), comment)
      #expect(!coordinator.move([0, row], onto: [0, goal]), comment)
    }
    #expect(!coordinator.canMove([0, 7], onto: []) && !coordinator.canMove([], onto: [0, 0]))
    #expect(log.undoCount == 0)
  }

  @Test func severalRowsGoInOneTransaction() {
    let tree = makeTree()
    let log = UndoLog(of: tree)
    let outline = OutlineNode(tree, expansion: ExpansionState(policy: .expanded), id: { $0 })
    let coordinator = ListCoordinator(FilterNode(outline) { $0 != "sub" })
    coordinator.behaviors = { $0 is ForestNode<String> ? [Gate()] : [] }
    let before = text(tree)
    // "z.txt", "docs" with its children, "b.md", which moves with "docs", and "locked", which stays.
    #expect(coordinator.move([[0, 6], [0, 0], [0, 1], [0, 4]], onto: [0, 2]) == 2)
    #expect(text(tree) == "src(main z.txt docs(b.md sub())) locked(key) a.txt")
    #expect(log.undoCount == 1)
    log.undo()
    #expect(text(tree) == before)
  }

  /// Allows two children of a node at most.
  private struct Limit: MovingBehavior {
    func allowsMoving(from origin: NodePlace, to place: NodePlace) -> Bool { place.node.count < 2 }
  }

  /// The behaviors and nodes are asked again after the rows before have arrived.
  @Test func aRowWithoutRoomStays() {
    let tree = makeTree()
    let list = ListCoordinator(OutlineNode(tree, expansion: ExpansionState(policy: .expanded), id: { $0 }))
    list.behaviors = { $0 is ForestNode<String> ? [Limit()] : [] }
    #expect(list.move([[0, 7], [0, 8], [0, 4]], onto: [0, 2]) == 2)
    #expect(text(tree) == "docs(b.md sub(z.txt a.txt)) src(main) locked(key)")
    let single = SingleNode<String>()
    let branch = BranchNode([.node(single), .leaf("a"), .leaf("b")])
    let outline = OutlineCoordinator(branch)
    outline.behaviors = { _ in [WritingBehavior()] }
    #expect(outline.move([[1], [2]], onto: [0]) == 1 && single.content == "a" && branch.count == 2)
  }

  @Test func aListOfAllDescendantsTakesRows() {
    let tree = makeTree()
    let coordinator = ListCoordinator(DescendantsNode(tree))
    coordinator.behaviors = { $0 is ForestNode<String> ? [Gate()] : [] }
    #expect(!coordinator.canMove([0, 7], onto: [0, 5]) && coordinator.canMove([0, 7], onto: [0, 2]))
    #expect(coordinator.move([[0, 7], [0, 3]], onto: [0, 2]) == 2)
    #expect(text(tree) == "docs(b.md sub(z.txt src(main))) locked(key) a.txt")
  }

  @Test func anOutlineThatUnfoldsByItselfTakesRows() {
    let tree = makeTree()
    let coordinator = OutlineCoordinator(TreeSortNode(tree, by: <))
    coordinator.behaviors = { $0 is ForestNode<String> ? [Gate()] : [] }
    #expect(!coordinator.canMove([4], onto: [0]) && !coordinator.canMove([1], onto: [1, 1]))
    #expect(coordinator.move([4], onto: [1]) && coordinator.move([0], onto: [1, 1]))
    #expect(text(tree) == "docs(b.md sub(a.txt) z.txt) src(main) locked(key)")
    let names = ArrayNode(["a", "b"])
    let list = ListCoordinator(names)
    list.addBehavior(WritingBehavior(), to: names)
    #expect(!list.canMove([0, 0], onto: [0, 1]) && !list.move([0, 0], onto: [0, 1]), "a list has no rows in rows")
  }
}
