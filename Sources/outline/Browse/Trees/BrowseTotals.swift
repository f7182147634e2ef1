import AssemblageTerminal

/// Counts files and their bytes separately for each reason to leave them out.
///
/// So the visible files are known at any moment.
///
/// ```swift
/// var totals = BrowseTotals()
/// totals.add(files: 2, size: 70, hiding: 0)
/// totals.add(files: 1, size: 30, hiding: BrowseStore.hidden)
/// totals.files()                   // → 3
/// totals.size(without: .hidden)    // → 70
/// ```
struct BrowseTotals: Hashable, Sendable {
  // The positions are the bits of an entry's reasons to be left out: none, its name, a pattern, both.
  private var files = SIMD4<Int>(repeating: 0)
  private var sizes = SIMD4<Int>(repeating: 0)

  /// Whether there are no files at all, visible or not.
  var isEmpty: Bool { self == BrowseTotals() }

  /// The number of files.
  ///
  /// - Parameter hiding: the kinds of entries that are left out.
  /// - Returns: the number of the other files.
  func files(without hiding: TerminalHiding = []) -> Int { Self.sum(files, without: hiding) }

  /// The bytes of the files.
  ///
  /// - Parameter hiding: the kinds of entries that are left out.
  /// - Returns: the bytes of the other files.
  func size(without hiding: TerminalHiding = []) -> Int { Self.sum(sizes, without: hiding) }

  private static func sum(_ values: SIMD4<Int>, without hiding: TerminalHiding) -> Int {
    values.indices.reduce(0) { UInt8($1) & hiding.rawValue == 0 ? $0 &+ values[$1] : $0 }
  }

  /// Adds files, or subtracts them if the numbers are negative.
  ///
  /// - Parameters:
  ///   - count: the number of files.
  ///   - size: the bytes of the files.
  ///   - hiding: the reasons to leave the files out; see `BrowseStore.Entry`.
  mutating func add(files count: Int, size: Int, hiding: UInt8) {
    files[Int(hiding & 3)] += count
    sizes[Int(hiding & 3)] &+= size
  }

  static func += (left: inout Self, right: Self) {
    left.files &+= right.files
    left.sizes &+= right.sizes
  }

  static func -= (left: inout Self, right: Self) {
    left.files &-= right.files
    left.sizes &-= right.sizes
  }
}
