/// A pattern of the shell: `*` matches any characters, `?` one character, `[a-z]` one character of a set.
///
///     Glob("*.swift").matches("main.swift")                              true
///     Glob("[!a-c]?", ...).matches("dx")                                 true
///     Glob("src/**/*.c", crossing: .directories).matches("src/a/b/x.c")  true
///
/// A backslash removes the special meaning of the next character. `[!…]` and `[^…]` match all characters except the
/// listed ones. A set contains characters, ranges and classes like `[:digit:]`. A set without an end and a backslash at
/// the end match nothing, as in `wildmatch` of git.
struct Glob: Hashable, Sendable {
  /// The role of a slash.
  enum Crossing: Hashable, Sendable {
    /// A character like others.
    case nothing
    /// The separator between the names of a path.
    ///
    /// Only a slash matches a slash. `**` in the place of a name matches any number of names, including none.
    case directories
  }

  /// The unit that one `?` or one set matches.
  enum Unit: Hashable, Sendable { case byte, character }

  /// A part of a path's pattern.
  private enum Segment: Hashable, Sendable {
    case name([GlobToken])
    /// `**`
    case anyNames
  }

  private let segments: [Segment]
  private let crossing: Crossing
  private let unit: Unit

  /// Creates a pattern.
  ///
  /// - Parameters:
  ///   - pattern: the bytes of the pattern.
  ///   - crossing: the role of a slash.
  ///   - unit: the unit that one `?` or one set matches; git matches bytes.
  init(_ pattern: FileName, crossing: Crossing = .nothing, unit: Unit = .character) {
    self.crossing = crossing
    self.unit = unit
    let bytes = pattern.bytes
    switch crossing {
    case .nothing: segments = [.name(GlobToken.parse(bytes[...], unit))]
    case .directories:
      segments = GlobToken.split(bytes).map {
        $0.elementsEqual("**".utf8) ? .anyNames : .name(GlobToken.parse($0, unit))
      }
    }
  }

  /// Whether the pattern can match at all: all its sets end, and no backslash is at its end.
  var isSound: Bool {
    segments.allSatisfy { segment in
      if case .name(let tokens) = segment { !tokens.contains(.never) } else { true }
    }
  }

  /// Whether a whole name or path matches.
  func matches(_ text: FileName) -> Bool { matches(text.bytes.span) }

  /// Whether a whole name or path matches.
  ///
  /// - Complexity: O(n · m) for n bytes, and m bytes of the pattern.
  func matches(_ text: Span<UInt8>) -> Bool {
    guard crossing == .directories else {
      guard case .name(let tokens) = segments[0] else { return true }
      return GlobToken.matches(tokens, text, unit)
    }
    // The ranges of the names in the path.
    var names: [Range<Int>] = []
    var start = 0
    for index in 0...text.count where index == text.count || text[index] == FileName.slash {
      names.append(start..<index)
      start = index + 1
    }
    // As with `*` in a name, only the last `**` must be tried with more names.
    var (segment, name) = (0, 0)
    var retry: (segment: Int, name: Int)?
    while name < names.count {
      if segment < segments.count {
        switch segments[segment] {
        case .anyNames:
          // At the end, `**` matches at least one name: `a/**` does not match `a` itself.
          if segment == segments.count - 1 { return true }
          retry = (segment + 1, name)
          segment += 1
          continue
        case .name(let tokens):
          if GlobToken.matches(tokens, text.extracting(names[name]), unit) {
            segment += 1
            name += 1
            continue
          }
        }
      }
      guard let last = retry else { return false }
      retry = (last.segment, last.name + 1)
      (segment, name) = (last.segment, last.name + 1)
    }
    return segment == segments.count
  }
}
