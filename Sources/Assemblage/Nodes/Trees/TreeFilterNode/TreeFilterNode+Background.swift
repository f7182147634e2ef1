import OffsetIndexing

// A predicate whose verdicts are computed in the background.
//
// A filter of the list of all elements computes them. It takes the snapshot, applies edits, and knows the former verdicts.
extension TreeFilterNode {
  /// Filters by another predicate in the background, at every depth, on other threads: see `ConcurrentWork`.
  ///
  /// It may be called on the filtered node of any child, and concerns the whole tree. All of the tree is looked at: a
  /// `HierarchyNode` loads all children. The hint relates the new predicate to the one that was given last, as that of
  /// `FilterNode` does.
  ///
  /// - Parameters:
  ///   - hint: how the new predicate relates to the former one.
  ///   - execution: `.concurrently`.
  ///   - progress: receives how far the work has come.
  ///   - predicate: says which values pass from now on.
  /// - Throws: the error of the predicate, or a `CancellationError`.
  /// - Complexity: O(n) for n elements. In the node's domain the elements are copied, and O(n / 64 + b) to show the result for b
  ///   branches.
  @inlinable
  public func setPredicate(
    hint: FilterHint = .different, inBackground execution: ConcurrentWork, progress: BackgroundProgress? = nil,
    where predicate: @escaping @Sendable (Element) throws -> Bool
  ) async throws where Element: Sendable {
    try await inBackground(hint, progress) { try await $0.findVerdicts($1, execution, predicate) }
  }

  /// Filters by another predicate in the background, at every depth, in slices on the node's domain: see `ConcurrentWork`.
  ///
  /// It may be called on the filtered node of any child, and concerns the whole tree, all of which is looked at.
  ///
  /// - Parameters:
  ///   - hint: how the new predicate relates to the former one.
  ///   - slices: `.inSlices(of:)`.
  ///   - progress: receives how far the work has come.
  ///   - predicate: says which values pass from now on.
  /// - Throws: the error of the predicate, or a `CancellationError`.
  /// - Complexity: O(n) for n elements.
  @inlinable
  public func setPredicate(
    hint: FilterHint = .different, inBackground slices: SlicedWork, progress: BackgroundProgress? = nil,
    where predicate: @escaping (Element) throws -> Bool
  ) async throws {
    try await inBackground(hint, progress) { try await $0.findVerdicts($1, slices, predicate) }
  }

  /// Filters by a predicate that a filter of all elements evaluates.
  @usableFromInline
  func inBackground(
    _ hint: FilterHint, _ progress: BackgroundProgress?,
    _ find: (FilterNode<Element>, BackgroundWork) async throws -> Void
  ) async throws {
    let (root, family) = (root, family)
    root.hub.prepareForChange()
    let verdicts = family.state.value.background ?? root.makeFilterOfAll()
    // Where not all of the tree is known to the tree filter, its verdicts on the rest are not those of the former predicate.
    let work = verdicts.begin(family.translation.value.isEager ? hint : .different, progress)
    family.state.value.background = verdicts
    do {
      try await find(verdicts, work)
      // An observer of an element that has changed by itself may make another call.
      root.hub.prepareForChange()
      if family.state.value.background !== verdicts || verdicts.work != nil { throw CancellationError() }
      root.show(by: verdicts)
    } catch {
      if family.state.value.background === verdicts, verdicts.work == nil { family.state.value.background = nil }
      throw error
    }
  }

  /// A filter of the list of all elements, which shows those that pass; on the root.
  private func makeFilterOfAll() -> FilterNode<Element> {
    let list = DescendantsNode(source)
    let passing = family.translation.value.passing(in: list.shape)
    return family.functions.filter(
      list, passing.closedUp(among: list.shown), family.policy.valueless, family.state.value.predicate)
  }

  /// Shows the verdicts of a filter of all elements; on the root.
  private func show(by verdicts: FilterNode<Element>) {
    guard let list = verdicts.source as? DescendantsNode<Element> else { return }
    let bits = verdicts.state.value.translation.passes
    let passing = bits.bits(in: 0..<bits.count).spread(among: list.shown, otherwise: verdicts.state.value.valueless)
    show(by: verdicts.state.value.predicate) { [family] in
      TreeFilterSweep(family.translation.value, passing: passing, in: list.shape)
    }
  }
}

extension DescendantsNode {
  /// The whole tree.
  fileprivate var shape: TreeIndex { state.value.outline!.state.value.translation.shape }

  /// Which of its elements are listed, by document number.
  fileprivate var shown: BitRun {
    let passes = state.value.translation.passes
    return passes.bits(in: 0..<passes.count)
  }
}
