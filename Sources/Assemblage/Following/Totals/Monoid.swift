/// A commutative monoid: a combination of two values, and the value that changes nothing.
///
/// The functions for many values are specialized where the monoid is made.
@usableFromInline
struct Monoid<Value: Equatable> {
  let identity: Value
  let combine: (Value, Value) -> Value

  /// The ranges of values that are not the identity, each as long as possible.
  let contributions: ([Value]) -> [Range<Int>]
  /// Puts values into neighbouring nodes of a tree, in which node i combines the nodes 2i and 2i + 1, and brings the
  /// nodes above up to date, level by level.
  let put: (_ values: ArraySlice<Value>, _ first: Int, _ nodes: inout [Value]) -> Void

  @inlinable @inline(__always)
  init(identity: Value, combine: @escaping (Value, Value) -> Value) {
    self.init(
      identity: identity, combine: combine,
      contributions: { values in
        var ranges: [Range<Int>] = []
        var start = 0
        for index in values.indices where values[index] == identity {
          if start < index { ranges.append(start..<index) }
          start = index + 1
        }
        if start < values.count { ranges.append(start..<values.count) }
        return ranges
      },
      put: { values, first, nodes in
        if values.isEmpty { return }
        nodes.replaceSubrange(first..<first + values.count, with: values)
        var (lower, upper) = (first, first + values.count - 1)
        while lower > 1 {
          (lower, upper) = (lower / 2, upper / 2)
          for node in lower...upper { nodes[node] = combine(nodes[2 * node], nodes[2 * node + 1]) }
        }
      })
  }

  @usableFromInline
  init(
    identity: Value, combine: @escaping (Value, Value) -> Value, contributions: @escaping ([Value]) -> [Range<Int>],
    put: @escaping (_ values: ArraySlice<Value>, _ first: Int, _ nodes: inout [Value]) -> Void
  ) {
    self.identity = identity
    self.combine = combine
    self.contributions = contributions
    self.put = put
  }
}
