import OffsetIndexing

/// What a forest shares with the trees that were cut out of it: the storage, and the nodes that were made for branches.
@usableFromInline
final class ForestArena<Element> {
  @usableFromInline let storage: Cell<ForestStorage<Element>>
  let functions: ForestFunctions<Element>

  /// The nodes of branches, by the number of the branch; in a cell for the reason that `NodeHub.state` gives.
  private let members = Cell(LivingNodes<Int>())

  @usableFromInline
  init(_ storage: consuming ForestStorage<Element>, _ functions: ForestFunctions<Element>) {
    self.storage = Cell(storage)
    self.functions = functions
  }

  deinit {
    members.destroy()
    storage.destroy()
  }

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
