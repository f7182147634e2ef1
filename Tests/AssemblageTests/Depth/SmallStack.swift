import Foundation
import Testing

/// Runs tests on threads with a stack of 512 KiB, where a call for each level of a deep tree does not fit.
///
/// The threads of the testing library may have stacks of several MiB.
struct SmallStack: SuiteTrait, TestTrait, TestScoping {
  static let size = 512 << 10

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(Executor()) { try await function() }
  }

  private final class Executor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      let thread = Thread { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
      thread.stackSize = SmallStack.size
      thread.start()
    }
  }
}

extension Trait where Self == SmallStack {
  /// On a thread with a stack of 512 KiB.
  static var smallStack: Self { SmallStack() }
}
