@_spi(NodeAuthors) @testable import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@Suite struct GroupNodeTests: MisuseSuite {
  @Test func theExampleHolds() {
    let words = ArrayNode(["bee", "ant", "bat", "ape"])
    let letters = GroupNode(words) { $0.first }
    #expect(letters.count == 2 && letters.key(ofSection: 0) == "b")
    #expect(letters[[0, 1]] == "bat" && letters.place(ofSource: 2) == (section: 0, row: 1))
    var received: [ChangeSet] = []
    let token = letters.observe { received.append($0) }
    words.append("cat")
    #expect(received == [ChangeSet(.insertion(2..<3))])
    words[0] = "ace"
    // The first row of "a" is now the first row of all.
    let change = ChangeSet(
      delta: .move(1..<2, to: 0),
      children: [(0, ChangeSet(.insertion(0..<1))), (1, ChangeSet(.removal(0..<1)))],
      transfers: [.init(from: [0, 0], to: [0, 0], change: ChangeSet(updatesValue: true))])
    #expect(received.last == change)
    #expect(letters.section(at: 0).elements == ["ace", "ant", "ape"])
    token.cancel()
  }

  @Test func theRangesOfSectionsAreThoseOfTheFlatList() {
    let letters = GroupNode(ArrayNode(["bee", "ant", "bat", "cow"])) { $0.first }
    let flat = FlattenNode(letters)
    for ordinal in 0..<letters.count {
      #expect(letters.flatRange(ofSection: ordinal) == flat.range(ofMember: ordinal))
    }
    #expect(letters.flatRange(ofSection: 1) == 2..<3)
  }

  @Test func typesAreInferredWithoutOptionals() {
    let numbers = ArrayNode([1, 2, 3])
    #expect(type(of: GroupNode(ArrayNode([1, 2])) { $0 % 2 }) == GroupNode<Int, Int>.self)
    #expect(type(of: GroupNode(numbers, sectionsBy: { $0 < $1 }) { $0 % 2 }) == GroupNode<Int, Int>.self)
    #expect(type(of: GroupNode(numbers, sectionsBy: >, by: \.description)) == GroupNode<Int, String>.self)
    #expect(type(of: GroupNode(numbers) { $0 > 2 }) == GroupNode<Int, Bool>.self)
    #expect(type(of: GroupNode(numbers) { $0 > 2 ? $0 : nil }) == GroupNode<Int, Int>.self)
    #expect(type(of: GroupNode(ArrayNode(["bee"])) { $0.first }) == GroupNode<String, Character>.self)
  }

  @Test func theExampleOfASectionHolds() {
    let letters = GroupNode(ArrayNode(["ant", "bee", "ape"])) { $0.first }
    let a = letters.section(at: 0)
    #expect(a.key == "a" && a.elements == ["ant", "ape"] && a.sourcePosition(of: 1) == 2)
    #expect(a.position(ofSource: 2) == 1 && a.position(ofSource: 1) == nil)
    #expect(letters.sourcePosition(of: 0, inSection: 1) == 1 && letters.ordinal(ofKey: "b") == 1)
    #expect(letters.ordinal(ofKey: "z") == nil && letters.ordinal(ofKey: nil) == nil)
    #expect("\(letters)" == "GroupNode [(2 children), (1 child)]" && "\(a)" == #"GroupSection("a") ["ant", "ape"]"#)
    #expect(letters.section(at: 0) === a && letters.child(at: 2) == nil)
  }

  // MARK: Scripts

  private typealias Order = (Int, Int) -> Bool

  /// Returns the sections that a group of a source should show.
  private func groups(
    _ source: any TreeNode<Row>, _ key: (Row) -> Int?, _ order: Order?, _ rowOrder: SortNode<Row>.Comparator?,
    hasHeaders: Bool
  ) -> [NaiveTree<Row>] {
    var rows = NaiveTree(of: source).children
    if let rowOrder {
      rows = rows.filter { $0.value != nil }.sorted { rowOrder($0.value!, $1.value!) } + rows.filter { $0.value == nil }
    }
    var keys: [Int] = []
    for case let key? in rows.map({ $0.value.flatMap(key) }) where !keys.contains(key) { keys.append(key) }
    if let order { keys.sort(by: order) }
    var sections = keys.map { section in
      NaiveTree(
        value: hasHeaders ? Row(id: -1 - section) : nil,
        children: rows.filter { $0.value.flatMap(key) == .some(section) })
    }
    let rest = rows.filter { $0.value.flatMap(key) == nil }
    if !rest.isEmpty { sections.append(NaiveTree(value: nil, children: rest)) }
    return sections
  }

  /// Random edits of the source, other keys and other orders.
  ///
  /// The test checks contents, mappings, and every delivery to the group, to its sections, and to nodes that derive
  /// from them.
  @Test func scriptsAgreeWithAModel() throws {
    let keys: [(Row) -> Int?] = [{ $0.version }, { $0.id % 3 }, { $0.version == 1 ? nil : $0.id % 2 }, { _ in 7 }]
    let orders: [Order?] = [nil, { $0 < $1 }, { $0 > $1 }, { $0 % 2 < $1 % 2 }]
    let rowOrders: [SortNode<Row>.Comparator?] = [nil, nil, { $0.id > $1.id }]
    var tally = OperationTally<SourceScript.Edit>()
    for iteration in 0..<TestSeed.iterations(10) {
      let script = SourceScript("group-node/script", iteration: iteration)
      script.showsAll = iteration % 4 < 2
      script.hidesSections = true
      var (key, order) = (keys[iteration % 4], orders[script.random(0...3)])
      let rowOrder = rowOrders[iteration % 3]
      let hasHeaders = iteration % 2 == 0
      let group = GroupNode(
        script.source, sectionsBy: order, rowsBy: rowOrder, header: hasHeaders ? { Row(id: -1 - $0) } : nil, by: key)
      let checker = NodeChecker<Row>(id: \.id)
      let shadow = ShadowTree(of: group, id: \.id, minimality: [.survivors, .fewestMoves, .acrossParents])
      // The test holds, follows and joins the sections, whether they are shown or not.
      let sections = (0..<group.count).map { group.section(at: $0) }
      let top = JoinNode(sections)
      let rowShadows = sections.map { ShadowTree(of: $0, id: \.id) } + [ShadowTree(of: top, id: \.id)]
      var shadows = rowShadows
      shadows.append(
        ShadowTree(
          of: FilterNode(group) { $0.id % 2 == 0 }, id: \.id, minimality: script.showsAll ? .fewestMoves : .standard))
      for step in 0..<TestSeed.length(40) {
        let isComposite: Bool
        switch script.random(0...19) {
        case 0:
          order = orders[script.random(0...3)]
          group.setSectionComparator(order)
          isComposite = false
        case 1:
          key = keys[script.random(0...3)]
          group.setKey(key)
          isComposite = false
        default:
          // A row may move below another section's row, and return with the next edit. A section, and a join of some
          // sections, do not follow such a row. That is a fault of theirs, not an exception of the law.
          rowShadows.forEach { $0.minimality = .fewestMoves }
          isComposite = script.step()
        }
        let expected = groups(script.source, key, order, rowOrder, hasHeaders: hasHeaders)
        let shown = NaiveTree(of: group).children
        #expect(shown == expected, "script \(iteration), step \(step), composite: \(isComposite)")
        if shown != expected { return }
        try checker.check(group)
        for shadow in shadows + [shadow] { try shadow.check() }
        rowShadows.forEach { $0.minimality = .standard }
        for position in 0..<group.source.count {
          let (section, row) = group.place(ofSource: position)
          #expect(group.sourcePosition(of: row, inSection: section) == position)
        }
      }
      for edit in SourceScript.Edit.allCases where script.tally[edit] > 0 { tally.count(edit) }
    }
    try tally.check()
  }

  private enum StayEdit: CaseIterable {
    case insert, remove, rekey, move, order, rollBack
  }

  /// The edits of a body that is rolled back.
  private enum RollBack: CaseIterable {
    case edits, setting
    /// The group is settled between the edits.
    case editsAndSettings
  }

  private struct Stop: Error {}

  /// Empty sections that stay. Their order depends on the times at which they lost their last rows.
  ///
  /// A rollback removes sections that have arrived in the body, unless the body has settled the group.
  @Test func emptySectionsStay() throws {
    var tally = OperationTally<StayEdit>()
    let orders: [Order?] = [nil, { $0 < $1 }, { $0 % 2 > $1 % 2 }]
    for iteration in 0..<TestSeed.iterations(20) {
      var generator = TestSeed.generator("group-node/stay", iteration: iteration)
      let source = ArrayNode<Row>([])
      var order = orders[iteration % 3]
      let group = GroupNode(source, sectionsBy: order, emptySections: .keep) { $0.version }
      let shadow = ShadowTree(of: group, id: \.id)
      // The known keys, each with the time at which its section lost its last row: a hundred units a step.
      var seen: [Int: Int] = [:]
      var id = 0
      func edit(_ operation: StayEdit) {
        let version = Int.random(in: 0...4, using: &generator)
        let place = source.indices.randomElement(using: &generator)
        switch operation {
        case .insert:
          id += 1
          source.insert(Row(id: id, version: version), at: Int.random(in: 0...source.count, using: &generator))
        case .remove: if let place { source.remove(at: place) }
        case .rekey: if let place { source[place] = Row(id: source[place].id, version: version) }
        case .move:
          if let place { source.move(from: place, to: Int.random(in: 0..<source.count, using: &generator)) }
        case .order:
          order = orders[Int.random(in: 0...2, using: &generator)]
          group.setSectionComparator(order)
        case .rollBack: break
        }
      }
      for step in 0..<TestSeed.length(60) {
        let operation = tally.random(using: &generator)
        tally.count(operation)
        shadow.minimality = .standard
        if operation == .rollBack {
          let (former, formerRows, formerOrder) = (NaiveTree(of: group).children, source.elements, order)
          let formerKeys = (0..<group.count).map { group.key(ofSection: $0)! }
          let deliveries = shadow.deliveryCount
          let kind = RollBack.allCases.randomElement(using: &generator)!
          if kind != .edits { shadow.minimality = [] }
          #expect(throws: Stop.self) {
            try group.performUpdates {
              let count = Int.random(in: 1...5, using: &generator)
              switch kind {
              case .edits:
                let edits: [StayEdit] = [.insert, .remove, .rekey, .move]
                for _ in 0..<count { edit(edits.randomElement(using: &generator)!) }
              case .setting: if count > 2 { edit(.order) } else { group.setKey { $0.id % 7 } }
              case .editsAndSettings:
                edit(.insert)
                group.setKey { $0.id % 7 }
                for _ in 0..<count { edit(tally.random(using: &generator)) }
              }
              throw Stop()
            }
          }
          order = formerOrder
          #expect(source.elements == formerRows)
          func shownKeys() -> [Int] { (0..<group.count).map { group.key(ofSection: $0)! } }
          if kind != .edits {
            #expect(Set(shownKeys()).isSuperset(of: formerKeys))
            // Without a comparator, their order shows in which order they lost their rows when the body was rolled
            // back.
            group.setSectionComparator(nil)
            for (ordinal, key) in shownKeys().enumerated() where group.section(at: ordinal).isEmpty {
              seen[key] = step * 100 + ordinal
            }
            group.setSectionComparator(order)
          } else {
            let isSilent = shadow.deliveryCount == deliveries
            #expect(NaiveTree(of: group).children == former && isSilent && shownKeys() == formerKeys)
          }
        } else {
          edit(operation)
        }
        for row in source.elements { seen[row.version] = -1 }
        for (key, emptied) in seen where !source.elements.contains(where: { $0.version == key }) && emptied < 0 {
          seen[key] = step * 100
        }
        let first = Dictionary(source.elements.enumerated().map { ($1.version, $0) }, uniquingKeysWith: min)
        let keys = seen.keys.sorted { left, right in
          if let order, order(left, right) || order(right, left) { return order(left, right) }
          return (first[left] ?? .max, seen[left]!) < (first[right] ?? .max, seen[right]!)
        }
        #expect((0..<group.count).map { group.key(ofSection: $0) } == keys, "script \(iteration), step \(step)")
        for (ordinal, key) in keys.enumerated() {
          #expect(group.section(at: ordinal).elements == source.elements.filter { $0.version == key })
        }
        try shadow.check()
      }
    }
    try tally.check()
  }

  // MARK: Reported changes

  @Test func aRowThatChangesItsKeyIsTransferred() {
    let source = ArrayNode([1, 2, 11, 12])
    let group = GroupNode(source, sectionsBy: <) { $0 % 10 }
    let (ones, twos) = (group.section(at: 0), group.section(at: 1))
    let joined = JoinNode([ones, twos])
    let branch = BranchNode([twos, ones])
    var received: [String: ChangeSet] = [:]
    let tokens = [
      group.observe { received["group"] = $0 }, ones.observe { received["ones"] = $0 },
      joined.observe { received["join"] = $0 },
      branch.observe { received["branch"] = $0 },
    ]
    source[2] = 22
    #expect(received["group"]?.transfers == [.init(from: [0, 1], to: [1, 1], change: ChangeSet(updatesValue: true))])
    #expect(received["ones"] == ChangeSet(.removal(1..<2)))
    #expect(received["join"] == ChangeSet(Delta(updates: [2..<3], moves: [.init(from: 1..<2, to: 2..<3)])))
    #expect(received["branch"]?.transfers == [.init(from: [1, 1], to: [0, 1], change: ChangeSet(updatesValue: true))])
    received = [:]
    source[0] = 32
    #expect(group.count == 1 && ones.isEmpty && ones.key == 1, "the section left with its last row")
    #expect(received["group"]?.delta == .removal(0..<1))
    #expect(received["group"]?.transfers == [.init(from: [0, 0], to: [0, 0], change: ChangeSet(updatesValue: true))])
    source.append(41)
    #expect(group.section(at: 0) === ones && ones.elements == [41], "and came back as the same object")
    #expect(received["ones"] == ChangeSet(.insertion(0..<1)))
    withExtendedLifetime(tokens) {}
  }

  @Test func otherSectionsHearNothing() {
    let source = ArrayNode(0..<1_000)
    let group = GroupNode(source) { $0 % 100 }
    var received = 0
    let tokens = (0..<group.count).map { group.section(at: $0).observe { _ in received += 1 } }
    source.append(1_005)
    source[0] = 2_000
    source.remove(at: 7)
    #expect(received == 3)
    source[1] = 0
    #expect(received == 5)
    withExtendedLifetime(tokens) {}
  }

  @Test func keysAreAskedForOnceForEachRowThatComesOrChanges() {
    var calls = 0
    let source = ArrayNode(0..<100)
    let group = GroupNode(source) { number in
      calls += 1
      return number % 7
    }
    #expect(calls == 100)
    source.append(3)
    source[50] = 4
    source.remove(at: 0)
    source.move(from: 0, to: 40)
    #expect(calls == 102)
    group.setSectionComparator(>)
    #expect(calls == 102 && group.key(ofSection: 0) == 6)
  }

  @Test func objectsThatChangedAreGroupedAgain() {
    final class Item {
      var shelf: Int
      init(_ shelf: Int) { self.shelf = shelf }
    }
    let items = [1, 2, 1].map(Item.init)
    let source = ArrayNode(items)
    let group = GroupNode(source, sectionsBy: <) { $0.shelf }
    var received: [ChangeSet] = []
    let token = group.observe { received.append($0) }
    items[2].shelf = 2
    group.refresh()
    #expect(received.count == 1 && received[0].transfers == [.init(from: [0, 1], to: [1, 1])])
    #expect(group.section(at: 1).elements.map(\.shelf) == [2, 2])
    // The rollback returns the row to its former section, whatever its shelf is now.
    struct Stop: Error {}
    items[0].shelf = 1
    #expect(throws: Stop.self) {
      try group.performUpdates {
        source.remove(at: 0)
        items[0].shelf = 2
        throw Stop()
      }
    }
    #expect(group.count == 2 && group.place(ofSource: 0) == (section: 0, row: 0) && received.count == 1)
    token.cancel()
  }

  @Test func aChangeOfTheSourceIsUndone() {
    let source = ArrayNode([1, 2, 11])
    let group = GroupNode(source, sectionsBy: <) { $0 % 10 }
    let log = UndoLog(of: group)
    source[2] = 3
    group.remove(at: [0, 0])
    group.setSectionComparator(>)
    #expect(log.undoCount == 2 && group.count == 2, "the order is how the data are shown")
    log.undo()
    log.undo()
    #expect(NaiveTree(of: group).children == [NaiveTree(leaves: [2]), NaiveTree(leaves: [1, 11])])
    while log.redo() {}
    #expect(NaiveTree(of: group).children == [NaiveTree(leaves: [3]), NaiveTree(leaves: [2])])
  }

  // MARK: Writing

  @Test func writingGoesToTheSource() {
    let source = ArrayNode([1, 2, 11, 12])
    let group = GroupNode(source, sectionsBy: <) { $0 % 10 }
    group.insert(21, at: [0, 1])
    #expect(source.elements == [1, 21, 2, 11, 12])
    group.insert(32, at: [0, 0])
    #expect(source.elements == [32, 1, 21, 2, 11, 12] && group[[1, 0]] == 32, "its key says where it stands")
    #expect(group.remove(at: [1, 2]).value == 12)
    group.replace(at: [0, 1], with: 3)
    #expect(group.count == 3 && group[[2, 0]] == 3)
    group.move(from: [0, 0], to: [0, 1])
    #expect(source.elements == [32, 3, 2, 11, 1])
    #expect(group.writer == nil)
  }

  // MARK: Memory and misuse

  @Test func keysOfSectionsThatAreGoneAreForgotten() {
    let source = ArrayNode([0])
    let group = GroupNode(source) { $0 }
    let first = group.section(at: 0)
    for number in 1...100 { source[0] = number }
    #expect(first.isEmpty && group.byteCount < 4_000)
    source[0] = 0
    #expect(group.section(at: 0) === first)
  }

  @Test func theIndexTakesLittleMemory() {
    let source = ArrayNode((0..<20_000).map { $0 &* 7_919 % 20_011 })
    let group = GroupNode(source) { $0 % 200 }
    #expect(group.byteCount <= 24 * source.count)
    for step in 0..<2_000 { source.insert(step, at: step * 5) }
    // Leaves that were divided are half full.
    #expect(group.byteCount <= 30 * source.count, "\(Double(group.byteCount) / Double(source.count))")
  }

  static let misuses = [
    Misuse("was changed from a closure that must only read") {
      let source = ArrayNode([2, 1])
      let group = GroupNode(source) { number in
        if source.count == 3 { source.removeLast() }
        return number
      }
      withExtendedLifetime(group) { source.append(3) }
    },
    Misuse("GroupSection: its source is a ProviderNode<Int>, which cannot be written.") {
      GroupNode(ProviderNode(count: 1) { $0 }) { $0 }.section(at: 0).remove(at: 0)
    },
    Misuse("GroupNode: the position 1 is out of range 0..<1.") { _ = GroupNode(ArrayNode([1])) { $0 }.section(at: 1) },
    Misuse("The path [0] leads into a GroupNode<") { GroupNode(ArrayNode([1])) { $0 }.insert(2, at: [0]) },
    Misuse("GroupNode: the position -1 is out of range 0..<1.") {
      _ = GroupNode(ArrayNode([1])) { $0 }.key(ofSection: -1)
    },
    Misuse("GroupNode's source: the position 1 is out of range 0..<1.") {
      _ = GroupNode(ArrayNode([1])) { $0 }.place(ofSource: 1)
    },
    Misuse("GroupNode's section: the position 1 is out of range 0..<1.") {
      _ = GroupNode(ArrayNode([1])) { $0 }.sourcePosition(of: 1, inSection: 0)
    },
    Misuse("GroupSection: the position 2 of an insertion is out of range 0...1.") {
      GroupNode(ArrayNode([1])) { $0 }.section(at: 0).insert(1, at: 2)
    },
    Misuse("GroupSection: the range 0..<2 is out of range 0..<1.") {
      GroupNode(ArrayNode([1])) { $0 }.section(at: 0).forEachSpan(in: 0..<2) { _, _ in }
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
