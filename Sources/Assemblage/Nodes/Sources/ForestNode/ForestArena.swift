import OffsetIndexing

/// What a forest shares with the trees that were cut out of it: the storage, and the nodes that were made for branches.
@usableFromInline
final class ForestArena<Element> {
  @usableFromInline let storage: Cell<ForestStorage<Element>>
  let functions: ForestFunctions<Element>

  /// Who puts the children into the branches, where that is not the caller: nothing that happens here can be taken back then.
  private(set) var keeper: (any ForestKeeper)?

  /// The changes of branches since the graph was last settled.
  let pending = PendingBranches()

  /// The nodes of branches, by the number of the branch; in a cell for the reason that `NodeHub.state` gives.
  private let members = Cell(LivingNodes<Int>())

  @usableFromInline
  init(_ storage: consuming ForestStorage<Element>, _ functions: ForestFunctions<Element>) {
    self.storage = Cell(storage)
    self.functions = functions
  }

  deinit {
    keeper?.forgetAll()
    members.destroy()
    storage.destroy()
  }

  /// Gives the forest to a keeper, before anything else is done with it.
  func belong(to keeper: any ForestKeeper) { self.keeper = keeper }

  /// Whether edits can be taken back.
  @usableFromInline
  var isReversible: Bool { keeper == nil }

  var memberCount: Int { members.value.count }

  /// The living node of a branch.
  func member(_ branch: TreeIndex.Branch) -> ForestNode<Element>? { members.value[branch.number].map(typed) }

  private func typed(_ node: AnyObject) -> ForestNode<Element> {
    // No others are added.
    unsafe unsafeDowncast(node, to: ForestNode<Element>.self)
  }

  func add(_ node: ForestNode<Element>, for branch: TreeIndex.Branch) { members.value[branch.number] = node }

  func removeMember(_ branch: TreeIndex.Branch) { members.value[branch.number] = nil }

  /// Notes that a node dies.
  func forget(_ node: ForestNode<Element>, of branch: TreeIndex.Branch) {
    members.value.forget(node, for: branch.number)
  }

  /// The living nodes of branches that are below one, without its own.
  ///
  /// - Complexity: O(b) for the branches below, or O(m · log n) for all m living nodes, whichever is less.
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

/// What knows more of a forest's branches than the forest does.
protocol ForestKeeper: AnyObject {
  /// Takes in that a branch is no more, which may be the top of a tree.
  func forget(_ branch: TreeIndex.Branch)

  /// Takes in that no node of the forest is left.
  func forgetAll()
}
