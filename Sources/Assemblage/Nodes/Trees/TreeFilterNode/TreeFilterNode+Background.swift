import OffsetIndexing

// A predicate whose verdicts are computed in the background.
//
// A filter of the list of all elements computes the verdicts. This filter takes the snapshot, applies edits, and knows
// the former verdicts.
extension TreeFilterNode {
  /// Filters by another predicate in the background, at every depth, on other threads: see `ConcurrentWork`.
  ///
  /// The caller may use the filtered node of any child; the predicate filters the whole tree. All of the tree is looked
  /// at: a `HierarchyNode` loads all children. The hint relates the new predicate to the predicate that was given last,
  /// as in a `FilterNode`.
  ///
  /// - Parameters:
  ///   - hint: how the new predicate relates to the former one.
  ///   - execution: `.concurrently`.
  ///   - progress: receives the progress of the work.
  ///   - predicate: says which values pass from now on.
  /// - Throws: the error of the predicate, or a `CancellationError`.
  /// - Complexity: O(n) for n elements. In the node's domain, the elements are copied, and the result is shown in
  ///   O(n / 64 + b) for b branches.
  @inlinable
  public func setPredicate(
    hint: FilterHint = .different, inBackground execution: ConcurrentWork, progress: BackgroundProgress? = nil,
    where predicate: @escaping @Sendable (Element) throws -> Bool
  ) async throws where Element: Sendable {
    try await inBackground(hint, progress) { try await $0.findVerdicts($1, execution, predicate) }
  }

  /// Filters by another predicate in the background, at every depth, in slices on the node's domain: see
  /// `ConcurrentWork`.
  ///
  /// The caller may use the filtered node of any child; the predicate filters the whole tree, and all of it is looked
  /// at.
  ///
  /// - Parameters:
  ///   - hint: how the new predicate relates to the former one.
  ///   - slices: `.inSlices(of:)`.
  ///   - progress: receives the progress of the work.
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
    root.hub.prepareForChange(.deliver)
    let verdicts = family.state.value.background ?? root.makeFilterOfAll()
    // If the tree filter does not know the whole tree, its bits for the rest are not verdicts of the former predicate.
    let work = verdicts.begin(family.translation.value.isEager ? hint : .different, progress)
    family.state.value.background = verdicts
    do {
      try await find(verdicts, work)
      // This reports elements that have changed by themselves. An observer of such an element may make another call.
      root.hub.prepareForChange(.deliver)
      if family.state.value.background !== verdicts || verdicts.work != nil { throw CancellationError() }
      root.show(by: verdicts)
    } catch {
      if family.state.value.background === verdicts, verdicts.work == nil { family.state.value.background = nil }
      throw error
    }
  }

  /// A filter of the list of all elements, which shows the elements that pass; called on the root.
  private func makeFilterOfAll() -> FilterNode<Element> {
    let list = DescendantsNode(source)
    let passing = family.translation.value.passing(in: list.shape)
    return family.functions.filter(
      list, passing.closedUp(among: list.shown), family.policy.valueless, family.state.value.predicate)
  }

  /// Shows the verdicts of a filter of all elements; called on the root.
  private func show(by verdicts: FilterNode<Element>) {
    guard let list = verdicts.source as? DescendantsNode<Element> else { return }
    let bits = verdicts.state.value.translation.passes
    let passing = bits.bits(in: 0..<bits.count).spread(among: list.shown, otherwise: verdicts.state.value.valueless)
    show(by: verdicts.state.value.predicate) { [family] in
      TreeFilterSweep(family.translation.value, passing: passing, in: list.shape)
    }
  }
}

extension FilterNode {
  /// Asks about an element of the tree again, where this node filters the list of all elements of a tree filter.
  func refresh(at path: [Int]) {
    guard let row = (source as? DescendantsNode<Element>)?.row(ofPath: IndexPath(indexes: path)) else { return }
    refresh(row..<row + 1)
  }
}

extension DescendantsNode {
  /// The whole tree.
  fileprivate var shape: TreeIndex { state.value.outline!.state.value.translation.shape }

  /// The elements of the tree that are listed, as bits by document number.
  fileprivate var shown: BitRun {
    let passes = state.value.translation.passes
    return passes.bits(in: 0..<passes.count)
  }
}
