import AppKitStub
import Assemblage
import AssemblageTesting
import AssemblageWidgets
import CheckedAppKit
import Foundation
import TestSupport
import Testing

/// The adapters for AppKit's views, with stubs that trap on inconsistent calls.
@MainActor @Suite struct AppKitAdapterTests {
  private final class Info: NSDraggingInfo {}

  private final class Rows: ContextBehavior, ActivationBehavior, ExpansionBehavior, SelectionBehavior {
    var done: [String] = []
    var expands = true
    func activate(at place: NodePlace) { done.append("activate \(place.position)") }
    func shouldExpand(at place: NodePlace) -> Bool { expands }
    func didExpand(at place: NodePlace) { done.append("expand \(place.position)") }
    func shouldSelect(at place: NodePlace) -> Bool { place.position != 2 }
    func actions(at place: NodePlace) -> [ContextAction] {
      [
        ContextAction("Call") { [weak self] in self?.done.append("call \(place.position)") },
        ContextAction("Delete", isDestructive: true) {}, ContextAction("Print", isEnabled: false) {},
      ]
    }
  }

  private let names = ArrayNode(["Zoe", "Bob", "Ada", "Al"])

  private var cells: CellFactory<String, NSView> {
    var cells = CellFactory<String, NSView>()
    cells.register("name") { view, name in view.text = name }
    return cells
  }

  private func adapter(_ node: any TreeNode<String>) -> TableViewAdapter<String> {
    let cells = cells
    return TableViewAdapter(NSTableView(), ListCoordinator(node)) { _ in cells }
  }

  private func outlineAdapter(_ node: any TreeNode<String>) -> OutlineViewAdapter<String> {
    let cells = cells
    return OutlineViewAdapter(NSOutlineView(), OutlineCoordinator(node)) { _ in cells }
  }

  // MARK: Tables

  @Test func aTableFollows() {
    let adapter = adapter(SortNode(names, by: <))
    #expect(adapter.table.shownTexts == ["Ada", "Al", "Bob", "Zoe"])
    names.performUpdates {
      names[0] = "Abe"
      names.append("Cy")
      names.remove(at: 2)
    }
    #expect(adapter.table.shownTexts == ["Abe", "Al", "Bob", "Cy"] && adapter.table.reloadCount == 1)
    names[3] = "Bo"
    #expect(adapter.table.shownTexts == ["Abe", "Al", "Bo", "Bob"])
  }

  /// A view counts its rows when it needs them. This may be as late as the start of the first update.
  @Test func changesBeforeTheFirstLayoutAreShown() {
    let table = adapter(names)
    names.append("Cy")
    #expect(table.table.shownTexts == ["Zoe", "Bob", "Ada", "Al", "Cy"])
    table.table.reloadData()
    names.remove(at: 0)
    names.append("Di")
    #expect(table.table.shownTexts == ["Bob", "Ada", "Al", "Cy", "Di"])
    let tree = BranchNode([.node(BranchNode(value: "Sources", leaves: ["a"])), .leaf("README")])
    let outline = outlineAdapter(tree)
    tree.append("LICENSE")
    outline.outline.reloadData()
    tree.remove(at: [1])
    #expect(outline.outline.shownTexts == ["Sources", "LICENSE"])
  }

  /// Removes each row that is selected.
  private final class Eater: SelectionBehavior {
    var log: [String] = []
    let names: ArrayNode<String>
    init(_ names: ArrayNode<String>) { self.names = names }
    func didSelect(at place: NodePlace) { log.append(names.remove(at: place.position)) }
  }

  /// The second row that is selected is not at its former place any more.
  @Test func eachSelectedRowMayChangeTheModel() {
    let adapter = adapter(names)
    let eater = Eater(names)
    adapter.coordinator.addBehavior(eater, to: names)
    adapter.table.userSelects([0, 2])
    #expect(eater.log == ["Zoe", "Ada"] && names.elements == ["Bob", "Al"])
    #expect(adapter.table.shownTexts == ["Bob", "Al"] && adapter.table.selectedRowIndexes.isEmpty)
  }

  private final class NameView: NSView {
    func show(_ name: String) { text = "name \(name)" }
  }
  private final class ShortView: NSView {}

  @Test func cellsAreMadeByTheirClass() {
    NSNib.classes["ShortView"] = ShortView.self
    var cells = CellFactory<String, NSView>()
    cells.register(.nib(ShortView.self), for: { $0.count < 3 ? $0 : nil }) { $0.text = "short \($1)" }
    cells.register(.class(NameView.self)) { $0.show($1) }
    let adapter = TableViewAdapter(NSTableView(), ListCoordinator(names)) { [cells] _ in cells }
    #expect(adapter.table.shownTexts == ["name Zoe", "name Bob", "name Ada", "short Al"])
    names[0] = "Bo"
    #expect(adapter.table.shownTexts[0] == "short Bo")
    let outline = OutlineViewAdapter(NSOutlineView(), OutlineCoordinator(names)) { [cells] _ in cells }
    #expect(outline.outline.shownTexts == ["short Bo", "name Bob", "name Ada", "short Al"])
  }

  private final class City: NSObject {
    let name: String
    init(_ name: String) { self.name = name }
  }

  @Test func sortDescriptorsSortANode() {
    let sorted = SortNode(names, by: nil)
    let adapter = adapter(sorted)
    adapter.sort = { descriptors in
      guard let first = descriptors.first else { return sorted.setComparator(nil) }
      sorted.setComparator { first.ascending ? $0 < $1 : $0 > $1 }
    }
    adapter.table.sortDescriptors = [NSSortDescriptor(keyPath: \City.name, ascending: true)]
    #expect(adapter.table.shownTexts == ["Ada", "Al", "Bob", "Zoe"])
    adapter.table.sortDescriptors = [NSSortDescriptor(keyPath: \City.name, ascending: false)]
    #expect(adapter.table.shownTexts == ["Zoe", "Bob", "Al", "Ada"])
    adapter.table.sortDescriptors = []
    #expect(adapter.table.shownTexts == ["Zoe", "Bob", "Ada", "Al"] && adapter.table.reloadCount == 1)
  }

  @Test func aStackViewArrangesAViewForEachRow() {
    let stack = NSStackView()
    let sorted = SortNode(names, by: <)
    let views = stack.arrange(ListCoordinator(sorted)) { _ in
      NSView()
    } configure: {
      $0.text = $1
    }
    let zoe = stack.arrangedSubviews[3]
    names.performUpdates {
      names[0] = "Aaron"
      names.append("Cy")
      names.remove(at: 1)
    }
    #expect(stack.arrangedSubviews.map(\.text) == ["Aaron", "Ada", "Al", "Cy"])
    #expect(stack.arrangedSubviews[0] === zoe && stack.subviews.count == 4)
    #expect(views.views.map(\.text) == ["Aaron", "Ada", "Al", "Cy"])
  }

  /// A behavior may change the model after a row was selected, but not while the view asks.
  @Test func whatIsSelectedMayChangeTheModel() {
    let tree = BranchNode([.node(BranchNode(value: "Sources", leaves: ["a"])), .leaf("README")])
    let adapter = adapter(names)
    adapter.coordinator.addBehavior(Acting { [names] in names.append("new") }, to: names)
    adapter.table.userSelects([1])
    #expect(adapter.table.shownTexts.last == "new" && adapter.table.selectedRowIndexes == [1])
    let outline = outlineAdapter(tree)
    outline.coordinator.behaviors = { _ in [Acting { tree.append("new") }] }
    outline.outline.expandItem(outline.outline.item(atRow: 0))
    outline.outline.userSelects([2])
    #expect(outline.outline.shownTexts == ["Sources", "a", "README", "new", "new"])
    #expect(outline.outline.selectedRowIndexes == [2])
  }

  private final class Acting: SelectionBehavior, ExpansionBehavior {
    let act: () -> Void
    init(_ act: @escaping () -> Void) { self.act = act }
    func didSelect(at place: NodePlace) { act() }
    func didExpand(at place: NodePlace) { act() }
  }

  @Test func rowsAreSelected() {
    let shown = FilterNode(names) { _ in true }
    let adapter = adapter(shown)
    let (table, coordinator) = (adapter.table, adapter.coordinator)
    coordinator.keepSelection(id: { $0 })
    coordinator.addBehavior(Rows(), to: names)
    table.userSelects([1, 2, 3])
    #expect(table.selectedRowIndexes == [1, 3] && coordinator.selectedPaths == [[0, 1], [0, 3]])
    table.userSelects([3])
    names.insert("Eve", at: 0)
    #expect(table.selectedRowIndexes == [4])
    shown.setPredicate { $0 != "Al" }
    #expect(table.selectedRowIndexes == [])
    shown.setPredicate { _ in true }
    #expect(table.selectedRowIndexes == [4])
    coordinator.selection.deselectAll()
    #expect(table.selectedRowIndexes == [])
  }

  @Test func rowsAreActivatedDeletedAndHaveActions() {
    let adapter = adapter(SortNode(names, by: <))
    let rows = Rows()
    adapter.coordinator.addBehavior(WritingBehavior(), to: names)
    adapter.coordinator.addBehavior(rows, to: names)
    adapter.activateClickedRow()
    adapter.table.clickedRow = 0
    adapter.activateClickedRow()
    let actions = adapter.tableView(adapter.table, rowActionsForRow: 1, edge: .trailing)
    #expect(actions.map(\.title) == ["Call", "Delete"] && actions.map(\.style) == [.regular, .destructive])
    #expect(adapter.tableView(adapter.table, rowActionsForRow: 1, edge: .leading).isEmpty)
    adapter.table.rowActionsVisible = true
    actions[0].handler(actions[0], 1)
    #expect(rows.done == ["activate 2", "call 3"] && !adapter.table.rowActionsVisible)
    adapter.coordinator.select(at: [0, 1])
    adapter.deleteSelection()
    #expect(names.elements == ["Zoe", "Bob", "Ada"])
  }

  private struct Swipes: SwipeBehavior {
    func actions(at place: NodePlace, underSwipeFrom edge: SwipeEdge) -> [ContextAction] {
      [ContextAction("\(edge) \(place.position)") {}, ContextAction("Hidden", isEnabled: false) {}]
    }
  }

  @Test func rowsHaveSwipesAtBothEdges() {
    let adapter = adapter(SortNode(names, by: <))
    adapter.coordinator.addBehavior(Rows(), to: names)
    adapter.coordinator.addBehavior(Swipes(), to: names)
    func titles(_ edge: NSTableView.RowActionEdge) -> [String] {
      adapter.tableView(adapter.table, rowActionsForRow: 1, edge: edge).map(\.title)
    }
    #expect(titles(.leading) == ["leading 3"] && titles(.trailing) == ["trailing 3"])
  }

  @Test func rowsAreDragged() {
    let adapter = adapter(names)
    let table = adapter.table
    #expect(adapter.tableView(table, pasteboardWriterForRow: 0) == nil)
    adapter.coordinator.addBehavior(WritingBehavior(), to: names)
    #expect(adapter.tableView(table, pasteboardWriterForRow: 0) != nil)
    adapter.tableView(table, draggingSession: NSDraggingSession(), willBeginAt: .zero, forRowIndexes: [0, 2])
    let drop: (Int, NSTableView.DropOperation) -> NSDragOperation = {
      adapter.tableView(table, validateDrop: Info(), proposedRow: $0, proposedDropOperation: $1)
    }
    #expect(drop(4, .above) == .move && drop(1, .on) == [])
    #expect(adapter.tableView(table, acceptDrop: Info(), row: 4, dropOperation: .above))
    #expect(table.shownTexts == ["Zoe", "Bob", "Ada", "Al"])
    adapter.tableView(table, draggingSession: NSDraggingSession(), endedAt: .zero, operation: .move)
    #expect(table.shownTexts == ["Bob", "Al", "Zoe", "Ada"] && table.reloadCount == 1)
    #expect(drop(0, .above) == [], "nothing is dragged")
  }

  @Test func whatIsOnTopStays() {
    let numbers = ArrayNode((0..<100).map { "\($0)" })
    let table = adapter(numbers)
    let outline = outlineAdapter(numbers)
    table.table.scroll(CGPoint(x: 0, y: 203))
    outline.outline.scroll(CGPoint(x: 0, y: 203))
    #expect(table.scrollPosition == WidgetScrollPosition(path: [0, 20], offset: -3))
    #expect(outline.scrollPosition == WidgetScrollPosition(path: [20], offset: -3))
    numbers.insert(contentsOf: ["a", "b"], at: 5)
    #expect(table.table.visibleRect.minY == 223 && outline.outline.visibleRect.minY == 223)
    // At the very top, the user sees a row that arrives there.
    for keeping in [PositionKeeping.unlessAtTop, .always, .never] {
      table.coordinator.keepsPosition = keeping
      table.table.scroll(.zero)
      names.append("other")
      numbers.insert("c", at: 0)
      #expect(table.table.visibleRect.minY == (keeping == .always ? 10 : 0))
    }
  }

  // MARK: Outlines

  @Test func anOutlineFollows() {
    let tests = BranchNode(value: "Tests", leaves: ["a.swift"])
    let tree = BranchNode([
      .node(BranchNode(value: "Sources", leaves: ["main.swift", "tree.swift"])), .node(tests), .leaf("README"),
    ])
    let rows = Rows()
    let adapter = outlineAdapter(tree)
    let outline = adapter.outline
    adapter.coordinator.behaviors = { _ in [rows] }
    #expect(outline.shownTexts == ["Sources", "Tests", "README"])
    outline.expandItem(outline.item(atRow: 0))
    #expect(outline.shownTexts == ["Sources", "main.swift", "tree.swift", "Tests", "README"])
    #expect(rows.done == ["expand 0"])
    // From a row that was never unfolded to an unfolded row, and back.
    tree.move(from: [1, 0], to: [0, 1])
    #expect(outline.shownTexts == ["Sources", "main.swift", "a.swift", "tree.swift", "Tests", "README"])
    tree.move(from: [0, 0], to: [1, 0])
    tests.value = "Trials"
    #expect(outline.shownTexts == ["Sources", "a.swift", "tree.swift", "Trials", "README"])
    rows.expands = false
    outline.expandItem(outline.item(atRow: 3))
    #expect(outline.shownTexts.count == 5)
    outline.collapseItem(outline.item(atRow: 0))
    tree.move([0], into: [1], at: 1)
    #expect(outline.shownTexts == ["Trials", "README"] && outline.reloadCount == 1)
    rows.expands = true
    outline.expandItem(outline.item(atRow: 0))
    #expect(outline.shownTexts == ["Trials", "main.swift", "Sources", "README"])
  }

  @Test func rowsOfAnOutlineAreSelectedAndDragged() {
    let tree = BranchNode([.node(BranchNode(value: "Sources", leaves: ["a", "b"])), .leaf("README")])
    let adapter = outlineAdapter(tree)
    let (outline, coordinator) = (adapter.outline, adapter.coordinator)
    coordinator.behaviors = { _ in [WritingBehavior()] }
    outline.expandItem(outline.item(atRow: 0))
    outline.userSelects([1])
    outline.collapseItem(outline.item(atRow: 0))
    #expect(coordinator.selectedPaths == [[0, 0]], "out of sight, it stays selected")
    adapter.deleteSelection()
    #expect(tree.count(at: [0]) == 2, "out of sight, it is not deleted")
    outline.expandItem(outline.item(atRow: 0))
    #expect(coordinator.selectedPaths == [[0, 0]] && outline.selectedRowIndexes == [1])
    let (folder, row) = (outline.item(atRow: 0)!, outline.item(atRow: 3)!)
    #expect(adapter.outlineView(outline, pasteboardWriterForItem: row) != nil)
    adapter.outlineView(outline, draggingSession: NSDraggingSession(), willBeginAt: .zero, forItems: [row, folder])
    let drop: (Any?, Int) -> NSDragOperation = {
      adapter.outlineView(outline, validateDrop: Info(), proposedItem: $0, proposedChildIndex: $1)
    }
    #expect(drop(folder, NSOutlineViewDropOnItemIndex) == .move && drop(folder, 0) == .move && drop(row, 0) == [])
    #expect(adapter.outlineView(outline, acceptDrop: Info(), item: folder, childIndex: 0), "the file, not the folder")
    adapter.outlineView(outline, draggingSession: NSDraggingSession(), endedAt: .zero, operation: .move)
    #expect(outline.shownTexts == ["Sources", "README", "a", "b"])
    #expect(outline.selectedRowIndexes == [2] && coordinator.selectedPaths == [[0, 1]])
    adapter.deleteSelection()
    #expect(outline.shownTexts == ["Sources", "README", "b"])
  }

  /// Random trees, edits, and rows that are unfolded and folded. The outline shows the elements of the tree, and never
  /// asks for the children of a row that stays folded.
  @Test func randomOutlines() {
    for iteration in 0..<TestSeed.iterations(50) {
      var generator = TestSeed.generator("adapters/outline", iteration: iteration)
      var last = 0
      func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
      func leaf() -> String {
        last += 1
        return "\(last)"
      }
      func branch(_ depth: Int) -> BranchNode<String> {
        BranchNode(
          value: leaf(),
          (0..<number(4)).map { _ in depth > 0 && number(2) == 0 ? .node(branch(depth - 1)) : .leaf(leaf()) })
      }
      let tree = branch(3)
      func branches(_ node: BranchNode<String>) -> [BranchNode<String>] {
        [node] + (0..<node.count).flatMap { (node.child(at: $0) as? BranchNode).map(branches) ?? [] }
      }
      let adapter = outlineAdapter(tree)
      let outline = adapter.outline
      outline.asksEarly = iteration.isMultiple(of: 2)
      /// The rows of the tree, with the unfolded rows of the outline. Expects that each row that was unfolded and
      /// stayed visible is still unfolded.
      func shown(_ former: [String: Bool]) -> [String?] {
        var row = 0
        func rows(of node: any TreeNode<String>) -> [String?] {
          (0..<node.count).flatMap { position -> [String?] in
            let name = node.element(at: position)!
            guard row < outline.numberOfRows, outline.shownTexts[row] == name else { return [name] }
            let isExpanded = outline.isItemExpanded(outline.item(atRow: row))
            row += 1
            guard let child = node.child(at: position) else { return [name] }
            if former[name] == true { #expect(isExpanded) }
            return [name] + (isExpanded ? rows(of: child) : [])
          }
        }
        return rows(of: tree)
      }
      func expansions() -> [String: Bool] {
        Dictionary(
          uniqueKeysWithValues: (0..<outline.numberOfRows).map {
            (outline.shownTexts[$0]!, outline.isItemExpanded(outline.item(atRow: $0)))
          })
      }
      func edit() {
        let all = branches(tree)
        let node = all[number(all.count)]
        switch number(6) {
        case 0, 1: node.insert(number(3) == 0 ? .node(branch(1)) : .leaf(leaf()), at: number(node.count + 1))
        case 2: if node.count > 0 { node.remove(at: number(node.count)) }
        case 3: if node !== tree { node.value = leaf() }
        default:
          let other = all[number(all.count)]
          if node.count == 0 { return }
          let position = number(node.count)
          if let child = node.child(at: position) as? BranchNode<String>,
            branches(child).contains(where: { $0 === other })
          {
            return
          }
          let paths = (path(of: node), path(of: other))
          let destination = number(other.count + 1)
          tree.move(paths.0.appending(position), into: paths.1, at: destination)
        }
      }
      func path(of node: BranchNode<String>) -> IndexPath {
        func find(_ other: BranchNode<String>, _ path: IndexPath) -> IndexPath? {
          if other === node { return path }
          for position in 0..<other.count {
            if let child = other.child(at: position) as? BranchNode<String>,
              let found = find(child, path.appending(position))
            {
              return found
            }
          }
          return nil
        }
        return find(tree, [])!
      }
      for step in 0..<TestSeed.length(40) {
        var former: [String: Bool] = [:]
        if number(3) == 0, outline.numberOfRows > 0 {
          let item = outline.item(atRow: number(outline.numberOfRows))
          if outline.isItemExpanded(item) { outline.collapseItem(item) } else { outline.expandItem(item) }
        } else {
          former = expansions()
          tree.performUpdates { for _ in 0...number(4) { edit() } }
        }
        let expected = shown(former)
        #expect(outline.shownTexts == expected, "script \(iteration), step \(step)")
        if outline.shownTexts != expected { return }
      }
      #expect(outline.reloadCount == 1)
    }
  }
}
