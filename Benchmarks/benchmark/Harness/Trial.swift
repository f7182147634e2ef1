/// One subject, ready to do one operation at one size.
///
/// A round makes some operations inside the timer; what it changed is undone outside. The state lives in a
/// box that the closures share and pass on as one `inout` access, so that the loops inside pay for no
/// exclusivity checks.
struct Trial {
  /// The number of elements that one operation handles: n for a build or a scan, else 1.
  let elementsPerOperation: Int
  /// The most operations in one round, so that the state stays close to its size n.
  let mostOperations: Int
  /// Makes that many operations and returns something that depends on each result.
  let run: (_ operations: Int) -> Int
  /// Undoes a round of that many operations.
  let reset: (_ operations: Int) -> Void
  /// The nanoseconds that the last round took by a measure of the trial's own; nil for the runner's.
  let ownTime: (() -> Double)?
  /// The heap bytes that the subject holds for each element; nil where that is not known.
  let bytesPerElement: Double?

  /// Creates a trial over `state`.
  ///
  /// - Parameters:
  ///   - state: what the operations read or change.
  ///   - elementsPerOperation: divides the time of an operation.
  ///   - mostOperations: bounds one round.
  ///   - ownTime: tells the nanoseconds that the last round took, where it is not the round as a whole that matters.
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

  /// Creates a trial whose operation neither changes `state` nor takes a place, such as a scan.
  ///
  /// The optimiser would compute the result of such an operation once for a whole round. So it is called
  /// through a loop that the optimiser must leave alone.
  ///
  /// - Parameters:
  ///   - state: what the operation reads.
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

/// Adds up what `operation` returns, calling it each time: nothing in here is optimised.
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

/// Adds up what `operation` returns. It is inlined, and so is `operation`: a round is compiled as a loop that is
/// written out.
@inline(__always)
func total(_ operations: Int, _ operation: () -> Int) -> Int {
  var sum = 0
  for _ in 0..<operations { sum &+= operation() }
  return sum
}
