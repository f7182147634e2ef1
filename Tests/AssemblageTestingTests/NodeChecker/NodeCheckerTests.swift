@_spi(NodeAuthors) import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@Suite struct NodeCheckerTests {
  @Test func theExampleHolds() throws {
    let checker = NodeChecker<String>()
    let friends = ArrayNode(["Al", "Bo"])
    try checker.check(friends)
    try checker.checkTransaction(of: friends) { friends.append("Cy") }
    #expect(friends.elements == ["Al", "Bo", "Cy"])
  }

  // MARK: Right nodes

  @Test func everyKindOfNodeIsRight() throws {
    let array = ArrayNode((0..<7).map { Row(id: $0) })
    let single = SingleNode(Row(id: 10))
    let provider = ProviderNode(count: 3) { Row(id: 20 + $0) }
    let branch = BranchNode(value: Row(id: 30), [.leaf(Row(id: 31)), .node(array), .node(single)])
    let join = JoinNode<Row>([array, branch, SingleNode(), provider, array])
    let filter = FilterNode(join) { $0.id % 2 == 0 }
    let checker = NodeChecker<Row>(id: \.id)
    for node in [array, single, provider, branch, join, filter] as [any TreeNode<Row>] { try checker.check(node) }
    let changes: [() -> Void] = [
      { array.move(from: 0, to: 5) }, { array.update(at: 2) { $0.version = 1 } }, { single.content = nil },
      { branch.remove(at: 1) }, { join.removeMember(at: 0) }, { filter.setPredicate { $0.id > 3 } },
      { filter.performUpdates { array.removeAll { $0.id == 4 } } },
    ]
    for change in changes { try checker.checkTransaction(of: filter, minimality: .strict, change) }
  }

  /// 2^40 places, 41 nodes.
  @Test func aNodeInManyPlacesIsCheckedOnce() throws {
    var node = BranchNode(leaves: [1])
    for _ in 0..<40 { node = BranchNode([.node(node), .node(node)]) }
    try NodeChecker<Int>().check(node)
  }

  @Test(.smallStack) func aChainOfManyLevelsIsChecked() throws {
    var node = BranchNode(leaves: [1])
    for level in 0..<min(20_000, TallTree.depth) { node = BranchNode(value: level, [.node(node)]) }
    try NodeChecker<Int>().check(node)
  }

  // MARK: Messages

  /// Reports a wrong number of children.
  private final class Miscounting: TreeNode, CustomStringConvertible {
    private let author = NodeAuthor()
    var port: NodePort { author.port }
    let count: Int
    init(_ count: Int) {
      self.count = count
      author.attach(to: self)
    }
    func element(at position: Int) -> Int? { (0..<3).contains(position) ? position : nil }
    var description: String { "Miscounting" }
  }

  private func violation(of node: any TreeNode<Int>, _ checker: NodeChecker<Int> = NodeChecker()) -> LawViolation? {
    do {
      try checker.check(node)
      return nil
    } catch {
      return error
    }
  }

  @Test func theMessageNamesLawNodePathAndCounts() throws {
    let tree = BranchNode([.leaf(9), .node(BranchNode([.node(Miscounting(4))]))])
    let found = try #require(violation(of: tree))
    #expect(found.law == .countIsEnumerated && found.path == [1, 0, 3] && found.node == "Miscounting")
    #expect(
      found.description
        == """
        Miscounting breaks law 1 (count is the number of enumerated children) at [1, 0, 3]: the count is 4, but there is neither \
        a value nor a node at 3
        """)
    let tooFew = try #require(violation(of: Miscounting(2)))
    #expect(tooFew.law == .boundsAreKept && tooFew.finding.hasSuffix("finds something at 2, of 2 children"))
    let negative = try #require(violation(of: Miscounting(-1)))
    #expect(negative.law == .countIsEnumerated && negative.finding == "the count is -1")
    #expect(violation(of: Miscounting(3)) == nil)
  }

  @Test func leavesWithoutAValueAreAQuestionOfTheNode() {
    var checker = NodeChecker<Int>()
    checker.emptyLeaves = .allowed
    #expect(violation(of: Miscounting(4), checker) == nil)
  }

  @Test func everyLawHasItsNumber() {
    #expect(NodeLaw.allCases.map(\.rawValue) == Array(1...8))
    for law in NodeLaw.allCases { #expect(law.description.hasPrefix("law \(law.rawValue) (")) }
  }

  // MARK: Reading inside a transaction

  /// Shows the children of a source, and keeps their count outside of a box.
  private final class Unboxed: TreeNode, CustomStringConvertible {
    private let author = NodeAuthor()
    var port: NodePort { author.port }
    private let source: ArrayNode<Int>
    private(set) var count: Int
    init(_ source: ArrayNode<Int>) {
      self.source = source
      count = source.count
      author.attach(to: self) { node, changes in
        node.count += changes[0].change.delta.countChange
        return changes[0].change
      }
      author.link(source, slot: 0)
    }
    func element(at position: Int) -> Int? { position < count ? source.element(at: position) : nil }
    var description: String { "Unboxed" }
  }

  @Test func stateOutsideOfABoxIsFoundInsideATransaction() throws {
    let source = ArrayNode([1])
    let node = Unboxed(source)
    let checker = NodeChecker<Int>()
    try checker.checkTransaction(of: node) { source.append(2) }
    do {
      try checker.checkReading(of: node) { source.append(3) }
      Issue.record("nothing was found")
    } catch let violation as LawViolation {
      #expect(violation.law == .deliveriesAreSettled && violation.path == [])
      #expect(violation.finding == "a read inside the transaction found 2 children instead of 3")
    }
    try checker.checkReading(of: FilterNode(source) { $0 > 1 }) { source.append(4) }
  }

  @Test func aReadIsCheckedByAllLaws() throws {
    let source = ArrayNode([1, 2])
    let violation = #expect(throws: LawViolation.self) {
      try NodeChecker().checkReading(of: Unboxed(source)) { source.removeLast() }
    }
    #expect(violation?.law == .countIsEnumerated && source.elements == [1, 2])
  }

  // MARK: Law 3

  @Test func mappingsAreCheckedBothWays() throws {
    let source = ArrayNode([1, 2, 3, 4])
    let filter = FilterNode(source) { $0 % 2 == 0 }
    let checker = NodeChecker<Int>()
    func check(toSource: (Int) -> Int?, fromSource: (Int) -> Int?) -> String {
      do {
        try checker.checkMapping(of: filter, to: source, toSource: toSource, fromSource: fromSource)
        return "right"
      } catch {
        return error.law == .mapsAreInverse ? "\(error.path): \(error.finding)" : "\(error)"
      }
    }
    let toSource = { filter.sourcePosition(of: $0) }
    let fromSource = { filter.position(ofSource: $0) }
    #expect(check(toSource: toSource, fromSource: fromSource) == "right")
    #expect(
      check(toSource: { toSource($0) + 1 }, fromSource: fromSource) == "[0]: 0 maps to 0:[2], and that back to none")
    #expect(check(toSource: { _ in 4 }, fromSource: fromSource) == "[0]: 0 maps to 0:[4], of 4 children")
    #expect(check(toSource: { $0 }, fromSource: { $0 }) == "[0]: 2 maps to 1 at 0:[0]")
    #expect(
      check(toSource: toSource, fromSource: { fromSource($0) ?? 0 })
        == "[0]: 0:[0] maps to 0, and that back to 0:[1]")
    #expect(
      check(toSource: { _ in nil }, fromSource: { _ in 2 }) == "[2]: 0:[0] maps to 2, of 2 children")
  }

  @Test func transformedValuesHaveMappingsToo() throws {
    let source = ArrayNode([1, 2, 3])
    let texts = ArrayNode(["1", "2", "3"])
    let checker = NodeChecker<String>()
    try checker.checkMapping(of: texts, to: source, toSource: { $0 }, fromSource: { $0 }) { $0 == "\($1)" }
    #expect(throws: LawViolation.self) {
      try checker.checkMapping(of: texts, to: source, toSource: { $0 }, fromSource: { $0 }) { $0 == "\($1 + 1)" }
    }
  }
}
