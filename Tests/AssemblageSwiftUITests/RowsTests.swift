import Assemblage
import AssemblageSwiftUI
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@MainActor @Suite struct RowsTests {
  private struct Stop: Error {}

  private static func reader<Element>(of node: any TreeNode<Element>) -> Reader { Reader { _ = Rows(node) } }

  // MARK: A collection

  @Test func rowsAreThoseOfTheNode() throws {
    let numbers = ArrayNode(Array(0..<40))
    let folder = BranchNode(value: 7, leaves: [8, 9])
    let nodes: [any TreeNode<Int>] = [
      numbers, FilterNode(numbers) { $0 % 3 == 0 }, SortNode(numbers, by: >), MapNode(numbers) { -$0 },
      JoinNode([numbers, ArrayNode([1, 2])]), SliceNode(numbers, 5..<9), ArrayNode<Int>(), SingleNode(4),
      OutlineNode(BranchNode([.node(folder), .leaf(3)]), expansion: ExpansionState(policy: .expanded), id: { $0 }),
    ]
    for node in nodes {
      let rows = Rows(node)
      #expect(rows.count == node.count && rows.indices == 0..<node.count && rows.isEmpty == node.isEmpty)
      #expect(Array(rows) == node.elements && rows.indices.map { rows[$0] } == node.elements)
      #expect(rows.reversed() == node.elements.reversed() && rows.first == node.elements.first)
      #expect(rows.last == node.elements.last && Array(rows.dropFirst(2)) == Array(node.elements.dropFirst(2)))
      for start in rows.indices {
        #expect(rows.distance(from: rows.startIndex, to: start) == start)
        #expect(rows.index(rows.endIndex, offsetBy: start - rows.count) == start)
        #expect(rows.index(after: start) == start + 1)
      }
    }
  }

  @Test func whatIsNotThereTraps() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run { _ = Rows(ArrayNode([1, 2]))[2] }
    }
    expect(result, says: "Rows: the position 2 is out of range 0..<2.")
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run { Rows(ArrayNode([1, 2])).remove(atOffsets: [0, 2]) }
    }
    expect(result, says: "Rows: the position 2 is out of range 0..<2.")
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run { Rows(ArrayNode([1, 2])).move(fromOffsets: [0], toOffset: 3) }
    }
    expect(result, says: "Rows: the destination 3 of a move is out of range 0...2.")
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run { _ = Rows(BranchNode([ArrayNode([1])]))[0] }
    }
    expect(result, says: "Rows: the row 0 is a node without a value, which cannot be shown.")
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run { Rows(ProviderNode(count: 2) { $0 }).remove(atOffsets: [0]) }
    }
    expect(result, says: "The path [0] leads into a ProviderNode<Int>, which cannot be written.")
  }

  /// A list goes on reading the rows of its last update.
  @Test func rowsStayAsTheyWere() {
    let names = ArrayNode(["Ada", "Bo", "Cy"])
    let sorted = SortNode(names, by: >)
    let (rows, same) = (Rows(sorted), Rows(sorted))
    #expect(rows == same)
    names.removeAll()
    #expect(Array(rows) == ["Cy", "Bo", "Ada"] && Rows(sorted).isEmpty && rows != Rows(sorted))
    let other: any TreeNode<String> = SortNode(names, by: >)
    #expect(Rows(other) != Rows(sorted))
  }

  // MARK: Tracking

  @Test func aTransactionNotifiesOnce() {
    let names = ArrayNode(["Ada", "Grace", "Edsger"])
    let short = FilterNode(names) { $0.count < 6 }
    let reader = Self.reader(of: short)
    short.performUpdates {
      names.append("Bob")
      names.remove(at: 0)
      names[0] = "Gracie"
      #expect(!reader.isNotified)
    }
    #expect(reader.notificationCount == 1)
    names.append("Al")
    #expect(reader.notificationCount == 1)
    let other = Self.reader(of: short)
    short.setPredicate { $0.hasPrefix("G") }
    #expect(other.notificationCount == 1)
  }

  @Test func whatIsNotVisibleNotifiesNobody() {
    let names = ArrayNode(["Ada", "Grace", "Edsger"])
    let short = FilterNode(names) { $0.count < 6 }
    let reader = Self.reader(of: short)
    names.append("Barbara")
    names[2] = "Margaret"
    names.move(from: 3, to: 2)
    short.setPredicate { $0.count < 5 || $0 == "Grace" }
    short.performUpdates {
      names.append("Bob")
      names.removeLast()
    }
    try? short.performUpdates {
      names.removeAll()
      throw Stop()
    }
    #expect(!reader.isNotified)
    let folder = BranchNode(value: "folder", leaves: ["file"])
    let top = Self.reader(of: BranchNode<String>([.node(folder)]))
    folder.append(.leaf("other"))
    #expect(!top.isNotified)
  }

  @Test func theValueAndTheHeaderAreTracked() {
    let fruit = BranchNode(value: "fruit", leaves: ["apple"])
    let reader = Self.reader(of: fruit)
    #expect(Rows<String>(fruit).value == "fruit" && Rows<String>(fruit).header == nil)
    fruit.header = "Fruit"
    #expect(reader.isNotified && Rows<String>(fruit).header == "Fruit" && Rows<String>(fruit).footer == nil)
    let (before, other) = (Rows<String>(fruit), Self.reader(of: fruit))
    fruit.value = "Obst"
    #expect(other.isNotified && before.value == "fruit" && Rows<String>(fruit).value == "Obst")
  }

  /// Nobody keeps the rows: a view that shows that there are none.
  @Test func rowsNeedNotBeKept() {
    let names = ArrayNode<String>()
    let reader = Reader { _ = Rows(names).isEmpty }
    names.append("Ada")
    #expect(reader.isNotified)
  }

  @Test func rowsAreNeverBehind() {
    let names = ArrayNode(["Ada"])
    let long = FilterNode(names) { $0.count > 2 }
    let former = Rows(long)
    let reader = Self.reader(of: long)
    var inner: Reader?
    long.performUpdates {
      names.append("Grace")
      inner = Reader { #expect(Array(Rows(long)) == ["Ada", "Grace"]) }
      names.append("Edsger")
      #expect(Array(Rows(long)) == ["Ada", "Grace", "Edsger"])
    }
    #expect(reader.notificationCount == 1 && inner?.notificationCount == 1)
    #expect(Array(Rows(long)) == ["Ada", "Grace", "Edsger"] && Array(former) == ["Ada"])
    var seen: [String] = []
    let token = names.observe { _ in seen = Array(Rows(long)) }
    names.removeAll()
    #expect(seen == [])
    token.cancel()
  }

  /// The change from before the reading does not notify its reader, and the next change does.
  @Test func aReadingInATransactionIsNotifiedOfTheNextChange() {
    let names = ArrayNode(["Ada"])
    let former = Self.reader(of: names)
    var inner: Reader?
    names.performUpdates {
      names.append("Bo")
      inner = Reader { _ = Rows(names).count }
    }
    #expect(former.notificationCount == 1 && inner?.notificationCount == 0)
    names.append("Cy")
    #expect(former.notificationCount == 1 && inner?.notificationCount == 1)
  }

  @Test func aDeliveryWrapsTheNotification() {
    let names = ArrayNode(["Ada"])
    var log: [String] = []
    func delivery(_ name: String) -> RowDelivery {
      RowDelivery(name) { notify in
        log.append("begin \(name)")
        notify()
        log.append("end \(name)")
      }
    }
    let slow = Reader { for _ in 0..<3 { _ = Rows(names, delivery: delivery("slow")) } }
    names.performUpdates {
      names.append("Bo")
      names.append("Cy")
    }
    #expect(log == ["begin slow", "end slow"] && slow.notificationCount == 1)
    names.append("Di")
    #expect(log.count == 2)
    let plain = Self.reader(of: names)
    let fast = Reader { _ = Rows(names, delivery: delivery("fast")) }
    names.append("Ed")
    #expect(log.dropFirst(2) == ["begin fast", "end fast"] && plain.isNotified && fast.isNotified)
  }

  // MARK: Sections

  @Test func sectionsAreTheNodesChildren() {
    let words = ArrayNode(["apple", "avocado", "bean"])
    let letters = GroupNode(words) { String($0.prefix(1)) }
    var sections = Rows.sections(of: letters)
    #expect(sections.map { Array($0) } == [["apple", "avocado"], ["bean"]])
    let reader = Reader { _ = Rows.sections(of: letters) }
    let top = Self.reader(of: letters)
    words.append("banana")
    #expect(reader.notificationCount == 1 && !top.isNotified)
    let former = sections
    sections = Rows.sections(of: letters)
    #expect(sections.map { Array($0) } == [["apple", "avocado"], ["bean", "banana"]])
    #expect(sections.map(\.id) == former.map(\.id) && sections[0] == former[0] && sections[1] != former[1])
    sections[0].remove(atOffsets: [0, 1])
    #expect(top.isNotified && words.elements == ["bean", "banana"])
    let other = Reader { _ = Rows.sections(of: letters) }
    former[1].move(fromOffsets: [0], toOffset: 1)
    #expect(words.elements == ["banana", "bean"] && other.isNotified)
  }

  /// What happens below a row of a section concerns nobody.
  @Test func sectionsHaveTwoLevels() {
    let deep = BranchNode(value: "deep", leaves: ["x"])
    let tree = BranchNode([.leaf("leaf"), .node(BranchNode(value: "section", [.node(deep)]))])
    let reader = Reader { #expect(Rows.sections(of: tree).map { Array($0) } == [["deep"]]) }
    deep.append(.leaf("y"))
    #expect(!reader.isNotified)
    deep.value = "deeper"
    #expect(reader.isNotified)
  }

  // MARK: Editing

  /// Each edit of up to five rows, beside `Array`.
  @Test func editsAreThoseOfAnArray() {
    for count in 0...5 {
      for subset in 0..<1 << count {
        let offsets = IndexSet((0..<count).filter { subset & 1 << $0 != 0 })
        var expected = Array(0..<count)
        expected.removeSubranges(RangeSet(offsets.rangeView))
        let node = ArrayNode(Array(0..<count))
        Rows(node).remove(atOffsets: offsets)
        #expect(node.elements == expected)
        for destination in 0...count {
          var expected = Array(0..<count)
          expected.moveSubranges(RangeSet(offsets.rangeView), to: destination)
          let source = ArrayNode(Array(0..<count))
          let view = JoinNode([source])
          let reader = Self.reader(of: view)
          Rows(view).move(fromOffsets: offsets, toOffset: destination)
          #expect(source.elements == expected, "\(offsets) to \(destination)")
          #expect(reader.notificationCount == (expected == Array(0..<count) ? 0 : 1))
        }
      }
    }
  }

  /// Rows that were made before other changes edit the rows that the user has seen.
  @Test func formerRowsEditWhatTheyShow() {
    for iteration in 0..<TestSeed.iterations(60) {
      var generator = TestSeed.generator("rows", iteration: iteration)
      let source = ArrayNode(Array(0..<Int.random(in: 0...9, using: &generator)))
      let node = FilterNode(source) { $0 % 4 > 0 }
      var next = 100
      for _ in 0..<TestSeed.length(30) {
        let rows = Rows(node)
        let shown = node.elements
        let reader = Self.reader(of: node)
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
          next += 1
          switch Int.random(in: 0..<4, using: &generator) {
          case 0 where source.count > 0: source.remove(at: Int.random(in: 0..<source.count, using: &generator))
          case 1 where source.count > 1:
            source.move(
              from: Int.random(in: 0..<source.count, using: &generator),
              to: Int.random(in: 0..<source.count, using: &generator))
          default: source.insert(next, at: Int.random(in: 0...source.count, using: &generator))
          }
        }
        #expect(Array(rows) == shown)
        if node.elements != shown { #expect(reader.notificationCount == 1) }
        let offsets = IndexSet(rows.indices.filter { _ in generator.chance(1, in: 3) })
        var expected = node.elements
        let present = offsets.compactMap { expected.firstIndex(of: shown[$0]) }
        if generator.chance(1, in: 3) {
          expected.removeSubranges(RangeSet(present, within: expected))
          rows.remove(atOffsets: offsets)
        } else {
          let destination = Int.random(in: 0...shown.count, using: &generator)
          let goal = shown[destination...].lazy.compactMap { expected.firstIndex(of: $0) }.first ?? expected.count
          expected.moveSubranges(RangeSet(present, within: expected), to: goal)
          rows.move(fromOffsets: offsets, toOffset: destination)
        }
        #expect(node.elements == expected && Array(Rows(node)) == expected)
      }
    }
  }

  /// Changes that have not been delivered yet count too.
  @Test func rowsOfATransactionEditWhatTheyShow() {
    let letters: ArrayNode = ["a", "b", "c", "d", "e"]
    let rows = Rows(letters.filtering { $0 != "-" })
    letters.performUpdates {
      rows.remove(atOffsets: [0])
      rows.remove(atOffsets: [0])
      letters.insert("-", at: 0)
      letters.insert("x", at: 0)
      rows.remove(atOffsets: [1])
      rows.move(fromOffsets: [2], toOffset: 5)
    }
    #expect(letters.elements == ["x", "-", "d", "e", "c"])
  }

  /// An observer from before the rows is called before these follow the change.
  @Test func anEarlierObserverEditsWhatTheRowsShow() throws {
    let letters: ArrayNode = ["a", "b", "c", "d"]
    var rows: Rows<String>?
    let token = letters.observe { _ in
      let made = rows
      rows = nil
      made?.remove(atOffsets: [1])
    }
    rows = Rows(letters)
    letters.remove(at: 0)
    #expect(letters.elements == ["c", "d"])
    token.cancel()
  }

  // MARK: Lifetimes

  @Test func nothingIsKeptAlive() throws {
    try withLifetimeTracking { tracker in
      let source = ArrayNode(tracker.track(0..<3))
      var node: FilterNode<Tracked<Int>>? = FilterNode(source) { $0.payload != 1 }
      tracker.expectRelease(of: node!, "the node")
      let reader = Self.reader(of: node!)
      var rows: Rows? = Rows(node!)
      source.removeAll()
      // The rows show them still.
      #expect(tracker.liveCount == 3 && rows?.count == 2)
      node = nil
      rows = nil
      #expect(tracker.liveCount == 0 && reader.notificationCount == 1)
    }
    weak var released: ArrayNode<Int>?
    var rows: Rows<Int>?
    do {
      let node = ArrayNode([1])
      released = node
      rows = Rows(node)
      _ = Self.reader(of: node)
    }
    #expect(released != nil && rows?.count == 1)
    rows = nil
    #expect(released == nil)
  }

  /// Nodes at the address of a former node have readers of their own.
  @Test func nodesComeAndGo() {
    for round in 0..<300 {
      let node = ArrayNode([round])
      let reader = Self.reader(of: node)
      #expect(Array(Rows(node)) == [round])
      node.append(round)
      #expect(reader.isNotified && Rows(node).count == 2)
    }
  }
}
