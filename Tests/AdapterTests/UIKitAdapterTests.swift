import Assemblage
import AssemblageWidgets
@testable import CheckedUIKit
import Foundation
import Testing
import UIKitStub

/// The adapters for UIKit's views, with stubs that trap on inconsistent calls.
@MainActor @Suite struct UIKitAdapterTests {
  private final class Session: UIDragSession, UIDropSession, UITableViewDropCoordinator,
    UICollectionViewDropCoordinator,
    UIDragAnimating
  {
    let items: [UIDragItem]
    var destinationIndexPath: IndexPath?
    /// The path at which the items were dropped. A real view traps at a path without a row.
    var droppedPath: IndexPath?
    /// The row under the finger. The rows of the stubs have a height of 10.
    var row: Int
    init(items: [UIDragItem] = [], row: Int = 0) { (self.items, self.row) = (items, row) }
    func location(in view: UIView) -> CGPoint { CGPoint(x: 5, y: 10 * row + 5) }
    var session: any UIDropSession { self }
    func drop(_ dragItem: UIDragItem, toRowAt indexPath: IndexPath) -> any UIDragAnimating {
      droppedPath = indexPath
      return self
    }
    func drop(_ dragItem: UIDragItem, toItemAt indexPath: IndexPath) -> any UIDragAnimating {
      droppedPath = indexPath
      return self
    }
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
    coordinator.addBehavior(WritingBehavior(), to: names)
    return coordinator
  }

  private func tableAdapter(_ coordinator: ListWidgetCoordinator<String>) -> TableViewAdapter<String> {
    var cells = CellFactory<String, UITableViewCell>()
    cells.register("name") { cell, name in cell.text = name }
    let table = UITableView()
    table.allowsMultipleSelection = true
    table.register(UITableViewCell.self, forCellReuseIdentifier: "name")
    return TableViewAdapter(table, coordinator, cells: cells)
  }

  private func collectionAdapter(_ coordinator: ListWidgetCoordinator<String>) -> CollectionViewAdapter<String> {
    var cells = CellFactory<String, UICollectionViewCell>()
    cells.register("name") { cell, name in cell.text = name }
    let collection = UICollectionView()
    collection.allowsMultipleSelection = true
    collection.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "name")
    return CollectionViewAdapter(collection, coordinator, cells: cells)
  }

  private func texts(_ adapter: TableViewAdapter<String>) -> [[String]] { adapter.table.texts }

  /// A view counts its rows when it needs them. This may be as late as the start of the first update.
  @Test func changesBeforeTheFirstLayoutAreShown() {
    let (table, collection) = (tableAdapter(letters()), collectionAdapter(letters()))
    names.append("Cy")
    names.removeAll { $0.hasPrefix("A") }
    #expect(texts(table) == [["Bob"], ["Cy"], ["Zoe"]] && collection.collection.texts == texts(table))
    table.table.reloadData()
    collection.collection.reloadData()
    names.performUpdates {
      names.append("Bea")
      names.remove(at: 0)
    }
    #expect(texts(table) == [["Bob", "Bea"], ["Cy"]] && collection.collection.texts == texts(table))
    // Updates are held back, while shown rows have left the node.
    table.coordinator.suspend()
    names.performUpdates {
      names.removeAll()
      names.append("Ed")
    }
    table.table.reloadData()
    #expect(table.table.numberOfSections == 2)
    table.coordinator.resume()
    #expect(texts(table) == [["Ed"]])
  }

  /// Values that change while rows arrive and leave, and values that need another kind of cell.
  @Test func valuesAreShownInTheCellsThatRowsHave() {
    var cells = CellFactory<String, UITableViewCell>()
    cells.register("short") { (name: String) -> String? in
      name.count < 3 ? name : nil
    } configure: {
      $0.text = "s " + $1
    }
    cells.register("name") { cell, name in cell.text = name }
    let table = UITableView()
    for kind in ["short", "name"] { table.register(UITableViewCell.self, forCellReuseIdentifier: kind) }
    let adapter = TableViewAdapter(table, ListCoordinator(names), cells: cells)
    adapter.table.layoutIfNeeded()
    let cell = adapter.table.cellForRow(at: [0, 0])
    names.performUpdates {
      names[0] = "Zoa"
      names[2] = "Al"
      names.append("Cy")
      names.remove(at: 1)
    }
    #expect(texts(adapter) == [["Zoa", "s Al", "s Al", "s Cy"]])
    #expect(adapter.table.cellForRow(at: [0, 0]) === cell)
    let collection = collectionAdapter(letters())
    collection.collection.layoutIfNeeded()
    names.performUpdates {
      names[0] = "Zoe"
      names.append("Di")
      names.removeSubrange((names.count - 2)...)
    }
    #expect(collection.collection.texts == [["Al", "Al"], ["Zoe"]])
  }

  /// A row without an element has an empty cell. The row gets another cell with its first element, and keeps that cell.
  @Test func rowsWithoutElementsHaveEmptyCells() {
    let branch = BranchNode<String>([])
    let root = BranchNode([.leaf("Ada"), .node(branch)])
    let (table, collection) = (tableAdapter(ListCoordinator(root)), collectionAdapter(ListCoordinator(root)))
    #expect(table.table.texts == [["Ada", ""]] && collection.collection.texts == [["Ada", ""]])
    #expect(table.table.cellForRow(at: [0, 1])?.reuseIdentifier == "empty")
    branch.value = "Bob"
    #expect(table.table.texts == [["Ada", "Bob"]] && collection.collection.texts == [["Ada", "Bob"]])
    branch.value = nil
    #expect(table.table.texts == [["Ada", ""]] && collection.collection.texts == [["Ada", ""]])
  }

  private final class Acting: SelectionBehavior {
    let act: () -> Void
    init(_ act: @escaping () -> Void) { self.act = act }
    func didSelect(at place: NodePlace) { act() }
  }

  /// A behavior may change the model after a row was selected, but not while the view asks.
  @Test func whatIsSelectedMayChangeTheModel() {
    let (coordinator, other) = (ListCoordinator(names), ListCoordinator(names))
    coordinator.addBehavior(Acting { [names] in names.insert("new", at: 0) }, to: names)
    other.addBehavior(Acting { [names] in names.insert("new", at: 0) }, to: names)
    let (table, collection) = (tableAdapter(coordinator), collectionAdapter(other))
    table.table.tapRow(at: [0, 1])
    #expect(texts(table)[0].first == "new" && table.table.indexPathsForSelectedRows == [[0, 2]])
    collection.collection.tapItem(at: [0, 1])
    #expect(collection.collection.indexPathsForSelectedItems == [[0, 2]] && names.count == 6)
  }

  /// While a table is edited, several rows may be selected; otherwise one row at most.
  @Test func severalRowsAreSelectedWhileEditing() {
    let (table, collection) = (tableAdapter(ListCoordinator(names)), collectionAdapter(ListCoordinator(names)))
    (table.table.allowsMultipleSelection, table.table.allowsMultipleSelectionDuringEditing) = (false, true)
    (collection.collection.allowsMultipleSelection, collection.collection.allowsMultipleSelectionDuringEditing) = (
      false, true
    )
    for row in [0, 1] {
      table.table.tapRow(at: [0, row])
      collection.collection.tapItem(at: [0, row])
    }
    #expect(table.coordinator.selectedPaths == [[0, 1]] && collection.coordinator.selectedPaths == [[0, 1]])
    #expect(!table.tableView(table.table, canEditRowAt: [0, 3]))
    (table.table.isEditing, collection.collection.isEditing) = (true, true)
    // Without this, the table shows no circles for the selection.
    #expect(table.tableView(table.table, canEditRowAt: [0, 3]))
    table.table.tapRow(at: [0, 3])
    collection.collection.tapItem(at: [0, 3])
    #expect(table.coordinator.selectedPaths == [[0, 1], [0, 3]])
    #expect(collection.coordinator.selectedPaths == [[0, 1], [0, 3]])
    #expect(table.table.indexPathsForSelectedRows == [[0, 1], [0, 3]])
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
    let empty = adapter.collectionView(collection, viewForSupplementaryElementOfKind: "header", at: [0, 0])
    #expect(!(empty is UICollectionViewCell))
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

  /// The table's own selection has only rows that the behaviors allow. A row that returns is selected again.
  @Test func rowsAreSelected() {
    let behavior = Names()
    let shown = FilterNode(names) { _ in true }
    let coordinator = ListCoordinator(shown)
    coordinator.keepSelection(id: { $0 })
    coordinator.addBehavior(behavior, to: names)
    let adapter = tableAdapter(coordinator)
    let table = adapter.table
    table.tapRow(at: [0, 0])
    #expect(table.indexPathsForSelectedRows == nil)
    table.tapRow(at: [0, 2])
    #expect(table.indexPathsForSelectedRows == [[0, 2]])
    names.insert("Eve", at: 1)
    #expect(table.indexPathsForSelectedRows == [[0, 3]])
    shown.setPredicate { $0 != "Ada" }
    #expect(table.indexPathsForSelectedRows == nil)
    shown.setPredicate { _ in true }
    #expect(table.indexPathsForSelectedRows == [[0, 3]])
    coordinator.selection.select(1)
    #expect(table.indexPathsForSelectedRows == [[0, 1], [0, 3]])
    table.tapRow(at: [0, 3])
    #expect(table.indexPathsForSelectedRows == [[0, 1]])
  }

  @Test func itemsAreSelected() {
    let coordinator = letters()
    coordinator.keepSelection(.single)
    let adapter = collectionAdapter(coordinator)
    adapter.collection.allowsMultipleSelection = false
    adapter.collection.tapItem(at: [0, 1])
    adapter.collection.tapItem(at: [1, 0])
    #expect(adapter.collection.indexPathsForSelectedItems == [[1, 0]])
    names.append("Ann")
    names.removeAll { $0.hasPrefix("A") }
    #expect(adapter.collection.indexPathsForSelectedItems == [[0, 0]])
    adapter.collection.allowsMultipleSelection = true
    adapter.collection.tapItem(at: [0, 0])
    #expect(adapter.collection.indexPathsForSelectedItems == [])
  }

  @Test func rowsAreDeletedActivatedAndHaveMenus() {
    let behavior = Names()
    let coordinator = letters()
    coordinator.addBehavior(behavior, to: names)
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
    // The user has pressed the second of two selected items.
    let pressed = other.collectionView(
      other.collection, contextMenuConfigurationForItemsAt: [[0, 0], [1, 0]], point: CGPoint(x: 5, y: 15))
    let call = pressed?.menu?.children.first as? UIAction
    call.map { $0.handler($0) }
    #expect(behavior.activated == [2, -1, 0, -1])
  }

  /// Removes each row that is deselected.
  private struct Leaving: SelectionBehavior {
    let names: ArrayNode<String>
    func didDeselect(at place: NodePlace) { names.remove(at: place.position) }
  }

  /// A view with a single selection deselects one row, and then selects another one by its path before that.
  @Test func whatIsDeselectedMayLeave() async {
    let (coordinator, other) = (ListCoordinator(names), ListCoordinator(names))
    let (table, collection) = (tableAdapter(coordinator), collectionAdapter(other))
    (table.table.allowsMultipleSelection, collection.collection.allowsMultipleSelection) = (false, false)
    coordinator.addBehavior(Leaving(names: names), to: names)
    table.table.tapRow(at: [0, 0])
    table.table.tapRow(at: [0, 2])
    #expect(texts(table) == [["Bob", "Ada", "Al"]] && coordinator.selectedPaths == [[0, 1]])
    #expect(table.table.indexPathsForSelectedRows == [[0, 1]])
    coordinator.removeBehaviors(from: names)
    other.addBehavior(Leaving(names: names), to: names)
    collection.collection.tapItem(at: [0, 0])
    collection.collection.tapItem(at: [0, 1])
    #expect(collection.collection.texts == [["Ada", "Al"]] && other.selectedPaths == [[0, 0]])
    // A view may also deselect a row alone.
    collection.collection.delegate?.collectionView(collection.collection, didDeselectItemAt: [0, 0])
    while !other.isCurrent { await Task.yield() }
    #expect(collection.collection.texts == [["Al"]] && other.selectedPaths.isEmpty)
  }

  /// The view asks for the items before it has lifted the row. Until then, it shows changes.
  @Test func aRowThatIsLiftedMayMove() {
    let adapter = tableAdapter(ListCoordinator(names))
    adapter.coordinator.addBehavior(WritingBehavior(), to: names)
    let session = Session(items: adapter.tableView(adapter.table, itemsForBeginning: Session(row: 1), at: [0, 1]))
    names.insert("Eve", at: 0)
    adapter.tableView(adapter.table, dragSessionWillBegin: session)
    session.destinationIndexPath = [0, 0]
    adapter.tableView(adapter.table, performDropWith: session)
    adapter.tableView(adapter.table, dragSessionDidEnd: session)
    #expect(texts(adapter) == [["Bob", "Eve", "Zoe", "Ada", "Al"]])
  }

  /// If the touched row is selected, a view asks for the items of each selected row.
  @Test func onlyTheTouchedRowIsDragged() {
    let (table, collection) = (tableAdapter(ListCoordinator(names)), collectionAdapter(ListCoordinator(names)))
    table.coordinator.addBehavior(WritingBehavior(), to: names)
    collection.coordinator.addBehavior(WritingBehavior(), to: names)
    let touch = Session(row: 2)
    let rows = (0..<4).flatMap { table.tableView(table.table, itemsForBeginning: touch, at: [0, $0]) }
    let items = (0..<4).flatMap { row in
      collection.collectionView(collection.collection, itemsForBeginning: touch, at: [0, row])
    }
    #expect(rows.count == 1 && items.count == 1)
    let proposal = table.tableView(
      table.table, dropSessionDidUpdate: Session(items: rows), withDestinationIndexPath: [0, 0])
    #expect(proposal.operation == .move)
  }

  /// Drags within the section, also behind the row itself: the view counts the destination without the row.
  @Test func rowsAreDragged() {
    let adapter = tableAdapter(ListCoordinator(names))
    let table = adapter.table
    #expect(adapter.tableView(table, itemsForBeginning: Session(), at: [0, 0]).isEmpty)
    adapter.coordinator.addBehavior(WritingBehavior(), to: names)
    let session = Session(items: adapter.tableView(table, itemsForBeginning: Session(), at: [0, 0]))
    #expect(session.items.count == 1)
    adapter.tableView(table, dragSessionWillBegin: session)
    let onto: (IndexPath?) -> UIDropOperation = {
      adapter.tableView(table, dropSessionDidUpdate: session, withDestinationIndexPath: $0).operation
    }
    #expect(onto([0, 2]) == .move && onto(nil) == .move && onto([1, 0]) == .forbidden)
    session.destinationIndexPath = [0, 2]
    adapter.tableView(table, performDropWith: session)
    #expect(names.elements == ["Bob", "Ada", "Zoe", "Al"])
    #expect(session.droppedPath == [0, 2] && texts(adapter) == [["Bob", "Ada", "Zoe", "Al"]])
    adapter.tableView(table, dragSessionDidEnd: session)
    #expect(table.reloadCount == 1 && adapter.coordinator.isCurrent)
    // A drag that ends elsewhere. Changes during the drag are held back.
    adapter.tableView(table, dragSessionWillBegin: session)
    names.append("Cy")
    #expect(table.numberOfRows(inSection: 0) == 4)
    adapter.tableView(table, dragSessionDidEnd: session)
    #expect(table.numberOfRows(inSection: 0) == 5)
    // A row of another table.
    let other = tableAdapter(ListCoordinator(names))
    #expect(
      other.tableView(other.table, dropSessionDidUpdate: session, withDestinationIndexPath: [0, 0]).operation
        == .forbidden)
  }

  /// Below the last row, and in an empty section, there is no row at the destination.
  @Test func rowsAreDroppedBelowTheLast() {
    let (first, second) = (ArrayNode(["a", "b"]), ArrayNode<String>([]))
    let coordinator = SectionedListCoordinator(BranchNode([first, second]))
    coordinator.behaviors = { _ in [WritingBehavior()] }
    let adapter = tableAdapter(coordinator)
    for (row, section) in [(0, 1), (0, 1)] {
      let items = adapter.tableView(adapter.table, itemsForBeginning: Session(row: row), at: [0, row])
      let session = Session(items: items)
      adapter.tableView(adapter.table, dragSessionWillBegin: session)
      #expect(
        adapter.tableView(adapter.table, dropSessionDidUpdate: session, withDestinationIndexPath: nil).operation
          == .move)
      adapter.tableView(adapter.table, performDropWith: session)
      #expect(session.droppedPath == [section, second.count - 1])
      adapter.tableView(adapter.table, dragSessionDidEnd: session)
    }
    #expect(texts(adapter) == [[], ["a", "b"]])
    let empty = collectionAdapter(ListCoordinator(ArrayNode<String>([])))
    let session = Session(items: [UIDragItem(itemProvider: NSItemProvider())])
    #expect(
      empty.collectionView(empty.collection, dropSessionDidUpdate: session, withDestinationIndexPath: nil).operation
        == .forbidden, "an item of somebody else's")
  }

  /// The rows of an open folder move with the folder, and the folder cannot move into itself.
  @Test func anOpenFolderIsDragged() {
    let tree = ForestNode(["x", "A", "B", "y"]) { (name: String) -> [String]? in ["A": ["a1", "a2"]][name] }
    let coordinator = ListCoordinator(
      OutlineNode(tree, expansion: ExpansionState(policy: .expanded), id: { $0 }))
    coordinator.behaviors = { _ in [WritingBehavior()] }
    let adapter = tableAdapter(coordinator)
    let session = Session(items: adapter.tableView(adapter.table, itemsForBeginning: Session(row: 1), at: [0, 1]))
    let onto: (Int) -> UIDropOperation = {
      adapter.tableView(adapter.table, dropSessionDidUpdate: session, withDestinationIndexPath: [0, $0]).operation
    }
    #expect((0...5).map(onto) == [.move, .move, .forbidden, .move, .move, .move])
    // The table counts the rows without the folder, but with the rows of the folder.
    session.destinationIndexPath = [0, 4]
    adapter.tableView(adapter.table, performDropWith: session)
    #expect(texts(adapter) == [["x", "B", "A", "a1", "a2", "y"]] && session.droppedPath == [0, 2])
  }

  @Test func itemsAreDragged() {
    let coordinator = ListCoordinator(names)
    coordinator.addBehavior(WritingBehavior(), to: names)
    let adapter = collectionAdapter(coordinator)
    let collection = adapter.collection
    let session = Session(items: adapter.collectionView(collection, itemsForBeginning: Session(row: 3), at: [0, 3]))
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
    #expect(table.scrollPosition == WidgetScrollPosition(path: [0, 20], offset: -3))
    #expect(collection.scrollPosition == WidgetScrollPosition(path: [0, 20], offset: -3))
    numbers.insert(contentsOf: ["a", "b"], at: 5)
    #expect(table.table.contentOffset.y == 223 && collection.collection.contentOffset.y == 223)
    numbers.removeSubrange(6..<101)
    #expect(table.table.contentOffset.y == 20, "as far as there is something to see")
    // At the very top, the user sees a row that arrives there.
    for keeping in [PositionKeeping.unlessAtTop, .always, .never] {
      table.coordinator.keepsPosition = keeping
      table.table.contentOffset.y = 0
      numbers.insert("c", at: 0)
      #expect(table.table.contentOffset.y == (keeping == .always ? 10 : 0))
    }
    // A new offset would end a deceleration.
    (table.table.isDecelerating, collection.collection.isDecelerating) = (true, true)
    numbers.insert("d", at: 0)
    #expect(table.table.isDecelerating && collection.collection.isDecelerating)
  }

  /// A method that an adapter does not implement goes to the application's delegate first, then to its data source.
  @Test func theRestIsForwarded() {
    let (first, second) = (tableAdapter(letters()), tableAdapter(letters()))
    let adapter = tableAdapter(letters())
    #expect(adapter.forwardee { _ in true } == nil)
    (adapter.delegate, adapter.dataSource) = (first, second)
    #expect(adapter.delegate === first && adapter.dataSource === second)
    #expect(adapter.forwardee { _ in true } === first)
    #expect(adapter.forwardee { $0 === second } === second)
    #expect(adapter.forwardee { _ in false } == nil)
    // The table asks again which methods are implemented, and counts its rows when it needs them.
    #expect(adapter.table.delegate === adapter && adapter.table.dataSource === adapter)
    #expect(adapter.table.delegateCount == 3)
    names.append("Cy")
    #expect(texts(adapter) == [["Ada", "Al"], ["Bob"], ["Cy"], ["Zoe"]])
    let collection = collectionAdapter(letters())
    do {
      let other = collectionAdapter(letters())
      (collection.delegate, collection.dataSource) = (other, other)
      #expect(collection.forwardee { _ in true } === other && collection.collection.delegateCount == 3)
    }
    #expect(collection.delegate == nil && collection.forwardee { _ in true } == nil)
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
