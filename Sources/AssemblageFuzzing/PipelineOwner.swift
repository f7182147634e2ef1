/// A model object of a fuzzed pipeline, whose properties nodes show.
///
/// ```swift
/// let owner = PipelineOwner([1, 2])
/// let node = PropertyNode(owner, \.rows, id: \.id)
/// ```
public final class PipelineOwner {
  /// An array property.
  public var rows: [PipelineRow]

  /// A single property; the first row that the owner was made with, or row -1.
  public var first: PipelineRow
  /// Another; the second row that the owner was made with, or row -2.
  public var second: PipelineRow
  /// Another; the third row that the owner was made with, or row -3.
  public var third: PipelineRow

  /// The single properties in order.
  public static var fields: [ReferenceWritableKeyPath<PipelineOwner, PipelineRow>] { [\.first, \.second, \.third] }

  /// Creates an object.
  ///
  /// - Parameter rows: what its properties hold.
  public init(_ rows: [PipelineRow]) {
    self.rows = rows
    first = rows.first ?? -1
    second = rows.dropFirst().first ?? -2
    third = rows.dropFirst(2).first ?? -3
  }
}

@available(*, unavailable)
extension PipelineOwner: Sendable {}
