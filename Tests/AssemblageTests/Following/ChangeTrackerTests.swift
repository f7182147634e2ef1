@testable import Assemblage
import Foundation
import TestSupport
import Testing

@Suite struct ChangeTrackerTests: MisuseSuite {
  @Test func theExampleHolds() {
    let work = BranchNode(value: "work", leaves: ["memo", "report"])
    let home = BranchNode(value: "home", leaves: ["letter"])
    let tree = BranchNode([work, home])
    let changes = ChangeTracker(of: tree)
    #expect(!changes.wasChanged && changes.changedPaths.isEmpty)
    tree.replace(at: [0, 1], with: "Report")
    home.remove(at: 0)
    #expect(changes.wasChanged(at: [0]) && !changes.wasChanged(at: [0, 0]) && changes.changedCount() == 2)
    #expect(changes.changedPaths == [[0, 1], [1]] && changes.changedCount(at: [0]) == 1)
    changes.markUnchanged(at: [0])
    #expect(!changes.wasChanged(at: [0]) && changes.wasChanged)
    changes.markUnchanged()
    #expect(!changes.wasChanged)
    changes.checkInvariants()
  }

  @Test func whatCountsAsAChange() {
    let work = BranchNode(value: "work", leaves: ["a", "b", "c"])
    let home = BranchNode(value: "home", leaves: ["d"])
    let tree = BranchNode([work, home])
    let changes = ChangeTracker(of: tree)
    func changed(_ body: () -> Void) -> [IndexPath] {
      body()
      defer { changes.markUnchanged() }
      return changes.changedPaths
    }
    #expect(changed { work.value = "Work" } == [[0]])
    #expect(changed { work.footer = "end" } == [[0]])
    #expect(changed { tree.value = "all" } == [[]])
    #expect(changed { work.move(from: 0, to: 2) } == [[0, 2]])
    #expect(changed { tree.move(from: 0, to: 1) } == [[1]])
    #expect(changed { tree.move(from: [1, 0], to: [0, 0]) } == [[0, 0], [1]])
    #expect(changed { tree.remove(at: 1) } == [[]])
    #expect(changed { tree.append(BranchNode([BranchNode(leaves: ["x"])])) } == [[1], [1, 0], [1, 0, 0]])
    #expect(
      changed {
        tree.performUpdates {
          home.append(.leaf("y"))
          home.remove(at: home.count - 1)
        }
      } == [])
    // Descendants of an element that moves are not changed by the move, and do not lose their marks.
    tree.append(BranchNode<String>())
    changes.markUnchanged()
    tree.replace(at: [1, 0, 0], with: "X")
    tree.move(from: [1, 0], to: [2, 0])
    #expect(changes.changedPaths == [[1], [2, 0], [2, 0, 0]])
    changes.markUnchanged(at: [2, 0, 0])
    #expect(changes.changedPaths == [[1], [2, 0]])
    changes.checkInvariants()
  }

  @Test func aValueThatIsSetBackIsUnchanged() {
    let names = ArrayNode(["Ada", "Bob"])
    let changes = ChangeTracker(of: names, comparing: ==)
    names[0] = "Eve"
    names.insert("Al", at: 0)
    names[1] = "Ida"
    #expect(changes.changedPaths == [[0], [1]])
    names[1] = "Ada"
    #expect(changes.changedPaths == [[0]])
    // The first value is the one at the last mark.
    names[2] = "Rob"
    changes.markUnchanged()
    names[2] = "Bob"
    #expect(changes.changedPaths == [[2]])
    names[2] = "Rob"
    #expect(!changes.wasChanged)
    // An element that was moved as well stays changed.
    names[0] = "Alan"
    names.move(from: 0, to: 2)
    names[2] = "Al"
    #expect(changes.changedPaths == [[2]])
    let tree = BranchNode(value: "root", [.node(BranchNode(value: "work", leaves: ["a"]))])
    let treeChanges = ChangeTracker(of: tree, comparing: ==)
    tree.value = "top"
    tree.replace(at: [0, 0], with: "b")
    #expect(treeChanges.changedPaths == [[], [0, 0]])
    tree.performUpdates {
      tree.value = "root"
      tree.replace(at: [0, 0], with: "a")
    }
    #expect(!treeChanges.wasChanged)
    treeChanges.checkInvariants()
  }

  @Test func childrenAreNotLoadedInOrderToBeTracked() {
    var loaded = 0
    let tree = HierarchyNode(
      1, id: { $0 },
      children: { id in
        loaded += 1
        return id < 8 ? [id * 2, id * 2 + 1] : []
      })
    let changes = ChangeTracker(of: tree)
    #expect(!changes.wasChanged && loaded == 0)
    #expect(!changes.wasChanged(at: [1]) && loaded == 1)
  }

  @Test func whatIsNotChangedTakesNoMemory() {
    let tree = BranchNode([BranchNode(leaves: 1...100), BranchNode(leaves: 1...100)])
    let changes = ChangeTracker(of: tree)
    tree.move(from: [0, 0], to: [1, 0])
    tree.move(from: [1, 0], to: [0, 0])
    #expect(changes.changedPaths == [[0], [0, 0], [1]])
    changes.markUnchanged(at: [0, 0])
    changes.markUnchanged(at: [0])
    changes.markUnchanged(at: [1])
    changes.checkInvariants()
    #expect(!changes.wasChanged)
    changes.markUnchanged(at: [1, 3])
  }

  static let misuses = [
    Misuse("The path [1] is out of range: there is 1 child at [].") {
      _ = ChangeTracker(of: ArrayNode([1])).wasChanged(at: [1])
    },
    Misuse("The path [0, 0] leads through [0], which is a leaf.") {
      ChangeTracker(of: ArrayNode([1])).markUnchanged(at: [0, 0])
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }

  @Test(.smallStack) func aTallChainIsTracked() {
    let bottom = BranchNode(value: 0, leaves: [1])
    var node = bottom
    for level in 1..<TallTree.depth { node = BranchNode(value: level, [.node(node)]) }
    let changes = ChangeTracker(of: node)
    bottom.replace(at: 0, with: 2)
    #expect(changes.wasChanged(at: [0, 0, 0]) && changes.changedPaths.map(\.count) == [TallTree.depth])
    changes.markUnchanged(at: [0, 0])
    #expect(!changes.wasChanged)
    changes.checkInvariants()
  }

  // MARK: Random scripts

  /// The ids of the changed elements, found by comparing walks.
  private struct Model {
    var changed: Set<Int> = []
    var isRootChanged = false
    var tree: WalkedTree
    var rows: [Int: Row]
    /// Whether values are compared with the first ones.
    let compares: Bool
    /// The first values of elements that are changed for no other reason.
    var originals: [Int: Row] = [:]

    init(_ node: any TreeNode<Row>, compares: Bool) {
      self.compares = compares
      tree = WalkedTree(node)
      rows = Self.rows(tree, node)
    }

    private static func rows(_ tree: WalkedTree, _ node: any TreeNode<Row>) -> [Int: Row] {
      tree.paths.mapValues { node[IndexPath(indexes: $0)]! }
    }

    /// Adds the changes since the last call.
    ///
    /// - Parameters:
    ///   - node: the root.
    ///   - moves: the paths to which elements have moved. A walk cannot find moves within a parent, because it does not
    ///     know which of the elements moved.
    mutating func follow(_ node: any TreeNode<Row>, moves: [IndexPath]) {
      let new = WalkedTree(node)
      let newRows = Self.rows(new, node)
      for (id, row) in newRows {
        if tree.parents[id] == nil || tree.parents[id]! != new.parents[id]! {
          mark(id)
        } else if let former = rows[id], former != row {
          if compares, changed.insert(id).inserted { originals[id] = former }
          changed.insert(id)
          if originals[id] == row { unmark(id) }
        }
      }
      for id in changed where newRows[id] == nil { unmark(id) }
      for (parent, children) in tree.children {
        if children.allSatisfy({ new.parents[$0] == .some(parent) }) { continue }
        if let parent {
          if newRows[parent] != nil { mark(parent) }
        } else {
          isRootChanged = true
        }
      }
      for path in moves { mark(node[path]!.id) }
      tree = new
      rows = newRows
    }

    private mutating func mark(_ id: Int) {
      changed.insert(id)
      originals[id] = nil
    }

    private mutating func unmark(_ id: Int) {
      changed.remove(id)
      originals[id] = nil
    }

    mutating func markUnchanged(at path: [Int]) {
      if path.isEmpty { isRootChanged = false }
      for id in changed where tree.paths[id]!.starts(with: path) { unmark(id) }
    }

    func check(_ changes: ChangeTracker<Row>) throws {
      changes.checkInvariants()
      let paths = changed.map { IndexPath(indexes: tree.paths[$0]!) } + (isRootChanged ? [[]] : [])
      try #require(changes.changedPaths == paths.sorted())
      for path in tree.paths.values.map(IndexPath.init(indexes:)) {
        try #require(changes.changedCount(at: path) == paths.count { $0.starts(with: path) }, "at \(path)")
      }
      #expect(changes.changedCount() == paths.count)
    }
  }

  struct Stop: Error {}

  @Test(arguments: [1, 3], [false, true])
  func theMarksAreThoseOfAWalk(edits: Int, compares: Bool) throws {
    for iteration in 0..<TestSeed.iterations(10) {
      var generator = TestSeed.generator("changes \(edits) \(compares)", iteration: iteration)
      let script = TreeScript(&generator)
      let root = script.root
      var model = Model(root, compares: compares)
      let changes = compares ? ChangeTracker(of: root, comparing: ==) : ChangeTracker(of: root)
      let log = UndoLog(of: root)
      var moves: [IndexPath] = []
      let token = root.observe { change in
        moves += change.paths.moves.map(\.destination)
      }
      func follow() throws {
        model.follow(root, moves: moves)
        moves = []
        try model.check(changes)
      }
      for _ in 0..<TestSeed.length(30) {
        root.performUpdates { for _ in 0..<edits { script.step(using: &generator) } }
        try follow()
        if generator.chance(1, in: 4), log.undo() { try follow() }
        if generator.chance(1, in: 4), log.redo() { try follow() }
        #expect(throws: Stop.self) {
          try root.performUpdates {
            script.step(using: &generator)
            throw Stop()
          }
        }
        try model.check(changes)
        if generator.chance(1, in: 6) {
          let paths = model.tree.paths.values.sorted { $0.lexicographicallyPrecedes($1) }
          let path = paths.randomElement(using: &generator) ?? []
          changes.markUnchanged(at: IndexPath(indexes: path))
          model.markUnchanged(at: path)
          try model.check(changes)
        }
      }
      token.cancel()
    }
  }
}
