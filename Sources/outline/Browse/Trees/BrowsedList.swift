import Foundation

/// The input of a list of paths.
struct BrowsedList {
  /// The title of the input.
  var title = "standard input"
  var descriptor = STDIN_FILENO
  /// The bytes that have already been read from the input.
  var start: [UInt8] = []
  /// Whether NUL separates the paths, even if no NUL was read yet.
  var isSeparatedByNull = false
}
