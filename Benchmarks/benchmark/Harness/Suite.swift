/// A group of operations on the same kind of subject.
struct Suite {
  let name: String
  let operations: [Operation]

  init(name: String, operations: [Operation]) {
    self.name = name
    self.operations = operations
  }

  /// Creates a suite of the listed operations. The compiler checks each operation on its own, as it does with
  /// statements. A long literal would take the compiler minutes.
  init(_ name: String, @OperationList operations: () -> [Operation]) {
    self.init(name: name, operations: operations())
  }
}

/// The statements of a suite. Each statement is an operation.
@resultBuilder enum OperationList {
  static func buildBlock(_ operations: Operation...) -> [Operation] { operations }
}

extension Suite {
  /// Creates a suite of subjects that share a protocol. Each list holds the work of one subject.
  ///
  /// The operations are in the order of their first names in the lists. A subject that lacks an operation is left out
  /// there.
  init(_ name: String, of subjects: [Work]...) {
    let works = subjects.joined()
    var names: [String] = []
    for work in works where !names.contains(work.operation) { names.append(work.operation) }
    self.init(
      name: name,
      operations: names.map { name in
        Operation(name: name, subjects: works.filter { $0.operation == name }.map(\.subject))
      })
  }
}

/// One operation on one subject.
struct Work {
  let operation: String
  let subject: Subject
}

/// The statements of a list of work. Each statement is an operation on the same subject.
@resultBuilder enum WorkList {
  static func buildBlock(_ works: Work...) -> [Work] { works }
}

extension [Work] {
  /// The work without these operations.
  func without(_ operations: [String]) -> [Work] { filter { !operations.contains($0.operation) } }
}

/// One job, done by several subjects.
struct Operation {
  let name: String
  /// The subjects. The library's own subject is first, and the others' times are given as ratios to its time.
  let subjects: [Subject]

  init(name: String, subjects: [Subject]) {
    self.name = name
    self.subjects = subjects
  }

  init(_ name: String, _ subjects: Subject...) {
    self.init(name: name, subjects: subjects)
  }
}

/// One way to do an operation's job.
struct Subject {
  /// Whose work the subject measures.
  enum Origin { case library, competitor }

  let name: String
  /// The origin of the subject. The library's subjects are compared with a competitor. A competitor is never judged.
  let origin: Origin
  /// The largest size at which the subject is measured, if its time grows with the square of the size.
  let largest: Int
  private let trial: (inout Context) -> Trial

  init(_ name: String, _ origin: Origin, largest: Int = .max, trial: @escaping (inout Context) -> Trial) {
    self.name = name
    self.origin = origin
    self.largest = largest
    self.trial = trial
  }

  init(_ type: (some Measured).Type, trial: @escaping (inout Context) -> Trial) {
    self.init(type.name, type.origin, trial: trial)
  }

  /// Prepares the operation on this subject, outside the timer.
  func prepare(_ context: Context) -> Trial {
    var context = context
    return trial(&context)
  }
}

/// A structure that is a subject: a structure of the library that declares this origin, or a competitor.
protocol Measured {
  static var name: String { get }
  static var origin: Subject.Origin { get }
}

extension Measured {
  static var origin: Subject.Origin { .competitor }

  /// Makes the work of an operation on this subject. A list of work is inlined, so that its closures are compiled for
  /// the subject's type.
  @inline(__always)
  static func work(_ operation: String, _ trial: @escaping (inout Context) -> Trial) -> Work {
    Work(operation: operation, subject: Subject(Self.self, trial: trial))
  }
}

/// A structure that notifies one observer with a number.
protocol Notifying {
  var observer: (Int) -> Void { get set }
}

extension Notifying {
  /// Adds an observer that adds up the numbers that it receives.
  @inline(__always)
  mutating func observe() -> Heard {
    let received = Heard()
    observer = { received.sum &+= $0 }
    return received
  }
}

/// A subject with a node of the library. The node's observation is made before the subject has an observer.
protocol BoxedObserver: Notifying {
  var box: ObserverBox { get }
}

extension BoxedObserver {
  var observer: (Int) -> Void {
    get { box.observer }
    set { box.observer = newValue }
  }
}

final class ObserverBox {
  var observer: (Int) -> Void = { _ in }
}

/// The sum of an observer. A round returns it, so that the notifications cannot be left out.
final class Heard {
  var sum = 0
}

/// The input of a trial: the size, and a generator that is the same for each subject.
struct Context {
  let n: Int
  /// The generator. Its seed depends on the run's seed, the suite, the operation and the size, but not on the subject.
  var generator: SplitMix

  /// Returns n random integers in `0..<bound`.
  mutating func integers(below bound: Int) -> [Int] {
    (0..<n).map { _ in Int.random(in: 0..<bound, using: &generator) }
  }
}
