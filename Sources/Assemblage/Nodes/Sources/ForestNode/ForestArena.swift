import OffsetIndexing

/// The data that a forest shares with the trees that were cut out of it: the storage, and the nodes of branches.
@usableFromInline
final class ForestArena<Element> {
  @usableFromInline let storage: Cell<ForestStorage<Element>>
  let functions: ForestFunctions<Element>

  /// The object that fills the branches with children, if the caller does not do so. With a keeper no edit can be
  /// reverted.
  private(set) var keeper: (any ForestKeeper)?

  /// The changes of branches since the graph was last settled.
  let pending = PendingBranches()

  /// The nodes of branches, by the number of the branch. They are in a cell for the reason that `NodeHub.state` gives.
  private let members = Cell(LivingNodes<Int>())

  /// The roots of the trees that were cut out, by the numbers of the trees' tops; only where a keeper needs them.
  private let roots = Cell(LivingNodes<Int>())

  @usableFromInline
  init(_ storage: consuming ForestStorage<Element>, _ functions: ForestFunctions<Element>) {
    self.storage = Cell(storage)
    self.functions = functions
  }

  deinit {
    keeper?.forgetAll()
    members.destroy()
    roots.destroy()
    storage.destroy()
  }

  /// Gives the forest to a keeper. Call this before any other use of the forest.
  func belong(to keeper: any ForestKeeper) { self.keeper = keeper }

  /// Whether edits can be reverted.
  @usableFromInline
  var isReversible: Bool { keeper == nil }

  var memberCount: Int { members.value.count }

  /// Returns the living node of a branch.
  func member(_ branch: TreeIndex.Branch) -> ForestNode<Element>? { members.value[branch.number].map(typed) }

  private func typed(_ node: AnyObject) -> ForestNode<Element> {
    // Only forest nodes are added.
    unsafe unsafeDowncast(node, to: ForestNode<Element>.self)
  }

  func add(_ node: ForestNode<Element>, for branch: TreeIndex.Branch) { members.value[branch.number] = node }

  func removeMember(_ branch: TreeIndex.Branch) { members.value[branch.number] = nil }

  /// Removes a node that is being released.
  func forget(_ node: ForestNode<Element>, of branch: TreeIndex.Branch) {
    members.value.forget(node, for: branch.number)
  }

  /// Returns the root of the tree that was cut out and has a top.
  func root(ofTreeAt top: TreeIndex.Branch) -> ForestNode<Element>? { roots.value[top.number].map(typed) }

  func addRoot(_ node: ForestNode<Element>) {
    if keeper != nil { roots.value[node.state.value.tree.top.number] = node }
  }

  /// Removes a root that is being released, or joins another tree.
  func forgetRoot(_ node: ForestNode<Element>) {
    if keeper != nil { roots.value.forget(node, for: node.state.value.tree.top.number) }
  }

  /// Returns the living nodes of the branches below a branch, without its own node.
  ///
  /// - Complexity: O(b) for the b branches below, or O(m · log n) for all m living nodes, whichever is less.
  func members(below branch: TreeIndex.Branch) -> [ForestNode<Element>] {
    guard memberCount > 0 else { return [] }
    let numbers = storage.value.shape.descendants(of: branch)
    guard !numbers.isEmpty else { return [] }
    let top = storage.value.top(of: branch)
    var found: [ForestNode<Element>] = []
    if numbers.count < memberCount {
      for run in storage.value.shape.runs(in: numbers, of: top) {
        if let child = run.branch, let node = member(child) { found.append(node) }
      }
    } else {
      for node in members.value.all.lazy.map(typed) {
        let own = node.branch
        if own != branch, storage.value.shape.forest(of: own) == top,
          numbers.contains(storage.value.shape.number(of: own))
        {
          found.append(node)
        }
      }
    }
    return found
  }
}

/// An object that keeps further data about a forest's branches.
protocol ForestKeeper: AnyObject {
  /// Ends the data of a branch that no longer exists. The branch may be the top of a tree.
  func forget(_ branch: TreeIndex.Branch)

  /// Ends all data, because no node of the forest is left.
  func forgetAll()
}
