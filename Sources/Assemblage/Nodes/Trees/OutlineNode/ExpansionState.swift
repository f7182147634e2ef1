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

/// The expanded nodes of an outline, by stable id: a value that can be stored and restored.
///
/// A state knows no places. So it outlives filters, sorts, moves and reloads, and keeps the choices for nodes that are hidden
/// below a collapsed one. The choices of the user and of the program are kept apart:
///
/// ```swift
/// var state = ExpansionState<String>(policy: .depth(1))
/// state.choose(true, for: "Documents")                    // by the user
/// state.choose(true, for: "Pictures", by: .program)
/// state.forgetChoices(by: .program)
/// state.isExpanded("Pictures", depth: 3)                  // false: the policy
/// ```
public struct ExpansionState<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The rule where no choice was made.
  public var policy: ExpansionPolicy

  /// The choices of the user: whether a node is expanded, by id.
  public private(set) var userChoices: [ID: Bool] = [:]

  /// The choices of the program, which go before the user's.
  public private(set) var programChoices: [ID: Bool] = [:]

  /// Creates a state without choices.
  ///
  /// - Parameter policy: the rule where no choice was made.
  public init(policy: ExpansionPolicy = .collapsed) { self.policy = policy }

  @usableFromInline
  init(policy: ExpansionPolicy, userChoices: [ID: Bool], programChoices: [ID: Bool]) {
    self.policy = policy
    self.userChoices = userChoices
    self.programChoices = programChoices
  }

  /// The choice for a node, or nil; a choice of the program goes before an earlier one of the user.
  @inlinable
  public func choice(for id: ID) -> Bool? { programChoices[id] ?? userChoices[id] }

  /// Whether a node is expanded.
  ///
  /// - Parameters:
  ///   - id: the id of the node's value; nil where it has none.
  ///   - depth: the node's depth, at least 0; the children of the root are at depth 0.
  /// - Returns: the choice, or else the policy.
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

  /// Forgets the choices for a node.
  public mutating func forgetChoices(for id: ID) {
    userChoices[id] = nil
    programChoices[id] = nil
  }

  /// Forgets all choices of the user, or of the program.
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

extension ExpansionState {
  /// All choices for one node.
  struct Choices {
    let id: ID
    let user: Bool?
    let program: Bool?
  }

  func choices(for id: ID) -> Choices { Choices(id: id, user: userChoices[id], program: programChoices[id]) }

  mutating func restore(_ choices: Choices) {
    userChoices[choices.id] = choices.user
    programChoices[choices.id] = choices.program
  }
}

extension ExpansionState: Codable where ID: Codable {}
