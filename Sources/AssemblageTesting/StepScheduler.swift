import Assemblage
import Synchronization

/// Runs asynchronous work step by step, on the thread that asks for each step.
///
/// So a test can make changes between two steps.
///
/// ```swift
/// let numbers = ArrayNode(Array(0..<10))
/// let even = FilterNode(numbers) { $0 % 2 == 0 }
/// let steps = StepScheduler()
/// let task = steps.begin(even) { even in
///   try await even.setPredicate(inBackground: .inSlices(of: .milliseconds(1))) { $0 % 3 == 0 }
/// }
/// steps.step()                       // the first element is asked about
/// numbers.remove(at: 0)
/// even.elements                      // [2, 4, 6, 8]
/// while steps.step() {}
/// even.elements                      // [3, 6, 9]
/// task.outcome                       // success
/// ```
///
/// Work that would run on other cores is divided into steps too. All steps wait here until the caller chooses them. The
/// clock has no influence: slices and pieces of the library's own work have one element each. So the same choices have
/// the same results each time, on every machine. Work may also wait for something outside the scheduler, for example a
/// pause or a file. Its next step waits here after that.
///
/// The scheduler, the tasks and the nodes belong to one thread at a time.
public final class StepScheduler {
  private let jobs: StepJobs
  private let taskExecutor: StepTaskExecutor
  private let actor: StepActor

  /// Creates a scheduler without steps.
  public init() {
    jobs = StepJobs()
    taskExecutor = StepTaskExecutor(jobs)
    actor = StepActor(StepSerialExecutor(jobs, taskExecutor))
  }

  /// The number of steps that could be next.
  ///
  /// - Complexity: O(1).
  public var waitingCount: Int { jobs.count }

  /// Begins some work; its first step waits then.
  ///
  /// - Parameters:
  ///   - subject: the argument of `body`, which is kept until the work has ended.
  ///   - body: the work; a step ends where the work suspends.
  /// - Returns: the task; the work does not end if the caller releases the task.
  public func begin<Subject>(
    _ subject: Subject, _ body: @escaping (Subject) async throws -> Void
  ) -> StepTask {
    let task = StepTask()
    let work = StepWork(subject: subject, body: body, task: task)
    BackgroundPacing.$elements.withValue(1) {
      task.handle = Task(executorPreference: taskExecutor) { [actor] in await actor.run(work) }
    }
    return task
  }

  /// Makes one step.
  ///
  /// - Parameter choice: the number of a waiting step, `0..<waitingCount`, in the order in which the steps began to
  ///   wait.
  /// - Returns: whether there was a step.
  /// - Precondition: `choice` is in range if a step waits.
  @discardableResult
  public func step(_ choice: Int = 0) -> Bool { jobs.run(choice) }
}

@available(*, unavailable)
extension StepScheduler: Sendable {}

/// Work that a `StepScheduler` does.
///
/// ```swift
/// task.cancel()
/// while steps.step() {}
/// task.outcome            // a CancellationError, where the work heeds it
/// ```
public final class StepTask {
  /// The result of the work; nil where it has not ended.
  public fileprivate(set) var outcome: Result<Void, any Error>?

  fileprivate var handle: Task<Void, Never>?

  fileprivate init() {}

  /// Cancels the work, which finds this out in its next step.
  public func cancel() { handle?.cancel() }
}

@available(*, unavailable)
extension StepTask: Sendable {}

/// The waiting steps of an actor, and of tasks that belong to no actor.
private final class StepJobs: Sendable {
  private let waiting = Mutex<[@Sendable () -> Void]>([])

  var count: Int { waiting.withLock { $0.count } }

  func add(_ job: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(job) } }

  func run(_ choice: Int) -> Bool {
    guard let job = waiting.withLock({ $0.isEmpty ? nil : $0.remove(at: choice) }) else { return false }
    job()
    return true
  }
}

private final class StepSerialExecutor: SerialExecutor {
  private let jobs: StepJobs
  private let taskExecutor: StepTaskExecutor

  init(_ jobs: StepJobs, _ taskExecutor: StepTaskExecutor) {
    self.jobs = jobs
    self.taskExecutor = taskExecutor
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Both executors live as long as the closure. The task prefers the second one. If it ran elsewhere, it would change
    // to that executor at each return from a call.
    jobs.add { [self] in
      unsafe job.runSynchronously(
        isolatedTo: asUnownedSerialExecutor(), taskExecutor: taskExecutor.asUnownedTaskExecutor())
    }
  }
}

private final class StepTaskExecutor: TaskExecutor {
  private let jobs: StepJobs

  init(_ jobs: StepJobs) { self.jobs = jobs }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // The executor lives as long as the closure.
    jobs.add { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}

/// The domain of all the work of a scheduler.
private actor StepActor {
  private nonisolated let executor: StepSerialExecutor

  init(_ executor: StepSerialExecutor) { self.executor = executor }

  // The actor keeps its executor alive.
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  func run<Subject>(_ work: StepWork<Subject>) async {
    do {
      try await work.body(work.subject)
      work.task.outcome = .success(())
    } catch {
      work.task.outcome = .failure(error)
    }
  }
}

/// Hands work to its actor.
///
/// `@unchecked Sendable`, because one thread makes all steps, one after the other: the thread of the caller, which
/// begins the work and chooses the steps.
private struct StepWork<Subject>: @unchecked Sendable {
  let subject: Subject
  let body: (Subject) async throws -> Void
  let task: StepTask
}
