import Assemblage
import AssemblageTesting
import TestSupport
import Testing

@Suite struct PropertyNodeTests: MisuseSuite {
  private final class Person {
    var friends = ["Al", "Bo"]
  }

  private final class Table {
    var rows: [Row]
    /// The setter's transformation of a new value.
    var filter: ([Row]) -> [Row] = { $0 }
    var changes = 0

    init(_ rows: [Row]) { self.rows = rows }

    var filtered: [Row] {
      get { rows }
      set {
        changes += 1
        rows = filter(newValue)
      }
    }
  }

  private struct Stop: Error {}

  private static func rows(_ ids: [Int]) -> [Row] { ids.map { Row(id: $0) } }

  @Test func theExampleHolds() {
    let person = Person()
    let friends = PropertyNode(person, \.friends)
    friends.insert("Cy", at: 2)
    #expect(person.friends == ["Al", "Bo", "Cy"])
    person.friends.removeFirst()
    #expect(friends.elements == ["Al", "Bo", "Cy"])
    var received: [Delta] = []
    let token = friends.observe { received.append($0.delta) }
    friends.refresh()
    friends.refresh()
    #expect(received == [.removal(0..<1)] && friends.elements == ["Bo", "Cy"])
    #expect(friends.description == #"PropertyNode ["Bo", "Cy"]"# && friends.value == nil)
    #expect(friends.element(at: 2) == nil && friends.element(at: -1) == nil && friends.child(at: 0) == nil)
    token.cancel()
  }

  /// Every edit of every short list, after every unannounced change by the owner to another short list.
  @Test func everyEditAfterEveryUnannouncedChange() throws {
    let checker = NodeChecker<Row>(id: \.id)
    let lists = [[], [0], [1], [0, 1], [1, 0], [0, 2, 1], [2, 1, 0], [3, 1], [0, 1, 2], [2, 3, 0, 4, 1]]
    for old in lists {
      for new in lists {
        for position in 0...old.count {
          func check(_ edit: (PropertyNode<Row>) -> Void, _ expected: ([Int]) -> [Int]) throws {
            let table = Table(Self.rows(old))
            let node = PropertyNode(table, \.rows, id: \.id)
            let filter = FilterNode(node) { $0.id % 2 == 0 }
            let shadow = ShadowTree(of: filter, checker: checker)
            table.rows = Self.rows(new)
            try checker.checkTransaction(of: node) { edit(node) }
            #expect(table.rows.map(\.id) == expected(new), "\(old) → \(new) at \(position)")
            #expect(node.elements == table.rows)
            try checker.check(node)
            try shadow.check()
          }
          let next = old[position...].first { new.contains($0) }
          try check({ $0.insert(Row(id: 9), at: position) }) { list in
            var list = list
            list.insert(9, at: next.map { list.firstIndex(of: $0)! } ?? list.count)
            return list
          }
          guard position < old.count else { continue }
          let id = old[position]
          try check({ #expect($0.remove(at: position).value?.id == id) }) { $0.filter { $0 != id } }
          try check({ $0.replace(at: position, with: Row(id: 9)) }) { $0.map { $0 == id ? 9 : $0 } }
          for destination in old.indices where destination != position {
            try check({ $0.move(from: position, to: destination) }) { list in
              guard let place = list.firstIndex(of: id) else { return list }
              var list = list
              list.insert(list.remove(at: place), at: min(destination, list.count))
              return list
            }
          }
        }
      }
    }
  }

  /// The node shows and reports the setter's result, not the edit itself.
  @Test func theSetterHasTheLastWord() throws {
    let table = Table(Self.rows([3, 5]))
    let node = PropertyNode(table, \.filtered, id: \.id)
    let shadow = ShadowTree(of: node, checker: NodeChecker<Row>(id: \.id))
    table.filter = { $0.sorted { $0.id < $1.id } }
    var received: [Delta] = []
    let token = node.observe { received.append($0.delta) }
    node.insert(Row(id: 4), at: 0)
    #expect(received == [.insertion(1..<2)] && node.elements == Self.rows([3, 4, 5]))
    table.filter = { _ in table.rows }
    node.remove(at: 1)
    #expect(received.count == 1 && node.elements == table.rows && table.changes == 2)
    try shadow.check()
    token.cancel()
  }

  /// An owner that reports every change, also the changes that the node makes.
  @Test func theOwnersOwnReportIsReceivedOnce() {
    final class Teller {
      var rows = [1, 2] { didSet { node?.refresh() } }
      unowned(safe) var node: PropertyNode<Int>?
    }
    let teller = Teller()
    let node = PropertyNode(teller, \.rows, holding: .unowned)
    teller.node = node
    var received: [Delta] = []
    let token = node.observe { received.append($0.delta) }
    node.insert(1, at: 0)
    teller.rows.append(7)
    #expect(received == [.insertion(0..<1), .insertion(3..<4)] && node.elements == [1, 1, 2, 7])
    token.cancel()
  }

  /// The setter edits another node while an element moves out of the property.
  @Test func anEditOfTheSetterIsNoEndOfTheMove() throws {
    final class Box {
      var recent: ArrayNode<String>?
      var items = ["x"] { didSet { if items.isEmpty { recent?.remove(at: 0) } } }
    }
    let box = Box()
    let (recent, goal) = (ArrayNode(["r"]), ArrayNode(["g"]))
    box.recent = recent
    let items = PropertyNode(box, \.items)
    let root = BranchNode<String>([recent, items, goal])
    let recorder = ChangeRecorder(of: root)
    try recorder.expecting(["[; 0: [-0]; 1: [-0]; 2: [+0]] {[1, 0]→[2, 0]}"]) {
      root.move(from: [1, 0], to: [2, 0])
    }
    #expect(recent.isEmpty && items.isEmpty && goal.elements == ["x", "g"])
  }

  @Test func rollbackAndUndoSetTheProperty() {
    let table = Table(Self.rows([0, 1, 2]))
    let node = PropertyNode(table, \.rows, id: \.id)
    let filter = FilterNode(node) { $0.id != 1 }
    var deliveries = 0
    let token = filter.observe { _ in deliveries += 1 }
    let log = UndoLog(of: node)
    #expect(throws: Stop.self) {
      try node.performUpdates {
        filter.replace(at: 1, with: Row(id: 7))
        node.move(from: 0, to: 2)
        table.rows.append(Row(id: 8))
        table.rows[0].version = 3
        node.refresh()
        node.update(at: 0)
        throw Stop()
      }
    }
    #expect(table.rows == Self.rows([0, 1, 2]) && node.elements == table.rows && deliveries == 0)
    node.remove(at: 2)
    table.rows[0].version = 1
    node.refresh()
    #expect(log.undo() && table.rows == Self.rows([0, 1]))
    #expect(log.undo() && table.rows == Self.rows([0, 1, 2]) && node.elements == table.rows)
    #expect(log.redo() && log.redo() && table.rows == [Row(id: 0, version: 1), Row(id: 1)])
    #expect(node.elements == table.rows && filter.elements == [Row(id: 0, version: 1)])
    token.cancel()
  }

  /// A setter that cannot restore the former value. Observers are notified of the final value.
  @Test func observersFollowWhatCannotBeRolledBack() throws {
    let table = Table(Self.rows([0, 1, 2]))
    let node = PropertyNode(table, \.filtered, id: \.id)
    let shadow = ShadowTree(of: node, checker: NodeChecker<Row>(id: \.id), minimality: [])
    #expect(throws: Stop.self) {
      try node.performUpdates {
        node.remove(at: 1)
        table.filter = { $0.filter { $0.id != 1 } }
        throw Stop()
      }
    }
    #expect(node.elements == Self.rows([0, 2]) && table.rows == node.elements)
    try shadow.check()
  }

  /// The setter keeps fewer elements than an undo restores. The undo before it does not fit any more.
  @Test func anUndoThatDoesNotFitIsNotMade() throws {
    let table = Table(Self.rows([0, 1, 2]))
    let node = PropertyNode(table, \.filtered, id: \.id)
    let shadow = ShadowTree(of: node, checker: NodeChecker<Row>(id: \.id), minimality: [])
    let log = UndoLog(of: node)
    node.insert(Row(id: 3), at: 3)
    node.remove(at: 0)
    table.filter = { Array($0.prefix(3)) }
    log.undo()
    log.undo()
    #expect(node.elements == Self.rows([0, 1, 2]) && table.rows == node.elements)
    try shadow.check()
  }

  /// The same where the setter keeps as many elements.
  @Test func anUndoThatDoesNotFitIsNotMadeWithTheSameCount() {
    let table = Table(Self.rows([0, 1, 2]))
    let node = PropertyNode(table, \.filtered, id: \.id)
    let log = UndoLog(of: node)
    node.insert(Row(id: 3), at: 0)
    node.remove(at: 3)
    table.filter = { $0.sorted { $0.id < $1.id } }
    log.undo()
    log.undo()
    #expect(node.elements == Self.rows([0, 1, 2, 3]) && table.rows == node.elements)
  }

  private final class Watched {
    var nodes: [PropertyNode<String>] = []
    var friends = ["a", "b", "c"] { didSet { for node in nodes { node.refresh() } } }
  }

  /// Two nodes of one property, each of which reads the property when the other one sets it.
  @Test func twoNodesOfAPropertyAreOneChange() throws {
    let person = Watched()
    person.nodes = [PropertyNode(person, \.friends), PropertyNode(person, \.friends)]
    let both = JoinNode(person.nodes)
    let shadow = ShadowTree(of: both, minimality: [])
    try? both.performUpdates {
      person.friends = ["b", "c", "a"]
      throw CancellationError()
    }
    try shadow.check()
    #expect(person.friends == ["a", "b", "c"] && both.elements == person.friends + person.friends)
    let log = UndoLog(of: both)
    var calls = 0
    let token = both.observe { _ in
      calls += 1
      if person.friends.count == 4 { person.nodes[0].insert("e", at: 4) }
    }
    person.nodes[0].insert("d", at: 3)
    #expect(calls == 2 && log.undoCount == 2 && both.count == 10)
    token.cancel()
    #expect(log.undo() && log.undo())
    #expect(person.friends == ["a", "b", "c"] && both.elements == person.friends + person.friends)
    try shadow.check()
  }

  /// The owner has changed an element without a report, and the element moves to another node.
  @Test func anElementMovesAsItIs() {
    let table = Table(Self.rows([0, 1]))
    let node = PropertyNode(table, \.filtered, id: \.id)
    let others = ArrayNode<Row>([])
    let root = BranchNode<Row>([node, others])
    table.rows[0].version = 5
    root.move(from: [0, 0], to: [1, 0])
    #expect(others.elements == [Row(id: 0, version: 5)] && table.rows == Self.rows([1]))
  }

  /// Random edits by the node and by the owner, announced or not, compared with a plain array.
  @Test func randomScriptsFollowAPlainArray() throws {
    var tally = OperationTally(kinds: ["insert", "remove", "replace", "move", "notify", "rollback", "update"])
    for iteration in 0..<TestSeed.iterations(40) {
      var generator = TestSeed.generator("property-node", iteration: iteration)
      let table = Table(Self.rows(Array(0..<Int.random(in: 0..<6, using: &generator))))
      let node = PropertyNode(table, \.rows, id: \.id)
      let sorted = SortNode(node) { $0.id > $1.id }
      let checker = NodeChecker<Row>(id: \.id)
      let shadows = [ShadowTree(of: node, checker: checker), ShadowTree(of: sorted, checker: checker)]
      var model = table.rows
      var id = 100
      func row() -> Row {
        id += 1
        return Row(id: id)
      }
      for _ in 0..<TestSeed.length(60) {
        let kind = tally.random(using: &generator)
        let position = Int.random(in: 0...model.count, using: &generator)
        if position == model.count, kind != "insert", kind != "notify" { continue }
        tally.count(kind)
        switch kind {
        case "insert":
          model.insert(row(), at: position)
          node.insert(model[position], at: position)
        case "remove":
          model.remove(at: position)
          node.remove(at: position)
        case "replace":
          model[position].version += 1
          node.replace(at: position, with: model[position])
        case "move":
          let destination = Int.random(in: 0..<model.count, using: &generator)
          model.insert(model.remove(at: position), at: destination)
          node.move(from: position, to: destination)
        case "notify":
          model.shuffle(using: &generator)
          if !model.isEmpty { model[0].version += 1 }
          model.append(row())
          table.rows = model
          node.refresh()
        case "rollback":
          try? node.performUpdates {
            node.remove(at: position)
            table.rows.reverse()
            table.rows.append(row())
            node.refresh()
            node.insert(row(), at: position)
            throw Stop()
          }
        default: node.update(at: position)
        }
        #expect(node.elements == model && table.rows == model)
        #expect(sorted.elements == model.sorted { $0.id > $1.id })
        for shadow in shadows { try shadow.check() }
      }
    }
    try tally.check()
  }

  static let misuses = [
    Misuse("PropertyNode: the position 3 of an insertion is out of range 0...2.") {
      PropertyNode(Person(), \.friends).insert("x", at: 3)
    },
    Misuse("PropertyNode: the position 2 is out of range 0..<2.") { PropertyNode(Person(), \.friends).remove(at: 2) },
    Misuse("PropertyNode: the setter of the property changed the node that was setting the property.") {
      let table = Table([])
      let node = PropertyNode(table, \.filtered, id: \.id)
      table.filter = { rows in
        node.insert(Row(id: 1), at: 0)
        return rows
      }
      node.insert(Row(id: 0), at: 0)
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }

  @Test func nothingIsKeptTooLong() {
    let person = Person()
    weak var weakNode: PropertyNode<String>?
    weak var weakPerson: Person?
    do {
      let other = Person()
      let node = PropertyNode(other, \.friends)
      weakPerson = other
      weakNode = node
      node.insert("x", at: 0)
    }
    #expect(weakNode == nil && weakPerson == nil)
    let unowned = PropertyNode(person, \.friends, holding: .unowned)
    #expect(unowned.count == 2)
  }
}
