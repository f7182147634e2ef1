@testable import Assemblage
import Foundation
import TestSupport
import Testing

private let wasChanged =
  "was changed from a closure that must only read, for example the predicate of a view"

/// The edits that a graph refuses: cycles, and changes from closures of its own nodes.
@Suite struct GraphMisuseTests: MisuseSuite {
  static let misuses = [
    // MARK: Cycles
    Misuse(
      """
      A cycle: JoinNode<Int> (0 children, no value) cannot become a source of JoinNode<Int> (0 children, no value), \
      because it derives from it.
      """
    ) {
      let join = JoinNode<Int>()
      join.appendMember(JoinNode([join]))
    },
    Misuse("A cycle: BranchNode<Int> (0 children, no value) cannot become its own source.") {
      let branch = BranchNode<Int>()
      branch.append(branch)
    },
    Misuse(
      "A cycle: FilterNode<Int> (1 child, no value) cannot become a source of BranchNode<Int> (1 child, no value)"
    ) {
      let branch = BranchNode(leaves: [1])
      branch[0] = .node(FilterNode(FilterNode(branch) { _ in true }) { _ in true })
    },
    Misuse(
      "A cycle: BranchNode<Int> (1 child, no value) cannot become a source of JoinNode<Int> (1 child, no value)"
    ) {
      let join = JoinNode<Int>([ArrayNode([1])])
      _ = join.replaceMember(at: 0, with: BranchNode([join]))
    },
    Misuse(
      "A cycle: FilterNode<Int> (1 child, no value) cannot become a source of BranchNode<Int> (0 children, no value)"
    ) {
      let inner = BranchNode<Int>()
      let filter = FilterNode(JoinNode([BranchNode([inner])])) { _ in true }
      inner.append(filter)
    },
    // MARK: Closures that must not change the graph
    Misuse("ArrayNode<Int> \(wasChanged)") {
      let source = ArrayNode([1, 2])
      _ = FilterNode(source) { _ in
        source.append(3)
        return true
      }
    },
    Misuse("ArrayNode<Int> \(wasChanged)") {
      let source = ArrayNode([1, 2])
      FilterNode(source) { _ in true }.setPredicate { _ in
        source.removeAll()
        return true
      }
    },
    Misuse("SingleNode<Int> \(wasChanged)") {
      let source = ArrayNode([1, 2])
      let other = SingleNode<Int>()
      let join = JoinNode([source, other])
      let filter = FilterNode(join) { element in
        if element == 3 { other.content = element }
        return true
      }
      source.append(3)
      _ = filter.count
    },
    Misuse("FilterNode<Int> \(wasChanged)") {
      let source = ArrayNode([1, 2])
      var filter: FilterNode<Int>?
      filter = FilterNode(source) { element in
        if element == 3 { filter?.setPredicate { _ in false } }
        return true
      }
      source.append(3)
    },
    Misuse("ArrayNode<Int> \(wasChanged)") {
      let source = ArrayNode([1, 2])
      var armed = false
      let filter = FilterNode(source) { _ in
        if armed { source.removeLast() }
        return true
      }
      armed = true
      filter.refresh()
    },
    Misuse("ArrayNode<Int> was linked to JoinNode<Int> from a closure that a derived node of the same graph calls") {
      let source = ArrayNode([1, 2])
      _ = FilterNode(source) { _ in !JoinNode([source]).isEmpty }
    },
    Misuse("BranchNode<Int> was changed from a closure that must only read") {
      let source = ArrayNode([1, 2])
      let branch = BranchNode([source])
      let filter = FilterNode(source) { element in
        if element == 3 { branch.append(ArrayNode<Int>()) }
        return true
      }
      source.append(3)
      _ = filter.count
    },
    // MARK: Threads and transactions
    Misuse("A transaction of ArrayNode<Int> and ArrayNode<Int> began in a closure that a derived node calls") {
      let numbers = ArrayNode([1])
      let others = ArrayNode([1])
      let filter = FilterNode(numbers) { number in performUpdates(on: [numbers, others]) { number > 1 } }
      numbers.append(2)
      _ = filter
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }

  /// A predicate may read its graph, and change another graph.
  @Test func aPredicateReadsTheGraphAndChangesAnother() {
    let source = ArrayNode([1, 2])
    let log = ArrayNode<Int>()
    let filter = FilterNode(source) { element in
      log.append(element)
      return element >= source[0]
    }
    source.append(0)
    #expect(filter.elements == [1, 2] && log.elements == [1, 2, 0])
  }

  #if DEBUG
    @Test func twoThreadsChangeOneGraph() async {
      expect(
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          let numbers = ArrayNode([1, 2])
          let filter = FilterNode(numbers) { $0 > 1 }
          withExtendedLifetime(filter) {
            numbers.performUpdates {
              let end = DispatchSemaphore(value: 0)
              nonisolated(unsafe) let shared = numbers
              Thread {
                unsafe shared.append(3)
                end.signal()
              }.start()
              end.wait()
            }
          }
        },
        says: "ArrayNode<Int> was changed while another thread was inside a change or a transaction of its graph")
    }
  #endif

  @Test func aGraphIsHandedFromOneThreadToAnother() async {
    let numbers = ArrayNode([1])
    let filter = FilterNode(numbers) { $0 > 1 }
    for number in 2...4 {
      nonisolated(unsafe) let shared = numbers
      let end = DispatchSemaphore(value: 0)
      Thread {
        unsafe shared.performUpdates { unsafe shared.append(number) }
        end.signal()
      }.start()
      end.wait()
    }
    #expect(filter.elements == [2, 3, 4])
  }
}
