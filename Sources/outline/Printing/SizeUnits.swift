/// The units in which numbers of bytes are shown.
enum SizeUnits: String, Equatable, CaseIterable, Sendable {
  /// Powers of 1,000: `1.2 kB`.
  case decimal
  /// Powers of 1,024: `1.2 KiB`.
  case binary
  /// Single bytes: `1,234 B`.
  case bytes

  /// Formats a number of bytes for human readers: `0 B`, `999 B`, `1.2 kB`, `4.2 GB`.
  func format(_ bytes: Int) -> String {
    let base = self == .binary ? 1_024.0 : 1_000
    guard self != .bytes, bytes >= Int(base) else { return (self == .bytes ? grouped(bytes) : "\(bytes)") + " B" }
    let units = self == .binary ? ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] : ["kB", "MB", "GB", "TB", "PB", "EB"]
    var (value, unit) = (Double(bytes) / base, 0)
    // 999.95 rounds to 1000.0, which is 1.0 of the next unit.
    while value >= base - 0.05, unit < units.count - 1 {
      value /= base
      unit += 1
    }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }

  /// The columns that most sizes take.
  var width: Int {
    switch self {
    case .decimal: 8
    case .binary: 10
    case .bytes: 17
    }
  }
}
