// How crossings continue in a later change, and how the two ends of a move are paired.
extension ChangeSet {
  /// The crossings of the net change of two changes: each crossing of the first continues in the second, or ends there.
  ///
  /// - Complexity: O((s + c) · log n) for s nodes and c crossings in both.
  static func composedCrossings(_ first: ChangeSet, _ second: ChangeSet) -> [Crossing] {
    let (former, latter) = (ChangeSetMap(first), ChangeSetMap(second))
    var isUsed = [Bool](repeating: false, count: second.crossings.count)
    var arrivals: [Int: Int] = [:]
    for (number, crossing) in second.crossings.enumerated() where crossing.isArrival {
      arrivals[crossing.name] = number
    }
    /// Continues a crossing with a crossing of the second change.
    func go(_ crossing: inout Crossing, with number: Int) {
      let next = second.crossings[number]
      isUsed[number] = true
      crossing.change = crossing.change.composed(with: next.change)
      crossing.to = next.to
      if next.to == nil {
        // A passage keeps both names. A departure gets the name of the later move, because its other end has this name.
        if crossing.from == nil {
          crossing.next = next.next ?? next.name
        } else {
          crossing.name = next.next ?? next.name
        }
      }
    }
    var result: [Crossing] = []
    for var crossing in first.crossings {
      if let place = crossing.to {
        if let number = latter.crossing(from: place) {
          go(&crossing, with: number)
        } else if let finding = latter.find(after: place.components) {
          crossing.to = Crossing.Place(finding.path)
          crossing.change = crossing.change.composed(with: latter.change(of: finding))
        } else {
          crossing.to = nil
          if crossing.from == nil { continue }
        }
      } else if let number = arrivals[crossing.next ?? crossing.name], !isUsed[number] {
        crossing.next = nil
        go(&crossing, with: number)
      }
      result.append(crossing)
    }
    for (number, var crossing) in second.crossings.enumerated() where !isUsed[number] {
      if let place = crossing.from {
        if let finding = former.find(before: place.components) {
          crossing.from = Crossing.Place(finding.path)
          crossing.change = former.change(of: finding).composed(with: crossing.change)
        } else {
          // The first change inserted the child.
          crossing.from = nil
          if crossing.to == nil { continue }
        }
      }
      result.append(crossing)
    }
    return result
  }

  /// Combines each departure and the arrival of the same name into a transfer.
  ///
  /// A child that is visible in several places has several departures and arrivals; they are paired in their order.
  ///
  /// - Complexity: O(c) for c crossings, and that of `foldCrossings()`.
  mutating func pairCrossings() {
    if crossings.count < 2 { return }
    var arrivals: [Int: [Int]] = [:]
    for (number, crossing) in crossings.enumerated().reversed() where crossing.isArrival {
      arrivals[crossing.name, default: []].append(number)
    }
    if arrivals.isEmpty { return }
    var paired: Set<Int> = []
    for number in crossings.indices where crossings[number].isDeparture {
      guard let arrival = arrivals[crossings[number].name]?.popLast() else { continue }
      crossings[number].to = crossings[arrival].to
      crossings[number].change = crossings[number].change.composed(with: crossings[arrival].change)
      paired.insert(arrival)
    }
    if paired.isEmpty { return }
    crossings = crossings.enumerated().filter { !paired.contains($0.offset) }.map(\.element)
    foldCrossings()
  }

  /// Pairs crossings, and removes the ends of crossings at places where a child was before and after the change.
  ///
  /// Two children or sources of a node can show the same child, one before the change and one after it, and one of them
  /// can also show a child of that child. When the child's two places are paired, all below it stays:
  ///
  /// ```text
  ///     slice     before   m (c)            after
  ///     rows      before   c                after    m (c)      c has a transfer into m, which arrived
  ///     join      before   m (c)  c         after    m (c)      m stays with c, and the second c is removed
  /// ```
  ///
  /// - Precondition: the change is complete.
  /// - Complexity: O(s + c · d · log n) for s nodes and c crossings at depth d.
  mutating func pairCompleteCrossings() {
    // Such an end needs a crossing beside the two ends of the other child.
    let mayStay = crossings.count > 2
    pairCrossings()
    if !mayStay || crossings.isEmpty { return }
    let map = ChangeSetMap(self)
    for index in crossings.indices {
      if let from = crossings[index].from, !map.isDeparture(from) { crossings[index].from = nil }
      if let to = crossings[index].to, !map.isArrival(to) {
        (crossings[index].to, crossings[index].change) = (nil, ChangeSet())
      }
    }
    crossings.removeAll { $0.from == nil && $0.to == nil }
  }

  /// Marks the change's only removal as the departure of a child, or its only insertion as an arrival.
  ///
  /// - Parameter name: the number of the move.
  mutating func mark(_ name: Int) {
    if case .removal(let range) = level.storage, range.count == 1 {
      crossings.append(Crossing(name, from: Crossing.Place(range.lowerBound), to: nil))
    } else if case .insertion(let range) = level.storage, range.count == 1 {
      crossings.append(Crossing(name, from: nil, to: Crossing.Place(range.lowerBound)))
    }
  }

  /// The former positions in a view of the children where crossings begin.
  ///
  /// The view must call this method before it applies the change.
  ///
  /// - Parameter position: returns the position in the view of a child of the source; nil for a hidden child.
  /// - Returns: positions in the view, by positions in the source; both before the change.
  func formerPositions(_ position: (Int) -> Int?) -> [Int: Int] {
    if crossings.isEmpty { return [:] }
    var positions: [Int: Int] = [:]
    for crossing in crossings {
      if let first = crossing.from?.first { positions[first] = position(first) }
    }
    return positions
  }

  /// Removes the crossings that do not have both ends in this change set.
  mutating func dropOpenCrossings() {
    if !crossings.isEmpty { crossings.removeAll { $0.places == nil } }
  }

  /// Gives each crossing a name of its own.
  ///
  /// This is for a view whose children are not the children of its source: otherwise, a node that shows both could pair
  /// an end in the view with an end in the source.
  mutating func renameCrossings() {
    for index in crossings.indices { crossings[index].name = SerialNumber.next() }
  }

  /// Converts each transfer that begins and ends in one surviving parent to a move in this parent's delta.
  ///
  /// The deepest transfers are folded first: the change inside a transferred child must be complete before the transfer
  /// itself becomes a move.
  ///
  /// - Complexity: O(s · d + c · log c) for s nodes, c crossings and folded moves of parents nested d deep.
  mutating func foldCrossings() {
    if !crossings.contains(where: { $0.places != nil }) { return }
    let map = ChangeSetMap(self)
    // For each flat tree (see the map) and each node in it, the crossings that become its moves.
    var folds: [Int: [Int: [Int]]] = [:]
    var order: [Int] = []
    var isFolded = [Bool](repeating: false, count: crossings.count)
    for (number, crossing) in crossings.enumerated() {
      guard let (source, destination) = crossing.places else { continue }
      order.append(number)
      if let parent = map.find(after: source.parent), parent.path == destination.parent, let node = parent.node {
        folds[parent.tree, default: [:]][node, default: []].append(number)
        isFolded[number] = true
      }
    }
    if folds.isEmpty { return }
    order.sort(byNumber: { -crossings[$0].places!.destination.depth })
    for number in order {
      if let own = folds[number + 1] { crossings[number].change.fold(own.mapValues { $0.map { crossings[$0] } }) }
    }
    let all = crossings
    if let own = folds[0] { fold(own.mapValues { $0.map { all[$0] } }) }
    crossings = all.enumerated().filter { !isFolded[$0.offset] }.map(\.element)
  }

  /// Adds moves to nodes of the flat tree, with the changes inside the moved children; crossings stay the same.
  private mutating func fold(_ folds: [Int: [Crossing]]) {
    var written: [Node] = []
    written.reserveCapacity(nodes.count)
    // The subtrees that have been written: the index of their first entry before and after.
    var starts: [(before: Int, after: Int)] = []
    for index in 0...nodes.count {
      let isRoot = index == nodes.count
      let first = isRoot ? 0 : index - nodes[index].size + 1
      var start = written.count
      while let last = starts.last, last.before >= first {
        start = last.after
        starts.removeLast()
      }
      var delta = isRoot ? level : nodes[index].delta
      if let moved = folds[index] {
        delta = delta.folding(moved)
        Self.merge(moved, into: &written, from: start)
      }
      if isRoot {
        level = delta
      } else {
        if !delta.isEmpty || written.count > start {
          written.append(
            Node(position: nodes[index].position, size: written.count - start + 1, delta: delta))
        }
        starts.append((first, start))
      }
    }
    nodes = written
  }

  /// Merges the changes inside moved children with the changes of their new siblings, which were written last.
  private static func merge(_ moved: [Crossing], into written: inout [Node], from start: Int) {
    var subtrees: [[Node]] = []
    for crossing in moved where crossing.change.hasChildren || !crossing.change.level.isEmpty {
      var change = crossing.change
      change.updatesValue = false
      change.wrap(at: crossing.places!.destination.position)
      subtrees.append(change.nodes)
    }
    if subtrees.isEmpty { return }
    let siblings = Array(written[start...])
    forEachChildBackward(of: siblings.count, in: siblings) {
      subtrees.append(Array(siblings[($0 - siblings[$0].size + 1)...$0]))
    }
    subtrees.sort(byNumber: { $0.last!.position })
    written.replaceSubrange(start..., with: subtrees.joined())
  }
}

extension Delta {
  /// This delta, with the removal and the insertion of each transferred child replaced by a move.
  fileprivate func folding(_ moved: [Crossing]) -> Delta {
    let places = moved.map { $0.places! }
    func ranges(_ positions: [Int]) -> [Range<Int>] { RangeLists.normalized(positions.map { $0..<$0 + 1 }) }
    return Delta(
      removals: RangeLists.subtracting(ranges(places.map(\.source.position)), from: Array(removals)),
      insertions: RangeLists.subtracting(ranges(places.map(\.destination.position)), from: Array(insertions)),
      updates: Array(updates)
        + moved.filter(\.change.updatesValue).map { $0.places!.destination.position }.map { $0..<$0 + 1 },
      moves: moves
        + places.map {
          Move(
            from: $0.source.position..<$0.source.position + 1,
            to: $0.destination.position..<$0.destination.position + 1)
        })
  }
}
