import Foundation
public import Testing

/// Runs tests on threads with a stack of 512 KiB, where a call for each level of a deep tree does not fit.
///
/// The threads of the testing library may have stacks of several MiB. A sanitizer makes every frame several times as
/// large: then the environment variable `ASSEMBLAGE_STACK` says how many times 512 KiB a stack has.
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
  /// On a thread with a stack of 512 KiB.
  public static var smallStack: Self { SmallStack() }
}
