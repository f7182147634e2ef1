/// Reports that a change set could not be applied to a snapshot, because it describes the change of another tree.
///
/// ```swift
/// let old = TreeSnapshot(leaves: ["a"])
/// do {
///   let new = try old.applying(ChangeSet(.removal(1..<2)), new: old)
/// } catch {
///   error.path           // []
///   error.description    // "[-1] does not fit 1 child."
/// }
/// ```
public struct ReplayError: Error, Hashable, CustomStringConvertible {
  /// The place that does not fit: a path after the change.
  public let path: IndexPath

  /// The reason, in one sentence.
  public let description: String
}

extension TreeSnapshot {
  /// Applies a change to this tree, and returns the tree after it.
  ///
  /// Survivors are read from this snapshot, also where they moved to another parent. Only the values of places that
  /// arrived or were updated are read from `new`. So the result equals the tree after the change if, and only if, the
  /// change is complete.
  ///
  /// ```swift
  /// let old = TreeSnapshot(leaves: ["a", "b"])
  /// let new = TreeSnapshot(leaves: ["b", "c"])
  /// try old.applying(ChangeSet(Delta(removals: [0..<1], insertions: [1..<2])), new: new) == new   // true
  /// try old.applying(ChangeSet(.removal(0..<1)), new: new) == new                                 // false
  /// ```
  ///
  /// - Parameters:
  ///   - change: the change of this tree.
  ///   - new: the tree after the change; only places that the change inserted or updated are read.
  /// - Returns: this tree with the change applied.
  /// - Throws: `ReplayError` where the change reaches beyond the places that are there, or transfers contradict the
  ///   deltas.
  /// - Complexity: O(q · log q + s) for q places in this tree and in `new`, and s ranges and path components in the
  ///   change.
  public func applying(_ change: ChangeSet, new: TreeSnapshot) throws(ReplayError) -> TreeSnapshot {
    var replay = try Replay(old: levels, new: new.levels, change: change)
    return try replay.run()
  }

  /// Writes the tree after a change level by level.
  private struct Replay {
    /// The origin of a place of the result.
    struct Origin {
      /// The place before the change, or nil: it was inserted.
      var old: Int?
      /// The place in `new`, where it has one.
      var new: Int?
      /// The change inside it, if there is one.
      var change: Entry?
    }

    /// A node of a change set. Set 0 is the change itself, and set k + 1 is the change of transfer k. The root of a set
    /// has the index behind its last node.
    struct Entry {
      var set: Int
      var node: Int
    }

    let old: SnapshotLevels<Element>
    let new: SnapshotLevels<Element>
    let sets: [ChangeSet]
    /// The transfers that have not arrived yet, by their places in `new`.
    var arrivals: [Int: (source: Int, number: Int)] = [:]
    var writer: SnapshotLevels<Element>
    var origins: [Origin]

    init(old: SnapshotLevels<Element>, new: SnapshotLevels<Element>, change: ChangeSet) throws(ReplayError) {
      self.old = old
      self.new = new
      let transfers = change.transfers
      sets = [change] + transfers.map(\.change)
      let source = change.updatesValue ? new : old
      writer = SnapshotLevels(value: source.values[0], isNode: source.isNode[0])
      origins = [Origin(old: 0, new: 0, change: Entry(set: 0, node: change.nodes.count))]
      for (number, transfer) in transfers.enumerated() {
        guard let source = old.place(at: transfer.source), let destination = new.place(at: transfer.destination)
        else {
          throw ReplayError(
            path: transfer.destination,
            description: "There is no such transfer as from \(transfer.source.sentence).")
        }
        arrivals[destination] = (source, number)
      }
    }

    mutating func run() throws(ReplayError) -> TreeSnapshot {
      while writer.next < origins.count {
        let origin = origins[writer.next]
        if let place = origin.old {
          if let change = origin.change {
            try writeChildren(of: place, new: origin.new, changed: change)
          } else {
            for child in old.children(of: place) {
              append(Origin(old: child, new: nil, change: nil), isUpdated: false)
            }
          }
        } else if let place = origin.new {
          for child in new.children(of: place) { appendNew(child) }
        }
        writer.closeNext()
      }
      if let place = arrivals.keys.min() {
        throw ReplayError(
          path: new.path(of: place), description: "A transfer arrives at a place where nothing is inserted.")
      }
      return TreeSnapshot(writer)
    }

    private mutating func append(_ origin: Origin, isUpdated: Bool) {
      if let place = isUpdated ? origin.new : origin.old {
        let source = isUpdated ? new : old
        writer.append(value: source.values[place], isNode: source.isNode[place])
      } else if let place = origin.new {
        writer.append(value: new.values[place], isNode: new.isNode[place])
      }
      origins.append(origin)
    }

    /// Appends a place that the deltas insert: it may be the destination of a transfer.
    private mutating func appendNew(_ place: Int) {
      if let (source, number) = arrivals.removeValue(forKey: place) {
        let change = sets[number + 1]
        append(
          Origin(old: source, new: place, change: Entry(set: number + 1, node: change.nodes.count)),
          isUpdated: change.updatesValue)
      } else {
        append(Origin(old: nil, new: place, change: nil), isUpdated: false)
      }
    }

    private mutating func writeChildren(
      of place: Int, new newPlace: Int?, changed entry: Entry
    ) throws(ReplayError) {
      let set = sets[entry.set]
      let delta = entry.node == set.nodes.count ? set.delta : set.nodes[entry.node].delta
      let children = old.children(of: place)
      guard delta.oldExtent <= children.count else {
        throw failure("\(delta) does not fit \(countedChildren(children.count)).")
      }
      let newChildren = newPlace.map { new.children(of: $0) } ?? 0..<0
      let count = children.count + delta.countChange

      // The changes inside children, the next one last.
      var inside: [Int] = []
      ChangeSet.forEachChildBackward(of: entry.node, in: set.nodes) { inside.append($0) }
      var update = RangeCursor(delta.updates)
      var position = 0
      func write(_ origin: Int?) throws(ReplayError) {
        var change: Entry?
        if let last = inside.last, set.nodes[last].position == position {
          change = Entry(set: entry.set, node: last)
          inside.removeLast()
          if origin == nil { throw failure("There is a change inside child \(position), which is inserted.") }
        }
        while update.upper <= position { update.advance() }
        let isUpdated = update.lower <= position
        let new = position < newChildren.count ? newChildren.lowerBound + position : nil
        if let origin, new != nil || !isUpdated {
          append(Origin(old: origin, new: new, change: change), isUpdated: isUpdated)
        } else if let new {
          appendNew(new)
        } else {
          let kind = origin == nil ? "new" : "updated"
          throw failure("Child \(position) is \(kind), but there are \(newChildren.count) after the change.")
        }
        position += 1
      }
      for piece in delta.pieces(oldCount: children.count) {
        while position < piece.new { try write(nil) }
        for old in piece.old..<piece.oldEnd { try write(children.lowerBound + old) }
      }
      while position < count { try write(nil) }
      if let last = inside.last {
        throw failure("There is a change inside child \(set.nodes[last].position) of \(count).")
      }
    }

    /// The error of the place whose children are being written.
    private func failure(_ sentence: String) -> ReplayError {
      ReplayError(path: writer.path(of: writer.next), description: sentence)
    }
  }
}

extension SnapshotLevels {
  /// The path of a place; each place above it has been closed, or is the place `next`.
  ///
  /// - Complexity: O(d · log p) at depth d, of p places.
  fileprivate func path(of place: Int) -> IndexPath {
    IndexPath(climbingFrom: place) { place in
      if place == 0 { return nil }
      // The parent is the last place whose children begin at this place or before it.
      let parent = starts.partitioningIndex { $0 > place } - 1
      return (place - starts[parent], parent)
    }
  }
}
