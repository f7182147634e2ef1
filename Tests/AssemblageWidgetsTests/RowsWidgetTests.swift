import Assemblage
import AssemblageTesting
import AssemblageWidgets
import Foundation
import TestSupport
import Testing

/// Widgets that apply ranges of rows.
@Suite struct RowsWidgetTests: MisuseSuite {
  static let misuses = [
    Misuse("A Rows<Int> shows no sections: it is the widget of a ListCoordinator.") {
      let tree = BranchNode([ArrayNode([1])])
      let coordinator = SectionedListCoordinator(tree)
      let rows = Rows<Int>(ListCoordinator(ArrayNode([1])))
      coordinator.widget = rows
      tree.insert(2, at: [0, 0])
    }
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }

  /// A widget like GTK's lists. It applies one place at a time, and asks for all rows between two places.
  private final class Rows<Element: Equatable>: RowsWidget {
    let coordinator: ListCoordinator<Element>
    var shown: [Element] = []
    var log: [String] = []
    var scrollPosition: WidgetScrollPosition?

    init(_ coordinator: ListCoordinator<Element>) {
      self.coordinator = coordinator
      coordinator.widget = self
    }

    func reload() {
      shown = (0..<coordinator.count).map { coordinator.element(at: $0)! }
      log.append("reload")
    }

    func perform(_ change: Delta, commit: @escaping () -> Void) {
      #expect(coordinator.count == shown.count)
      commit()
      log.append("\(change)")
      let splices = RowSplices(change)
      for (number, splice) in splices.enumerated() {
        let range = splice.position..<splice.position + splice.removedCount
        let new = (0..<splice.insertedCount).map { coordinator.element(at: splice.position + $0)! }
        shown.replaceSubrange(range, with: new)
        for row in shown.indices {
          guard let final = splices.row(after: row, following: number + 1) else { continue }
          if !change.updates.contains(position: final) { #expect(coordinator.element(at: final) == shown[row]) }
        }
      }
      for row in change.updates.joined() { shown[row] = coordinator.element(at: row)! }
    }

    func shownCount(at path: IndexPath) -> Int? { path.isEmpty ? 1 : shown.count }
  }

  @Test func itReceivesRanges() {
    let names = ArrayNode(["a", "b", "c"])
    let rows = Rows(ListCoordinator(names))
    names.append(contentsOf: ["d", "e"])
    names.performUpdates {
      names.remove(at: 0)
      names.move(from: 3, to: 0)
    }
    names[1] = "B"
    names.performUpdates {
      names.append("x")
      names.removeLast()
    }
    #expect(rows.shown == ["e", "B", "c", "d"])
    #expect(rows.log == ["reload", "\(Delta.insertion(3..<5))", "[-0, 4→0]", "\(Delta.update(1..<2))"])
  }

  @Test func theLimitCountsRanges() {
    let numbers = ArrayNode(Array(0..<10))
    let rows = Rows(ListCoordinator(numbers, reloadingAbove: 2))
    numbers.append(contentsOf: 10..<2_000)
    #expect(rows.log.last != "reload")
    numbers.removeAll { $0 == 3 || $0 == 5 || $0 == 7 }
    #expect(rows.log.last == "reload" && rows.log.count == 3)
    #expect(rows.shown == numbers.elements)
  }

  @Test func itKeepsItsPlace() {
    let numbers = ArrayNode(Array(0..<10))
    let rows = Rows(ListCoordinator(numbers))
    rows.scrollPosition = WidgetScrollPosition(path: [0, 4], offset: -3)
    numbers.removeSubrange(0..<2)
    #expect(rows.scrollPosition == WidgetScrollPosition(path: [0, 2], offset: -3))
    numbers.removeSubrange(1..<4)
    #expect(rows.scrollPosition == WidgetScrollPosition(path: [0, 1]))
  }

  @Test func whatIsHeldBackComesAtOnce() {
    let numbers = ArrayNode(Array(0..<4))
    let rows = Rows(ListCoordinator(numbers))
    rows.coordinator.suspend()
    numbers.insert(9, at: 0)
    numbers.removeLast()
    #expect(rows.shown == [0, 1, 2, 3] && rows.coordinator.element(at: 3) == nil)
    rows.coordinator.resume()
    #expect(rows.shown == [9, 0, 1, 2] && rows.log.count == 2)
  }

  /// Edits, searches, orders and unfolded rows of a tree, all through the rows of an outline.
  @Test func itFollowsAnOutline() {
    for iteration in 0..<TestSeed.iterations(60) {
      var generator = TestSeed.generator("rows", iteration: iteration)
      var nextID = 0
      func makeID() -> Int {
        nextID += 1
        return nextID
      }
      let forest = ForestNode((0..<4).map { _ in makeID() }) { (id: Int) -> [Int]? in
        id <= 4 ? (0..<3).map { _ in makeID() } : nil
      }
      let found = TreeFilterNode(forest) { _ in true }
      let sorted = TreeSortNode(found, by: nil)
      let outline = OutlineNode(sorted, id: { $0 })
      let rows = Rows(ListCoordinator(outline, reloadingAbove: Bool.random(using: &generator) ? 3 : nil))
      for _ in 0..<40 {
        forest.performUpdates {
          for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let row = outline.count == 0 ? nil : Int.random(in: 0..<outline.count, using: &generator)
            switch Int.random(in: 0..<7, using: &generator) {
            case 0: row.map { outline.toggle(row: $0) }
            case 1: forest.insert(makeID(), at: Int.random(in: 0...forest.count, using: &generator))
            case 2: if let row { outline.remove(at: row) }
            case 3:
              let divisor = Int.random(in: 1...3, using: &generator)
              found.setPredicate { $0.isMultiple(of: divisor) }
            case 4:
              sorted.setComparator([{ $0 < $1 }, { $0 > $1 }, { $0 % 5 < $1 % 5 }].randomElement(using: &generator)!)
            case 5: outline.expansion = ExpansionState(policy: Bool.random(using: &generator) ? .expanded : .collapsed)
            default:
              if forest.count > 0, forest.isBranch(at: 0) { forest.insert(makeID(), at: [0, 0]) }
            }
          }
        }
        #expect(rows.shown == outline.elements)
      }
    }
  }
}
