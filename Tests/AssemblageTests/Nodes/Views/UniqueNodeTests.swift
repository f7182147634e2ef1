@_spi(NodeAuthors) @testable import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@Suite struct UniqueNodeTests: MisuseSuite {
  @Test func theExamplesHold() {
    let visits = ArrayNode(["Ada", "Bo", "Ada", "Cy"])
    let visitors = UniqueNode(visits) { $0 }
    #expect(visitors.elements == ["Ada", "Bo", "Cy"])
    var received: [ChangeSet] = []
    let token = visitors.observe { received.append($0) }
    visits.insert("Cy", at: 0)
    #expect(received == [ChangeSet(Delta(updates: [0..<1], moves: [.init(from: 2..<3, to: 0..<1)]))])
    visits.remove(at: 1)
    #expect(received.last == ChangeSet(Delta(updates: [2..<3], moves: [.init(from: 1..<2, to: 2..<3)])))
    #expect(visitors.elements == ["Cy", "Bo", "Ada"] && "\(visitors)" == #"UniqueNode ["Cy", "Bo", "Ada"]"#)
    #expect(UniqueNode(ArrayNode(["b", "a", "b"])) { $0 }.position(standingFor: 2) == 0)
    token.cancel()
  }

  /// An id that does not equal itself is no id: it could not be found again.
  @Test func aNotANumberIsNoID() {
    let values = ArrayNode([Double](repeating: .nan, count: 100))
    let unique = UniqueNode(values) { $0 }
    let group = GroupNode(values) { $0 }
    for _ in 0..<3 { unique.refresh() }
    #expect(unique.count == 100 && unique.state.value.table.keys.count == 1)
    #expect(group.count == 1 && group.section(at: 0).key == nil && group.section(at: 0).count == 100)
    values.removeAll()
    #expect(unique.isEmpty && group.isEmpty)
  }

  @Test func identifiableElementsNeedNoID() {
    struct Visit: Identifiable { let id: Int, hour: Int }
    let visits = ArrayNode([Visit(id: 1, hour: 8), Visit(id: 2, hour: 9), Visit(id: 1, hour: 10)])
    #expect(UniqueNode(visits).elements.map(\.hour) == [8, 9])
  }

  @Test func aNodeThatIsHiddenForAWhileStays() {
    let inner = BranchNode(value: 1, leaves: [5])
    let source = BranchNode([.node(inner), .leaf(11)])
    let unique = UniqueNode(source) { $0 % 10 }
    var received: [ChangeSet] = []
    let token = unique.observe { received.append($0) }
    source.performUpdates {
      source.move(from: 0, to: 1)
      inner.append(6)
      source.replace(at: 0, with: 12)
    }
    let nested = ChangeSet(delta: .insertion(0..<1), children: [(position: 1, change: ChangeSet(.insertion(1..<2)))])
    #expect(received == [nested] && unique.elements == [12, 1])
    token.cancel()
  }

  @Test func aChildThatIsHiddenForAWhileStays() {
    let source = ArrayNode([Row(id: 0), Row(id: 1, version: 1), Row(id: 2, version: 2)])
    let node = UniqueNode(source, id: \.version)
    var received: [ChangeSet] = []
    let token = node.observe { received.append($0) }
    source.performUpdates {
      source[1].version = 0
      source.move(from: 1, to: 2)
      source[2].version = 1
    }
    #expect(received == [ChangeSet(Delta(updates: [2..<3], moves: [.init(from: 1..<2, to: 2..<3)]))])
    source[2].version = 0
    source[2].version = 1
    #expect(received.dropFirst() == [ChangeSet(.removal(2..<3)), ChangeSet(.insertion(2..<3))], "two transactions")
    withExtendedLifetime(token) {}
  }

  /// Returns the places of a source that are the first ones with their ids.
  private func unique(_ places: [Place], _ id: (Row) -> Int?) -> [Place] {
    var seen: Set<Int> = []
    return places.filter { $0.value.flatMap(id).map { seen.insert($0).inserted } ?? true }
  }

  /// Random edits of the source. The test checks contents, mappings, and every delivery.
  @Test func scriptsAgreeWithAModel() throws {
    let ids: [(Row) -> Int?] = [{ $0.version }, { $0.id % 5 }, { $0.version == 1 ? nil : $0.id % 4 }, { $0.id }]
    var tally = OperationTally<SourceScript.Edit>()
    for iteration in 0..<TestSeed.iterations(15) {
      let script = SourceScript("unique-node/script", iteration: iteration)
      let id = ids[iteration % ids.count]
      let node = UniqueNode(script.source, id: id)
      let shadow = ShadowTree(of: node, id: \.id)
      let top = FilterNode(node) { $0.id % 3 != 0 }
      let topShadow = ShadowTree(of: top, id: \.id)
      let checker = NodeChecker<Row>(id: \.id)
      for step in 0..<TestSeed.length(60) {
        // A row that moves to another parent may be shown there, or not.
        shadow.minimality = [.fewestMoves]
        topShadow.minimality = [.fewestMoves]
        if !script.step() { shadow.minimality = .standard }
        let expected = unique(script.source.places, id)
        #expect(node.places == expected, "script \(iteration), step \(step): \(node.places), not \(expected)")
        if node.places != expected { return }
        for position in 0..<script.source.count {
          let shown = node.element(at: node.position(standingFor: position))
          let own = script.source.element(at: position)
          #expect(shown.flatMap(id) == own.flatMap(id))
        }
        try shadow.check()
        try topShadow.check()
        try checker.check(node)
      }
      for edit in SourceScript.Edit.allCases where script.tally[edit] > 0 { tally.count(edit) }
    }
    try tally.check()
  }

  /// Every list of up to five rows with three ids, and every single edit of the list. An id that is shown before and
  /// after is not reported as removed.
  @Test func everyEditOfEveryShortList() throws {
    let checker = NodeChecker<Row>(id: \.version)
    func check(
      _ versions: [Int], demanding minimality: Minimality = .standard, _ edit: (ArrayNode<Row>) -> Void
    ) throws {
      let source = ArrayNode(versions.enumerated().map { Row(id: $0, version: $1) })
      let node = UniqueNode(source) { $0.version }
      let shadow = ShadowTree(of: node, checker: checker)
      shadow.minimality = minimality
      edit(source)
      try shadow.check()
      #expect(node.elements.map(\.id) == unique(source.places) { $0.version }.map { $0.value!.id })
    }
    for count in 0...4 {
      for code in 0..<Int(pow(3, Double(count))) {
        let versions = (0..<count).map { code / Int(pow(3, Double($0))) % 3 }
        for position in 0...count {
          for version in 0..<4 {
            try check(versions) { $0.insert(Row(id: 9, version: version), at: position) }
            guard position < count else { continue }
            // A row that gets another id is still the same row.
            try check(versions, demanding: version == versions[position] ? .standard : .fewestMoves) {
              $0[position] = Row(id: position, version: version)
            }
          }
          guard position < count else { continue }
          try check(versions) { $0.remove(at: position) }
          for destination in 0..<count { try check(versions) { $0.move(from: position, to: destination) } }
          for end in position...count { try check(versions) { $0.removeSubrange(position..<end) } }
        }
      }
    }
  }

  // MARK: Reported changes

  @Test func hiddenRowsAreNotReported() {
    let source = ArrayNode([1, 2, 11, 21])
    var calls = 0
    let node = UniqueNode(source) { number in
      calls += 1
      return number % 10
    }
    var received: [ChangeSet] = []
    let token = node.observe { received.append($0) }
    source.append(31)
    source[2] = 41
    source.move(from: 3, to: 2)
    source.remove(at: 4)
    #expect(received.isEmpty && node.elements == [1, 2] && calls == 6)
    source[0] = 51
    #expect(received == [ChangeSet(.update(0..<1))])
    source[0] = 3
    #expect(node.elements == [3, 2, 21])
    let change = ChangeSet(Delta(insertions: [2..<3], updates: [0..<1]))
    #expect(received.last == change, "the row stays, and another one appears")
    token.cancel()
  }

  @Test func nodesAreNotReportedAsOneAnother() {
    let source = BranchNode<Int>([
      .node(BranchNode(value: 1, leaves: [10])), .leaf(2), .node(BranchNode(value: 1, leaves: [20, 30])),
    ])
    let node = UniqueNode(source) { $0 }
    var received: [ChangeSet] = []
    let token = node.observe { received.append($0) }
    source.remove(at: 0)
    #expect(received == [ChangeSet(Delta(removals: [0..<1], insertions: [1..<2]))])
    #expect(node[[1, 1]] == 30)
    source.insert(40, at: [1, 0])
    #expect(received.last?.paths.insertions == [[1, 0]])
    token.cancel()
  }

  @Test func anIdIsForgottenWithItsLastRow() {
    let source = ArrayNode([0, -1])
    let node = UniqueNode(source) { $0 }
    for number in 1...100 { source[0] = number }
    #expect(node.state.value.table.keys.count < 6)
  }

  // MARK: Writing, undoing

  @Test func writingGoesToTheSource() {
    let source = ArrayNode([1, 11, 2])
    let node = UniqueNode(source) { $0 % 10 }
    node.insert(3, at: [1])
    #expect(source.elements == [1, 3, 11, 2] && node.elements == [1, 3, 2])
    node.move(from: [2], to: [0])
    #expect(source.elements == [2, 1, 3, 11])
    let log = UndoLog(of: node)
    #expect(node.remove(at: [1]).value == 1 && node.elements == [2, 3, 11])
    node.replace(at: [0], with: 21)
    #expect(node.elements == [21, 3])
    log.undo()
    log.undo()
    #expect(node.elements == [2, 1, 3])
    while log.redo() {}
    #expect(node.elements == [21, 3])
    let branches = BranchNode<Int>()
    let nodes = UniqueNode(branches) { $0 }
    nodes.insert(BranchNode(value: 1), at: 0)
    nodes.insert(BranchNode(value: 1), at: 1)
    #expect(nodes.count == 1 && branches.count == 2 && nodes.source === branches)
  }

  /// Setting another id, also where the closure returns other ids by then.
  @Test func anotherIDIsTakenIn() throws {
    struct Refusal: Error {}
    let words = ArrayNode(["Ada", "ADA", "Bo", "bo", "Cy"])
    let node = UniqueNode(words) { $0 }
    var received: [ChangeSet] = []
    let token = node.observe { received.append($0) }
    node.setID { $0.lowercased() }
    #expect(node.elements == ["Ada", "Bo", "Cy"])
    #expect(received == [ChangeSet(Delta(removals: [1..<2, 3..<4]))], "what stays is not updated")
    words.remove(at: 0)
    #expect(received.last == ChangeSet(.update(0..<1)), "the next one of the id")
    var length = 2
    node.setID { $0.count == length ? nil : "" }
    #expect(node.elements == ["ADA", "Bo", "bo", "Cy"] && received.last == ChangeSet(.insertion(2..<3)))
    length = 3
    node.refresh()
    #expect(node.elements == ["ADA", "Bo"] && received.last == ChangeSet(.removal(2..<4)))
    #expect(throws: Refusal.self) {
      try node.performUpdates {
        node.setID { $0 }
        words.append("Bo")
        throw Refusal()
      }
    }
    #expect(node.elements == ["ADA", "Bo"] && received.count == 4, "taken back, and not heard of")
    withExtendedLifetime(token) {}
  }

  /// Every assignment of ids to a short list, changed to every other one, in a transaction with an edit and without.
  @Test func everyIDOfShortListsBecomesEveryOther() throws {
    let count = TestSeed.isShortened ? 3 : 4
    let tables: [[Int?]] = Exhaustive.vectors(over: [nil, 0, 1], upTo: count).filter { $0.count == count }
    let rows = (0..<count).map { Row(id: $0) }
    let shown = tables.map { table in UniqueNode<Row, Int>(ArrayNode(rows)) { table[$0.id] }.elements }
    for old in tables {
      for (new, expected) in zip(tables, shown) {
        let source = ArrayNode(rows)
        let node = UniqueNode(source) { $0.id < count ? old[$0.id] : nil }
        // The view has no ids of its own. For the view, two children with one id are one row.
        let shadow = ShadowTree(
          of: node, checker: NodeChecker<Row>(areEqual: { $0.id == $1.id && $0.version == $1.version }))
        try shadow.checkTransaction { node.setID { $0.id < count ? new[$0.id] : nil } }
        try #require(node.elements == expected, "\(old) \(new)")
        try shadow.checkTransaction {
          source.performUpdates {
            source.insert(Row(id: count), at: 2)
            node.setID { $0.id < count ? old[$0.id] : nil }
          }
        }
      }
    }
  }

  @Test func aRollbackIsSilent() {
    struct Stop: Error {}
    var modulus = 10
    let source = ArrayNode([1, 11, 2, 12, 3])
    let node = UniqueNode(source) { $0 % modulus }
    var received = 0
    let token = node.observe { _ in received += 1 }
    #expect(throws: Stop.self) {
      try node.performUpdates {
        source.remove(at: 0)
        source[1] = 5
        source.move(from: 0, to: 3)
        source.removeAll()
        modulus = 3
        throw Stop()
      }
    }
    #expect(node.elements == [1, 2, 3] && received == 0)
    token.cancel()
  }

  // MARK: Misuse

  static let misuses = [
    Misuse("was changed from a closure that must only read") {
      let source = ArrayNode([2, 1])
      let node = UniqueNode(source) { number in
        if source.count == 3 { source.removeLast() }
        return number
      }
      withExtendedLifetime(node) { source.append(3) }
    },
    Misuse("UniqueNode: its source is a ProviderNode<Int>, which cannot be written.") {
      UniqueNode(ProviderNode(count: 1) { $0 }) { $0 }.remove(at: 0)
    },
    Misuse("UniqueNode: the position 1 is out of range 0..<1.") {
      _ = UniqueNode(ArrayNode([1])) { $0 }.sourcePosition(of: 1)
    },
    Misuse("UniqueNode's source: the position -1 is out of range 0..<1.") {
      _ = UniqueNode(ArrayNode([1])) { $0 }.position(ofSource: -1)
    },
    Misuse("UniqueNode: the position 2 of an insertion is out of range 0...1.") {
      UniqueNode(ArrayNode([1])) { $0 }.insert(2, at: 2)
    },
    Misuse("UniqueNode: the range 0..<2 is out of range 0..<1.") {
      UniqueNode(ArrayNode([1])) { $0 }.forEachSpan(in: 0..<2) { _, _ in }
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
