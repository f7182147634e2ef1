import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Sections that are observed by themselves. A row stays if it leaves through other sections, or below their rows, and
/// returns.
@Suite struct SectionSurvivalTests {
  private let checker = NodeChecker<Row>(id: \.id)

  private func follow(_ node: any TreeNode<Row>) -> ShadowTree<Row> {
    ShadowTree(of: node, checker: checker, minimality: Self.demands)
  }

  @Test func aPartOfARowThatWentComesBackAlone() throws {
    let source = ForestNode<Row>(leaves: [Row(id: 1)])
    source.insert(ForestNode(value: Row(id: 2), leaves: [Row(id: 3), Row(id: 4)]), at: 1)
    let group = GroupNode(source, header: { Row(id: -1 - $0) }) { $0.version }
    let shadow = follow(group.section(at: 0))
    let recorder = ChangeRecorder(of: shadow.node)
    source.performUpdates {
      source.replace(at: [1], with: Row(id: 2, version: 1))
      source.remove(at: [1, 0])
      source.move(from: [1, 0], to: [0])
    }
    try shadow.check()
    #expect(recorder.recording.changes.map(\.description) == ["[-1, +0] {[1, 1]→[0]}"])
  }

  @Test func aRowThatGoesBelowAnotherComesBackWithIt() throws {
    let row = BranchNode<Row>(value: Row(id: 1, version: 1), leaves: [])
    let source = BranchNode<Row>([.leaf(Row(id: 0)), .leaf(Row(id: 2)), .node(row)])
    let group = GroupNode(source, header: { Row(id: -1 - $0) }) { $0.version }
    let shadow = follow(group.section(at: 0))
    source.performUpdates {
      source.move([1], into: [2], at: 0)
      row.insert(Row(id: 3), at: 0)
      row.value = Row(id: 1)
    }
    try shadow.check()
    #expect(shadow.node.count == 2)
  }

  /// A row may move below a new row that arrives in the same change. So the parent arrives after its child.
  @Test func aRowThatGoesBelowANewOneComesBackAlone() throws {
    let source = ArrayNode([Row(id: 0, version: 9), Row(id: 1, version: 2)])
    let nest = NestNode(source, id: \.id) { $0.version }
    let group = GroupNode(nest, header: { Row(id: -1 - $0) }) { $0.id % 3 }
    let shadow = follow(group.section(at: 1))
    let whole = follow(group)
    #expect(shadow.node.elements.map(\.id) == [1])
    source.append(Row(id: 2, version: 9))
    try shadow.check()
    try whole.check()
    #expect(shadow.node.count == 0 && nest.element(at: [1, 0])?.id == 1)
    source[2] = Row(id: 5, version: 9)
    try shadow.check()
    try whole.check()
    #expect(shadow.node.elements.map(\.id) == [1] && nest.count == 3)
    let deliveries = shadow.deliveryCount
    source.performUpdates {
      source.append(Row(id: 2, version: 9))
      source[3] = Row(id: 8, version: 9)
    }
    try shadow.check()
    try whole.check()
    #expect(shadow.deliveryCount == deliveries, "it went nowhere")
  }

  /// A row lies below another row, which moves to another section. The change that removes the other row returns the
  /// first one.
  @Test func aRowComesBackFromBelowOneThatGoesAway() throws {
    let source = ArrayNode([Row(id: 0), Row(id: 1)])
    let nest = NestNode(source, id: \.id) { $0.id - 1 }
    let group = GroupNode(nest, header: { Row(id: -1 - $0) }) { $0.version }
    let shadow = follow(group.section(at: 0))
    let recorder = ChangeRecorder(of: shadow.node)
    source.performUpdates {
      source[0] = Row(id: 0, version: 1)
      source.remove(at: 0)
    }
    try shadow.check()
    #expect(recorder.recording.changes.map(\.description) == ["[-0, +0] {[0, 0]→[0]}"])
  }

  /// c returns alone from below b, which is in another section since y left. A filter has hidden x beside c.
  @Test(arguments: TreeFilterPolicy.allCases, [false, true])
  func aFilteredSectionKnowsWhatComesBackFromBelowARow(_ policy: TreeFilterPolicy, isBranch: Bool) throws {
    let items = ArrayNode<NestItem>(["a", "y<a", "b<y", "x<b", "c<b"] + (isBranch ? ["d<c"] : []))
    let section = GroupNode(NestItem.nest(items), header: { _ in "h" }) { $0.id == "b" }.section(at: 0)
    let filter = TreeFilterNode(section, policy: policy) { $0.id != "x" }
    let shadow = ShadowTree(of: filter, id: \.id, minimality: [.survivors, .fewestMoves, .acrossParents])
    items.performUpdates {
      items.remove(at: 1)
      items[3] = "c"
    }
    #expect(filter.elements == ["a", "c"] && (filter.child(at: 1) != nil) == isBranch)
    try shadow.check()
  }

  /// A node derived from a section in the tests below. It knows the rows that left the section, and hides a child.
  enum View: CaseIterable {
    case hidingSubtrees, keepingAncestors, keepingDescendants, sort, filterOfSort, outline

    fileprivate func node(of section: any TreeNode<Row>) -> any TreeNode<Row> {
      func filter(_ policy: TreeFilterPolicy) -> any TreeNode<Row> {
        TreeFilterNode(section, policy: policy) { $0.id != 4 }
      }
      switch self {
      case .hidingSubtrees: return filter(.hidingSubtrees)
      case .keepingAncestors: return filter(.keepingAncestors)
      case .keepingDescendants: return filter(.keepingDescendants)
      case .sort: return TreeSortNode(section) { $0.id > $1.id }
      case .filterOfSort: return TreeFilterNode(TreeSortNode(section) { $0.id > $1.id }) { $0.id != 4 }
      case .outline:
        let outline = OutlineNode(section, id: \.id)
        outline.expandAll()
        return outline
      }
    }
  }

  /// Returns the rows 1 and 2, with 3, 4 and 5 below 2, and the section of the rows whose version is 0.
  private func rows() -> (source: ForestNode<Row>, section: any TreeNode<Row>) {
    let source = ForestNode<Row>(leaves: [Row(id: 1)])
    source.insert(ForestNode(value: Row(id: 2), leaves: [Row(id: 3), Row(id: 4), Row(id: 5)]), at: 1)
    return (source, GroupNode(source, header: { Row(id: -1 - $0) }) { $0.version }.section(at: 0))
  }

  /// A row moves to another section and is updated there. Then its last child returns without it.
  @Test(arguments: View.allCases, [0, 1, 2])
  func aPartOfARowThatWasUpdatedElsewhereStays(_ view: View, updates: Int) throws {
    let (source, section) = rows()
    let node = view.node(of: section)
    let shadow = follow(node)
    source.performUpdates {
      source.replace(at: [1], with: Row(id: 2, version: 1))
      for _ in 0..<updates { source.replace(at: [1], with: Row(id: 2, version: 1)) }
      source.move(from: [1, 2], to: [0])
    }
    #expect(node.count == 2)
    try shadow.check()
  }

  /// A row with a node passes through many sections, and returns without its first child.
  @Test(arguments: View.allCases) func aRowThatGoesThroughManySectionsStays(_ view: View) throws {
    let (source, section) = rows()
    let node = view.node(of: section)
    let shadow = follow(node)
    var change = ChangeSet()
    let token = node.observe { change = $0 }
    source.performUpdates {
      for version in 1...100 { source.replace(at: [1], with: Row(id: 2, version: version)) }
      source.remove(at: [1, 0])
      source.replace(at: [1], with: Row(id: 2))
    }
    try shadow.check()
    #expect(shadow.deliveryCount == 1 && change.delta.insertions.isEmpty)
    // The rows of an outline form one level.
    #expect(change.delta.removals.isEmpty == (view != .outline))
    withExtendedLifetime(token) {}
  }

  /// The same, but the row also loses its first child before it returns.
  @Test(arguments: View.allCases) func aRowThatWasUpdatedElsewhereStays(_ view: View) throws {
    let (source, section) = rows()
    let node = view.node(of: section)
    let shadow = follow(node)
    source.performUpdates {
      source.replace(at: [1], with: Row(id: 2, version: 1))
      source.remove(at: [1, 0])
      source.replace(at: [1, 1], with: Row(id: 5, version: 2))
      source.replace(at: [1], with: Row(id: 2, version: 1))
      source.move(from: [1, 1], to: [0])
      source.replace(at: [0], with: Row(id: 5))
      source.replace(at: [2], with: Row(id: 2))
    }
    try shadow.check()
  }

  // MARK: Random changes

  private struct Refusal: Error {}

  private enum Step: String, CaseIterable { case moveRow, moveNode, update, insert, remove, setKey, undo, rollBack }

  private static let demands: Minimality = [.survivors, .fewestMoves, .acrossParents]

  /// A grouped tree and another tree, between which rows and nodes move, with views of some sections.
  private struct World {
    let root: BranchNode<Row>
    let log: UndoLog
    let groups: [GroupNode<Row, Int>]
    var shadows: [ShadowTree<Row>] = []
    var nextID = 0

    init(_ generator: inout SeededGenerator, _ follow: (any TreeNode<Row>) -> ShadowTree<Row>) {
      var id = 0
      func rows(_ count: Int) -> [Row] {
        id += count
        return (id - count..<id).map { Row(id: $0, version: $0) }
      }
      func branch(_ depth: Int) -> BranchNode<Row> {
        var children = rows(2).map { TreeChild<Row>.leaf($0) }
        if depth > 0 { children.append(.node(branch(depth - 1))) }
        return BranchNode(value: rows(1)[0], children)
      }
      var children = rows(3).map { TreeChild<Row>.leaf($0) }
      for depth in [1, 0, 0] { children.append(.node(branch(depth))) }
      let source = BranchNode<Row>(children)
      root = BranchNode([source, branch(1)])
      log = UndoLog(of: root)
      let key: (Row) -> Int? = { $0.version % 3 }
      let map = MapNode(source) { Row(id: $0.id + 1_000, version: $0.version) }
      let sources: [any TreeNode<Row>] = [source, map]
      groups = sources.map { GroupNode($0, header: { Row(id: -1 - $0) }, by: key) }
      nextID = id
      for group in groups {
        let sections = (0..<group.count).map { group.section(at: $0) }
        for section in sections where generator.chance(1, in: 3) {
          shadows.append(follow(section))
          if generator.chance(1, in: 3) { shadows.append(follow(FilterNode(section) { $0.id % 5 > 0 })) }
          if generator.chance(1, in: 3) { shadows.append(follow(DescendantsNode(section))) }
          if generator.chance(1, in: 3) {
            shadows.append(follow(MapNode(section) { Row(id: $0.id + 5_000, version: $0.version) }))
          }
        }
        if generator.chance(1, in: 3) { shadows.append(follow(JoinNode([sections[0], sections[2]]))) }
        if generator.chance(1, in: 5) { shadows.append(follow(group)) }
      }
      guard generator.chance(1, in: 3) else { return }
      shadows.append(follow(BranchNode([groups[0].section(at: 1), root.child(at: 1)!])))
    }

    /// Returns the paths of all nodes, and of all rows that are no nodes. The root's own children are among the nodes.
    private func paths() -> (nodes: [IndexPath], leaves: [IndexPath]) {
      var (nodes, leaves): ([IndexPath], [IndexPath]) = ([], [])
      func add(_ node: any TreeNode<Row>, _ path: IndexPath) {
        nodes.append(path)
        for position in 0..<node.count {
          if let child = node.child(at: position) {
            add(child, path.appending(position))
          } else {
            leaves.append(path.appending(position))
          }
        }
      }
      for position in 0..<root.count { add(root.child(at: position)!, [position]) }
      return (nodes, leaves)
    }

    mutating func step(_ step: Step, using generator: inout SeededGenerator) -> Bool {
      let (nodes, leaves) = paths()
      let inner = nodes.filter { $0.count > 1 }
      func move(_ path: IndexPath) -> Bool {
        let goals = nodes.filter { !$0.starts(with: path) && $0 != path.dropLast() }
        guard let goal = goals.randomElement(using: &generator) else { return false }
        root.move(path, into: goal, at: Int.random(in: 0...root.child(at: goal)!.count, using: &generator))
        return true
      }
      switch step {
      case .moveRow:
        guard let leaf = leaves.randomElement(using: &generator) else { return false }
        return move(leaf)
      case .moveNode:
        guard let path = inner.randomElement(using: &generator) else { return false }
        return move(path)
      case .update:
        guard let path = (inner + leaves).randomElement(using: &generator) else { return false }
        if let node = root.child(at: path) as? BranchNode<Row> {
          node.value!.version += Int.random(in: 1...2, using: &generator)
        } else {
          var row = root[path]!
          row.version += Int.random(in: 1...2, using: &generator)
          root.replace(at: path, with: row)
        }
      case .insert:
        guard let path = nodes.randomElement(using: &generator) else { return false }
        root.insert(Row(id: nextID, version: nextID), at: path.appending(0))
        nextID += 1
      case .remove:
        guard let path = leaves.randomElement(using: &generator) else { return false }
        root.remove(at: path)
      case .setKey:
        let offset = Int.random(in: 0..<3, using: &generator)
        for group in groups { group.setKey { ($0.version + offset) % 3 } }
      case .undo, .rollBack: return false
      }
      return true
    }
  }

  @Test func randomChangesAreMinimalInEachSection() throws {
    var tally = OperationTally<Step>()
    let steps: [Step] = [.moveRow, .moveRow, .moveNode, .update, .update, .update, .update, .insert, .remove]
    for iteration in 0..<TestSeed.iterations(80) {
      var generator = TestSeed.generator("sections", iteration: iteration)
      var world = World(&generator, follow)
      func make(_ step: Step) { if world.step(step, using: &generator) { tally.count(step) } }
      func run(_ count: Int) { for _ in 0..<count { make(steps.randomElement(using: &generator)!) } }
      for _ in 0..<6 {
        // Each setting of a key is a settlement of its own. Within a transaction, the setting divides the reported
        // change.
        let isDivided = generator.chance(1, in: 6)
        for shadow in world.shadows { shadow.minimality = isDivided ? [] : Self.demands }
        if generator.chance(1, in: 4) { make(.setKey) }
        let count = world.log.undoCount
        world.root.performUpdates {
          if isDivided {
            run(1)
            make(.setKey)
          }
          run(Int.random(in: 1...3, using: &generator))
          if generator.chance(1, in: 3) {
            tally.count(.rollBack)
            try? world.root.performUpdates {
              run(2)
              throw Refusal()
            }
            run(1)
          }
        }
        for shadow in world.shadows { try shadow.check() }
        for shadow in world.shadows { shadow.minimality = Self.demands }
        guard world.log.undoCount > count, generator.chance(1, in: 2) else { continue }
        tally.count(.undo)
        world.log.undo()
        for shadow in world.shadows { try shadow.check() }
        if generator.chance(1, in: 2) { world.log.redo() }
        for shadow in world.shadows { try shadow.check() }
      }
    }
    try tally.check()
  }
}
