public import Foundation

extension ChangeSet {
  /// One stage of a change, in the coordinates that list and outline views document.
  ///
  /// A path before or after refers to this stage, not to the whole change:
  ///
  /// ```swift
  /// table.performBatchUpdates {
  ///   table.deleteSections(batch.sections(\.deletions), with: .automatic)
  ///   table.deleteRows(at: batch.rows(\.deletions), with: .automatic)
  ///   …
  /// }
  /// ```
  ///
  /// Paths of length 1 are sections of a list, and paths of length 2 are its rows.
  public struct Batch: Hashable, Sendable {
    /// The stage as a change set: the composition of all stages is the whole change.
    public let change: ChangeSet

    /// The change of all later stages: from the tree after this stage to the final tree.
    package let remaining: ChangeSet

    /// The deleted elements: paths before the stage, ascending.
    public let deletions: [IndexPath]

    /// The inserted elements: paths after the stage, ascending.
    public let insertions: [IndexPath]

    /// The elements that move, to another parent or not: from a path before the stage to a path after it; by
    /// destination.
    public let moves: [Paths.Move]

    /// The reloaded elements: from a path before the stage to the same element's path after it; by destination.
    ///
    /// Inside a batch, `UITableView` and `UICollectionView` expect the path **before** the batch for a reload. To
    /// configure a visible cell again after the batch, use the path after the batch.
    public let reloads: [Paths.Move]

    /// The stage as calls that the view makes one after the other; empty for `.list`.
    public let calls: [OutlineCall]
  }

  /// One call that changes an outline or a sequential list, in the coordinates of the moment of the call.
  ///
  /// The paths of parents are the paths in the view just before the call, after all earlier calls.
  ///
  /// ```swift
  /// let change = ChangeSet(delta: .removal(0..<1), children: [(0, ChangeSet(.insertion(1..<3)))])
  /// for case .batch(let batch) in change.stages(for: .outline) {
  ///   batch.calls    // [.remove(at: [0], inParent: []), .insert(at: [1, 2], inParent: [0])]
  /// }
  /// ```
  public enum OutlineCall: Hashable, Sendable {
    /// Removes the children of `inParent` at these positions before the call.
    case remove(at: IndexSet, inParent: IndexPath)

    /// Moves a child; `to` is the child's position after the call, so the child itself is not counted.
    case move(at: Int, inParent: IndexPath, to: Int, inNewParent: IndexPath)

    /// Inserts children of `inParent` at these positions after the call.
    case insert(at: IndexSet, inParent: IndexPath)

    /// Shows the present value of an item; its children stay the same.
    case reload(IndexPath)
  }
}

extension ChangeSet.Batch {
  // MARK: Lists

  /// The sections in one of the lists.
  ///
  /// ```swift
  /// table.insertSections(batch.sections(\.insertions), with: .automatic)
  /// ```
  ///
  /// - Parameter list: `\.deletions` or `\.insertions`.
  /// - Returns: the positions of the sections, in the list's coordinates.
  public func sections(_ list: KeyPath<Self, [IndexPath]>) -> IndexSet {
    IndexSet(self[keyPath: list].lazy.filter { $0.count == 1 }.map { $0[0] })
  }

  /// The rows in one of the lists.
  ///
  /// - Parameter list: `\.deletions` or `\.insertions`.
  /// - Returns: the paths of the rows, in the list's coordinates.
  public func rows(_ list: KeyPath<Self, [IndexPath]>) -> [IndexPath] {
    self[keyPath: list].filter { $0.count == 2 }
  }

  /// The sections in one of the lists of pairs.
  ///
  /// - Parameter list: `\.moves` or `\.reloads`.
  /// - Returns: the positions of the sections before and after the stage.
  public func sections(_ list: KeyPath<Self, [ChangeSet.Paths.Move]>) -> [(source: Int, destination: Int)] {
    self[keyPath: list].filter { $0.source.count == 1 }.map { ($0.source[0], $0.destination[0]) }
  }

  /// The rows in one of the lists of pairs.
  ///
  /// - Parameter list: `\.moves` or `\.reloads`.
  /// - Returns: the paths of the rows before and after the stage.
  public func rows(_ list: KeyPath<Self, [ChangeSet.Paths.Move]>) -> [ChangeSet.Paths.Move] {
    self[keyPath: list].filter { $0.source.count == 2 }
  }

  // MARK: Answers of a data source after the stage

  /// The path in the final tree of an element that the view shows after this stage.
  ///
  /// ```swift
  /// func tableView(_ table: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell {
  ///   cell(for: tree[batch.finalPath(of: path)!])
  /// }
  /// ```
  ///
  /// - Parameter path: a path after this stage.
  /// - Returns: the path in the final tree; nil for a parent that only stays until the last of its children has moved
  ///   out.
  /// - Complexity: that of `ChangeSet.path(after:)`.
  public func finalPath(of path: IndexPath) -> IndexPath? { remaining.path(after: path) }

  /// The number of children that an element has after this stage.
  ///
  /// ```swift
  /// func tableView(_ table: UITableView, numberOfRowsInSection section: Int) -> Int {
  ///   batch.count(of: [section]) { tree.count(at: $0) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - path: a path after this stage; the empty path is the root.
  ///   - finalCount: returns the number of children of an element in the final tree.
  /// - Returns: the number of children that the data source must return.
  /// - Complexity: O(s + d · log n) for s nodes and transfers of the later stages and a path of length d.
  public func count(of path: IndexPath, finalCount: (IndexPath) -> Int) -> Int {
    if remaining.isEmpty { return finalCount(path) }
    let map = ChangeSetMap(remaining)
    guard let finding = map.find(after: Array(path)) else {
      // The parent is removed later. It only keeps the children that still have to move out.
      let components = Array(path)
      var children = Set<Int>()
      for crossing in remaining.crossings {
        guard let place = crossing.from, place.depth > components.count else { continue }
        let source = place.components
        if source.starts(with: components) { children.insert(source[components.count]) }
      }
      return children.count
    }
    return finalCount(IndexPath(indexes: finding.path)) - map.change(of: finding).delta.countChange
  }
}

extension ChangeSet.Batch: CustomStringConvertible {
  /// A text like `deletes [0, 1]; inserts [2]; moves [0, 3]→[1, 0]; reloads [0, 0]`.
  ///
  /// Reloads are described by their path before the stage.
  public var description: String {
    func pair(_ move: ChangeSet.Paths.Move) -> String { "\(move.source.sentence)→\(move.destination.sentence)" }
    let parts = [
      ("deletes", deletions.map(\.sentence)), ("inserts", insertions.map(\.sentence)),
      ("moves", moves.map(pair)), ("reloads", reloads.map(\.source.sentence)),
    ]
    return parts.filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1.joined(separator: ", "))" }
      .joined(separator: "; ")
  }
}
