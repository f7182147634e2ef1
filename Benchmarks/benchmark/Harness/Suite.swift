/// A group of operations on the same kind of subject.
struct Suite {
  let name: String
  let operations: [Operation]
}

/// One job, done by several subjects.
struct Operation {
  let name: String
  /// The subjects, the library's own first; the others' times are given as ratios to it.
  let subjects: [Subject]
}

/// One way of doing an operation's job.
struct Subject {
  let name: String
  /// The largest size at which it is measured, where its time grows with the square of the size.
  let largest: Int
  /// Prepares the operation on this subject, outside the timer.
  let prepare: (Context) -> Trial

  init(_ name: String, largest: Int = .max, prepare: @escaping (Context) -> Trial) {
    self.name = name
    self.largest = largest
    self.prepare = prepare
  }
}

/// What a trial is prepared for: the size, and a generator that is the same for each subject.
struct Context {
  let n: Int
  /// Seeded by the run's seed, the suite, the operation and the size, not by the subject.
  var generator: SplitMix
}
