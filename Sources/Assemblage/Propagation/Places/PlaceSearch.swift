/// A node that finds the place where it shows a place of one of its sources.
///
/// Nodes that do not conform are searched child by child: see `PlaceSearch`.
protocol SourcePlacing: TreeNode {
  /// Finds where this node shows a place of a source.
  ///
  /// - Parameters:
  ///   - slot: the slot of the source.
  ///   - path: a place that exists in the source; [] is the source itself.
  /// - Returns: a path from this node; nil where the place is hidden, or the source is no child of this node.
  func path(ofSource slot: Int, _ path: SharedPath) -> SharedPath?

  /// The node whose nodes this one copies, as a map does; nil where this node shows its sources' nodes themselves.
  var copiedNode: (any TreeNode)? { get }

  /// Finds the place in `copiedNode` that a place of this node copies; nil where there is none.
  ///
  /// The default is the same place.
  func copiedPath(of path: [Int]) -> [Int]?

  /// The node that made this one without linking it, and this node's path below the maker.
  var maker: (node: any TreeNode, path: [Int])? { get }
}

extension SourcePlacing {
  var copiedNode: (any TreeNode)? { nil }

  func copiedPath(of path: [Int]) -> [Int]? { path }

  var maker: (node: any TreeNode, path: [Int])? { nil }
}

/// Finds the places where a node shows a place of another one, along the links from sources to dependents.
///
///     friends [2]  →  join [5]  →  filter [3]  →  branch [0, 3]
///
/// The search looks at no other node: neither at the children of the nodes on the way, nor at nodes that derive from
/// the goal.
struct PlaceSearch {
  /// The goal's hub.
  private let goal: NodeHub
  /// The length of the path from the node that is searched for: 0 is that node itself.
  private let suffix: Int
  private var open: [State] = []
  /// Whether the way has forked: until then, no place can be reached twice.
  private var isForked = false
  /// The places that were reached behind a fork.
  private var known: Set<Key> = []
  private var found: [[Int]] = []

  /// A place that the search has reached.
  private struct State {
    let hub: NodeHub
    let path: SharedPath
    /// The copies that the rest of the way must pass, the next one last.
    ///
    /// The search began at the nodes that they copy.
    let awaited: [any TreeNode]
  }

  private struct Key: Hashable {
    let hub: ObjectIdentifier
    let path: SharedPath
    let awaited: Int
  }

  /// Finds all paths, in ascending order, at which `goal` shows the place `path` of `node`.
  static func paths(of path: [Int], in node: any TreeNode, shownBy goal: any TreeNode) -> [[Int]] {
    var whole = goal
    // The parts of a whole are not linked while they sleep. So search the whole, and keep the paths that lie in the
    // part.
    if goal !== node, let owner = goal.hub.whole { whole = owner }
    var search = PlaceSearch(goal: whole.hub, suffix: path.count)
    search.start(path, in: node)
    search.run()
    let found = search.found.sorted { $0.lexicographicallyPrecedes($1) }
    return whole === goal ? found : found.compactMap { part($0, of: whole, in: goal) }
  }

  private init(goal: NodeHub, suffix: Int) {
    self.goal = goal
    self.suffix = suffix
  }

  /// Begins at the node, at its maker, and at the node that it copies.
  private mutating func start(_ path: [Int], in node: any TreeNode) {
    var (node, path) = (node, path)
    var awaited: [any TreeNode] = []
    var places: [State] = []
    let empty = SharedPath()
    while true {
      let shared = empty.prepending(contentsOf: path)
      places.append(State(hub: node.hub, path: shared, awaited: awaited))
      guard let placing = node as? any SourcePlacing else { break }
      if let maker = placing.maker {
        let path = shared.prepending(contentsOf: maker.path)
        places.append(State(hub: maker.node.hub, path: path, awaited: awaited))
      }
      guard let copied = placing.copiedNode, let place = placing.copiedPath(of: path) else { break }
      awaited.append(node)
      (node, path) = (copied, place)
    }
    isForked = places.count > 1
    for place in places where leadsToGoal(place.hub) { visit(place.hub, place.path, place.awaited) }
  }

  /// Whether a node is the goal, or one that the goal may derive from.
  private func leadsToGoal(_ hub: NodeHub) -> Bool { hub === goal || hub.level < goal.level }

  private mutating func visit(_ hub: NodeHub, _ path: SharedPath, _ awaited: [any TreeNode]) {
    if isForked {
      let key = Key(hub: ObjectIdentifier(hub), path: path, awaited: awaited.count)
      guard known.insert(key).inserted else { return }
    }
    if hub !== goal {
      open.append(State(hub: hub, path: path, awaited: awaited))
    } else if awaited.isEmpty {
      found.append(path.components)
    }
  }

  private mutating func run() {
    while let state = open.popLast() {
      let dependents = state.hub.state.value.dependents
      if !isForked {
        var ways = 0
        dependents.forEach { if unsafe leadsToGoal($0.hub) { ways += 1 } }
        isForked = ways > 1
      }
      dependents.forEach { dependent in
        let (hub, slot) = unsafe (dependent.hub, dependent.slot)
        guard leadsToGoal(hub), let owner = hub.owner else { return }
        if slot < 0 {
          if let source = state.hub.owner, let path = Self.part(state.path.components, of: source, in: owner) {
            visit(hub, state.path.replaced(by: path), state.awaited)
          }
        } else if let placing = owner as? any SourcePlacing {
          guard let path = placing.path(ofSource: slot, state.path) else { return }
          if placing.copiedNode == nil {
            visit(hub, path, state.awaited)
          } else if let copy = state.awaited.last {
            let node = Self.node(at: path.components.dropLast(suffix), of: owner)
            if node === copy { visit(hub, path, state.awaited.dropLast()) }
          } else if suffix > 0 {
            visit(hub, path, [])
          }
        } else if let source = state.hub.owner, let path = Self.scan(state.path, of: source, in: owner) {
          visit(hub, path, state.awaited)
        }
      }
    }
  }

  /// Returns the place in a part of a place in the whole; nil where the place lies outside the part.
  private static func part(_ path: [Int], of whole: any TreeNode, in part: any TreeNode) -> [Int]? {
    var node = whole
    for (depth, position) in path.enumerated() {
      guard let child: any TreeNode = node.child(at: position) else { return nil }
      if child === part { return Array(path[(depth + 1)...]) }
      node = child
    }
    return nil
  }

  /// Searches the children of a node, which offers no other information, for a place of its source.
  private static func scan(_ path: SharedPath, of source: any TreeNode, in node: any TreeNode) -> SharedPath? {
    let below: (any TreeNode)? = path.first.flatMap { source.child(at: $0) }
    for position in 0..<node.count {
      guard let child: any TreeNode = node.child(at: position) else { continue }
      if child === source { return path.prepending(position) }
      if let below, child === below { return path.dropFirst().prepending(position) }
    }
    return nil
  }

  private static func node(at path: some Sequence<Int>, of node: any TreeNode) -> (any TreeNode)? {
    var node = node
    for position in path {
      guard let child: any TreeNode = node.child(at: position) else { return nil }
      node = child
    }
    return node
  }
}
