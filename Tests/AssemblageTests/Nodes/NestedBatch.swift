import Assemblage
import AssemblageTesting
import Foundation
import TestSupport

/// Random transactions on a tree of sections and rows, and the expectations of an independent oracle.
///
/// The oracle knows the tree before and after, and the identities of all its rows and sections. The oracle does not
/// know the edits between.
final class NestedBatch {
  enum Edit: CaseIterable {
    case updateRow, insertRow, removeRow, moveRow, transferRow, replaceRows
    case insertSection, removeSection, moveSection, updateSection, replaceSection
    case rowIntoNewSection, rowOutOfRemovedSection, rowFromRemovedToNewSection, rowThereAndBack
    case rowsBesideNewSection, rowsOfMovedSection
    case insertSubtree, editSubtree, transferSubtree, subtreeToSection, sectionToSubtree
  }

  let root: BranchNode<Row>
  private(set) var tally = OperationTally<Edit>()
  private(set) var tree = ChangeTree(id: 0)
  private var generator: SeededGenerator
  private var lastID = 0
  private var received: [ChangeSet] = []
  private var token: NodeObservation?
  /// The ids of nodes without a value, by object. The nodes are retained, so that no other node gets the same
  /// identifier.
  private var nodeIDs: [ObjectIdentifier: (id: Int, node: any TreeNode<Row>)] = [:]

  init(_ generator: SeededGenerator) {
    self.generator = generator
    root = BranchNode<Row>([] as [any TreeNode<Row>])
    for _ in 0..<random(0...4) { root.append(newSection(rows: random(0...4))) }
    token = root.observe { [unowned self] in received.append($0) }
    tree = snapshot(root, id: 0)
  }

  /// Makes one transaction of `count` edits, and checks the reported changes.
  func run(_ count: Int) throws {
    let before = tree
    root.performUpdates {
      for _ in 0..<count {
        let kind = tally.random(using: &generator)
        if make(kind) { tally.count(kind) }
      }
    }
    tree = snapshot(root, id: 0)
    let delivered = received
    received = []
    try Self.check(delivered, from: before, to: tree)
  }

  private static func check(_ delivered: [ChangeSet], from before: ChangeTree, to after: ChangeTree) throws {
    func require(_ condition: Bool, _ what: @autoclosure () -> String) throws {
      if !condition { throw StageFault(description: "\(what())\n  from \(before)\n  to \(after)") }
    }
    try require(delivered.count <= 1, "\(delivered.count) deliveries")
    let change = delivered.first ?? ChangeSet()
    try require(delivered.isEmpty || !change.isEmpty, "an empty delivery")
    let expected = before.change(to: after)
    try require(change == expected, "told \(change) instead of \(expected)")
    try require(before.applying(change) { after[$0] } == after, "\(change) leads elsewhere")
    let inverse = change.inverse()
    try require(inverse == after.change(to: before), "\(inverse) is not the inverse of \(change)")
    try require(after.applying(inverse) { before[$0] } == before, "\(inverse) does not lead back")
    let trees = (TreeSnapshot<Row>(before), TreeSnapshot<Row>(after))
    try checkStages(of: change, for: .list, from: trees.0, to: trees.1)
    try checkStages(of: change, for: .outline, from: trees.0, to: trees.1)
  }

  private func snapshot(_ node: any TreeNode<Row>, id: Int) -> ChangeTree {
    var tree = ChangeTree(id: id)
    for position in 0..<node.count {
      let value = node.element(at: position)
      guard let child = node.child(at: position) else {
        tree.children.append(ChangeTree(id: value?.id ?? -1, version: value?.version ?? 0))
        continue
      }
      var below = snapshot(child, id: value?.id ?? nodeIDs[ObjectIdentifier(child)]?.id ?? -1)
      below.version = value?.version ?? 0
      tree.children.append(below)
    }
    return tree
  }

  // MARK: Edits

  private func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
  private func position(in count: Int) -> Int? { count == 0 ? nil : random(0...(count - 1)) }

  private func newRow() -> Row {
    lastID += 1
    return Row(id: lastID)
  }

  private func newSection(rows count: Int) -> any TreeNode<Row> {
    let rows = (0..<count).map { _ in newRow() }
    if generator.chance(1, in: 4) {
      let node = ArrayNode(rows)
      lastID += 1
      nodeIDs[ObjectIdentifier(node)] = (lastID, node)
      return node
    }
    return BranchNode(value: newRow(), leaves: rows)
  }

  private func count(_ section: Int) -> Int { root.child(at: section)?.count ?? 0 }
  private func isBranch(_ path: IndexPath) -> Bool { node(at: path) is BranchNode<Row> }

  private func node(at path: IndexPath) -> (any TreeNode<Row>)? {
    var node: (any TreeNode<Row>)? = root
    for position in path { node = node?.child(at: position) }
    return node
  }

  /// Returns the path of a random row, only with or only without a node if `isNode` is given.
  private func someRow(in section: Int? = nil, isNode: Bool? = nil) -> IndexPath? {
    let rows = (section.map { $0..<($0 + 1) } ?? 0..<root.count).flatMap { section in
      (0..<count(section)).map { IndexPath(indexes: [section, $0]) }
    }
    return rows.filter { isNode == nil || (node(at: $0) != nil) == isNode }.randomElement(using: &generator)
  }

  private func update(_ path: IndexPath) {
    guard var row = root.element(at: path) else { return }
    row.version += 1
    root.replace(at: path, with: row)
  }

  private func insertSection() -> Int {
    let section = random(0...root.count)
    root.insert(.node(newSection(rows: random(0...2))), at: section)
    return section
  }

  /// Moves a row to a place in a section; both are paths before the move.
  private func transfer(_ row: IndexPath, to section: Int) {
    if node(at: row) != nil && !isBranch([section]) { return }
    let room = count(section) - (section == row[0] ? 1 : 0)
    root.move(from: row, to: [section, random(0...room)])
  }

  /// Makes an edit; returns whether the edit was possible.
  private func make(_ kind: Edit) -> Bool {
    switch kind {
    case .insertSection: _ = insertSection()
    case .rowsBesideNewSection:
      let section = insertSection()
      for neighbour in [section - 1, section + 1] where neighbour >= 0 && neighbour < root.count {
        root.insert(newRow(), at: [neighbour, random(0...count(neighbour))])
        if let row = someRow(in: neighbour) { root.remove(at: row) }
      }
    case .updateRow, .removeRow, .moveRow, .transferRow, .rowIntoNewSection, .rowThereAndBack:
      guard let row = someRow() else { return false }
      makeRow(kind, row)
    case .rowFromRemovedToNewSection, .rowOutOfRemovedSection, .rowsOfMovedSection, .insertRow, .replaceRows,
      .removeSection, .moveSection, .updateSection, .replaceSection:
      guard let section = position(in: root.count) else { return false }
      return makeSection(kind, section)
    case .insertSubtree, .editSubtree, .transferSubtree, .subtreeToSection, .sectionToSubtree:
      return makeSubtree(kind)
    }
    return true
  }

  private func makeRow(_ kind: Edit, _ row: IndexPath) {
    switch kind {
    case .updateRow: update(row)
    case .removeRow: root.remove(at: row)
    case .moveRow: transfer(row, to: row[0])
    case .transferRow: transfer(row, to: random(0...(root.count - 1)))
    case .rowIntoNewSection:
      let section = insertSection()
      transfer([section <= row[0] ? row[0] + 1 : row[0], row[1]], to: section)
    default:
      let other = random(0...(root.count - 1))
      guard node(at: row) == nil else { return }
      let place = random(0...(count(other) - (other == row[0] ? 1 : 0)))
      root.move(from: row, to: [other, place])
      if generator.chance(1, in: 2) { update([other, place]) }
      root.move(from: [other, place], to: row)
    }
  }

  private func makeSection(_ kind: Edit, _ section: Int) -> Bool {
    switch kind {
    case .insertRow: root.insert(newRow(), at: [section, random(0...count(section))])
    case .removeSection: root.remove(at: [section])
    case .moveSection: root.move(from: section, to: random(0...(root.count - 1)))
    case .rowsOfMovedSection:
      let goal = random(0...(root.count - 1))
      if let row = someRow(in: section) { update(row) }
      root.move(from: section, to: goal)
      root.insert(newRow(), at: [goal, random(0...count(goal))])
      if let row = someRow(in: goal) { root.remove(at: row) }
    case .updateSection:
      guard isBranch([section]) else { return false }
      update([section])
    case .replaceSection: root[section] = .node(newSection(rows: random(0...3)))
    case .replaceRows:
      guard let array = root.child(at: section) as? ArrayNode<Row> else { return false }
      var rows = array.elements.filter { _ in !generator.chance(1, in: 5) }.shuffled(using: &generator)
      for index in rows.indices where generator.chance(1, in: 4) { rows[index].version += 1 }
      rows.insert(newRow(), at: random(0...rows.count))
      array.replaceAll(with: rows, id: \.id, areEqual: ==)
    default:  // A row leaves a section that is then removed.
      guard let row = someRow(in: section), root.count > 1 else { return false }
      var goal = random(0...(root.count - 1))
      if goal == section { goal = (goal + 1) % root.count }
      if generator.chance(1, in: 2) { update(row) }
      guard kind == .rowFromRemovedToNewSection else {
        transfer(row, to: goal)
        root.remove(at: [section])
        return true
      }
      let new = insertSection()
      let old = new <= section ? section + 1 : section
      transfer([old, row[1]], to: new)
      root.remove(at: [old])
    }
    return true
  }

  private func makeSubtree(_ kind: Edit) -> Bool {
    let sections = (0..<root.count).filter { isBranch([$0]) }
    switch kind {
    case .insertSubtree:
      guard let section = sections.randomElement(using: &generator) else { return false }
      let subtree = BranchNode(value: newRow(), leaves: (0..<random(0...2)).map { _ in newRow() })
      (root.child(at: section) as? BranchNode)?.insert(.node(subtree), at: random(0...count(section)))
      return true
    case .sectionToSubtree:
      guard let section = position(in: root.count) else { return false }
      let goals = sections.filter { $0 != section }
      guard depth(of: [section]) < 3, let goal = goals.randomElement(using: &generator) else { return false }
      root.move(from: [section], to: [goal < section ? goal : goal - 1, random(0...count(goal))])
      return true
    default: break
    }
    guard let row = someRow(isNode: true), let subtree = node(at: row) else { return false }
    switch kind {
    case .editSubtree:
      if subtree.count > 0, generator.chance(1, in: 2) {
        let child = row.appending(random(0...(subtree.count - 1)))
        if generator.chance(1, in: 2) {
          root.remove(at: child)
        } else if root.element(at: child) != nil {
          update(child)
        }
      } else {
        root.insert(newRow(), at: row.appending(random(0...subtree.count)))
      }
    case .transferSubtree:
      guard let section = sections.randomElement(using: &generator) else { return false }
      transfer(row, to: section)
    default: root.move(from: row, to: [random(0...root.count)])
    }
    return true
  }

  private func depth(of path: IndexPath) -> Int {
    guard let node = node(at: path) else { return 0 }
    return 1 + ((0..<node.count).map { depth(of: path.appending($0)) }.max() ?? 0)
  }
}
