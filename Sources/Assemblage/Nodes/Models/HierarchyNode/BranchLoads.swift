import OffsetIndexing

/// How far the branches of a hierarchy have come, by the numbers of their handles.
///
///     marks        one byte a branch: whether it is loaded, and what is known of its children
///     exceptions   those whose load has failed, was cancelled or is suspended
///     unreported   those whose load a look has asked for, and no change has reported yet
///
/// Most branches were loaded once, and nothing more is to be said of them. The loads that wait or run are in a `BoundedLoader`.
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
    /// The branch that was collapsed when the load was cancelled.
    var suspender: Branch?
  }

  /// What is to be said of most branches.
  private struct Marks: OptionSet {
    let rawValue: UInt8
    /// The children are what was loaded, by the last load or an earlier one.
    static let loaded = Marks(rawValue: 1)
    /// It has been looked whether some of the children may have children.
    static let examined = Marks(rawValue: 2)
    /// None of them may.
    static let onlyLeaves = Marks(rawValue: 4)
  }

  private var marks: [Marks] = []
  private var exceptions: [Int: Exception] = [:]

  /// The branches that no change has reported as loading yet: a look must not change anything.
  var unreported = RecencyList<Branch>()

  // MARK: Reading

  private func marks(of branch: Branch) -> Marks { branch.number < marks.count ? marks[branch.number] : [] }

  /// Whether the children are what was loaded, by the last load or an earlier one.
  func isLoaded(_ branch: Branch) -> Bool { marks(of: branch).contains(.loaded) }

  /// Whether it is known that none of the children may have children; nil where nobody has looked.
  func hasOnlyLeaves(_ branch: Branch) -> Bool? {
    let marks = marks(of: branch)
    return marks.contains(.examined) ? marks.contains(.onlyLeaves) : nil
  }

  func outcome(of branch: Branch) -> Outcome {
    exceptions[branch.number]?.outcome ?? (isLoaded(branch) ? .done : .never)
  }

  func suspender(of branch: Branch) -> Branch? { exceptions[branch.number]?.suspender }

  /// The branches whose loads were cancelled because one was collapsed, in any order.
  func suspended(by branch: Branch) -> [Branch] {
    exceptions.values.filter { $0.suspender == branch }.map(\.branch)
  }

  // MARK: Changing

  mutating func setLoaded(_ branch: Branch) {
    while marks.count <= branch.number { marks.append([]) }
    marks[branch.number].insert(.loaded)
    change(branch) { $0.outcome = nil }
  }

  /// Notes whether none of the children of a loaded branch may have children; nil: it has to be looked again.
  mutating func setHasOnlyLeaves(_ hasOnlyLeaves: Bool?, of branch: Branch) {
    guard branch.number < marks.count else { return }
    marks[branch.number].subtract([.examined, .onlyLeaves])
    if let hasOnlyLeaves { marks[branch.number].formUnion(hasOnlyLeaves ? [.examined, .onlyLeaves] : .examined) }
  }

  mutating func setOutcome(_ outcome: Outcome, of branch: Branch) { change(branch) { $0.outcome = outcome } }

  /// Notes which collapsed branch a branch waits for; nil: none.
  mutating func setSuspender(_ suspender: Branch?, of branch: Branch) { change(branch) { $0.suspender = suspender } }

  /// Forgets a branch, whose number may be another one's from now on.
  mutating func forget(_ branch: Branch) {
    if branch.number < marks.count { marks[branch.number] = [] }
    exceptions[branch.number] = nil
    unreported.remove(branch)
  }

  private mutating func change(_ branch: Branch, _ body: (inout Exception) -> Void) {
    let former = exceptions.isEmpty ? nil : exceptions[branch.number]
    var exception = former ?? Exception(branch: branch)
    body(&exception)
    let isOne = exception.outcome != nil || exception.suspender != nil
    if isOne || former != nil { exceptions[branch.number] = isOne ? exception : nil }
  }
}
