/// What one source of a derived node reports.
///
/// ```swift
/// // In a node whose elements are the counts of its sources, each linked under its position:
/// author.attach(to: self) { node, reports in
///   for report in reports { node.counts[report.slot] += report.change.delta.countChange }
///   return ChangeSet(Delta(updates: reports.map { $0.slot..<$0.slot + 1 }))
/// }
/// ```
@_spi(NodeAuthors)
public struct SourceChange {
  /// The slot under which the node linked this source.
  public let slot: Int

  /// The source's change, from the contents that the node last translated to those that the source has now.
  public var change: ChangeSet

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - slot: the slot under which the node linked the source, at least 0.
  ///   - change: the source's change, in the source's own index space.
  public init(slot: Int, change: ChangeSet) {
    self.slot = slot
    self.change = change
  }
}

/// What the sources of a derived node report in one settling of the graph: at least one change.
typealias SourceChanges = FirstAndRest<SourceChange>

extension FirstAndRest<SourceChange> {
  /// Creates the reports of some sources.
  ///
  /// - Parameter changes: at most one for each slot.
  init(_ changes: some Sequence<SourceChange>) {
    self.init()
    for change in changes { append(change) }
  }

  /// The report, where there is only one.
  ///
  /// - Returns: the slot and the change of the only report, taken out so that nothing else refers to the change and it
  ///   can grow in place; nil where there are several reports, which then all stay.
  mutating func takeOnly() -> (slot: Int, change: ChangeSet)? {
    removeOnly().map { ($0.slot, $0.change) }
  }

  /// The only report's change, for a node that has linked one source once.
  ///
  /// - Parameter node: the node.
  /// - Returns: the change, taken out as `takeOnly()` does.
  mutating func takeOnlyChange(of node: AnyObject) -> ChangeSet {
    guard let change = takeOnly()?.change else { trap("\(type(of: node)) has one source, and \(count) reports.") }
    return change
  }

  /// What a node tells whose children the sources are: the same changes, each one level deeper.
  ///
  /// - Parameter position: where the source in a slot stands.
  /// - Returns: the change of the node; what moved from one source to another is paired.
  /// - Complexity: O(1) where there is one report and nothing else refers to its change; otherwise the size of all.
  consuming func wrapped(at position: (_ slot: Int) -> Int) -> ChangeSet {
    if case (let slot, var change)? = takeOnly() {
      change.wrap(at: position(slot))
      return change
    }
    var result = ChangeSet()
    result.merge(map { (position: position($0.slot), change: $0.change) })
    return result
  }
}
