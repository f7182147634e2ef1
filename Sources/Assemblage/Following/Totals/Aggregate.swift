/// A way to combine the values of elements into one value: a sum, a minimum, a maximum, or a combination of your own.
///
/// An `AggregateIndex` combines the elements of each subtree in this way.
///
/// ```swift
/// let sizes = AggregateIndex(of: folders, .sum(\.size))
/// let latest = AggregateIndex(of: threads, .maximum(\.date))
/// let tags = AggregateIndex(of: notes, Aggregate(\.tags, identity: []) { $0.union($1) })
/// ```
public struct Aggregate<Element, Value: Equatable> {
  @usableFromInline let value: (Element) -> Value
  @usableFromInline let monoid: Monoid<Value>
  /// The values of a range of a node's children; the identity for a child without a value. The function is specialized
  /// where the aggregate is made.
  @usableFromInline let values: (NodeReader<Element>, Range<Int>) -> [Value]

  /// Creates a combination of values.
  ///
  /// - Parameters:
  ///   - value: returns the value that an element contributes; `identity` for an element that contributes nothing. The
  ///     closure must not change nodes.
  ///   - identity: the aggregate of no elements. To combine a value with `identity` returns the same value.
  ///   - combine: combines two values. Neither their order nor their grouping may change the result.
  @inlinable
  public init(
    _ value: @escaping (Element) -> Value, identity: Value, combining combine: @escaping (Value, Value) -> Value
  ) {
    self.value = value
    monoid = Monoid(identity: identity, combine: combine)
    values = { reader, range in reader.results(of: range, placeholder: identity, value) }
  }

  /// The sum of values: sizes, numbers of errors, or 1 for each element to count.
  ///
  /// - Parameter value: returns the value that an element adds; zero for an element that contributes nothing.
  /// - Returns: the aggregate; zero where nothing contributes. A sum that overflows traps.
  @inlinable
  public static func sum(_ value: @escaping (Element) -> Value) -> Aggregate where Value: AdditiveArithmetic {
    Aggregate(value, identity: .zero, combining: +)
  }

  /// The least of the values.
  ///
  /// - Parameter value: returns the value of an element; nil for an element that contributes nothing.
  /// - Returns: the aggregate; nil where nothing contributes.
  @inlinable
  public static func minimum<Extreme: Comparable>(_ value: @escaping (Element) -> Extreme?) -> Aggregate
  where Value == Extreme? {
    Aggregate(value, identity: nil) { first, second in
      guard let first, let second else { return first ?? second }
      return min(first, second)
    }
  }

  /// The greatest of the values.
  ///
  /// - Parameter value: returns the value of an element; nil for an element that contributes nothing.
  /// - Returns: the aggregate; nil where nothing contributes.
  @inlinable
  public static func maximum<Extreme: Comparable>(_ value: @escaping (Element) -> Extreme?) -> Aggregate
  where Value == Extreme? {
    Aggregate(value, identity: nil) { first, second in
      guard let first, let second else { return first ?? second }
      return max(first, second)
    }
  }
}

@available(*, unavailable)
extension Aggregate: Sendable {}
