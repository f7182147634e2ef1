/// A group of operations on the same kind of subject.
struct Suite {
  let name: String
  let operations: [Operation]

  init(name: String, operations: [Operation]) {
    self.name = name
    self.operations = operations
  }

  /// Creates a suite of the operations that are listed. The compiler checks each of them by itself, as it does with
  /// statements: a long literal would take it minutes.
  init(_ name: String, @OperationList operations: () -> [Operation]) {
    self.init(name: name, operations: operations())
  }
}

/// The statements of a suite: each of them is an operation.
@resultBuilder enum OperationList {
  static func buildBlock(_ operations: Operation...) -> [Operation] { operations }
}

/// One job, done by several subjects.
struct Operation {
  let name: String
  /// The subjects, the library's own first; the others' times are given as ratios to it.
  let subjects: [Subject]

  init(name: String, subjects: [Subject]) {
    self.name = name
    self.subjects = subjects
  }

  init(_ name: String, _ subjects: Subject...) {
    self.init(name: name, subjects: subjects)
  }
}

/// One way of doing an operation's job.
struct Subject {
  /// Whose work is measured.
  enum Origin { case library, competitor }

  let name: String
  /// A competitor is what the library's subjects are seen beside, and is never judged.
  let origin: Origin
  /// The largest size at which it is measured, where its time grows with the square of the size.
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

/// A structure that is a subject: one of the library's that says so, or a competitor.
protocol Measured {
  static var name: String { get }
  static var origin: Subject.Origin { get }
}

extension Measured {
  static var origin: Subject.Origin { .competitor }
}

/// What a trial is prepared for: the size, and a generator that is the same for each subject.
struct Context {
  let n: Int
  /// Seeded by the run's seed, the suite, the operation and the size, not by the subject.
  var generator: SplitMix
}
