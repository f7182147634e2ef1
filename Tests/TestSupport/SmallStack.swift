import Foundation
public import Testing

/// Runs tests on threads with a stack of 512 KiB.
///
/// A recursion through every level of a deep tree does not fit there.
///
/// The threads of the testing library may have stacks of several MiB. A sanitizer makes every frame several times as
/// large. For such a run, the environment variable `ASSEMBLAGE_STACK` multiplies the 512 KiB.
public struct SmallStack: SuiteTrait, TestTrait, TestScoping {
  public static let size =
    (ProcessInfo.processInfo.environment["ASSEMBLAGE_STACK"].flatMap { Int($0) } ?? 1) * 512 << 10

  public var isRecursive: Bool { true }

  public func provideScope(
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
  /// Runs a test on a thread with a stack of 512 KiB.
  public static var smallStack: Self { SmallStack() }
}
