/// Which nodes of an outline are expanded where no choice was made.
///
/// ```swift
/// let home = BranchNode([.node(BranchNode(value: "notes", leaves: ["a.md"]))])
/// let outline = OutlineNode(home, expansion: ExpansionState(policy: .expanded), id: { $0 })
/// outline.elements                         // ["notes", "a.md"]
/// outline.expansion.policy = .collapsed    // reports a removal of 1
/// outline.elements                         // ["notes"]
/// ```
public enum ExpansionPolicy: Hashable, Sendable, Codable {
  /// None.
  case collapsed

  /// All.
  case expanded

  /// Those at the first so many depths: `.depth(1)` expands the children of the root, so that two levels are visible.
  case depth(Int)

  /// Whether the policy expands nodes at a depth; the children of the root are at depth 0.
  public func expands(depth: Int) -> Bool {
    switch self {
    case .collapsed: false
    case .expanded: true
    case .depth(let limit): depth < limit
    }
  }
}

/// Who expanded or collapsed something.
///
/// ```swift
/// let home = BranchNode([.node(BranchNode(value: "notes", leaves: ["a.md"]))])
/// let outline = OutlineNode(home, id: { $0 })
/// outline.expand(row: 0, by: .program)             // in order to show a search result
/// outline.elements                                 // ["notes", "a.md"]
/// outline.expansion.forgetChoices(by: .program)    // the search is over
/// outline.elements                                 // ["notes"]: the user has not expanded it
/// ```
public enum ExpansionOrigin: Hashable, Sendable, Codable {
  /// The user, who wants to find it again as it was left.
  case user

  /// The program: in order to show a search result, for example.
  case program
}

/// What is expanded in an outline, by stable id: a value that can be stored and restored.
///
/// It says nothing about places, so it outlives filters, sorts, moves and reloads, and what is hidden below a collapsed
/// node. The choices of the user and those of the program stand apart:
///
/// ```swift
/// var state = ExpansionState<String>(policy: .depth(1))
/// state.choose(true, for: "Documents")                    // by the user
/// state.choose(true, for: "Pictures", by: .program)
/// state.forgetChoices(by: .program)
/// state.isExpanded("Pictures", depth: 3)                  // false: what the policy says
/// ```
public struct ExpansionState<ID: Hashable & Sendable>: Hashable, Sendable {
  /// What holds where no choice was made.
  public var policy: ExpansionPolicy

  /// What the user chose: whether a node is expanded, by id.
  public private(set) var userChoices: [ID: Bool] = [:]

  /// What the program chose on top of that.
  public private(set) var programChoices: [ID: Bool] = [:]

  /// Creates a state without choices.
  ///
  /// - Parameter policy: what holds where no choice was made.
  public init(policy: ExpansionPolicy = .collapsed) { self.policy = policy }

  @usableFromInline
  init(policy: ExpansionPolicy, userChoices: [ID: Bool], programChoices: [ID: Bool]) {
    self.policy = policy
    self.userChoices = userChoices
    self.programChoices = programChoices
  }

  /// What was chosen for a node, or nil; a choice of the program goes before an earlier one of the user.
  @inlinable
  public func choice(for id: ID) -> Bool? { programChoices[id] ?? userChoices[id] }

  /// Whether a node is expanded.
  ///
  /// - Parameters:
  ///   - id: the id of the node's value; nil where it has none.
  ///   - depth: the node's depth, at least 0; the children of the root are at depth 0.
  /// - Returns: what was chosen, or else what the policy says.
  public func isExpanded(_ id: ID?, depth: Int) -> Bool {
    id.flatMap { choice(for: $0) } ?? policy.expands(depth: depth)
  }

  /// Makes a choice for a node; the last one counts.
  ///
  /// - Parameters:
  ///   - isExpanded: whether it is to be expanded.
  ///   - id: the id of the node's value.
  ///   - origin: who chooses. A choice of the user replaces both earlier ones; one of the program lies on top of the user's,
  ///     which comes back when it is forgotten.
  @inlinable
  public mutating func choose(_ isExpanded: Bool, for id: ID, by origin: ExpansionOrigin = .user) {
    var (userChoices, programChoices) = (userChoices, programChoices)
    // Held twice, they would be copied.
    self = ExpansionState(policy: policy)
    switch origin {
    case .user:
      userChoices[id] = isExpanded
      programChoices[id] = nil
    case .program: programChoices[id] = isExpanded
    }
    self = ExpansionState(policy: policy, userChoices: userChoices, programChoices: programChoices)
  }

  /// Forgets what was chosen for a node.
  public mutating func forgetChoices(for id: ID) {
    userChoices[id] = nil
    programChoices[id] = nil
  }

  /// Puts back what was chosen for a node.
  mutating func restore(_ choice: OutlineChoice<ID>) {
    userChoices[choice.id] = choice.user
    programChoices[choice.id] = choice.program
  }

  /// Forgets everything that the user, or the program, chose.
  public mutating func forgetChoices(by origin: ExpansionOrigin) {
    switch origin {
    case .user: userChoices = [:]
    case .program: programChoices = [:]
    }
  }

  /// Whether there are any choices: where not, no id need be asked for.
  var hasChoices: Bool { !userChoices.isEmpty || !programChoices.isEmpty }

  /// Whether everything is expanded.
  var isAll: Bool { policy == .expanded && !hasChoices }
}

extension ExpansionState: Codable where ID: Codable {}
