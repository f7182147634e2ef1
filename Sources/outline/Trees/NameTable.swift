/// Names, each stored once, by number.
///
///     text    S r c a . m d b . m d
///     starts  0     3       7       11
///
/// An open hash table of numbers finds a name again; the text of all names stand in one array.
struct NameTable {
  private var text: [UInt8] = []
  private var starts = [0]
  /// Numbers + 1, 0 where there is none; a power of two long, and never more than half full.
  private var slots = [UInt32](repeating: 0, count: 1_024)

  /// The number of different names.
  var count: Int { starts.count - 1 }

  /// The bytes of a name.
  func bytes(_ number: Int) -> ArraySlice<UInt8> { text[starts[number]..<starts[number + 1]] }

  /// The number of a name, which is stored if it is new.
  ///
  /// - Parameter name: its bytes.
  /// - Returns: the number, from 0 on.
  mutating func number(of name: Span<UInt8>) -> Int {
    var slot = Self.hash(name) & (slots.count - 1)
    while slots[slot] > 0 {
      let number = Int(slots[slot]) - 1
      if isName(number, name) { return number }
      slot = (slot + 1) & (slots.count - 1)
    }
    for index in name.indices { text.append(name[index]) }
    starts.append(text.count)
    slots[slot] = UInt32(count)
    if count * 2 > slots.count { grow() }
    return count - 1
  }

  /// For each number the place of its name in an order.
  func ranks(_ order: NameOrder) -> [UInt32] {
    var ranks = [UInt32](repeating: 0, count: count)
    for (rank, number) in order.sorted(text, starts).enumerated() { ranks[number] = UInt32(rank) }
    return ranks
  }

  private func isName(_ number: Int, _ name: Span<UInt8>) -> Bool {
    let start = starts[number]
    guard starts[number + 1] - start == name.count else { return false }
    for index in name.indices where text[start + index] != name[index] { return false }
    return true
  }

  private mutating func grow() {
    let mask = slots.count * 2 - 1
    slots = [UInt32](repeating: 0, count: mask + 1)
    for number in 0..<count {
      var slot = Self.hash(text.span.extracting(starts[number]..<starts[number + 1])) & mask
      while slots[slot] > 0 { slot = (slot + 1) & mask }
      slots[slot] = UInt32(number + 1)
    }
  }

  /// FNV-1a, whose upper half is mixed into the lower.
  private static func hash(_ name: Span<UInt8>) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in name.indices { hash = (hash ^ UInt64(name[index])) &* 0x100_0000_01B3 }
    return Int(truncatingIfNeeded: (hash ^ hash >> 32) & 0x7FFF_FFFF)
  }
}
