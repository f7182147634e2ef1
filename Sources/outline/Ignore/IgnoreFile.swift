/// The patterns of one file, or of `--exclude`: the last matching pattern decides.
struct IgnoreFile: Hashable, Sendable {
  enum Verdict { case ignored, kept }

  private let patterns: [IgnorePattern]

  /// Parses a file; a UTF-8 byte order mark at its start is skipped.
  init(_ bytes: [UInt8]) {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    patterns = text.split(separator: 0x0A).compactMap { IgnorePattern(line: $0) }
  }

  /// Creates the file from parsed patterns.
  init(patterns: [IgnorePattern]) { self.patterns = patterns }

  var isEmpty: Bool { patterns.isEmpty }
  /// Whether a pattern compares paths.
  var comparesPaths: Bool { patterns.contains(where: \.comparesPaths) }

  /// Returns the decision of the file about an entry.
  ///
  /// - Parameters:
  ///   - name: the name of the entry.
  ///   - path: the path of the entry, relative to the directory of the file.
  ///   - isDirectory: whether the entry is a directory.
  /// - Returns: nil if no pattern matches.
  func verdict(_ name: Span<UInt8>, path: Span<UInt8>, isDirectory: Bool) -> Verdict? {
    for pattern in patterns.reversed() where pattern.matches(name, path: path, isDirectory: isDirectory) {
      return pattern.isNegated ? .kept : .ignored
    }
    return nil
  }
}
