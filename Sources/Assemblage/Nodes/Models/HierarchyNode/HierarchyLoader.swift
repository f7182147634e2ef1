import OffsetIndexing

/// Runs the loads of one tree, a bounded number at once, on the actor that the tree belongs to.
///
///     a node asks  →  waits  →  runs  →  its answer is taken in
///                       └────────┴────→  dropped: cancelled, superseded, or the node was released
///
/// Each load has a number of its own. An answer counts only as long as its number does: what comes to a load that was dropped
/// says nothing, in whatever order answers come.
@usableFromInline
final class HierarchyLoader<Element> {
  let policy: CollapsePolicy
  private let children: (Element?) async throws -> [Element]
  private var queue: LoadQueue
  private var loads: [Int: Load] = [:]
  private var nextNumber = 0
  /// The loads that a look at a branch has asked for, which must not change anything; it has not been told of them yet.
  private var untold: [Int] = []
  /// Whether a task of the actor is about to call `advance(isolation:)`.
  private var isAwake = false
  /// Not kept alive: it may be what holds the tree.
  private weak let actor: (any Actor)?

  /// What knows the branches, and drops their loads before they end.
  weak var supply: HierarchySupply<Element>?

  /// A load that waits or runs.
  private struct Load {
    let branch: TreeIndex.Branch
    /// Whether it has been told that the branch is loading.
    var isTold: Bool
    var task: Task<Void, Never>?
  }

  /// Where a task of the actor finds the loader.
  ///
  /// It may go anywhere: the reference is constant, and followed on the actor only.
  private final class Door: @unchecked Sendable {
    private weak let loader: HierarchyLoader?

    init(_ loader: HierarchyLoader) { self.loader = loader }

    func advance(isolation: isolated any Actor) { loader?.advance(isolation: isolation) }
  }

  /// Creates a loader that loads nothing yet.
  ///
  /// - Parameters:
  ///   - limit: how many loads may run at once, at least 1.
  ///   - policy: what becomes of loads in collapsed branches.
  ///   - actor: the actor that the tree belongs to; it is not kept alive.
  ///   - children: fetches the children of a value, or the roots; called on the actor.
  @usableFromInline
  init(
    limit: Int, policy: CollapsePolicy, actor: any Actor, children: @escaping (Element?) async throws -> [Element]
  ) {
    self.policy = policy
    self.children = children
    queue = LoadQueue(limit: limit)
    self.actor = actor
  }

  // MARK: Asking

  /// Begins a load as soon as it is its turn.
  ///
  /// - Parameters:
  ///   - branch: whose children are fetched; the load is dropped before it ends.
  ///   - kind: whether it has children meanwhile.
  ///   - isTold: whether it has been told, or will be, that it is loading; else the actor's next task tells it.
  /// - Returns: the load's number.
  func add(_ branch: TreeIndex.Branch, _ kind: LoadQueue.Kind, isTold: Bool) -> Int {
    let number = nextNumber
    nextNumber += 1
    loads[number] = Load(branch: branch, isTold: isTold)
    queue.append(number, kind)
    if !isTold { untold.append(number) }
    wake()
    return number
  }

  /// Whether a load runs that has not been dropped.
  func isRunning(_ number: Int) -> Bool { loads[number] != nil && !queue.isWaiting(number) }

  /// Gives a load the next turn.
  func prefer(_ number: Int) { queue.prefer(number) }

  /// Ends a load, whose answer says nothing from now on.
  ///
  /// - Returns: whether it has been told that its branch was loading.
  @discardableResult
  func drop(_ number: Int) -> Bool {
    queue.remove(number)
    let load = loads.removeValue(forKey: number)
    load?.task?.cancel()
    return load?.isTold ?? true
  }

  // MARK: Running

  /// Lets the actor begin what can begin, after what it is doing now.
  private func wake() {
    guard !isAwake, let actor else { return }
    isAwake = true
    Self.open(Door(self), on: actor)
  }

  private static func open(_ door: Door, on actor: some Actor) {
    // A node is used on its actor only. A task made anywhere else would have to wait for a thread first.
    actor.assumeIsolated { actor in
      _ = Task { door.advance(isolation: actor) }
    }
  }

  /// Tells which branches are loading, and begins the loads whose turn it is.
  private func advance(isolation: isolated any Actor) {
    isAwake = false
    tellLoading()
    while let number = queue.begin() {
      guard let branch = loads[number]?.branch, let tree = supply?.tree(with: branch) else { continue }
      let (children, value) = (children, tree.value(of: branch))
      loads[number]?.task = Task { [weak self] in
        // Makes the task one of the actor's.
        _ = isolation
        let answer: Result<[Element], any Error>
        do {
          try Task.checkCancellation()
          answer = .success(try await children(value))
        } catch {
          answer = .failure(error)
        }
        self?.end(number, answer)
      }
    }
  }

  private func tellLoading() {
    let branches = untold.compactMap { number in
      loads[number]?.isTold = true
      return loads[number]?.branch
    }
    untold = []
    let told = branches.compactMap { branch in supply?.tree(with: branch).map { (tree: $0, branch: branch) } }
    performUpdates(on: told.map(\.tree.forest)) {
      for (tree, branch) in told { tree.publishLoadState(of: branch) }
    }
  }

  private func end(_ number: Int, _ answer: Result<[Element], any Error>) {
    queue.end()
    wake()
    guard let branch = loads.removeValue(forKey: number)?.branch else { return }
    supply?.tree(with: branch)?.take(answer, for: branch)
  }
}
