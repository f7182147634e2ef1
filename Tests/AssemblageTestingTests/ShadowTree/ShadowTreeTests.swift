@_spi(NodeAuthors) import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@Suite struct ShadowTreeTests {
  @Test func theExampleHolds() throws {
    let friends = ArrayNode(["Al", "Bo"])
    let shadow = ShadowTree(of: friends)
    friends.append("Cy")
    try shadow.check()
    try shadow.checkTransaction { friends.removeSubrange(..<2) }
    #expect(shadow.deliveryCount == 2 && shadow.contents == TreeSnapshot(leaves: ["Cy"]))
  }

  @Test func deliveriesAreCounted() throws {
    let array = ArrayNode([1])
    let shadow = ShadowTree(of: array)
    try shadow.expectDeliveries(0...0) { _ = array.count }
    try shadow.expectDeliveries(2...2) {
      array.append(2)
      array.append(3)
    }
    try shadow.checkTransaction { array.performUpdates { for number in 4..<9 { array.append(number) } } }
    let error = #expect(throws: LawViolation.self) {
      try shadow.checkTransaction {
        array.append(9)
        array.append(10)
      }
    }
    #expect(
      error?.law == .oneDeliveryATransaction && error?.finding == "there were 2 deliveries, where 0 to 1 should be")
    shadow.cancel()
    array.removeAll()
    #expect(shadow.deliveryCount == 5)
    #expect(throws: LawViolation.self) { try shadow.check() }
  }

  /// Reports each change that the test asks for, right or wrong.
  private final class Teller: TreeNode, CustomStringConvertible {
    private let author = NodeAuthor()
    var port: NodePort { author.port }
    var rows: [Row]
    init(_ ids: [Int]) {
      rows = ids.map { Row(id: $0) }
      author.attach(to: self)
    }
    var count: Int { rows.count }
    func element(at position: Int) -> Row? { rows.indices.contains(position) ? rows[position] : nil }
    func report(_ change: ChangeSet, _ ids: [Int]) {
      author.prepareForChange()
      rows = ids.map { Row(id: $0) }
      author.publish(change)
    }
    var description: String { "Teller" }
  }

  private func verdict(
    _ old: [Int], _ new: [Int], _ change: ChangeSet, _ minimality: Minimality = .strict
  ) -> String {
    let teller = Teller(old)
    let shadow = ShadowTree(of: teller, id: \.id, minimality: minimality)
    teller.report(change, new)
    do {
      try shadow.check()
      return "right"
    } catch {
      return "\(error.law.rawValue) \(error.path): \(error.finding)"
    }
  }

  @Test func aWrongChangeIsFound() throws {
    func verdict(_ old: [Int], _ new: [Int], _ text: String) throws -> String {
      self.verdict(old, new, try ChangeSet(recorded: text))
    }
    #expect(try verdict([1, 2], [1, 2, 3], "[+2]") == "right")
    #expect(try verdict([1, 2], [1, 2, 3], "[+0]") == "4 [1]: replaying [+0] gives 1 instead of 2")
    #expect(try verdict([1, 2], [1, 2, 3], "[~0]") == "4 []: [~0] makes 2 of 2 children, but there are 3")
    #expect(try verdict([1, 2], [1], "[-2]") == "4 []: [-2] reaches beyond the 2 children before it")
    #expect(try verdict([1], [1, 2], "[+7]") == "4 []: [+7] reaches beyond the 1 child before it")
    #expect(try verdict([1], [1, 2], "[+1; 0: [+0]]") == "4 [0]: [+0] makes 1 of 0 children, but there are 0")
    #expect(try verdict([1], [1, 2], "[+1; 7: [+0]]") == "4 []: there is a change inside the child at 7, of 2")
  }

  @Test func eachDemandOfMinimalityIsMade() throws {
    let replaced = try ChangeSet(recorded: "[-0, +0]")
    #expect(verdict([1], [1], replaced) == "5 [0]: [-0, +0] removes 1 at 0 and inserts it at 0")
    #expect(verdict([1], [1], replaced, []) == "right")
    #expect(
      verdict([1], [1], replaced, .replacedEnds) == "5 [0]: [-0, +0] replaces 0..<1 by 0..<1, and 1 at 0 by itself at 0"
    )
    #expect(verdict([1], [1], replaced, .acrossParents) == "5 [0]: [-0, +0] removes 1 at [0] and inserts it here")
    let updated = try ChangeSet(recorded: "[~0]")
    #expect(verdict([1], [1], updated) == "5 [0]: [~0] updates 1, but the value is unchanged")
    #expect(verdict([1], [1], updated, .standard) == "right")
    let exchanged = try ChangeSet(recorded: "[~0, ~1]")
    #expect(verdict([1, 2], [2, 1], exchanged).hasPrefix("5 ["), "an exchange is a move, not two updates")
    #expect(verdict([1, 2], [2, 1], exchanged, [.fewestMoves, .realUpdates]) == "right")
    #expect(verdict([1, 2], [2, 1], ChangeSet(.move(0..<1, to: 1))) == "right")
    let widened = try ChangeSet(recorded: "[-1..<4, +1..<5]")
    #expect(verdict([0, 1, 2, 3], [0, 7, 8, 9, 3], widened, .replacedEnds).hasPrefix("5 [4]: "))
    #expect(verdict([0, 1, 2, 3], [0, 7, 8, 9, 6], widened, .replacedEnds) == "right")
    // Two children with the same id cannot be distinguished.
    #expect(verdict([1, 1], [1], try ChangeSet(recorded: "[-0]")) == "right")
    #expect(verdict([1, 1], [1], try ChangeSet(recorded: "[-0..<2, +0]")).hasPrefix("5 [0]: "))
  }

  // MARK: Deep changes and transfers

  /// A row moves between two sections of one group.
  ///
  /// Before, another section arrives in that group. Afterwards, the section that holds the row now leaves the group.
  @Test func aRowMovesAlongWithASectionThatMoves() throws {
    func section(_ id: Int) -> BranchNode<Row> { BranchNode(value: Row(id: id), leaves: [Row(id: id + 1)]) }
    let root = BranchNode([
      BranchNode(value: Row(id: 0), [section(10), section(20)]),
      BranchNode(value: Row(id: 1), [section(30), section(40)]),
    ])
    let shadow = ShadowTree(of: root, id: \.id, minimality: [.standard, .acrossParents])
    root.performUpdates {
      root.move(from: [1, 0], to: [0, 1])
      root.move(from: [0, 2, 0], to: [0, 0, 0])
      root.move(from: [0, 0], to: [1, 0])
    }
    try shadow.check()
  }

  /// Rows that move between sections, sections that move between branches, and all other edits.
  @Test func transfersAreFollowedAtEveryDepth() throws {
    enum Edit: CaseIterable { case insert, remove, update, moveRow, moveSection, insertSection, removeSection, value }
    var tally = OperationTally<Edit>()
    var transferCount = 0
    for iteration in 0..<TestSeed.iterations(60) {
      var generator = TestSeed.generator("shadow-transfers", iteration: iteration)
      func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }
      var next = 0
      func fresh() -> Row {
        next += 1
        return Row(id: next)
      }
      func section() -> BranchNode<Row> {
        BranchNode(value: fresh(), leaves: (0..<random(0..<4)).map { _ in fresh() })
      }
      func group() -> BranchNode<Row> { BranchNode(value: fresh(), (0..<random(1..<4)).map { _ in section() }) }
      let root = BranchNode((0..<3).map { _ in group() })
      let join = JoinNode<Row>([ArrayNode([fresh()]), root])
      let shadows = [root as any TreeNode<Row>, join].map {
        ShadowTree(of: $0, id: \.id, minimality: [.standard, .acrossParents])
      }
      let recorder = ChangeRecorder(of: root)
      func edit(_ kind: Edit) -> Bool {
        let (from, to) = (root.child(at: random(0..<3))!, root.child(at: random(0..<3))!)
        guard let source = from.child(at: random(0..<max(1, from.count))),
          let goal = to.child(at: random(0..<max(1, to.count)))
        else { return false }
        switch kind {
        case .insert: source.insert(fresh(), at: [random(0..<source.count + 1)])
        case .remove:
          guard source.count > 0 else { return false }
          source.remove(at: [random(0..<source.count)])
        case .update:
          guard source.count > 0, var row = source.element(at: 0) else { return false }
          row.version += 1
          source.replace(at: [0], with: row)
        case .moveRow:
          guard source.count > 0, source !== goal else { return false }
          let path = [place(of: from, in: root), place(of: source, in: from), random(0..<source.count)]
          let destination = [place(of: to, in: root), place(of: goal, in: to), random(0..<goal.count + 1)]
          root.move(from: IndexPath(indexes: path), to: IndexPath(indexes: destination))
        case .moveSection:
          guard from !== to else { return false }
          let path: IndexPath = [place(of: from, in: root), place(of: source, in: from)]
          root.move(from: path, to: [place(of: to, in: root), random(0..<to.count + 1)])
        case .insertSection:
          guard let branch = to as? BranchNode<Row> else { return false }
          branch.insert(.node(section()), at: random(0..<to.count + 1))
        case .removeSection:
          guard from.count > 1 else { return false }
          from.remove(at: [random(0..<from.count)])
        case .value:
          guard let branch = source as? BranchNode<Row>, var row = branch.value else { return false }
          row.version += 1
          branch.value = row
        }
        return true
      }
      for _ in 0..<TestSeed.length(12) {
        let steps = random(1..<6)
        root.performUpdates {
          for _ in 0..<steps {
            let kind = tally.random(using: &generator)
            if edit(kind) { tally.count(kind) }
          }
        }
        for shadow in shadows { try shadow.check() }
      }
      transferCount += recorder.recording.reduce(0) { $0 + $1.transfers.count }
      // The recorded text is parsed to an equal recording.
      #expect(try ChangeRecording(recorder.recording.description) == recorder.recording)
    }
    try tally.check()
    #expect(transferCount > 0)
  }

  private func place(of child: any TreeNode<Row>, in parent: any TreeNode<Row>) -> Int {
    (0..<parent.count).first { parent.child(at: $0) === child }!
  }

  @Test(.smallStack) func aChangeAtTheEndOfAChainIsFollowed() throws {
    let end = BranchNode(leaves: [1])
    var node = end
    for level in 0..<min(20_000, TallTree.depth) { node = BranchNode(value: level, [.node(node)]) }
    let shadow = ShadowTree(of: node, id: { $0 }, minimality: .strict)
    try shadow.checkTransaction { end.append(.leaf(2)) }
    #expect(shadow.deliveryCount == 1)
  }

  // MARK: During deliveries

  @Test func observersMayChangeTheGraph() throws {
    let array = ArrayNode([1, 2, 3])
    let even = FilterNode(array) { $0 % 2 == 0 }
    let token = array.observe { _ in
      if array.count < 6 { array.append(array.count + 1) }
    }
    let shadow = ShadowTree(of: even, id: { $0 })
    array.remove(at: 0)
    try shadow.check()
    #expect(even.elements == [2, 4, 6].filter { array.elements.contains($0) })
    token.cancel()
  }

  @Test func checksOfYourOwnRunDuringDeliveries() throws {
    struct Failure: Error {}
    let array = ArrayNode([1])
    let shadow = ShadowTree(of: array)
    var counts: [Int] = []
    shadow.duringDelivery = { counts.append(array.count) }
    array.append(2)
    try shadow.check()
    #expect(counts == [2])
    shadow.duringDelivery = { throw Failure() }
    array.append(3)
    let error = #expect(throws: LawViolation.self) { try shadow.check() }
    #expect(error?.law == .deliveriesAreSettled && error?.finding == "during the delivery of [+2]: Failure()")
  }

  @Test func aShadowIsReleasedWithItsObservation() throws {
    try withLifetimeTracking { tracker in
      let array = ArrayNode(tracker.track(0..<3))
      tracker.expectRelease(of: array, "the node")
      let shadow = ShadowTree(of: array, checker: NodeChecker { $0 === $1 })
      tracker.expectRelease(of: shadow, "the shadow")
      array.removeLast()
      try shadow.check()
    }
  }
}
