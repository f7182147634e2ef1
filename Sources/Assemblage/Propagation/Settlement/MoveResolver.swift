import OffsetIndexing

/// Gives each moved child one number, and finds the nodes that report the ends of its move.
struct MoveResolver {
  private let log: MoveLog
  private var levels: [ParentKey: ChangeSet] = [:]
  private var hubs: [ParentKey: NodeHub] = [:]
  private var trees: [ObjectIdentifier: [any PendingTree]] = [:]
  /// The positions before the change from which children left, by parent and number.
  private var departures: [ParentKey: [Int: Int]] = [:]
  /// The number of a child's previous move, by the number of the next move of the same child.
  private var firstNames: [Int: Int] = [:]
  private var found: [ObjectIdentifier: [Int: Crossing]] = [:]

  /// Gives all moves of a child one number, and turns a move that leads back to its parent into a move of the parent's
  /// delta.
  init(
    _ log: MoveLog, _ nodes: inout [(hub: NodeHub, change: ChangeSet)],
    _ trees: inout [(tree: any PendingTree, changes: [TreeIndex.Branch: ChangeSet])]
  ) {
    self.log = log
    var ended = log.endedBranches.mapValues { crossings in
      var change = ChangeSet()
      change.crossings = crossings
      return change
    }
    func forEachChange(_ body: (inout ChangeSet) -> Void) {
      for index in nodes.indices where !nodes[index].change.crossings.isEmpty { body(&nodes[index].change) }
      for index in trees.indices {
        for (branch, change) in trees[index].changes where !change.crossings.isEmpty {
          body(&trees[index].changes[branch]!)
        }
      }
      for key in ended.keys { body(&ended[key]!) }
    }
    // The changes inside a child before each of its moves are reported at its last arrival.
    var (names, departed, passed): ([Int: Int], [Int: ChangeSet], [Int: (change: ChangeSet, next: Int)]) = (
      [:], [:], [:]
    )
    forEachChange { change in
      for index in change.crossings.indices where change.crossings[index].to == nil {
        let crossing = change.crossings[index]
        if let next = crossing.next {
          names[next] = crossing.name
          passed[crossing.name] = (crossing.change, next)
        } else if !crossing.change.isEmpty {
          departed[crossing.name] = crossing.change
          change.crossings[index].change = ChangeSet()
        }
      }
      change.crossings.removeAll { $0.next != nil }
    }
    firstNames = names
    forEachChange { change in
      for index in change.crossings.indices {
        let last = change.crossings[index].name
        let name = first(last)
        change.crossings[index].name = name
        guard change.crossings[index].isArrival else { continue }
        var (total, step) = (departed[name] ?? ChangeSet(), name)
        while step != last, let (change, next) = passed[step] { (total, step) = (total.composed(with: change), next) }
        change.crossings[index].change = total.composed(with: change.crossings[index].change)
      }
      change.pairCrossings()
    }
    for (hub, change) in nodes { note(change, ParentKey(hub), hub) }
    for (tree, changes) in trees {
      self.trees[ObjectIdentifier(tree.pendingBranches), default: []].append(tree)
      for (branch, change) in changes { note(change, ParentKey(tree, branch), nil) }
    }
    for (key, change) in ended { note(change, key, nil) }
  }

  private mutating func note(_ change: ChangeSet, _ key: ParentKey, _ hub: NodeHub?) {
    levels[key] = change
    hubs[key] = hub
    for crossing in change.crossings where crossing.isDeparture && crossing.from!.depth == 1 {
      departures[key, default: [:]][crossing.name] = crossing.from!.first
    }
  }

  /// Finds the ends of moves that nodes report besides the moves of their own children, by hub and number.
  ///
  /// - Complexity: O(m · d · log n) for m ends at depth d.
  mutating func ends() -> [ObjectIdentifier: [Int: Crossing]] {
    for (key, change) in levels {
      for crossing in change.crossings {
        if let from = crossing.from, crossing.to == nil {
          followBack(crossing, from.components, of: key)
        } else if crossing.isArrival, case .branch(let store, let branch) = key {
          followUp(crossing, at: crossing.to!.first, of: branch, in: store)
        }
      }
    }
    return found
  }

  /// Adds one end of a move to the ends that a node reports.
  private mutating func add(_ crossing: Crossing, from: [Int]? = nil, to: [Int]? = nil, for hub: NodeHub) {
    var end =
      found[ObjectIdentifier(hub)]?[crossing.name]
      ?? Crossing(crossing.name, from: nil, to: nil)
    if let from { end.from = Crossing.Place(from) }
    if let to { (end.to, end.change) = (Crossing.Place(to), crossing.change) }
    found[ObjectIdentifier(hub), default: [:]][crossing.name] = end
  }

  private func tree(_ store: ObjectIdentifier, _ branch: TreeIndex.Branch) -> (any PendingTree)? {
    trees[store]?.first { $0.contains(pending: branch) }
  }

  /// Reports an arrival in a forest, through the present parents.
  private mutating func followUp(
    _ crossing: Crossing, at position: Int, of branch: TreeIndex.Branch, in store: ObjectIdentifier
  ) {
    guard let tree = tree(store, branch) else { return }
    let hasParts = tree.pendingHub.hasAwakeParts
    // The path is built from its end to its beginning.
    var (path, branch) = ([position], branch)
    while let parent = tree.pendingParent(of: branch) {
      if hasParts, let part = tree.observedPart(of: branch) { add(crossing, to: path.reversed(), for: part) }
      path.append(parent.position)
      branch = parent.branch
    }
    add(crossing, to: path.reversed(), for: tree.pendingHub)
  }

  /// Reports a departure, through the former parents.
  ///
  /// - Parameters:
  ///   - crossing: the departure.
  ///   - path: its path before the change, from the parent `key`.
  ///   - key: the parent that the child left.
  /// - Complexity: O(p · log n + r · d) for the p parents above and the r nodes that report it, at depth d.
  private mutating func followBack(_ crossing: Crossing, _ path: [Int], of key: ParentKey) {
    // A node reports the departures of its own children anyway, and the departures below children that stay.
    if case .node = key, !log.hasFormerParents { return }
    // Each step links to the step below it; a path is made only where it is reported.
    var steps: [(position: Int, below: Int)] = []
    func wholePath(from step: Int) -> [Int] {
      var (whole, step): ([Int], Int) = ([], step)
      while step >= 0 {
        whole.append(steps[step].position)
        step = steps[step].below
      }
      return whole + path
    }
    var open = [(step: -1, key: key, hub: hubs[key])]
    var seen: Set<ParentKey> = [key]
    func go(to key: ParentKey, _ hub: NodeHub?, from step: Int, at position: Int?) -> Bool {
      guard let position, seen.insert(key).inserted else { return false }
      steps.append((position, step))
      open.append((steps.count - 1, key, hub))
      return true
    }
    while let stop = open.popLast() {
      let (step, key) = (stop.step, stop.key)
      var hub = stop.hub
      if case .branch(let store, let branch) = key {
        guard let tree = tree(store, branch) else { continue }
        let parent = tree.pendingParent(of: branch)
        hub = parent == nil ? tree.pendingHub : tree.observedPart(of: branch)
        if let hub { add(crossing, from: wholePath(from: step), for: hub) }
        if let parent {
          let key = ParentKey.branch(store, parent.branch)
          _ = go(to: key, nil, from: step, at: former(parent.position, in: key))
        }
      }
      for former in log.formerParents(of: key) {
        let (parent, position) = (hubs[former.key], position(at: former.place, of: former.key))
        guard go(to: former.key, parent, from: step, at: position) else { continue }
        if case .node = former.key, let parent { add(crossing, from: wholePath(from: steps.count - 1), for: parent) }
      }
      for container in hub.map(containers) ?? [] {
        _ = go(to: ParentKey(container.hub), container.hub, from: step, at: container.position)
      }
    }
  }

  /// Finds the position of a child before the change, in the parent that it had then.
  private func position(at place: MoveLog.FormerParent.Place, of parent: ParentKey) -> Int? {
    switch place {
    case .departure(let name): departures[parent]?[first(name)]
    case .position(let position): position
    }
  }

  private func first(_ name: Int) -> Int {
    var name = name
    while let former = firstNames[name] { name = former }
    return name
  }

  private func former(_ position: Int, in key: ParentKey) -> Int? {
    guard let level = levels[key] else { return position }
    return level.level.position(before: position)
  }

  /// Finds the parents that have a node as a child, before and after the change, with the child's positions before.
  private func containers(of hub: NodeHub) -> [(hub: NodeHub, position: Int)] {
    let views = hub.state.value.dependents.views
    return views.indices.compactMap { index in
      let dependent = views[index]
      let parent = unsafe dependent.hub
      guard parent.state.value.isContainer,
        let position = parent.state.value.translator?.position(ofChildInSlot: dependent.slot)
      else { return nil }
      return former(position, in: ParentKey(parent)).map { (parent, $0) }
    }
  }
}
