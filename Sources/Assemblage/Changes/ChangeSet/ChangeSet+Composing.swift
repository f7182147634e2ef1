extension ChangeSet {
  /// The net change of this change and the one that follows it.
  ///
  /// The deltas of each level are composed. Changes inside an inserted child are absorbed by the insertion. Changes
  /// inside a child that is removed later are dropped, unless the child moves to another parent. Successive moves of a
  /// child become one move. A move that ends in the parent where it began becomes a move in that parent's delta.
  ///
  /// - Parameter next: a change that begins with the tree after this change.
  /// - Returns: the change from the tree before this change to the tree after `next`.
  /// - Complexity: O(s + t) for s and t nodes and ranges, with a factor log if elements moved.
  public func composed(with next: ChangeSet) -> ChangeSet {
    var result = continued(by: next)
    result.dropOpenCrossings()
    return result
  }

  /// The net change of this change and the one that follows it.
  ///
  /// Unlike `composed(with:)`, this method keeps the moves that begin or end outside of the tree, because later changes
  /// may continue them, and a parent may see the other end.
  func continued(by next: ChangeSet) -> ChangeSet {
    if next.isSilent { return self }
    if isSilent { return next }
    var result = composedLevels(with: next)
    if !crossings.isEmpty || !next.crossings.isEmpty {
      result.crossings = Self.composedCrossings(self, next)
      result.foldCrossings()
    }
    result.checkInvariants()
    return result
  }

  /// The net change without its crossings.
  private func composedLevels(with next: ChangeSet) -> ChangeSet {
    let delta = self.delta.composed(with: next.delta)
    let updatesValue = self.updatesValue || next.updatesValue
    if nodes.isEmpty && next.nodes.isEmpty {
      return ChangeSet(delta: delta, updatesValue: updatesValue, nodes: [])
    }
    var merger = Merger(first: nodes, second: next.nodes)
    merger.pushChildren(first: (nodes.count, self.delta), second: (next.nodes.count, next.delta))
    return ChangeSet(delta: delta, updatesValue: updatesValue, nodes: merger.run())
  }

  /// Walks two trees at once, with an explicit stack.
  ///
  /// The children are found from the last to the first, so the net tree is written from its end to its beginning.
  private struct Merger {
    enum Task {
      /// Copies the subtree at an index of the first or the second tree, without a change.
      case takeFirst(Int, position: Int)
      case takeSecond(Int, position: Int)
      /// Composes the changes of a child that both trees changed.
      case compose(first: Int, second: Int, position: Int)
      /// Closes the entry at this index of the result, after all its children have been written.
      case close(Int)
    }

    let first: [Node]
    let second: [Node]
    var tasks: [Task] = []
    /// The result, reversed.
    var result: [Node] = []
    /// The remaining children of the current node in either tree, descending.
    var earlier: [(position: Int, index: Int)] = []
    var later: [(position: Int, index: Int)] = []

    init(first: [Node], second: [Node]) {
      self.first = first
      self.second = second
      result.reserveCapacity(first.count + second.count)
    }

    mutating func run() -> [Node] {
      while let task = tasks.popLast() {
        switch task {
        case .takeFirst(let index, let position): take(first, index, position)
        case .takeSecond(let index, let position): take(second, index, position)
        case .compose(let first, let second, let position):
          let before = self.first[first].delta
          let after = self.second[second].delta
          result.append(Node(position: position, size: 0, delta: before.composed(with: after)))
          tasks.append(.close(result.count - 1))
          pushChildren(first: (first, before), second: (second, after))
        case .close(let index):
          if index == result.count - 1 && result[index].delta.isEmpty {
            result.removeLast()
          } else {
            result[index].size = result.count - index
          }
        }
      }
      result.reverse()
      return result
    }

    private mutating func take(_ nodes: [Node], _ index: Int, _ position: Int) {
      result.append(contentsOf: nodes[(index - nodes[index].size + 1)...index].reversed())
      result[result.count - nodes[index].size].position = position
    }

    /// Pushes the tasks for the children of a node that both trees changed; the task of the last child is on top.
    mutating func pushChildren(first parent: (index: Int, delta: Delta), second: (index: Int, delta: Delta)) {
      // The children of the first tree, at their positions after the second change, descending.
      earlier.removeAll(keepingCapacity: true)
      let after = PositionLookup(second.delta)
      ChangeSet.forEachChildBackward(of: parent.index, in: first) { index in
        if let position = after.position(after: first[index].position) { earlier.append((position, index)) }
      }
      if second.delta.hasMoves { earlier.sort(byNumber: { -$0.position }) }

      // The children of the second tree, except children that the first change inserted.
      later.removeAll(keepingCapacity: true)
      let inserted = parent.delta.insertions
      ChangeSet.forEachChildBackward(of: second.index, in: self.second) { index in
        let position = self.second[index].position
        if !inserted.isEmpty, let middle = after.position(before: position),
          inserted.contains(position: middle)
        {
          return
        }
        later.append((position, index))
      }

      let start = tasks.count
      var i = 0
      var j = 0
      while i < earlier.count || j < later.count {
        if j == later.count || (i < earlier.count && earlier[i].position > later[j].position) {
          tasks.append(.takeFirst(earlier[i].index, position: earlier[i].position))
          i += 1
        } else if i == earlier.count || later[j].position > earlier[i].position {
          tasks.append(.takeSecond(later[j].index, position: later[j].position))
          j += 1
        } else {
          tasks.append(
            .compose(first: earlier[i].index, second: later[j].index, position: later[j].position))
          i += 1
          j += 1
        }
      }
      tasks[start...].reverse()
    }
  }

  /// The change that reverts this change.
  ///
  /// - Complexity: O(s) for s nodes and ranges, with a factor log if elements moved.
  public func inverse() -> ChangeSet {
    var result = ChangeSet(delta.inverse(), updatesValue: updatesValue)
    result.crossings = crossings.map { Crossing($0.name, from: $0.to, to: $0.from, change: $0.change.inverse()) }
    if nodes.isEmpty { return result }
    // The tree is written from its end, as in `Merger`.
    var written: [Node] = []
    written.reserveCapacity(nodes.count)
    var tasks: [(index: Int, position: Int)] = []
    func pushChildren(of parent: Int, _ delta: Delta) {
      let start = tasks.count
      let before = PositionLookup(delta)
      Self.forEachChildBackward(of: parent, in: nodes) { index in
        if let position = before.position(before: nodes[index].position) { tasks.append((index, position)) }
      }
      if delta.hasMoves {
        tasks[start...].sort { $0.position < $1.position }
      } else {
        tasks[start...].reverse()
      }
    }
    pushChildren(of: nodes.count, delta)
    while let (index, position) = tasks.popLast() {
      written.append(Node(position: position, size: nodes[index].size, delta: nodes[index].delta.inverse()))
      pushChildren(of: index, nodes[index].delta)
    }
    written.reverse()
    result.nodes = written
    result.checkInvariants()
    return result
  }
}

/// Looks up many positions: in the delta if this takes constant time, or else in a map of the delta.
struct PositionLookup {
  private let delta: Delta
  private let map: Delta.PositionMap?

  init(_ delta: Delta) {
    self.delta = delta
    if case .several = delta.storage { map = Delta.PositionMap(delta) } else { map = nil }
  }

  func position(after old: Int) -> Int? {
    if let map { map.position(after: old) } else { delta.position(after: old) }
  }

  func position(before new: Int) -> Int? {
    if let map { map.position(before: new) } else { delta.position(before: new) }
  }
}
