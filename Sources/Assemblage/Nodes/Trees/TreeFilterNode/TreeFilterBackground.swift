import OffsetIndexing

/// A predicate that a tree filter is going to have, while its verdicts are found in the background.
///
/// They are found by a filter of the list of all elements: it shares what it needs with other cores, takes edits in, and
/// knows what to go back to.
@usableFromInline
final class TreeFilterBackground<Element>: SweepOwner {
  let root: TreeFilterNode<Element>
  let list: DescendantsNode<Element>
  /// Which of the elements pass: those that have been asked about by the new predicate, the others by the former one.
  @usableFromInline let verdicts: FilterNode<Element>
  @usableFromInline var isSuperseded = false

  private let isShownAsItGoes: Bool
  /// How many elements must have their verdicts before they are shown next: all else would take too long.
  private var nextCount = 0
  /// Whether something is shown that has to be taken back where this is given up.
  private var isShown: Bool

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
    _ = root.exchange(self)
    // Of one that has been superseded, the verdicts so far: the filter goes back to those before it, or on from them.
    if !isShown { nextCount = 1 }
  }

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
    guard root.family.state.value.background === self else { return }
    // What takes its place shows its own verdicts.
    if isShown, (try? show()) == nil { return }
    root.family.state.value.background = nil
  }

  /// Shows the filter's verdicts.
  ///
  /// - Throws: a `CancellationError` where another call has taken its place.
  private func show() throws {
    // One who hears of what has changed by itself may set another predicate.
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
