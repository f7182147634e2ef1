/// The order of the children of one node of a sorted tree.
///
///     children of the source   pear  fig  nuts             positions 0 1 2
///     sorted                   fig   nuts pear             word …0021: 1 is first, then 2, then 0
///
/// Most nodes of a tree have few children: up to 16 of them fit in a word, four bits for each, without memory of their own.
/// More have the two orders of a `SortTranslation`; where the order is the source's own, a number says all.
struct SiblingOrder: Sendable {
  private enum Storage {
    /// The order of the source.
    case source
    /// For each sorted position, the position in the source, from the lowest bits on.
    case word(UInt64)
    case lists(SortTranslation)
  }

  private static let wordCapacity = 16

  /// The number of children.
  private(set) var count: Int
  private var storage: Storage

  /// Creates the source's own order.
  init(count: Int) {
    self.count = count
    storage = .source
  }

  /// Creates an order.
  ///
  /// - Parameter sources: for each sorted position, the position in the source.
  init(_ sources: [Int]) {
    count = sources.count
    storage =
      sources.count <= Self.wordCapacity
      ? .word(Self.word(of: sources))
      : .lists(SortTranslation(count: sources.count, sources: sources))
  }

  private static func word(of sources: [Int]) -> UInt64 {
    var word: UInt64 = 0
    for source in sources.reversed() { word = word &<< 4 | UInt64(truncatingIfNeeded: source) }
    return word
  }

  /// The position in the source of a child.
  func sourcePosition(of position: Int) -> Int {
    switch storage {
    case .source: position
    case .word(let word): Self.digit(position, of: word)
    case .lists(let lists): lists.sourcePosition(of: position)
    }
  }

  private static func digit(_ position: Int, of word: UInt64) -> Int {
    Int(truncatingIfNeeded: word &>> UInt64(truncatingIfNeeded: 4 &* position) & 15)
  }

  /// The sorted position of a child of the source.
  func sortedPosition(of position: Int) -> Int {
    switch storage {
    case .source: return position
    case .word(var word):
      for place in 0..<count {
        if word & 15 == UInt64(truncatingIfNeeded: position) { return place }
        word &>>= 4
      }
      trap("TreeSortNode: the source has no child \(position); it has \(count).")
    case .lists(let lists): return lists.sortedPosition(of: position)
    }
  }

  /// For each sorted position of a range, the position in the source.
  func sources(in range: Range<Int>) -> [Int] {
    switch storage {
    case .source: Array(range)
    case .word(let word): range.map { Self.digit($0, of: word) }
    case .lists(let lists): lists.sources(in: range)
    }
  }

  // MARK: Changes

  /// The same as a translation, for changes that need more room than a word.
  private var translation: SortTranslation {
    switch storage {
    case .source: SortTranslation(count: count, sources: nil)
    case .word: SortTranslation(count: count, sources: sources(in: 0..<count))
    case .lists(let lists): lists
    }
  }

  /// The effect of a change of the source on the order.
  enum Plan {
    /// One child comes, which is the usual edit.
    case insertion(position: Int, place: Int)
    /// One child leaves.
    case removal(position: Int, place: Int)
    case several(SortTranslation.Plan)
  }

  /// Plans for a change of the source; see `SortTranslation.plan(_:sort:place:)`.
  func plan(_ delta: Delta, sort: ([Int]) -> [Int], place: (Int, SortTranslation.Search) -> Int) -> Plan {
    if case .word(let word) = storage {
      switch delta.storage {
      case .insertion(let range)
      where range.count == 1 && range.lowerBound <= count && count < Self.wordCapacity:
        let position = range.lowerBound
        return .insertion(position: position, place: self.place(ofInsertionAt: position, in: word, place))
      case .removal(let range) where range.count == 1:
        return .removal(position: range.lowerBound, place: sortedPosition(of: range.lowerBound))
      default: break
      }
    }
    return .several(translation.plan(delta, sort: sort, place: place))
  }

  /// The sorted position of a single child that comes at a position of the source.
  private func place(
    ofInsertionAt position: Int, in word: UInt64, _ place: (Int, SortTranslation.Search) -> Int
  ) -> Int {
    place(position) { isBefore in
      var (low, high) = (0, count)
      while low < high {
        let middle = (low + high) / 2
        let former = Self.digit(middle, of: word)
        if isBefore(former < position ? former : former + 1) { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  /// Applies a change of the children.
  ///
  /// - Parameters:
  ///   - delta: the change of the source.
  ///   - plan: its plan; nil where the order is the source's own.
  /// - Returns: the change of the sorted children.
  mutating func rearrange(_ delta: Delta, _ plan: Plan?) -> Delta {
    switch (storage, plan) {
    case (.source, _):
      count += delta.countChange
      return delta
    case (.word(let word), .insertion(let position, let place)):
      var changed: UInt64 = 0
      for index in (0...count).reversed() {
        changed &<<= 4
        let digit =
          index == place ? position : Self.digit(index < place ? index : index - 1, of: word)
        changed |= UInt64(
          truncatingIfNeeded: index == place || digit < position ? digit : digit + 1)
      }
      count += 1
      storage = .word(changed)
      return .insertion(place..<place + 1)
    case (.word(let word), .removal(let position, let place)):
      var changed: UInt64 = 0
      for index in (0..<count - 1).reversed() {
        let digit = Self.digit(index < place ? index : index + 1, of: word)
        changed = changed &<< 4 | UInt64(truncatingIfNeeded: digit < position ? digit : digit - 1)
      }
      count -= 1
      storage = .word(changed)
      return .removal(place..<place + 1)
    default: break
    }
    var several: SortTranslation.Plan?
    if case .several(let known) = plan { several = known }
    var lists = translation
    // Held twice, it would be copied.
    storage = .source
    let sorted = lists.translate(ChangeSet(delta), several).level
    count = lists.count
    storage = count <= Self.wordCapacity ? .word(Self.word(of: lists.order.sources)) : .lists(lists)
    return sorted
  }

  /// Takes another order of the same children.
  ///
  /// - Returns: the fewest moves that lead there.
  /// - Complexity: O(n) for n children, and O(p · log p) where p runs of them change their order.
  mutating func reorder(to other: SiblingOrder) -> Delta {
    let former = self
    self = other
    switch (former.storage, other.storage) {
    case (.source, .source): return Delta()
    case (.word(let word), .word(let otherWord)) where word == otherWord: return Delta()
    case (.source, .word), (.word, .source), (.word, .word):
      break
    default:
      var lists = former.translation
      return lists.reorder(to: other.translation)
    }
    // Digits of the other kind: for each position in the source, the sorted one before.
    var inverse: UInt64 = 0
    for place in 0..<count {
      inverse |=
        UInt64(truncatingIfNeeded: place)
        &<< UInt64(truncatingIfNeeded: 4 &* former.sourcePosition(of: place))
    }
    var matching = Delta.Matching()
    for position in 0..<count {
      matching.append(
        Self.digit(sourcePosition(of: position), of: inverse), position, isUpdated: false)
    }
    return matching.finish(oldCount: count, newCount: count)
  }
}
