/// The order of names.
enum NameOrder {
  /// See `NaturalOrder`.
  case natural
  /// Byte by byte.
  case bytes

  /// Whether a name is ordered before another one.
  func precedes(_ first: Span<UInt8>, _ second: Span<UInt8>) -> Bool {
    switch self {
    case .natural: NaturalOrder.precedes(first, second)
    case .bytes: NaturalOrder.bytesPrecede(first, second)
    }
  }

  /// Whether a name is ordered before another one.
  func precedes(_ first: FileName, _ second: FileName) -> Bool {
    let (first, second) = (first.bytes, second.bytes)
    return precedes(first.span, second.span)
  }

  /// The first eight bytes of a sort key.
  ///
  /// If the keys of two names differ, the names have the order of their keys.
  private func key(_ name: Span<UInt8>) -> UInt64 {
    if self == .natural { return NaturalOrder.key(name) }
    var key: UInt64 = 0
    for index in 0..<min(8, name.count) { key |= UInt64(name[index]) << UInt64(56 - 8 * index) }
    return key
  }

  /// Sorts names.
  ///
  /// - Parameter names: the names.
  /// - Returns: the positions of the names, in the order of the names.
  func sorted(_ names: [FileName]) -> [Int] {
    let keys = names.map { name in
      let bytes = name.bytes
      return key(bytes.span)
    }
    return sorted(keys) { precedes(names[$0], names[$1]) }
  }

  /// Sorts by keys, and compares names only if their keys are equal.
  private func sorted(_ keys: [UInt64], _ precedes: (Int, Int) -> Bool) -> [Int] {
    var order = keys.enumerated().map { (key: $0.element, place: UInt32($0.offset)) }
    order.sort { first, second in
      first.key == second.key ? precedes(Int(first.place), Int(second.place)) : first.key < second.key
    }
    return order.map { Int($0.place) }
  }

  /// Sorts names that are in one array.
  ///
  /// - Parameters:
  ///   - text: the names, one after the other.
  ///   - starts: the start of each name, and the end of the last one.
  /// - Returns: the positions of the names, in the order of the names.
  func sorted(_ text: [UInt8], _ starts: [Int]) -> [Int] {
    // The pointers avoid the counting of references in each comparison.
    unsafe text.withUnsafeBufferPointer { text in
      unsafe starts.withUnsafeBufferPointer { starts in
        let keys = (0..<starts.count - 1).map { place in
          key(unsafe Span(_unsafeElements: UnsafeBufferPointer(rebasing: text[starts[place]..<starts[place + 1]])))
        }
        return sorted(keys) { first, second in
          precedes(
            unsafe Span(_unsafeElements: UnsafeBufferPointer(rebasing: text[starts[first]..<starts[first + 1]])),
            unsafe Span(_unsafeElements: UnsafeBufferPointer(rebasing: text[starts[second]..<starts[second + 1]])))
        }
      }
    }
  }
}
