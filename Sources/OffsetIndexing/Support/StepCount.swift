#if InternalChecks
  internal import Synchronization
#endif

// Costs are tested by counting steps, never by the clock: where the trait `InternalChecks` is on, whatever grows with the
// data says so here. Everywhere else `count(_:_:)` is nothing.

/// What is counted.
package enum Step: Sendable {
  /// An access to a node of an index structure: a block of a tree, or the copy of one.
  case node
  /// A call of a predicate, a comparator, or another closure of the user's.
  case call
  /// An element that is read through a node.
  case element
}

/// Counts steps of the operation that is being measured, if any is.
@inline(__always)
package func countStep(_ step: Step, _ times: Int = 1) {
  #if InternalChecks
    StepCounter.count(step, times)
  #endif
}

/// Runs a check of invariants after a mutation; not of one whose steps are being counted, for they would be the check's.
package func checkUnlessCounting(_ check: () -> Void) {
  #if InternalChecks
    if StepCounter.current == nil { check() }
  #else
    check()
  #endif
}

/// The same for a structure that may be large and have many mutations: as often as its size allows, so that the checks of all
/// mutations together take time in proportion to their number.
///
/// - Parameters:
///   - size: how many nodes the check looks at; up to 512 each mutation is checked.
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
  /// What an operation took, in steps.
  package struct StepCount: Hashable, Sendable, CustomStringConvertible {
    package var nodes = 0
    package var calls = 0
    package var elements = 0

    package var total: Int { nodes + calls + elements }

    package var description: String { "\(nodes) nodes, \(calls) calls, \(elements) elements" }

    /// Counts the steps that a body takes, on this task.
    package init(of body: () throws -> Void) rethrows {
      let counter = StepCounter()
      StepCounter.active.add(1, ordering: .relaxed)
      defer { StepCounter.active.subtract(1, ordering: .relaxed) }
      try StepCounter.$current.withValue(counter, operation: body)
      self = counter.count
    }

    fileprivate init() {}
  }

  /// The count of the task that measures. `@unchecked Sendable`: only that task reaches it, through its local value.
  package final class StepCounter: @unchecked Sendable {
    @TaskLocal package static var current: StepCounter?

    /// How many tasks measure: while none does, counting is one comparison.
    fileprivate static let active = Atomic<Int>(0)

    /// The mutations of structures that are not checked after each.
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
