import Assemblage
import Observation
import Synchronization
import TestSupport
import Testing

@Suite struct ObservableNodeTests {
  /// Counts the reports that a tracked property has changed.
  final class Flag: Sendable {
    private let state = Mutex(0)
    var count: Int { state.withLock { $0 } }
    var isSet: Bool { count > 0 }
    func set() { state.withLock { $0 += 1 } }
  }

  private static func track(_ read: () -> Void) -> Flag {
    let flag = Flag()
    withObservationTracking(read) { flag.set() }
    return flag
  }

  @Test func theExampleHolds() {
    let names = ArrayNode(["Ada", "Grace"])
    let observable = ObservableNode(names)
    var row: String?
    let flag = Self.track { row = observable[1] }
    #expect(row == "Grace")
    names.append("Edsger")
    #expect(!flag.isSet)
    names.remove(at: 0)
    #expect(flag.count == 1)
    // A change is reported only once. A client that wants further reports must read again.
    names.remove(at: 0)
    #expect(flag.count == 1)
  }

  @Test func theCountTheValueAndChildrenAreTracked() {
    let inner = BranchNode(value: "b", leaves: ["x"])
    let root = BranchNode(value: "r", [.leaf("a"), .node(inner)])
    let observable = ObservableNode<String>(root)
    let count = Self.track { _ = observable.count }
    let value = Self.track { _ = observable.value }
    let row = Self.track { _ = observable[1] }
    let below = Self.track { _ = observable.child(at: 1)?.count }
    let deep = Self.track { _ = observable.child(at: 1)?[0] }
    inner[0] = .leaf("y")
    #expect([count, value, row, below, deep].map(\.isSet) == [false, false, false, false, true])
    inner.append(.leaf("z"))
    #expect([count, value, row, below].map(\.isSet) == [false, false, false, true])
    inner.value = "c"
    #expect([count, value, row].map(\.isSet) == [false, false, true])
    root.value = "s"
    #expect([count, value].map(\.isSet) == [false, true])
    root.move(from: 0, to: 1)
    #expect(!count.isSet)
    root.remove(at: 0)
    #expect(count.isSet)
    #expect(observable.child(at: 0) == nil && observable.child(at: 7) == nil && observable[7] == nil)
  }

  /// The reader of a child moves and leaves with the child.
  @Test func childrenMove() {
    let nodes = (0..<3).map { BranchNode(value: $0, leaves: [10 * $0]) }
    let root = BranchNode<Int>(nodes)
    let observable = ObservableNode<Int>(root)
    let child = observable.child(at: 2)
    root.move(from: 2, to: 0)
    #expect(observable.child(at: 0) === child && observable.child(at: 1)?.value == 0)
    let flag = Self.track { _ = observable.child(at: 0)?[0] }
    root.move(from: 0, to: 1)
    #expect(flag.isSet)
    weak let watched = observable.child(at: 0)
    #expect(watched != nil)
    root.remove(at: 0)
    #expect(watched == nil)
    root[0] = .node(nodes[0])
    #expect(observable.child(at: 0) !== child && observable.child(at: 0)?.elements(in: 0..<9) == [0])
  }

  @Test func aTransactionIsReportedOnce() {
    let names = ArrayNode((0..<10).map(String.init))
    let observable = ObservableNode(FilterNode(names) { $0 != "3" })
    let flag = Self.track { _ = observable.elements(in: 0..<5) }
    observable.node.performUpdates {
      names.remove(at: 0)
      names.append("10")
      names.remove(at: 0)
      #expect(!flag.isSet)
    }
    #expect(flag.count == 1)
    struct Stop: Error {}
    let other = Self.track { _ = observable.elements(in: 0..<5) }
    try? names.performUpdates {
      names.removeAll()
      throw Stop()
    }
    #expect(!other.isSet)
  }

  /// Long ranges are tracked as a whole, and so are many rows.
  @Test func longRangesAreTracked() {
    let numbers = ArrayNode(Array(0..<20_000))
    let observable = ObservableNode(numbers)
    let whole = Self.track { _ = observable.elements(in: 0..<15_000) }
    let row = Self.track { _ = observable[17_000] }
    numbers[16_000] = 1
    #expect(!whole.isSet && !row.isSet)
    numbers[3_000] = 1
    #expect(whole.isSet && !row.isSet)
    let rows = Self.track { for row in 0..<10_000 { _ = observable[row] } }
    numbers.insert(1, at: 9_999)
    #expect(rows.isSet && row.isSet)
    let again = Self.track { for row in 0..<10_000 { _ = observable[row] } }
    numbers.insert(1, at: 0)
    #expect(again.isSet)
  }

  /// A reader is notified if its result would be another one now, and not otherwise.
  @Test func exactlyTheChangeIsReported() {
    for iteration in 0..<TestSeed.iterations(40) {
      var generator = TestSeed.generator("observable-node", iteration: iteration)
      let source = ArrayNode(Array(0..<Int.random(in: 0...8, using: &generator)))
      let observable = ObservableNode(FilterNode(source) { $0 % 4 > 0 })
      var next = 100
      for _ in 0..<TestSeed.length(30) {
        let former = observable.node.elements
        let rows = (0..<10).filter { _ in generator.chance(1, in: 2) }
        let flags = rows.map { row in Self.track { _ = observable[row] } }
        let range = Int.random(in: 0...5, using: &generator)..<Int.random(in: 6...9, using: &generator)
        let whole = Self.track { _ = observable.elements(in: range) }
        let count = Self.track { _ = observable.count }
        source.performUpdates {
          for _ in 0..<Int.random(in: 1...3, using: &generator) {
            next += 1
            switch Int.random(in: 0..<4, using: &generator) {
            case 0 where source.count > 0: source.remove(at: Int.random(in: 0..<source.count, using: &generator))
            case 1 where source.count > 0: source[Int.random(in: 0..<source.count, using: &generator)] = next
            case 2 where source.count > 1:
              source.move(
                from: Int.random(in: 0..<source.count, using: &generator),
                to: Int.random(in: 0..<source.count, using: &generator))
            default: source.insert(next, at: Int.random(in: 0...source.count, using: &generator))
            }
          }
        }
        let present = observable.node.elements
        func differs(_ row: Int) -> Bool {
          (row < former.count ? former[row] : nil) != (row < present.count ? present[row] : nil)
        }
        for (row, flag) in zip(rows, flags) { #expect(flag.isSet == differs(row), "\(former) \(present) \(row)") }
        #expect(whole.isSet == range.contains(where: differs))
        #expect(count.isSet == (former.count != present.count))
      }
    }
  }
}
