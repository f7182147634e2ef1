import Assemblage
import AssemblageTesting
import AssemblageWidgets
import Foundation
import TestSupport
import Testing

/// Lists of one section.
@Suite struct ListCoordinatorTests: MisuseSuite {
  static let misuses = [
    Misuse("The row [1, 0] is a BranchNode<String> without a value, which cannot be shown in a cell.") {
      let provider = BranchNode([ArrayNode(["2"]), BranchNode(leaves: ["3"])])
      let coordinator = SectionedListCoordinator(BranchNode<String>([ArrayNode(["1"]), BranchNode([provider])]))
      _ = coordinator.template(at: [1, 0], in: SectionCells<String, String, String>(rows: CellFactory()))
    },
    Misuse("A coordinator was resumed that was not suspended.") { ListCoordinator(ArrayNode([1])).resume() },
    Misuse("A WidgetModel<Int> changed its node 1000 times while it was brought up to date.") {
      let numbers = ArrayNode([1])
      let (widget, coordinator) = (WidgetModel<Int>(.list), ListCoordinator(numbers))
      widget.follow(coordinator)
      coordinator.suspend()
      numbers.append(2)
      widget.whileUpdating = { numbers.append(3) }
      coordinator.resume()
    },
    Misuse("A coordinator gets another widget or node only between two updates of its widget.") {
      let numbers = ArrayNode([1])
      let (widget, coordinator) = (WidgetModel<Int>(.list), ListCoordinator(numbers))
      widget.follow(coordinator)
      widget.whileUpdating = { coordinator.show(ArrayNode([2])) }
      numbers.append(2)
    },
    Misuse("A Hasty called the commit closure of perform(_:commit:) twice.") { Hasty.append(committing: 2) },
    Misuse("A Hasty did not call the commit closure in perform(_:commit:).") { Hasty.append(committing: 0) },
  ]

  /// A widget that commits too often, or never.
  private final class Hasty: ListWidget {
    let count: Int
    init(committing count: Int) { self.count = count }
    func reload() {}
    func perform(_ batch: ChangeSet.Batch, commit: @escaping () -> Void) { for _ in 0..<count { commit() } }
    func shownCount(at path: IndexPath) -> Int? { 1 }

    static func append(committing count: Int) {
      let numbers = ArrayNode([1])
      let (widget, coordinator) = (Hasty(committing: count), ListCoordinator(numbers))
      coordinator.widget = widget
      numbers.append(2)
    }
  }

  /// A view that counts its sections and rows when it needs them, one by one, like the views of UIKit.
  private final class Late: ListWidget {
    let coordinator: ListWidgetCoordinator<Int>
    private var counts: [Int?]?
    private(set) var batches: [(before: [Int], after: [Int])] = []
    /// Whether the view does not count its rows when the coordinator asks for a count.
    var isLazy = false

    init(_ coordinator: ListWidgetCoordinator<Int>) {
      self.coordinator = coordinator
      coordinator.widget = self
    }

    private func count(_ section: Int?) -> Int {
      let sections = counts ?? Array(repeating: nil, count: coordinator.count(at: []))
      counts = sections
      guard let section else { return sections.count }
      let count = sections[section] ?? coordinator.count(at: [section])
      counts?[section] = count
      return count
    }

    private func load() -> [Int] { (0..<count(nil)).map { count($0) } }

    func reload() { counts = nil }

    func perform(_ batch: ChangeSet.Batch, commit: @escaping () -> Void) {
      let before = load()
      commit()
      var expected = before.enumerated().filter { !batch.sections(\.deletions).contains($0.offset) }.map(\.element)
      for path in batch.rows(\.deletions) { expected[path[0]] -= 1 }
      for section in batch.sections(\.insertions) { expected.insert(coordinator.count(at: [section]), at: section) }
      for path in batch.rows(\.insertions) { expected[path[0]] += 1 }
      counts = nil
      let after = load()
      #expect(after == expected, "\(batch)")
      batches.append((before, after))
    }

    func shownCount(at path: IndexPath) -> Int? { isLazy ? nil : count(path.first) }
  }

  /// `cases/lazy-view.swift`.
  @Test(arguments: [false, true]) func aViewThatCountsLateCountsBeforeTheChange(_ isLazy: Bool) {
    let names = ArrayNode([1, 2])
    let widget = Late(ListCoordinator(names))
    widget.isLazy = isLazy
    widget.reload()
    names.append(3)
    names.append(4)
    widget.reload()
    names.removeSubrange(0..<2)
    #expect(widget.batches.map(\.before) == [[2], [3], [4]] && widget.batches.map(\.after) == [[3], [4], [2]])
  }

  /// The coordinator does not guess a count that nobody knows any longer: the widget reloads.
  @Test func aViewThatForgetsWhatHasGoneReloads() {
    let tree = BranchNode([ArrayNode([1]), ArrayNode([2, 3])])
    let widget = Late(SectionedListCoordinator(tree))
    tree.append(ArrayNode([4]))
    widget.coordinator.suspend()
    tree.remove(at: 1)
    widget.reload()
    #expect(widget.shownCount(at: []) == 3 && widget.shownCount(at: [1]) == 0)
    widget.coordinator.resume()
    #expect(widget.shownCount(at: []) == 2 && widget.shownCount(at: [1]) == 1 && widget.batches.count == 1)
  }

  @Test func theFirstRowStaysUnlessAllOfItIsSeen() {
    let numbers = ArrayNode(Array(0..<5))
    let (widget, coordinator) = show(numbers)
    func top(_ keeping: PositionKeeping, _ position: WidgetScrollPosition) -> Int? {
      coordinator.keepsPosition = keeping
      widget.scrollPosition = position
      numbers.insert(9, at: 0)
      return widget.scrollPosition?.path.last
    }
    #expect(coordinator.keepsPosition == .unlessAtTop)
    #expect(top(.unlessAtTop, WidgetScrollPosition(path: [0, 0])) == 0)
    #expect(top(.unlessAtTop, WidgetScrollPosition(path: [0, 0], offset: -1)) == 1)
    #expect(top(.unlessAtTop, WidgetScrollPosition(path: [0, 1])) == 2)
    #expect(top(.always, WidgetScrollPosition(path: [0, 0])) == 1)
    #expect(top(.never, WidgetScrollPosition(path: [0, 3], offset: -1)) == 3)
    #expect(widget.error == nil)
  }

  /// A folder gets its first file while it is collapsed.
  @Test func aRowWhoseTriangleArrivesIsUpdated() {
    let notes = BranchNode<String>(value: "notes", leaves: [])
    let outline = OutlineNode(BranchNode([.leaf("x.txt"), .node(notes)]), id: { $0 })
    let (widget, coordinator) = (WidgetModel<String>(.list), ListCoordinator(outline))
    widget.follow(coordinator)
    _ = widget.takeLog()
    notes.append(.leaf("a.md"))
    #expect(widget.takeLog() == ["reloads [0, 1]"])
    outline.expand(row: 1)
    #expect(widget.takeLog() == ["inserts [0, 2]; reloads [0, 1]"])
  }

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }

  private func show<Element>(
    _ node: any TreeNode<Element>, reloadingAbove limit: Int? = nil
  ) -> (WidgetModel<Element>, ListCoordinator<Element>) {
    let (widget, coordinator) = (WidgetModel<Element>(.list), ListCoordinator(node, reloadingAbove: limit))
    widget.follow(coordinator)
    _ = widget.takeLog()
    return (widget, coordinator)
  }

  @Test func changesAreBatches() {
    let names = ArrayNode(["Bob", "Ada"])
    let (widget, coordinator) = show(SortNode(names, by: <))
    #expect(widget.rows == [["Ada", "Bob"]])
    names.append("Al")
    #expect(widget.takeLog() == ["inserts [0, 1]"])
    #expect(widget.rows == [["Ada", "Al", "Bob"]])
    #expect(coordinator.count == 3 && coordinator.element(at: 1) == "Al")
    #expect(coordinator.position(ofRow: 1) == 1 && coordinator.row(ofPosition: 2) == 2)
  }

  @Test func manyChangesAreAReload() {
    let numbers = ArrayNode(Array(0..<10))
    let (widget, coordinator) = show(numbers, reloadingAbove: 3)
    numbers.removeSubrange(0..<3)
    numbers.removeSubrange(0..<4)
    #expect(widget.takeLog() == ["deletes [0, 0], [0, 1], [0, 2]", "reload"])
    coordinator.performReloading { numbers.append(10) }
    #expect(widget.takeLog() == ["reload"])
    #expect(widget.rows == [[7, 8, 9, 10]])
    coordinator.reloadLimit = nil
    numbers.removeAll()
    #expect(widget.takeLog().count == 1 && widget.rows == [[]])
  }

  /// A widget that is released while changes are held back leaves none of them behind.
  @Test func aReleasedWidgetLeavesNoChangesBehind() {
    let names = ArrayNode(["a", "b"])
    let list = ListCoordinator(names)
    list.addBehavior(WritingBehavior(), to: names)
    var table: WidgetModel<String>? = WidgetModel(.list)
    table?.follow(list)
    #expect(table?.paths.count == 3)
    list.suspend()
    names.insert("x", at: 0)
    table = nil
    list.resume()
    names.remove(at: 0)
    #expect(list.count == 2 && list.delete(at: [0, 0]) && names.elements == ["b"])

    // The same holds for a widget that still shows another node.
    table = WidgetModel(.list)
    table?.follow(list)
    #expect(table?.paths.count == 2)
    list.suspend()
    list.show(ArrayNode(["c", "d"]))
    table = nil
    list.resume()
    #expect(list.count == 2 && list.element(at: [0, 0]) == "c")
  }

  @Test func aTransactionThatThrowsReloadsNothingNew() {
    struct Refusal: Error {}
    let numbers = ArrayNode([1, 2])
    let (widget, coordinator) = show(numbers)
    #expect(throws: Refusal.self) {
      try coordinator.performReloading { () throws(Refusal) in
        numbers.append(3)
        throw Refusal()
      }
    }
    #expect(widget.takeLog() == ["reload"])
    #expect(widget.rows == [[1, 2]])
  }

  @Test func whatIsHeldBackComesAsOneUpdate() {
    let numbers = ArrayNode([1, 2, 3])
    let (widget, coordinator) = show(numbers)
    coordinator.suspend()
    coordinator.suspend()
    numbers.remove(at: 0)
    numbers.append(4)
    numbers.append(5)
    numbers.remove(at: 2)
    coordinator.resume()
    #expect(widget.takeLog() == [])
    // The widget scrolls, and asks for the rows that it shows.
    #expect(coordinator.count == 3)
    #expect((0..<3).map { coordinator.element(at: $0) } == [nil, 2, 3])
    #expect(coordinator.position(ofRow: 0) == nil && coordinator.row(ofPosition: 2) == nil)
    coordinator.resume()
    #expect(widget.takeLog() == ["deletes [0, 0]; inserts [0, 2]"])
    #expect(widget.rows == [[2, 3, 5]])
  }

  @Test func aWidgetMayChangeTheNodeWhileItIsUpdated() {
    let numbers = ArrayNode([1, 2])
    let (widget, coordinator) = show(numbers)
    widget.whileUpdating = {
      if numbers.count < 5 { numbers.append(numbers.count + 1) }
    }
    numbers.append(3)
    #expect(widget.rows == [[1, 2, 3, 4, 5]] && widget.error == nil)
    withExtendedLifetime(coordinator) {}
  }

  @Test func anotherNodeIsReloadedOrCompared() {
    let (widget, coordinator) = show(ArrayNode([1, 2, 3]))
    let other = ArrayNode([3, 1, 4])
    coordinator.show(other, id: { $0 })
    #expect(widget.takeLog().count == 1 && widget.rows == [[3, 1, 4]])
    coordinator.suspend()
    widget.scrollPosition = WidgetScrollPosition(path: [0, 2])
    let scrollCount = widget.scrollCount
    coordinator.show(ArrayNode([7]))
    other.append(9)
    #expect(coordinator.count == 3 && coordinator.element(at: 0) == nil, "the widget still shows the former node")
    coordinator.resume()
    #expect(widget.takeLog() == ["reload"] && widget.rows == [[7]])
    #expect(coordinator.node.elements == [7] && widget.scrollCount == scrollCount, "its rows have no place here")
  }

  @Test func withoutAWidgetItAnswersForTheNode() {
    let numbers = ArrayNode([1, 2])
    let coordinator = ListCoordinator(numbers)
    numbers.append(3)
    #expect(coordinator.count == 3 && coordinator.element(at: 2) == 3)
    coordinator.suspend()
    let widget = WidgetModel<Int>(.list)
    widget.follow(coordinator)
    #expect(coordinator.count == 0, "the widget shows nothing yet")
    coordinator.resume()
    #expect(widget.rows == [[1, 2, 3]])
    coordinator.widget = nil
    numbers.append(4)
    #expect(coordinator.count == 4 && widget.rows == [[1, 2, 3]])
  }

  @Test func nothingIsRetainedInCircles() {
    weak var node: ArrayNode<Int>?
    weak var held: ListCoordinator<Int>?
    weak var shown: WidgetModel<Int>?
    do {
      let numbers = ArrayNode([1])
      let (widget, coordinator) = show(numbers)
      (node, held, shown) = (numbers, coordinator, widget)
      numbers.append(2)
      #expect(widget.rows == [[1, 2]])
    }
    #expect(node == nil && held == nil && shown == nil)
  }

  /// For example, the application closes a window while the window's table is brought up to date.
  @Test func aCoordinatorMayBeReleasedDuringAnUpdate() {
    let numbers = ArrayNode([1])
    let widget = WidgetModel<Int>(.list)
    var coordinator: ListCoordinator<Int>? = ListCoordinator(numbers)
    weak let held = coordinator
    widget.follow(coordinator!)
    #expect(widget.rows == [[1]])
    coordinator!.select(at: [0, 0])
    widget.whileUpdating = {
      if coordinator != nil { numbers.append(3) }
      coordinator?.deselectAll()
      coordinator = nil
    }
    numbers.append(2)
    #expect(held == nil && numbers.elements == [1, 2, 3])
  }

  @Test func onlyWhatTheBatchBringsIsAskedFor() {
    let numbers = ArrayNode(Array(0..<10_000))
    let (widget, coordinator) = show(numbers)
    let count = widget.requestCount
    numbers.remove(at: 5_000)
    numbers.insert(1, at: 100)
    #expect(widget.requestCount == count + 1)
    withExtendedLifetime(coordinator) {}
  }
}
