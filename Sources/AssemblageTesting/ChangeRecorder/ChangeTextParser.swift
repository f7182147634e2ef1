import Assemblage

/// Reads the text form of a change. It keeps its own stack of levels, so that deep changes do not recurse.
struct ChangeTextParser {
  private let characters: [Character]
  private var offset = 0
  private var levels: [Level] = []

  /// A level whose closing bracket has not been read yet.
  private struct Level {
    /// The position in the parent.
    let position: Int
    var removals: [Range<Int>] = []
    var insertions: [Range<Int>] = []
    var updates: [Range<Int>] = []
    var moves: [Delta.Move] = []
    var children: [(position: Int, change: ChangeSet)] = []
  }

  init(_ text: String) { characters = Array(text) }

  /// The change; the text must end with it.
  mutating func parse() throws(ChangeTextError) -> ChangeSet {
    var change = try readChange()
    if accept("{") {
      var transfers: [ChangeSet.Transfer] = []
      repeat { transfers.append(try readTransfer()) } while accept(",")
      try expect("}")
      change = try makeChange(change, transfers)
    }
    guard peek() == nil else { throw fail("the change has ended") }
    return change
  }

  /// A change without its transfers.
  private mutating func readChange() throws(ChangeTextError) -> ChangeSet {
    let updatesValue = accept("~")
    try expect("[")
    levels = [Level(position: 0)]
    var change = ChangeSet()
    try readItems()
    while !levels.isEmpty {
      if accept(";") {
        let position = try readNumber()
        try expect(":")
        try expect("[")
        levels.append(Level(position: position))
        try readItems()
      } else {
        try expect("]")
        let level = levels.removeLast()
        let position = level.position
        change = try makeChange(of: level)
        if let parent = levels.indices.last {
          levels[parent].children.append((position, change))
          // The parent has the only reference, so that the change can grow in place.
          change = ChangeSet()
        }
      }
    }
    change.updatesValue = updatesValue
    return change
  }

  private mutating func readTransfer() throws(ChangeTextError) -> ChangeSet.Transfer {
    let source = try readPath()
    try readArrow()
    let destination = try readPath()
    let change = accept(":") ? try readChange() : ChangeSet()
    return ChangeSet.Transfer(from: source, to: destination, change: change)
  }

  /// The change with its transfers, after a check of everything that would trap.
  private func makeChange(
    _ change: ChangeSet, _ transfers: [ChangeSet.Transfer]
  ) throws(ChangeTextError) -> ChangeSet {
    var sources = Set<IndexPath>()
    var destinations = Set<IndexPath>()
    for transfer in transfers {
      guard sources.insert(transfer.source).inserted, change.path(after: transfer.source) == nil else {
        throw fail("the child at \(transfer.source.bracketed) moves away, but does not leave, or leaves twice")
      }
      guard destinations.insert(transfer.destination).inserted, change.path(before: transfer.destination) == nil else {
        throw fail("the child that moves to \(transfer.destination.bracketed) does not arrive there, or arrives twice")
      }
    }
    return ChangeSet(
      delta: change.delta, updatesValue: change.updatesValue,
      children: change.children.map { ($0.position, $0.change) }, transfers: transfers)
  }

  private mutating func readItems() throws(ChangeTextError) {
    let level = levels.count - 1
    if peek() == "]" || peek() == ";" { return }
    repeat {
      if accept("-") {
        levels[level].removals.append(try readRange())
      } else if accept("+") {
        levels[level].insertions.append(try readRange())
      } else if accept("~") {
        levels[level].updates.append(try readRange())
      } else {
        let source = try readRange()
        try readArrow()
        let destination = try readRange()
        guard source.count == destination.count else {
          throw fail("\(source.count) elements cannot move to \(destination.count) places")
        }
        levels[level].moves.append(Delta.Move(from: source, to: destination))
      }
    } while accept(",")
  }

  /// The change of a level that has been read, after a check of everything that would trap.
  private func makeChange(of level: consuming Level) throws(ChangeTextError) -> ChangeSet {
    try checkDisjoint(level.removals + level.moves.map(\.source), "leaves twice")
    try checkDisjoint(level.insertions + level.moves.map(\.destination), "arrives twice")
    try checkDisjoint(level.children.map { $0.position..<$0.position + 1 }, "is described twice")
    let delta = Delta(
      removals: level.removals, insertions: level.insertions, updates: level.updates, moves: level.moves)
    for child in level.children where delta.insertions.contains(position: child.position) {
      throw fail("the child at \(child.position) is inserted, so no change inside it can be described")
    }
    guard level.children.count == 1, case (let position, var change)? = level.children.popLast() else {
      return ChangeSet(delta: delta, children: level.children)
    }
    // A chain of many levels takes no copies.
    change.wrap(at: position)
    change.delta = delta
    return change
  }

  private func checkDisjoint(_ ranges: [Range<Int>], _ what: String) throws(ChangeTextError) {
    let sorted = ranges.sorted { $0.lowerBound < $1.lowerBound }
    for (left, right) in zip(sorted, sorted.dropFirst()) where left.upperBound > right.lowerBound {
      throw fail("the child at \(right.lowerBound) \(what)")
    }
  }

  // MARK: Words

  private mutating func readRange() throws(ChangeTextError) -> Range<Int> {
    let lower = try readNumber()
    guard accept(".") else { return lower..<lower + 1 }
    for sign: Character in [".", "<"] {
      guard offset < characters.count, characters[offset] == sign else { throw fail("..< is expected") }
      offset += 1
    }
    let upper = try readNumber()
    guard lower < upper else { throw fail("the range \(lower)..<\(upper) is empty") }
    return lower..<upper
  }

  private mutating func readPath() throws(ChangeTextError) -> IndexPath {
    try expect("[")
    var path: [Int] = []
    repeat { path.append(try readNumber()) } while accept(",")
    try expect("]")
    return IndexPath(indexes: path)
  }

  private mutating func readArrow() throws(ChangeTextError) {
    if accept("→") { return }
    try expect("-")
    try expect(">")
  }

  private mutating func readNumber() throws(ChangeTextError) -> Int {
    skipSpaces()
    let start = offset
    while offset < characters.count, characters[offset].isASCII, characters[offset].isNumber { offset += 1 }
    guard let number = Int(String(characters[start..<offset])) else { throw fail("a position is expected") }
    // Beyond this limit, the sum of two positions could overflow, and a delta would trap.
    guard number < Int.max / 2 else { throw fail("the position \(number) is too large") }
    return number
  }

  private mutating func skipSpaces() {
    while offset < characters.count, characters[offset].isWhitespace { offset += 1 }
  }

  private mutating func peek() -> Character? {
    skipSpaces()
    return offset < characters.count ? characters[offset] : nil
  }

  private mutating func accept(_ sign: Character) -> Bool {
    guard peek() == sign else { return false }
    offset += 1
    return true
  }

  private mutating func expect(_ sign: Character) throws(ChangeTextError) {
    guard accept(sign) else { throw fail("\(sign) is expected") }
  }

  private func fail(_ reason: String) -> ChangeTextError { ChangeTextError(offset: offset, reason: reason) }
}
