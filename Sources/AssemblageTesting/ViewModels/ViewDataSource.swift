public import Assemblage

/// Answers the questions of a view after a batch: the number of children at a path, and the value there.
///
/// ```swift
/// let tree = TreeSnapshot(of: node)
/// for case .batch(let batch) in change.stages() {
///   try table.perform(batch, from: ViewDataSource(tree, after: batch))
/// }
/// ```
public struct ViewDataSource<Element> {
  /// Returns the number of children at a path after the batch; the empty path is the root.
  public let count: (IndexPath) -> Int

  /// Returns the value at a path after the batch.
  public let value: (IndexPath) -> Element?

  /// Creates a data source of closures.
  ///
  /// - Parameters:
  ///   - count: returns the number of children at a path after the batch.
  ///   - value: returns the value at a path after the batch.
  public init(count: @escaping (IndexPath) -> Int, value: @escaping (IndexPath) -> Element?) {
    self.count = count
    self.value = value
  }

  /// Creates a data source that holds only the final tree, and answers from this tree after each stage.
  ///
  /// - Parameters:
  ///   - tree: the tree after all stages.
  ///   - batch: the stage after which the view asks.
  public init(_ tree: TreeSnapshot<Element>, after batch: ChangeSet.Batch) {
    count = { path in batch.count(of: path) { tree.count(at: $0) ?? 0 } }
    value = { path in batch.finalPath(of: path).flatMap { tree.value(at: $0) } }
  }
}
