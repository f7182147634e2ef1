import OffsetIndexing

/// The rule that says which nodes of an outline are expanded without a choice.
///
/// ```swift
/// let home = BranchNode([.node(BranchNode(value: "notes", leaves: ["a.md"]))])
/// let outline = OutlineNode(home, expansion: ExpansionState(policy: .expanded), id: { $0 })
/// outline.elements                         // ["notes", "a.md"]
/// outline.expansion.policy = .collapsed    // reports a removal of 1
/// outline.elements                         // ["notes"]
/// ```
public enum ExpansionPolicy: Hashable, Sendable, Codable {
  /// No node is expanded.
  case collapsed

  /// Every node is expanded.
  case expanded

  /// The nodes at the first depths are expanded: `.depth(1)` expands the children of the root, so that two levels are
  /// visible.
  case depth(Int)

  /// Whether the policy expands nodes at a depth; the children of the root are at depth 0.
  package func expands(depth: Int) -> Bool {
    switch self {
    case .collapsed: false
    case .expanded: true
    case .depth(let limit): depth < limit
    }
  }
}

/// Who expanded or collapsed a node.
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
  /// The user, who wants to find the node again in the same state.
  case user

  /// The program, for example to show a search result.
  case program
}

/// The expanded nodes of an outline, by stable id: a value that can be stored and restored.
///
/// A state knows no places. So the state outlives filters, sorts, moves and reloads, and keeps the choices for nodes
/// that are hidden below a collapsed node. The choices of the user and of the program are kept apart:
///
/// ```swift
/// var state = ExpansionState<String>(policy: .depth(1))
/// state.choose(true, for: "Documents")                    // by the user
/// state.choose(true, for: "Pictures", by: .program)
/// state.forgetChoices(by: .program)
/// state.isExpanded("Pictures", depth: 3)                  // false: the policy
/// ```
public struct ExpansionState<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The rule for nodes without a choice.
  public var policy: ExpansionPolicy

  /// The choices of the user: whether a node is expanded, by id.
  @usableFromInline package private(set) var userChoices: [ID: Bool] = [:]

  /// The choices of the program, which have priority over the user's choices.
  @usableFromInline package private(set) var programChoices: [ID: Bool] = [:]

  /// Creates a state without choices.
  ///
  /// - Parameter policy: the rule for nodes without a choice.
  public init(policy: ExpansionPolicy = .collapsed) { self.policy = policy }

  @usableFromInline
  init(policy: ExpansionPolicy, userChoices: [ID: Bool], programChoices: [ID: Bool]) {
    self.policy = policy
    self.userChoices = userChoices
    self.programChoices = programChoices
  }

  /// The choice for a node, or nil; a choice of the program has priority over an earlier choice of the user.
  @inlinable
  public func choice(for id: ID) -> Bool? { programChoices[id] ?? userChoices[id] }

  /// Whether a node is expanded.
  ///
  /// - Parameters:
  ///   - id: the id of the node's value; nil if the node has no value.
  ///   - depth: the node's depth, at least 0; the children of the root are at depth 0.
  /// - Returns: the choice, or else the policy.
  public func isExpanded(_ id: ID?, depth: Int) -> Bool {
    id.flatMap { choice(for: $0) } ?? policy.expands(depth: depth)
  }

  /// Makes a choice for a node; the last choice counts.
  ///
  /// - Parameters:
  ///   - isExpanded: whether the node is to be expanded.
  ///   - id: the id of the node's value.
  ///   - origin: who makes the choice. A choice of the user replaces both earlier choices. A choice of the program
  ///     hides the user's choice, which counts again when the program's choice is forgotten.
  @inlinable
  public mutating func choose(_ isExpanded: Bool, for id: ID, by origin: ExpansionOrigin = .user) {
    var (userChoices, programChoices) = (userChoices, programChoices)
    // Second references to the dictionaries would make the edit copy them.
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

  /// Whether there are any choices. Without choices, no id is needed.
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

/// The nodes that are to be expanded, with all expanded nodes below them.
///
/// A plan is made before anything is changed.
///
/// A question to a node may run closures of users. These closures must find the outline as it was.
struct OutlinePlan {
  /// A node that is to have a record.
  struct Child {
    /// The node's position in its parent.
    let position: Int
    let node: SourceBranch
    let depth: Int
    /// The path from this node to a node below, which is to be expanded with all nodes on the way, whatever the state
    /// says.
    var way: ArraySlice<Int> = []
    /// The node's step among the goals of transfers; nil if no transfer ends below the node.
    var step: Int?
  }

  /// A node whose children are being planned.
  private struct Stop {
    let children: [Child]
    let count: Int
    var next = 0
    /// The number of children that have been planned.
    var position = 0
  }

  /// The children of a node with everything below: a branch for each node that is to have a record.
  let shape: TreeIndex

  /// The nodes of the branches, in the order of the shape, and the branches.
  private(set) var nodes: [SourceBranch] = []
  private(set) var records: [TreeIndex.Branch] = []

  /// Plans children of a node, and everything below them.
  ///
  /// - Parameters:
  ///   - children: the children that are to have records, ascending by position.
  ///   - count: the number of all children of the node.
  ///   - childCount: returns the number of a node's children.
  ///   - below: returns the children of a planned child that are to have records, given the number of all its children.
  /// - Complexity: O(r) for r records, and r calls of `below`.
  init(
    _ children: [Child], count: Int, childCount: (SourceBranch) -> Int, _ below: (Child, _ count: Int) -> [Child]
  ) {
    var builder = TreeIndex.Builder()
    var stops = [Stop(children: children, count: count)]
    while var stop = stops.popLast() {
      if stop.next == stop.children.count {
        builder.appendLeaves(stop.count - stop.position)
        if !stops.isEmpty { builder.closeBranch() }
        continue
      }
      let child = stop.children[stop.next]
      builder.appendLeaves(child.position - stop.position)
      stop.next += 1
      stop.position = child.position + 1
      stops.append(stop)
      records.append(builder.openBranch())
      nodes.append(child.node)
      let count = childCount(child.node)
      stops.append(Stop(children: below(child, count), count: count))
    }
    shape = builder.finish()
  }
}

extension OutlineNode {
  /// The children of a node that are to be expanded, ascending by position.
  ///
  /// - Parameters:
  ///   - range: the children to look at.
  ///   - node: the parent of the children.
  ///   - depth: the depth of the children.
  /// - Returns: the children, with their positions and nodes.
  /// - Complexity: O(r) for r children if the policy expands or there are choices; in a forest, only branches count.
  ///   O(1) otherwise, and if all children are known to be leaves.
  func expandedChildren(in range: Range<Int>, of node: SourceBranch, depth: Int) -> [OutlinePlan.Child] {
    let expansion = state.value.expansion
    let expands = expansion.policy.expands(depth: depth)
    guard expands || expansion.hasChoices else { return [] }
    func isExpanded(_ element: Element) -> Bool {
      expansion.hasChoices ? expansion.choice(for: functions.id(element)) ?? expands : expands
    }
    let children: [(position: Int, node: SourceBranch)]
    if case .branch(let branch) = node, let hierarchy = state.value.sources.hierarchy {
      children = hierarchy.branches(in: range, of: branch, where: isExpanded).map { ($0.position, .branch($0.branch)) }
    } else if case .branch(let branch) = node, let forest = state.value.sources.forest {
      children = forest.shape.branches(in: range, of: branch).compactMap { position, child in
        guard expansion.hasChoices, let element = forest.element(at: position, of: branch), !isExpanded(element) else {
          return (position, .branch(child))
        }
        return nil
      }
    } else {
      var isObject = false
      if case .object(let object) = node {
        if object.hub.hasOnlyLeavesNow(sparing: range.count) { return [] }
        isObject = true
      }
      let chosen =
        expansion.hasChoices
        ? state.value.sources.reading(node) { functions.chosen($0, range, expansion, !expands) } : []
      if expands {
        let exceptions = Set(chosen)
        let isOther = { !exceptions.contains($0) }
        children = state.value.sources.children(in: range, of: node, where: isObject ? isOther : nil).filter {
          isOther($0.position)
        }
      } else {
        children = chosen.compactMap { position in
          state.value.sources.child(at: position, of: node).map { (position, $0) }
        }
      }
    }
    return children.map { OutlinePlan.Child(position: $0, node: $1, depth: depth) }
  }

  /// The children of a node that are to be expanded, without transferred children that stay as they are.
  func expandedChildren(
    in range: Range<Int>, of node: SourceBranch, depth: Int, step: Int?, _ goals: TransferGoals
  ) -> [OutlinePlan.Child] {
    let children = expandedChildren(in: range, of: node, depth: depth)
    guard let step else { return children }
    return children.compactMap { child in
      var child = child
      child.step = goals.step(at: child.position, of: step)
      return child.step.map(goals.isKnown) ?? false ? nil : child
    }
  }

  /// The plan to expand a node, with everything below it that is expanded.
  ///
  /// - Parameters:
  ///   - child: the node; its position does not matter.
  ///   - goals: the places where transfers of the present change end.
  /// - Returns: the plan.
  /// - Complexity: O(n) for the n children of all these nodes.
  func plan(_ child: OutlinePlan.Child, _ goals: TransferGoals = TransferGoals()) -> OutlinePlan {
    let only = OutlinePlan.Child(position: 0, node: child.node, depth: child.depth, way: child.way, step: child.step)
    return plan([only], count: 1, goals)
  }

  /// The plan for some children of a node with `count` children.
  func plan(_ children: [OutlinePlan.Child], count: Int, _ goals: TransferGoals = TransferGoals()) -> OutlinePlan {
    OutlinePlan(children, count: count, childCount: { state.value.sources.count($0) }) { parent, count in
      let depth = parent.depth + 1
      var children = expandedChildren(in: 0..<count, of: parent.node, depth: depth, step: parent.step, goals)
      var way = parent.way
      if let position = way.popFirst() {
        let place = children.partitioningIndex { $0.position >= position }
        let isExpanded = place < children.count && children[place].position == position
        let node =
          isExpanded ? children.remove(at: place).node : state.value.sources.child(at: position, of: parent.node)
        if let node {
          children.insert(OutlinePlan.Child(position: position, node: node, depth: depth, way: way), at: place)
        }
      }
      return children
    }
  }
}
