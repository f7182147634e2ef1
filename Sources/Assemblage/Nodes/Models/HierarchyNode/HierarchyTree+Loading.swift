import OffsetIndexing

// The begin and the end of asynchronous loads.
extension HierarchyTree {
  func loadState(of branch: Branch) -> LoadState {
    if supply.isLoading(branch) { return .loading }
    return switch supply.loads.value.outcome(of: branch) {
    case .never, .cancelled: .unloaded
    case .underWay: .loading
    case .failed(let error): .failed(error)
    case .done: .loaded
    }
  }

  func publishLoadState(of branch: Branch) { forest.announceValue(of: branch) }

  /// See `HierarchyNode.load(at:)`.
  func load(_ branch: Branch) {
    guard let loader = supply.loader else { return look(branch) }
    if loader.isLoading(branch) {
      loader.ask(branch, .next)
    } else if !supply.loads.value.isLoaded(branch) {
      begin(branch, loader)
    }
  }

  /// See `HierarchyNode.retry(at:)`.
  func retry(_ branch: Branch) {
    guard let loader = supply.loader, !loader.isLoading(branch),
      case .failed = supply.loads.value.outcome(of: branch)
    else { return }
    begin(branch, loader)
  }

  /// See `HierarchyNode.cancelLoad(at:)`.
  func cancelLoad(_ branch: Branch) {
    guard supply.isLoading(branch) else { return }
    forest.hub.prepareForChange()
    let isReported = !supply.loads.value.unreported.contains(branch)
    dropLoad(branch)
    if case .never = supply.loads.value.outcome(of: branch) { supply.loads.value.setOutcome(.cancelled, of: branch) }
    if isReported { publishLoadState(of: branch) } else { forest.hub.carry(ChangeSet()) }
  }

  /// Ends the load of a branch without any further report about it.
  func dropLoad(_ branch: Branch) {
    supply.loader?.drop(branch)
    supply.loads.value.unreported.remove(branch)
  }

  func begin(_ branch: Branch, _ loader: HierarchySupply<Element>.Loader) {
    forest.hub.prepareForChange()
    ask(branch, loader)
    publishLoadState(of: branch)
  }

  /// Begins the first load after a look at the children.
  func beginWithLook(_ branch: Branch, _ loader: HierarchySupply<Element>.Loader) {
    guard !loader.isLoading(branch), case .never = supply.loads.value.outcome(of: branch) else { return }
    supply.loads.value.unreported.touch(branch)
    ask(branch, loader)
  }

  private func ask(_ branch: Branch, _ loader: HierarchySupply<Element>.Loader) {
    loader.ask(branch, turn(of: branch))
    supply.loads.value.setSuspender(nil, of: branch)
  }

  private func turn(of branch: Branch) -> LoadQueue<Branch>.Turn {
    supply.loads.value.isLoaded(branch) ? .again : .new
  }

  /// Loads the children again, if their load has ever begun.
  func askAgain(_ branch: Branch, _ loader: HierarchySupply<Element>.Loader) {
    if loader.isLoading(branch) { return loader.supersede(branch, turn(of: branch)) }
    switch supply.loads.value.outcome(of: branch) {
    case .never, .cancelled, .underWay: return
    case .failed, .done: begin(branch, loader)
    }
  }

  /// Notes that a branch has another value: children that are being fetched may belong to the former value.
  func valueHasChanged(of branch: Branch) { supply.loader?.supersede(branch, turn(of: branch)) }

  /// Adopts the answer of a load.
  func take(_ answer: Result<[Element], any Error>, for branch: Branch) {
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

  /// Applies the policy when an outline has collapsed a branch.
  func suspendLoads(in branch: Branch) {
    guard let loader = supply.loader, supply.policy == .cancelLoads else { return }
    for open in loader.keys where isIn(open, branch) {
      cancelLoad(open)
      supply.loads.value.setSuspender(branch, of: open)
    }
  }

  /// Begins loads when an outline has expanded a branch.
  func resumeLoads(in branch: Branch) {
    guard let loader = supply.loader else { return }
    if !supply.loads.value.isLoaded(branch), !loader.isLoading(branch) { load(branch) }
    guard supply.policy == .cancelLoads else { return }
    let suspended = supply.loads.value.suspended(by: branch).map { open in
      (branch: open, number: open == branch ? -1 : forest.shape.number(of: open))
    }
    for (open, _) in suspended.sorted(byNumber: \.number) { begin(open, loader) }
  }

  /// Whether a branch is another one, or lies below it.
  private func isIn(_ branch: Branch, _ other: Branch) -> Bool {
    if branch == other { return true }
    let (shape, storage) = (forest.shape, forest.state.value.storage)
    guard shape.parent(of: branch) != nil, shape.forest(of: branch) == storage.value.top(of: other) else {
      return false
    }
    return shape.descendants(of: other).contains(shape.number(of: branch))
  }
}
