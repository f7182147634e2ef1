import Foundation
import OffsetIndexing

extension TreeSnapshot {
  /// Makes a tree of nodes and leaves of a forest's snapshot: branches are nodes, also where they have no children.
  ///
  /// - Parameter snapshot: the snapshot.
  /// - Complexity: O(n) for n elements, which are copied.
  public init(_ snapshot: ForestSnapshot<Element>) {
    var builder = Builder(value: snapshot.value)
    var depth = 0
    let base = snapshot.depthOfChildren
    for row in snapshot.shape.rows(in: snapshot.numbers, of: snapshot.top) {
      while depth > row.place.depth - base {
        builder.endNode()
        depth -= 1
      }
      let element = snapshot.elements[row.number]
      if row.place.branch == nil {
        builder.appendLeaf(element)
      } else {
        builder.beginNode(element)
        depth += 1
      }
    }
    while depth > 0 {
      builder.endNode()
      depth -= 1
    }
    self = builder.finish()
  }
}

extension ForestSnapshot {
  /// The depth of the children in the forest in which they are counted.
  fileprivate var depthOfChildren: Int { branch == top ? 0 : shape.depth(of: branch) + 1 }

  /// The change from this snapshot to another, of elements that are told apart by an id.
  ///
  /// Where nothing but values has changed between the two, only the chunks are looked at that they do not share. Else both are
  /// compared as a whole, as `TreeSnapshot.difference(to:by:areEqual:)` does.
  ///
  /// - Parameters:
  ///   - new: the state after the change; of the same forest as a rule, but any will do.
  ///   - id: what tells one element from another.
  ///   - areEqual: whether a survivor is as it was: (before, after).
  /// - Returns: the change.
  /// - Precondition: there are fewer than 2^31 elements in each.
  /// - Complexity: O(c + k) for c chunks and the k elements of those that are not shared, where only values have changed;
  ///   expected O(n) for n elements in both else.
  public func difference<ID: Hashable>(
    to new: ForestSnapshot, by id: (Element) throws -> ID, areEqual: (_ old: Element, _ new: Element) throws -> Bool
  ) rethrows -> ChangeSet {
    if shape.isIdentical(to: new.shape), branch == new.branch, (value == nil) == (new.value == nil) {
      var updates: [Int] = []
      var isOther = false
      if let value, let other = new.value, try !areEqual(value, other) { isOther = true }
      for number in changedNumbers(new) {
        let (before, after) = (self[number], new[number])
        if try id(before) != id(after) {
          isOther = true
          break
        }
        if try !areEqual(before, after) { updates.append(number) }
      }
      if !isOther { return change(updating: updates) }
    }
    return try TreeSnapshot(self).difference(to: TreeSnapshot(new), by: id, areEqual: areEqual)
  }

  /// The numbers of elements that may differ, where the shapes are the same.
  private func changedNumbers(_ new: ForestSnapshot) -> [Int] {
    let (old, present) = (chunks, new.chunks)
    guard old.map(\.count) == present.map(\.count) else { return Array(indices) }
    var numbers: [Int] = []
    var start = 0
    for (old, new) in zip(old, present) {
      if old.address != new.address { numbers += start..<start + old.count }
      start += old.count
    }
    return numbers
  }

  /// The change that updates some elements.
  private func change(updating numbers: [Int]) -> ChangeSet {
    var composer = ChangeSetComposer()
    for number in numbers {
      let path = path(to: number)
      var change = ChangeSet(.update(path[path.count - 1]..<path[path.count - 1] + 1))
      for position in path.dropLast().reversed() { change.wrap(at: position) }
      composer.append(change)
    }
    return composer.net()
  }

  private var chunks: [(address: UInt, count: Int)] {
    var chunks: [(address: UInt, count: Int)] = []
    forEachSpan(in: 0..<count) { _, span in
      // As long as both snapshots are there, no array of either is written.
      let address = unsafe span.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
      chunks.append((address, span.count))
    }
    return chunks
  }

  /// The change from this snapshot to another, of elements that are told apart by an id, and updated where they are not equal.
  ///
  /// - Parameters:
  ///   - new: the state after the change.
  ///   - id: what tells one element from another.
  /// - Returns: the change.
  /// - Precondition: there are fewer than 2^31 elements in each.
  /// - Complexity: as for `difference(to:by:areEqual:)`.
  public func difference<ID: Hashable>(to new: ForestSnapshot, by id: (Element) throws -> ID) rethrows -> ChangeSet
  where Element: Equatable {
    try difference(to: new, by: id, areEqual: ==)
  }

  /// The change from this snapshot to another, of elements that are their own ids.
  ///
  /// - Parameter new: the state after the change.
  /// - Returns: the change.
  /// - Precondition: there are fewer than 2^31 elements in each.
  /// - Complexity: as for `difference(to:by:areEqual:)`.
  public func difference(to new: ForestSnapshot) -> ChangeSet where Element: Hashable {
    difference(to: new, by: { $0 }, areEqual: { $0 == $1 })
  }
}

extension ForestSnapshot: Equatable where Element: Equatable {
  /// Whether both have the same shape and the same values; a leaf is not a branch without children.
  ///
  /// - Complexity: O(n).
  public static func == (first: ForestSnapshot, second: ForestSnapshot) -> Bool {
    guard first.count == second.count, first.value == second.value else { return false }
    if !(first.shape.isIdentical(to: second.shape) && first.branch == second.branch) {
      let (base, other) = (first.depthOfChildren, second.depthOfChildren)
      let rows = zip(
        first.shape.rows(in: first.numbers, of: first.top), second.shape.rows(in: second.numbers, of: second.top))
      for (row, same) in rows
      where row.place.depth - base != same.place.depth - other
        || (row.place.branch == nil) != (same.place.branch == nil)
      {
        return false
      }
    }
    return first.elementsEqual(second)
  }
}
