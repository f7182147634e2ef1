/// What one file of patterns says, or the patterns of `--exclude`: the last one that matches counts.
struct IgnoreFile: Hashable, Sendable {
  enum Verdict { case ignored, kept }

  private let patterns: [IgnorePattern]

  /// Reads a file; a mark of UTF-8 at its start is passed over.
  init(_ bytes: [UInt8]) {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    patterns = text.split(separator: 0x0A).compactMap { IgnorePattern(line: $0) }
  }

  /// Takes patterns from elsewhere.
  init(patterns: [IgnorePattern]) { self.patterns = patterns }

  var isEmpty: Bool { patterns.isEmpty }
  /// Whether a pattern compares paths.
  var comparesPaths: Bool { patterns.contains(where: \.comparesPaths) }

  /// What the file says of an entry.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - path: its path from the directory of the file on.
  ///   - isDirectory: whether it is a directory.
  /// - Returns: nil where it says nothing.
  func verdict(_ name: Span<UInt8>, path: Span<UInt8>, isDirectory: Bool) -> Verdict? {
    for pattern in patterns.reversed() where pattern.matches(name, path: path, isDirectory: isDirectory) {
      return pattern.isNegated ? .kept : .ignored
    }
    return nil
  }
}
