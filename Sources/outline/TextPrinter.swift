/// Prints an outline for people.
///
///     Sources  3 files, 4.5 kB
///       Nodes/  2 files, 3.0 kB
///         ArrayNode.swift  2.0 kB
///         latest -> ArrayNode.swift
///       README.md  1.5 kB
///
///     3 files in 2 directories, 4.5 kB
struct TextPrinter {
  let output: OutputBuffer
  let tree: any ItemTree
  let options: Options

  /// Prints the outline, or as much of it as the reader wants.
  func print(_ stream: RowStream, title: String) {
    output.write("\(sanitized(title))\(tree.separator)\(tree.headline)\n")
    let shown = options.limit ?? .max
    let rows = stream.run(in: 0..<shown, countsAll: true) { row in
      output.write(Self.indent(row.depth + 1) + tree.line(row) + "\n")
    }
    if rows > shown {
      output.write("  … and \(counted(rows - shown, "more entry", "more entries"))\n")
    }
    output.write("\n\(tree.summary(rows: rows))\n")
    output.flush()
  }

  /// Prints rows and nothing else: the number of each and its depth stand before it.
  ///
  ///     2  0  Sources/
  ///     3  1    README.md  1.5 kB
  ///
  /// - Returns: how many rows there are, at least.
  func print(_ stream: RowStream, rows: Range<Int>) -> Int {
    let count = stream.run(in: rows) { row in
      output.write("\(row.number)\t\(row.depth)\t" + Self.indent(row.depth) + tree.line(row) + "\n")
    }
    output.flush()
    return count
  }

  /// The space before a row; deeper levels than the deepest one drawn say their depth instead.
  private static func indent(_ depth: Int) -> String {
    let drawn = String(repeating: "  ", count: min(depth, deepest))
    return depth > deepest ? drawn + "(\(grouped(depth))) " : drawn
  }

  /// A hundred thousand levels would be ten billion spaces.
  private static let deepest = 500
}
