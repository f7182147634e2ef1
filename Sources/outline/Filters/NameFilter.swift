import Assemblage
import AssemblageSearch

/// Filters names by a text, a regular expression and a pattern of the shell; all given conditions must match.
struct NameFilter {
  private var text: TextMatcher?
  private let query: TextQuery?
  private let regex: Regex<AnyRegexOutput>?
  private let glob: Glob?
  /// Whether the pattern compares the path, and not only the name.
  let comparesPaths: Bool
  /// A description of the filter, to follow the word "files".
  let phrase: String
  /// The text of the search, to follow the word "for".
  let words: String

  /// Creates the filter of the options; nil if the options filter nothing.
  ///
  /// - Parameters:
  ///   - options: the options.
  ///   - hasPaths: whether the names are names of files; then a pattern with a slash compares paths.
  init?(_ options: Options, hasPaths: Bool) {
    guard options.filter != nil || options.regex != nil || options.glob != nil else { return nil }
    query = options.filter.map { TextQuery.substring($0) }
    text = query.map { TextMatcher($0) }
    regex = options.regex?.regex
    let comparesPaths = hasPaths && options.glob?.bytes.contains(FileName.slash) == true
    self.comparesPaths = comparesPaths
    glob = options.glob.map { pattern in
      let bytes = comparesPaths && pattern.isAbsolute ? Array(pattern.bytes.dropFirst()) : pattern.bytes
      return Glob(FileName(bytes: bytes), crossing: comparesPaths ? .directories : .nothing)
    }
    let texts = [options.filter.map { "\"\($0.printed)\"" }, options.regex.map { "/\($0.pattern.printedPattern)/" }]
      .compactMap { $0 }
    let pattern = options.glob.map(\.printedPattern)
    words = (texts + [pattern].compactMap { $0 }).joined(separator: " and ")
    let inNames = texts.isEmpty ? nil : "with \(texts.joined(separator: " and ")) in the name"
    phrase = [inNames, pattern.map { "like \($0)" }].compactMap { $0 }.joined(separator: " and ")
  }

  /// Whether a name matches.
  mutating func matches(_ name: Span<UInt8>) -> Bool { matches(name, path: name) }

  /// Whether a name matches.
  func matches(_ name: FileName) -> Bool {
    let bytes = name.bytes
    var filter = self
    return filter.matches(bytes.span)
  }

  /// The highlighted parts of a name, as ranges of its bytes.
  func ranges(in name: FileName) -> [Range<Int>] {
    let bytes = name.bytes
    return ranges(in: bytes.span)
  }

  /// Whether an entry matches.
  ///
  /// - Parameters:
  ///   - name: the name of the entry.
  ///   - path: the path of the entry, relative to the given directory.
  /// - Returns: whether all conditions match.
  mutating func matches(_ name: Span<UInt8>, path: Span<UInt8>) -> Bool {
    if text?.matches(name) == false { return false }
    if let glob, !glob.matches(comparesPaths ? path : name) { return false }
    if let regex { return JSONText.string(name, 0..<name.count).contains(regex) }
    return true
  }

  /// The highlighted parts of a name, as ranges of its bytes; empty for a name that is no UTF-8.
  func ranges(in name: Span<UInt8>) -> [Range<Int>] {
    guard query != nil || regex != nil, firstInvalidUTF8(in: name) == nil else { return [] }
    let text = JSONText.string(name, 0..<name.count)
    let found = (query?.ranges(in: text) ?? []) + (regex.map { text.ranges(of: $0) } ?? [])
    return RangeSet(found).ranges.map { range in
      let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
      return start..<start + text[range].utf8.count
    }
  }
}
