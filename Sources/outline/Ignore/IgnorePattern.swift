/// A line of a file like `.gitignore`, as git reads it.
///
///     *.o          every entry of that name, at whatever depth
///     /build       only beside the file
///     docs/*.html  a slash inside: the path from the file on
///     cache/       directories only
///     !keep.o      not ignored after all
///     a/**/b       any number of directories between
struct IgnorePattern: Hashable, Sendable {
  /// Most lines are simple, and are matched by comparing bytes.
  private enum Kind: Hashable, Sendable {
    case name([UInt8])
    case suffix([UInt8])
    case nameGlob(Glob)
    case pathGlob(Glob)
  }

  private let kind: Kind
  /// Whether matching entries are shown, although an earlier pattern ignores them.
  let isNegated: Bool
  private let isForDirectories: Bool

  /// Whether the pattern compares the path, relative to the file's directory, and not only the name.
  var comparesPaths: Bool { if case .pathGlob = kind { true } else { false } }

  /// Parses a line; nil for a comment and for an empty line.
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

  /// Removes the spaces at the end, up to a space behind a backslash.
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
  ///   - name: the name of the entry.
  ///   - path: the path of the entry, relative to the directory of the file.
  ///   - isDirectory: whether the entry is a directory; a link to a directory is none.
  /// - Returns: whether the pattern matches, negated or not.
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
