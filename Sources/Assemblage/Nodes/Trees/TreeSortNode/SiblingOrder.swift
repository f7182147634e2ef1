/// The order of the children of one node of a sorted tree.
///
///     children of the source   pear  fig  nuts             positions 0 1 2
///     sorted                   fig   nuts pear             few: 1 2 0
///
/// Most nodes of a tree have few children: an array has the order of up to 32 children. For more children there are the
/// two orders of a `SortTranslation`. If the order is the source's own, the number of children is enough.
struct SiblingOrder: Sendable {
  private enum Storage {
    /// The order of the source.
    case source
    /// For each sorted position, the position in the source.
    case few([UInt8])
    case lists(SortTranslation)
  }

  private static let fewCapacity = 32

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
      sources.count <= Self.fewCapacity
      ? .few(sources.map { UInt8($0) }) : .lists(SortTranslation(count: sources.count, sources: sources))
  }

  /// The position of a child in the source.
  func sourcePosition(of position: Int) -> Int {
    switch storage {
    case .source: position
    case .few(let few): Int(few[position])
    case .lists(let lists): lists.sourcePosition(of: position)
    }
  }

  /// The sorted position of a child of the source.
  func sortedPosition(of position: Int) -> Int {
    switch storage {
    case .source: return position
    case .few(let few):
      guard let place = few.firstIndex(of: UInt8(position)) else {
        trap("TreeSortNode: the source has no child \(position); it has \(count).")
      }
      return place
    case .lists(let lists): return lists.sortedPosition(of: position)
    }
  }

  /// For each sorted position of a range, the position in the source.
  func sources(in range: Range<Int>) -> [Int] {
    switch storage {
    case .source: Array(range)
    case .few(let few): few[range].map(Int.init)
    case .lists(let lists): lists.sources(in: range)
    }
  }

  // MARK: Changes

  /// The order as a translation, for changes of more than one child.
  private var translation: SortTranslation {
    switch storage {
    case .source: SortTranslation(count: count, sources: nil)
    case .few: SortTranslation(count: count, sources: sources(in: 0..<count))
    case .lists(let lists): lists
    }
  }

  /// The effect of a change of the source on the order.
  enum Plan {
    /// One child arrives, which is the usual edit.
    case insertion(position: Int, place: Int)
    /// One child leaves.
    case removal(position: Int, place: Int)
    case several(SortTranslation.Plan)
  }

  /// Plans for a change of the source; see `SortTranslation.plan(_:replacing:by:places:sort:place:)`.
  func plan(
    _ delta: Delta, replacing replaced: [Int] = [], sort: ([Int]) -> [Int], place: (Int, SortTranslation.Search) -> Int
  ) -> Plan {
    if replaced.isEmpty, case .few(let few) = storage {
      switch delta.storage {
      case .insertion(let range)
      where range.count == 1 && range.lowerBound <= count && count < Self.fewCapacity:
        let position = range.lowerBound
        let place = place(position) { isBefore in
          few.partitioningIndex { !isBefore(Int($0) < position ? Int($0) : Int($0) + 1) }
        }
        return .insertion(position: position, place: place)
      case .removal(let range) where range.count == 1:
        return .removal(position: range.lowerBound, place: sortedPosition(of: range.lowerBound))
      default: break
      }
    }
    return .several(translation.plan(delta, replacing: replaced, sort: sort, place: place))
  }

  /// Applies a change of the children.
  ///
  /// - Parameters:
  ///   - delta: the change of the source.
  ///   - plan: the plan of the change; nil if the order is the source's own.
  /// - Returns: the change of the sorted children.
  mutating func rearrange(_ delta: Delta, _ plan: Plan?) -> Delta {
    switch (storage, plan) {
    case (.source, _):
      count += delta.countChange
      return delta
    case (.few(var few), .insertion(let position, let place)):
      // A second reference to the array would make the edit copy the array.
      storage = .source
      for index in few.indices where few[index] >= position { few[index] += 1 }
      few.insert(UInt8(position), at: place)
      count += 1
      storage = .few(few)
      return .insertion(place..<place + 1)
    case (.few(var few), .removal(let position, let place)):
      storage = .source
      few.remove(at: place)
      for index in few.indices where few[index] > position { few[index] -= 1 }
      count -= 1
      storage = .few(few)
      return .removal(place..<place + 1)
    default: break
    }
    var several: SortTranslation.Plan?
    if case .several(let known) = plan { several = known }
    var lists = translation
    // A second reference to the lists would make the edit copy the lists.
    storage = .source
    let sorted = lists.translate(ChangeSet(delta), several).level
    count = lists.count
    storage =
      count <= Self.fewCapacity
      ? .few(lists.order.sources.map { UInt8($0) }) : .lists(lists)
    return sorted
  }

  /// Gives the same children another order.
  ///
  /// - Returns: the fewest moves that lead to the new order.
  /// - Complexity: O(n) for n children, and O(p · log p) for p runs of children that change their order.
  mutating func reorder(to other: SiblingOrder) -> Delta {
    if case (.source, .source) = (storage, other.storage) { return Delta() }
    var formerPlaces = [Int](repeating: 0, count: count)
    for (place, source) in sources(in: 0..<count).enumerated() { formerPlaces[source] = place }
    self = other
    var matching = Delta.Matching()
    for (place, source) in sources(in: 0..<count).enumerated() {
      matching.append(formerPlaces[source], place, isUpdated: false)
    }
    return matching.finish(oldCount: count, newCount: count)
  }
}
