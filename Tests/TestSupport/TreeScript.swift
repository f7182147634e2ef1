public import Assemblage
public import AssemblageTesting
import Foundation
import Testing

/// A tree of branches that is edited at random.
///
/// Each new element has an id that no earlier element had.
public final class TreeScript {
  /// One edit of the tree, inside one branch or between two branches.
  public enum Edit: CaseIterable, Sendable {
    case insertLeaf, insertBranch, remove, removeMany, move, moveAcross, moveAcrossInside, update, updateBranch
  }

  /// The root of the tree.
  public let root = BranchNode<Row>(value: Row(id: 0))
  /// How often each edit was made.
  public private(set) var tally = OperationTally<Edit>()
  private var lastID = 0

  /// Creates a tree of some branches.
  public init(_ generator: inout SeededGenerator) {
    for _ in 0..<6 { make(.insertBranch, using: &generator) }
  }

  private func row(_ generator: inout SeededGenerator) -> Row {
    lastID += 1
    return Row(id: lastID, version: Int.random(in: 0...3, using: &generator))
  }

  private func subtree(_ depth: Int, _ generator: inout SeededGenerator) -> BranchNode<Row> {
    let branch = BranchNode<Row>(value: row(&generator))
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      if depth > 0, generator.chance(1, in: 2) {
        branch.append(.node(subtree(depth - 1, &generator)))
      } else {
        branch.append(.leaf(row(&generator)))
      }
    }
    return branch
  }

  /// All branches, each with its path.
  private var branches: [(path: [Int], branch: BranchNode<Row>)] {
    var found: [(path: [Int], branch: BranchNode<Row>)] = [([], root)]
    var next = 0
    while next < found.count {
      let (path, branch) = found[next]
      next += 1
      for position in 0..<branch.count {
        if let child = branch.child(at: position) as? BranchNode<Row> { found.append((path + [position], child)) }
      }
    }
    return found
  }

  /// Draws one edit, and makes the edit if possible.
  public func step(using generator: inout SeededGenerator) { make(tally.random(using: &generator), using: &generator) }

  private func make(_ edit: Edit, using generator: inout SeededGenerator) {
    if attempt(edit, &generator) { tally.count(edit) }
  }

  private func attempt(_ edit: Edit, _ generator: inout SeededGenerator) -> Bool {
    let branches = branches
    let any = branches.randomElement(using: &generator)!
    let parent = branches.filter { !$0.branch.isEmpty }.randomElement(using: &generator)
    switch edit {
    case .insertLeaf:
      any.branch.insert(.leaf(row(&generator)), at: Int.random(in: 0...any.branch.count, using: &generator))
      return true
    case .insertBranch:
      any.branch.insert(.node(subtree(2, &generator)), at: Int.random(in: 0...any.branch.count, using: &generator))
      return true
    default: break
    }
    guard let parent else { return false }
    let position = Int.random(in: 0..<parent.branch.count, using: &generator)
    switch edit {
    case .remove: parent.branch.remove(at: position)
    case .removeMany:
      parent.branch.performUpdates {
        for _ in 0..<2 where !parent.branch.isEmpty { parent.branch.remove(at: min(position, parent.branch.count - 1)) }
      }
    case .move: parent.branch.move(from: position, to: Int.random(in: 0..<parent.branch.count, using: &generator))
    case .moveAcross, .moveAcrossInside:
      return moveAcross(
        parent.path + [position], changesInside: edit == .moveAcrossInside, branches.map(\.path), &generator)
    case .update:
      guard parent.branch.child(at: position) == nil, let row = parent.branch.element(at: position) else {
        return false
      }
      parent.branch.replace(at: position, with: Row(id: row.id, version: row.version + 1))
    case .updateBranch:
      guard let child = parent.branch.child(at: position) as? BranchNode<Row>, let row = child.value else {
        return false
      }
      child.value = Row(id: row.id, version: row.version + 1)
    default: break
    }
    return true
  }

  /// Moves a child to another parent, in the same transaction as a change inside the child if `changesInside` is true.
  private func moveAcross(
    _ source: [Int], changesInside: Bool, _ branches: [[Int]], _ generator: inout SeededGenerator
  ) -> Bool {
    let others = branches.filter { !$0.starts(with: source) && $0 != source.dropLast() }
    guard var destination = others.randomElement(using: &generator) else { return false }
    // The destination is a path after the move. The siblings behind the source have then moved forward by one.
    let depth = source.count - 1
    let count = root.child(at: IndexPath(indexes: destination))!.count
    if destination.count > depth, destination.starts(with: source.dropLast()), destination[depth] > source[depth] {
      destination[depth] -= 1
    }
    destination.append(Int.random(in: 0...count, using: &generator))
    // A path that begins with the child's former path is refused, even if another child lies there after the move.
    if destination.starts(with: source) { return false }
    let moved = root.child(at: IndexPath(indexes: source)) as? BranchNode<Row>
    if changesInside, moved == nil { return false }
    let row = row(&generator)
    root.performUpdates {
      root.move(from: IndexPath(indexes: source), to: IndexPath(indexes: destination))
      guard changesInside, let moved else { return }
      if !moved.isEmpty { moved.remove(at: 0) }
      moved.append(.leaf(row))
    }
    return true
  }
}

extension TreeScript {
  /// Rolls transactions back, and makes an edit that stays after each of them.
  ///
  /// Half of the transactions, drawn at random, read the follower after each edit.
  ///
  /// - Parameters:
  ///   - test: a name that no other test uses.
  ///   - iterations: the number of scripts.
  ///   - begin: begins to follow a script's tree; returns one closure that reads the follower, and one that checks it.
  /// - Throws: the errors of `begin` and of the closures that it returns.
  public static func rollBack(
    _ test: String, iterations: Int,
    _ begin: (TreeScript) -> (reading: () throws -> Void, checking: () throws -> Void)
  ) throws {
    struct Stop: Error {}
    for iteration in 0..<TestSeed.iterations(iterations) {
      var generator = TestSeed.generator(test, iteration: iteration)
      let script = TreeScript(&generator)
      let (reading, checking) = begin(script)
      for _ in 0..<TestSeed.length(20) {
        let reads = generator.chance(1, in: 2)
        #expect(throws: Stop.self) {
          try script.root.performUpdates {
            for _ in 0..<3 {
              script.step(using: &generator)
              if reads { try reading() }
            }
            throw Stop()
          }
        }
        try checking()
        script.step(using: &generator)
        try checking()
      }
    }
  }
}

extension TreeScript {
  /// A view of a tree.
  ///
  /// A test edits `treeInTransactions` several times in each transaction.
  public enum View: CaseIterable, Sendable {
    case tree, treeInTransactions, sorted, filtered, filteredAtEveryDepth, outline

    /// Makes the view of the tree below `root`.
    public func node(_ root: BranchNode<Row>) -> any TreeNode<Row> {
      switch self {
      case .tree, .treeInTransactions: root
      case .sorted: SortNode(root) { $0.version < $1.version }
      case .filtered: FilterNode(root) { $0.version % 3 != 0 }
      case .filteredAtEveryDepth: TreeFilterNode(root, policy: .hidingSubtrees) { $0.version % 3 != 0 }
      case .outline: OutlineNode(root, expansion: ExpansionState(policy: .depth(1)), id: \.id)
      }
    }
  }
}
