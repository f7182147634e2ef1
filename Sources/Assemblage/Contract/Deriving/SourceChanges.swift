/// A change that one source of a derived node reports.
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

  /// The source's change, from the contents that the node last translated to the source's present contents.
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

/// The changes that the sources of a derived node report in one settlement of the graph: at least one.
typealias SourceChanges = FirstAndRest<SourceChange>

extension FirstAndRest<SourceChange> {
  /// Creates the reports of some sources.
  ///
  /// - Parameter changes: at most one for each slot.
  init(_ changes: some Sequence<SourceChange>) {
    self.init()
    for change in changes { append(change) }
  }

  /// Removes the report, if there is only one.
  ///
  /// - Returns: the slot and the change of the only report; nil if there are several reports, which then all stay.
  ///   The change is moved out, so nothing else refers to it, and it can grow in place.
  mutating func takeOnly() -> (slot: Int, change: ChangeSet)? {
    removeOnly().map { ($0.slot, $0.change) }
  }

  /// Removes the change of the only report, for a node that has linked one source once.
  ///
  /// - Parameter node: the node, for the message of the trap.
  /// - Returns: the change, moved out as by `takeOnly()`.
  mutating func takeOnlyChange(of node: AnyObject) -> ChangeSet {
    guard let change = takeOnly()?.change else { trap("\(type(of: node)) has one source, and \(count) reports.") }
    return change
  }

  /// The change of a node whose children are the sources: the same changes, each one level deeper.
  ///
  /// - Parameter position: the position of the source in a slot among the node's children.
  /// - Returns: the change of the node; the two ends of a move from one source to another are paired.
  /// - Complexity: O(1) if there is one report and nothing else refers to its change; otherwise the size of all
  ///   changes.
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
