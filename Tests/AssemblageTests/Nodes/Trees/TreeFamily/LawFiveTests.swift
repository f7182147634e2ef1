@testable import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Random worlds of moves, insertions, removals and updates. Observers are at the roots of tree views, at their parts,
/// and at views of one branch.
@Suite struct LawFiveTests {
  struct Item: Equatable, CustomStringConvertible {
    let id: Int
    var version: Int
    var description: String { version == 0 ? "\(id)" : "\(id).\(version)" }
  }

  enum View: CaseIterable { case hiding, ancestors, descendants, sort, sortOfFilter, filterOfSort, filterOfFilter }
  static let demands: Minimality = [.survivors, .acrossParents]

  static func view(_ kind: View, _ source: any TreeNode<Item>) -> any TreeNode<Item> {
    let passes: (Item) -> Bool = { $0.version % 2 == 0 }
    let precedes: (Item, Item) -> Bool = { ($0.id * 7 + $0.version) % 11 < ($1.id * 7 + $1.version) % 11 }
    return switch kind {
    case .hiding: TreeFilterNode(source, policy: .hidingSubtrees, where: passes)
    case .ancestors: TreeFilterNode(source, where: passes)
    case .descendants: TreeFilterNode(source, policy: .keepingDescendants, where: passes)
    case .sort: TreeSortNode(source, by: precedes)
    case .sortOfFilter: TreeSortNode(TreeFilterNode(source, where: passes), by: precedes)
    case .filterOfSort: TreeFilterNode(TreeSortNode(source, by: precedes), policy: .keepingDescendants, where: passes)
    case .filterOfFilter:
      TreeFilterNode(TreeFilterNode(source, policy: .hidingSubtrees, where: passes)) { $0.id % 3 > 0 }
    }
  }

  struct World {
    var generator: SeededGenerator
    let root: any TreeNode<Item>
    let forest: ForestNode<Item>?
    /// The edits of the last step.
    private(set) var trace: [String] = []
    private var lastID = 0

    init(iteration: Int, isForest: Bool, _ name: String) throws {
      generator = TestSeed.generator("law five \(isForest) \(name)", iteration: iteration)
      if isForest {
        forest = ForestNode<Item>()
        root = forest!
      } else {
        forest = nil
        root = BranchNode<Item>()
      }
      for _ in 0..<Int.random(in: 4...20, using: &generator) { insert() }
    }

    private mutating func item() -> Item {
      lastID += 1
      return Item(id: lastID, version: Int.random(in: 0...2, using: &generator))
    }

    private mutating func items() -> [Item] { (0..<Int.random(in: 0...2, using: &generator)).map { _ in item() } }

    /// Returns all paths of elements, and the paths of branches including the root's.
    func paths() -> (all: [IndexPath], branches: [IndexPath]) {
      var (all, branches): ([IndexPath], [IndexPath]) = ([], [[]])
      func visit(_ node: any TreeNode<Item>, _ path: IndexPath) {
        for position in 0..<node.count {
          all.append(path + [position])
          if let child = node.child(at: position) {
            branches.append(path + [position])
            visit(child, path + [position])
          }
        }
      }
      visit(root, [])
      return (all, branches)
    }

    func node(_ path: IndexPath) -> any TreeNode<Item> { path.reduce(root) { $0.child(at: $1)! } }

    private mutating func insert() {
      let parent = paths().branches.randomElement(using: &generator)!
      let node = node(parent)
      let position = Int.random(in: 0...node.count, using: &generator)
      trace.append("insert \(parent) \(position)")
      let isBranch = Bool.random(using: &generator)
      if let forest {
        if isBranch {
          (node as! ForestNode<Item>).insert(ForestNode(value: item(), leaves: items()), at: position)
        } else {
          forest.insert(item(), at: parent + [position])
        }
      } else {
        let child = isBranch ? TreeChild.node(BranchNode(value: item(), leaves: items())) : .leaf(item())
        (node as! BranchNode<Item>).insert(child, at: position)
      }
    }

    /// Makes a step of `count` edits; several edits are one transaction.
    mutating func step(of count: Int) {
      trace = ["\(NaiveTree(of: root))"]
      if count == 1 { return edit(isOnly: true) }
      root.performUpdates { for _ in 0..<count { edit(isOnly: false) } }
    }

    private mutating func edit(isOnly: Bool) {
      let (all, branches) = paths()
      guard let path = all.randomElement(using: &generator) else { return insert() }
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: insert()
      case 1:
        trace.append("remove \(path)")
        (root as! any WritableNode<Item>).remove(at: path)
      case 2, 3, 4:
        let parent = node(path.dropLast())
        var item = parent.element(at: path.last!)!
        item.version += 1
        trace.append("update \(path) \(item)")
        if let child = parent.child(at: path.last!) as? BranchNode<Item> {
          child.value = item
        } else {
          (root as! any WritableNode<Item>).replace(at: path, with: item)
        }
      case 5:
        guard let forest, let parent = node(path.dropLast()) as? ForestNode<Item> else { return }
        trace.append("turn \(path)")
        if let child = forest.child(at: path) {
          if child.isEmpty, isOnly { parent.turnIntoLeaf(at: path.last!) }
        } else {
          parent.turnIntoBranch(at: path.last!)
        }
      default:
        let goal = branches.filter { !$0.starts(with: path) }.randomElement(using: &generator)!
        let position = Int.random(in: 0...node(goal).count, using: &generator)
        trace.append("move \(path) \(goal) \(position)")
        (root as! any WritableNode<Item>).move(path, into: goal, at: position)
      }
    }
  }

  @Test(arguments: View.allCases, [false, true]) func survivorsStay(_ kind: View, isForest: Bool) throws {
    let checker = NodeChecker<Item>(id: \.id).allowingEmptyLeaves()
    for iteration in 0..<TestSeed.iterations(5) {
      var world = try World(iteration: iteration, isForest: isForest, "\(kind)")
      let whole = Self.view(kind, world.root)
      let shadow = ShadowTree(of: whole, checker: checker, minimality: Self.demands)
      var parts: [(node: any TreeNode<Item>, shadow: ShadowTree<Item>)] = []
      let count = Int.random(in: 1...16, using: &world.generator)
      for step in 0..<12 {
        // Parts, and views of one branch, join the observed nodes.
        if parts.count < 6 {
          var node = whole
          var found: [any TreeNode<Item>] = []
          while let next = (0..<node.count).compactMap({ node.child(at: $0) }).randomElement(using: &world.generator) {
            found.append(next)
            node = next
          }
          if let part = found.randomElement(using: &world.generator), !parts.contains(where: { $0.node === part }) {
            parts.append((part, ShadowTree(of: part, checker: checker, minimality: Self.demands)))
            if parts.count % 3 == 0 {
              let join = JoinNode([parts[0].node, part])
              parts.append((join, ShadowTree(of: join, checker: checker, minimality: [])))
            }
          }
          if !isForest, let path = world.paths().branches.dropFirst().randomElement(using: &world.generator) {
            let view = Self.view(kind, world.node(path))
            parts.append((view, ShadowTree(of: view, checker: checker, minimality: Self.demands)))
          }
        }
        world.step(of: count)
        do {
          try shadow.check()
          for part in parts { try part.shadow.check() }
          try #require(NaiveTree(of: whole) == NaiveTree(of: Self.view(kind, world.root)))
          for case let part as TreeFilterNode<Item> in parts.map(\.node) where part.value != nil {
            try #require((0..<part.count).map { part.element(at: $0) } == part.elements.map { $0 })
          }
        } catch {
          Issue.record(error, "iteration \(iteration), step \(step): \(world.trace.joined(separator: "\n"))")
          throw error
        }
      }
    }
  }
}
