import OffsetIndexing
import TestSupport
import Testing

/// Cases that the scripts of `TreeIndexTests` don't reach: the documentation's examples, sizes, costs, traps.
@Suite struct TreeIndexUnitTests: MisuseSuite {
  @Test func theExamplesOfTheDocumentationHold() {
    var tree = TreeIndex(depths: [0, 1, 1, 2, 0])
    let place = tree.locate(3)
    #expect(place.depth == 2)
    #expect(tree.number(of: place.parent) == 2)
    tree.insertLeaves(2, into: place.parent, at: 0)
    #expect(tree.count == 7)

    var pieces = TreeIndex(depths: [0, 1, 0])
    let piece = pieces.cutChildren(0..<1, of: TreeIndex.root)
    #expect((pieces.count, pieces.count(in: piece)) == (1, 2))
    pieces.paste(piece, into: TreeIndex.root, at: 1)
    #expect(pieces.path(to: 2) == [1, 0])
    #expect(!pieces.contains(piece))

    var folding = TreeIndex(depths: [0, 1, 1, 0])
    let first = folding.locate(1).parent
    folding.collapse(first)
    #expect((folding.count, folding.childCount(of: first), folding.count(in: first)) == (2, 2, 2))
    folding.expand(first)
    #expect(folding.count == 4)

    var moving = TreeIndex(depths: [0, 1, 0])
    moving.moveChild(at: 1, of: TreeIndex.root, to: 0, of: moving.locate(1).parent)
    #expect(moving.childCount(of: moving.locate(1).parent) == 2)

    var builder = TreeIndex.Builder()
    builder.appendLeaves(2)
    let branch = builder.openBranch()
    #expect(builder.depth == 1)
    builder.appendLeaves(1)
    builder.closeBranch()
    #expect(builder.finish().number(of: branch) == 2)

    var joined = TreeIndex(leafCount: 1)
    joined.insert(TreeIndex(depths: [0, 1]), into: TreeIndex.root, at: 1)
    #expect(joined.path(to: 2) == [1, 0])
    var cut = TreeIndex(depths: [0, 1, 2, 0])
    let cutOut = cut.cutChildren(0..<1, of: TreeIndex.root)
    #expect(joined.insert(cut, childrenOf: cutOut, into: TreeIndex.root, at: 0).count == 2)
    #expect(joined.rows(in: 0..<joined.count).map(\.place.depth) == [0, 1, 2, 0, 0, 1] && cut.count(in: cutOut) == 3)
    #expect(TreeIndex(leafCount: 3).run(at: 1, of: TreeIndex.root).numbers == 1..<3)
    #expect(TreeIndex(depths: [0, 1, 0]).number(ofInsertionAt: 1, into: TreeIndex.root) == 2)
    #expect(TreeIndex(depths: [0, 1, 1, 0]).runs().map(\.numbers) == [0..<1, 1..<3, 3..<4])
    #expect(TreeIndex(depths: [0, 1, 0, 0, 1]).branches(in: 0..<3, of: TreeIndex.root).map(\.position) == [0, 2])
    var shrinking = TreeIndex(depths: [0, 1, 0])
    shrinking.removePiece(shrinking.cutChildren(0..<1, of: TreeIndex.root))
    #expect(shrinking.count == 1)
    var emptying = TreeIndex(depths: [0, 1, 1, 0])
    #expect(emptying.removeLeaf(at: 0, of: emptying.locate(1).parent) == 1 && emptying.count == 3)
    #expect(TreeIndex(childCounts: [2, 0, 0, 0]).childCount(of: TreeIndex.root) == 2)
  }

  @Test func theExamplesOfWhatItYieldsHold() {
    var tree = TreeIndex(depths: [0, 0, 1])
    let branch = tree.locate(2).parent
    #expect(tree.number(of: branch) == 1)
    tree.insertLeaves(5, into: TreeIndex.root, at: 0)
    #expect(tree.number(of: branch) == 6 && tree.childCount(of: branch) == 1)

    let place = TreeIndex(depths: [0, 1, 1]).locate(2)
    #expect(place.position == 1 && place.depth == 1 && place.branch == nil)

    let run = TreeIndex(depths: [0, 1, 1, 0]).runs().first { $0.depth == 1 }!
    #expect(run.numbers == 1..<3 && run.positions == 0..<2 && run.branch == nil)

    var printed: [String] = []
    for row in TreeIndex(depths: [0, 1, 1]).rows(in: 1..<3) { printed.append("\(row.number) \(row.place.position)") }
    for run in TreeIndex(depths: [0, 1, 1, 0]).runs() { printed.append("\(run.numbers) \(run.depth)") }
    #expect(printed == ["1 0", "2 1", "0..<1 0", "1..<3 1", "3..<4 0"])

    let names = ["notes", "a.md", "b.md", "x.txt"]
    let lines = TreeIndex(depths: [0, 1, 1, 0]).rows(in: 0..<4).map {
      String(repeating: "  ", count: $0.place.depth) + names[$0.number]
    }
    #expect(lines == ["notes", "  a.md", "  b.md", "x.txt"])
  }

  @Test func theDescriptionIsShort() {
    #expect("\(TreeIndex(depths: [0, 1]))" == "TreeIndex(0, 1)")
    #expect("\(TreeIndex(leafCount: 100))".hasSuffix(" 0, … 100 elements)"))
    #expect("\(TreeIndex.root)" == "#0")
  }

  /// Runs may be longer than 32 bits can express. They grow and shrink through that length.
  @Test func aRunCanBeAsLongAsAnInt() {
    var tree = TreeIndex(leafCount: 1_000_000_000_000)
    #expect(tree.byteCount < 2_000)
    let middle = tree.makeBranch(at: 500_000_000_000, of: TreeIndex.root)
    tree.insertLeaves(Int(Int32.max), into: middle, at: 0)
    tree.insertLeaves(1, into: middle, at: 5)
    tree.checkInvariants()
    #expect(tree.count == 1_000_000_000_000 + Int(Int32.max) + 1)
    #expect(tree.locate(500_000_000_007).position == 6)
    tree.removeChildren(0..<2, of: middle)
    tree.checkInvariants()
    let last = tree.count - 1
    #expect(tree.locate(last).position == 999_999_999_999)
    #expect(tree.child(at: 999_999_999_999, of: TreeIndex.root).number == last)
    tree.removeChildren(0..<childCountMinusOne(tree), of: TreeIndex.root)
    tree.checkInvariants()
    #expect(tree.count == 1)
    var whole = TreeIndex(leafCount: .max)
    whole.makeBranch(at: 0, of: TreeIndex.root)
    #expect(whole.locate(.max - 1).position == .max - 1)
    var builder = TreeIndex.Builder()
    builder.appendLeaves(.max - 5)
    builder.appendLeaves(5)
    #expect(builder.finish().count == .max)
  }

  private func childCountMinusOne(_ tree: TreeIndex) -> Int { tree.childCount(of: TreeIndex.root) - 1 }

  @Test func aChainIsAsCheapAsAList() {
    let count = 100_000
    var tree = TreeIndex(depths: 0..<count)
    tree.checkInvariants()
    #expect(tree.byteCount <= 36 * count)
    #expect(tree.locate(count - 1).depth == count - 1)
    let half = tree.locate(count / 2).parent
    tree.collapse(half)
    #expect((tree.count, tree.count(in: half)) == (count / 2, count / 2))
    let piece = tree.cutChildren(0..<1, of: half)
    tree.expand(half)
    tree.paste(piece, into: TreeIndex.root, at: 0)
    tree.checkInvariants()
    #expect((tree.count, tree.childCount(of: TreeIndex.root)) == (count, 2))
    #expect(tree.locate(count / 2).depth == 0)
    #expect(tree.path(to: count / 2 - 1).count == count / 2)
    tree.removeChildren(0..<2, of: TreeIndex.root)
    #expect(tree.count == 0)
    tree.checkInvariants()
  }

  /// Nodes stay full, however often subtrees are moved.
  @Test func movingSubtreesDoesNotScatterThem() {
    var tree = TreeIndex(childCounts: (0..<20_000).map { $0 % 11 == 0 && $0 < 19_000 ? 11 : 0 })
    let bytes = tree.byteCount
    let branches = tree.runs().compactMap(\.branch)
    var random = TestSeed.generator("TreeIndexUnitTests/moves")
    for _ in 0..<5_000 {
      let branch = branches.randomElement(using: &random)!
      let parent = tree.parent(of: branch)!
      let position = tree.position(of: branch)
      tree.moveChild(at: position, of: parent, to: tree.childCount(of: parent) - 1, of: parent)
    }
    tree.checkInvariants()
    #expect(tree.byteCount < 3 * bytes)
  }

  #if InternalChecks
    /// The nodes that an operation touches grow with the logarithm of the size, whatever the depth.
    @Test func stepsGrowWithTheLogarithm() {
      for isChain in [false, true] {
        var steps: [String: [Int]] = [:]
        for count in [1_000, 32_000] {
          let depths = isChain ? Array(0..<count) : (0..<count).map { $0 % 4 }
          var tree = TreeIndex(depths: depths)
          let branches = tree.runs().compactMap(\.branch)
          let branch = branches[branches.count / 3]
          func measure(_ name: String, _ body: () -> Void) {
            steps[name, default: []].append(StepCount(of: body).total)
          }
          measure("locate") { _ = tree.locate(count / 2) }
          measure("number") { _ = tree.number(of: branch) }
          measure("position") { _ = tree.position(of: branch) }
          measure("insert") { tree.insertLeaves(1, into: branch, at: 0) }
          measure("remove") { tree.removeChildren(0..<1, of: branch) }
          measure("collapse") { tree.collapse(branch) }
          measure("expand") { tree.expand(branch) }
          measure("move") { tree.moveChild(at: 0, of: tree.parent(of: branch)!, to: 0, of: TreeIndex.root) }
        }
        for (name, counts) in steps {
          #expect(counts[1] <= 3 * counts[0] + 40, "\(name) takes \(counts) steps, chain: \(isChain)")
        }
      }
    }
  #endif

  static let misuses = [
    Misuse("The number 1 is out of range 0..<1.") { _ = TreeIndex(leafCount: 1).locate(1) },
    Misuse("The number -1 is out of range 0..<1.") { _ = TreeIndex(leafCount: 1).depth(ofNumber: -1) },
    Misuse("The range 0..<2 is out of range: there are 1 elements, 0..<1.") {
      _ = TreeIndex(leafCount: 1).runs(in: 0..<2)
    },
    Misuse("The position 1 is out of range: the branch has 1 child, 0..<1.") {
      _ = TreeIndex(leafCount: 1).child(at: 1, of: TreeIndex.root)
    },
    Misuse("The position 2 is out of range: the branch has 1 child, 0...1.") {
      var tree = TreeIndex(leafCount: 1)
      tree.insertLeaves(1, into: TreeIndex.root, at: 2)
    },
    Misuse("The range 0..<2 is out of range: the branch has 1 child, 0..<1.") {
      var tree = TreeIndex(leafCount: 1)
      tree.removeChildren(0..<2, of: TreeIndex.root)
    },
    Misuse("A tree index cannot insert -1 leaves.") { _ = TreeIndex(leafCount: -1) },
    Misuse("The number of elements does not fit in an Int.") {
      var tree = TreeIndex(leafCount: .max)
      tree.insertLeaves(1, into: TreeIndex.root, at: 0)
    },
    Misuse("The number of elements does not fit in an Int.") {
      var tree = TreeIndex(leafCount: .max)
      tree.insertLeaves(1, into: tree.makeBranch(at: 7, of: TreeIndex.root), at: 0)
    },
    Misuse("The number of elements does not fit in an Int.") {
      var builder = TreeIndex.Builder()
      builder.appendLeaves(.max)
      builder.openBranch()
    },
    Misuse("The number of elements does not fit in an Int.") {
      var builder = TreeIndex.Builder()
      builder.openBranch()
      builder.closeBranch()
      builder.appendLeaves(.max)
    },
    Misuse("The number of elements does not fit in an Int.") {
      var tree = TreeIndex(leafCount: 1)
      let piece = tree.cutChildren(0..<1, of: TreeIndex.root)
      tree.insertLeaves(.max, into: TreeIndex.root, at: 0)
      tree.paste(piece, into: TreeIndex.root, at: 0)
    },
    Misuse("The number of elements does not fit in an Int.") {
      // The piece does not fit into the leaf of the tree, which has room for four events.
      var tree = TreeIndex(leafCapacity: 4, fanOut: 4)
      let half = Int.max / 2 + 1
      tree.insertLeaves(half, into: TreeIndex.root, at: 0)
      tree.insertBranch(into: TreeIndex.root, at: half)
      let piece = tree.cutChildren(0..<half + 1, of: TreeIndex.root)
      tree.insertLeaves(half, into: TreeIndex.root, at: 0)
      tree.paste(piece, into: TreeIndex.root, at: half)
    },
    Misuse("The number of elements does not fit in an Int.") {
      var tree = TreeIndex(depths: [0, 1])
      let branch = tree.locate(1).parent
      tree.collapse(branch)
      tree.insertLeaves(.max - 1, into: branch, at: 0)
      tree.expand([branch])
    },
    Misuse("The position 9 is out of range: the branch has 3 children, 0...3.") {
      _ = TreeIndex(leafCount: 3).number(ofInsertionAt: 9, into: TreeIndex.root)
    },
    Misuse("The branch 1 is not in the tree index.") {
      var tree = TreeIndex(leafCount: 1)
      let branch = tree.makeBranch(at: 0, of: TreeIndex.root)
      tree.makeLeaf(branch)
      _ = tree.number(of: branch)
    },
    Misuse("The branch 0 is no element: it is the root, or was cut out.") {
      _ = TreeIndex().number(of: TreeIndex.root)
    },
    Misuse("The branch 1 has no forest of its own: it is not collapsed, nor the root, nor was it cut out.") {
      var tree = TreeIndex(leafCount: 1)
      let branch = tree.makeBranch(at: 0, of: TreeIndex.root)
      _ = tree.count(in: branch)
    },
    Misuse("The branch 1 has 1 child, and so cannot become a leaf.") {
      var tree = TreeIndex(depths: [0, 1])
      tree.makeLeaf(tree.locate(1).parent)
    },
    Misuse("The child 0 is a branch, and no leaf.") {
      var tree = TreeIndex(depths: [0, 1])
      tree.removeLeaf(at: 0, of: TreeIndex.root)
    },
    Misuse("The child 0 is a branch already.") {
      var tree = TreeIndex(depths: [0, 1])
      tree.makeBranch(at: 0, of: TreeIndex.root)
    },
    Misuse("The branch 1 is no piece that was cut out.") {
      var tree = TreeIndex(depths: [0, 1])
      tree.paste(tree.locate(1).parent, into: TreeIndex.root, at: 0)
    },
    Misuse("The branch 0 is no piece that was cut out.") {
      var tree = TreeIndex(depths: [0, 1])
      tree.removePiece(TreeIndex.root)
    },
    Misuse("The range 0..<2 is out of range: the branch has 1 child, 0..<1.") {
      _ = TreeIndex(depths: [0, 1]).branches(in: 0..<2, of: TreeIndex.root)
    },
    Misuse("A piece cannot be pasted into the branch 1, which is in it.") {
      var tree = TreeIndex(depths: [0, 1])
      let branch = tree.locate(1).parent
      let piece = tree.cutChildren(0..<1, of: TreeIndex.root)
      tree.paste(piece, into: branch, at: 0)
    },
    Misuse("An element of depth 2 cannot follow one of depth 0.") { _ = TreeIndex(depths: [0, 2]) },
    Misuse("The child counts end before the last child.") { _ = TreeIndex(childCounts: [1]) },
    Misuse("The builder has a branch to close for each that it opened.") {
      var builder = TreeIndex.Builder()
      builder.closeBranch()
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
