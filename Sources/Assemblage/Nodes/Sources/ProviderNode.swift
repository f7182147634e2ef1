/// A node that stores nothing: a closure returns the elements, and the owner of the data announces each change.
///
/// ```swift
/// let squares = ProviderNode(count: 1_000_000_000) { $0 * $0 }
/// squares.element(at: 12)             // 144
/// squares.announce(.insertion(1_000_000_000..<1_000_000_001))
/// squares.count                       // 1_000_000_001
/// ```
///
/// Announce a change after the data has changed, and before the node is read again. Until then the node has its former
/// count.
public final class ProviderNode<Element>: TreeNode, ReadableNode, ElementUpdating {
  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  @usableFromInline let storage: Cell<State>
  private let functions: NodeReader<Element>.Functions

  /// Creates a node.
  ///
  /// - Parameters:
  ///   - count: the number of elements, at least 0.
  ///   - element: returns the element at a position, `0..<count`. The closure is called at each access, and must not
  ///     change any node.
  /// - Complexity: O(1).
  @inlinable
  public convenience init(count: Int, element: @escaping (_ position: Int) -> Element) {
    self.init(count: count, element: element, functions: .reading(State.self))
  }

  @usableFromInline
  init(count: Int, element: @escaping (Int) -> Element, functions: NodeReader<Element>.Functions) {
    require(count >= 0, "ProviderNode: the count \(count) is negative.")
    storage = Cell(State(count: count, provide: element))
    self.functions = functions
    hub.attach(to: self)
    hub.state.value.nesting = .none
  }

  deinit {
    hub.detach()
    storage.destroy()
  }

  /// The count that was announced, and the closure.
  @usableFromInline
  struct State: NodeState, ~Copyable {
    @usableFromInline var count: Int
    @usableFromInline let provide: (Int) -> Element

    @inlinable
    func element(at position: Int) -> Element? { position >= 0 && position < count ? provide(position) : nil }

    @inlinable
    static func forEachSpan(
      in range: Range<Int>, of state: UnsafePointer<Self>, _ body: (_ start: Int, _ span: Span<Element>) -> Void
    ) {
      let provide = unsafe state.pointee.provide
      gatherSpans(in: range, body) { provide($0) }
    }
  }

  @inlinable
  public var count: Int { storage.value.count }

  @inlinable
  public func element(at position: Int) -> Element? {
    storage.value.element(at: position)
  }

  @_spi(NodeAuthors)
  @inlinable
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "ProviderNode")
    storage.forEachSpan(in: range, body)
  }

  var reader: NodeReader<Element> { storage.reader(functions) }

  /// Announces a change of the data.
  ///
  /// ```swift
  /// func append(_ line: String) {
  ///   lines.append(line)
  ///   let place = lines.count - 1
  ///   node.announce(.insertion(place..<place + 1), inverse: { self.removeLast() })    // which announces the removal
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - change: from the former data to the present data; the count changes with it.
  ///   - inverse: restores the data and announces that change. A transaction that is rolled back and an `UndoLog` call
  ///     the closure. Without an inverse, neither of them can revert the change.
  /// - Precondition: the change fits the former count.
  /// - Complexity: O(c) for the c ranges of the change, and the propagation.
  public func announce(_ change: Delta, inverse: (() -> Void)? = nil) {
    // A report would read the new data by the former positions.
    hub.prepareForChange(.wait)
    let former = count
    require(
      !former.addingReportingOverflow(change.countChange).overflow,
      "ProviderNode: \(change.countChange) more elements than \(former) would overflow the count.")
    require(
      change.oldExtent <= former,
      """
      ProviderNode: the announced change reaches beyond the \(former) elements there were, or beyond the \
      \(former + change.countChange) there are.
      """)
    storage.value.count += change.countChange
    func publish() {
      if let inverse { hub.publish(ChangeSet(change), inverse: inverse) } else { hub.publish(ChangeSet(change)) }
    }
    // The end of a transaction reports elements that have changed by themselves together with the change.
    if hub.hasAnnouncers { performUpdates(publish) } else { publish() }
  }

  /// Reports that the elements in a range may have changed, if the owner does not know the change of each element.
  ///
  /// Views and observers read these elements again. Observers are notified of an update of the positions in the range.
  /// If the number of elements changes, the inserted or removed positions lie at the end of the range.
  ///
  /// ```swift
  /// let page = ProviderNode(count: 4) { lines[$0] }
  /// let token = page.observe { print($0.delta) }
  /// lines[1] = "?"                            // or several lines: the owner has not kept count
  /// page.refresh(0..<3)                    // prints an update of 0..<3
  /// lines.replaceSubrange(0..<3, with: ["x"])
  /// page.refresh(0..<3, count: 1)          // prints a removal of 1..<3, and an update of 0
  /// ```
  ///
  /// An updated position may hold another element than before: the node stores no elements and cannot compare them. If
  /// the owner knows which elements arrived, left or moved, `announce(_:inverse:)` lets selections and animations
  /// follow them.
  ///
  /// `refresh` differs from `reset(count:)`: positions that exist before and after the change are updated. They are not
  /// removed and inserted again.
  ///
  /// - Parameters:
  ///   - range: the positions before the change, within `0..<count`; may be empty, to report only new elements; nil:
  ///     all.
  ///   - newCount: the number of elements that replace the range, at least 0; nil: as many as before.
  ///   - inverse: restores the data and reports that; see `announce(_:inverse:)`. Without it, the change cannot be
  ///     reverted.
  /// - Precondition: the range lies within the former elements, and the new total count does not overflow.
  /// - Complexity: O(1), and the propagation, which reads the elements in the range again if a node depends on them.
  public func refresh(_ range: Range<Int>? = nil, count newCount: Int? = nil, inverse: (() -> Void)? = nil) {
    let range = range ?? 0..<count
    checkRange(range, in: count, of: "ProviderNode")
    let newCount = newCount ?? range.count
    require(newCount >= 0, "ProviderNode: the count \(newCount) is negative.")
    require(
      !(count - range.count).addingReportingOverflow(newCount).overflow,
      "ProviderNode: \(newCount) elements in place of \(range.count) of \(count) would overflow the count.")
    let end = range.lowerBound + newCount
    let kept = Swift.min(range.upperBound, end)
    announce(
      Delta(
        removals: end < range.upperBound ? [end..<range.upperBound] : [],
        insertions: range.upperBound < end ? [range.upperBound..<end] : [],
        updates: range.lowerBound < kept ? [range.lowerBound..<kept] : []),
      inverse: inverse)
  }

  /// Reports that all data have been replaced.
  ///
  /// - Parameter count: the new number of elements, at least 0.
  /// - Complexity: O(1), and the propagation.
  public func reset(count: Int) {
    require(count >= 0, "ProviderNode: the count \(count) is negative.")
    announce(
      Delta(
        removals: self.count == 0 ? [] : [0..<self.count], insertions: count == 0 ? [] : [0..<count]))
  }
}

@available(*, unavailable)
extension ProviderNode: Sendable {}
