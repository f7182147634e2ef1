import Assemblage
import AssemblageWidgets
import CheckedUIKit
import Foundation
import Testing
import UIKitStub

/// Cells, headers and footers of classes of their own, in UIKit's views.
@MainActor @Suite struct UIKitCellTests {
  private final class RowCell: UITableViewCell { var name = "" }
  private final class SpareCell: UITableViewCell { var length = 0 }
  private final class TitleView: UITableViewHeaderFooterView { var title = "" }
  private final class CountView: UITableViewHeaderFooterView { var count = "" }
  private final class ItemCell: UICollectionViewCell { var name = "" }
  private final class ItemTitle: UICollectionReusableView { var title = "" }

  private let fruit = BranchNode(value: "fruit", leaves: ["apple", "fig"])
  private let nuts = BranchNode(value: "nuts", leaves: ["hazel"])
  private var coordinator: SectionedListCoordinator<String> {
    fruit.header = "Fruit"
    fruit.footer = "2 kinds"
    return SectionedListCoordinator(BranchNode([fruit, nuts]))
  }

  @Test func aTableHasCellsHeadersAndFooters() {
    UINib.classes["SpareCell"] = SpareCell.self
    var cells = TableCells<String>()
    cells.rows.register(.nib(SpareCell.self)) {
      $0.count < 4 ? $0.count : nil
    } configure: { cell, length in
      cell.length = length
    }
    cells.rows.register(.class(RowCell.self)) { cell, name in cell.name = name }
    cells.headers.register(.class(TitleView.self)) { view, title in view.title = title }
    cells.footers.register(.class(CountView.self)) { view, count in view.count = count }
    let adapter = TableViewAdapter(UITableView(), coordinator, cells: cells)
    let table = adapter.table
    table.layoutIfNeeded()
    #expect((table.cellForRow(at: [0, 0]) as? RowCell)?.name == "apple")
    #expect((table.cellForRow(at: [0, 1]) as? SpareCell)?.length == 3)
    func header(_ section: Int) -> UIView? { adapter.tableView(table, viewForHeaderInSection: section) }
    func footer(_ section: Int) -> UIView? { adapter.tableView(table, viewForFooterInSection: section) }
    #expect((header(0) as? TitleView)?.title == "Fruit" && (footer(0) as? CountView)?.count == "2 kinds")
    // A section without a header shows its own value. A section without a footer shows another view or none.
    #expect((header(1) as? TitleView)?.title == "nuts" && footer(1) == nil)
    adapter.footer = { _ in UIView() }
    #expect(footer(1) != nil)
    // A new value may need another class.
    fruit.replace(at: 0, with: "fig")
    #expect((table.cellForRow(at: [0, 0]) as? SpareCell)?.length == 3)
  }

  @Test func aCollectionHasCellsHeadersAndFooters() {
    UINib.classes["ItemCell"] = ItemCell.self
    UINib.classes["ItemTitle"] = ItemTitle.self
    var cells = CollectionCells<String>()
    cells.rows.register(.nib(ItemCell.self)) { cell, name in cell.name = name }
    cells.headers.register(.nib(ItemTitle.self)) { view, title in view.title = title }
    cells.footers.register(.class(ItemTitle.self)) { view, title in view.title = "(\(title))" }
    let adapter = CollectionViewAdapter(UICollectionView(), coordinator, cells: cells)
    let collection = adapter.collection
    collection.layoutIfNeeded()
    #expect((collection.cellForItem(at: [1, 0]) as? ItemCell)?.name == "hazel")
    func title(_ kind: String, _ section: Int) -> String? {
      let view = adapter.collectionView(
        collection, viewForSupplementaryElementOfKind: kind, at: [section, 0])
      return (view as? ItemTitle)?.title
    }
    #expect(title(UICollectionView.elementKindSectionHeader, 0) == "Fruit")
    #expect(title(UICollectionView.elementKindSectionHeader, 1) == "nuts")
    #expect(title(UICollectionView.elementKindSectionFooter, 0) == "(2 kinds)")
    #expect(title(UICollectionView.elementKindSectionFooter, 1) == nil)
    #expect(title("badge", 0) == nil)
  }

  @Test func registrationsOfUIKitMakeCells() {
    let names = ArrayNode(["apple", "fig"])
    let short = UICollectionView.CellRegistration<UICollectionViewCell, Int> { cell, _, length in
      cell.text = "length \(length)"
    }
    let long = UICollectionView.CellRegistration<ItemCell, String> { cell, _, name in cell.name = name }
    var cells = CollectionCells<String>()
    cells.rows.register(short) { $0.count < 4 ? $0.count : nil }
    cells.rows.register(long)
    let collection = UICollectionView()
    let adapter = CollectionViewAdapter(collection, ListCoordinator(names), cells: cells)
    #expect(collection.texts == [["", "length 3"]])
    let cell = collection.cellForItem(at: [0, 0]) as? ItemCell
    #expect(cell?.name == "apple")
    // The same kind of cell is configured again. Another kind needs another cell.
    names[0] = "grape"
    #expect(collection.cellForItem(at: [0, 0]) === cell && cell?.name == "grape")
    names[0] = "nut"
    #expect(collection.texts == [["length 3", "length 3"]])
    withExtendedLifetime(adapter) {}
  }

  /// One section has cells and headers of its own.
  @Test func aSectionHasItsOwnCells() async {
    var cells = TableCells<String>()
    cells.rows.register(.class(RowCell.self)) { cell, name in cell.name = name }
    var own = TableCells<String>()
    own.rows.register(.class(SpareCell.self)) { cell, name in cell.length = name.count }
    own.headers.register(.class(TitleView.self)) { view, title in view.title = title }
    cells[nuts] = own
    let root = BranchNode([fruit, nuts])
    let adapter = TableViewAdapter(UITableView(), SectionedListCoordinator(root), cells: cells)
    let table = adapter.table
    table.layoutIfNeeded()
    #expect(table.cellForRow(at: [0, 0]) is RowCell)
    #expect((table.cellForRow(at: [1, 0]) as? SpareCell)?.length == 5)
    #expect(adapter.tableView(table, viewForHeaderInSection: 0) == nil)
    #expect((adapter.tableView(table, viewForHeaderInSection: 1) as? TitleView)?.title == "nuts")
    // A row keeps its cell when its value changes.
    let cell = table.cellForRow(at: [1, 0])
    nuts.replace(at: 0, with: "pecan")
    nuts.replace(at: 0, with: "pea")
    #expect(table.cellForRow(at: [1, 0]) === cell && (cell as? SpareCell)?.length == 3)
    // A row that arrives from another section gets a cell of its new section.
    root.move(from: [0, 1], to: [1, 0])
    #expect((table.cellForRow(at: [1, 0]) as? SpareCell)?.length == 3 && table.cellForRow(at: [1, 1]) === cell)
    adapter.coordinator.behaviors = { _ in [WritingBehavior()] }
    table.dragRow(at: [0, 0], to: [1, 0])
    let count = table.reloadCount
    while table.reloadCount == count { await Task.yield() }
    table.layoutIfNeeded()
    #expect((table.cellForRow(at: [1, 0]) as? SpareCell)?.length == 5)
  }

  /// Two factories with one class each, and a list without sections.
  @Test func aListHasNoHeaders() {
    var cells = TableCells<String>(rows: CellFactory())
    cells.rows.register(.class(RowCell.self)) { cell, name in cell.name = name }
    cells.headers.register(.class(TitleView.self)) { view, title in view.title = title }
    let adapter = TableViewAdapter(UITableView(), ListCoordinator(fruit), cells: cells)
    #expect(adapter.tableView(adapter.table, viewForHeaderInSection: 0) == nil)
    var others = CellFactory<String, UITableViewCell>()
    others.register(.class(RowCell.self)) { cell, name in cell.name = name }
    let other = TableViewAdapter(UITableView(), coordinator, cells: others)
    #expect(other.tableView(other.table, viewForHeaderInSection: 0) == nil)
  }
}
