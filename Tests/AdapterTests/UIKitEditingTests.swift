import Assemblage
import AssemblageWidgets
import CheckedUIKit
import Foundation
import Testing
import UIKitStub

/// Tables that are edited, swiped, scrolled ahead and indexed.
@MainActor @Suite struct UIKitEditingTests {
  private let names = ArrayNode(["Zoe", "Bob", "Ada", "Al"])

  private func adapter(_ coordinator: ListWidgetCoordinator<String>) -> TableViewAdapter<String> {
    var cells = CellFactory<String, UITableViewCell>()
    cells.register(.class(UITableViewCell.self)) { cell, name in cell.text = name }
    let table = UITableView()
    table.allowsMultipleSelection = true
    return TableViewAdapter(table, coordinator, cells: cells)
  }

  private func reload(of adapter: TableViewAdapter<String>) async {
    let count = adapter.table.reloadCount
    while adapter.table.reloadCount == count { await Task.yield() }
  }

  /// The table has moved the row itself: the coordinator does not move it again.
  @Test func rowsAreMovedWhileEditing() {
    let coordinator = ListCoordinator(names)
    let adapter = adapter(coordinator)
    let table = adapter.table
    #expect(!adapter.tableView(table, canMoveRowAt: [0, 0]) && !adapter.tableView(table, canEditRowAt: [0, 0]))
    coordinator.addBehavior(WritingBehavior(), to: names)
    #expect(adapter.tableView(table, editingStyleForRowAt: [0, 0]) == .delete)
    table.tapRow(at: [0, 2])
    for (source, destination) in [(0, 3), (3, 0), (2, 1), (1, 2), (0, 1), (1, 3)] {
      var expected = names.elements
      expected.insert(expected.remove(at: source), at: destination)
      table.dragRow(at: [0, source], to: [0, destination])
      #expect(names.elements == expected && table.texts == [expected])
    }
    #expect(table.reloadCount == 1 && coordinator.isCurrent)
    #expect(table.indexPathsForSelectedRows == [[0, names.elements.firstIndex(of: "Ada")!]])
    names.append("Cy")
    #expect(table.texts == [names.elements])
  }

  @Test func rowsAreMovedToOtherSections() {
    let (first, second) = (ArrayNode(["a", "b"]), ArrayNode(["c"]))
    let coordinator = SectionedListCoordinator(BranchNode([first, second]))
    coordinator.behaviors = { _ in [WritingBehavior()] }
    let adapter = adapter(coordinator)
    adapter.table.dragRow(at: [0, 0], to: [1, 1])
    #expect(second.elements == ["c", "a"] && adapter.table.texts == [["b"], ["c", "a"]])
    adapter.table.dragRow(at: [0, 0], to: [1, 0])
    adapter.table.dragRow(at: [1, 2], to: [0, 0])
    #expect(adapter.table.texts == [["a"], ["b", "c"]] && adapter.table.reloadCount == 1)
    first.append("d")
    #expect(adapter.table.texts == [["a", "d"], ["b", "c"]])
  }

  private struct Fixed: MovingBehavior, DeletionBehavior {
    func allowsMoving(from origin: NodePlace, to place: NodePlace) -> Bool { place.position != 1 }
    func allowsDeletion(at place: NodePlace) -> Bool { false }
  }

  /// If the move of a row was refused, the table shows the row at its former place.
  @Test func movesAreRefused() {
    let coordinator = ListCoordinator(names)
    coordinator.addBehavior(Fixed(), to: names)
    let adapter = adapter(coordinator)
    #expect(adapter.tableView(adapter.table, editingStyleForRowAt: [0, 0]) == .none)
    adapter.table.dragRow(at: [0, 3], to: [0, 1])
    #expect(adapter.table.texts == [["Zoe", "Bob", "Ada", "Al"]] && adapter.table.reloadCount == 1)
  }

  /// If the node moves the row to another place than the user did, the table reloads after its own move.
  @Test func theTableReloadsAfterAnotherMove() async {
    let groups = GroupNode(names, sectionsBy: <) { String($0.prefix(1)) }
    let coordinator = SectionedListCoordinator(groups)
    coordinator.behaviors = { _ in [WritingBehavior()] }
    let adapter = adapter(coordinator)
    let rows = [["Ada", "Al"], ["Bob"], ["Zoe"]]
    #expect(adapter.table.texts == rows)
    // The row stays in the group of its first letter.
    adapter.table.dragRow(at: [0, 0], to: [1, 0])
    names.append("Cy")
    adapter.table.layoutIfNeeded()
    await reload(of: adapter)
    #expect(adapter.table.texts == [["Ada", "Al"], ["Bob"], ["Cy"], ["Zoe"]])
    names.append("Dan")
    names.removeAll { $0 == "Zoe" }
    #expect(adapter.table.texts.last == ["Dan"] && adapter.table.reloadCount == 2)
  }

  /// An open folder moves together with its rows. The table itself has moved only one row.
  @Test func anOpenFolderIsMoved() async {
    let tree = ForestNode(["x", "A", "y"]) { (name: String) -> [String]? in ["A": ["a1", "a2"]][name] }
    let coordinator = ListCoordinator(OutlineNode(tree, expansion: ExpansionState(policy: .expanded), id: { $0 }))
    coordinator.behaviors = { _ in [WritingBehavior()] }
    let adapter = adapter(coordinator)
    adapter.table.dragRow(at: [0, 1], to: [0, 0])
    await reload(of: adapter)
    #expect(adapter.table.texts == [["A", "a1", "a2", "x", "y"]])
  }

  private final class Session: UIDragSession {
    let items: [UIDragItem] = []
    func location(in view: UIView) -> CGPoint { .zero }
  }

  /// A drag may end as a move of the table. Changes that were held back meanwhile make the table reload.
  @Test func aDragEndsAsAMove() async {
    let coordinator = ListCoordinator(names)
    coordinator.addBehavior(WritingBehavior(), to: names)
    let adapter = adapter(coordinator)
    adapter.tableView(adapter.table, dragSessionWillBegin: Session())
    adapter.table.dragRow(at: [0, 0], to: [0, 3])
    #expect(coordinator.isCurrent && adapter.table.texts == [["Bob", "Ada", "Al", "Zoe"]])
    adapter.tableView(adapter.table, dragSessionDidEnd: Session())
    adapter.tableView(adapter.table, dragSessionWillBegin: Session())
    names.append("Cy")
    adapter.table.dragRow(at: [0, 0], to: [0, 1])
    await reload(of: adapter)
    #expect(adapter.table.texts == [["Ada", "Bob", "Al", "Zoe", "Cy"]] && adapter.table.reloadCount == 2)
    // An application that holds changes back by itself.
    coordinator.suspend()
    adapter.table.dragRow(at: [0, 0], to: [0, 1])
    await reload(of: adapter)
    coordinator.resume()
    #expect(adapter.table.texts == [["Bob", "Ada", "Al", "Zoe", "Cy"]])
  }

  private struct Swipes: SwipeBehavior {
    let names: ArrayNode<String>
    let done: (String) -> Void
    func actions(at place: NodePlace, underSwipeFrom edge: SwipeEdge) -> [ContextAction] {
      if place.position == 0 { return [] }
      if place.position == 3 { return [ContextAction("Remove", isDestructive: true) { names.remove(at: 3) }] }
      return [
        ContextAction("\(edge)", isDestructive: edge == .trailing) { done("\(edge) \(place.position)") },
        ContextAction("hidden", isEnabled: false) {},
      ]
    }
  }

  @Test func rowsHaveSwipesAtBothEdges() {
    let adapter = adapter(ListCoordinator(names))
    let table = adapter.table
    var done: [String] = []
    adapter.coordinator.addBehavior(Swipes(names: names) { done.append($0) }, to: names)
    let leading = adapter.tableView(table, leadingSwipeActionsConfigurationForRowAt: [0, 1])
    let trailing = adapter.tableView(table, trailingSwipeActionsConfigurationForRowAt: [0, 2])
    #expect(leading?.actions.map(\.title) == ["leading"] && leading?.actions.map(\.style) == [.normal])
    #expect(trailing?.actions.map(\.title) == ["trailing"] && trailing?.actions.map(\.style) == [.destructive])
    for action in (leading?.actions ?? []) + (trailing?.actions ?? []) {
      action.handler(action, table) { done.append("\($0)") }
    }
    // The table takes the row of a destructive action out of sight, if the action has succeeded.
    #expect(done == ["leading 1", "true", "trailing 2", "false"])
    let removal = adapter.tableView(table, trailingSwipeActionsConfigurationForRowAt: [0, 3])?.actions[0]
    removal.map { $0.handler($0, table) { done.append("removed \($0)") } }
    #expect(done.last == "removed true" && names.count == 3)
    #expect(adapter.tableView(table, trailingSwipeActionsConfigurationForRowAt: [0, 0]) == nil)
    // A row with swipes can be edited, a row without actions cannot.
    #expect(adapter.tableView(table, canEditRowAt: [0, 1]) && !adapter.tableView(table, canEditRowAt: [0, 0]))
    #expect(adapter.tableView(table, editingStyleForRowAt: [0, 1]) == .none)
  }

  @Test func rowsAreRequestedAhead() {
    let numbers = ArrayNode((0..<100).map { "\($0)" })
    let adapter = adapter(ListCoordinator(numbers))
    var requested: [Range<Int>] = []
    adapter.coordinator.onPrefetch(in: numbers) { requested.append($0) }
    adapter.table.contentOffset.y = 100
    adapter.table.prefetchDataSource?.tableView(adapter.table, prefetchRowsAt: [[0, 15], [0, 19]])
    #expect(requested == [10..<16, 19..<20])
    var cells = CellFactory<String, UICollectionViewCell>()
    cells.register(.class(UICollectionViewCell.self)) { cell, name in cell.text = name }
    let other = CollectionViewAdapter(UICollectionView(), adapter.coordinator, cells: cells)
    other.collection.prefetchDataSource?.collectionView(other.collection, prefetchItemsAt: [[0, 7]])
    #expect(requested == [10..<16, 19..<20, 0..<5, 7..<8])
  }

  @Test func sectionsHaveTitlesAndAnIndex() {
    let (fruit, nuts) = (BranchNode(value: "fruit", leaves: ["apple"]), BranchNode(value: "nuts", leaves: ["hazel"]))
    fruit.footer = "1 kind"
    let root = BranchNode([fruit, nuts])
    let adapter = adapter(SectionedListCoordinator(root))
    let table = adapter.table
    #expect(adapter.tableView(table, titleForHeaderInSection: 0) == nil)
    #expect(adapter.sectionIndexTitles(for: table) == nil)
    adapter.headerTitle = { $0.uppercased() }
    adapter.footerTitle = { "(\($0))" }
    #expect(adapter.tableView(table, titleForHeaderInSection: 1) == "NUTS")
    #expect(adapter.tableView(table, titleForFooterInSection: 0) == "(1 kind)")
    #expect(adapter.tableView(table, titleForFooterInSection: 1) == nil)
    adapter.sectionIndex = { [("F", 0), ("N", root.count - 1)] }
    #expect(adapter.sectionIndexTitles(for: table) == ["F", "N"])
    #expect(adapter.tableView(table, sectionForSectionIndexTitle: "N", at: 1) == 1)
    // The table asks for new titles when sections change, and not for each row.
    table.layoutIfNeeded()
    nuts.append("pea")
    #expect(table.indexReloadCount == 0)
    root.remove(at: [0])
    #expect(table.indexReloadCount == 1 && adapter.tableView(table, sectionForSectionIndexTitle: "N", at: 1) == 0)
  }

  @Test func eachKindOfChangeHasAnAnimation() {
    let adapter = adapter(ListCoordinator(names))
    adapter.table.layoutIfNeeded()
    (adapter.insertionAnimation, adapter.removalAnimation, adapter.reloadAnimation) = (.fade, .left, .none)
    names.append("Cy")
    names.remove(at: 0)
    #expect(adapter.table.animations == ["insert fade", "delete left"])
    let root = BranchNode([BranchNode(value: "a", leaves: ["b"])])
    let other = self.adapter(SectionedListCoordinator(root))
    other.table.layoutIfNeeded()
    other.reloadAnimation = .fade
    (root.child(at: 0) as? BranchNode<String>)?.header = "A"
    #expect(other.table.animations == ["reload fade"])
  }
}
