/// A model object of a fuzzed pipeline, with properties that nodes show.
///
/// ```swift
/// let owner = PipelineOwner([1, 2])
/// let node = PropertyNode(owner, \.rows, id: \.id)
/// ```
package final class PipelineOwner {
  /// An array property. The setter keeps the first `capacity` rows.
  package var rows: [PipelineRow] {
    didSet { rows = Array(rows.prefix(capacity)) }
  }
  let capacity: Int

  /// A single property; the first row that the owner was made with, or row -1.
  package var first: PipelineRow
  /// Another; the second row that the owner was made with, or row -2. If the owner counts, the setter changes the first
  /// and the third row.
  package var second: PipelineRow {
    didSet {
      if !isCounting { return }
      first.version += 1
      third.version += 1
    }
  }
  /// Another; the third row that the owner was made with, or row -3.
  package var third: PipelineRow
  let isCounting: Bool

  /// The single properties in order.
  package static var fields: [ReferenceWritableKeyPath<PipelineOwner, PipelineRow>] { [\.first, \.second, \.third] }

  /// Creates an object.
  ///
  /// - Parameters:
  ///   - rows: the contents of the properties.
  ///   - capacity: the largest number of rows in the array property, at least the number of `rows`.
  ///   - isCounting: whether the setter of `second` changes the other single properties.
  package init(_ rows: [PipelineRow], capacity: Int = .max, isCounting: Bool = false) {
    self.rows = rows
    self.capacity = capacity
    self.isCounting = isCounting
    first = rows.first ?? -1
    second = rows.dropFirst().first ?? -2
    third = rows.dropFirst(2).first ?? -3
  }
}

@available(*, unavailable)
extension PipelineOwner: Sendable {}
