import Foundation

/// Where a list of paths comes from.
struct BrowsedList {
  /// What it is called.
  var title = "standard input"
  var descriptor = STDIN_FILENO
  /// The bytes that have been read from there.
  var start: [UInt8] = []
  /// Whether NUL stands between the paths, also where none has come yet.
  var isSeparatedByNull = false
}
