import Assemblage
import AssemblageWidgets
import Foundation
import Testing

/// Cells of all sections, and of one section.
@Suite struct SectionCellsTests {
  private class View {}
  private final class Row: View {}
  private final class Title: View {}

  private typealias Cells = SectionCells<String, View, View>

  private func factory(_ identifier: String) -> CellFactory<String, View> {
    var factory = CellFactory<String, View>()
    factory.register(identifier) { _, _ in }
    return factory
  }

  /// A section has its own cells, also behind a sort and without rows. The other sections have the common cells.
  @Test func aSectionHasItsOwn() {
    let (first, second) = (ArrayNode(["b", "a"]), ArrayNode(["c"]))
    let named = BranchNode(value: "d", leaves: ["e"])
    named.footer = "f"
    let coordinator = SectionedListCoordinator(BranchNode([SortNode(first, by: <), second, named]))
    var cells = Cells(rows: factory("row"), headers: factory("header"))
    cells[first] = Cells(rows: factory("first"))
    cells[named] = Cells(rows: factory("own"), headers: factory("title"), footers: factory("end"))
    func rows() -> [String?] { (0..<3).map { coordinator.template(at: [$0, 0], in: cells)?.reuseIdentifier } }
    func headers() -> [String?] {
      (0..<3).map { coordinator.headerTemplate(ofSection: $0, in: cells)?.reuseIdentifier }
    }
    func footers() -> [String?] {
      (0..<3).map { coordinator.footerTemplate(ofSection: $0, in: cells)?.reuseIdentifier }
    }
    #expect(rows() == ["first", "row", "own"])
    #expect(headers() == [nil, nil, "title"] && footers() == [nil, nil, "end"])
    named.remove(at: 0)
    #expect(rows() == ["first", "row", nil] && headers() == [nil, nil, "title"])
    cells[named] = nil
    #expect(cells[named] == nil && cells[first] != nil)
    #expect(headers() == [nil, nil, "header"] && footers() == [nil, nil, nil])
    #expect(coordinator.headerTemplate(ofSection: 7, in: cells) == nil)
  }

  /// A widget registers the classes of all sections.
  @Test func classesOfAllSectionsAreKnown() {
    let node = ArrayNode<String>([])
    var own = Cells()
    own.rows.register(.class(Row.self)) { _, _ in }
    own.headers.register(.nib(Title.self)) { _, _ in }
    var cells = Cells()
    cells.rows.register(.nib(View.self)) { _, _ in }
    cells.footers.register(.class(Title.self)) { _, _ in }
    cells[node] = own
    #expect(cells.rowKinds.map(\.nibName) == ["View", "Row"])
    #expect(cells.headerKinds.map(\.nibName) == ["Title"] && cells.headerKinds[0].origin == .nib)
    #expect(cells.footerKinds.map(\.origin) == [.class])
  }
}
