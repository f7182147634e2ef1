public import Foundation
public import Observation

/// Reports how much of the work in the background is done, for a progress bar.
///
/// ```swift
/// let progress = BackgroundProgress()
/// window.show(progress.progress)                       // a Foundation.Progress, which can be cancelled
/// try await filter.setPredicate(inBackground: .concurrently, progress: progress) { $0.contains("error") }
/// progress.fraction                                    // 1.0
/// ```
///
/// A progress belongs to the isolation domain of the node, and serves one call. `fraction` can be read inside
/// `withObservationTracking` and in the body of a SwiftUI view. It changes in steps of one hundredth or more.
public final class BackgroundProgress: Observable {
  /// The same progress for Foundation: its units are steps of the work. Cancelling this object ends the work with a
  /// `CancellationError`.
  public let progress = Progress(totalUnitCount: 0)

  private let registrar = ObservationRegistrar()
  private var hundredths = 0

  /// Creates the progress of work that has not begun.
  public init() {}

  /// How much is done, `0...1`, in hundredths.
  public var fraction: Double {
    registrar.access(self, keyPath: \.fraction)
    return Double(hundredths) / 100
  }

  /// Whether the work has been cancelled.
  var isCancelled: Bool { progress.isCancelled }

  /// Sets how much is done.
  ///
  /// - Parameters:
  ///   - done: the number of steps.
  ///   - total: the number of all steps.
  func report(_ done: Int, of total: Int) {
    // Foundation traps if more units are completed than there are, even between two assignments.
    if done < progress.completedUnitCount { progress.completedUnitCount = Int64(done) }
    progress.totalUnitCount = Int64(total)
    progress.completedUnitCount = Int64(done)
    let present = total == 0 ? 100 : done * 100 / total
    guard present != hundredths else { return }
    registrar.withMutation(of: self, keyPath: \.fraction) { hundredths = present }
  }

  /// Marks all steps as done.
  func tellEnd() {
    let total = Swift.max(1, Int(progress.totalUnitCount))
    report(total, of: total)
  }
}

@available(*, unavailable)
extension BackgroundProgress: Sendable {}
