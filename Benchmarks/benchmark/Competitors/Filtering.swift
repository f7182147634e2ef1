import Assemblage

/// The predicates of the suite `filter`, on integers that are random in `0..<bound`.
enum Predicates {
  static let bound = 3 << 20

  /// A third of the elements passes.
  @inline(__always)
  static func first(_ element: Int) -> Bool { element < 1 << 20 }

  /// A third passes, independently of `first`.
  @inline(__always)
  static func second(_ element: Int) -> Bool {
    UInt32(truncatingIfNeeded: element) &* 2_654_435_761 < UInt32.max / 3
  }

  /// A sixth passes. All these elements also pass `first`.
  @inline(__always)
  static func stricter(_ element: Int) -> Bool { element < 1 << 19 }

  /// Two thirds pass. All elements that pass `first` are among them.
  @inline(__always)
  static func looser(_ element: Int) -> Bool { element < 2 << 20 }

  /// The number of filters in a chain, each above the next.
  static let chainLength = 64

  /// All but one in 1,024 pass. On each level, another element is left out.
  @inline(__always)
  static func link(_ level: Int, _ element: Int) -> Bool { element &>> 4 & 1_023 != level }

  /// Whether an element passes all links of a chain.
  static func links(_ element: Int) -> Bool { (0..<chainLength).allSatisfy { link($0, element) } }

  /// A key that is independent of the order of the elements.
  @inline(__always)
  static func mixed(_ element: Int) -> UInt32 { UInt32(truncatingIfNeeded: element) &* 2_654_435_761 }
}

/// The positions of the passing elements of joined members, in a sorted array.
///
/// Look-ups are quick, and an edit moves every later position. The predicate is inlined where a method is called, as
/// the optimiser inlines the predicate of `Array.filter`.
struct FilteredPositions: Notifying {
  private(set) var source: CachedOffsets
  private(set) var positions: [Int] = []
  var observer: (Int) -> Void = { _ in }

  @inline(__always)
  init(members: [[Int]], where predicate: (Int) -> Bool) {
    source = CachedOffsets(members: members)
    change(to: predicate)
  }

  var count: Int { positions.count }

  /// Calls the predicate for every element.
  @inline(__always)
  mutating func change(to predicate: (Int) -> Bool) {
    positions.removeAll(keepingCapacity: true)
    var start = 0
    for member in source.members {
      for index in member.indices where predicate(member[index]) { positions.append(start + index) }
      start += member.count
    }
  }

  /// Calls the predicate for the visible elements only.
  @inline(__always)
  mutating func makeStricter(_ predicate: (Int) -> Bool) {
    var kept = 0
    var (member, start, end) = (-1, 0, 0)
    for index in positions.indices {
      let position = positions[index]
      while position >= end {
        member += 1
        start = end
        end += source.members[member].count
      }
      if predicate(source.members[member][position - start]) {
        positions[kept] = position
        kept += 1
      }
    }
    positions.removeLast(positions.count - kept)
  }

  /// Calls the predicate for the hidden elements only.
  @inline(__always)
  mutating func makeLooser(_ predicate: (Int) -> Bool) {
    var merged: [Int] = []
    merged.reserveCapacity(positions.count * 2)
    var (next, start) = (0, 0)
    for member in source.members {
      for index in member.indices {
        let isVisible = next < positions.count && positions[next] == start + index
        if isVisible { next += 1 }
        if isVisible || predicate(member[index]) { merged.append(start + index) }
      }
      start += member.count
    }
    positions = merged
  }

  func element(at visible: Int) -> Int { source.element(at: positions[visible]) }

  func sourcePosition(of visible: Int) -> Int { positions[visible] }

  func position(ofSource position: Int) -> Int? {
    let rank = rank(position)
    return rank < positions.count && positions[rank] == position ? rank : nil
  }

  /// The number of visible elements before a position of the source.
  private func rank(_ position: Int) -> Int {
    var (low, high) = (0, positions.count)
    while low < high {
      let middle = (low + high) / 2
      if positions[middle] < position { low = middle + 1 } else { high = middle }
    }
    return low
  }

  @inline(__always)
  mutating func insert(_ element: Int, member: Int, position: Int, where predicate: (Int) -> Bool) {
    source.insert(element, member: member, position: position)
    let global = source.globalPosition(member: member, position: position)
    let rank = rank(global)
    for index in rank..<positions.count { positions[index] += 1 }
    if predicate(element) {
      positions.insert(global, at: rank)
      observer(rank)
    }
  }

  mutating func remove(member: Int, position: Int) {
    let global = source.globalPosition(member: member, position: position)
    let rank = rank(global)
    let wasVisible = rank < positions.count && positions[rank] == global
    source.remove(member: member, position: position)
    if wasVisible { positions.remove(at: rank) }
    for index in rank..<positions.count { positions[index] -= 1 }
    if wasVisible { observer(rank) }
  }

  func sum() -> Int {
    var sum = 0
    for position in Walk(positions: positions, members: source.members) { sum &+= position }
    return sum
  }

  func orderedSum() -> Int {
    var sum = 0
    for element in Walk(positions: positions, members: source.members) { sum = sum &* 31 &+ element }
    return sum
  }

  /// The visible elements, found by a walk through the members beside the positions.
  private struct Walk: Sequence, IteratorProtocol {
    let positions: [Int]
    let members: [[Int]]
    var index = 0
    var (member, start, end) = (-1, 0, 0)

    init(positions: [Int], members: [[Int]]) {
      self.positions = positions
      self.members = members
    }

    mutating func next() -> Int? {
      guard index < positions.count else { return nil }
      let position = positions[index]
      index += 1
      while position >= end {
        member += 1
        start = end
        end += members[member].count
      }
      return members[member][position - start]
    }
  }
}
