// What the source and the comparator change.
extension SortNode {
  func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    let change = changes.takeOnlyChange(of: self)
    state.value.work?.follow(change.delta)
    var plan: SortTranslation.Plan?
    if state.value.translation.isSorted, !change.delta.isEmpty {
      // The comparator is asked first: it must find the node as it was, not half changed.
      if let delta = translateSingle(change) { return ChangeSet(delta) }
      let (reader, comparator) = (state.value.reader, state.value.comparator!)
      plan = state.value.translation.plan(
        change.delta, sort: { functions.sort(reader, $0, comparator) },
        place: { functions.place(reader, $0, comparator, $1) })
      forgetElements(of: change.delta, plan!)
    }
    let translated = state.value.translation.translate(change, plan)
    // The handles of an order that is made anew have the numbers of positions.
    if plan?.sources != nil { state.value.landmarks = keptElements() }
    return translated
  }

  /// Translates what happens to one child, the usual edits, without a plan.
  private func translateSingle(_ change: ChangeSet) -> Delta? {
    if let insertion = change.onlyInsertion, insertion.count == 1 {
      let position = insertion.lowerBound
      return state.value.translation.insert(at: position, sorted: place(position, from: -1))
    }
    if let update = change.onlyUpdate, update.count == 1 {
      let former = state.value.translation.sortedPosition(of: update.lowerBound)
      return state.value.translation.update(from: former, to: place(update.lowerBound, from: former))
    }
    if let removal = change.onlyRemoval, removal.count == 1 {
      if let landmarks = state.value.landmarks { forget(removal.lowerBound, landmarks) }
      return state.value.translation.remove(at: removal.lowerBound)
    }
    return nil
  }

  /// The sorted position of a single child that came, or changed.
  private func place(_ position: Int, from former: Int) -> Int {
    let landmarks = state.value.landmarks ?? Landmarks()
    state.value.landmarks = landmarks
    return functions.placeSingle(
      state.value.reader, position, former, state.value.translation.order, landmarks, state.value.comparator!)
  }

  /// Gives up what is kept of children that go or change.
  private func forgetElements(of delta: Delta, _ plan: SortTranslation.Plan) {
    guard let landmarks = state.value.landmarks, plan.sources == nil else { return }
    for position in SortTranslation.positions(lostBy: delta) { forget(position, landmarks) }
  }

  private func forget(_ position: Int, _ landmarks: Landmarks<Element>) {
    functions.forget(landmarks, state.value.translation.number(ofSource: position))
  }

  /// What is to be kept of an order whose handles have the numbers of the positions in the source.
  private func keptElements() -> Landmarks<Element>? {
    functions.keep(state.value.reader, state.value.translation.count)
  }

  /// Sorts by another comparator.
  ///
  /// Observers hear the fewest moves that lead to the new order; nothing where it is the same. Ties stand as in the
  /// source, whatever the order was before.
  ///
  /// A call in the background that is under way is superseded, also where the transaction is rolled back.
  ///
  /// - Parameter areInIncreasingOrder: says whether its first argument comes before its second; nil for the source's order.
  /// - Complexity: O(n · log n) for n children; O(n), with about a comparison for each, where the present order is turned
  ///   round or stays as it is.
  public func setComparator(_ areInIncreasingOrder: Comparator?) {
    hub.prepareForChange()
    let sources = areInIncreasingOrder.map(sort)
    show(areInIncreasingOrder, keeping: sources.flatMap { _ in keptElements() }) { $0.reorder(sources) }
  }

  /// Takes in a comparator, and the order that it makes; work in the background is superseded.
  ///
  /// - Parameters:
  ///   - comparator: the comparator.
  ///   - landmarks: what is kept of the order's elements; nil for nothing yet.
  ///   - reorder: takes the order in.
  func show(
    _ comparator: Comparator?, keeping landmarks: Landmarks<Element>? = nil,
    _ reorder: (inout SortTranslation) -> Delta
  ) {
    let former = state.value.comparator
    state.value.work = nil
    state.value.comparator = comparator
    state.value.landmarks = landmarks
    let delta = reorder(&state.value.translation)
    hub.publish(ChangeSet(delta), of: .view, inverse: { [self] in setComparator(former) })
  }

  /// Sorts by the values at a key path.
  ///
  /// - Parameters:
  ///   - keyPath: leads from a child's value to what is compared.
  ///   - direction: whether the smallest comes first, or the largest.
  /// - Complexity: O(n · log n) for n children.
  public func setComparator(_ keyPath: KeyPath<Element, some Comparable>, order direction: SortOrder = .forward) {
    setComparator(Self.comparator(keyPath, direction))
  }

  /// Sorts everything again, because what the comparator looks at has changed.
  ///
  /// Observers hear the fewest moves. Use it where elements are objects that changed without their node's knowledge, or
  /// where something else that the comparator captures has changed.
  ///
  /// - Complexity: O(n · log n) for n children; O(n) where the order stays as it is.
  public func refresh() { setComparator(state.value.comparator) }

  /// The positions in the source of all children, in the order of a comparator.
  private func sort(by comparator: Comparator) -> [Int] {
    let (reader, all) = (state.value.reader, 0..<state.value.translation.count)
    return hub.refusingChanges {
      if state.value.translation.isSorted,
        let turned = functions.turn(reader, state.value.translation.sources(in: all), comparator)
      {
        return turned
      }
      return functions.sort(reader, Array(all), comparator)
    }
  }

  @usableFromInline
  static func comparator(_ keyPath: KeyPath<Element, some Comparable>, _ direction: SortOrder) -> Comparator {
    switch direction {
    case .forward: { $0[keyPath: keyPath] < $1[keyPath: keyPath] }
    case .reverse: { $0[keyPath: keyPath] > $1[keyPath: keyPath] }
    }
  }
}

// MARK: - Ways to say it

extension SortNode {
  /// Creates a view sorted by the values at a key path.
  ///
  /// - Parameters:
  ///   - source: the node to sort; it is kept alive.
  ///   - keyPath: leads from a child's value to what is compared.
  ///   - direction: whether the smallest comes first, or the largest.
  /// - Complexity: O(n · log n) for n children.
  @inlinable @inline(__always)
  public convenience init(
    _ source: any TreeNode<Element>, by keyPath: KeyPath<Element, some Comparable>,
    order direction: SortOrder = .forward
  ) {
    self.init(source, by: Self.comparator(keyPath, direction))
  }
}

extension SortNode where Element: Comparable {
  /// Creates a view in the values' own order.
  ///
  /// - Parameters:
  ///   - source: the node to sort; it is kept alive.
  ///   - direction: whether the smallest comes first, or the largest.
  /// - Complexity: O(n · log n) for n children.
  @inlinable @inline(__always)
  public convenience init(_ source: any TreeNode<Element>, order direction: SortOrder = .forward) {
    self.init(source, by: Self.comparator(direction))
  }

  @inlinable @inline(__always)
  static func comparator(_ direction: SortOrder) -> Comparator {
    switch direction {
    case .forward: { $0 < $1 }
    case .reverse: { $0 > $1 }
    }
  }
}
