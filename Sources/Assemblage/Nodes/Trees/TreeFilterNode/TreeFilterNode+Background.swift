import OffsetIndexing

// A predicate whose verdicts are found in the background.
extension TreeFilterNode {
  /// Filters by another predicate at every depth, which is evaluated by other cores, while the filter and its source stay
  /// usable.
  ///
  /// ```swift
  /// try await found.setPredicate(concurrently: .whenDone) { $0.contains("pear") }
  /// ```
  ///
  /// Edits made meanwhile are applied, before and behind the point reached. Observers receive minimal changes, as with the
  /// other form. It may be called on the filtered node of any child, and concerns the whole tree, all of which is looked
  /// at: of a `HierarchyNode`, all children are loaded.
  ///
  /// With `.asItGoes` the verdicts are shown when 4,096 elements have theirs, and each time when there are twice as many: to
  /// show them takes O(n / 64 + b) in the node's isolation domain.
  ///
  /// A further call to this or another form of `setPredicate`, or to `setSearch(_:in:)`, takes the place of this one, which
  /// ends with a `CancellationError`, also where the further call is rolled back. Then the filter is as if this call had been
  /// cancelled: verdicts that were shown so far are taken back. The hint is about the predicate that was given last, also where
  /// its verdicts are not all known yet.
  ///
  /// - Parameters:
  ///   - hint: how the new predicate relates to the former one.
  ///   - delivery: when the answers are shown; `.asItGoes(from:)` counts the children of the root that are shown, and begins
  ///     with the first of the range and the tree below it.
  ///   - progress: receives how many elements of the tree have their answer.
  ///   - predicate: says which values pass from now on. Where it throws later, for a new or updated element, the element does
  ///     not pass.
  /// - Throws: the predicate's error, or a `CancellationError` where the task or the progress is cancelled, or another call
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
  ///   - progress: receives how many elements of the tree have their answer.
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

/// A predicate that a tree filter is going to have, while its verdicts are found in the background.
///
/// They are found by a filter of the list of all elements. It shares the elements with other cores, applies edits, and
/// knows the former verdicts.
@usableFromInline
final class TreeFilterBackground<Element>: SweepOwner {
  let root: TreeFilterNode<Element>
  let list: DescendantsNode<Element>
  /// Which of the elements pass: those that have been asked about by the new predicate, the others by the former one.
  @usableFromInline let verdicts: FilterNode<Element>

  private let isShownAsItGoes: Bool
  /// How many elements must have their verdicts before they are shown next: all else would take too long.
  private var nextCount = 0
  /// Whether something is shown that has to be taken back where this is given up.
  private(set) var isShown: Bool

  /// Begins; another one that does so already is superseded, and its filter goes on.
  init(_ root: TreeFilterNode<Element>, _ delivery: ResultDelivery) {
    root.hub.prepareForChange()
    self.root = root
    let family = root.family
    let former = family.state.value.background
    if let former {
      (list, verdicts) = (former.list, former.verdicts)
    } else {
      list = DescendantsNode(root.source)
      let passing = family.translation.value.passing(in: list.shape)
      verdicts = family.functions.filter(
        list, passing.closedUp(among: list.shown), family.policy.valueless, family.state.value.predicate)
    }
    isShown = former?.isShown ?? false
    isShownAsItGoes = if case .asItGoes = delivery { true } else { false }
    // Of one that has been superseded, the verdicts so far: the filter goes back to those before it, or on from them.
    if !isShown { nextCount = 1 }
    family.state.value.background = self
  }

  @usableFromInline
  var isSuperseded: Bool { root.family.state.value.background !== self }

  /// The predicate that the tree filter goes back to.
  var formerPredicate: (Element) -> Bool { verdicts.formerVerdicts.predicate }

  /// The hint as far as it holds for the filter, too: where not all of the tree is known to the tree filter, its verdicts
  /// on the rest are not the former predicate's.
  @usableFromInline
  func hint(_ hint: FilterHint) -> FilterHint { root.family.translation.value.isEager ? hint : .different }

  /// The delivery in the positions of the filter, which need not ask for the children of this node before.
  @usableFromInline
  func delivery(_ delivery: ResultDelivery) -> ResultDelivery {
    guard case .asItGoes(let range) = delivery, range.lowerBound > 0 else { return delivery }
    let position = range.lowerBound < root.count ? root.sourcePosition(of: range.lowerBound) : nil
    let number = position.flatMap { list.shape.number(at: [$0]) } ?? list.shape.count
    let row = list.state.value.translation.passes.rank(number)
    let place = verdicts.state.value.translation.passes.rank(row)
    return .asItGoes(from: place..<place)
  }

  @usableFromInline
  func check(answered count: Int) throws {
    if isSuperseded { throw CancellationError() }
    guard count >= nextCount, isShownAsItGoes || nextCount == 0 else { return }
    nextCount = Swift.max(4_096, 2 * count)
    try show()
    isShown = isShownAsItGoes
  }

  @usableFromInline
  func end() throws {
    try show()
    root.family.state.value.background = nil
  }

  @usableFromInline
  func giveUp() {
    if isSuperseded { return }
    // A call that takes its place shows its own verdicts.
    if isShown, (try? show()) == nil { return }
    root.family.state.value.background = nil
  }

  /// Shows the filter's verdicts.
  ///
  /// - Throws: a `CancellationError` where another call has taken its place.
  private func show() throws {
    // A closure that learns of elements that have changed by themselves may set another predicate.
    root.hub.prepareForChange()
    if isSuperseded { throw CancellationError() }
    let bits = verdicts.state.value.translation.passes
    let passing = bits.bits(in: 0..<bits.count).spread(among: list.shown, otherwise: verdicts.state.value.valueless)
    root.show(by: verdicts.state.value.predicate, during: self) { [root, list] in
      TreeFilterSweep(root.family.translation.value, passing: passing, in: list.shape)
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
