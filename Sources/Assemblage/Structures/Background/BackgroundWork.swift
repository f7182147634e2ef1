import OffsetIndexing

/// Computes a result in the background from a snapshot of a source.
///
///     source      a b c d e        snapshot    →  pieces  →  result of the snapshot
///     change      insertion of x                                  ↓  with all changes since
///     source      a b x c d e                     result  of the source at the end
///
/// The node holds its work, and passes each change of the source to it until the work has ended. The executors are in
/// `BackgroundWork+Executors.swift`. The node drops the work when another call supersedes it, even if that call is
/// rolled back. The work then throws a `CancellationError` at its next step.
@usableFromInline
final class BackgroundWork {
  fileprivate let progress: BackgroundProgress?
  private var changes = DeltaComposer()
  /// The net change that `allChanges()` has moved out of `changes` so far.
  private var seen = Delta()
  /// The number of changes of the source, and of the order that is shown.
  private(set) var version = 0
  /// The branches of a tree whose children may differ from their copies.
  var staleParents: Set<TreeIndex.Branch> = []
  /// Whether its node has dropped it.
  var isSuperseded = false
  /// How the predicate of a filter relates to the predicate that is shown.
  let hint: FilterHint
  private let firstError = FirstError()

  init(_ progress: BackgroundProgress?, hint: FilterHint) {
    self.progress = progress
    self.hint = hint
  }

  // MARK: Changes of the source

  /// Records a change of the source.
  func follow(_ delta: Delta) {
    if delta.isEmpty { return }
    changes.append(delta)
    version += 1
  }

  /// Records that the node shows its present rows in another order.
  func followReordering() { version += 1 }

  /// Forgets all changes so far: the snapshot is taken now.
  func beginSnapshot() {
    changes = DeltaComposer()
    seen = Delta()
  }

  /// The changes since the snapshot, or since the last call.
  private func takeChanges() -> Delta {
    defer { seen = Delta() }
    return allChanges()
  }

  private func allChanges() -> Delta {
    if !changes.isEmpty { seen = seen.isEmpty ? changes.net() : seen.composed(with: changes.net()) }
    return seen
  }

  /// The elements of the snapshot that have been removed or updated since, by their positions in the snapshot.
  func staleElements() -> RangeSet<Int> {
    let delta = allChanges()
    if delta.isEmpty { return RangeSet() }
    var stale = RangeSet(delta.removals)
    let inverse = delta.inverse()
    for range in inverse.updates { stale.insert(contentsOf: range) }
    return stale
  }

  // MARK: Closures

  /// A closure that never throws.
  ///
  /// - Parameters:
  ///   - instead: the result where `body` throws. The next `check(_:of:)` throws the first error.
  ///   - body: the closure that may throw.
  /// - Returns: the closure.
  func keepingErrors<Argument, Result>(
    _ instead: Result, _ body: @escaping (Argument) throws -> Result
  ) -> (Argument) -> Result {
    // The node keeps the closure longer than the work.
    { [firstError] argument in firstError.catching(instead) { try body(argument) } }
  }

  /// A comparator that never throws; it returns false instead of an error.
  func keepingErrors<Element>(
    _ comparator: @escaping (Element, Element) throws -> Bool
  ) -> (Element, Element) -> Bool {
    { [firstError] first, second in firstError.catching(false) { try comparator(first, second) } }
  }

  // MARK: Steps

  /// Throws where the work must not go on, and reports its progress.
  ///
  /// - Parameters:
  ///   - done: the number of steps that are done.
  ///   - total: the number of all steps; 0 reports nothing.
  /// - Throws: a `CancellationError` where the task or the progress is cancelled or another call has superseded the
  ///   work, and the first error of a closure of `keepingErrors(_:_:)`.
  func check(_ done: Int = 0, of total: Int = 0) throws {
    try Task.checkCancellation()
    if isSuperseded || progress?.isCancelled == true { throw CancellationError() }
    if let error = firstError.error { throw error }
    if total > 0 { progress?.report(done, of: total) }
  }

  /// Applies the result.
  ///
  /// - Parameters:
  ///   - hub: the hub of the node.
  ///   - catchUp: applies changes of the source to the result, which is not shown yet. It may call the closure.
  ///   - difference: finds on another thread the change that the result makes; nil where no caller needs the change. If
  ///     the source changes meanwhile, `difference` is called again, up to three times in all.
  ///   - show: shows the result, and drops the work. It receives the change, or nil where it must find the change
  ///     itself.
  /// - Throws: as `check(_:of:)` does.
  func end(
    in hub: NodeHub, catchingUp catchUp: (Delta) -> Void, difference: (() async -> Delta)?, show: (Delta?) -> Void
  ) async throws {
    for attempt in 0...3 {
      // Reports the elements that have changed by themselves. An observer of that change may make another call.
      hub.prepareForChange(.deliver)
      try check()
      let changes = takeChanges()
      if !changes.isEmpty { hub.refusingChanges { catchUp(changes) } }
      guard attempt < 3, let difference else { break }
      let version = version
      let delta = await difference()
      hub.prepareForChange(.deliver)
      try check()
      if version == self.version {
        show(delta)
        return releaseElsewhere(delta)
      }
    }
    try check()
    show(nil)
  }
}

/// The error that a closure threw first.
private final class FirstError {
  private(set) var error: (any Error)?

  @inline(__always)
  func catching<Result>(_ instead: Result, _ body: () throws -> Result) -> Result {
    do {
      return try body()
    } catch {
      if self.error == nil { self.error = error }
      return instead
    }
  }
}

/// A node that computes results in the background.
protocol BackgroundNode: TreeNode {
  /// The work that has not ended. Work that is replaced is superseded.
  var work: BackgroundWork? { get set }
}

extension BackgroundNode {
  /// Begins work, which supersedes other work of the node.
  ///
  /// - Parameters:
  ///   - progress: receives the progress of the work.
  ///   - hint: how the predicate of a filter relates to the predicate that was given last.
  /// - Returns: the work.
  func begin(_ progress: BackgroundProgress?, hint: FilterHint = .different) -> BackgroundWork {
    // An observer of an element that has changed by itself may make another call.
    hub.prepareForChange(.deliver)
    let work = BackgroundWork(progress, hint: hint.after(self.work?.hint))
    self.work = work
    return work
  }

  /// Does work that has begun.
  ///
  /// - Parameters:
  ///   - work: the work.
  ///   - body: takes the snapshot, computes the result and applies it.
  /// - Throws: the errors of `body`. The node has dropped the work then.
  func inBackground(_ work: BackgroundWork, _ body: (BackgroundWork) async throws -> Void) async throws {
    do {
      try work.check()
      try await body(work)
      work.progress?.tellEnd()
    } catch {
      if self.work === work { self.work = nil }
      throw error
    }
  }
}
