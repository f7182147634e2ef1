import Assemblage

/// The elements that left a tree, and the elements that arrived, according to a change: law 5 for the whole tree.
///
/// A child that moves from one parent to another neither left nor arrived. If a child arrived or left with its whole
/// subtree, so did every place in the subtree, except the places that moved.
struct Turnover<Element> {
  private var isKept: [Bool]
  private var inserted: [Range<Int>] = []

  init(oldCount: Int) { isKept = Array(repeating: false, count: oldCount) }

  /// Notes entries before the change that are still there.
  mutating func keep(_ entries: Range<Int>) {
    for entry in entries { isKept[entry] = true }
  }

  /// Notes entries after the change that were not there.
  mutating func insert(_ entries: Range<Int>) { inserted.append(entries) }

  /// Throws where an element left and arrived.
  func check(
    _ change: ChangeSet, _ old: FlatTree<Element>, _ present: FlatTree<Element>, _ minimality: MinimalityCheck<Element>
  ) throws(Finding) {
    var left: [AnyHashable: Int] = [:]
    for (entry, isKept) in isKept.enumerated() where !isKept {
      if let id = minimality.id(of: old.values[entry]) { left[id] = entry }
    }
    for entry in inserted.joined() {
      guard let id = minimality.id(of: present.values[entry]), let former = left[id] else { continue }
      throw Finding(
        .changesAreMinimal, at: present.path(to: entry),
        "\(change) removes \(id) at \(old.path(to: former).bracketed) and inserts it here")
    }
  }
}
