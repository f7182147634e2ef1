/// One edge of the graph as its source sees it.
@safe
struct Dependent {
  /// The dependent's hub. It is not retained: a dependent unlinks itself from its sources when it dies.
  unowned(unsafe) let hub: NodeHub

  /// The slot under which the dependent knows this source.
  let slot: Int
}

/// The nodes that derive from one, in the order in which they linked it.
///
/// Mostly it is one: that needs no allocation, and no memory besides the hub's own has to be read for it.
struct Dependents: RandomAccessCollection {
  private var first: Dependent?
  private var rest: [Dependent] = []

  /// Always 0.
  var startIndex: Int { 0 }

  /// The number of links.
  var endIndex: Int { first == nil ? 0 : 1 + rest.count }

  /// Whether there is none.
  var isEmpty: Bool { first == nil }

  /// The only link, where there is no other.
  var only: Dependent? { rest.isEmpty ? first : nil }

  /// The link at a position, `0..<count`.
  subscript(position: Int) -> Dependent {
    guard position == 0, let first else { return rest[position - 1] }
    return first
  }

  mutating func append(_ dependent: Dependent) {
    if first == nil { first = dependent } else { rest.append(dependent) }
  }

  mutating func remove(at position: Int) {
    if position > 0 {
      rest.remove(at: position - 1)
    } else {
      first = rest.isEmpty ? nil : rest.removeFirst()
    }
  }
}
