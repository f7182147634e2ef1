/// A pattern of the shell: `*` stands for any characters, `?` for one, `[a-z]` for one of some.
///
///     Glob("*.swift").matches("main.swift")                              true
///     Glob("[!a-c]?", ...).matches("dx")                                 true
///     Glob("src/**/*.c", crossing: .directories).matches("src/a/b/x.c")  true
///
/// A backslash takes the meaning from the character behind it. `[!…]` and `[^…]` are all characters but those; in a set
/// stand characters, ranges and classes such as `[:digit:]`. A set that does not end and a backslash at the end match
/// nothing, as in `wildmatch` of git.
struct Glob: Hashable, Sendable {
  /// What a slash is.
  enum Crossing: Hashable, Sendable {
    /// A character like others.
    case nothing
    /// What stands between the names of a path: only a slash matches it, and `**` in the place of a name matches any
    /// number of names, none included.
    case directories
  }

  /// What `?` and a set stand for one of.
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
  ///   - pattern: its bytes.
  ///   - crossing: what a slash is.
  ///   - unit: what `?` and a set stand for one of; bytes are what git has.
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

  /// Whether the pattern can match anything: all its sets end, and so does it.
  var isSound: Bool {
    segments.allSatisfy { segment in
      if case .name(let tokens) = segment { !tokens.contains(.never) } else { true }
    }
  }

  /// Whether a name or a path matches, all of it.
  func matches(_ text: FileName) -> Bool { matches(text.bytes.span) }

  /// Whether a name or a path matches, all of it.
  ///
  /// - Complexity: O(n · m) for n bytes and m of the pattern.
  func matches(_ text: Span<UInt8>) -> Bool {
    guard crossing == .directories else {
      guard case .name(let tokens) = segments[0] else { return true }
      return GlobToken.matches(tokens, text, unit)
    }
    // The names of the path, by the places where they begin and end.
    var names: [Range<Int>] = []
    var start = 0
    for index in 0...text.count where index == text.count || text[index] == FileName.slash {
      names.append(start..<index)
      start = index + 1
    }
    // As with `*` in a name, only the last `**` has to be tried with more names.
    var (segment, name) = (0, 0)
    var retry: (segment: Int, name: Int)?
    while name < names.count {
      if segment < segments.count {
        switch segments[segment] {
        case .anyNames:
          // At the end it stands for at least one name: `a/**` is not `a` itself.
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
