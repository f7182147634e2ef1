import Assemblage
import AssemblageTesting
import AssemblageWidgets
import Foundation
import TestSupport
import Testing

/// Lists with sections, in random scripts against the model of a table.
@Suite struct SectionedListCoordinatorTests {
  private struct Item: Hashable, Sendable {
    var id: Int
    var version = 0
  }

  @Test func sectionsHaveHeadersAndRows() {
    let fruit = BranchNode(value: "fruit", leaves: ["apple", "pear"])
    fruit.header = "Fruit"
    fruit.footer = "2 kinds"
    let root = BranchNode([fruit, BranchNode(value: "nuts", leaves: [])])
    let (widget, coordinator) = (WidgetModel<String>(.list), SectionedListCoordinator(root))
    widget.follow(coordinator)
    #expect(coordinator.sectionCount == 2 && coordinator.count(ofSection: 0) == 2)
    #expect(coordinator.element(at: [0]) == "fruit" && coordinator.element(at: [0, 1]) == "pear")
    #expect(coordinator.header(ofSection: 0) == "Fruit" && coordinator.footer(ofSection: 0) == "2 kinds")
    // A section without a header has its own value.
    #expect(coordinator.header(ofSection: 1) == "nuts" && coordinator.footer(ofSection: 1) == nil)
    #expect(coordinator.header(ofSection: 2) == nil && ListCoordinator(fruit).header(ofSection: 0) == nil)
    root.move(from: [0, 0], to: [1, 0])
    #expect(widget.takeLog() == ["reload", "moves [0, 0]→[1, 0]"])
  }

  @Test func whatIsOnTopStaysThere() {
    let root = BranchNode([ArrayNode([1, 2, 3]), ArrayNode([4, 5]), ArrayNode([6])])
    let (widget, coordinator) = (WidgetModel<Int>(.list), SectionedListCoordinator(root))
    widget.follow(coordinator)
    func top(_ path: IndexPath, after body: () -> Void) -> WidgetScrollPosition? {
      widget.scrollPosition = WidgetScrollPosition(path: path, offset: -3)
      body()
      return widget.scrollPosition
    }
    #expect(top([0, 2]) { root.remove(at: [0, 0]) } == WidgetScrollPosition(path: [0, 1], offset: -3))
    #expect(top([0, 1]) { root.move(from: [0, 1], to: [1, 1]) } == WidgetScrollPosition(path: [1, 1], offset: -3))
    #expect(top([1, 1]) { root.remove(at: [1, 1]) } == WidgetScrollPosition(path: [1, 1], offset: 0))
    #expect(top([1, 1]) { root.remove(at: [1, 1]) } == WidgetScrollPosition(path: [1, 0], offset: 0))
    #expect(top([1, 0]) { root.remove(at: [1]) } == WidgetScrollPosition(path: [1, 0], offset: 0))
    #expect(coordinator.element(at: [1, 0]) == 6)
  }

  /// A data source changes the node when the widget asks for its rows, which may be just before a batch, or between two
  /// batches. In both cases the next batch has to count the rows of a section that has left and come back.
  @Test(arguments: [true, false]) func aDataSourceMovesASectionBeforeABatch(_ isBeforeTheFirst: Bool) throws {
    let forest = try ForestNode<Item>(
      TreeSnapshot(children: [TreeSnapshot(value: Item(id: 1)), TreeSnapshot(value: Item(id: 2))]))
    let (widget, coordinator) = (WidgetModel<Item>(.list), SectionedListCoordinator(forest))
    widget.follow(coordinator)
    #expect(widget.paths == [[0], [1]])
    if isBeforeTheFirst { widget.invalidate() }
    var isFirst = true
    widget.whileUpdating = {
      if !isFirst { return }
      isFirst = false
      forest.performUpdates {
        let section = forest.remove(at: [1])
        forest.insert(section, at: 0)
      }
    }
    forest.performUpdates {
      forest.insert(Item(id: 3), at: [1, 0])
      forest.update(at: [1]) { $0.version += 1 }
    }
    try widget.check(by: ==)
    #expect(!isFirst && widget.paths == [[0], [0, 0], [1]])
    #expect(widget.element(at: [0]) == Item(id: 2, version: 1) && widget.element(at: [0, 0]) == Item(id: 3))
  }

  // MARK: Random scripts

  private enum Step: String, CaseIterable {
    case insertRow, removeRow, updateRow, moveRow, insertSection, removeSection, moveSection, hold, release, rebind
  }

  private struct World {
    let root: BranchNode<Item>
    var nextID = 1_000

    init(_ generator: inout SeededGenerator) {
      root = BranchNode((0..<3).map { _ in ArrayNode<Item>([]) })
      for _ in 0..<8 { _ = edit(.insertRow, &generator) }
    }

    mutating func item() -> Item {
      nextID += 1
      return Item(id: nextID)
    }

    var rows: [IndexPath] {
      (0..<root.count).flatMap { section in
        (0..<root.child(at: section)!.count).map { [section, $0] as IndexPath }
      }
    }

    func place(_ section: Int, _ generator: inout SeededGenerator) -> IndexPath {
      [section, Int.random(in: 0...root.child(at: section)!.count, using: &generator)]
    }

    mutating func edit(_ step: Step, _ generator: inout SeededGenerator) -> Bool {
      let sections = 0..<root.count
      switch step {
      case .insertRow:
        guard let section = sections.randomElement(using: &generator) else { return false }
        root.insert(item(), at: place(section, &generator))
      case .removeRow:
        guard let row = rows.randomElement(using: &generator) else { return false }
        root.remove(at: row)
      case .updateRow:
        guard let row = rows.randomElement(using: &generator) else { return false }
        var item = root[row]!
        item.version += 1
        root.replace(at: row, with: item)
      case .moveRow:
        guard let row = rows.randomElement(using: &generator), let section = sections.randomElement(using: &generator)
        else { return false }
        root.move(row, into: [section], at: place(section, &generator)[1])
      case .insertSection:
        root.insert(.node(ArrayNode([item(), item()])), at: Int.random(in: 0...root.count, using: &generator))
      case .removeSection:
        guard let section = sections.randomElement(using: &generator) else { return false }
        root.remove(at: [section])
      case .moveSection:
        guard let from = sections.randomElement(using: &generator), let to = sections.randomElement(using: &generator)
        else { return false }
        root.move(from: from, to: to)
      case .hold, .release, .rebind: return false
      }
      return true
    }
  }

  /// Expects that the widget shows exactly the rows of the node.
  private func check(
    _ widget: WidgetModel<Item>, _ coordinator: SectionedListCoordinator<Item>, _ comment: Comment
  ) throws {
    if let error = widget.error { throw error }
    let node = coordinator.node
    try #require(widget.rows == (0..<node.count).map { node.child(at: $0)?.elements ?? [] }, comment)
  }

  /// Expects that the coordinator answers for the rows of a widget whose updates are held back.
  private func checkHeld(
    _ widget: WidgetModel<Item>, _ coordinator: SectionedListCoordinator<Item>, _ comment: Comment
  ) throws {
    if let error = widget.error { throw error }
    try #require(coordinator.sectionCount == widget.shownCount(at: []), comment)
    for (section, rows) in widget.rows.enumerated() {
      try #require(coordinator.count(ofSection: section) == rows.count, comment)
      for (row, item) in rows.enumerated() {
        let path: IndexPath = [section, row]
        let element = coordinator.element(at: path)
        try #require(element == nil || element?.id == item?.id, comment)
        if let nodePath = coordinator.nodePath(of: path) {
          try #require(coordinator.widgetPath(of: nodePath) == path, comment)
        }
      }
    }
  }

  @Test(arguments: 0..<4) func theWidgetShowsTheNode(_ kind: Int) throws {
    var tally = OperationTally<Step>()
    let edits = Array(Step.allCases.prefix(7))
    for iteration in 0..<TestSeed.iterations(60) {
      var generator = TestSeed.generator("coordinator/\(kind)", iteration: iteration)
      var world = World(&generator)
      func view() -> any TreeNode<Item> {
        switch kind {
        case 0: world.root
        case 1: TreeFilterNode(world.root, policy: .keepingAncestors) { $0.id % 3 > 0 }
        case 2: GroupNode(FlattenNode(world.root)) { ($0.id + $0.version) % 4 }
        default: BranchNode([SortNode(FlattenNode(world.root)) { $0.id < $1.id }, FlattenNode(world.root)])
        }
      }
      let (widget, coordinator) = (WidgetModel<Item>(.list), SectionedListCoordinator(view()))
      coordinator.reloadLimit = generator.chance(1, in: 3) ? 4 : nil
      coordinator.keepsPosition = .always
      widget.follow(coordinator)
      var isHeld = false
      for step in 0..<12 {
        let comment: Comment = "kind \(kind), script \(iteration), step \(step)"
        let top = widget.rows.indices.filter { !widget.rows[$0].isEmpty }.randomElement(using: &generator)
        widget.scrollPosition = top.map { WidgetScrollPosition(path: [$0, 0], offset: 2) }
        let item = top.flatMap { widget.rows[$0][0] }
        world.root.performUpdates {
          for _ in 0..<Int.random(in: 1...5, using: &generator) {
            let step = edits.randomElement(using: &generator)!
            if world.edit(step, &generator) { tally.count(step) }
          }
        }
        if isHeld {
          try checkHeld(widget, coordinator, comment)
          guard generator.chance(1, in: 2) else { continue }
          tally.count(.release)
          if generator.chance(1, in: 4) {
            tally.count(.rebind)
            if generator.chance(1, in: 2) { coordinator.show(view()) } else { coordinator.show(view(), id: \.id) }
          }
          coordinator.resume()
          isHeld = false
        }
        try check(widget, coordinator, comment)
        // In the last kind, each row occurs twice.
        if kind < 3, let item, let position = widget.scrollPosition, widget.takeLog().allSatisfy({ $0 != "reload" }) {
          let places = widget.rows.enumerated().compactMap { section, rows in
            rows.firstIndex { $0?.id == item.id }.map { [section, $0] as IndexPath }
          }
          if let place = places.first {
            try #require(position == WidgetScrollPosition(path: place, offset: 2), comment)
          }
        }
        if generator.chance(1, in: 3) {
          tally.count(.hold)
          coordinator.suspend()
          isHeld = true
        }
      }
    }
    try tally.check()
  }

  /// A widget that its application reloads in a transaction does not know the counts of sections that leave in that
  /// transaction.
  @Test func aWidgetThatForgotItsCountsReloads() throws {
    let people = ArrayNode([1, 2, 3])
    let groups = GroupNode(people) { $0 % 2 }
    let (widget, coordinator) = (WidgetModel<Int>(.list), SectionedListCoordinator(groups))
    widget.follow(coordinator)
    _ = widget.takeLog()
    groups.performUpdates {
      widget.invalidate()
      groups.setKey { $0 % 3 + 10 }
    }
    #expect(widget.rows == [[1], [2], [3]])
    #expect(widget.takeLog() == ["reload"])
    try widget.check(by: ==)
  }

  /// The count of a section is forgotten while the section is away, and updates are held back.
  ///
  /// Found by the fuzzer: seed 9830022, script 13771.
  @Test func aSectionReturnsBeforeAForgetfulWidgetReloads() throws {
    let forest = try ForestNode(
      TreeSnapshot(children: [TreeSnapshot(value: 1, leaves: [2]), TreeSnapshot(value: 3, children: [])]))
    let (widget, coordinator) = (WidgetModel<Int>(.list), SectionedListCoordinator(forest))
    widget.follow(coordinator)
    #expect(widget.rows == [[2], []])
    coordinator.suspend()
    widget.invalidate()
    forest.move(from: [0], to: [0, 0])
    #expect(widget.rows == [[], []] && !coordinator.isCurrent)
    forest.move(from: [0, 0], to: [0])
    try widget.check(by: ==)
    coordinator.resume()
    #expect(widget.rows == [[2], []] && coordinator.isCurrent)
    try widget.check(by: ==)
  }
}
