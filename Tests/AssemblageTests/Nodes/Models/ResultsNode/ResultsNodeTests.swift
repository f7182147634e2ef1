@_spi(NodeAuthors) import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@Suite struct ResultsNodeTests {
  typealias Controller = ResultsControllerModel<Row>

  /// Returns sections of rows. Negative ids are changed rows.
  static func sections(_ rows: [[Int]], _ names: String) -> [Controller.Section] {
    zip(names, rows).map { name, rows in
      (String(name), rows.map { Row(id: abs($0), version: $0 < 0 ? 1 : 0) })
    }
  }

  @Test(arguments: ResultsRecording.all)
  func recordedBatchesAreOneNetChange(_ recording: ResultsRecording) throws {
    // The order of the events does not matter.
    for order in [recording.events, recording.events.reversed()] {
      let controller = Controller(Self.sections(recording.before, recording.names.0), id: \.id)
      let node = ResultsNode(controller, id: \.id)
      node.onInconsistency = { Issue.record("\($0)") }
      let checker = NodeChecker<Row>(id: \.id)
      var received: [ChangeSet] = []
      let token = node.observe { received.append($0) }
      try checker.checkTransaction(of: node, minimality: [.survivors, .fewestMoves, .acrossParents]) {
        node.willChange()
        controller.sections = Self.sections(recording.after, recording.names.1)
        for event in order { node.note(event) }
        #expect(NaiveTree(of: node).children == Self.contents(Self.sections(recording.before, recording.names.0)))
        node.didChange()
      }
      #expect(received.map(\.description) == [recording.reported])
      #expect(NaiveTree(of: node).children == Self.contents(controller.sections))
      #expect((0..<node.count).map { node.section(at: $0).name } == controller.sections.map(\.name))
      token.cancel()
    }
  }

  static func contents(_ sections: [Controller.Section]) -> [NaiveTree<Row>] {
    sections.map { NaiveTree(leaves: $0.objects) }
  }

  /// Events that contradict the controller, or each other. The node still shows the difference, and reports the error.
  @Test(
    arguments: [
      [], [.insert(at: [0, 9])], [.delete(at: [0, 0])], [.delete(at: [0, 0]), .delete(at: [0, 0])], [.deleteSection(5)],
      [.insertSection(1)], [.insertSection(0), .insertSection(0)], [.update(at: [7, 0])], [.update(at: [0])],
      [.delete(at: [0, 1]), .move(from: [0, 1], to: [0, 0])], [.insert(at: [0, 0]), .insert(at: [0, 0])],
      [.move(from: [0, 0], to: [1, 0]), .move(from: [0, 1], to: [1, 1])], [.move(from: [0, 1], to: [1, 1])],
    ] as [[ResultsEvent]])
  func whatDoesNotFitIsCompared(_ events: [ResultsEvent]) throws {
    let controller = Controller(Self.sections([[1, 2, 3], [4]], "ab"), id: \.id)
    let node = ResultsNode(controller, id: \.id)
    let shadow = ShadowTree(of: node, checker: NodeChecker<Row>(id: \.id), minimality: [.survivors, .acrossParents])
    let filter = FilterNode(JoinNode([node.section(at: 0), node.section(at: 1)])) { $0.id != 3 }
    let derived = ShadowTree(of: filter, checker: NodeChecker<Row>(id: \.id))
    var reported: [ResultsInconsistency] = []
    node.onInconsistency = { reported.append($0) }
    controller.sections = Self.sections([[-2, 1], [3, 4, 5]], "ab")
    node.willChange()
    for event in events { node.note(event) }
    node.didChange()
    #expect(reported.map(\.events) == [events] && reported.allSatisfy { !$0.description.isEmpty })
    #expect(NaiveTree(of: node).children == Self.contents(controller.sections))
    #expect(shadow.deliveryCount == 1)
    try shadow.check()
    try derived.check()
    // The next batch is treated as usual.
    controller.change(to: Self.sections([[1], [3, 4, 5, -2]], "ab"), telling: node)
    #expect(reported.count == 1 && node.section(at: 1).count == 4)
    try shadow.check()
  }

  @Test func callsOutOfOrderAreReported() {
    let controller = Controller(Self.sections([[1]], "a"), id: \.id)
    let node = ResultsNode(controller, id: \.id)
    var reported: [ResultsInconsistency] = []
    node.onInconsistency = { reported.append($0) }
    node.didChange()
    node.note(.update(at: [0, 0]))
    node.willChange()
    node.didChange()
    node.willChange()
    node.willChange()
    node.didChange()
    #expect(reported.count == 3)
    node.willChange()
    node.note(.delete(at: [0, 0]))
    node.refresh()
    controller.change(to: Self.sections([[1, 2]], "a"), telling: node)
    #expect(reported.count == 3 && node.section(at: 0).count == 2)
  }

  /// The node cannot know whether objects that change in place have changed. So it reports all of them as updated.
  @Test func objectsAreTheSameInMemory() {
    final class Person {}
    let people = [Person(), Person(), Person()]
    let controller = ResultsControllerModel([("", people)], id: { ObjectIdentifier($0) }, areEqual: ===)
    let node = ResultsNode(objectsOf: controller)
    var received: [String] = []
    let token = node.observe { received.append($0.description) }
    controller.change(to: [("", [people[1], people[2]])], telling: node)
    controller.sections = [("", [people[2]])]
    node.refresh()
    #expect(received == ["[; 0: [-0]]", "[; 0: [-0, ~0]]"])
    token.cancel()
  }

  /// Random batches of a controller, compared with the controller's contents.
  @Test func randomBatchesFollowTheController() throws {
    var tally = OperationTally(kinds: ["change", "reload", "lie"])
    for iteration in 0..<TestSeed.iterations(60) {
      var generator = TestSeed.generator("results-node", iteration: iteration)
      func random(_ count: Int) -> Int { Int.random(in: 0..<max(count, 1), using: &generator) }
      var ids = 0
      func rows(_ count: Int) -> [Row] {
        (0..<count).map { _ in
          ids += 1
          return Row(id: ids)
        }
      }
      var model: [Controller.Section] = (0..<random(4)).map { ("s\($0)", rows(random(6))) }
      let controller = Controller(model, id: \.id)
      let node = ResultsNode(controller, id: \.id)
      var faults = 0
      node.onInconsistency = { _ in faults += 1 }
      let checker = NodeChecker<Row>(id: \.id)
      let shadow = ShadowTree(of: node, checker: checker, minimality: [])
      for step in 0..<TestSeed.length(30) {
        // Objects are removed and distributed again, most of them in their former places.
        var loose: [Row] = []
        for section in model.indices.reversed() {
          if random(8) == 0 { loose += model.remove(at: section).objects }
        }
        if random(5) == 0 { model.insert(("n\(step)", rows(random(3))), at: random(model.count + 1)) }
        for section in model.indices {
          for position in model[section].objects.indices.reversed() where random(5) == 0 {
            loose.append(model[section].objects.remove(at: position))
          }
          for position in model[section].objects.indices where random(6) == 0 {
            model[section].objects[position].version += 1
          }
        }
        for row in loose + rows(random(3)) where random(4) > 0 && !model.isEmpty {
          let section = random(model.count)
          model[section].objects.insert(row, at: random(model[section].objects.count + 1))
        }
        let kind = tally.random(using: &generator)
        tally.count(kind)
        let former = faults
        // If the event of a move is lost, the object is not known to be the same.
        let minimality: Minimality = kind == "lie" ? [] : [.survivors, .fewestMoves, .acrossParents]
        try checker.checkTransaction(of: node, minimality: minimality) {
          switch kind {
          case "change": controller.change(to: model, telling: node)
          case "reload":
            controller.sections = model
            node.refresh()
          default:
            // Some events are lost on the way.
            let events = controller.events(to: model)
            controller.sections = model
            node.willChange()
            for event in events where random(4) > 0 { node.note(event) }
            node.didChange()
          }
        }
        if kind != "lie" { #expect(faults == former) }
        // A lost event may be an update, which no other event reports.
        if kind == "lie" { node.refresh() }
        #expect(NaiveTree(of: node).children == Self.contents(model))
        try shadow.check()
        try checker.check(node)
      }
    }
    try tally.check()
  }

  /// An object reads its section while it is released. The section has its new objects by then.
  @Test func replacedObjectsAreReleasedLast() {
    final class Log { var versions: [Int?] = [] }
    final class Item {
      let id: Int
      let version: Int
      let log: Log
      weak var section: ResultsSection<Item>?

      init(_ id: Int, _ version: Int, _ log: Log) { (self.id, self.version, self.log) = (id, version, log) }

      deinit {
        if let section { log.versions.append(section.element(at: 1)?.version) }
      }
    }
    let log = Log()
    let controller = ResultsControllerModel(
      [("", [Item(1, 0, log), Item(2, 0, log)])], id: { $0.id }, areEqual: ===)
    let node = ResultsNode(controller, id: { $0.id }, areEqual: ===)
    for item in node.section(at: 0).elements { item.section = node.section(at: 0) }
    controller.sections = [("", [Item(1, 1, log), Item(2, 1, log)])]
    #expect(log.versions.isEmpty)
    node.refresh()
    #expect(log.versions == [1, 1])
  }

  @Test func itCannotBeWritten() async {
    let controller = Controller(Self.sections([[1]], "a"), id: \.id)
    let node = ResultsNode(controller, id: \.id)
    #expect(node.writer == nil && !(node is any WritableNode<Row>) && node.section(at: 0).writer == nil)
    #expect(node.child(at: 1) == nil && node.child(at: -1) == nil && node[[0, 0]]?.id == 1 && node[[0]] == nil)
    #expect(node.description == "ResultsNode [(1 child)]")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = ResultsNode(Controller([], id: \.id), id: \.id).section(at: 0)
      }, says: "ResultsNode: the position 0 is out of range 0..<0.")
  }
}
