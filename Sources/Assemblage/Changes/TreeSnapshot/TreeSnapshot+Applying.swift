public import Foundation

/// A change set could not be carried out on a snapshot, because it describes the change of another tree.
public struct ReplayError: Error, Hashable, CustomStringConvertible {
  /// The place at which it failed: a path after the change.
  public let path: IndexPath

  /// What does not fit, in one sentence.
  public let description: String
}

extension TreeSnapshot {
  /// The tree after a change, given the one before it.
  ///
  /// What survives is taken of this snapshot, wherever it went; only the values of what came or was updated are taken of
  /// `new`. So the result equals the tree after the change if, and only if, the change tells everything that happened.
  ///
  /// ```swift
  /// let old = TreeSnapshot(leaves: ["a", "b"])
  /// let new = TreeSnapshot(leaves: ["b", "c"])
  /// try old.applying(ChangeSet(Delta(removals: [0..<1], insertions: [1..<2])), new: new) == new   // true
  /// try old.applying(ChangeSet(.removal(0..<1)), new: new) == new                                 // false
  /// ```
  ///
  /// - Parameters:
  ///   - change: what happened to this tree.
  ///   - new: the tree after the change; only places that the change inserted or updated are read.
  /// - Returns: this tree with the change carried out.
  /// - Throws: `ReplayError` where the change reaches beyond the places that are there.
  /// - Complexity: O(p + s) for p places after the change and s ranges in it.
  public func applying(_ change: ChangeSet, new: TreeSnapshot) throws(ReplayError) -> TreeSnapshot {
    var replay = Replay(old: storage, new: new.storage, change: change)
    return try replay.run()
  }

  /// Writes the tree after a change level by level.
  private struct Replay {
    /// Where a place of the result comes from.
    struct Origin {
      /// The place before the change, or nil: it was inserted.
      var old: Int?
      /// The place in `new`, where it has one.
      var new: Int?
      /// What happened inside it: the number of an entry of a change set, its own number of entries being its root.
      var change: Int?
    }

    let old: Storage
    let new: Storage
    let set: ChangeSet
    var writer: LevelWriter<Element>
    var origins: [Origin]

    init(old: Storage, new: Storage, change: ChangeSet) {
      self.old = old
      self.new = new
      set = change
      let source = change.updatesValue ? new : old
      writer = LevelWriter(value: source.values[0], isNode: source.isNode[0])
      origins = [Origin(old: 0, new: 0, change: change.nodes.count)]
    }

    mutating func run() throws(ReplayError) -> TreeSnapshot {
      while writer.next < origins.count {
        let origin = origins[writer.next]
        if let place = origin.old {
          if let change = origin.change {
            try writeChildren(of: place, new: origin.new, changed: change)
          } else {
            for child in old.starts[place]..<old.starts[place + 1] {
              append(Origin(old: child, new: nil, change: nil), isUpdated: false)
            }
          }
        } else if let place = origin.new {
          for child in new.starts[place]..<new.starts[place + 1] {
            append(Origin(old: nil, new: child, change: nil), isUpdated: false)
          }
        }
        writer.closeNext()
      }
      return writer.finish()
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

    private mutating func writeChildren(
      of place: Int, new newPlace: Int?, changed index: Int
    ) throws(ReplayError) {
      let delta = index == set.nodes.count ? set.delta : set.nodes[index].delta
      let children = old.starts[place]..<old.starts[place + 1]
      guard delta.oldExtent <= children.count else {
        throw failure("\(delta) does not fit \(children.count) children.")
      }
      let newChildren = newPlace.map { new.starts[$0]..<new.starts[$0 + 1] } ?? 0..<0
      let count = children.count + delta.countChange

      // The entries of the changes inside children, in ascending order.
      var entries: [Int] = []
      ChangeSet.forEachChildBackward(of: index, in: set.nodes) { entries.append($0) }
      var update = RangeCursor(delta.updates)
      var position = 0
      func write(_ origin: Int?) throws(ReplayError) {
        var entry: Int?
        if let last = entries.last, set.nodes[last].position == position {
          entry = last
          entries.removeLast()
          if origin == nil { throw failure("There is a change inside child \(position), which is inserted.") }
        }
        while update.upper <= position { update.advance() }
        let isUpdated = update.lower <= position
        let new = position < newChildren.count ? newChildren.lowerBound + position : nil
        if new == nil && (origin == nil || isUpdated) {
          throw failure("Child \(position) is new, but there are \(newChildren.count) after the change.")
        }
        append(Origin(old: origin, new: new, change: entry), isUpdated: isUpdated)
        position += 1
      }
      for piece in delta.pieces(oldCount: children.count) {
        while position < piece.new { try write(nil) }
        for old in piece.old..<piece.oldEnd { try write(children.lowerBound + old) }
      }
      while position < count { try write(nil) }
      if let entry = entries.last {
        throw failure("There is a change inside child \(set.nodes[entry].position) of \(count).")
      }
    }

    /// The error of the place whose children are being written.
    private func failure(_ sentence: String) -> ReplayError {
      ReplayError(path: writer.path(of: writer.next), description: sentence)
    }
  }
}

extension LevelWriter {
  /// The path of a place whose parent's children have been written.
  func path(of place: Int) -> IndexPath {
    var place = place
    var components: [Int] = []
    while place > 0 {
      // The parent's children are the last ones that begin at the place or before it.
      let parent = starts.partitioningIndex { $0 > place } - 1
      components.append(place - starts[parent])
      place = parent
    }
    return IndexPath(indexes: components.reversed())
  }
}
