public import Assemblage

/// Reports why an `OutlineViewModel` refused a call.
///
/// ```swift
/// let tree = TreeSnapshot(leaves: ["Al"])
/// var outline = OutlineViewModel(tree)
/// do {
///   try outline.perform(
///     [.remove(at: [1], inParent: [])],
///     from: ViewDataSource(count: { tree.count(at: $0) ?? 0 }, value: { tree.value(at: $0) }))
/// } catch {
///   error    // .outOfRange(1, parent: [], count: 1)
/// }
/// ```
public enum OutlineViewError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no item at the path of a parent, at the moment of the call.
  case noParent(IndexPath)

  /// The position of a child does not exist at the moment of the call. Documented: an index beyond the existing
  /// children throws.
  case outOfRange(Int, parent: IndexPath, count: Int)

  /// An item moves into itself. Observed: the outline loses the item.
  case moveIntoItself(IndexPath)

  /// After the calls, the number of an item's children differs from the number in the data source. Documented: the data
  /// source is asked only then.
  case invalidCount(IndexPath, shown: Int, after: Int)

  /// The fault, in one sentence.
  public var description: String {
    switch self {
    case .noParent(let path): "there is no item at \(path)"
    case .outOfRange(let position, let parent, let count):
      "the position \(position) is beyond the \(count) children of \(parent)"
    case .moveIntoItself(let path): "the item at \(path) cannot move into itself"
    case .invalidCount(let path, let shown, let after):
      "the item at \(path) shows \(shown) children after the update, but has \(after)"
    }
  }
}
