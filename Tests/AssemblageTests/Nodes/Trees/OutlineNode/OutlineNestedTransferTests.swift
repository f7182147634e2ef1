import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Transactions in which transfers begin and end inside each other: a folder moves, and its children move elsewhere.
///
/// Outlines and lists of all descendants have one index space of rows. So each of them has to divide the rows and join
/// them again.
@Suite struct OutlineNestedTransferTests {
  private static let demands: Minimality = [.survivors, .fewestMoves, .acrossParents]

  /// The tree of an outline.
  enum Tree: CaseIterable {
    case forest, branches, map, keepingAncestors, keepingDescendants, hidingSubtrees, sort, sortOfFilter
    case branchesSorted, branchesKeepingDescendants

    var isForest: Bool {
      switch self {
      case .branches, .map, .branchesSorted, .branchesKeepingDescendants: false
      default: true
      }
    }

    func root(_ source: any TreeNode<Row>) -> any TreeNode<Row> {
      func passes(_ row: Row) -> Bool { row.id % 4 != 0 && row.version != 1 }
      func precedes(_ left: Row, _ right: Row) -> Bool { (left.version, left.id) < (right.version, right.id) }
      return switch self {
      case .forest, .branches: source
      case .map: MapNode(source) { $0 }
      case .keepingAncestors: TreeFilterNode(source, where: passes)
      case .keepingDescendants, .branchesKeepingDescendants:
        TreeFilterNode(source, policy: .keepingDescendants, where: passes)
      case .hidingSubtrees: TreeFilterNode(source, policy: .hidingSubtrees, where: passes)
      case .sort, .branchesSorted: TreeSortNode(source, by: precedes)
      case .sortOfFilter: TreeSortNode(TreeFilterNode(source, policy: .hidingSubtrees, where: passes), by: precedes)
      }
    }
  }

  /// A random tree, and edits of it.
  private struct World {
    var generator: SeededGenerator
    let source: any WritableNode<Row>
    private(set) var lastID = 0
    private(set) var trace: [String] = []

    init(_ tree: Tree, edits: Int, iteration: Int) throws {
      var generator = TestSeed.generator("nested transfers \(tree) \(edits)", iteration: iteration)
      var lastID = 0
      func random(_ height: Int) -> TreeSnapshot<Row> {
        lastID += 1
        let row = Row(id: lastID)
        if height == 0 || generator.chance(1, in: 4) { return TreeSnapshot(leaf: row) }
        let count = Int.random(in: 0...3, using: &generator)
        return TreeSnapshot(value: row, children: (0..<count).map { _ in random(height - 1) })
      }
      func child(_ place: TreeSnapshot<Row>) -> TreeChild<Row> {
        place.isNode ? .node(BranchNode(value: place.value, place.children.map(child))) : .leaf(place.value!)
      }
      let start = TreeSnapshot(children: (0..<4).map { _ in random(4) })
      source = tree.isForest ? try ForestNode(start) : BranchNode(start.children.map(child))
      (self.generator, self.lastID) = (generator, lastID)
    }

    /// Returns another expansion of a random outline.
    mutating func expansion() -> ExpansionState<Int> {
      var expansion = ExpansionState<Int>(policy: generator.chance(1, in: 2) ? .collapsed : .expanded)
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        expansion.choose(generator.chance(1, in: 2), for: Int.random(in: 1...lastID, using: &generator))
      }
      return expansion
    }

    /// Changes the expansion in a random way.
    mutating func changeExpansion(of outline: OutlineNode<Row, Int>) {
      guard outline.count > 0 else { return }
      let row = Int.random(in: 0..<outline.count, using: &generator)
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: outline.expandAll()
      case 1: outline.collapseAll()
      case 2:
        let paths = TreeSnapshot(of: outline.root).paths.dropFirst()
        outline.reveal(IndexPath(indexes: paths.randomElement(using: &generator)!))
      case 3:
        var expansion = outline.expansion
        if let id = outline.element(at: row)?.id { expansion.choose(generator.chance(1, in: 2), for: id) }
        outline.expansion = expansion
      default: outline.toggle(row: row)
      }
    }

    mutating func edit() {
      let paths = TreeSnapshot(of: source).paths.dropFirst().map { IndexPath(indexes: $0) }
      let parents = [IndexPath()] + paths.filter { source.child(at: $0) != nil }
      let goal = parents.randomElement(using: &generator)!
      let position = Int.random(in: 0...source.child(at: goal)!.count, using: &generator)
      let kind = Int.random(in: 0..<8, using: &generator)
      guard kind > 0, let path = paths.randomElement(using: &generator) else {
        lastID += 1
        trace.append("insert \(lastID) at \(goal), \(position)")
        return source.insert(Row(id: lastID), at: goal.appending(position))
      }
      let parent = source.child(at: path.dropLast())!
      switch kind {
      case 1:
        trace.append("remove \(path)")
        source.remove(at: path)
      case 2:
        trace.append("update \(path)")
        var row = parent.element(at: path.last!)!
        row.version += 1
        source.replace(at: path, with: row)
      case 3:
        let destination = path.dropLast().appending(Int.random(in: 0..<parent.count, using: &generator))
        trace.append("move \(path) to \(destination)")
        source.move(from: path, to: destination)
      default:
        guard !goal.starts(with: path) else { return }
        trace.append("move \(path) into \(goal), \(position)")
        source.move(path, into: goal, at: position)
      }
    }

    mutating func transaction(_ count: Int) {
      trace = ["\(TreeSnapshot(of: source))"]
      source.performUpdates { for _ in 0..<count { edit() } }
    }
  }

  @Test(arguments: Tree.allCases, [1, 3, 16]) func rowsSurvive(_ tree: Tree, edits: Int) throws {
    for iteration in 0..<TestSeed.iterations(2) {
      var world = try World(tree, edits: edits, iteration: iteration)
      let root = tree.root(world.source)
      let outline = OutlineNode(root, expansion: world.expansion(), id: \.id)
      let lists = [DescendantsNode<Row>.Scope.all, .leaves].map { DescendantsNode(root, $0) }
      let nodes: [any TreeNode<Row>] = [root, outline] + lists
      let shadows = nodes.map { ShadowTree(of: $0, id: \.id, minimality: Self.demands) }
      func check() throws {
        let fresh = OutlineNode(root, expansion: outline.expansion, id: \.id)
        try #require(outline.rows(in: 0..<outline.count) == fresh.rows(in: 0..<fresh.count))
        for (list, kind) in zip(lists, [DescendantsNode<Row>.Scope.all, .leaves]) {
          try #require(list.elements == DescendantsNode(root, kind).elements)
        }
        for shadow in shadows { try shadow.check() }
      }
      do {
        for _ in 0..<5 {
          for _ in 0..<Int.random(in: 0...2, using: &world.generator) { world.changeExpansion(of: outline) }
          try check()
          world.transaction(edits)
          try check()
        }
      } catch {
        Issue.record(error, "iteration \(iteration): \(world.trace.joined(separator: "\n"))")
        throw error
      }
    }
  }

  /// Three rows of a nest get other parents in one transaction. The row 14 leaves a place below 11, which leaves a
  /// place below 14.
  ///
  /// The process ended with "no piece that was cut out" when an outline cut one transfer after the other.
  @Test(arguments: [ExpansionPolicy.collapsed, .expanded])
  func aFolderMovesIntoOneOfItsDescendants(_ policy: ExpansionPolicy) throws {
    struct Item: Hashable {
      let id: Int
      var parent: Int?
    }
    let items = ArrayNode<Item>([
      Item(id: 7, parent: 11), Item(id: 9), Item(id: 11, parent: 14), Item(id: 12), Item(id: 14),
    ])
    let nest = NestNode(items, id: \.id, parent: \.parent)
    let outline = OutlineNode(nest, expansion: ExpansionState(policy: policy), id: \.id)
    let nodes: [any TreeNode<Item>] = [nest, outline]
    let shadows = nodes.map { ShadowTree(of: $0, id: \.id, minimality: Self.demands) }
    items.performUpdates {
      items[0].parent = 9
      items[2].parent = 12
      items[4].parent = 11
    }
    for shadow in shadows { try shadow.check() }
    #expect(outline.elements.map(\.id) == (policy == .expanded ? [9, 7, 12, 11, 14] : [9, 12]))
    outline.expandAll()
    #expect(outline.elements.map(\.id) == [9, 7, 12, 11, 14])
  }
}
