import Assemblage
import Foundation
import TestSupport

/// A random graph of nodes, each beside a naive model of what it should show, driven by random edits.
final class GraphFuzz {
  /// What a script can do; each must have been done by the end of a run.
  enum Kind: CaseIterable {
    case insert, append, remove, removeRange, replaceRange, update, move, swap, replaceAll, removeWhere
    case setSingle, clearSingle, announce
    case branchInsertLeaf, branchInsertNode, branchRemove, branchMove, branchReplace, branchValue
    case joinInsert, joinRemove, joinReplace, joinMove
    case setPredicate, stricter, looser, reevaluate
    case writeInsert, writeRemove, writeReplace, writeMove
    case transaction, observe, cancel, makeNode, dropNode
  }

  /// A node with its model.
  final class Specimen {
    enum Model {
      case array(ArrayNode<Row>)
      case single(SingleNode<Row>)
      case provider(ProviderNode<Row>, Box)
      case branch(BranchNode<Row>)
      case join(JoinNode<Row>)
      case filter(FilterNode<Row>, Specimen)
    }

    let model: Model
    /// The rows of a leaf source.
    var rows: [Row] = []
    /// The own value and the children of a branch.
    var value: Row?
    var children: [Child] = []
    /// The members of a join.
    var members: [Specimen] = []
    /// What a filter passes.
    var passes: (Row) -> Bool = { _ in true }
    var shadow: NodeShadow?

    enum Child {
      case leaf(Row)
      case node(Specimen)
    }

    init(_ model: Model) { self.model = model }

    var node: any TreeNode<Row> {
      switch model {
      case .array(let node): node
      case .single(let node): node
      case .provider(let node, _): node
      case .branch(let node): node
      case .join(let node): node
      case .filter(let node, _): node
      }
    }

    /// What the node should show.
    var expected: NaiveTree<Row> {
      switch model {
      case .array, .single, .provider: NaiveTree(leaves: rows)
      case .branch:
        NaiveTree(
          value: value,
          children: children.map { child in
            switch child {
            case .leaf(let row): NaiveTree(value: row)
            case .node(let specimen): specimen.expected
            }
          })
      case .join: NaiveTree(value: nil, children: members.flatMap(\.expected.children))
      case .filter(_, let source):
        NaiveTree(
          value: source.expected.value,
          children: source.expected.children.filter { $0.value.map(passes) ?? true })
      }
    }

    /// Whether `other` is this node or one that this node derives from.
    func reaches(_ other: Specimen) -> Bool {
      if self === other { return true }
      switch model {
      case .array, .single, .provider: return false
      case .branch:
        return children.contains { if case .node(let node) = $0 { node.reaches(other) } else { false } }
      case .join: return members.contains { $0.reaches(other) }
      case .filter(_, let source): return source.reaches(other)
      }
    }
  }

  /// The data behind a provider.
  final class Box {
    var rows: [Row] = []
  }

  var generator: SeededGenerator
  var specimens: [Specimen] = []
  var tally = OperationTally<Kind>()
  private var nextID = 0
  private var log: [String] = []
  private var isInTransaction = false

  init(_ generator: SeededGenerator) {
    self.generator = generator
    for _ in 0..<3 { specimens.append(makeArray()) }
    specimens.append(Specimen(.single(SingleNode())))
    let box = Box()
    specimens.append(Specimen(.provider(ProviderNode(count: 0) { box.rows[$0] }, box)))
    for kind in [0, 0, 1, 2, 2] { makeDerived(kind) }
    for specimen in specimens { specimen.shadow = NodeShadow(of: specimen.node) }
  }

  // MARK: Making nodes

  private func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

  func freshRow() -> Row { makeRow() }

  private func makeRow() -> Row {
    nextID += 1
    return Row(id: nextID)
  }

  private func makeArray() -> Specimen {
    let rows = (0..<random(0..<8)).map { _ in makeRow() }
    let specimen = Specimen(.array(ArrayNode(rows, small: 4, chunk: 4)))
    specimen.rows = rows
    return specimen
  }

  private func makePredicate() -> (Row) -> Bool {
    let modulus = random(1..<4)
    let rest = random(0..<modulus)
    return { ($0.id + $0.version) % modulus == rest }
  }

  /// Makes a branch (0), a join (1) or a filter (2) of nodes there are.
  private func makeDerived(_ kind: Int) {
    let specimen: Specimen
    let sources = (0..<random(0..<4)).map { _ in specimens.randomElement(using: &generator)! }
    switch kind {
    case 0:
      var children = sources.map { Specimen.Child.node($0) }
      if generator.chance(1, in: 2) { children.insert(.leaf(makeRow()), at: random(0..<children.count + 1)) }
      let value = generator.chance(1, in: 2) ? makeRow() : nil
      specimen = Specimen(
        .branch(
          BranchNode(
            value: value,
            children.map { child in
              switch child {
              case .leaf(let row): BranchNode<Row>.Child.leaf(row)
              case .node(let specimen): .node(specimen.node)
              }
            })))
      specimen.value = value
      specimen.children = children
    case 1:
      specimen = Specimen(.join(JoinNode(sources.map(\.node))))
      specimen.members = sources
    default:
      let source = specimens.randomElement(using: &generator)!
      let passes = makePredicate()
      specimen = Specimen(.filter(FilterNode(source.node, where: passes), source))
      specimen.passes = passes
    }
    specimens.append(specimen)
  }

  // MARK: Driving

  /// Makes one random step, and checks every node afterwards.
  func step() throws {
    let kind = tally.random(using: &generator)
    let counts = specimens.map { $0.shadow?.deliveries ?? 0 }
    let former = specimens
    if kind == .transaction {
      setMinimality(false)
      defer { setMinimality(true) }
      isInTransaction = true
      specimens.randomElement(using: &generator)!.node.performUpdates {
        for _ in 0..<random(1..<8) {
          let inner = tally.random(using: &generator)
          // Changes of other graphs are delivered at once, those of this graph not at all yet.
          if perform(inner) { tally.count(inner) }
        }
      }
      isInTransaction = false
      tally.count(kind)
    } else {
      // A member may give way to one that shows the same rows.
      setMinimality(kind != .joinReplace)
      if perform(kind) { tally.count(kind) }
      setMinimality(true)
      for (specimen, count) in zip(former, counts) {
        guard let shadow = specimen.shadow, shadow.deliveries > count + 1 else { continue }
        // An exchange is two moves in one transaction, and so is every other step: one delivery.
        throw NodeFault(description: "law 6: \(specimen.node) delivered \(shadow.deliveries - count) times")
      }
    }
    try check()
  }

  func check() throws {
    do {
      for specimen in specimens {
        try checkLaws(of: specimen.node, specimen.expected.children)
        try specimen.shadow?.check()
      }
    } catch {
      throw NodeFault(description: "\(error)\nafter:\n" + log.suffix(12).joined(separator: "\n"))
    }
  }

  private func setMinimality(_ expects: Bool) {
    for specimen in specimens { specimen.shadow?.expectsMinimalChanges = expects }
  }

  private func note(_ text: String) { log.append(text) }

  private func pick<Node>(_ extract: (Specimen) -> Node?) -> (Specimen, Node)? {
    let candidates = specimens.compactMap { specimen in extract(specimen).map { (specimen, $0) } }
    return candidates.randomElement(using: &generator)
  }

  /// Performs a step; false where the graph offers no place for it.
  private func perform(_ kind: Kind) -> Bool {
    switch kind {
    case .insert, .append, .remove, .removeRange, .replaceRange, .update, .move, .swap, .replaceAll, .removeWhere:
      editArray(kind)
    case .setSingle, .clearSingle, .announce: editSource(kind)
    case .branchInsertLeaf, .branchInsertNode, .branchRemove, .branchMove, .branchReplace, .branchValue:
      editBranch(kind)
    case .joinInsert, .joinRemove, .joinReplace, .joinMove: editJoin(kind)
    case .setPredicate, .stricter, .looser, .reevaluate: editFilter(kind)
    case .writeInsert, .writeRemove, .writeReplace, .writeMove: writeThrough(kind)
    case .transaction: false
    case .observe, .cancel, .makeNode, .dropNode: editGraph(kind)
    }
  }

  private func editArray(_ kind: Kind) -> Bool {
    guard
      let (specimen, node) = pick({ specimen -> ArrayNode<Row>? in
        if case .array(let node) = specimen.model { node } else { nil }
      })
    else { return false }
    let count = specimen.rows.count
    note("\(kind) of array \(specimen.rows)")
    switch kind {
    case .insert:
      let (row, position) = (makeRow(), random(0..<count + 1))
      specimen.rows.insert(row, at: position)
      node.insert(row, at: position)
    case .append:
      let rows = (0..<random(0..<3)).map { _ in makeRow() }
      specimen.rows += rows
      node.append(contentsOf: rows)
    case .remove:
      guard count > 0 else { return false }
      let position = random(0..<count)
      specimen.rows.remove(at: position)
      node.remove(at: position)
    case .removeRange:
      let range = generator.range(in: count)
      specimen.rows.removeSubrange(range)
      node.removeSubrange(range)
    case .replaceRange:
      guard count < 40 else { return false }
      let range = generator.range(in: count)
      let rows = (0..<random(0..<8)).map { _ in makeRow() }
      specimen.rows.replaceSubrange(range, with: rows)
      node.replaceSubrange(range, with: rows)
    case .update:
      guard count > 0 else { return false }
      let position = random(0..<count)
      specimen.rows[position].version += 1
      node.update(at: position) { $0.version += 1 }
    case .move:
      guard count > 0 else { return false }
      let (position, destination) = (random(0..<count), random(0..<count))
      specimen.rows.insert(specimen.rows.remove(at: position), at: destination)
      node.move(from: position, to: destination)
    case .swap:
      guard count > 0 else { return false }
      let (first, second) = (random(0..<count), random(0..<count))
      specimen.rows.swapAt(first, second)
      node.swapAt(first, second)
    case .replaceAll:
      var rows = specimen.rows.filter { _ in generator.chance(3, in: 4) }
      if generator.chance(1, in: 2) { rows.shuffle(using: &generator) }
      rows.insert(contentsOf: (0..<random(0..<3)).map { _ in makeRow() }, at: random(0..<rows.count + 1))
      if let position = rows.indices.randomElement(using: &generator) { rows[position].version += 1 }
      specimen.rows = rows
      node.replaceAll(with: rows, by: \.id, areEqual: ==)
    default:
      let passes = makePredicate()
      specimen.rows.removeAll(where: passes)
      node.removeAll(where: passes)
    }
    return true
  }

  private func editSource(_ kind: Kind) -> Bool {
    if kind == .announce {
      guard
        let (specimen, (node, box)) = pick({ specimen -> (ProviderNode<Row>, Box)? in
          if case .provider(let node, let box) = specimen.model { (node, box) } else { nil }
        })
      else { return false }
      let range = generator.range(in: box.rows.count)
      let rows = (0..<random(0..<4)).map { _ in makeRow() }
      note("announce \(range) → \(rows)")
      box.rows.replaceSubrange(range, with: rows)
      specimen.rows = box.rows
      let start = range.lowerBound
      node.announce(Delta(removals: [range], insertions: [start..<start + rows.count]))
      return true
    }
    guard
      let (specimen, node) = pick({ specimen -> SingleNode<Row>? in
        if case .single(let node) = specimen.model { node } else { nil }
      })
    else { return false }
    note("\(kind)")
    if kind == .setSingle {
      // Another row is another value of the same child.
      var row = specimen.rows.first ?? makeRow()
      row.version += 1
      specimen.rows = [row]
      node.content = row
    } else {
      specimen.rows = []
      node.content = nil
    }
    return true
  }

  private func editBranch(_ kind: Kind) -> Bool {
    guard
      let (specimen, node) = pick({ specimen -> BranchNode<Row>? in
        if case .branch(let node) = specimen.model { node } else { nil }
      })
    else { return false }
    let count = specimen.children.count
    note("\(kind) of \(specimen.expected)")
    switch kind {
    case .branchInsertLeaf:
      let (row, position) = (makeRow(), random(0..<count + 1))
      specimen.children.insert(.leaf(row), at: position)
      node.insert(.leaf(row), at: position)
    case .branchInsertNode:
      let child = specimens.randomElement(using: &generator)!
      guard !child.reaches(specimen), specimen.expected.nodeCount + child.expected.nodeCount < 200 else { return false }
      let position = random(0..<count + 1)
      specimen.children.insert(.node(child), at: position)
      node.insert(.node(child.node), at: position)
    case .branchRemove:
      guard count > 0 else { return false }
      let position = random(0..<count)
      specimen.children.remove(at: position)
      node.remove(at: position)
    case .branchMove:
      guard count > 0 else { return false }
      let (position, destination) = (random(0..<count), random(0..<count))
      specimen.children.insert(specimen.children.remove(at: position), at: destination)
      node.move(from: position, to: destination)
    case .branchReplace:
      guard count > 0 else { return false }
      let (row, position) = (makeRow(), random(0..<count))
      specimen.children[position] = .leaf(row)
      node[position] = .leaf(row)
    default:
      let row = specimen.value.map { Row(id: $0.id, version: $0.version + 1) } ?? makeRow()
      specimen.value = row
      node.value = row
    }
    return true
  }

  private func editJoin(_ kind: Kind) -> Bool {
    guard
      let (specimen, node) = pick({ specimen -> JoinNode<Row>? in
        if case .join(let node) = specimen.model { node } else { nil }
      })
    else { return false }
    let count = specimen.members.count
    note("\(kind) of \(specimen.members.map { $0.expected.children.count })")
    switch kind {
    case .joinInsert, .joinReplace:
      let member = specimens.randomElement(using: &generator)!
      guard !member.reaches(specimen), specimen.expected.nodeCount + member.expected.nodeCount < 200 else {
        return false
      }
      if kind == .joinInsert {
        let ordinal = random(0..<count + 1)
        specimen.members.insert(member, at: ordinal)
        node.insertMember(member.node, at: ordinal)
      } else {
        guard count > 0 else { return false }
        let ordinal = random(0..<count)
        specimen.members[ordinal] = member
        node.replaceMember(at: ordinal, with: member.node)
      }
    case .joinRemove:
      guard count > 0 else { return false }
      let ordinal = random(0..<count)
      specimen.members.remove(at: ordinal)
      node.removeMember(at: ordinal)
    default:
      guard count > 0 else { return false }
      let (ordinal, destination) = (random(0..<count), random(0..<count))
      specimen.members.insert(specimen.members.remove(at: ordinal), at: destination)
      node.moveMember(from: ordinal, to: destination)
    }
    return true
  }

  private func editFilter(_ kind: Kind) -> Bool {
    guard
      let (specimen, node) = pick({ specimen -> FilterNode<Row>? in
        if case .filter(let node, _) = specimen.model { node } else { nil }
      })
    else { return false }
    note("\(kind) of \(specimen.expected)")
    let (former, other) = (specimen.passes, makePredicate())
    switch kind {
    case .setPredicate:
      specimen.passes = other
      node.setPredicate(hint: .different, where: other)
    case .stricter:
      // Closures grow with each of these; start afresh now and then.
      specimen.passes = { former($0) && other($0) }
      node.setPredicate(specimen.passes, hint: .stricter)
    case .looser:
      specimen.passes = { former($0) || other($0) }
      node.setPredicate(specimen.passes, hint: .looser)
    default:
      node.reevaluate(generator.range(in: node.source.count))
    }
    return true
  }

  private func editGraph(_ kind: Kind) -> Bool {
    note("\(kind)")
    switch kind {
    case .observe:
      guard let (specimen, _) = pick({ $0.shadow == nil ? $0 : nil }) else { return false }
      specimen.shadow = NodeShadow(of: specimen.node)
      specimen.shadow?.expectsMinimalChanges = false
    case .cancel:
      guard let (specimen, _) = pick({ $0.shadow }) else { return false }
      specimen.shadow = nil
    case .makeNode:
      guard specimens.count < 16 else { return false }
      makeDerived(random(0..<3))
      guard specimens.last!.expected.nodeCount < 200 else {
        specimens.removeLast()
        return false
      }
      specimens.last!.shadow = NodeShadow(of: specimens.last!.node)
      specimens.last!.shadow?.expectsMinimalChanges = false
    default:
      // Others may still derive from it and keep it alive; it is only no longer observed or picked.
      guard specimens.count > 9 else { return false }
      specimens.remove(at: random(5..<specimens.count))
    }
    return true
  }
}
