#if InternalChecks
  internal import Synchronization
#endif

// Tests measure costs by counting steps, never by the clock. Where the trait `InternalChecks` is on, every operation
// whose cost grows with the data counts its steps here. Everywhere else, `countStep(_:_:)` does nothing.

/// A kind of step that is counted.
package enum Step: Sendable {
  /// An access to a node of an index structure: a block of a tree, or the copy of one.
  case node
  /// A call of a predicate, a comparator or another closure of the user.
  case call
  /// An element that is read through a node.
  case element
}

/// Counts steps of the operation that is being measured, if there is one.
@inline(__always)
package func countStep(_ step: Step, _ times: Int = 1) {
  #if InternalChecks
    StepCounter.count(step, times)
  #endif
}

/// Runs a check of invariants after a mutation.
///
/// The check does not run while steps are being counted, because the counter would count the steps of the check.
package func checkUnlessCounting(_ check: () -> Void) {
  #if InternalChecks
    if StepCounter.current == nil { check() }
  #else
    check()
  #endif
}

/// Runs a check of invariants after some of the mutations of a structure that may be large and have many mutations.
///
/// The size decides how often the check runs. So the checks of all mutations together take time in proportion to the
/// number of mutations.
///
/// - Parameters:
///   - size: the number of nodes that the check reads. Up to 512, every mutation is checked.
///   - check: the check.
package func checkUnlessCounting(size: Int, _ check: () -> Void) {
  #if InternalChecks
    let mutation = StepCounter.mutations.add(1, ordering: .relaxed).newValue
    if mutation.isMultiple(of: max(1, size / 512)) { checkUnlessCounting(check) }
  #else
    check()
  #endif
}

#if InternalChecks
  /// The cost of an operation, in steps.
  package struct StepCount: Hashable, Sendable, CustomStringConvertible {
    package var nodes = 0
    package var calls = 0
    package var elements = 0

    package var total: Int { nodes + calls + elements }

    package var description: String { "\(nodes) nodes, \(calls) calls, \(elements) elements" }

    /// Counts the steps of a body, on this task.
    package init(of body: () throws -> Void) rethrows {
      let counter = StepCounter()
      StepCounter.active.add(1, ordering: .relaxed)
      defer { StepCounter.active.subtract(1, ordering: .relaxed) }
      try StepCounter.$current.withValue(counter, operation: body)
      self = counter.count
    }

    fileprivate init() {}
  }

  /// The count of the task that measures. `@unchecked Sendable`: only that task reaches the counter, through its
  /// task-local value.
  package final class StepCounter: @unchecked Sendable {
    @TaskLocal package static var current: StepCounter?

    /// The number of tasks that measure. While there is none, counting costs one comparison.
    fileprivate static let active = Atomic<Int>(0)

    /// The number of mutations of structures that are not checked after each mutation.
    fileprivate static let mutations = Atomic<Int>(0)

    fileprivate(set) var count = StepCount()

    fileprivate init() {}

    static func count(_ step: Step, _ times: Int) {
      guard active.load(ordering: .relaxed) > 0, let counter = current else { return }
      switch step {
      case .node: counter.count.nodes += times
      case .call: counter.count.calls += times
      case .element: counter.count.elements += times
      }
    }
  }
#endif
