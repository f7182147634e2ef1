@testable import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Long random scripts, compared with a model that is made anew each time.
@Suite struct NestScriptTests {
  private struct Stop: Error {}

  private static let ids: [@Sendable (Row) -> Int] = [{ $0.id }, { $0.id % 9 }, { ($0.id + $0.version) % 7 }]
  private static let parents: [@Sendable (Row) -> Int?] = [
    { $0.id / 2 }, { ($0.id * 3 + $0.version) % 9 }, { $0.version == 0 ? nil : $0.id - $0.version },
    { ($0.id &* 7 + $0.version * 2) % 40 },
  ]

  /// Every possible edit of a source. The test checks contents, mappings, and the deliveries to the nest, to its
  /// branches, and to nodes that derive from them.
  @Test func scriptsAgreeWithAModel() throws {
    var tally = OperationTally<SourceScript.Edit>()
    for iteration in 0..<TestSeed.iterations(8) {
      let script = SourceScript("nest-node/script", iteration: iteration)
      let (id, parent) = (Self.ids[iteration % 3], Self.parents[iteration / 3 % 4])
      let nest = NestNode(script.source, id: id, parent: parent)
      // A section without a value is a row without one.
      let checker = NodeChecker<Row>(id: \.id).allowingEmptyLeaves()
      // If a row lies twice in the source, one of the two may leave a branch in which the other arrives.
      script.showsAll = iteration % 2 == 0
      let shadow = ShadowTree(
        of: nest, checker: checker, minimality: script.showsAll ? [] : [.survivors, .fewestMoves, .acrossParents])
      // The test holds and follows the branches, whether they have children or not.
      let branches = nest.branches
      let joined = JoinNode(branches)
      let parts =
        branches.map { ShadowTree(of: $0, checker: checker) } + [
          ShadowTree(of: joined, checker: checker),
          ShadowTree(
            of: OutlineNode(nest, expansion: ExpansionState(policy: .expanded), id: \.id), checker: checker),
          ShadowTree(of: TreeFilterNode(nest) { $0.id % 3 == 0 }, checker: checker),
        ]
      for step in 0..<TestSeed.length(40) {
        // A branch does not follow a row that moves elsewhere, changes below, and returns.
        parts.forEach { $0.minimality = [] }
        script.step()
        let shown = NaiveTree(of: nest).children
        let expected = NaiveNest(script.source.values, id: id, parent: parent).trees()
        #expect(shown == expected, "script \(iteration), step \(step)")
        if shown != expected { return }
        nest.family.translation.value.checkInvariants()
        try checker.check(nest)
        try shadow.check()
        for part in parts { try part.check() }
        for position in 0..<script.source.count {
          let path = nest.path(ofSource: position)!
          #expect(nest.element(at: path) == script.source.element(at: position))
        }
      }
      for edit in SourceScript.Edit.allCases where script.tally[edit] > 0 { tally.count(edit) }
    }
    try tally.check()
  }

  private enum Edit: CaseIterable {
    case insert, remove, removeRange, adopt, release, rename, move, replaceAll, transaction, rollBack
  }

  /// A row of a tree that is edited as a user does, so that the tree is deep.
  private struct Item: Hashable, CustomStringConvertible {
    /// The identity of the row, whatever its id is.
    let serial: Int
    var id: Int
    var parent: Int?

    var description: String { "\(serial): \(id) of \(parent.map { "\($0)" } ?? "-")" }
  }

  /// Rows get other parents at random. Cycles appear and disappear, two rows get the same id, transactions are rolled
  /// back.
  @Test func parentsThatChangeAgreeWithAModel() throws {
    var tally = OperationTally<Edit>()
    for iteration in 0..<TestSeed.iterations(25) {
      var generator = TestSeed.generator("nest-node/parents", iteration: iteration)
      let source = ArrayNode<Item>([])
      let nest = NestNode(source, id: \.id, parent: \.parent)
      let shadow = ShadowTree(of: nest, id: \.serial, minimality: [.survivors, .fewestMoves, .acrossParents])
      let limit = [6, 12, 60][iteration % 3]
      var serial = 0
      var branches: [NestNode<Item, Int>] = []
      var parts: [ShadowTree<Item>] = []
      func edit(_ edit: Edit) {
        func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }
        let place = source.isEmpty ? nil : number(source.count)
        switch edit {
        case .insert:
          serial += 1
          let item = Item(serial: serial, id: number(limit), parent: number(4) == 0 ? nil : number(limit))
          source.insert(item, at: number(source.count + 1))
        case .remove: if let place { source.remove(at: place) }
        case .removeRange: source.removeSubrange(generator.range(in: source.count, longest: 4))
        case .adopt: if let place { source.update(at: place) { $0.parent = number(limit) } }
        case .release: if let place { source.update(at: place) { $0.parent = nil } }
        case .rename: if let place { source.update(at: place) { $0.id = number(limit) } }
        case .move: if let place { source.move(from: place, to: number(source.count)) }
        case .replaceAll:
          source.replaceAll(with: source.shuffled(using: &generator).dropFirst(2).map { $0 }, id: \.serial)
        case .transaction, .rollBack:
          source.performUpdates {
            for _ in 0..<number(5) { editAtRandom() }
          }
        }
      }
      func editAtRandom() {
        let next = tally.random(using: &generator)
        if next == .transaction || next == .rollBack { return }
        tally.count(next)
        edit(next)
      }
      for step in 0..<TestSeed.length(60) {
        let next = tally.random(using: &generator)
        tally.count(next)
        if next == .rollBack {
          let former = NaiveTree(of: nest)
          let deliveries = ([shadow] + parts).map(\.deliveryCount)
          #expect(throws: Stop.self) {
            try source.performUpdates {
              for _ in 0..<Int.random(in: 1...5, using: &generator) { editAtRandom() }
              throw Stop()
            }
          }
          #expect(NaiveTree(of: nest) == former)
          #expect(([shadow] + parts).map(\.deliveryCount) == deliveries, "script \(iteration), step \(step)")
        } else {
          edit(next)
        }
        let shown = NaiveTree(of: nest).children
        #expect(
          shown == NaiveNest(source.elements, id: \.id, parent: \.parent).trees(), "script \(iteration), step \(step)")
        nest.family.translation.value.checkInvariants()
        try shadow.check()
        for part in parts { try part.check() }
        if step % 5 == 0 {
          branches = nest.branches.filter { _ in Bool.random(using: &generator) }
          parts = branches.map { ShadowTree(of: $0, id: \.serial, minimality: []) }
        }
      }
      withExtendedLifetime(branches) {}
    }
    try tally.check()
  }
}

extension NestNode {
  /// All nodes of branches, at every depth.
  fileprivate var branches: [NestNode] {
    var found: [NestNode] = []
    var open = [self]
    while let node = open.popLast() {
      for position in 0..<node.count {
        guard let child = node.child(at: position) as? NestNode else { continue }
        found.append(child)
        open.append(child)
      }
    }
    return found
  }
}

extension TreeNode {
  /// The values of all children; nil for a child without a value.
  fileprivate var values: [Element?] { (0..<count).map { element(at: $0) } }
}
