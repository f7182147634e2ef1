import Foundation

/// Fixes the sizes of slices and pieces of background work, for tests that must do the same each time.
///
/// Otherwise the clock decides: a slice is as large as its time allows, and work on an actor pauses after some time.
/// The number of pieces then follows from the number of cores.
package enum BackgroundPacing {
  /// How many elements a slice or a piece has; nil: the clock decides.
  @TaskLocal package static var elements: Int?

  /// The number of cores that pieces are made for.
  static var coreCount: Int { elements == nil ? ProcessInfo.processInfo.activeProcessorCount : 2 }
}
