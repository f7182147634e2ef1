extension ChangeSet {
  /// The kinds of views, by the changes that they accept in one batch.
  ///
  /// ```swift
  /// // The last of three sections moves to the front, and its row 4 is updated.
  /// let change = ChangeSet(delta: .move(2..<3, to: 0), children: [(0, ChangeSet(.update(4..<5)))])
  /// change.stages(for: .list).count       // 2
  /// change.stages(for: .outline).count    // 1
  /// ```
  public enum ViewKind: Hashable, Sendable {
    /// Sections and rows; a batch is a set of changes that happen at once: `UITableView`, `UICollectionView`.
    case list
    /// Sections and rows; a batch is a sequence of calls, one after the other: `NSTableView`, `GtkListView`.
    case sequentialList
    /// A tree of items of any depth; a batch is a sequence of calls, one after the other: `NSOutlineView`.
    case outline

    /// Whether the view ignores everything inside rows.
    var endsWithRows: Bool { self != .outline }

    /// Whether a batch is a sequence of calls, one after the other, and not a set of changes at once.
    var isSequential: Bool { self != .list }
  }

  /// One step of a view towards the final tree.
  ///
  /// ```swift
  /// for stage in change.stages(reloadingAbove: 100) {
  ///   switch stage {
  ///   case .batch(let batch): perform(batch)
  ///   case .reload: table.reloadData()
  ///   }
  /// }
  /// ChangeSet(.insertion(0..<500)).stages(reloadingAbove: 100)    // [.reload]
  /// ```
  public enum Stage: Hashable, Sendable {
    /// A batch of changes.
    case batch(Batch)
    /// A reload of the whole view, because the change is larger than the caller's limit.
    case reload
  }

  /// This change as stages that a list or outline view accepts, one after the other.
  ///
  /// The views of the platforms refuse many changes as one batch: a row that is moved and reloaded, or a row that moves
  /// into a section that is inserted at the same time. So each stage holds only changes that can be in one batch; the
  /// other changes wait for a later stage. A change that one batch can express with the fewest moves is one stage.
  ///
  /// ```swift
  /// // The last of three sections moves to the front, and its row 4 is updated.
  /// let change = ChangeSet(delta: .move(2..<3, to: 0), children: [(0, ChangeSet(.update(4..<5)))])
  /// for case .batch(let batch) in change.stages() { print(batch) }
  /// // moves [2]→[0]
  /// // reloads [0, 4]
  /// change.paths.updates.count   // 1: UIKit would refuse the update and the move in a single batch
  /// ```
  ///
  /// In lists, each stage obeys these rules:
  /// - A row is never moved and reloaded in one stage. The same is true for a section.
  /// - A section is reloaded only if its position is the same before and after the stage.
  /// - If a section moves or is reloaded, no row inside it is inserted, deleted, moved or reloaded in the same stage.
  /// - No row moves into a section that is inserted in the same stage, or out of a section that is deleted in it.
  /// - The first stage has all deletions, except for sections that rows still have to leave. So after each stage,
  ///   every row on the screen is a row of the final tree, and a data source needs no other rows.
  ///   `Batch.finalPath(of:)` returns the path of a row in the final tree, and `Batch.count(of:finalCount:)` returns
  ///   the number of rows.
  ///
  /// Outlines and sequential lists only need the fourth rule: an item moves into an inserted subtree in a stage after
  /// the insertion.
  ///
  /// A list does not show changes below the rows, and no view shows the value of the node itself. Both are left out.
  /// Otherwise the composition of all stages is this change.
  ///
  /// - Parameters:
  ///   - view: the kind of view.
  ///   - limit: the greatest number of changed rows and sections in all lists together; the view reloads everything
  ///     for a larger change. Nil means no limit.
  ///   - countBefore: returns the number of children that a parent had before the change, for the parent's path
  ///     before the change. The view knows this number (`numberOfRows(inSection:)`). The closure is called for a
  ///     removed parent from which something has to move out in an earlier stage: the parent has to be emptied first.
  ///     If the closure returns nil, for example for a parent that was never expanded, the moved row is deleted and
  ///     inserted again.
  /// - Returns: the stages in order; empty if the view shows none of the changes.
  /// - Precondition: `countBefore` returns the counts before the change.
  /// - Complexity: O(s · log s + e · d) for s ranges and nodes of the change set and e elements at depth d.
  public func stages(
    for view: ViewKind = .list, reloadingAbove limit: Int? = nil, countBefore: (IndexPath) -> Int? = { _ in nil }
  ) -> [Stage] {
    if let limit, exceeds(limit, in: view) { return [.reload] }
    if let batch = onlyBatch(for: view) { return batch.change.isEmpty ? [] : [.batch(batch)] }
    var plan = StagePlan(self, for: view, countBefore: countBefore)
    plan.schedule(for: view)
    return (1...plan.stageCount).compactMap { stage in
      let batch = plan.batch(stage, for: view)
      return batch.change.isEmpty ? nil : .batch(batch)
    }
  }

  /// Whether more than `limit` elements of the view were inserted, removed, updated or moved.
  private func exceeds(_ limit: Int, in view: ViewKind) -> Bool {
    var count = 0
    func add(_ delta: Delta) {
      count += delta.removals.elementCount + delta.insertions.elementCount + delta.updates.elementCount
      for move in delta.moves { count += move.source.count }
    }
    add(delta)
    if !view.endsWithRows {
      for node in nodes { add(node.delta) }
      for crossing in crossings {
        add(crossing.change.delta)
        for node in crossing.change.nodes { add(node.delta) }
      }
    } else {
      for child in children { add(child.delta) }
    }
    return count > limit
  }
}
