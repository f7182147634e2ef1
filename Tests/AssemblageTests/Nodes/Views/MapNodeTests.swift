@_spi(NodeAuthors) @testable import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@Suite struct MapNodeTests: MisuseSuite {
  @Test func theExamplesHold() {
    let sizes = ArrayNode([512, 2_048])
    let labels = MapNode(sizes) { "\($0) B" }
    #expect(labels.elements == ["512 B", "2048 B"])
    var received: [ChangeSet] = []
    let token = labels.observe { received.append($0) }
    sizes.append(16)
    #expect(received == [ChangeSet(.insertion(2..<3))] && labels.elements.last == "16 B")
    token.cancel()

    let celsius = ArrayNode([0.0, 100.0])
    let fahrenheit = MapNode(celsius, { $0 * 1.8 + 32 }, inverse: { ($0 - 32) / 1.8 })
    fahrenheit.insert(50, at: [1])
    #expect(celsius.elements == [0, 10, 100] && fahrenheit.elements == [32, 50, 212])
  }

  /// Returns whether a node shows another node's values transformed, at every depth.
  private func agrees(_ node: any TreeNode<String>, _ source: any TreeNode<Row>) -> Bool {
    guard node.count == source.count, node.value == source.value.map(\.description) else { return false }
    return (0..<source.count).allSatisfy { position in
      guard node.element(at: position) == source.element(at: position)?.description else { return false }
      switch (node.child(at: position), source.child(at: position)) {
      case (nil, nil): return true
      case (let child?, let original?): return child === node.child(at: position) && agrees(child, original)
      default: return false
      }
    }
  }

  /// Random edits of the source, at both depths. The test checks the contents and every delivery.
  @Test func scriptsAgreeWithAModel() throws {
    let checker = NodeChecker<String>(id: { $0.prefix { $0 != "v" } })
    for iteration in 0..<TestSeed.iterations(15) {
      let script = SourceScript("map-node/script", iteration: iteration)
      let node = MapNode(script.source) { $0.description }
      let shadow = ShadowTree(of: node, checker: checker)
      let above = JoinNode([FilterNode(node) { $0.count > 1 }, node])
      let shadowAbove = ShadowTree(of: above, checker: checker)
      for step in 0..<TestSeed.length(60) {
        script.step()
        #expect(agrees(node, script.source), "script \(iteration), step \(step)")
        try shadow.check()
        try shadowAbove.check()
        try checker.check(node)
      }
    }
  }

  /// A map shows other elements than its source. If both are shown, they are different elements.
  @Test func aChildThatLeavesAMapIsAnotherElementWithoutIt() {
    let mapped = ArrayNode([1, 2])
    let plain = ArrayNode([3])
    let source = BranchNode([mapped, plain])
    let beside = JoinNode<Int>([MapNode(mapped) { $0 * 10 }, plain])
    let alike = JoinNode<Int>([MapNode(source) { $0 * 10 }])
    var received: [ChangeSet] = []
    let tokens = [beside, alike].map { $0.observe { received.append($0) } }
    source.move(from: [0, 0], to: [1, 1])
    #expect(beside.elements == [20, 3, 1])
    #expect(received.first == ChangeSet(Delta(removals: [0..<1], insertions: [2..<3])))
    #expect(
      received.last?.transfers.map(\.source) == [[0, 0]] && received.last?.transfers.map(\.destination) == [[1, 1]])
    withExtendedLifetime(tokens) {}
  }

  /// A slice shows only one end of a move inside a mapped tree. The other end, in the tree itself, is another element.
  ///
  /// Found by the fuzzer: seed 9870012, script 156.
  @Test func aSliceOfAMapDoesNotHandAChildToTheSource() throws {
    let folder = BranchNode(value: 100, leaves: [101, 102])
    let folders = BranchNode<Int>([.node(folder), .leaf(103)])
    let slice = SliceNode(MapNode(folders) { -$0 }, 1..<2)
    let root = BranchNode<Int>([.node(folder), .node(slice)])
    let shadow = ShadowTree(of: root, id: { $0 })
    var received: [ChangeSet] = []
    let token = root.observe { received.append($0) }
    folders.move(from: [1], to: [0, 0])
    try shadow.check()
    #expect(received.map(\.transfers.count) == [0])
    #expect(folder.elements == [103, 101, 102] && slice.isEmpty)
    withExtendedLifetime(token) {}
  }

  /// Two slices of one map show both ends of a move.
  @Test func aChildMovesBetweenSlicesOfAMap() throws {
    let folders = BranchNode([BranchNode(value: 1, leaves: [2, 3]), BranchNode(value: 4, leaves: [5])])
    let map = MapNode(folders) { -$0 }
    let root = BranchNode<Int>([.node(SliceNode(map, 0..<1)), .node(SliceNode(map, 1..<2))])
    let shadow = ShadowTree(of: root, id: { $0 })
    var received: [ChangeSet] = []
    let token = root.observe { received.append($0) }
    folders.move(from: [0, 0], to: [1, 1])
    try shadow.check()
    #expect(received.first?.transfers.map(\.source) == [[0, 0, 0]])
    #expect(received.first?.transfers.map(\.destination) == [[1, 0, 1]])
    withExtendedLifetime(token) {}
  }

  // MARK: Children that are nodes

  @Test func aMappedChildIsTheSameWhileItLives() throws {
    try withLifetimeTracking { tracker in
      let section = BranchNode(value: 2, leaves: [3])
      let source = BranchNode([.leaf(1), .node(section)])
      let node = MapNode(source) { $0 * 10 }
      #expect(node.child(at: 0) == nil && node.child(at: 2) == nil && node.child(at: -1) == nil)
      var child = node.child(at: 1)
      #expect(child === node.child(at: [1]) && child?.elements == [30] && child?.value == 20)
      tracker.expectRelease(of: child!, "the mapped child")
      var received: [ChangeSet] = []
      var token = child?.observe { received.append($0) }
      source.move(from: 1, to: 0)
      #expect(child === node.child(at: 0))
      section.append(.leaf(4))
      source.remove(at: 0)
      section.value = 5
      #expect(received == [ChangeSet(.insertion(1..<2)), ChangeSet(updatesValue: true)])
      #expect(child?.elements == [30, 40] && child?.value == 50)
      token = nil
      child = nil
      // Another node is made when the child is requested again.
      source.append(section)
      #expect(node.child(at: 1)?.elements == [30, 40])
      withExtendedLifetime(token) {}
    }
  }

  @Test func changesBelowAreReceived() {
    let section = ArrayNode([1])
    let source = BranchNode([section])
    let node = MapNode(source) { -$0 }
    var received: [ChangeSet] = []
    let token = node.observe { received.append($0) }
    section.append(2)
    #expect(received == [ChangeSet(.insertion(1..<2)).wrapped(at: 0)] && node[[0, 1]] == -2)
    token.cancel()
  }

  /// A mapped child agrees with its parent's reported change, before its own source has notified it.
  ///
  /// A row of a mapped view is another row than in its source. So a row does not move between them.
  @Test(arguments: TreeFilterPolicy.allCases, 1...4)
  func aMappedFilteredTreeIsShownAtEveryDepth(_ policy: TreeFilterPolicy, folders: Int) throws {
    let root = BranchNode<Int>()
    for number in stride(from: 10, through: 10 * folders, by: 10) {
      root.append(.node(BranchNode(value: number, leaves: number + 1...number + 3)))
    }
    let filter = TreeFilterNode(root, policy: policy) { $0 % 10 != 1 }
    let mapped = MapNode(filter, { -$0 })
    let checks = [
      ShadowTree(of: TreeFilterNode(mapped) { $0 < 0 }, id: { $0 }),
      ShadowTree(of: OutlineNode(mapped, expansion: ExpansionState(policy: .expanded), id: { $0 }), id: { $0 }),
    ]
    filter.setPredicate { $0 % 10 < 3 }
    for shadow in checks { try shadow.check() }
    filter.performUpdates {
      root.append(.leaf(7))
      filter.setPredicate { $0 % 10 < 2 || $0 == 7 }
    }
    for shadow in checks { try shadow.check() }
  }

  @Test func rowsMoveWithinOneViewOnly() throws {
    let source = ArrayNode([Row(id: 300)])
    let other = ArrayNode([Row(id: 400)])
    let plain = BranchNode<Row>([source, other])
    let mapped = MapNode(plain) { Row(id: $0.id, version: $0.version + 1) }
    let root = BranchNode<Row>([mapped, plain])
    let shadow = ShadowTree(of: root, id: \.id)
    var received: [ChangeSet] = []
    let token = root.observe { received.append($0) }
    plain.move(from: [0, 0], to: [1, 1])
    try shadow.check()
    #expect(received.last?.transfers.map(\.source) == [[0, 0, 0], [1, 0, 0]])
    #expect(received.last?.transfers.map(\.destination) == [[0, 1, 1], [1, 1, 1]])
    token.cancel()

    let joined = JoinNode<Row>([MapNode(source) { Row(id: $0.id, version: $0.version + 1) }, source, other])
    let second = ShadowTree(of: joined, id: \.id)
    plain.move(from: [1, 0], to: [0, 0])
    try second.check()
    #expect(joined.elements.map(\.version) == [1, 0, 0])
  }

  @Test(.smallStack) func aDeepTreeIsMappedAndReleased() {
    var branch = BranchNode(leaves: [0])
    for depth in 1...TallTree.depth { branch = BranchNode([.leaf(depth), .node(branch)]) }
    let node = MapNode(branch) { $0 + 1 }
    var lowest: any TreeNode<Int> = node
    while let next = lowest.child(at: 1) { lowest = next }
    #expect(lowest.elements == [1] && node.element(at: 0) == TallTree.depth + 1)
  }

  @Test func aMappedChildKeepsTheClosure() throws {
    try withLifetimeTracking { tracker in
      var node: MapNode<Int, Int>? = MapNode(BranchNode([BranchNode(leaves: [1])])) {
        [factor = tracker.track(2)] in $0 * factor.payload
      }
      tracker.expectRelease(of: node!, "the mapped node")
      let child = node!.child(at: 0)
      node = nil
      #expect(child?.elements == [2] && tracker.liveCount == 1)
    }
  }

  // MARK: Writing

  @Test func writingGoesToTheSource() {
    let section = BranchNode(value: 5, leaves: [6])
    let source = BranchNode([.leaf(1), .leaf(2), .node(section)])
    let node = MapNode(source, { String($0) }, inverse: { Int($0)! })
    node.insert("7", at: [1])
    node.replace(at: [0], with: "8")
    #expect(node.remove(at: [2]).value == "2")
    #expect(source.elements == [8, 7, 5])
    node.move(from: [0], to: [1])
    node.insert("9", at: [2, 0])
    #expect(source.elements == [7, 8, 5] && section.elements == [9, 6])
    var received: [ChangeSet] = []
    let token = node.observe { received.append($0) }
    node.move(from: [2, 0], to: [0])
    #expect(source.elements == [9, 7, 8, 5] && received.last?.transfers.map(\.destination) == [[0]])
    // A child that is a node keeps its own contents.
    let other = BranchNode<Int>()
    source.insert(.node(other), at: 0)
    node.move(from: [4], to: [0, 0])
    #expect(other.child(at: 0) === section && node[[0, 0, 0]] == "6")
    #expect(node.writer?.count == 4 && node.writer?.value == nil && node.writer?.elements == ["9", "7", "8"])
    #expect(node.writer?.child(at: 0) === node.child(at: 0))
    token.cancel()
  }

  @Test func withoutAnInverseNothingIsWritten() {
    #expect(MapNode(ArrayNode([1]), negated).writer == nil)
    #expect(MapNode(ProviderNode(count: 1) { $0 }, negated, inverse: negated).writer == nil)
  }

  static let misuses = [
    Misuse("The path [0] leads into a MapNode<Int, Int>, which cannot be written.") {
      MapNode(ArrayNode([1]), negated).remove(at: [0])
    },
    Misuse("MapNode: the node ArrayNode [1] cannot be inserted") {
      MapNode(BranchNode(leaves: [1]), negated, inverse: negated).writer?.insert(ArrayNode([1]), at: 0)
    },
    Misuse("MapNode: the position 2 of an insertion is out of range 0...1.") {
      MapNode(ArrayNode([1]), negated, inverse: negated).writer?.insert(2, at: 2)
    },
    Misuse("MapNode: the position 1 is out of range 0..<1.") {
      MapNode(ArrayNode([1]), negated, inverse: negated).writer?.replace(at: 1, with: 2)
    },
    Misuse("MapNode: the range 0..<2 is out of range 0..<1.") {
      MapNode(ArrayNode([1]), negated).forEachSpan(in: 0..<2) { _, _ in }
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}

private func negated(_ number: Int) -> Int { -number }
