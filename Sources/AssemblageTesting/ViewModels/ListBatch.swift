public import Assemblage

/// A batch in the form that list views take. Paths of length 1 are sections, and paths of length 2 are rows.
///
/// ```swift
/// var table = ListViewModel(TreeSnapshot(children: [TreeSnapshot(value: "Friends", leaves: ["Al", "Bo"])]))
/// let tree = TreeSnapshot(children: [TreeSnapshot(value: "Friends", leaves: ["Bo"])])
/// let source = ViewDataSource(count: { tree.count(at: $0) ?? 0 }, value: { tree.value(at: $0) })
/// try table.perform(ListBatch(deletions: [[0, 0]]), from: source)
/// table.sections[0].rows    // ["Bo"]
/// ```
public struct ListBatch: Hashable, Sendable {
  /// The deleted sections and rows: paths before the batch.
  public var deletions: [IndexPath]
  /// The inserted sections and rows: paths after the batch.
  public var insertions: [IndexPath]
  /// The moved sections and rows: from paths before the batch to paths after it.
  public var moves: [ChangeSet.Paths.Move]
  /// The reloaded sections and rows: paths before the batch.
  public var reloads: [IndexPath]

  /// Creates a batch of lists of paths.
  public init(
    deletions: [IndexPath] = [], insertions: [IndexPath] = [], moves: [ChangeSet.Paths.Move] = [],
    reloads: [IndexPath] = []
  ) {
    self.deletions = deletions
    self.insertions = insertions
    self.moves = moves
    self.reloads = reloads
  }

  /// Creates the batch of a stage.
  public init(_ batch: ChangeSet.Batch) {
    self.init(
      deletions: batch.deletions, insertions: batch.insertions, moves: batch.moves,
      reloads: batch.reloads.map(\.source))
  }
}
