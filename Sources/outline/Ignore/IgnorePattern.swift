/// A line of a file such as `.gitignore`, as git reads it.
///
///     *.o          every entry of that name, at whatever depth
///     /build       only beside the file
///     docs/*.html  a slash inside: the path from the file on
///     cache/       directories only
///     !keep.o      not ignored after all
///     a/**/b       any number of directories between
struct IgnorePattern: Hashable, Sendable {
  /// What most lines are is told by comparing bytes.
  private enum Kind: Hashable, Sendable {
    case name([UInt8])
    case suffix([UInt8])
    case nameGlob(Glob)
    case pathGlob(Glob)
  }

  private let kind: Kind
  /// Whether what matches is shown, though a pattern before this one ignores it.
  let isNegated: Bool
  private let isForDirectories: Bool

  /// Whether the path is compared, from the file's directory on, and not the name alone.
  var comparesPaths: Bool { if case .pathGlob = kind { true } else { false } }

  /// Reads a line; nil for a comment and for a line of nothing.
  ///
  /// - Parameter line: the bytes without the end of the line.
  init?(line: ArraySlice<UInt8>) {
    var pattern = Array(line)
    if pattern.last == 0x0D { pattern.removeLast() }
    Self.trim(&pattern)
    if pattern.first == UInt8(ascii: "#") { return nil }
    isNegated = pattern.first == UInt8(ascii: "!")
    if isNegated { pattern.removeFirst() }
    isForDirectories = pattern.last == FileName.slash
    if isForDirectories { pattern.removeLast() }
    guard !pattern.isEmpty else { return nil }
    let isSpecial: (UInt8) -> Bool = { "*?[\\".utf8.contains($0) }
    if pattern.contains(FileName.slash) {
      if pattern[0] == FileName.slash { pattern.removeFirst() }
      guard !pattern.isEmpty else { return nil }
      kind = .pathGlob(Glob(FileName(bytes: pattern), crossing: .directories, unit: .byte))
    } else if !pattern.contains(where: isSpecial) {
      kind = .name(pattern)
    } else if pattern[0] == UInt8(ascii: "*"), !pattern.dropFirst().contains(where: isSpecial) {
      kind = .suffix(Array(pattern.dropFirst()))
    } else {
      kind = .nameGlob(Glob(FileName(bytes: pattern), unit: .byte))
    }
  }

  /// Takes off the spaces at the end, up to one behind a backslash.
  private static func trim(_ pattern: inout [UInt8]) {
    while pattern.last == 0x20 {
      let slashes = pattern.dropLast().reversed().prefix { $0 == UInt8(ascii: "\\") }.count
      if !slashes.isMultiple(of: 2) { return }
      pattern.removeLast()
    }
  }

  /// Whether an entry matches.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - path: its path from the directory of the file on.
  ///   - isDirectory: whether it is a directory; a link to one is none.
  /// - Returns: whether the pattern fits, negated or not.
  func matches(_ name: Span<UInt8>, path: Span<UInt8>, isDirectory: Bool) -> Bool {
    if isForDirectories, !isDirectory { return false }
    switch kind {
    case .name(let bytes): return name.count == bytes.count && Self.ends(name, with: bytes)
    case .suffix(let bytes): return Self.ends(name, with: bytes)
    case .nameGlob(let glob): return glob.matches(name)
    case .pathGlob(let glob): return glob.matches(path)
    }
  }

  private static func ends(_ name: Span<UInt8>, with bytes: [UInt8]) -> Bool {
    let start = name.count - bytes.count
    guard start >= 0 else { return false }
    for index in bytes.indices where name[start + index] != bytes[index] { return false }
    return true
  }
}
