public import Assemblage

/// What a view asks its data source after a batch: how many children there are at a path, and what is shown there.
///
/// ```swift
/// let tree = TreeSnapshot(of: node)
/// for case .batch(let batch) in change.stages() {
///   try table.perform(batch, from: ViewDataSource(tree, after: batch))
/// }
/// ```
public struct ViewDataSource<Element> {
  /// Yields the number of children at a path after the batch; the empty one is the root.
  public let count: (IndexPath) -> Int

  /// Yields what is shown at a path after the batch.
  public let value: (IndexPath) -> Element?

  /// Creates a data source of closures.
  ///
  /// - Parameters:
  ///   - count: yields the number of children at a path after the batch.
  ///   - value: yields what is shown at a path after the batch.
  public init(count: @escaping (IndexPath) -> Int, value: @escaping (IndexPath) -> Element?) {
    self.count = count
    self.value = value
  }

  /// Creates the data source that holds only the final tree, and answers from it after each stage.
  ///
  /// - Parameters:
  ///   - tree: the tree after all stages.
  ///   - batch: the stage after which the view asks.
  public init(_ tree: TreeSnapshot<Element>, after batch: ChangeSet.Batch) {
    count = { path in batch.count(of: path) { tree.count(at: $0) ?? 0 } }
    value = { path in batch.finalPath(of: path).flatMap { tree.value(at: $0) } }
  }
}
