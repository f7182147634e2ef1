extension ChangeSet {
  /// The kinds of views that differ in what they take as one batch.
  ///
  /// ```swift
  /// // The last of three sections moves to the front, and its row 4 is changed.
  /// let change = ChangeSet(delta: .move(2..<3, to: 0), children: [(0, ChangeSet(.update(4..<5)))])
  /// change.stages(for: .list).count       // 2
  /// change.stages(for: .outline).count    // 1
  /// ```
  public enum ViewKind: Hashable, Sendable {
    /// Sections and rows, whose batch is a set of changes that happen at once: `UITableView`, `UICollectionView`.
    case list
    /// Sections and rows, whose batch is a sequence of calls, one after the other: `NSTableView`, `GtkListView`.
    case sequentialList
    /// A tree of items of any depth, whose batch is a sequence of calls, one after the other: `NSOutlineView`.
    case outline

    /// Whether what is inside rows is none of the view's business.
    var endsWithRows: Bool { self != .outline }

    /// Whether one change follows the other, rather than all happening at once.
    var isSequential: Bool { self != .list }
  }

  /// One step that a view takes towards the final tree.
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
    /// Everything anew: the change is larger than it is worth to follow.
    case reload
  }

  /// This change as stages that a list or outline view accepts, one after the other.
  ///
  /// The views of the platforms refuse many a change as one batch: a row that is moved and reloaded, a row that moves into a section
  /// that is inserted with it. Each stage holds only what goes together; what collides waits for a later one. A change that
  /// one batch can express with the fewest moves is one stage.
  ///
  /// ```swift
  /// // The last of three sections moves to the front, and its row 4 is changed.
  /// let change = ChangeSet(delta: .move(2..<3, to: 0), children: [(0, ChangeSet(.update(4..<5)))])
  /// for case .batch(let batch) in change.stages() { print(batch) }
  /// // moves [2]→[0]
  /// // reloads [0, 4]
  /// change.paths.updates.count   // 1: as a single batch, UIKit would refuse them
  /// ```
  ///
  /// What each stage obeys, in lists:
  /// - A row is never moved and reloaded in one stage, nor is a section.
  /// - A section is reloaded only where its position is the same before and after the stage.
  /// - No row comes, leaves, moves or is reloaded inside a section that moves or is reloaded in the same stage.
  /// - No row moves into a section that is inserted in the same stage, nor out of one that is deleted in it.
  /// - All that is deleted, but for sections that rows still have to leave, goes in the first stage. So after each stage every row
  ///   on the screen is one of the final tree, and a data source needs no other: `Batch.finalPath(of:)` says which, and
  ///   `Batch.count(of:finalCount:)` how many there are.
  ///
  /// In outlines and in lists that take calls only the fourth rule is needed: an item waits for a subtree that is inserted to be
  /// there.
  ///
  /// Whatever happened below the rows is no list's business and is left out, and so is the value of the node itself, which no view shows.
  /// Otherwise the composition of all stages is this change.
  ///
  /// - Parameters:
  ///   - view: the kind of view.
  ///   - limit: the number of rows and sections in all lists together above which everything is reloaded; nil: never.
  ///   - countBefore: yields the number of children that a parent had before the change, of which the path before the change is given: the
  ///     view knows it (`numberOfRows(inSection:)`). It is called for parents that are removed while something has to move out of
  ///     them in an earlier stage, so that they can be emptied. Where it yields nil, as for what was never unfolded, such a
  ///     row is deleted and inserted again.
  /// - Returns: the stages in order; none where nothing happened that the view shows.
  /// - Precondition: `countBefore` yields the counts before the change.
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

  /// Whether more than `limit` elements of the view came, left, changed or moved.
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
