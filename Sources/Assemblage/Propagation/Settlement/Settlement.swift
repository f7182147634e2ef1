import OffsetIndexing

/// The pending changes of a graph, which enter the graph together.
///
/// All changes lead from the same former state to the same present state. A child leaves one parent and arrives at
/// another. The departure is reported through the former parents of the one, and the arrival through the present
/// parents of the other:
///
/// ```text
///     before    A ─ m ─ c          m moves from A to B, and c from m to X
///     after     B ─ m    X ─ c     A reports that [i] left as m and [i, k] as c, B that m arrived, X that c arrived
/// ```
struct Settlement {
  private let moves: MoveLog
  /// The changes of nodes; the change of a parent concerns only its own children.
  private var nodes: [(hub: NodeHub, change: ChangeSet)] = []
  /// The trees in which several branches have changed, with the changes of their own values and children.
  private var trees: [(tree: any PendingTree, changes: [TreeIndex.Branch: ChangeSet])] = []
  /// The trees in which only one branch has changed, by one edit.
  private var edits: [(tree: any PendingTree, edit: ShapeEdit)] = []

  /// Removes the pending changes from nodes.
  init(_ hubs: [NodeHub], _ moves: MoveLog) {
    self.moves = moves
    var stores: [PendingBranches] = []
    for hub in hubs {
      guard let pending = hub.state.value.pending else { continue }
      let change = pending.composer.composed()
      if !change.isSilent { nodes.append((hub, change)) }
      if let tree = pending.tree {
        if change.isSilent, let edit = tree.pendingBranches.onlyEdit(of: tree) {
          edits.append((tree, edit))
        } else {
          let changes = tree.pendingBranches.changes(of: tree)
          if !changes.isEmpty { trees.append((tree, changes)) }
        }
        stores.append(tree.pendingBranches)
      }
      hub.state.value.pending = nil
    }
    // Also the changes of branches that are in no tree any more: other branches may get their handles.
    for store in stores { store.removeAll() }
  }

  /// Returns the changes of the nodes, each with the ends of moves that the node reports; parts of forests receive
  /// theirs here.
  consuming func changes() -> [(hub: NodeHub, change: ChangeSet)] {
    var ends: [ObjectIdentifier: [Int: Crossing]] = [:]
    var (nodes, trees) = (nodes, trees)
    if moves.hasMoves {
      var resolver = MoveResolver(moves, &nodes, &trees)
      ends = resolver.ends()
    }
    var result = edits.map { ($0.tree.pendingHub, $0.tree.report($0.edit)) }
    for (tree, changes) in trees {
      let writer = BranchWriter(tree, changes, hasEndedBranches: !moves.endedBranches.isEmpty)
      for part in writer.parts {
        part.hub.receiveFromWhole(
          writer.change(of: part.branch, part.hub, ends.removeValue(forKey: ObjectIdentifier(part.hub)) ?? [:]))
      }
      let root = tree.pendingHub
      result.append(
        (root, writer.change(of: tree.rootBranch, root, ends.removeValue(forKey: ObjectIdentifier(root)) ?? [:])))
    }
    for (hub, var change) in nodes {
      if let own = ends.removeValue(forKey: ObjectIdentifier(hub)) {
        change.crossings += own.values
        change.pairCrossings()
      }
      result.append((hub, change))
    }
    return result
  }
}

/// Builds the change of a tree, or of a part of it, from the changes of its branches.
private struct BranchWriter {
  let tree: any PendingTree
  let changes: [TreeIndex.Branch: ChangeSet]
  /// Whether branches became leaves. Such a branch may be a branch again, under another key. Then it reports the two
  /// ends of a move within it by two keys.
  let hasEndedBranches: Bool
  /// The nodes of branches that receive a change, with their branches.
  private(set) var parts: [(branch: TreeIndex.Branch, hub: NodeHub)] = []
  /// The children of branches in which something has changed.
  private var children: [TreeIndex.Branch: [(position: Int, branch: TreeIndex.Branch)]] = [:]

  init(_ tree: any PendingTree, _ changes: [TreeIndex.Branch: ChangeSet], hasEndedBranches: Bool) {
    (self.tree, self.changes, self.hasEndedBranches) = (tree, changes, hasEndedBranches)
    let hasParts = tree.pendingHub.hasAwakeParts
    var seen: Set<TreeIndex.Branch> = []
    func visit(_ branch: TreeIndex.Branch) {
      var branch = branch
      while seen.insert(branch).inserted {
        if hasParts, branch != tree.rootBranch, let part = tree.observedPart(of: branch) {
          parts.append((branch, part))
        }
        guard let parent = tree.pendingParent(of: branch) else { return }
        children[parent.branch, default: []].append((parent.position, branch))
        branch = parent.branch
      }
    }
    for branch in changes.keys { visit(branch) }
    for branch in children.keys { children[branch]!.sort(byNumber: \.position) }
  }

  /// Builds the change of a branch and of all branches below it, as the node of the branch reports it.
  ///
  /// - Parameters:
  ///   - branch: the branch.
  ///   - hub: the hub of its node.
  ///   - ends: the ends of moves that the node reports, by the numbers of the moves.
  /// - Returns: the change.
  /// - Complexity: O(s · log n) for s branches that have changed, or are above one that has.
  func change(of branch: TreeIndex.Branch, _ hub: NodeHub, _ ends: [Int: Crossing]) -> ChangeSet {
    var ends = ends
    var arrived: [(branch: TreeIndex.Branch, name: Int?)] = []
    var result = flatChange(of: branch, &arrived)
    while let (child, name) = arrived.popLast() {
      let change = flatChange(of: child, &arrived)
      if let name, let end = ends[name]?.change { ends[name]!.change = end.composed(with: change) }
    }
    result.crossings = Array(ends.values)
    if hasEndedBranches { result.foldCrossings() }
    return result
  }

  /// Builds the same change without the changes inside children that arrived.
  private func flatChange(
    of top: TreeIndex.Branch, _ arrived: inout [(branch: TreeIndex.Branch, name: Int?)]
  ) -> ChangeSet {
    var nodes: [ChangeSet.Node] = []
    var open = [(branch: top, position: -1, start: 0, next: 0, updates: [Range<Int>](), names: arrivals(in: top))]
    while let index = open.indices.last {
      let inside = children[open[index].branch] ?? []
      if open[index].next < inside.count {
        let child = inside[open[index].next]
        open[index].next += 1
        if changes[open[index].branch]?.level.insertions.contains(position: child.position) ?? false {
          // A change inside a new child is not reported.
          arrived.append((child.branch, open[index].names[child.position]))
        } else {
          if changes[child.branch]?.updatesValue == true {
            RangeLists.append(child.position..<child.position + 1, to: &open[index].updates)
          }
          open.append((child.branch, child.position, nodes.count, 0, [], arrivals(in: child.branch)))
        }
        continue
      }
      let last = open.removeLast()
      let own = changes[last.branch]
      var delta = own?.level ?? Delta()
      if let own, own.hasChildren {
        // These changes happened first, inside children that were branches at that time.
        let later = ChangeSet(delta: Delta(), updatesValue: false, nodes: Array(nodes[last.start...]))
        let whole = ChangeSet(delta: delta, updatesValue: false, nodes: own.nodes).composed(with: later)
        delta = whole.level
        nodes.replaceSubrange(last.start..., with: whole.nodes)
      }
      if !last.updates.isEmpty { delta = delta.updating(last.updates) }
      if open.isEmpty { return ChangeSet(delta: delta, updatesValue: own?.updatesValue ?? false, nodes: nodes) }
      if !delta.isEmpty || nodes.count > last.start {
        nodes.append(ChangeSet.Node(position: last.position, size: nodes.count - last.start + 1, delta: delta))
      }
    }
    return ChangeSet()
  }

  /// The numbers of the moves that end at children of a branch, by the children's positions.
  private func arrivals(in branch: TreeIndex.Branch) -> [Int: Int] {
    var names: [Int: Int] = [:]
    for crossing in changes[branch]?.crossings ?? [] where crossing.isArrival && crossing.to!.depth == 1 {
      names[crossing.to!.first] = crossing.name
    }
    return names
  }
}
