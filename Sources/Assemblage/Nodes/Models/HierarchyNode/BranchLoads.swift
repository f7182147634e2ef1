import OffsetIndexing

/// The states of the loads of a hierarchy's branches, by the numbers of the branches' handles.
///
///     marks        one byte a branch: whether the branch is loaded, and whether its children may have children
///     exceptions   the branches whose load has failed, was cancelled or is suspended
///     unreported   the branches whose load a look has begun, and no change has reported yet
///
/// Most branches were loaded once, and their marks say everything. A `BoundedLoader` holds the loads that wait or run.
struct BranchLoads {
  typealias Branch = TreeIndex.Branch

  /// The outcome of a branch's last load; a load that waits or runs asynchronously is not noted here.
  enum Outcome {
    case never
    /// The closure is being called.
    case underWay
    /// The only load was cancelled; a look does not begin another one.
    case cancelled
    case failed(any Error)
    case done
  }

  /// The state of a branch whose marks do not say everything.
  private struct Exception {
    var branch: Branch
    /// The outcome of the last load; nil where it follows from the marks.
    var outcome: Outcome?
    /// The branch whose collapse cancelled the load.
    var suspender: Branch?
  }

  /// The whole state of most branches.
  private struct Marks: OptionSet {
    let rawValue: UInt8
    /// The children were loaded, by the last load or an earlier one.
    static let loaded = Marks(rawValue: 1)
    /// The children were examined: whether some of them may have children.
    static let examined = Marks(rawValue: 2)
    /// None of the children may have children.
    static let onlyLeaves = Marks(rawValue: 4)
  }

  private var marks: [Marks] = []
  private var exceptions: [Int: Exception] = [:]

  /// The branches that no change has reported as loading yet, because a look must not change anything.
  var unreported = RecencyList<Branch>()

  // MARK: Reading

  private func marks(of branch: Branch) -> Marks { branch.number < marks.count ? marks[branch.number] : [] }

  /// Whether the children were loaded, by the last load or an earlier one.
  func isLoaded(_ branch: Branch) -> Bool { marks(of: branch).contains(.loaded) }

  /// Whether none of the children may have children; nil where they have not been examined.
  func hasOnlyLeaves(_ branch: Branch) -> Bool? {
    let marks = marks(of: branch)
    return marks.contains(.examined) ? marks.contains(.onlyLeaves) : nil
  }

  func outcome(of branch: Branch) -> Outcome {
    exceptions[branch.number]?.outcome ?? (isLoaded(branch) ? .done : .never)
  }

  /// The branches whose loads were cancelled by the collapse of a branch, in any order.
  func suspended(by branch: Branch) -> [Branch] {
    exceptions.values.filter { $0.suspender == branch }.map(\.branch)
  }

  // MARK: Changing

  mutating func setLoaded(_ branch: Branch) {
    while marks.count <= branch.number { marks.append([]) }
    marks[branch.number].insert(.loaded)
    change(branch) { $0.outcome = nil }
  }

  /// Notes whether none of the children of a loaded branch may have children; nil where they must be examined again.
  mutating func setHasOnlyLeaves(_ hasOnlyLeaves: Bool?, of branch: Branch) {
    guard branch.number < marks.count else { return }
    marks[branch.number].subtract([.examined, .onlyLeaves])
    if let hasOnlyLeaves { marks[branch.number].formUnion(hasOnlyLeaves ? [.examined, .onlyLeaves] : .examined) }
  }

  mutating func setOutcome(_ outcome: Outcome, of branch: Branch) { change(branch) { $0.outcome = outcome } }

  /// Notes the collapsed branch that a branch waits for; nil for none.
  mutating func setSuspender(_ suspender: Branch?, of branch: Branch) { change(branch) { $0.suspender = suspender } }

  /// Forgets a branch; its number may belong to another branch from now on.
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
