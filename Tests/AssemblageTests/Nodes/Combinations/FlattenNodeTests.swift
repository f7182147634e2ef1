@_spi(NodeAuthors) @testable import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@Suite struct FlattenNodeTests: MisuseSuite {
  @Test func theExamplesHold() {
    let fruit = BranchNode(value: "fruit", leaves: ["apple", "pear"])
    let food = BranchNode([.node(fruit), .leaf("bread")])
    let flat = FlattenNode(food)
    #expect(flat.elements == ["apple", "pear", "bread"] && flat.locate(1) == (member: 0, position: 1))
    #expect(flat.locate(2) == (member: 1, position: nil))
    #expect(flat.locate(2).member == 1)
    var received: [ChangeSet] = []
    let token = flat.observe { received.append($0) }
    food.append(BranchNode(leaves: ["milk"]))
    #expect(received == [ChangeSet(.insertion(3..<4))])
    food.move(from: 0, to: 2)
    #expect(received.last == ChangeSet(.move(0..<2, to: 2)))
    #expect(
      flat.elements == ["bread", "milk", "apple", "pear"]
        && "\(flat)" == #"FlattenNode ["bread", "milk", "apple", "pear"]"#)
    token.cancel()
  }

  private enum Operation: CaseIterable {
    case insertLeaf, insertNode, remove, move, replace, leafValue, sectionValue, inside, across, several, below
  }

  /// Returns the rows that a flat list of a branch should show.
  private func rows(of branch: BranchNode<Row>) -> [NaiveTree<Row>] {
    (0..<branch.count).flatMap { position in
      guard let node = branch.child(at: position) else { return [NaiveTree(value: branch.element(at: position))] }
      return NaiveTree(of: node).children
    }
  }

  /// Random edits of the source and of everything below it. The test checks contents, mappings, and every delivery.
  @Test func scriptsAgreeWithAModel() throws {
    var tally = OperationTally<Operation>()
    for iteration in 0..<TestSeed.iterations(15) {
      var generator = TestSeed.generator("flatten-node/script", iteration: iteration)
      var lastID = 0
      func row() -> Row {
        lastID += 1
        return Row(id: lastID)
      }
      func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }
      func section() -> BranchNode<Row> {
        let rows = (0..<random(0..<4)).map { _ in
          random(0..<4) == 0 ? TreeChild.node(BranchNode(value: row(), leaves: [row()])) : .leaf(row())
        }
        return BranchNode(value: random(0..<2) == 0 ? row() : nil, rows)
      }
      let source = BranchNode<Row>((0..<4).map { _ in random(0..<3) == 0 ? .leaf(row()) : .node(section()) })
      let flat = FlattenNode(source)
      let shadow = ShadowTree(of: flat, id: \.id)
      let filter = FilterNode(flat) { $0.id % 2 == 0 }
      let filterShadow = ShadowTree(of: filter, id: \.id)
      let checker = NodeChecker<Row>(id: \.id)
      func edit(_ operation: Operation) -> Bool {
        let place = source.isEmpty ? nil : random(0..<source.count)
        let sections = (0..<source.count).filter { source.child(at: $0) != nil }
        let node = sections.randomElement(using: &generator).flatMap { source.child(at: $0) as? BranchNode<Row> }
        switch operation {
        case .insertLeaf: source.insert(.leaf(row()), at: random(0..<source.count + 1))
        case .insertNode: source.insert(.node(section()), at: random(0..<source.count + 1))
        case .remove:
          guard let place else { return false }
          source.remove(at: place)
        case .move:
          guard let place else { return false }
          source.move(from: place, to: random(0..<source.count))
        case .replace:
          guard let place else { return false }
          source.replace(at: place, with: random(0..<2) == 0 ? .leaf(row()) : .node(section()))
        case .leafValue:
          guard let leaf = source.elements.isEmpty ? nil : place, source.child(at: leaf) == nil else { return false }
          source.replace(at: leaf, with: Row(id: source.element(at: leaf)!.id, version: random(0..<9)))
        case .sectionValue:
          guard let node else { return false }
          node.value = row()
        case .inside:
          guard let node else { return false }
          if node.count > 1, random(0..<3) == 0 {
            node.move(from: 0, to: node.count - 1)
          } else if node.count > 0, random(0..<2) == 0 {
            node.remove(at: random(0..<node.count))
          } else {
            node.insert(.leaf(row()), at: random(0..<node.count + 1))
          }
        case .across:
          guard let from = sections.randomElement(using: &generator),
            let to = sections.randomElement(using: &generator), let count = source.count(at: [from]), count > 0,
            from != to
          else { return false }
          source.move(from: [from, random(0..<count)], to: [to, random(0..<source.count(at: [to])! + 1)])
        case .below:
          guard let node, let inner = (0..<node.count).compactMap({ node.child(at: $0) as? BranchNode<Row> }).first
          else { return false }
          inner.append(.leaf(row()))
        case .several:
          source.performUpdates {
            for _ in 0..<random(1..<5) {
              let next = tally.random(using: &generator)
              if next != .several { _ = edit(next) }
            }
          }
        }
        tally.count(operation)
        return true
      }
      for step in 0..<TestSeed.length(60) {
        let operation = tally.random(using: &generator)
        shadow.minimality = operation == .several ? [.fewestMoves] : .standard
        filterShadow.minimality = shadow.minimality
        guard edit(operation) else { continue }
        let (shown, expected) = (NaiveTree(of: flat).children, rows(of: source))
        #expect(shown == expected, "script \(iteration), step \(step), \(operation)")
        if shown != expected { return }
        try checker.check(flat)
        try shadow.check()
        try filterShadow.check()
      }
    }
    try tally.check()
  }

  /// In a flat list of a group, rows that move from section to section stay the same rows.
  @Test func aFlatGroupFollowsItsRows() throws {
    for iteration in 0..<TestSeed.iterations(12) {
      let script = SourceScript("flatten-node/group", iteration: iteration)
      script.showsAll = false
      let group = GroupNode(script.source, sectionsBy: iteration % 2 == 0 ? { $0 < $1 } : nil) { $0.version }
      let flat = FlattenNode(group)
      let shadow = ShadowTree(of: flat, id: \.id)
      for _ in 0..<TestSeed.length(40) {
        shadow.minimality = [.fewestMoves]
        if !script.step() { shadow.minimality = .standard }
        #expect(NaiveTree(of: flat).children == NaiveTree(of: group).children.flatMap(\.children))
        try shadow.check()
      }
    }
  }

  @Test func aRowThatChangesItsSectionIsMoved() {
    let source = ArrayNode([1, 2, 11])
    let flat = FlattenNode(GroupNode(source, sectionsBy: <) { $0 % 10 })
    var received: [ChangeSet] = []
    let token = flat.observe { received.append($0) }
    source[0] = 3
    #expect(flat.elements == [11, 2, 3])
    #expect(received == [ChangeSet(Delta(updates: [2..<3], moves: [.init(from: 0..<1, to: 2..<3)]))])
    token.cancel()
  }

  /// Children that are derived nodes may translate a change later than the flat list does.
  @Test func membersMayBeDerived() throws {
    let (a, b) = (ArrayNode([1, 2]), ArrayNode([3]))
    let source = BranchNode<Int>([a, b])
    let map = MapNode(source) { $0 * 10 }
    let flat = FlattenNode(map)
    let filter = FilterNode(flat) { $0 > 10 }
    let shadow = ShadowTree(of: filter, id: { $0 })
    a.append(4)
    source.performUpdates {
      b.insert(5, at: 0)
      source.move(from: 1, to: 0)
      a.remove(at: 0)
    }
    source.append(ArrayNode([6, 7]))
    source.remove(at: 1)
    b.replaceAll(with: [8, 3, 9])
    #expect(flat.elements == [80, 30, 90, 60, 70] && filter.elements == flat.elements)
    try shadow.check()
  }

  // MARK: Leaves that become nodes

  /// A node that reports an update of its only child when the child becomes a node or a leaf.
  private final class Switch: TreeNode {
    private let author = NodeAuthor()
    var port: NodePort { author.port }
    var node: ArrayNode<Int>?
    var count: Int { 1 }
    init() { author.attach(to: self) }
    func element(at position: Int) -> Int? { position == 0 ? 7 : nil }
    func child(at position: Int) -> (any TreeNode<Int>)? { position == 0 ? node : nil }
    func set(_ node: ArrayNode<Int>?) {
      author.prepareForChange()
      self.node = node
      author.publish(ChangeSet(.update(0..<1)))
    }
  }

  @Test func aLeafMayBecomeANode() {
    let source = Switch()
    let flat = FlattenNode(source)
    var received: [ChangeSet] = []
    let token = flat.observe { received.append($0) }
    source.set(nil)
    #expect(flat.elements == [7] && received == [ChangeSet(.update(0..<1))])
    source.set(ArrayNode([1, 2, 3]))
    #expect(flat.elements == [1, 2, 3] && received.last == ChangeSet(Delta(removals: [0..<1], insertions: [0..<3])))
    source.set(nil)
    #expect(flat.elements == [7] && received.last == ChangeSet(Delta(removals: [0..<3], insertions: [0..<1])))
    token.cancel()
  }

  // MARK: Writing, undoing

  @Test func writingGoesToTheMembers() {
    let (a, b) = (ArrayNode([1, 2]), ArrayNode([3]))
    let source = BranchNode<Int>([.node(a), .leaf(9), .node(b)])
    let flat = FlattenNode(source)
    flat.insert(0, at: [0])
    flat.insert(4, at: [5])
    #expect(a.elements == [0, 1, 2] && b.elements == [3, 4], "a boundary belongs to the earlier member")
    flat.insert(8, at: [4])
    #expect(flat.elements == [0, 1, 2, 9, 8, 3, 4] && source.count == 4, "behind a leaf stands a leaf")
    flat.move(from: [4], to: [3])
    #expect(source[[1]] == 8)
    flat.replace(at: [3], with: 7)
    flat.replace(at: [6], with: 5)
    #expect(flat.remove(at: [1]).value == 1 && flat.elements == [0, 2, 7, 9, 3, 5])
    var received: [ChangeSet] = []
    let token = flat.observe { received.append($0) }
    flat.move(from: [0], to: [5])
    #expect(b.elements == [3, 5, 0] && received == [ChangeSet(.move(0..<1, to: 5))])
    flat.move(from: [0], to: [3])
    token.cancel()
    let log = UndoLog(of: flat)
    flat.remove(at: [0])
    source.remove(at: 0)
    log.undo()
    log.undo()
    #expect(flat.elements.sorted() == [0, 2, 3, 5, 7, 9])
    while log.redo() {}
    #expect(flat.count == 5)
    let branches = BranchNode<Int>()
    let nodes = FlattenNode(branches)
    nodes.insert(ArrayNode([1]), at: 0)
    #expect(nodes.elements == [1])
  }

  @Test func aRollbackIsSilent() {
    struct Stop: Error {}
    let (a, b) = (BranchNode(leaves: [1, 2]), BranchNode(leaves: [3]))
    let source = BranchNode<Int>([.node(a), .leaf(9), .node(b)])
    let flat = FlattenNode(source)
    var received = 0
    let token = flat.observe { _ in received += 1 }
    #expect(throws: Stop.self) {
      try flat.performUpdates {
        source.move(from: 2, to: 0)
        b.append(.leaf(4))
        source.remove(at: 1)
        source.move([0, 0], into: [], at: 1)
        source.replace(at: 0, with: .leaf(5))
        throw Stop()
      }
    }
    #expect(flat.elements == [1, 2, 9, 3] && received == 0)
    token.cancel()
  }

  /// A body that reads the list, or writes through it, settles the list. The list then reports the edits and their
  /// rollback, which cancel out.
  @Test func aRollbackAfterAReadingIsReplayed() throws {
    struct Stop: Error {}
    let (a, b) = (BranchNode(leaves: [1, 2]), BranchNode(leaves: [3]))
    let source = BranchNode<Int>([.node(a), .leaf(9), .node(b)])
    let flat = FlattenNode(source)
    let shadow = ShadowTree(of: flat, id: \.self, minimality: [])
    #expect(throws: Stop.self) {
      try flat.performUpdates {
        source.move(from: 2, to: 0)
        b.append(.leaf(4))
        source.remove(at: 1)
        flat.move(from: 0, to: 2)
        #expect(flat.elements == [4, 9, 3])
        source.replace(at: 0, with: .leaf(5))
        throw Stop()
      }
    }
    #expect(flat.elements == [1, 2, 9, 3] && shadow.deliveryCount <= 1)
    try shadow.check()
  }

  // MARK: Misuse

  static let misuses = [
    Misuse("FlattenNode: its member 0 is a ProviderNode<Int>, which cannot be written.") {
      FlattenNode(BranchNode([ProviderNode(count: 1) { $0 }])).remove(at: 0)
    },
    Misuse("FlattenNode: its source is a ProviderNode<Int>, which cannot be written.") {
      FlattenNode(ProviderNode(count: 1) { $0 }).remove(at: 0)
    },
    Misuse("A cycle:") {
      let branch = BranchNode<Int>()
      branch.append(FlattenNode(branch))
    },
    Misuse("FlattenNode: the position 1 is out of range 0..<1.") { _ = FlattenNode(ArrayNode([1])).locate(1) },
    Misuse("FlattenNode's source: the position 1 is out of range 0..<1.") {
      _ = FlattenNode(ArrayNode([1])).range(ofMember: 1)
    },
    Misuse("FlattenNode: the position 2 of an insertion is out of range 0...1.") {
      FlattenNode(ArrayNode([1])).insert(2, at: 2)
    },
    Misuse("FlattenNode's member: the position 1 is out of range 0..<1.") {
      _ = FlattenNode(BranchNode([ArrayNode([1])])).position(of: 1, inMember: 0)
    },
    Misuse("FlattenNode: the range 0..<2 is out of range 0..<1.") {
      FlattenNode(ArrayNode([1])).forEachSpan(in: 0..<2) { _, _ in }
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
