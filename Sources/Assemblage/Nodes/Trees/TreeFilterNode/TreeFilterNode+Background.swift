// A predicate whose verdicts are found in the background.
extension TreeFilterNode {
  /// Filters by another predicate at every depth, which is evaluated by other cores, while the filter and its source stay
  /// usable.
  ///
  /// ```swift
  /// try await found.setPredicate(concurrently: .whenDone) { $0.contains("pear") }
  /// ```
  ///
  /// Edits made meanwhile are taken in, before and behind the point reached. What observers hear are minimal changes, as of
  /// the other form. It may be called on the filtered node of any child, and concerns the whole tree, all of which is looked
  /// at: of a `HierarchyNode`, all children are loaded.
  ///
  /// With `.asItGoes` the verdicts are shown when 4,096 elements have theirs, and each time when there are twice as many: to
  /// show them takes O(n / 64 + b) in the node's isolation domain.
  ///
  /// A further call to this or another form of `setPredicate`, or to `setSearch(_:in:)`, takes the place of this one, which
  /// ends with a `CancellationError`. The hint is about the predicate that was given last, also where its verdicts are not all
  /// known yet.
  ///
  /// - Parameters:
  ///   - hint: how the new predicate relates to the former one.
  ///   - delivery: when the answers are shown; `.asItGoes(from:)` counts the children of the root that are shown, and begins
  ///     with the first of the range and what is below it.
  ///   - progress: told how many elements of the tree have their answer.
  ///   - predicate: says which values pass from now on. Where it throws later, for a new or updated element, the element does
  ///     not pass.
  /// - Throws: what the predicate throws, or a `CancellationError` where the task or the progress is cancelled, or another call
  ///   took the place of this one. In the first two cases the filter is as it was before the call, with the edits made since.
  /// - Complexity: O(n) for n elements; asking is done by as many cores as there are. In the node's domain the elements are
  ///   copied out in pieces of up to 8,192, and beginning and showing take O(n / 64 + b) for b branches.
  @inlinable
  public func setPredicate(
    hint: FilterHint = .different, concurrently delivery: ResultDelivery, progress: BackgroundProgress? = nil,
    where predicate: @escaping @Sendable (Element) throws -> Bool
  ) async throws where Element: Sendable {
    let background = background(delivery)
    let valueless = background.verdicts.state.value.valueless
    try await background.verdicts.evaluateConcurrently(
      background.hint(hint), background.delivery(delivery), progress, predicate,
      copying: { ElementPiece(copying: $0, $1, $2) },
      asking: { try $0.takeVerdicts(of: predicate, valueless: valueless) }, for: background)
  }

  /// Filters by another predicate at every depth, which is evaluated in slices on the caller's actor, to which other work gets
  /// in between.
  ///
  /// It is for elements that cannot leave their isolation domain; else as the form that works concurrently.
  ///
  /// ```swift
  /// // on the main actor, with class objects
  /// try await found.setPredicate(inSlicesOf: .milliseconds(2)) { $0.title.contains("pear") }
  /// ```
  ///
  /// - Parameters:
  ///   - hint: how the new predicate relates to the former one.
  ///   - budget: how long a slice should take. Their sizes are adapted as they go; a single call of the predicate is not
  ///     interrupted.
  ///   - delivery: when the answers are shown, as of the form that works concurrently.
  ///   - progress: told how many elements of the tree have their answer.
  ///   - predicate: says which values pass from now on. Where it throws later, for a new or updated element, the element does
  ///     not pass.
  /// - Throws: as the form that works concurrently.
  /// - Complexity: O(n) for n elements.
  public func setPredicate(
    hint: FilterHint = .different, inSlicesOf budget: Duration, delivery: ResultDelivery = .whenDone,
    progress: BackgroundProgress? = nil, where predicate: @escaping (Element) throws -> Bool
  ) async throws {
    let background = background(delivery)
    try await background.verdicts.evaluateInSlices(
      background.hint(hint), budget, background.delivery(delivery), progress, predicate, for: background)
  }

  /// Begins to find verdicts in the background; another such call is superseded.
  @usableFromInline
  func background(_ delivery: ResultDelivery) -> TreeFilterBackground<Element> {
    TreeFilterBackground(root, delivery)
  }
}
