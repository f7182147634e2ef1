/// Names, each stored once, by number.
///
///     bytes   S r c a . m d b . m d
///     starts  0     3       7       11
///
/// An open hash table of numbers finds a name again; the bytes of all names stand in one array.
struct NameTable {
  private var bytes: [UInt8] = []
  private var starts = [0]
  /// Numbers + 1, 0 where there is none; a power of two long, and never more than half full.
  private var slots = [UInt32](repeating: 0, count: 1_024)

  /// The number of different names.
  var count: Int { starts.count - 1 }

  /// The name of a number.
  subscript(number: Int) -> String {
    String(decoding: bytes[starts[number]..<starts[number + 1]], as: UTF8.self)
  }

  /// The number of a name, which is stored if it is new.
  mutating func number(of name: String) -> Int {
    var name = name
    return name.withUTF8 { unsafe number(of: $0.span) }
  }

  /// The number of a name, which is stored if it is new.
  ///
  /// - Parameter name: its UTF-8.
  /// - Returns: the number, from 0 on.
  mutating func number(of name: Span<UInt8>) -> Int {
    var slot = Self.hash(name) & (slots.count - 1)
    while slots[slot] > 0 {
      let number = Int(slots[slot]) - 1
      if isName(number, name) { return number }
      slot = (slot + 1) & (slots.count - 1)
    }
    for index in name.indices { bytes.append(name[index]) }
    starts.append(bytes.count)
    slots[slot] = UInt32(count)
    if count * 2 > slots.count { grow() }
    return count - 1
  }

  /// For each number the place of its name in the order of their bytes.
  var ranks: [UInt32] {
    let order = (0..<count).sorted { first, second in
      bytes[starts[first]..<starts[first + 1]].lexicographicallyPrecedes(bytes[starts[second]..<starts[second + 1]])
    }
    var ranks = [UInt32](repeating: 0, count: count)
    for (rank, number) in order.enumerated() { ranks[number] = UInt32(rank) }
    return ranks
  }

  private func isName(_ number: Int, _ name: Span<UInt8>) -> Bool {
    let start = starts[number]
    guard starts[number + 1] - start == name.count else { return false }
    for index in name.indices where bytes[start + index] != name[index] { return false }
    return true
  }

  private mutating func grow() {
    let mask = slots.count * 2 - 1
    slots = [UInt32](repeating: 0, count: mask + 1)
    for number in 0..<count {
      var slot = Self.hash(bytes.span.extracting(starts[number]..<starts[number + 1])) & mask
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
