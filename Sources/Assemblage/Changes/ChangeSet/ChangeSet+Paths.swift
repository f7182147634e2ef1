extension ChangeSet {
  /// A change set as index paths, in the form that batch updates of table and collection views use.
  ///
  /// The paths of removals and the sources of moves are paths before the change, in all components. The paths of
  /// insertions and updates and the destinations of moves are paths after it. Nothing inside inserted and removed
  /// children is reported, except moves out of removed children and into inserted ones. Each list is in ascending
  /// order.
  public struct Paths: Hashable, Sendable {
    /// The move of a child from one parent to another, or among its siblings; the parent itself may have moved too.
    ///
    /// ```swift
    /// let sections = BranchNode([ArrayNode(["a", "b"]), ArrayNode(["c"])])
    /// let token = sections.observe { for move in $0.paths.moves { print(move.source, move.destination) } }
    /// sections.move(from: [0, 1], to: [1, 0])     // prints [0, 1] [1, 0]
    /// ```
    public struct Move: Hashable, Sendable {
      /// The path before the change.
      public let source: IndexPath
      /// The path after the change.
      public let destination: IndexPath

      /// Creates a move.
      ///
      /// - Parameters:
      ///   - source: the path before the change.
      ///   - destination: the path after the change.
      package init(from source: IndexPath, to destination: IndexPath) {
        self.source = source
        self.destination = destination
      }
    }

    /// The removed children: paths before the change.
    public internal(set) var removals: [IndexPath] = []
    /// The inserted children: paths after the change.
    public internal(set) var insertions: [IndexPath] = []
    /// The surviving children with new values: paths after the change; the empty path is the node itself.
    public internal(set) var updates: [IndexPath] = []
    /// The children that changed their parent, or their place among their siblings; by destination.
    public internal(set) var moves: [Move] = []
  }

  /// The change, expanded to the index path of every inserted, removed, updated or moved element.
  ///
  /// ```swift
  /// let change = ChangeSet(delta: .insertion(0..<1), children: [(2, ChangeSet(.removal(4..<6)))])
  /// change.paths.insertions   // [0]
  /// change.paths.removals     // [1, 4], [1, 5]: section 2 was section 1 before
  /// ```
  ///
  /// - Complexity: O(e · d) for e elements at depth d; O(e · log e · d) if elements moved.
  public var paths: Paths {
    var paths = Paths()
    if updatesValue { paths.updates.append(IndexPath()) }
    expand(into: &paths, old: [], new: [])
    let transfers = transfers
    for transfer in transfers {
      paths.moves.append(Paths.Move(from: transfer.source, to: transfer.destination))
      if transfer.change.updatesValue { paths.updates.append(transfer.destination) }
      transfer.change.expand(into: &paths, old: Array(transfer.source), new: Array(transfer.destination))
    }
    if !transfers.isEmpty {
      let sources = Set(transfers.map(\.source))
      let destinations = Set(transfers.map(\.destination))
      paths.removals.removeAll { sources.contains($0) }
      paths.insertions.removeAll { destinations.contains($0) }
    }
    if !nodes.isEmpty || !transfers.isEmpty {
      paths.removals.sort()
      paths.insertions.sort()
      paths.updates.sort()
      paths.moves.sort { $0.destination < $1.destination }
    }
    return paths
  }

  /// Adds the changes of the children of the node at a path, and the changes inside them, without the transfers.
  private func expand(into paths: inout Paths, old: [Int], new: [Int]) {
    var old = old
    var new = new
    enum Task {
      case enter(Int, old: Int, new: Int)
      case leave
    }
    var tasks: [Task] = []
    func report(_ delta: Delta) {
      for position in delta.removals.joined() { paths.removals.append(IndexPath(indexes: old + [position])) }
      for position in delta.insertions.joined() {
        paths.insertions.append(IndexPath(indexes: new + [position]))
      }
      for position in delta.updates.joined() { paths.updates.append(IndexPath(indexes: new + [position])) }
      for move in delta.moves {
        for (source, destination) in zip(move.source, move.destination) {
          paths.moves.append(
            Paths.Move(from: IndexPath(indexes: old + [source]), to: IndexPath(indexes: new + [destination])))
        }
      }
    }
    func pushChildren(of parent: Int, _ delta: Delta) {
      let before = PositionLookup(delta)
      Self.forEachChildBackward(of: parent, in: nodes) { index in
        let position = nodes[index].position
        if let source = before.position(before: position) {
          tasks.append(.enter(index, old: source, new: position))
        }
      }
    }
    report(delta)
    pushChildren(of: nodes.count, delta)
    while let task = tasks.popLast() {
      switch task {
      case .enter(let index, let source, let position):
        old.append(source)
        new.append(position)
        tasks.append(.leave)
        report(nodes[index].delta)
        pushChildren(of: index, nodes[index].delta)
      case .leave:
        old.removeLast()
        new.removeLast()
      }
    }
  }
}
