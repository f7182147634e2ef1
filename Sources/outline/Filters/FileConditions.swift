/// Filters entries by their sizes and by the times of their last changes.
///
///     --size +10M       files of at least 10 MB
///     --newer 2d        entries that were changed in the last two days
struct FileConditions: Equatable {
  /// The sizes of the files that are shown; nil shows entries of every size and kind.
  var sizes: ClosedRange<Int>?
  /// Only entries are shown that were changed at this time or later, in seconds since 1970.
  var newer: Int?
  /// Only entries are shown that were changed before this time.
  var older: Int?

  var isEmpty: Bool { self == FileConditions() }

  /// The first of the given options; nil without an option.
  var option: String? {
    sizes != nil ? "--size" : newer != nil ? "--newer" : older != nil ? "--older" : nil
  }

  /// Whether an entry is shown.
  ///
  /// - Parameters:
  ///   - kind: the kind of the entry; only files have sizes.
  ///   - size: the bytes of the entry.
  ///   - date: the time of its last change, in seconds since 1970.
  /// - Returns: whether all conditions are met.
  func matches(_ kind: Entry.Kind, size: Int, date: Int) -> Bool {
    if let sizes, kind != .file || !sizes.contains(size) { return false }
    if let newer, date < newer { return false }
    if let older, date >= older { return false }
    return true
  }

  /// Adds a condition for sizes; each further one makes the range smaller.
  ///
  /// - Throws: `UsageError` if no size meets all conditions.
  mutating func add(sizes range: ClosedRange<Int>) throws {
    guard let known = sizes else { return sizes = range }
    guard known.overlaps(range) else {
      throw UsageError(description: "no size meets all of the --size options")
    }
    sizes = known.clamped(to: range)
  }

  /// A description, to follow the word "files".
  func phrase(_ format: (Int) -> String) -> String {
    var parts: [String] = []
    if let sizes {
      switch (sizes.lowerBound, sizes.upperBound) {
      case (let size, let other) where size == other: parts.append("of \(format(size))")
      case (let least, .max): parts.append("of at least \(format(least))")
      case (0, let most): parts.append("of at most \(format(most))")
      case (let least, let most): parts.append("of \(format(least)) to \(format(most))")
      }
    }
    if let newer { parts.append("changed since \(formattedDate(newer))") }
    if let older { parts.append("changed before \(formattedDate(older))") }
    return parts.joined(separator: " and ")
  }
}

extension OptionValue {
  /// Returns a range of sizes like `+10M`, at least; `-4Ki`, at most; or `0`, exactly.
  ///
  /// The units are powers of 1,000, or with an `i` of 1,024. Capital and small letters are the same.
  func sizes() throws -> ClosedRange<Int> {
    let wrong = UsageError(
      description: "\(option) takes a size like +10M, -4k or 0 (at least, at most, exactly), not \"\(name.printed)\"")
    var text = name.text.lowercased()[...]
    let sign = text.first.flatMap { "+-".contains($0) ? $0 : nil }
    if sign != nil { text.removeFirst() }
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    var unit = text.dropFirst(digits.count)
    guard let number = Self.number(digits) else { throw wrong }
    if unit.last == "b" { unit.removeLast() }
    let isBinary = unit.count == 2 && unit.last == "i"
    if isBinary { unit.removeLast() }
    guard let power = unit.isEmpty ? 0 : ["k", "m", "g", "t"].firstIndex(of: unit).map({ $0 + 1 }) else { throw wrong }
    var size = number
    for _ in 0..<power {
      let (product, overflow) = size.multipliedReportingOverflow(by: isBinary ? 1_024 : 1_000)
      size = overflow ? .max : product
    }
    return sign == "+" ? size...(.max) : sign == "-" ? 0...size : size...size
  }

  /// Returns a time: a date like `2026-01-31`, also `2026-01-31 13:05` (UTC), or an age like `2d`.
  ///
  /// - Parameter now: the present time, in seconds since 1970.
  /// - Returns: the time, in seconds since 1970.
  /// - Throws: `UsageError` for any other text, and for a date that does not exist.
  func time(now: Int) throws -> Int {
    let text = name.text
    if let match = text.wholeMatch(of: /([0-9]{1,6})(s|min|h|d|w|y)/), let count = Int(match.1) {
      let units: [Substring: Int] = ["s": 1, "min": 60, "h": 3_600, "d": 86_400, "w": 604_800, "y": 31_556_952]
      return now - count * (units[match.2] ?? 1)
    }
    if let match = text.wholeMatch(of: /([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[ T]([0-9]{2}):([0-9]{2}))?/),
      let year = Int(match.1), let month = Int(match.2), let day = Int(match.3)
    {
      let (hour, minute) = (match.4.flatMap { Int($0) } ?? 0, match.5.flatMap { Int($0) } ?? 0)
      let seconds = Self.days(year, month, day) * 86_400 + hour * 3_600 + minute * 60
      // A date that does not exist, like February 30th, is the time of another date.
      let written = match.1 + "-" + match.2 + "-" + match.3 + " " + (match.4 ?? "00") + ":" + (match.5 ?? "00")
      if (1...12).contains(month), formattedDate(seconds) == written { return seconds }
    }
    throw UsageError(
      description: "\(option) takes an age like 2d, 3h or 10min, or a date like 2026-01-31, not \"\(name.printed)\"")
  }

  /// The days from 1970 to a date; see `formattedDate(_:)`.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    // The year begins in March, so that a leap day is the last day of a year.
    let years = month > 2 ? year : year - 1
    let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let leapDays = years / 4 - years / 100 + years / 400
    return years * 365 + leapDays + ofYear - 719_468
  }
}
