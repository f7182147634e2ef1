@testable import Assemblage
import Foundation
import TestSupport

/// The contents of one place of a node: its value, and the identity of its node, if any.
struct Place: Equatable, CustomStringConvertible {
  let value: Row?
  let node: ObjectIdentifier?

  init(value: Row?, node: ObjectIdentifier? = nil) {
    self.value = value
    self.node = node
  }

  var description: String { (value.map { "\($0)" } ?? "-") + (node == nil ? "" : "…") }
}

extension TreeNode<Row> {
  /// The contents of each place.
  var places: [Place] {
    (0..<count).map { Place(value: element(at: $0), node: child(at: $0).map(ObjectIdentifier.init)) }
  }
}

/// A source of rows and sections that is edited in every possible way. Tests build derived nodes on it.
///
/// The source is a join of an array and a branch whose children are rows and sections. Sometimes the same array is a
/// member again, so that one edit changes it in two places.
final class SourceScript {
  enum Edit: CaseIterable {
    case insert, insertMany, remove, removeRange, removeSome, update, replaceRange, move, swap, replaceAll
    case insertLeaf, insertSection, removeChild, moveChild, replaceChild
    case insertBelow, removeBelow, sectionValue
    case toSection, fromSection, acrossMembers
    case addMember, removeMember, moveMember, nothing
  }

  var generator: SeededGenerator
  let array: ArrayNode<Row>
  let branch = BranchNode<Row>()
  let source: JoinNode<Row>
  /// Whether the node under test shows all rows.
  ///
  /// If the node shows a part, the array is not in the join twice. Otherwise the node might lose one place of a row and
  /// gain the other.
  var showsAll = true
  /// Whether sections of the node under test arrive and leave with their rows.
  ///
  /// In this case, and where the node shows a part, edits in a transaction do not go through the join. Such edits read
  /// the join, so each would be a settlement of its own. One settlement might then hide a row or a section, and another
  /// one show it again.
  var hidesSections = false
  /// Whether a transaction of several edits is open.
  var isInTransaction = false
  private(set) var tally = OperationTally<Edit>()
  private var lastID = 0

  init(_ test: String, iteration: Int) {
    generator = TestSeed.generator(test, iteration: iteration)
    array = ArrayNode([], small: 4, chunk: 4)
    source = JoinNode([array, branch])
    for _ in 0..<Int.random(in: 0...12, using: &generator) { make(.insert) }
    for _ in 0..<4 { make(Bool.random(using: &generator) ? .insertLeaf : .insertSection) }
  }

  /// Makes a new row. Its version, by which tests sort and filter, is one of a few, so that some rows are equal.
  func row() -> Row {
    lastID += 1
    return Row(id: lastID, version: random(0...3))
  }

  func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  private func place(in count: Int) -> Int? { count == 0 ? nil : random(0...count - 1) }

  private var sections: [BranchNode<Row>] {
    (0..<branch.count).compactMap { branch.child(at: $0) as? BranchNode<Row> }
  }

  /// Makes one edit, or a transaction of several edits.
  ///
  /// - Returns: whether the source changed more than once.
  @discardableResult
  func step() -> Bool {
    guard random(0...5) == 0 else {
      let edit = tally.random(using: &generator)
      make(edit)
      return [.toSection, .fromSection, .acrossMembers].contains(edit)
    }
    let wasInTransaction = isInTransaction
    isInTransaction = true
    defer { isInTransaction = wasInTransaction }
    source.performUpdates {
      for _ in 0..<random(1...4) {
        let edit = tally.random(using: &generator)
        // A member that leaves and returns in one transaction is not followed.
        if ![.addMember, .removeMember, .moveMember].contains(edit) { make(edit) }
      }
    }
    return true
  }

  /// Makes an edit if possible, and counts the edit.
  func make(_ edit: Edit) {
    if !showsAll || hidesSections, isInTransaction, [.toSection, .fromSection, .acrossMembers].contains(edit) {
      return
    }
    // A member is added where there are two, and removed where there are three. So each time that one of these edits is
    // drawn, one of them is possible.
    let edit =
      switch edit {
      case .addMember, .removeMember: source.memberCount < 3 ? Edit.addMember : .removeMember
      default: edit
      }
    if attempt(edit) { tally.count(edit) }
  }

  private func attempt(_ edit: Edit) -> Bool {
    switch edit {
    case .insert: array.insert(row(), at: random(0...array.count))
    case .insertMany: array.insert(contentsOf: (0..<random(1...6)).map { _ in row() }, at: random(0...array.count))
    case .remove:
      guard let place = place(in: array.count) else { return false }
      array.remove(at: place)
    case .removeRange: array.removeSubrange(generator.range(in: array.count))
    case .removeSome:
      let version = random(0...3)
      array.removeAll { $0.version == version && $0.id % 2 == 0 }
    case .update:
      guard let place = place(in: array.count) else { return false }
      array[place] = Row(id: array[place].id, version: random(0...3))
    case .replaceRange:
      let range = generator.range(in: array.count, longest: 3)
      array.replaceSubrange(range, with: (0..<random(0...3)).map { _ in row() })
    case .move:
      guard let place = place(in: array.count) else { return false }
      array.move(from: place, to: random(0...array.count - 1))
    case .swap:
      guard let place = place(in: array.count) else { return false }
      array.swapAt(place, random(0...array.count - 1))
    case .replaceAll: replaceAll()
    case .insertLeaf: branch.insert(.leaf(row()), at: random(0...branch.count))
    case .insertSection: branch.insert(.node(section()), at: random(0...branch.count))
    case .removeChild:
      guard let place = place(in: branch.count) else { return false }
      branch.remove(at: place)
    case .moveChild:
      guard let place = place(in: branch.count) else { return false }
      branch.move(from: place, to: random(0...branch.count - 1))
    case .replaceChild:
      guard let place = place(in: branch.count) else { return false }
      branch.replace(at: place, with: Bool.random(using: &generator) ? .leaf(row()) : .node(section()))
    default: return attemptBelow(edit)
    }
    return true
  }

  private func attemptBelow(_ edit: Edit) -> Bool {
    let section = sections.randomElement(using: &generator)
    switch edit {
    case .insertBelow:
      guard let section else { return false }
      section.insert(.leaf(row()), at: random(0...section.count))
    case .removeBelow:
      guard let section, let place = place(in: section.count) else { return false }
      section.remove(at: place)
    case .sectionValue:
      guard let section else { return false }
      let id = section.value?.id ?? row().id
      section.value = Bool.random(using: &generator) ? Row(id: id, version: random(0...3)) : nil
    case .toSection:
      guard let section, let place = place(in: array.count), source.memberCount == 2 else { return false }
      // The destination is a path after the move. A place before the section has then become free.
      let destination = position(of: section) - (source.member(at: 0) === array ? 1 : 0)
      // A path that begins with the child's former path is refused, even if another child lies there after the move.
      guard destination != array(at: place) else { return false }
      source.move(from: [array(at: place)], to: [destination, random(0...section.count)])
    case .fromSection:
      guard let section, let place = place(in: section.count), source.memberCount == 2 else { return false }
      source.move(from: [position(of: section), place], to: [array(at: 0)])
    case .acrossMembers:
      // A section cannot move to the array.
      guard source.memberCount == 2, source.count > 1, let place = place(in: array.count) else { return false }
      source.move(from: array(at: place), to: random(0...source.count - 1))
    case .addMember:
      guard showsAll else { return false }
      source.insertMember(array, at: random(0...source.memberCount))
    case .removeMember:
      source.removeMember(at: source.members.lastIndex { $0 === array }!)
    case .moveMember: source.moveMember(from: 0, to: source.memberCount - 1)
    default: break
    }
    return true
  }

  /// Returns the global position of one of the array's rows, in the first place of the array.
  private func array(at position: Int) -> Int {
    source.range(ofMember: source.members.firstIndex { $0 === array }!).lowerBound + position
  }

  /// Returns the global position of a section.
  private func position(of section: BranchNode<Row>) -> Int {
    let ordinal = (0..<branch.count).first { branch.child(at: $0) === section }!
    return source.range(ofMember: source.members.firstIndex { $0 === branch }!).lowerBound + ordinal
  }

  private func section() -> BranchNode<Row> {
    BranchNode(value: Bool.random(using: &generator) ? row() : nil, leaves: (0..<random(0...2)).map { _ in row() })
  }

  private func replaceAll() {
    var rows = array.elements
    if Bool.random(using: &generator) { rows.shuffle(using: &generator) }
    rows.removeAll { _ in generator.chance(1, in: 5) }
    for index in rows.indices where generator.chance(1, in: 4) {
      rows[index] = Row(id: rows[index].id, version: random(0...3))
    }
    for _ in 0..<random(0...3) { rows.insert(row(), at: random(0...rows.count)) }
    array.replaceAll(with: rows, id: \.id, areEqual: ==)
  }
}
