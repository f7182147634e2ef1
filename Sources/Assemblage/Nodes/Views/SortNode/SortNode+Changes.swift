// Changes of the source and of the comparator.
extension SortNode {
  func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    let change = changes.takeOnlyChange(of: self)
    state.value.work?.follow(change.delta)
    if let order = state.value.order { return translate(change, by: order) }
    var plan: SortTranslation.Plan?
    if state.value.translation.isSorted, !change.delta.isEmpty {
      // The comparator is asked first, so that it finds the node in its former state, and not half changed.
      if let delta = translateSingle(change) { return ChangeSet(delta) }
      let (reader, comparator) = (state.value.reader, state.value.comparator!)
      plan = state.value.translation.plan(
        change.delta, sort: { functions.sort(reader, $0, comparator) },
        place: { functions.place(reader, $0, comparator, $1) })
      forgetElements(of: change.delta, plan!)
    }
    let translated = state.value.translation.translate(change, plan)
    // The handles of a new order have the numbers of the positions.
    if plan?.sources != nil { state.value.landmarks = keptElements() }
    return translated
  }

  /// Translates a change, where a change below a child may give the child another place too.
  private func translate(_ change: consuming ChangeSet, by order: ChildOrder) -> ChangeSet {
    let node = order.node([])
    state.value.work?.followReordering()
    let plan = state.value.translation.plan(
      change.delta, replacing: change.children.map(\.position), sort: { order.sort($0, node) },
      place: { order.place($0, node, $1) })
    return state.value.translation.translate(change, plan)
  }

  /// Translates a change of one child, the usual edit, without a plan.
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

  /// Finds the sorted position of a single child that arrived or changed.
  private func place(_ position: Int, from former: Int) -> Int {
    let landmarks = state.value.landmarks ?? Landmarks()
    state.value.landmarks = landmarks
    return functions.placeSingle(
      state.value.reader, position, former, state.value.translation.order, landmarks, state.value.comparator!)
  }

  /// Removes the kept elements of children that leave or change.
  private func forgetElements(of delta: Delta, _ plan: SortTranslation.Plan) {
    guard let landmarks = state.value.landmarks, plan.sources == nil else { return }
    for position in SortTranslation.positions(lostBy: delta) { forget(position, landmarks) }
  }

  private func forget(_ position: Int, _ landmarks: Landmarks<Element>) {
    functions.forget(landmarks, state.value.translation.number(ofSource: position))
  }

  /// Returns the elements to keep of an order whose handles have the numbers of the positions in the source.
  private func keptElements() -> Landmarks<Element>? {
    functions.keep(state.value.reader, state.value.translation.count)
  }

  /// Sorts by another comparator.
  ///
  /// Observers are notified of the fewest moves that lead to the new order. They are not notified if the order is the
  /// same. Children that tie have the order of the source, whichever order they had before.
  ///
  /// A running call in the background is superseded, even if the transaction is rolled back.
  ///
  /// - Parameter areInIncreasingOrder: returns whether its first argument is before its second; nil for the source's
  ///   order.
  /// - Complexity: O(n · log n) for n children; O(n), with about one comparison for each child, if the new order is the
  ///   present order or its reverse.
  public func setComparator(_ areInIncreasingOrder: ((Element, Element) -> Bool)?) {
    hub.prepareForChange()
    let sources = areInIncreasingOrder.map(sort)
    show(areInIncreasingOrder, keeping: sources.flatMap { _ in keptElements() }) { $0.reorder(sources) }
  }

  /// Adopts a comparator and the order that it makes; work in the background is superseded.
  ///
  /// - Parameters:
  ///   - comparator: the comparator.
  ///   - order: an order in place of a comparator.
  ///   - landmarks: the kept elements of the order; nil for none yet.
  ///   - reorder: makes the translation adopt the order.
  func show(
    _ comparator: Comparator?, order: ChildOrder? = nil, keeping landmarks: Landmarks<Element>? = nil,
    _ reorder: (inout SortTranslation) -> Delta
  ) {
    let (former, formerOrder) = (state.value.comparator, state.value.order)
    state.value.comparator = comparator
    state.value.landmarks = landmarks
    listen(to: order)
    let delta = reorder(&state.value.translation)
    hub.publish(
      ChangeSet(delta), of: .view,
      inverse: { [self] in if let formerOrder { setOrder(formerOrder) } else { setComparator(former) } })
  }

  /// Adopts an order in place of a comparator, and receives the changes below the children from now on.
  private func listen(to order: ChildOrder?) {
    if order != nil, state.value.order == nil { hub.listenToNestedChanges() }
    if order == nil, state.value.order != nil { hub.removeListener() }
    state.value.work = nil
    state.value.order = order
  }

  /// Sorts by an order in place of a comparator.
  func setOrder(_ order: ChildOrder) {
    hub.prepareForChange()
    let sources = sources(by: order)
    show(nil, order: order) { $0.reorder(sources) }
  }

  /// Sorts a node that was made just now.
  @usableFromInline
  func begin(_ order: ChildOrder) {
    let sources = sources(by: order)
    listen(to: order)
    _ = state.value.translation.reorder(sources)
  }

  private func sources(by order: ChildOrder) -> [Int] {
    hub.refusingChanges { order.sort(Array(0..<state.value.translation.count), order.node([])) }
  }

  /// Sorts by the values at a key path.
  ///
  /// - Parameters:
  ///   - keyPath: leads from a child's value to the compared value.
  ///   - direction: whether the smallest value is first, or the largest.
  /// - Complexity: O(n · log n) for n children.
  public func setComparator(_ keyPath: KeyPath<Element, some Comparable>, order direction: SortOrder = .forward) {
    setComparator(Self.comparator(keyPath, direction))
  }

  /// Sorts all children again, because the data that the comparator reads have changed.
  ///
  /// Observers are notified of the fewest moves. Call this if elements are objects that changed without their node's
  /// knowledge, or if anything else that the comparator captures has changed.
  ///
  /// A background call that is still running is superseded.
  ///
  /// - Complexity: O(n · log n) for n children; O(n) if the order stays the same.
  public func refresh() {
    if let order = state.value.order { setOrder(order) } else { setComparator(state.value.comparator) }
  }

  /// Returns the positions in the source of all children, in the order of a comparator.
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

// MARK: - Other initializers

extension SortNode {
  /// Creates a view sorted by the values at a key path.
  ///
  /// - Parameters:
  ///   - source: the node to sort; it is kept alive.
  ///   - keyPath: leads from a child's value to the compared value.
  ///   - direction: whether the smallest value is first, or the largest.
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
  ///   - direction: whether the smallest value is first, or the largest.
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
