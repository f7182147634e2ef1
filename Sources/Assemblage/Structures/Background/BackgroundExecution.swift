/// Work in the background on other threads.
///
/// A filter asks its predicate about every element, a sort compares all of them, a group asks for all keys. For
/// millions of elements that takes longer than a frame. Five nodes set their closures in the background: `FilterNode`,
/// `TreeFilterNode`, `SortNode`, `TreeSortNode` and `GroupNode`. The call has one shape in all of them:
///
/// ```swift
/// let lines = ArrayNode((0..<100_000).map { "line \($0)" })
/// let found = FilterNode(lines) { _ in true }
/// try await found.setPredicate(inBackground: .concurrently) { $0.hasSuffix("99") }
/// found.count                  // 1000
/// ```
///
/// | `inBackground:` | who calls the closure | for |
/// |---|---|---|
/// | `.concurrently` | as many threads as the machine has cores | elements and closures that are `Sendable` |
/// | `.inSlices(of:)` | the domain of the node, in slices with pauses | everything else: objects of the main actor |
///
/// **The work.** The node takes a snapshot of its source, computes the result, and applies the result together with the
/// changes that the source has made since. An `ArrayNode`, and a `JoinNode` of array nodes, share their arrays with the
/// snapshot. The elements of other sources are copied, in several turns of the domain. Until the end the node shows its
/// former contents. Observers then receive one minimal change.
///
/// **Meanwhile** the node and its source stay usable. Edits of the source are shown at once, by the former closure.
///
/// **A further call** to any form of the same setter supersedes the work, also where the call is rolled back.
/// Superseded work ends with a `CancellationError`.
///
/// **Errors.** The call throws the first error of the closure, and a `CancellationError` where the task or the
/// `Progress` is cancelled. Then the node keeps its former closure. A closure may also throw later, for an element that
/// arrives or changes after the call has ended. Then the element is hidden, has no key, or is compared as equal.
///
/// The call keeps the node alive while it works.
public enum ConcurrentWork: Sendable {
  /// Other threads call the closure, which is `@Sendable`.
  case concurrently
}

/// Work in the background in slices, on the isolation domain of the node: see `ConcurrentWork`.
///
/// ```swift
/// // on the main actor, with class objects
/// try await found.setPredicate(inBackground: .inSlices(of: .milliseconds(2))) { $0.title.contains("error") }
/// ```
public struct SlicedWork: Sendable {
  let budget: Duration

  /// The node's domain calls the closure, and pauses after each slice.
  ///
  /// - Parameter budget: the duration of a slice, above zero. The library adapts the number of elements in a slice to
  ///   it. One call of the closure is not interrupted.
  /// - Returns: the work.
  public static func inSlices(of budget: Duration) -> SlicedWork {
    require(budget > .zero, "A slice of work takes some time: its budget is \(budget).")
    return SlicedWork(budget: budget)
  }
}
