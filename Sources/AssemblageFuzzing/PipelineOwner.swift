/// A model object of a fuzzed pipeline, with properties that nodes show.
///
/// ```swift
/// let owner = PipelineOwner([1, 2])
/// let node = PropertyNode(owner, \.rows, id: \.id)
/// ```
package final class PipelineOwner {
  /// An array property.
  package var rows: [PipelineRow]

  /// A single property; the first row that the owner was made with, or row -1.
  package var first: PipelineRow
  /// Another; the second row that the owner was made with, or row -2.
  package var second: PipelineRow
  /// Another; the third row that the owner was made with, or row -3.
  package var third: PipelineRow

  /// The single properties in order.
  package static var fields: [ReferenceWritableKeyPath<PipelineOwner, PipelineRow>] { [\.first, \.second, \.third] }

  /// Creates an object.
  ///
  /// - Parameter rows: the contents of the properties.
  package init(_ rows: [PipelineRow]) {
    self.rows = rows
    first = rows.first ?? -1
    second = rows.dropFirst().first ?? -2
    third = rows.dropFirst(2).first ?? -3
  }
}

@available(*, unavailable)
extension PipelineOwner: Sendable {}
