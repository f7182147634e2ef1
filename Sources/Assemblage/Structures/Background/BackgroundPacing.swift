import Foundation

/// How work in the background is cut where not the clock decides: for tests that must do the same each time.
///
/// Else slices are as large as their time allows, work on an actor pauses when it has taken long, and there are as many pieces
/// as the cores can do with.
package enum BackgroundPacing {
  /// How many elements a slice or a piece has; nil: the clock decides.
  @TaskLocal package static var elements: Int?

  /// The number of cores that pieces are made for.
  static var coreCount: Int { elements == nil ? ProcessInfo.processInfo.activeProcessorCount : 2 }
}
