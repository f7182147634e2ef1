/// The usual way to show an array in sections: `Dictionary(grouping:)` and sorted keys, made again after each change.
///
/// Look-ups are quick. Every edit computes all keys again.
struct DictionaryGrouping: Notifying {
  private(set) var elements: [Int]
  let key: (Int) -> Int
  /// The sections in the order of their keys, with the positions of their rows.
  private(set) var sections: [(key: Int, rows: [Int])] = []
  var observer: (Int) -> Void = { _ in }

  @inline(__always)
  init(_ elements: [Int], by key: @escaping (Int) -> Int) {
    self.elements = elements
    self.key = key
    regroup()
  }

  private mutating func regroup() {
    let groups = Dictionary(grouping: elements.indices) { key(elements[$0]) }
    sections = groups.map { (key: $0, rows: $1) }.sorted { $0.key < $1.key }
  }

  func element(section: Int, row: Int) -> Int { elements[sections[section].rows[row]] }

  mutating func insert(_ element: Int, at position: Int) {
    elements.insert(element, at: position)
    regroup()
    observer(sections.count)
  }

  mutating func remove(at position: Int) {
    elements.remove(at: position)
    regroup()
    observer(sections.count)
  }

  mutating func update(at position: Int, to element: Int) {
    elements[position] = element
    regroup()
    observer(sections.count)
  }
}

/// Sections in the order of their totals, the greatest first. The totals are kept, and after each change the sections
/// are sorted again.
struct SortedTotals: Notifying {
  private(set) var elements: [Int]
  private var totals: [Int]
  /// The sections, in order.
  private(set) var sections: [Int] = []
  var observer: (Int) -> Void = { _ in }

  init(_ elements: [Int], sectionCount: Int) {
    self.elements = elements
    totals = [Int](repeating: 0, count: sectionCount)
    for element in elements { totals[element % sectionCount] += element / sectionCount }
    sort()
  }

  private mutating func sort() { sections = totals.indices.sorted { totals[$0] > totals[$1] } }

  mutating func update(at position: Int, to element: Int) {
    let count = totals.count
    totals[element % count] += element / count - elements[position] / count
    elements[position] = element
    sort()
    observer(sections.count)
  }
}
