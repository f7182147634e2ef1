import Assemblage
import AssemblageTesting
import Foundation
import TestSupport

/// Nodes of every kind, linked at random, and every edit of them that can be reverted.
///
/// The pool does not model the expected contents. A test compares them with the former contents.
final class EditPool {
  /// An edit of a script.
  enum Kind: CaseIterable {
    case insert, insertMany, remove, removeRange, replaceRange, update, move, swap, replaceAll, removeWhere
    case single, provide
    case branchLeaf, branchNode, branchRemove, branchMove, branchReplace, branchUpdate, branchValue
    case joinInsert, joinRemove, joinReplace, joinMove
    case setPredicate, stricter, looser, reevaluate
    case makeNode
  }

  /// A node with its own type.
  enum Member {
    case array(ArrayNode<Row>)
    case single(SingleNode<Row>)
    case provider(ProviderNode<Row>, Rows)
    case branch(BranchNode<Row>)
    case join(JoinNode<Row>)
    case filter(FilterNode<Row>)

    var node: any TreeNode<Row> {
      switch self {
      case .array(let node): node
      case .single(let node): node
      case .provider(let node, _): node
      case .branch(let node): node
      case .join(let node): node
      case .filter(let node): node
      }
    }
  }

  /// The data behind a provider. The data can restore former rows.
  final class Rows {
    var rows: [Row] = []
    // The pool keeps the node.
    weak var node: ProviderNode<Row>?

    func replace(_ range: Range<Int>, with new: [Row], isReversible: Bool) {
      let former = Array(rows[range])
      rows.replaceSubrange(range, with: new)
      let place = range.lowerBound..<range.lowerBound + new.count
      let change = Delta(removals: range.isEmpty ? [] : [range], insertions: place.isEmpty ? [] : [place])
      guard isReversible else { return node!.announce(change) }
      node!.announce(change, inverse: { self.replace(place, with: former, isReversible: true) })
    }
  }

  var generator: SeededGenerator
  var tally = OperationTally<Kind>()
  private(set) var members: [Member] = []
  private(set) var shadows: [ShadowTree<Row>] = []
  /// Whether providers give an inverse for their changes.
  var areProvidersReversible = true
  /// The predicates of filters.
  private(set) var predicates: [ObjectIdentifier: (Row) -> Bool] = [:]
  /// Whether an edit since the last reset has settled the graph. Such edits read views, link nodes or change settings.
  var hasSettled = false
  private let isConnected: Bool
  private var lastID = 0

  /// Creates a pool.
  ///
  /// - Parameters:
  ///   - generator: makes all decisions.
  ///   - isConnected: whether all nodes belong to one graph from the start.
  init(_ generator: SeededGenerator, isConnected: Bool = true) {
    self.generator = generator
    self.isConnected = isConnected
    for kind in [0, 0, 0, 1, 2, 3, 3, 4, 4, 5, 5] { make(kind) }
    for member in members { watch(member) }
  }

  func watch(_ member: Member) {
    // Each shadow reads its whole node at each notification.
    if shadows.count > 12 { shadows.remove(at: random(0..<shadows.count)) }
    // No minimality is demanded, because a transaction may remove a row and insert it again.
    shadows.append(ShadowTree(of: member.node, minimality: []))
  }

  func dropShadow() {
    if shadows.count > 4 { shadows.remove(at: random(0..<shadows.count)) }
  }

  // MARK: Looking

  /// The own contents of every node. For a filter, the children of the source that it shows.
  var state: [String] { members.indices.map { describe(members[$0]) } }

  /// Returns a node's own contents: elements, and the identities of nodes.
  private func describe(_ member: Member) -> String {
    switch member {
    case .array(let node): "array \(node.elements)"
    case .single(let node): "single \(node.elements)"
    case .provider(let node, _): "provider \(node.elements)"
    case .branch(let node):
      "branch \(node.value?.description ?? "-") "
        + (0..<node.count).map { position in
          switch node[position] {
          case .leaf(let row): "\(row)"
          case .node(let child): name(of: child)
          }
        }.joined(separator: ",")
    case .join(let node): "join " + node.members.map { name(of: $0) }.joined(separator: ",")
    case .filter(let node):
      "filter of \(name(of: node.source)) shows \((0..<node.count).map { node.sourcePosition(of: $0) })"
    }
  }

  func name(of node: any TreeNode<Row>) -> String { "#\(members.firstIndex { $0.node === node }!)" }

  /// Returns the contents of a node and of everything below it, without filters. An undo log of the node restores these
  /// contents.
  func state(below node: any TreeNode<Row>) -> String {
    let member = members.first { $0.node === node }!
    let sources: [any TreeNode<Row>]
    switch member {
    case .branch(let branch): sources = (0..<branch.count).compactMap { branch.child(at: $0) }
    case .join(let join): sources = join.members
    case .filter(let filter): return "filter(" + state(below: filter.source) + ")"
    default: sources = []
    }
    return describe(member) + "{" + sources.map { state(below: $0) }.joined(separator: ";") + "}"
  }

  /// Checks that derived nodes agree with their sources, and that every observer could follow.
  func check() throws {
    for member in members {
      switch member {
      case .join(let node):
        try checkNode(node, shows: node.members.flatMap { NaiveTree(of: $0).children })
      case .filter(let node):
        let source = NaiveTree(of: node.source).children
        try checkNode(node, shows: (0..<node.count).map { source[node.sourcePosition(of: $0)] })
      default: try checkNode(member.node, shows: NaiveTree(of: member.node).children)
      }
    }
    for shadow in shadows { try shadow.check() }
  }

  /// Records that filters have former predicates again, after edits have been rolled back.
  func restore(_ former: [ObjectIdentifier: (Row) -> Bool]) { predicates.merge(former) { $1 } }

  // MARK: Editing

  func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

  private func makeRow() -> Row {
    lastID += 1
    return Row(id: lastID)
  }

  private func makeRows(_ count: Int) -> [Row] { (0..<count).map { _ in makeRow() } }

  private func makePredicate() -> (Row) -> Bool {
    let modulus = random(1..<4)
    let rest = random(0..<modulus)
    return { ($0.id + $0.version) % modulus == rest }
  }

  private func make(_ kind: Int) {
    let sources = (0..<random(0..<4)).compactMap { _ in members.randomElement(using: &generator)?.node }
    switch kind {
    case 0: members.append(.array(ArrayNode(makeRows(random(0..<8)), small: 4, chunk: 4)))
    case 1: members.append(.single(SingleNode()))
    case 2:
      let rows = Rows()
      let node = ProviderNode(count: 0) { rows.rows[$0] }
      rows.node = node
      members.append(.provider(node, rows))
    case 3: members.append(.branch(BranchNode(value: makeRow(), sources)))
    case 4: members.append(.join(JoinNode(sources)))
    default:
      let predicate = makePredicate()
      let node = FilterNode(members.randomElement(using: &generator)!.node, where: predicate)
      predicates[ObjectIdentifier(node)] = predicate
      members.append(.filter(node))
    }
    // The graph must not grow without limit, because every node may show every other node several times.
    if size(of: members.last!.node) > 50 {
      // Another filter may get the same address.
      predicates[ObjectIdentifier(members.removeLast().node)] = nil
    }
    // Nodes that were linked once stay in one graph.
    if isConnected { withExtendedLifetime(JoinNode([members[0].node, members.last!.node])) {} }
  }

  private func size(of node: any TreeNode<Row>) -> Int { NaiveTree(of: node).nodeCount }

  private func reaches(_ node: any TreeNode<Row>, _ goal: any TreeNode<Row>) -> Bool {
    if node === goal { return true }
    return switch members.first(where: { $0.node === node })! {
    case .branch(let branch): (0..<branch.count).contains { branch.child(at: $0).map { reaches($0, goal) } ?? false }
    case .join(let join): join.members.contains { reaches($0, goal) }
    case .filter(let filter): reaches(filter.source, goal)
    default: false
    }
  }

  /// Returns a node that can become a source of `target`.
  private func pickSource(for target: any TreeNode<Row>) -> (any TreeNode<Row>)? {
    guard let node = members.randomElement(using: &generator)?.node, !reaches(node, target), size(of: node) < 20,
      size(of: target) < 30
    else { return nil }
    return node
  }

  private func pick<Node>(_ extract: (Member) -> Node?) -> Node? {
    members.compactMap(extract).randomElement(using: &generator)
  }

  /// Makes a random edit.
  func edit() {
    let kind = tally.random(using: &generator)
    switch kind {
    case .branchNode, .branchReplace, .joinInsert, .joinRemove, .joinReplace, .joinMove: hasSettled = true
    case .setPredicate, .stricter, .looser, .reevaluate, .makeNode: hasSettled = true
    default: break
    }
    if perform(kind) { tally.count(kind) }
  }

  /// Makes an edit; returns false where the edit is not possible.
  private func perform(_ kind: Kind) -> Bool {
    switch kind {
    case .insert, .insertMany, .remove, .removeRange, .replaceRange, .update, .move, .swap, .replaceAll, .removeWhere:
      guard let node = pick({ if case .array(let node) = $0 { node } else { nil } }) else { return false }
      return edit(node, kind)
    case .single:
      guard let node = pick({ if case .single(let node) = $0 { node } else { nil } }) else { return false }
      node.content = generator.chance(1, in: 3) ? nil : makeRow()
    case .provide:
      guard let rows = pick({ if case .provider(_, let rows) = $0 { rows } else { nil } }) else { return false }
      let range = generator.range(in: rows.rows.count)
      rows.replace(range, with: makeRows(random(0..<3)), isReversible: areProvidersReversible)
    case .branchLeaf, .branchNode, .branchRemove, .branchMove, .branchReplace, .branchUpdate, .branchValue:
      guard let node = pick({ if case .branch(let node) = $0 { node } else { nil } }) else { return false }
      return edit(node, kind)
    case .joinInsert, .joinRemove, .joinReplace, .joinMove:
      guard let node = pick({ if case .join(let node) = $0 { node } else { nil } }) else { return false }
      return edit(node, kind)
    case .setPredicate, .stricter, .looser, .reevaluate:
      guard let node = pick({ if case .filter(let node) = $0 { node } else { nil } }) else { return false }
      edit(node, kind)
    case .makeNode:
      guard members.count < 16 else { return false }
      make(random(0..<6))
    }
    return true
  }

  private func edit(_ node: ArrayNode<Row>, _ kind: Kind) -> Bool {
    let count = node.count
    switch kind {
    case .insert: node.insert(makeRow(), at: random(0..<count + 1))
    case .insertMany: node.insert(contentsOf: makeRows(random(0..<3)), at: random(0..<count + 1))
    case .removeRange: node.removeSubrange(generator.range(in: count))
    case .replaceRange: node.replaceSubrange(generator.range(in: count), with: makeRows(random(0..<4)))
    case .replaceAll:
      var rows = node.elements.filter { _ in generator.chance(3, in: 4) }
      if generator.chance(1, in: 2) { rows.shuffle(using: &generator) }
      rows.insert(contentsOf: makeRows(random(0..<2)), at: random(0..<rows.count + 1))
      if let position = rows.indices.randomElement(using: &generator) { rows[position].version += 1 }
      node.replaceAll(with: rows, id: \.id, areEqual: ==)
    case .removeWhere: node.removeAll(where: makePredicate())
    default:
      guard count > 0 else { return false }
      switch kind {
      case .remove: node.remove(at: random(0..<count))
      case .update: node.update(at: random(0..<count)) { $0.version += 1 }
      case .move: node.move(from: random(0..<count), to: random(0..<count))
      default: node.swapAt(random(0..<count), random(0..<count))
      }
    }
    return true
  }

  private func edit(_ node: BranchNode<Row>, _ kind: Kind) -> Bool {
    let count = node.count
    switch kind {
    case .branchLeaf: node.insert(.leaf(makeRow()), at: random(0..<count + 1))
    case .branchValue: node.value = generator.chance(1, in: 4) ? nil : makeRow()
    case .branchNode:
      guard let child = pickSource(for: node) else { return false }
      node.insert(.node(child), at: random(0..<count + 1))
    default:
      guard count > 0 else { return false }
      let position = random(0..<count)
      switch kind {
      case .branchRemove: node.remove(at: position)
      case .branchMove: node.move(from: position, to: random(0..<count))
      case .branchReplace: node[position] = pickSource(for: node).map { .node($0) } ?? .leaf(makeRow())
      default:
        let leaves = (0..<count).filter { if case .leaf = node[$0] { true } else { false } }
        guard let leaf = leaves.randomElement(using: &generator) else { return false }
        node.replace(at: leaf, with: makeRow())
      }
    }
    return true
  }

  private func edit(_ node: JoinNode<Row>, _ kind: Kind) -> Bool {
    let count = node.memberCount
    if kind == .joinInsert {
      guard let member = pickSource(for: node) else { return false }
      node.insertMember(member, at: random(0..<count + 1))
      return true
    }
    guard count > 0 else { return false }
    switch kind {
    case .joinRemove: node.removeMember(at: random(0..<count))
    case .joinMove: node.moveMember(from: random(0..<count), to: random(0..<count))
    default:
      guard let member = pickSource(for: node) else { return false }
      node.replaceMember(at: random(0..<count), with: member)
    }
    return true
  }

  private func edit(_ node: FilterNode<Row>, _ kind: Kind) {
    let predicate = makePredicate()
    let former = predicates[ObjectIdentifier(node)]!
    switch kind {
    case .setPredicate:
      predicates[ObjectIdentifier(node)] = predicate
      node.setPredicate(where: predicate)
    case .stricter:
      let both = { former($0) && predicate($0) }
      predicates[ObjectIdentifier(node)] = both
      node.setPredicate(hint: .stricter, where: both)
    case .looser:
      let either = { former($0) || predicate($0) }
      predicates[ObjectIdentifier(node)] = either
      node.setPredicate(hint: .looser, where: either)
    default: node.refresh(generator.range(in: node.source.count))
    }
  }
}
