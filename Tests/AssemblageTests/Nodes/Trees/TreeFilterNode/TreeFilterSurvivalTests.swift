import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Elements that survive a transaction: a tree filter does not report that they were away in between.
@Suite struct TreeFilterSurvivalTests {
  private typealias Branch = BranchNode<String>

  /// Returns a branch inside branches of the same name, with `levels` levels in all.
  private static func chain(_ name: String, levels: Int, around inner: Branch) -> Branch {
    (1..<levels).reduce(inner) { node, _ in Branch(value: name, [.node(node)]) }
  }

  private static func filter(_ root: Branch, _ policy: TreeFilterPolicy) -> TreeFilterNode<String> {
    TreeFilterNode(root, policy: policy) { $0.hasSuffix("*") }
  }

  /// The folders arrive one by one, so that graphs become one while the transaction is open.
  @Test(arguments: [TreeFilterPolicy.keepingAncestors, .keepingDescendants], 1...4)
  func aFolderWhoseOnlyMatchIsReplacedByADeeperOneStays(_ policy: TreeFilterPolicy, levels: Int) throws {
    let two = Branch(value: "two", leaves: ["*"])
    let root = Branch([.leaf("one*"), .node(two)])
    let filter = Self.filter(root, policy)
    let recorder = ChangeRecorder(of: filter)
    try recorder.expecting(["[; 1: [-0, +0]]"]) {
      root.performUpdates {
        two.remove(at: 0)
        two.append(.node(Self.chain("b", levels: levels, around: Branch(value: "c", leaves: ["d*"]))))
      }
    }
    try recorder.expecting(["[; 1: [-0, +0]]"]) {
      root.performUpdates {
        two.remove(at: 0)
        two.append(.leaf("*"))
      }
    }
  }

  @Test(arguments: TreeFilterPolicy.allCases, [1, 2])
  func awayIntoAHiddenFolderAndBackIsNothing(_ policy: TreeFilterPolicy, position: Int) throws {
    let node = Branch(value: "node*", leaves: ["x*", "y*"])
    let hidden = Branch(value: "hidden", leaves: ["z"])
    let root = Branch([.node(hidden), .leaf("one*"), .node(node)])
    let filter = Self.filter(root, policy)
    let recorder = ChangeRecorder(of: filter)
    let shadow = ShadowTree(of: filter, id: { $0 })
    let row = position - 1
    try recorder.expecting([]) {
      root.performUpdates {
        root.move(from: [position], to: [0, 0])
        root.move(from: [0, 0], to: [position])
      }
    }
    // A change of the element in the meantime is reported.
    try recorder.expecting([position == 1 ? "[~\(row)]" : "[~\(row); \(row): [-0]]"]) {
      root.performUpdates {
        root.move(from: [position], to: [0, 0])
        if position == 1 { hidden.replace(at: 0, with: "one**") } else { node.remove(at: 0) }
        if position == 2 { node.value = "node**" }
        root.move(from: [0, 0], to: [position])
      }
    }
    try shadow.check()
  }

  /// Moves into new folders. The new folders have not been read, and the child may be a folder itself.
  @Test(arguments: TreeFilterPolicy.allCases, 1...4)
  func movesIntoNewFoldersAreTransfers(_ policy: TreeFilterPolicy, levels: Int) throws {
    for position in 0..<2 {
      let root = Branch([.leaf("one*"), .node(Branch(value: "two*", leaves: ["x*", "y*"]))])
      let filter = Self.filter(root, policy)
      let shadow = ShadowTree(of: filter, id: { $0 })
      let goal = [Int](repeating: 0, count: levels + 1)
      let recorder = ChangeRecorder(of: filter)
      try recorder.expecting(["[-\(position), +0] {[\(position)]→\(goal)}"]) {
        root.performUpdates {
          var folders = Branch(value: "folder 0*", leaves: [])
          for level in 1..<levels { folders = Branch(value: "folder \(level)*", [.node(folders)]) }
          root.insert(.node(folders), at: 0)
          root.move(from: [position + 1], to: IndexPath(indexes: goal))
        }
      }
      try shadow.check()
    }
  }

  /// Rows move into a hidden folder, and out of one. They are shown again with the folder, or were shown before.
  @Test(arguments: 1...3, [false, true]) func whatGoesIntoAHiddenFolderOrOutOfItStays(levels: Int, isNode: Bool) throws
  {
    let inner = Branch(value: "c*", leaves: ["d*"])
    let root = Branch([
      isNode ? .node(Branch(value: "a*", leaves: ["x*", "y"])) : .leaf("a*"),
      .node(Self.chain("b", levels: levels + 1, around: inner)),
    ])
    for level in 0..<levels {
      root.replace(at: IndexPath(indexes: [1] + [Int](repeating: 0, count: level)), with: "b\(level)*")
    }
    let filter = Self.filter(root, .hidingSubtrees)
    let outline = OutlineNode(filter, expansion: ExpansionState(policy: .expanded), id: { $0 })
    let checker = NodeChecker<String>(id: { $0.replacing("*", with: "") })
    let whole: Minimality = [.survivors, .acrossParents]
    let shadows = [
      ShadowTree(of: filter, checker: checker, minimality: whole), ShadowTree(of: outline, checker: checker),
    ]
    func check(_ edits: () -> Void) throws {
      let former = filter.matchCount
      root.performUpdates(edits)
      for shadow in shadows { try shadow.check() }
      #expect(filter.matchCount == former)
    }
    let deepest = IndexPath(indexes: [Int](repeating: 0, count: levels))
    // The folder was hidden before, and returns with the row.
    root.replace(at: [1], with: "b0")
    try check {
      root.move(from: [0], to: deepest.appending(0))
      root.replace(at: [0], with: "b0*")
      root.replace(at: [0], with: "b0")
      root.move(from: deepest.appending(0), to: [0])
    }
    root.replace(at: [1], with: "b0*")
    // The folder is hidden in the transaction.
    try check {
      root.replace(at: [1], with: "b0")
      root.move(from: [0], to: deepest.appending(0))
      root.replace(at: deepest.appending(0), with: "a**")
      root.replace(at: [0], with: "b0*")
    }
    // Rows move out of the folder.
    try check {
      root.replace(at: [0], with: "b0")
      root.move(from: deepest.appending(0), to: [1])
      root.move(from: deepest.appending(0), to: [2])
      root.replace(at: [0], with: "b0*")
    }
    // A row moves from one place in the folder to another.
    try check {
      root.replace(at: [0], with: "b0")
      root.move(from: [1], to: deepest.appending(0))
      root.replace(at: deepest.appending(0), with: "a*")
      root.move(from: deepest.appending(0), to: [0, 0])
      root.replace(at: [0], with: "b0*")
    }
  }

  @Test func whatAMatchAboveHidesAndShowsAgainStays() throws {
    let folder = Branch(value: "two*", [.leaf("a"), .node(Branch(value: "b", leaves: ["c", "d*"])), .leaf("e*")])
    let root = Branch([.leaf("one*"), .node(folder)])
    let filter = Self.filter(root, .keepingDescendants)
    let shadow = ShadowTree(of: filter, id: { $0 })
    let recorder = ChangeRecorder(of: filter)
    try recorder.expecting(["[~1]"]) {
      root.performUpdates {
        folder.value = "two"
        folder.value = "two*"
      }
    }
    // Rows are hidden by one folder and shown by another.
    try recorder.expecting(["[~1; 1: [-0, -2, ~0]]"]) {
      root.performUpdates {
        folder.value = "two"
        folder.replace(at: 2, with: "e")
        root.replace(at: [1, 1], with: "b*")
      }
    }
    try shadow.check()
  }

  /// Rows below a match that ends are hidden. They are shown again below the match to which they move.
  @Test(arguments: 0...2) func whatMovesFromBelowAMatchToAnotherStays(levels: Int) throws {
    let match = Branch(value: "b*", leaves: ["c"])
    let root = Branch([
      .node(Branch(value: "a*", leaves: ["x"])), .node(Self.chain("d", levels: levels + 1, around: Branch([match]))),
    ])
    let filter = Self.filter(root, .keepingDescendants)
    let checker = NodeChecker<String>(id: { $0.replacing("*", with: "") })
    let shadow = ShadowTree(of: filter, checker: checker, minimality: [.survivors, .acrossParents])
    let former = IndexPath(indexes: [1] + [Int](repeating: 0, count: levels + 1))
    root.performUpdates {
      match.value = "b"
      root.move(from: former, to: [0, 0])
    }
    try shadow.check()
    #expect(filter.child(at: [0, 0])?.elements == ["c"])
    // The row is hidden again, and is then followed anew.
    root.performUpdates {
      root.move(from: [0, 0], to: former)
      match.value = "b*"
      match.value = "b"
      root.move(from: former, to: [0, 0])
    }
    try shadow.check()
    #expect(filter.child(at: [0, 0])?.elements == ["c"])
  }

  /// A row leaves a hidden folder for a shown one. Only the folder's name showed the row, or the row was itself hidden
  /// after the folder.
  @Test(arguments: [TreeFilterPolicy.keepingDescendants, .hidingSubtrees], 1...3)
  func whatLeavesAHiddenFolderThatHidesItStays(_ policy: TreeFilterPolicy, levels: Int) throws {
    let star = policy == .hidingSubtrees ? "*" : ""
    for child in [.leaf("a" + star), .node(Branch(value: "a" + star, leaves: ["x", "y"]))] as [TreeChild<String>] {
      let inner = Self.chain("b" + star, levels: levels, around: Branch(value: "b" + star, [child]))
      let folder = Branch(value: "two*", [.node(inner)])
      let root = Branch([.node(Branch(value: "one*", leaves: ["z"])), .node(folder)])
      let filter = Self.filter(root, policy)
      let shadow = ShadowTree(
        of: filter, checker: NodeChecker(id: { $0.replacing("*", with: "") }), minimality: [.survivors, .acrossParents])
      let path = IndexPath(indexes: [1] + [Int](repeating: 0, count: levels + 1))
      root.performUpdates {
        folder.value = "two"
        root.replace(at: path, with: "a")
        root.move(from: path, to: [0, 0])
        root.replace(at: [0, 0], with: "a*")
      }
      try shadow.check()
    }
  }

  /// The rows of a folder are shown only because of its name. They leave with the name, and return with it.
  @Test(arguments: 1...3) func whatANameHidesAndShowsAgainStays(levels: Int) throws {
    let inner = Branch(value: "b", leaves: ["c", "d"])
    let folder = Branch(value: "two*", [.leaf("a"), .node(Self.chain("b", levels: levels, around: inner))])
    let root = Branch([.leaf("one*"), .node(folder)])
    let filter = Self.filter(root, .keepingDescendants)
    let shadow = ShadowTree(of: filter, checker: NodeChecker(id: { $0.replacing("*", with: "") }))
    let recorder = ChangeRecorder(of: filter)
    try recorder.expecting(["[~1]"]) {
      root.performUpdates {
        folder.value = "two"
        folder.value = "two*"
      }
    }
    try shadow.check()
    // Changes in the meantime are reported. A row that a match below shows by itself is still the same row.
    try recorder.expecting(["[~1; 1: [-0, +1]]"]) {
      root.performUpdates {
        folder.value = "two"
        folder.remove(at: 0)
        folder.append(.leaf("e"))
        folder.value = "two*"
      }
    }
    try shadow.check()
  }

  /// A section that empties, and is refilled after other changes.
  @Test(arguments: TreeFilterPolicy.allCases) func aSectionThatIsRefilledLaterStays(_ policy: TreeFilterPolicy) throws {
    let source = ArrayNode([Row(id: 0), Row(id: 1, version: 1), Row(id: 2, version: 3)])
    let group = GroupNode(source, header: { Row(id: -1 - $0) }) { $0.version }
    let filter = TreeFilterNode(group, policy: policy) { $0.version < 9 }
    let shadow = ShadowTree(of: filter, id: \.id, minimality: [.survivors, .acrossParents])
    let section = filter.child(at: 1)!
    filter.performUpdates {
      source[1].version = 2
      source[2].version = 4
      source[1].version = 3
      source[0].version = 1
    }
    try shadow.check()
    #expect(filter.child(at: 0) === section && section.elements == [Row(id: 0, version: 1)])
  }

  /// A filtered folder has other children than the folder itself.
  @Test(arguments: TreeFilterPolicy.allCases) func aFolderIsNotItsFilteredOne(_ policy: TreeFilterPolicy) throws {
    let folder = Branch(value: "folder*", [.leaf("a*"), .node(Branch(value: "b", leaves: ["c"]))])
    let one = Branch(value: "one", [.leaf("x*"), .node(folder)])
    let two = Branch(value: "two", leaves: [])
    let root = Branch([one, two])
    let shadows = [
      ShadowTree(of: Branch([Self.filter(one, policy), two]), id: { $0 }),
      ShadowTree(of: Branch([Self.filter(one, policy), Self.filter(two, policy)]), id: { $0 }),
    ]
    for path in [[1, 0], [0, 1]] as [IndexPath] {
      root.move(from: path == [1, 0] ? [0, 1] : [1, 0], to: path)
      for shadow in shadows { try shadow.check() }
    }
    let recorder = ChangeRecorder(of: Branch([Self.filter(one, policy), two]))
    // A child that leaves a tree view is reported as removed.
    try recorder.expecting(["[; 0: [-0]; 1: [+0]]"]) { root.move(from: [0, 0], to: [1, 0]) }
  }

  /// A reload ends a child's own match and makes the child a folder. The new folder shows its parent by its contents.
  @Test(arguments: TreeFilterPolicy.allCases) func aMatchThatBecomesAFolderStays(_ policy: TreeFilterPolicy) throws {
    for names in [["a*"], ["d", "a*"]] {
      var contents = ["": ["two", "three*"], "two": names]
      let tree = HierarchyNode(
        "", id: { $0.replacing("*", with: "") }, hasChildren: { !$0.hasPrefix("three") },
        children: { contents[$0, default: []] })
      let filter = TreeFilterNode(tree, policy: policy) { $0.hasSuffix("*") }
      let checker = NodeChecker<String>(id: { $0.replacing("*", with: "") }).allowingEmptyLeaves()
      let shadow = ShadowTree(of: filter, checker: checker)
      contents = ["": ["two", "three*"], "two": ["a"], "a": ["b*"]]
      tree.reload()
      try shadow.check()
      #expect(filter.elements == (policy == .hidingSubtrees ? ["three*"] : ["two", "three*"]))
      contents = ["": ["two*", "three"], "two*": ["a", "c*"], "a": ["b"]]
      tree.reload()
      try shadow.check()
    }
  }

  /// A leaf has become a branch. The second filter requests the node of the branch from the first filter, before the
  /// branch has children.
  @Test func whatComesIntoALeafThatBecameABranchIsReported() throws {
    let forest = ForestNode(leaves: [Row(id: 0)])
    let filter = TreeFilterNode(forest, policy: .hidingSubtrees) { _ in true }
    let second = TreeFilterNode(filter, policy: .hidingSubtrees) { _ in true }
    let shadow = ShadowTree(of: filter, id: \.id)
    forest.insert(Row(id: 1), at: [0, 0])
    try shadow.check()
    #expect(second.child(at: 0)?.elements == [Row(id: 1)])
  }

  /// A child takes the place of its parent, which moves below the child and is hidden there. In between, the child is a
  /// branch.
  @Test(
    arguments: TreeFilterPolicy.allCases,
    [["p", "a<p"], ["p", "a<p", "x<p"], ["x", "p", "a<p"], ["p", "x<p", "a<p"], ["x", "p", "a<p", "y<p"]])
  func aLeafThatBecomesABranchOfHiddenChildrenStays(_ policy: TreeFilterPolicy, rows: [String]) throws {
    let items = ArrayNode(rows.map { NestItem(stringLiteral: $0) })
    let filter = TreeFilterNode(NestItem.nest(items), policy: policy) { !"hxy".contains($0.id) }
    let shadow = ShadowTree(of: filter, id: \.id, minimality: [.survivors, .fewestMoves, .acrossParents])
    items[rows.firstIndex(of: "p")!] = "h<a"
    try shadow.check()
    #expect(filter.elements.map(\.id).contains("a"))
  }
}
