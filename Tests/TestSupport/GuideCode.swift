import Foundation

/// The Swift code of a guide, in the form in which a test has to contain it.
///
/// A line with a result is an expectation:
///
/// ```text
/// friends.count               // → 2
/// ```
///
/// means `#expect(friends.count == 2)`. Other comments are ignored. So is white space, which the formatter sets. Blocks
/// that begin with the comment `// Not compiled here.` are left out.
public struct GuideCode {
  /// The blocks in order, without white space.
  public let blocks: [String]

  /// The number of lines with a result.
  public let resultCount: Int

  /// Reads the code of a guide.
  ///
  /// - Parameter text: the guide, in Markdown.
  public init(_ text: String) {
    var resultCount = 0
    blocks = text.components(separatedBy: "```swift\n").dropFirst().compactMap { part in
      let block = part.components(separatedBy: "```")[0]
      if block.hasPrefix("// Not compiled here.") { return nil }
      return Self.condensed(
        block.split(separator: "\n").map { line in
          guard let comment = line.range(of: "//") else { return String(line) }
          let code = line[..<comment.lowerBound]
          guard let arrow = line.range(of: "// → ") else { return String(code) }
          resultCount += 1
          return "#expect(\(code) == \(line[arrow.upperBound...]))"
        }.joined())
    }
    self.resultCount = resultCount
  }

  /// Returns the blocks that a test's source does not contain.
  ///
  /// - Parameter source: the source.
  /// - Returns: the blocks, without white space.
  public func blocks(missingIn source: String) -> [String] {
    let source = Self.condensed(
      source.split(separator: "\n").map { $0[..<($0.range(of: "//")?.lowerBound ?? $0.endIndex)] }.joined())
    return blocks.filter { !source.contains($0) }
  }

  private static func condensed(_ text: String) -> String { text.filter { !$0.isWhitespace } }

  /// The paths of all guides from the top of the repository: the guides of the folder "Docs", and the pages of the
  /// documentation catalogs.
  public static let guides =
    files(below: "Docs").filter { $0.hasSuffix(".md") && !$0.contains("/") }.map { "Docs/\($0)" }
    + files(below: "Sources").filter { $0.hasSuffix(".md") && $0.contains(".docc/") }.map { "Sources/\($0)" }

  /// Returns the code of all tests of guides: every file in a folder "Guides".
  ///
  /// - Throws: an error where a file cannot be read.
  public static func tests() throws -> String {
    try files(below: "Tests").filter { $0.contains("/Guides/") }.map { try text(of: "Tests/\($0)") }.joined()
  }

  /// Returns the text of a file of this repository.
  ///
  /// - Parameter path: the file's path from the top of the repository.
  /// - Returns: the text.
  /// - Throws: an error where the file cannot be read.
  public static func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func files(below folder: String) -> [String] {
    ((try? FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)) ?? []).sorted()
  }
}
