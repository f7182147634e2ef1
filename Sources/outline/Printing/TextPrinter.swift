/// Prints an outline for human readers.
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

  /// Prints the outline, up to the limit of the options or until the reader closes the output.
  ///
  /// - Parameters:
  ///   - rows: the rows.
  ///   - title: the text at the top, escaped.
  func print(_ rows: Rows, title: String) {
    output.write(title + tree.separator)
    tree.writeHeadline(to: &output.text)
    output.write("\n")
    let shown = options.limit ?? .max
    let count = rows.forEach(in: 0..<shown, countsAll: true) { row in
      output.writeRow { write(row, indentedBy: row.depth + 1, to: &$0) }
    }
    if count > shown {
      output.write("  … and \(counted(count - shown, "more entry", "more entries"))\n")
    }
    output.write("\n\(tree.summary(rows: count))\n")
    output.flush()
  }

  /// Prints only the rows, up to the limit of the options or until the reader closes the output.
  func printLines(_ rows: Rows) {
    let end = options.isNullSeparated ? "\0" : "\n"
    _ = rows.forEach(in: 0..<(options.limit ?? .max)) { row in
      output.writeRow { text in
        tree.writeColumns(row.item, to: &text)
        tree.writeLine(row, to: &text)
        text.write(end)
      }
    }
    output.flush()
  }

  /// Prints only rows, each with its number and its depth before it.
  ///
  ///     2  0  Sources/
  ///     3  1    README.md  1.5 kB
  ///
  /// - Returns: the number of rows found so far.
  func print(_ rows: Rows, in range: Range<Int>) -> Int {
    let count = rows.forEach(in: range) { row in
      output.writeRow { text in
        text.write(row.number)
        text.write("\t")
        text.write(row.depth)
        text.write("\t")
        write(row, indentedBy: row.depth, to: &text)
      }
    }
    output.flush()
    return count
  }

  /// Writes a row.
  ///
  /// A row below the deepest indented level has its depth in its text instead.
  private func write(_ row: Row, indentedBy depth: Int, to text: inout OutputText) {
    tree.writeColumns(row.item, to: &text)
    text.write(Self.space.utf8.span.extracting(first: 2 * min(depth, Self.deepest)))
    if depth > Self.deepest { text.write("(\(grouped(depth))) ") }
    tree.writeLine(row, to: &text)
    text.write("\n")
  }

  /// The indentation has a limit, because a hundred thousand levels would need ten billion spaces.
  private static let deepest = 500
  private static let space = String(repeating: "  ", count: deepest)
}
