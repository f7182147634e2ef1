import OffsetIndexing

// Loads from afar: how they begin and end.
extension HierarchyTree {
  func loadState(of branch: Branch) -> LoadState {
    if supply.loads.value.load(of: branch) != nil { return .loading }
    return switch supply.loads.value.outcome(of: branch) {
    case .never, .cancelled: .unloaded
    case .underWay: .loading
    case .failed(let error): .failed(error)
    case .done: .loaded
    }
  }

  /// The branch at a path from another one, where nothing has to be loaded for it.
  func loadedBranch(at path: some Sequence<Int>, from branch: Branch) -> Branch? {
    var branch = branch
    for position in path {
      guard supply.loads.value.isLoaded(branch), let next = self.branch(at: position, of: branch) else { return nil }
      branch = next
    }
    return branch
  }

  func publishLoadState(of branch: Branch) { forest.announceValue(of: branch) }

  /// See `HierarchyNode.load()`.
  func load(_ branch: Branch) {
    guard let loader = supply.loader else { return look(branch) }
    if let load = supply.loads.value.load(of: branch) {
      loader.prefer(load)
    } else if !supply.loads.value.isLoaded(branch) {
      begin(branch, loader)
    }
  }

  /// See `HierarchyNode.retry()`.
  func retry(_ branch: Branch) {
    guard let loader = supply.loader, supply.loads.value.load(of: branch) == nil,
      case .failed = supply.loads.value.outcome(of: branch)
    else { return }
    begin(branch, loader)
  }

  /// See `HierarchyNode.cancelLoad()`.
  func cancelLoad(_ branch: Branch) {
    guard let loader = supply.loader, let load = supply.loads.value.load(of: branch) else { return }
    forest.hub.prepareForChange()
    let isTold = loader.drop(load)
    supply.loads.value.setLoad(nil, of: branch)
    if case .never = supply.loads.value.outcome(of: branch) { supply.loads.value.setOutcome(.cancelled, of: branch) }
    if isTold { publishLoadState(of: branch) }
  }

  /// Ends the load of a branch of which nothing is to be told any longer.
  func dropLoad(_ branch: Branch) {
    guard let load = supply.loads.value.load(of: branch) else { return }
    supply.loader?.drop(load)
    supply.loads.value.setLoad(nil, of: branch)
  }

  func begin(_ branch: Branch, _ loader: HierarchyLoader<Element>) {
    forest.hub.prepareForChange()
    add(branch, to: loader, isTold: true)
    publishLoadState(of: branch)
  }

  /// Begins the first load because of a look at the children.
  func beginWithLook(_ branch: Branch, _ loader: HierarchyLoader<Element>) {
    guard supply.loads.value.load(of: branch) == nil, case .never = supply.loads.value.outcome(of: branch) else {
      return
    }
    add(branch, to: loader, isTold: false)
  }

  private func add(_ branch: Branch, to loader: HierarchyLoader<Element>, isTold: Bool) {
    let load = loader.add(branch, supply.loads.value.isLoaded(branch) ? .again : .new, isTold: isTold)
    supply.loads.value.setLoad(load, of: branch)
  }

  /// Asks for the children again, if they have ever been asked for.
  func askAgain(_ branch: Branch, _ loader: HierarchyLoader<Element>) {
    guard let load = supply.loads.value.load(of: branch) else {
      switch supply.loads.value.outcome(of: branch) {
      case .never, .cancelled, .underWay: return
      case .failed, .done: return begin(branch, loader)
      }
    }
    supersede(load, of: branch, loader)
  }

  /// Lets another load take the place of one that runs; what waits will find what is there by then.
  private func supersede(_ load: Int, of branch: Branch, _ loader: HierarchyLoader<Element>) {
    guard loader.isRunning(load) else { return }
    loader.drop(load)
    add(branch, to: loader, isTold: true)
  }

  /// Takes in that a branch has another value: what is being fetched may belong to the former one.
  func valueHasChanged(of branch: Branch) {
    guard let loader = supply.loader, let load = supply.loads.value.load(of: branch) else { return }
    supersede(load, of: branch, loader)
  }

  /// Takes an answer in.
  func take(_ answer: Result<[Element], any Error>, for branch: Branch) {
    supply.loads.value.setLoad(nil, of: branch)
    forest.performUpdates {
      switch answer {
      case .success(let elements):
        supply.loads.value.setLoaded(branch)
        replaceElements(elements, of: branch)
      case .failure(let error):
        supply.loads.value.setOutcome(.failed(error), of: branch)
      }
      publishLoadState(of: branch)
    }
  }

  // MARK: Collapsing and expanding

  /// Takes in that an outline has collapsed a branch.
  func suspendLoads(in branch: Branch) {
    guard let loader = supply.loader, loader.policy == .cancelLoads else { return }
    for (open, _) in supply.loads.value.allLoads where isIn(open, branch) {
      cancelLoad(open)
      supply.loads.value.suspend(open, by: branch)
    }
  }

  /// Takes in that an outline has expanded a branch.
  func resumeLoads(in branch: Branch) {
    guard let loader = supply.loader else { return }
    if !supply.loads.value.isLoaded(branch), supply.loads.value.load(of: branch) == nil { load(branch) }
    guard loader.policy == .cancelLoads else { return }
    let suspended = supply.loads.value.suspended(by: branch).map { open in
      (branch: open, number: open == branch ? -1 : forest.shape.number(of: open))
    }
    for (open, _) in suspended.sorted(by: { $0.number < $1.number }) { begin(open, loader) }
  }

  /// Whether a branch is another one, or stands below it.
  private func isIn(_ branch: Branch, _ other: Branch) -> Bool {
    if branch == other { return true }
    let (shape, storage) = (forest.shape, forest.state.value.storage)
    guard shape.parent(of: branch) != nil, shape.forest(of: branch) == storage.value.top(of: other) else {
      return false
    }
    return shape.descendants(of: other).contains(shape.number(of: branch))
  }
}
