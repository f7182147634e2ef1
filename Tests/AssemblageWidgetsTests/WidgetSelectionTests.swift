import Assemblage
import AssemblageTesting
import AssemblageWidgets
import Foundation
import TestSupport
import Testing

/// The selection of a widget, through changes and other nodes, and with behaviors that refuse.
@Suite struct WidgetSelectionTests {
  @Test func rowsOfAllSectionsAreOneSelection() {
    let root = BranchNode([ArrayNode([1, 2]), ArrayNode([3, 4, 5])])
    let (widget, coordinator) = (WidgetModel<Int>(.list), SectionedListCoordinator(root))
    widget.follow(coordinator)
    #expect(coordinator.select(at: [0, 1]) && coordinator.select(at: [1, 1], .extending))
    #expect(coordinator.selectedPaths == [[0, 1], [1, 0], [1, 1]])
    #expect(widget.selectedPaths == coordinator.selectedPaths)
    root.move(from: [0, 1], to: [1, 3])
    root.move(from: 1, to: 0)
    #expect(widget.selectedPaths == [[0, 0], [0, 1], [0, 3]] && coordinator.isSelected(at: [0, 3]))
    #expect(!coordinator.isSelected(at: [0]) && !coordinator.select(at: [0]), "a section is none of the rows")
    #expect(coordinator.selection.selectedRanges == [0..<2, 3..<4])
    root.remove(at: [0, 1])
    #expect(widget.selectedPaths == [[0, 0], [0, 2]])
    coordinator.select(at: [0, 2], .toggling)
    coordinator.select(at: [0, 1], .adding)
    #expect(widget.selectedPaths == [[0, 0], [0, 1]])
    coordinator.deselect(at: [0, 0])
    #expect(widget.selectedPaths == [[0, 1]])
    coordinator.deselectAll()
    #expect(widget.selectedPaths == [] && widget.error == nil)
  }

  @Test func itemsOfAnOutlineAreSelectedAtAnyDepth() {
    let inner = BranchNode(value: "inner", leaves: ["a", "b"])
    let tree = BranchNode([.node(inner), .leaf("c")])
    let (widget, coordinator) = (WidgetModel<String>(.outline), OutlineCoordinator(tree))
    widget.follow(coordinator)
    coordinator.select(at: [0])
    coordinator.select(at: [0, 1], .adding)
    tree.move(from: [1], to: [0])
    #expect(widget.selectedPaths == [[1], [1, 1]] && widget.error == nil)
  }

  @Test func idsSurviveFiltersReloadsAndOtherNodes() {
    let numbers = ArrayNode(Array(0..<10))
    let even = FilterNode(numbers) { $0.isMultiple(of: 2) }
    let (widget, coordinator) = (WidgetModel<Int>(.list), ListCoordinator(even))
    coordinator.keepSelection(id: { $0 })
    widget.follow(coordinator)
    coordinator.select(at: [0, 1])
    coordinator.select(at: [0, 2], .adding)
    even.setPredicate { $0 > 3 }
    #expect(widget.selectedPaths == [[0, 0]])
    even.setPredicate { _ in true }
    #expect(widget.selectedPaths == [[0, 2], [0, 4]])
    coordinator.show(SortNode(numbers, by: >))
    #expect(widget.selectedPaths == [[0, 5], [0, 7]])
    coordinator.reload()
    #expect(widget.selectedPaths == [[0, 5], [0, 7]])
    coordinator.show(ArrayNode([4, 7]), id: { $0 })
    #expect(widget.selectedPaths == [[0, 0]] && coordinator.selection.absentIDs == [2])
  }

  @Test func identifiableElementsAreSelectedAgain() {
    struct Person: Identifiable {
      let id: String
    }
    let found = FilterNode(ArrayNode(["Ada", "Bob"].map(Person.init))) { _ in true }
    for mode in [nil, SelectionMode.single] {
      let coordinator = ListCoordinator(found)
      if let mode { coordinator.keepSelection(mode) }
      #expect(coordinator.canSelect(at: [0, 1]) && !coordinator.canSelect(at: [0, 2]))
      #expect(coordinator.selectedPaths == [], "nothing is selected by a question")
      coordinator.select(at: [0, 1])
      found.setPredicate { $0.id == "Ada" }
      #expect(coordinator.selectedPaths == [])
      found.setPredicate { _ in true }
      #expect(coordinator.selectedPaths == [[0, 1]])
    }
  }

  @Test func withoutIDsAComparisonKeepsTheSelection() {
    let (widget, coordinator) = (WidgetModel<Int>(.list), ListCoordinator(ArrayNode([1, 2, 3])))
    coordinator.keepSelection(.single)
    widget.follow(coordinator)
    coordinator.select(at: [0, 0])
    coordinator.select(at: [0, 1], .adding)
    #expect(widget.selectedPaths == [[0, 1]], "one row only")
    coordinator.show(ArrayNode([3, 2]), id: { $0 })
    #expect(widget.selectedPaths == [[0, 1]])
    coordinator.show(ArrayNode([3, 2]))
    #expect(widget.selectedPaths == [])
  }

  /// Only the selection of an outline that unfolds its rows by itself reads the whole tree.
  @Test func aQuestionLoadsNoFolder() {
    var loaded: [Int] = []
    func makeTree() -> HierarchyNode<Int> {
      HierarchyNode(
        1, id: { $0 }, hasChildren: { $0 < 4 },
        children: { number in
          loaded.append(number)
          return [2 * number, 2 * number + 1]
        })
    }
    let outline = OutlineCoordinator(makeTree())
    #expect(outline.canSelect(at: [1]) && outline.canDeselect(at: [0]))
    #expect(!outline.canSelect(at: [2]) && !outline.canSelect(at: []) && loaded == [1])
    #expect(outline.canSelect(at: [0, 1]) && loaded == [1, 2])
    #expect(outline.select(at: [0]) && loaded == [1, 2, 3])
    loaded = []
    let list = ListCoordinator(OutlineNode(makeTree(), id: { $0 }))
    #expect(list.select(at: [0, 1]) && list.canDeselect(at: [0, 1]) && loaded == [1])
    let sections = OutlineCoordinator(BranchNode([ArrayNode(["a"])]))
    #expect(!sections.canSelect(at: [0]) && sections.canSelect(at: [0, 0]), "a section has no value")
  }

  @Test func whatIsNotThereIsNotSelected() {
    let list = ListCoordinator(ArrayNode(["a", "b"]))
    #expect(!list.select(at: [0, 2]) && !list.deselect(at: [0, 2]) && !list.select(at: [1, 0]))
    let sections = SectionedListCoordinator(BranchNode([ArrayNode(["a", "b"])]))
    sections.select(at: [0, 0])
    #expect(!sections.select(at: [0, 2]) && !sections.select(at: [0, 9], .extending) && !sections.select(at: [5, 0]))
    let tree = OutlineCoordinator(BranchNode([ArrayNode(["a", "b"])]))
    #expect(!tree.select(at: [0, 2]) && !tree.select(at: [3]) && !tree.select(at: [3, 1]) && !tree.select(at: []))
    #expect(sections.selectedPaths == [[0, 0]])
  }

  /// Refuses odd positions, and records each notification.
  private final class Odd: SelectionBehavior {
    var log: [String] = []
    func shouldSelect(at place: NodePlace) -> Bool { place.position.isMultiple(of: 2) }
    func didSelect(at place: NodePlace) { log.append("+\(place.position)") }
    func shouldDeselect(at place: NodePlace) -> Bool { place.position != 4 }
    func didDeselect(at place: NodePlace) { log.append("-\(place.position)") }
  }

  @Test func aBehaviorMayRefuse() {
    let numbers = ArrayNode(Array(0..<6))
    let behavior = Odd()
    let coordinator = ListCoordinator(SortNode(numbers, by: >))
    coordinator.addBehavior(behavior, to: numbers)
    #expect(!coordinator.select(at: [0, 0]), "it is at 5 in the array")
    #expect(coordinator.select(at: [0, 1]))
    coordinator.select(at: [0, 4], .extending)
    #expect(coordinator.selectedPaths == [[0, 1], [0, 3]])
    #expect(behavior.log == ["+4", "+2"])
    coordinator.deselectAll()
    #expect(coordinator.selectedPaths == [[0, 1]] && behavior.log == ["+4", "+2", "-2"])
    #expect(!coordinator.deselect(at: [0, 1]) && !coordinator.select(at: [0, 1], .toggling))

    let single = ListCoordinator(numbers)
    single.keepSelection(.single)
    single.addBehavior(behavior, to: numbers)
    #expect(single.select(at: [0, 2]) && !single.select(at: [0, 1]) && single.selectedPaths == [[0, 2]])
    #expect(single.select(at: [0, 4]) && !single.select(at: [0, 2]) && single.selectedPaths == [[0, 4]])
  }

  /// A row that stays selected is not the row that was clicked last.
  @Test func aRefusalKeepsTheAnchor() {
    struct Pinned: SelectionBehavior { func shouldDeselect(at place: NodePlace) -> Bool { place.position != 1 } }
    let numbers = ArrayNode(Array(0..<9))
    let coordinator = ListCoordinator(numbers)
    coordinator.addBehavior(Pinned(), to: numbers)
    coordinator.select(at: [0, 1])
    coordinator.select(at: [0, 5])
    #expect(coordinator.selectedPaths == [[0, 1], [0, 5]])
    coordinator.select(at: [0, 7], .extending)
    #expect(coordinator.selectedPaths == [[0, 1], [0, 5], [0, 6], [0, 7]])
  }

  /// Many rows are selected and deselected with one look at the selection.
  @Test func severalRowsAreSelectedTogether() {
    let numbers = ArrayNode(Array(0..<8))
    let behavior = Odd()
    let coordinator = ListCoordinator(numbers)
    coordinator.addBehavior(behavior, to: numbers)
    var reports = 0
    let token = coordinator.selection.observe { reports += 1 }
    coordinator.select([[0, 4], [0, 3], [0, 6], [0, 99], [1, 0]])
    #expect(coordinator.selectedPaths == [[0, 4], [0, 6]] && reports == 1)
    coordinator.select([[0, 0], [0, 2]], deselecting: [[0, 4], [0, 6]])
    #expect(coordinator.selectedPaths == [[0, 0], [0, 2], [0, 4]] && reports == 2)
    #expect(behavior.log == ["+4", "+6", "-6", "+0", "+2"])
    coordinator.keepSelection(.single)
    coordinator.select([[0, 2], [0, 0]])
    #expect(coordinator.selectedPaths == [[0, 0]])
    token.cancel()
  }

  /// Of each node with one selected row at most, the last of the rows stays.
  @Test func severalRowsOfSingleNodesAreSelectedTogether() {
    let (first, second) = (ArrayNode(Array(0..<4)), ArrayNode(Array(10..<14)))
    let coordinator = ListCoordinator(JoinNode([first, second]))
    var log: [String] = []
    coordinator.onSelect(in: first, .single) { log.append("+\($0)") }
    coordinator.select(at: [0, 1])
    coordinator.select([[0, 3], [0, 5], [0, 0], [0, 6]])
    #expect(coordinator.selectedPaths == [[0, 0], [0, 5], [0, 6]])
    coordinator.select([[0, 2]])
    #expect(coordinator.selectedPaths == [[0, 2], [0, 5], [0, 6]] && log == ["+1", "+0", "+2"])
    #expect(coordinator.move([[0], [0]], into: [0], at: 0) == 0, "a section is no row")
  }

  /// Removes each row from the array when it is selected.
  private final class Eater: SelectionBehavior {
    var log: [Int] = []
    let numbers: ArrayNode<Int>
    init(_ numbers: ArrayNode<Int>) { self.numbers = numbers }
    func didSelect(at place: NodePlace) { log.append(numbers.remove(at: place.position)) }
  }

  @Test func aBehaviorGetsPresentPlacesAfterAnotherOneHasChangedTheNode() {
    let numbers = ArrayNode([1, 2, 3, 4, 5, 6])
    let (widget, coordinator) = (WidgetModel<Int>(.list), ListCoordinator(numbers))
    widget.follow(coordinator)
    let eater = Eater(numbers)
    coordinator.addBehavior(eater, to: numbers)
    coordinator.select(at: [0, 5])
    #expect(Array(numbers) == [1, 2, 3, 4, 5])
    coordinator.keepSelection(.multiple)
    coordinator.removeBehaviors(from: numbers)
    coordinator.select(at: [0, 1])
    coordinator.addBehavior(eater, to: numbers)
    coordinator.select(at: [0, 4], .extending)
    #expect(eater.log == [6, 3, 4, 5] && Array(numbers) == [1, 2])
    #expect(widget.selectedPaths == [[0, 1]] && widget.error == nil)
  }

  /// Removes all other rows when a row is selected.
  private final class Remover: SelectionBehavior {
    var count = 0
    let numbers: ArrayNode<Int>
    init(_ numbers: ArrayNode<Int>) { self.numbers = numbers }
    func didSelect(at place: NodePlace) {
      count += 1
      numbers.replaceAll(with: [])
    }
  }

  /// Inserts a row above all others when a row is selected or deselected.
  private struct Inserter: SelectionBehavior {
    let names: ArrayNode<String>
    func didSelect(at place: NodePlace) { names.insert("x", at: 0) }
    func didDeselect(at place: NodePlace) { names.insert("x", at: 0) }
  }

  /// The answer belongs to the row of the user, also where another row lies there afterwards.
  @Test func aBehaviorThatMovesTheRowChangesNoAnswer() {
    let names = ArrayNode(["a", "b"])
    let list = ListCoordinator(names)
    list.addBehavior(Inserter(names: names), to: names)
    #expect(list.select(at: [0, 0]) && list.selectedPaths == [[0, 1]])
    #expect(list.select(at: [0, 2], .adding) && list.selectedPaths == [[0, 2], [0, 3]])
    #expect(list.deselect(at: [0, 3]) && list.selectedPaths == [[0, 3]])
    #expect(list.select(at: [0, 3], .toggling) && list.selectedPaths == [])
    #expect(names.elements == ["x", "x", "x", "x", "a", "b"])
  }

  @Test func aRowThatHasLeftIsNotReported() {
    let numbers = ArrayNode([1, 2, 3])
    let coordinator = ListCoordinator(numbers)
    let remover = Remover(numbers)
    coordinator.select(at: [0, 0])
    coordinator.addBehavior(remover, to: numbers)
    coordinator.select(at: [0, 2], .extending)
    #expect(remover.count == 1 && coordinator.selectedPaths == [])
  }
}
