/// One subject that is ready to do one operation at one size.
///
/// A round makes some operations inside the timer, and their changes are undone outside. The state is in a box that the
/// closures share. They pass the state on as one `inout` access, so that the loops inside need no exclusivity checks.
struct Trial {
  /// The number of elements that one operation handles: n for a build or a scan, and otherwise 1.
  let elementsPerOperation: Int
  /// The greatest number of operations in one round, so that the state stays close to its size n.
  let mostOperations: Int
  /// Makes the given number of operations, and returns a number that depends on each result.
  let run: (_ operations: Int) -> Int
  /// Undoes a round with the given number of operations.
  let reset: (_ operations: Int) -> Void
  /// The nanoseconds of the last round by the trial's own measure; nil where the runner measures.
  let ownTime: (() -> Double)?
  /// The heap bytes that the subject holds for each element; nil where that is not known.
  let bytesPerElement: Double?

  /// Creates a trial over `state`.
  ///
  /// - Parameters:
  ///   - state: the state that the operations read or change.
  ///   - elementsPerOperation: divides the time of an operation.
  ///   - mostOperations: limits the operations in one round.
  ///   - ownTime: measures the nanoseconds of the last round, where the time of the whole round is not the wanted time.
  ///   - reset: undoes a round, outside the timer.
  ///   - run: makes a round.
  init<State>(
    _ state: State,
    elementsPerOperation: Int = 1,
    mostOperations: Int = .max,
    ownTime: ((State) -> Double)? = nil,
    reset: ((inout State, Int) -> Void)? = nil,
    run: @escaping (inout State, Int) -> Int
  ) {
    let box = Box(state)
    self.elementsPerOperation = max(1, elementsPerOperation)
    self.mostOperations = max(1, mostOperations)
    bytesPerElement = nil
    self.ownTime = ownTime.map { time in { time(box.state) } }
    self.run = { run(&box.state, $0) }
    self.reset = { operations in reset?(&box.state, operations) }
  }

  /// Creates a trial whose operation neither changes `state` nor uses a place. A scan is an example.
  ///
  /// The optimiser would compute the result of such an operation once for a whole round. So the operation is called
  /// through a loop that the optimiser must not change.
  ///
  /// - Parameters:
  ///   - state: the state that the operation reads.
  ///   - elementsPerOperation: divides the time of an operation.
  ///   - byteCount: the heap bytes that the subject holds, where they are known.
  ///   - operation: makes one operation.
  init<State>(
    _ state: State,
    elementsPerOperation: Int,
    byteCount: Int? = nil,
    each operation: @escaping (State) -> Int
  ) {
    self.elementsPerOperation = max(1, elementsPerOperation)
    mostOperations = .max
    ownTime = nil
    bytesPerElement = byteCount.map { Double($0) / Double(elementsPerOperation) }
    run = { operations in repeated(operations) { operation(state) } }
    reset = { _ in }
  }

  private final class Box<State> {
    var state: State
    init(_ state: State) { self.state = state }
  }
}

/// Adds up the results of `operation`, and calls it each time. The compiler optimises nothing in this function.
@inline(never)
@_optimize(none)
private func repeated(_ operations: Int, _ operation: () -> Int) -> Int {
  var sum = 0
  var done = 0
  while done < operations {
    sum = sum &+ operation()
    done = done &+ 1
  }
  return sum
}

/// Adds up the results of `operation`. The function and `operation` are inlined, so a round is compiled as one loop
/// without calls.
@inline(__always)
func total(_ operations: Int, _ operation: () -> Int) -> Int {
  var sum = 0
  for _ in 0..<operations { sum &+= operation() }
  return sum
}
