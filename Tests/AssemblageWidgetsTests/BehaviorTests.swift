import Assemblage
import AssemblageTesting
import AssemblageWidgets
import Foundation
import TestSupport
import Testing

/// Actions of the user, which reach the node that owns the place.
@Suite struct BehaviorTests {
  /// Records each question and its position.
  private final class Log: DeletionBehavior, EditingBehavior, MovingBehavior, ContextBehavior, ActivationBehavior,
    ExpansionBehavior
  {
    var entries: [String] = []
    var refuses = false
    let name: String

    init(_ name: String = "") { self.name = name }

    private func note(_ word: String, _ place: NodePlace) -> Bool {
      entries.append("\(name)\(word) \(place.position)")
      return !refuses
    }

    func allowsDeletion(at place: NodePlace) -> Bool { note("delete", place) }
    func allowsEditing(at place: NodePlace) -> Bool { note("edit", place) }
    func didEdit(at place: NodePlace) { _ = note("edited", place) }
    func allowsMoving(from place: NodePlace) -> Bool { note("from", place) }
    func allowsMoving(from origin: NodePlace, to place: NodePlace) -> Bool { note("to", place) }
    func actions(at place: NodePlace) -> [ContextAction] { [ContextAction("\(place.position)") {}] }
    func activate(at place: NodePlace) { _ = note("activate", place) }
    func shouldExpand(at place: NodePlace) -> Bool { note("expand", place) }
    func shouldCollapse(at place: NodePlace) -> Bool { note("collapse", place) }
  }

  @Test func theNodeThatOwnsThePlaceAnswers() {
    let (friends, family) = (ArrayNode(["Bo", "Al"]), ArrayNode(["Dad", "Aunt"]))
    let all = SortNode(FilterNode(JoinNode([friends, family])) { $0 != "Bo" }, by: <)
    let letters = GroupNode(all, sectionsBy: <) { String($0.prefix(1)) }
    let coordinator = SectionedListCoordinator(letters)
    #expect(coordinator.element(at: [0, 1]) == "Aunt")
    #expect(coordinator.places(at: [0, 1]).map(\.position) == [1, 1, 2, 3, 1])
    #expect(coordinator.places(at: [0]).map(\.position) == [0], "a section belongs to the group")
    #expect(coordinator.places(at: [0, 7]).isEmpty && coordinator.places(at: []).isEmpty)
    let (log, outer) = (Log(), Log("outer "))
    coordinator.addBehavior(outer, to: all)
    #expect(coordinator.canDelete(at: [0, 1]) && outer.entries == ["outer delete 1"])
    coordinator.addBehavior(log, to: family)
    #expect(coordinator.delete(at: [0, 1]))
    #expect(log.entries == ["delete 1"] && family.elements == ["Dad"])
    #expect(coordinator.delete(at: [0, 0]) && friends.elements == ["Bo"] && outer.entries.count == 2)
    coordinator.removeBehaviors(from: family)
    coordinator.removeBehaviors(from: all)
    #expect(!coordinator.canDelete(at: [0, 0]) && !coordinator.delete(at: [0, 0]) && family.elements == ["Dad"])
  }

  @Test func editsGoThroughWhereTheNodeAllowsThem() {
    let celsius = ArrayNode([0.0, 100.0])
    let log = Log()
    let fahrenheit = ListCoordinator(MapNode(celsius, { $0 * 1.8 + 32 }, inverse: { ($0 - 32) / 1.8 }))
    fahrenheit.addBehavior(log, to: celsius)
    #expect(fahrenheit.edit(at: [0, 1], to: 50) && celsius.elements == [0, 10])
    #expect(log.entries == ["edit 1", "edited 1"])
    log.refuses = true
    #expect(!fahrenheit.canEdit(at: [0, 0]) && !fahrenheit.edit(at: [0, 0], to: 1))
    let readOnly = ListCoordinator(MapNode(celsius) { $0 + 1 })
    readOnly.addBehavior(WritingBehavior(), to: celsius)
    #expect(!readOnly.canEdit(at: [0, 0]) && !readOnly.canDelete(at: [0, 0]) && !readOnly.canEdit(at: [0, 9]))
  }

  @Test func aCopyOfTheValueIsChanged() {
    let names = ArrayNode(["Ada", "Bob"])
    let coordinator = ListCoordinator(SortNode(names, by: >))
    #expect(!coordinator.edit(at: [0, 0]) { $0 += "by" } && names.elements == ["Ada", "Bob"])
    coordinator.addBehavior(WritingBehavior(), to: names)
    #expect(coordinator.edit(at: [0, 0]) { $0 += "by" } && !coordinator.edit(at: [0, 2]) { $0 += "?" })
    #expect(names.elements == ["Ada", "Bobby"])
  }

  @Test func bothEndsOfAMoveAreAsked() {
    let (first, second) = (ArrayNode([1, 2, 3]), ArrayNode([4, 5]))
    let root = BranchNode([first, second])
    let (widget, coordinator) = (WidgetModel<Int>(.list), SectionedListCoordinator(root))
    widget.follow(coordinator)
    let (sender, receiver) = (Log("a "), Log("b "))
    coordinator.addBehavior(sender, to: first)
    #expect(coordinator.canMove(at: [0, 0]) && !coordinator.canMove(at: [1, 0]))
    #expect(!coordinator.move([0, 0], into: [1], at: 0), "nobody takes it")
    coordinator.addBehavior(receiver, to: second)
    (sender.entries, receiver.entries) = ([], [])
    #expect(coordinator.move([0, 2], into: [1], at: 2) && second.elements == [4, 5, 3])
    #expect(sender.entries == ["a from 2"] && receiver.entries == ["b to 2"])
    #expect(coordinator.move([0, 0], into: [0], at: 2) && first.elements == [2, 1])
    #expect(widget.rows == [[2, 1], [4, 5, 3]] && widget.error == nil)
    #expect(widget.takeLog().suffix(2) == ["moves [0, 2]→[1, 2]", "moves [0, 0]→[0, 1]"])
    receiver.refuses = true
    #expect(!coordinator.canMove([0, 0], into: [1], at: 0) && coordinator.canMove([0, 0], into: [0], at: 2))
    #expect(!coordinator.canMove([0, 0], into: [7], at: 0) && !coordinator.canMove([0, 0], into: [0], at: 3))
  }

  /// The behavior is asked about the place at which the row arrives: directly before the row that is then below it.
  @Test func aRowThatMovesUpArrivesBeforeTheRowBelow() {
    let letters = ArrayNode(["a", "-", "b", "c"])
    let log = Log()
    let filtered = ListCoordinator(FilterNode(letters) { $0 != "-" })
    filtered.addBehavior(log, to: letters)
    #expect(filtered.move([0, 2], into: [0], at: 1) && log.entries == ["from 3", "to 2"])
    #expect(letters.elements == ["a", "-", "c", "b"])
    let mine = ArrayNode(["1", "2"])
    let joined = ListCoordinator(JoinNode([ArrayNode(["h"]), mine]))
    joined.addBehavior(WritingBehavior(), to: mine)
    #expect(joined.canMove([0, 2], into: [0], at: 1) && !joined.canMove([0, 2], into: [0], at: 0))
    #expect(joined.move([0, 2], into: [0], at: 1) && mine.elements == ["2", "1"])
  }

  @Test func aSectionRefusesARowOfAnotherType() {
    let (words, numbers) = (ArrayNode(["a", "b"]), ArrayNode([1]))
    let coordinator = SectionedListCoordinator(
      BranchNode<Any>([words.erasing { $0 as Any }, numbers.erasing { $0 as Any }]))
    coordinator.behaviors = { _ in [WritingBehavior()] }
    #expect(!coordinator.canMove([0, 0], into: [1], at: 0) && !coordinator.move([0, 0], into: [1], at: 1))
    #expect(coordinator.move([0, 0], into: [0], at: 2) && words.elements == ["b", "a"])
    let list = ListCoordinator(JoinNode<Any>([words.erasing { $0 as Any }, numbers.erasing { $0 as Any }]))
    list.behaviors = { _ in [WritingBehavior()] }
    #expect(!list.canMove([0, 0], into: [0], at: 3) && list.canMove([0, 0], into: [0], at: 2))
  }

  @Test func aBranchRefusesARowThatBreaksItsRule() {
    let (first, second) = (BranchNode(leaves: [1, 2]), BranchNode(leaves: [4]))
    second.rule = .leaves("even numbers") { $0 % 2 == 0 }
    let coordinator = SectionedListCoordinator(BranchNode<Int>([first, second]))
    coordinator.behaviors = { _ in [WritingBehavior()] }
    #expect(!coordinator.move([0, 0], into: [1], at: 0) && coordinator.move([0, 1], into: [1], at: 0))
    #expect(second.elements == [2, 4])
  }

  @Test func nothingMovesIntoItselfOrWhatItIsMadeOf() {
    let inner = BranchNode(value: "inner", leaves: ["a"])
    let shown = FilterNode(inner) { _ in true }
    let tree = BranchNode<String>([.node(inner), .node(BranchNode(value: "other", [.node(shown)]))])
    let coordinator = OutlineCoordinator(tree)
    coordinator.behaviors = { _ in [WritingBehavior()] }
    #expect(!coordinator.canMove([0], into: [0], at: 0), "into itself")
    #expect(!coordinator.canMove([0], into: [1, 0], at: 0), "into a view of itself")
    #expect(!coordinator.canMove([0], into: [1], at: 0), "into what shows a view of itself")
    #expect(coordinator.move([0, 0], into: [1], at: 0) && tree.count(at: [1]) == 2)
    #expect(coordinator.move([1, 1], into: [], at: 0) && tree.count == 3, "out of its parent")
    #expect(coordinator.canMove([1], into: [2], at: 0), "nothing there shows it any longer")
  }

  @Test func severalRowsAreDeletedInOneTransaction() {
    let numbers = ArrayNode(Array(0..<6))
    let twice = JoinNode([numbers, numbers])
    let (widget, coordinator) = (WidgetModel<Int>(.list), ListCoordinator(twice))
    widget.follow(coordinator)
    coordinator.addBehavior(WritingBehavior(), to: numbers)
    _ = widget.takeLog()
    #expect(coordinator.delete([[0, 1], [0, 7], [0, 4], [0, 99]]) == 2, "the second is the first once more")
    #expect(numbers.elements == [0, 2, 3, 5] && widget.takeLog().count == 1)
    coordinator.select(at: [0, 0])
    coordinator.select(at: [0, 1], .extending)
    #expect(coordinator.deleteSelection() == 2 && numbers.elements == [3, 5])
    #expect(widget.rows == [[3, 5, 3, 5]] && coordinator.selectedPaths.isEmpty)
  }

  /// The rows arrive one behind the other, from any place. A descendant of a moved row moves with that row.
  @Test func severalRowsAreMoved() {
    let numbers = ArrayNode([0, 1, 2, 3, 4, 5])
    let list = ListCoordinator(numbers)
    list.addBehavior(WritingBehavior(), to: numbers)
    var deliveries = 0
    let token = numbers.observe { _ in deliveries += 1 }
    #expect(list.move([[0, 4], [0, 0], [0, 2]], into: [0], at: 3) == 3 && deliveries == 1)
    #expect(numbers.elements == [1, 4, 0, 2, 3, 5])
    #expect(list.move([[0, 0], [0, 1]], into: [0], at: 6) == 2)
    #expect(numbers.elements == [0, 2, 3, 5, 1, 4])
    #expect(list.move([[0, 5], [0, 9]], into: [0], at: 0) == 1 && list.move([], into: [0], at: 0) == 0)
    #expect(numbers.elements == [4, 0, 2, 3, 5, 1])
    let tree = BranchNode([.node(BranchNode(value: 1, leaves: [2, 3])), .node(BranchNode(value: 4)), .leaf(5)])
    let outline = OutlineCoordinator(tree)
    outline.behaviors = { _ in [WritingBehavior()] }
    #expect(outline.move([[0], [0, 1], [2]], into: [1], at: 0) == 2)
    #expect(
      NaiveTree(of: tree).description
        == NaiveTree(
          of: BranchNode([
            .node(BranchNode(value: 4, [.node(BranchNode(value: 1, leaves: [2, 3])), .leaf(5)]))
          ])
        ).description)
    token.cancel()
  }

  /// The rows of a list can be those of a tree: a row below a moved row moves with that row.
  @Test func rowsOfAnOutlineAreMovedInAList() {
    let tree = BranchNode([.node(BranchNode(value: "A", leaves: ["a1", "a2"])), .leaf("x"), .leaf("y")])
    let rows = OutlineNode(tree, expansion: ExpansionState(policy: .expanded), id: { $0 })
    for node in [rows, FilterNode(rows) { $0 != "y" }] as [any TreeNode<String>] {
      let list = ListCoordinator(node)
      list.behaviors = { _ in [WritingBehavior()] }
      #expect(list.move([[0, 1], [0, 0], [0, 2]], into: [0], at: 4) == 1)
      #expect(rows.elements == ["x", "A", "a1", "a2", "y"])
      #expect(list.move([[0, 1], [0, 2]], into: [0], at: 0) == 1)
      #expect(rows.elements == ["A", "a1", "a2", "x", "y"])
      #expect(list.move([[0, 1], [0, 3]], into: [0], at: 0) == 2)
      #expect(rows.elements == ["a1", "x", "A", "a2", "y"])
      tree.move([0], into: [2], at: 0)
      tree.move([0], into: [], at: 2)
    }
  }

  @Test func rowsAreDraggedWhileUpdatesAreHeldBack() {
    let numbers = ArrayNode([0, 1, 2, 3])
    let (widget, coordinator) = (WidgetModel<Int>(.list), ListCoordinator(numbers))
    widget.follow(coordinator)
    coordinator.addBehavior(WritingBehavior(), to: numbers)
    coordinator.suspend()
    numbers.insert(9, at: 0)
    numbers.remove(at: 2)
    #expect(coordinator.move([0, 3], into: [0], at: 1), "before the place of the one that left")
    #expect(numbers.elements == [9, 0, 3, 2])
    #expect(!coordinator.move([0, 1], into: [0], at: 0), "it has left")
    coordinator.resume()
    #expect(widget.rows == [[9, 0, 3, 2]] && widget.error == nil)
  }

  @Test func actionsActivationAndExpansion() {
    let inner = BranchNode(value: "inner", leaves: ["a"])
    let tree = BranchNode<String>([.leaf("x"), .node(inner)])
    let outline = OutlineNode(tree, expansion: ExpansionState(policy: .collapsed), id: { $0 })
    let coordinator = ListCoordinator(outline)
    let log = Log()
    coordinator.addBehavior(log, to: tree)
    #expect(coordinator.setExpanded(true, at: [0, 1]) && outline.elements == ["x", "inner", "a"])
    #expect(coordinator.actions(at: [0, 1]).map(\.title) == ["1"] && coordinator.actions(at: [0, 2]).isEmpty)
    #expect(coordinator.activate(at: [0, 0]) && !coordinator.activate(at: [0, 2]))
    log.refuses = true
    #expect(!coordinator.setExpanded(false, at: [0, 1]) && outline.count == 3)
    #expect(log.entries == ["expand 1", "activate 0", "collapse 1"])
    #expect(!coordinator.setExpanded(true, at: [0, 9]))
    let unfolding = OutlineCoordinator(tree)
    #expect(unfolding.setExpanded(true, at: [1]), "the outline does it by itself")
  }

  /// The last added behavior answers before earlier behaviors, and before `behaviors`.
  @Test func whatWasGivenCountsBeforeTheNodeItself() {
    let (first, second) = (Log("1 "), Log("2 "))
    let numbers = ArrayNode([1])
    let coordinator = ListCoordinator(numbers)
    coordinator.addBehavior(first, to: numbers)
    coordinator.addBehavior(second, to: numbers)
    coordinator.behaviors = { _ in [Log("3 ")] }
    #expect(coordinator.canDelete(at: [0, 0]) && second.entries == ["2 delete 0"] && first.entries.isEmpty)
  }
}
