import Assemblage
import AssemblageWidgets
import CheckedUIKit
import Foundation
import Testing
import UIKitStub

/// The adapters for UIKit's views, with stubs that refuse what does not add up.
@MainActor @Suite struct UIKitAdapterTests {
  private struct Session: UIDragSession, UIDropSession, UITableViewDropCoordinator, UICollectionViewDropCoordinator {
    var items: [UIDragItem] = []
    var destinationIndexPath: IndexPath?
    var session: any UIDropSession { self }
  }

  private final class Names: SelectionBehavior, ContextBehavior, ActivationBehavior {
    var activated: [Int] = []
    func shouldSelect(at place: NodePlace) -> Bool { place.position != 0 }
    func activate(at place: NodePlace) { activated.append(place.position) }
    func actions(at place: NodePlace) -> [ContextAction] {
      [
        ContextAction("Call") { [weak self] in self?.activated.append(-place.position) },
        ContextAction("Delete", isEnabled: false, isDestructive: true) {},
      ]
    }
  }

  private let names = ArrayNode(["Zoe", "Bob", "Ada", "Al"])

  private func letters() -> SectionedListCoordinator<String> {
    let coordinator = SectionedListCoordinator(GroupNode(names, sectionsBy: <) { String($0.prefix(1)) })
    coordinator.give(WritingBehavior(), to: names)
    return coordinator
  }

  private func tableAdapter(_ coordinator: ListWidgetCoordinator<String>) -> TableViewAdapter<String> {
    var cells = CellFactory<String, UITableViewCell>()
    cells.register("name") { cell, name in cell.text = name }
    return TableViewAdapter(UITableView(), coordinator, cells: cells)
  }

  private func collectionAdapter(_ coordinator: ListWidgetCoordinator<String>) -> CollectionViewAdapter<String> {
    var cells = CellFactory<String, UICollectionViewCell>()
    cells.register("name") { cell, name in cell.text = name }
    return CollectionViewAdapter(UICollectionView(), coordinator, cells: cells)
  }

  private func texts(_ adapter: TableViewAdapter<String>) -> [[String]] {
    let table = adapter.table
    return (0..<table.numberOfSections).map { section in
      (0..<table.numberOfRows(inSection: section)).map { adapter.tableView(table, cellForRowAt: [section, $0]).text }
    }
  }

  @Test func aTableFollows() {
    let adapter = tableAdapter(letters())
    #expect(texts(adapter) == [["Ada", "Al"], ["Bob"], ["Zoe"]])
    names.performUpdates {
      names.append("Cy")
      names[1] = "Abe"
      names.remove(at: 0)
    }
    #expect(texts(adapter) == [["Abe", "Ada", "Al"], ["Cy"]])
    #expect(adapter.table.reloadCount == 1)
    adapter.header = { _ in UITableViewCell() }
    #expect(adapter.tableView(adapter.table, viewForHeaderInSection: 0) != nil)
    #expect(adapter.tableView(adapter.table, viewForFooterInSection: 0) == nil)
  }

  @Test func aCollectionFollows() {
    let adapter = collectionAdapter(letters())
    let collection = adapter.collection
    names.performUpdates {
      names.append("Cy")
      names.remove(at: 0)
    }
    #expect(collection.reloadCount == 1 && collection.numberOfSections == 3)
    #expect(adapter.collectionView(collection, cellForItemAt: [2, 0]).text == "Cy")
    adapter.supplementaryView = { _, path in
      let view = UICollectionViewCell()
      view.text = "\(path[0])"
      return view
    }
    let header = adapter.collectionView(collection, viewForSupplementaryElementOfKind: "header", at: [2, 0])
    #expect((header as? UICollectionViewCell)?.text == "2")
  }

  /// The table's own selection is what the behaviors allow, and comes back with a row.
  @Test func rowsAreSelected() {
    let behavior = Names()
    let shown = FilterNode(names) { _ in true }
    let coordinator = ListCoordinator(shown)
    coordinator.keepSelection(id: { $0 })
    coordinator.give(behavior, to: names)
    let adapter = tableAdapter(coordinator)
    let table = adapter.table
    #expect(adapter.tableView(table, willSelectRowAt: [0, 0]) == nil)
    #expect(adapter.tableView(table, willSelectRowAt: [0, 2]) == [0, 2])
    #expect(table.indexPathsForSelectedRows == [[0, 2]])
    names.insert("Eve", at: 1)
    #expect(table.indexPathsForSelectedRows == [[0, 3]])
    shown.setPredicate { $0 != "Ada" }
    #expect(table.indexPathsForSelectedRows == nil)
    shown.setPredicate { _ in true }
    #expect(table.indexPathsForSelectedRows == [[0, 3]])
    coordinator.selection.select(1)
    #expect(table.indexPathsForSelectedRows == [[0, 1], [0, 3]])
    #expect(adapter.tableView(table, willDeselectRowAt: [0, 3]) == [0, 3])
    #expect(table.indexPathsForSelectedRows == [[0, 1]])
  }

  @Test func itemsAreSelected() {
    let coordinator = letters()
    coordinator.keepSelection(.single)
    let adapter = collectionAdapter(coordinator)
    adapter.collection.allowsMultipleSelection = false
    #expect(adapter.collectionView(adapter.collection, shouldSelectItemAt: [0, 1]))
    #expect(adapter.collectionView(adapter.collection, shouldSelectItemAt: [1, 0]))
    #expect(adapter.collection.indexPathsForSelectedItems == [[1, 0]])
    names.append("Ann")
    names.removeAll { $0.hasPrefix("A") }
    #expect(adapter.collection.indexPathsForSelectedItems == [[0, 0]])
    #expect(adapter.collectionView(adapter.collection, shouldDeselectItemAt: [0, 0]))
    #expect(adapter.collection.indexPathsForSelectedItems == [])
  }

  @Test func rowsAreDeletedActivatedAndHaveMenus() {
    let behavior = Names()
    let coordinator = letters()
    coordinator.give(behavior, to: names)
    let adapter = tableAdapter(coordinator)
    #expect(adapter.tableView(adapter.table, canEditRowAt: [0, 1]))
    adapter.tableView(adapter.table, commit: .insert, forRowAt: [0, 1])
    adapter.tableView(adapter.table, commit: .delete, forRowAt: [0, 1])
    #expect(names.elements == ["Zoe", "Bob", "Ada"])
    adapter.tableView(adapter.table, performPrimaryActionForRowAt: [0, 0])
    #expect(behavior.activated == [2])
    let menu = adapter.tableView(adapter.table, contextMenuConfigurationForRowAt: [1, 0], point: .zero)?.menu
    let actions = (menu?.children ?? []).compactMap { $0 as? UIAction }
    #expect(actions.map(\.title) == ["Call", "Delete"])
    #expect(actions.map(\.attributes) == [[], [.disabled, .destructive]])
    actions[0].handler(actions[0])
    #expect(behavior.activated == [2, -1])
    let other = collectionAdapter(coordinator)
    other.collectionView(other.collection, performPrimaryActionForItemAt: [2, 0])
    #expect(behavior.activated == [2, -1, 0])
    #expect(
      other.collectionView(other.collection, contextMenuConfigurationForItemsAt: [[0, 0]], point: .zero) != nil)
  }

  /// Within the section, also behind the row itself: the view counts the destination without it.
  @Test func rowsAreDragged() {
    let adapter = tableAdapter(ListCoordinator(names))
    let table = adapter.table
    #expect(adapter.tableView(table, itemsForBeginning: Session(), at: [0, 0]).isEmpty)
    adapter.coordinator.give(WritingBehavior(), to: names)
    var session = Session(items: adapter.tableView(table, itemsForBeginning: Session(), at: [0, 0]))
    #expect(session.items.count == 1)
    adapter.tableView(table, dragSessionWillBegin: session)
    let onto: (IndexPath?) -> UIDropOperation = {
      adapter.tableView(table, dropSessionDidUpdate: session, withDestinationIndexPath: $0).operation
    }
    #expect(onto([0, 2]) == .move && onto(nil) == .forbidden && onto([1, 0]) == .forbidden)
    session.destinationIndexPath = [0, 2]
    adapter.tableView(table, performDropWith: session)
    #expect(names.elements == ["Bob", "Ada", "Zoe", "Al"])
    #expect(texts(adapter) == [["Zoe", "Bob", "Ada", "Al"]], "held back until the drag ends")
    adapter.tableView(table, dragSessionDidEnd: session)
    #expect(texts(adapter) == [["Bob", "Ada", "Zoe", "Al"]] && table.reloadCount == 1)
    // A row of another table.
    let other = tableAdapter(ListCoordinator(names))
    #expect(
      other.tableView(other.table, dropSessionDidUpdate: session, withDestinationIndexPath: [0, 0]).operation
        == .forbidden)
  }

  @Test func itemsAreDragged() {
    let coordinator = ListCoordinator(names)
    coordinator.give(WritingBehavior(), to: names)
    let adapter = collectionAdapter(coordinator)
    let collection = adapter.collection
    var session = Session(items: adapter.collectionView(collection, itemsForBeginning: Session(), at: [0, 3]))
    adapter.collectionView(collection, dragSessionWillBegin: session)
    #expect(
      adapter.collectionView(collection, dropSessionDidUpdate: session, withDestinationIndexPath: [0, 1]).operation
        == .move)
    session.destinationIndexPath = [0, 1]
    adapter.collectionView(collection, performDropWith: session)
    adapter.collectionView(collection, dragSessionDidEnd: session)
    #expect(names.elements == ["Zoe", "Al", "Bob", "Ada"])
    #expect(adapter.collectionView(collection, cellForItemAt: [0, 1]).text == "Al")
  }

  @Test func whatIsOnTopStays() {
    let numbers = ArrayNode((0..<100).map { "\($0)" })
    let table = tableAdapter(ListCoordinator(numbers))
    let collection = collectionAdapter(ListCoordinator(numbers))
    table.table.contentOffset.y = 203
    collection.collection.contentOffset.y = 203
    #expect(table.scrollPosition == ScrollPosition(path: [0, 20], offset: -3))
    #expect(collection.scrollPosition == ScrollPosition(path: [0, 20], offset: -3))
    numbers.insert(contentsOf: ["a", "b"], at: 5)
    #expect(table.table.contentOffset.y == 223 && collection.collection.contentOffset.y == 223)
    numbers.removeSubrange(6..<101)
    #expect(table.table.contentOffset.y == 20, "as far as there is something to see")
  }

  @Test func nothingIsKeptAlive() {
    weak var weakAdapter: TableViewAdapter<String>?
    weak var weakCollection: CollectionViewAdapter<String>?
    do {
      let (table, collection) = (tableAdapter(letters()), collectionAdapter(letters()))
      (weakAdapter, weakCollection) = (table, collection)
      names.append("Dan")
    }
    #expect(weakAdapter == nil && weakCollection == nil)
    names.append("Eve")
  }
}
