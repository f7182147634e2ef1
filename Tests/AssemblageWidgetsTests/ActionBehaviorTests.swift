import Assemblage
import AssemblageTesting
import AssemblageWidgets
import Foundation
import TestSupport
import Testing

/// Swipes, prefetching, behaviors as closures, and the selection mode of a node.
@MainActor @Suite struct ActionBehaviorTests {
  private let family = ArrayNode(["Mum", "Dad", "Sis"])
  private let friends = ArrayNode(["Ada", "Bob"])

  private var coordinator: SectionedListCoordinator<String> {
    SectionedListCoordinator(BranchNode([SortNode(family, by: <), friends]))
  }

  @Test func aClosureReceivesThePositionInItsNode() {
    let coordinator = coordinator
    var log: [String] = []
    coordinator.onSelect(in: family) { [family] position in log.append(family[position]) }
    coordinator.onActivate(in: family) { position in log.append("activate \(position)") }
    coordinator.select(at: [0, 0])
    coordinator.select(at: [1, 1], .adding)
    coordinator.activate(at: [0, 1])
    #expect(log == ["Dad", "activate 0"] && !coordinator.activate(at: [1, 0]))
    #expect(coordinator.selectedPaths == [[0, 0], [1, 1]])
    coordinator.removeBehaviors(from: family)
    coordinator.select(at: [0, 2])
    #expect(log.count == 2)
    // The closure may change the node.
    coordinator.onSelect(in: friends) { [friends] in friends.remove(at: $0) }
    coordinator.select(at: [1, 0])
    #expect(friends.elements == ["Bob"] && coordinator.selectedPaths == [])
  }

  /// One row of the family at most, and any number of friends.
  @Test func aNodeHasItsOwnSelectionMode() {
    let coordinator = coordinator
    var log: [Int] = []
    coordinator.onSelect(in: family, .single) { log.append($0) }
    for path in [[0, 0], [1, 0], [1, 1], [0, 2], [0, 1]] as [IndexPath] { coordinator.select(at: path, .adding) }
    #expect(coordinator.selectedPaths == [[0, 1], [1, 0], [1, 1]] && log == [1, 2, 0])
    coordinator.select(at: [0, 1], .toggling)
    #expect(coordinator.selectedPaths == [[1, 0], [1, 1]])
    // In a range of selected rows, the row that the user has chosen stays selected.
    coordinator.select(at: [1, 1])
    coordinator.select(at: [0, 1], .extending)
    #expect(coordinator.selectedPaths == [[0, 1], [1, 0], [1, 1]])
    coordinator.select(at: [0, 0])
    coordinator.select(at: [1, 0], .extending)
    #expect(coordinator.selectedPaths == [[0, 2], [1, 0]])
  }

  private struct Refusing: SelectionBehavior {
    let selectionMode = SelectionMode.single
    let names: ArrayNode<String>
    let (cannotSelect, cannotDeselect): (String, String)
    func shouldSelect(at place: NodePlace) -> Bool { names[place.position] != cannotSelect }
    func shouldDeselect(at place: NodePlace) -> Bool { names[place.position] != cannotDeselect }
  }

  /// In a node with one selected row at most, a row is not selected if the former row stays selected. If a row cannot
  /// be selected, the former row stays selected.
  @Test func aRefusalKeepsTheFormerRow() {
    let coordinator = coordinator
    coordinator.addBehavior(Refusing(names: family, cannotSelect: "Mum", cannotDeselect: "Sis"), to: family)
    coordinator.select(at: [1, 0])
    #expect(coordinator.select(at: [0, 0], .adding) && !coordinator.select(at: [0, 1], .adding))
    #expect(coordinator.selectedPaths == [[0, 0], [1, 0]])
    #expect(coordinator.select(at: [0, 2], .adding) && !coordinator.select(at: [0, 0], .adding))
    #expect(coordinator.selectedPaths == [[0, 2], [1, 0]])
    #expect(coordinator.select(at: [1, 1]) && coordinator.selectedPaths == [[0, 2], [1, 1]])
  }

  private final class Swiping: SwipeBehavior {
    func actions(at place: NodePlace, underSwipeFrom edge: SwipeEdge) -> [ContextAction] {
      [ContextAction("\(edge) \(place.position)") {}]
    }
  }

  @Test func rowsHaveActionsAtBothEdges() {
    let coordinator = coordinator
    coordinator.addBehavior(Swiping(), to: family)
    #expect(coordinator.actions(at: [0, 0], underSwipeFrom: .leading).map(\.title) == ["leading 1"])
    #expect(coordinator.actions(at: [0, 2], underSwipeFrom: .trailing).map(\.title) == ["trailing 2"])
    #expect(coordinator.actions(at: [1, 0], underSwipeFrom: .leading).isEmpty)
    #expect(coordinator.actions(at: [3, 0], underSwipeFrom: .leading).isEmpty)
  }

  @Test func rowsAreRequestedBeforeTheyAreVisible() {
    let coordinator = SectionedListCoordinator(BranchNode([SortNode(family, by: >), friends]))
    var log: [String] = []
    coordinator.onPrefetch(in: family) { log.append("family \($0)") }
    coordinator.onPrefetch(in: friends) { log.append("friends \($0)") }
    coordinator.prefetch([[1, 0]], visible: [[0, 1], [0, 2]])
    coordinator.prefetch([[1, 1], [4, 0]])
    #expect(log == ["family 0..<2", "friends 0..<1", "friends 1..<2"])
    // Rows that are not neighbours are runs of their own.
    log = []
    coordinator.prefetch([[0, 0]], visible: [[0, 1]])
    #expect(log == ["family 0..<1", "family 2..<3"])
  }

  private struct Failure: Error {}

  /// A paged node needs no behavior. A page that has failed is not requested again.
  @Test func pagesAreRequestedBeforeTheirRowsAreVisible() async throws {
    var requested: [Range<Int>] = []
    let numbers = PagedNode(count: .exact(1_000), pageSize: 10) { (range: Range<Int>) async throws -> [Int] in
      requested.append(range)
      if range.lowerBound == 40 { throw Failure() }
      return Array(range)
    }
    let coordinator = ListCoordinator(JoinNode([numbers]))
    coordinator.prefetch([[0, 35], [0, 47]], visible: [[0, 30]])
    // The row 47 is more than a page away from the rows 30 and 35.
    #expect(numbers.visibleRange == 30..<36)
    while requested.count < 2 || numbers[30].isLoading || numbers[40].isLoading { await Task.yield() }
    #expect(numbers[31].value == 31 && numbers[41].error is Failure)
    coordinator.prefetch([[0, 35], [0, 47]], visible: [[0, 30]])
    for _ in 0..<20 { await Task.yield() }
    #expect(Set(requested) == [30..<40, 40..<50] && requested.count == 2)
  }

  /// A jump from the first rows to the last ones requests no page between them.
  @Test func aJumpRequestsOnlyItsOwnPages() async {
    var requested: [Range<Int>] = []
    let numbers = PagedNode(count: .exact(100_000), pageSize: 10) { (range: Range<Int>) async -> [Int] in
      requested.append(range)
      return Array(range)
    }
    let coordinator = ListCoordinator(JoinNode([numbers]))
    coordinator.prefetch((90_000..<90_020).map { [0, $0] }, visible: (0..<20).map { [0, $0] })
    #expect(numbers.visibleRange == 0..<20)
    while requested.count < 4 { await Task.yield() }
    for _ in 0..<50 { await Task.yield() }
    #expect(Set(requested) == [0..<10, 10..<20, 90_000..<90_010, 90_010..<90_020] && requested.count == 4)
    // Rows next to the visible ones are near; without visible rows, the range stays.
    coordinator.prefetch([[0, 55], [0, 15]], visible: (20..<40).map { [0, $0] })
    #expect(numbers.visibleRange == 15..<56)
    coordinator.prefetch([[0, 5_000]])
    #expect(numbers.visibleRange == 15..<56)
  }
}
