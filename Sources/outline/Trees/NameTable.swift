/// Stores names by number, each name once.
///
///     text    S r c a . m d b . m d
///     starts  0     3       7       11
///
/// An open hash table of numbers finds the number of a name. One array contains the text of all names.
struct NameTable {
  private var text: [UInt8] = []
  private var starts = [0]
  /// The numbers + 1; 0 in an empty slot.
  ///
  /// The count is a power of two, and at most half of the slots are used.
  private var slots = [UInt32](repeating: 0, count: 1_024)

  /// The number of different names.
  var count: Int { starts.count - 1 }

  /// The bytes of a name.
  func bytes(_ number: Int) -> ArraySlice<UInt8> { text[starts[number]..<starts[number + 1]] }

  /// The number of bytes of a name.
  func length(_ number: Int) -> Int { starts[number + 1] - starts[number] }

  /// Copies the bytes of a name to the places before an end.
  func copy(_ number: Int, to bytes: inout [UInt8], endingAt end: Int) {
    let (start, limit) = (starts[number], starts[number + 1])
    for index in start..<limit { bytes[end - limit + index] = text[index] }
  }

  /// Returns the number of a name, and stores the name if it is new.
  ///
  /// - Parameter name: the bytes of the name.
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

  /// Returns the rank of each name in an order, by number.
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

  /// FNV-1a; the upper half of the hash is mixed into the lower half.
  private static func hash(_ name: Span<UInt8>) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in name.indices { hash = (hash ^ UInt64(name[index])) &* 0x100_0000_01B3 }
    return Int(truncatingIfNeeded: (hash ^ hash >> 32) & 0x7FFF_FFFF)
  }
}
