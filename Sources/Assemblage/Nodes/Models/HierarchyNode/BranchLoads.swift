import OffsetIndexing

/// How far the branches of a hierarchy have come, by the numbers of their handles.
///
///     loaded       one Bool a branch
///     exceptions   those that wait, are loading, have failed, were cancelled
///
/// Most branches were loaded once, and nothing more is to be said of them.
struct BranchLoads {
  typealias Branch = TreeIndex.Branch

  /// What has become of the last load; one that waits or runs elsewhere is not in it.
  enum Outcome {
    case never
    /// The closure is being called.
    case underWay
    /// The only load was cancelled; a look begins no other.
    case cancelled
    case failed(any Error)
    case done
  }

  /// What is to be said of a branch beyond whether it is loaded.
  private struct Exception {
    var branch: Branch
    /// The last load's; nil: as it is with most.
    var outcome: Outcome?
    /// The load that waits or runs, in the tree's loader.
    var load: Int?
    /// The branch that was collapsed when the load was cancelled.
    var suspender: Branch?
  }

  private var loaded: [Bool] = []
  private var exceptions: [Int: Exception] = [:]

  // MARK: Reading

  /// Whether the children are what was loaded, by the last load or an earlier one.
  func isLoaded(_ branch: Branch) -> Bool { branch.number < loaded.count && loaded[branch.number] }

  func outcome(of branch: Branch) -> Outcome {
    exceptions[branch.number]?.outcome ?? (isLoaded(branch) ? .done : .never)
  }

  func load(of branch: Branch) -> Int? { exceptions[branch.number]?.load }

  func suspender(of branch: Branch) -> Branch? { exceptions[branch.number]?.suspender }

  /// All that wait or run, in the order in which they were asked for.
  var allLoads: [(branch: Branch, load: Int)] {
    exceptions.values.compactMap { exception in exception.load.map { (exception.branch, $0) } }
      .sorted { $0.load < $1.load }
  }

  /// The branches whose loads were cancelled because one was collapsed, in any order.
  func suspended(by branch: Branch) -> [Branch] {
    exceptions.values.filter { $0.suspender == branch && $0.load == nil }.map(\.branch)
  }

  // MARK: Changing

  mutating func setLoaded(_ branch: Branch) {
    while loaded.count <= branch.number { loaded.append(false) }
    loaded[branch.number] = true
    change(branch) { $0.outcome = nil }
  }

  mutating func setOutcome(_ outcome: Outcome, of branch: Branch) { change(branch) { $0.outcome = outcome } }

  /// Notes a load, which ends any suspension, or that there is none.
  mutating func setLoad(_ load: Int?, of branch: Branch) {
    change(branch) { exception in
      exception.load = load
      if load != nil { exception.suspender = nil }
    }
  }

  mutating func suspend(_ branch: Branch, by suspender: Branch) { change(branch) { $0.suspender = suspender } }

  /// Forgets a branch, whose number may be another one's from now on.
  ///
  /// - Returns: its load.
  mutating func forget(_ branch: Branch) -> Int? {
    if branch.number < loaded.count { loaded[branch.number] = false }
    return exceptions.removeValue(forKey: branch.number)?.load
  }

  private mutating func change(_ branch: Branch, _ body: (inout Exception) -> Void) {
    var exception = exceptions[branch.number] ?? Exception(branch: branch)
    body(&exception)
    let isOne = exception.outcome != nil || exception.load != nil || exception.suspender != nil
    exceptions[branch.number] = isOne ? exception : nil
  }
}
