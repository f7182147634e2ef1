/// The nodes to which children were moved in the transaction under way: each of them may move on, or back, in another move.
///
/// Every move has a token of its own. A parent that loses a child by one move and gets it back by another one hears of
/// tokens that have nothing in common; only the nodes in between know better: there, the child came with the first, left with
/// the second, and something may have happened to it meanwhile. So these are followed until the transaction ends, and what
/// came and left again is told as links between the tokens. What came to a node that moves on itself, or stands in one that
/// does, goes with that.
///
/// ```text
///     a parent      place → T1,  T2 → place      a departure, an arrival
///     a waypoint    T1 → T2                      the link, which makes one move of the two
///     in a child    T1 → T2/0                    it goes along: the child's token, and its place below
/// ```
struct Waypoints {
  private struct Waypoint {
    let hub: NodeHub
    /// The node itself: it may have been made for this only.
    let node: any TreeNode
    let observer: Observer
    /// Whether the observer hears of what happens inside children too.
    var listens = false
  }

  private var waypoints: [ObjectIdentifier: Waypoint] = [:]
  /// The hubs of the nodes followed, and of those that derive from them.
  private var known: Set<ObjectIdentifier> = []
  /// What went along with a child that moved on, by what it came with: from then on, where that child came knows more.
  private var links: [Crossing.End: Crossing] = [:]

  var isEmpty: Bool { waypoints.isEmpty }

  /// Follows a node, if that is not done already.
  ///
  /// - Parameters:
  ///   - hub: the hub of the node to which a child is moved, before it tells of that.
  ///   - listens: whether something may happen inside the child.
  /// - Complexity: O(1), and O(d) for d nodes that derive from it and are not known; where `listens` and no observer has
  ///   listened to the node, that of the nodes that it derives from.
  mutating func follow(_ hub: NodeHub, listens: Bool) {
    let id = ObjectIdentifier(hub)
    if waypoints[id] == nil, let node = hub.owner {
      let observer = Observer(followingMovesOf: hub)
      hub.add(observer, listens: false)
      waypoints[id] = Waypoint(hub: hub, node: node, observer: observer)
      know(hub)
    }
    if listens, waypoints[id]?.listens == false {
      hub.addListener()
      waypoints[id]!.listens = true
      waypoints[id]!.observer.followEverything()
    }
  }

  private mutating func know(_ hub: NodeHub) {
    var open = [hub]
    while let hub = open.popLast() {
      guard known.insert(ObjectIdentifier(hub)).inserted else { continue }
      if let whole = hub.whole { open.append(whole.hub) }
      for index in hub.state.value.dependents.indices {
        unsafe open.append(hub.state.value.dependents[index].hub)
      }
    }
  }

  /// Notes that a node has moved, with everything that came into it, and that all nodes have heard of it.
  ///
  /// - Complexity: O(1) where nothing came to a node below it; otherwise, for each waypoint, that of its net change and of the
  ///   search for its place.
  mutating func move(_ node: any TreeNode, with token: Crossing.Token) {
    guard known.contains(ObjectIdentifier((node.hub.whole ?? node).hub)) else { return }
    for waypoint in waypoints.values {
      for crossing in waypoint.observer.crossings where links[crossing.from] == nil && crossing.from.token != token {
        guard case (.outside, .inside(let place)) = (crossing.from, crossing.to),
          let path = PlaceSearch.paths(of: place.components, in: waypoint.node, shownBy: node).first
        else { continue }
        links[crossing.from] = Crossing(
          from: crossing.from, to: .outside(token.descendant(path)), change: crossing.change)
      }
    }
  }

  /// Forgets the moves of a transaction that was rolled back.
  mutating func rollBack(_ transaction: Int) {
    if links.isEmpty { return }
    links = links.filter { $1.to.stem?.isNewer(than: transaction) != true }
  }

  /// Ends the following.
  ///
  /// - Returns: the links.
  /// - Complexity: that of the nodes' net changes.
  mutating func finish() -> [Crossing] {
    var ended = Waypoints()
    swap(&ended, &self)
    var links = Array(ended.links.values)
    for waypoint in ended.waypoints.values {
      links += waypoint.observer.crossings.lazy.filter(\.isLink).map(\.withoutLeaving)
        .filter { $0.from != $0.to && !ended.wentOn($0) }
      waypoint.hub.remove(waypoint.observer, listens: waypoint.listens)
    }
    return links
  }

  /// Whether a child had gone along with another one before it left that, or was a part of what had.
  private func wentOn(_ link: Crossing) -> Bool {
    guard !links.isEmpty, case (.outside(let former), .outside(let next)) = (link.from, link.to) else { return false }
    return ([former] + former.ancestors.map(\.token)).contains { token in
      guard case .outside(let earlier)? = links[.outside(token)]?.to else { return false }
      return next.isNewer(than: earlier)
    }
  }

  /// Takes over those of a graph that becomes one with this.
  mutating func merge(_ other: inout Waypoints) {
    waypoints.merge(other.waypoints) { own, _ in own }
    known.formUnion(other.known)
    links.merge(other.links) { own, _ in own }
    other = Waypoints()
  }
}
