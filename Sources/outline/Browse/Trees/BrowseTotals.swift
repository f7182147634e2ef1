import AssemblageTerminal

/// Files and their bytes, counted apart by what leaves them out, so that those that are shown can be told at any moment.
///
/// ```swift
/// var totals = BrowseTotals()
/// totals.add(files: 2, size: 70, hiding: 0)
/// totals.add(files: 1, size: 30, hiding: BrowseStore.hidden)
/// totals.files()                   // → 3
/// totals.size(without: .hidden)    // → 70
/// ```
struct BrowseTotals: Hashable, Sendable {
  // The places are the bits of an entry that say what leaves it out: nothing, its name, a pattern, both.
  private var files = SIMD4<Int>(repeating: 0)
  private var sizes = SIMD4<Int>(repeating: 0)

  /// Whether there is nothing in it, whatever is left out.
  var isEmpty: Bool { self == BrowseTotals() }

  /// The number of files.
  ///
  /// - Parameter hiding: what is left out.
  /// - Returns: how many there are without that.
  func files(without hiding: TerminalHiding = []) -> Int { Self.sum(files, without: hiding) }

  /// The bytes of the files.
  ///
  /// - Parameter hiding: what is left out.
  /// - Returns: how many there are in the files without that.
  func size(without hiding: TerminalHiding = []) -> Int { Self.sum(sizes, without: hiding) }

  private static func sum(_ values: SIMD4<Int>, without hiding: TerminalHiding) -> Int {
    values.indices.reduce(0) { UInt8($1) & hiding.rawValue == 0 ? $0 &+ values[$1] : $0 }
  }

  /// Adds files, or takes them away where the numbers are negative.
  ///
  /// - Parameters:
  ///   - count: how many.
  ///   - size: their bytes.
  ///   - hiding: what leaves them out; see `BrowseStore.Entry`.
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
