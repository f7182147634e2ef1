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
  ///
  /// - Parameters:
  ///   - rows: the rows.
  ///   - title: what stands at the top, escaped.
  func print(_ rows: Rows, title: String) {
    output.write(title + tree.separator)
    tree.writeHeadline(to: &output.text)
    output.write("\n")
    let shown = options.limit ?? .max
    let count = rows.tell(in: 0..<shown, countsAll: true) { row in
      output.writeRow { write(row, indentedBy: row.depth + 1, to: &$0) }
    }
    if count > shown {
      output.write("  … and \(counted(count - shown, "more entry", "more entries"))\n")
    }
    output.write("\n\(tree.summary(rows: count))\n")
    output.flush()
  }

  /// Prints rows that say everything by themselves, as many as the reader wants.
  func printLines(_ rows: Rows) {
    let end = options.isNullSeparated ? "\0" : "\n"
    _ = rows.tell(in: 0..<(options.limit ?? .max)) { row in
      output.writeRow { text in
        tree.writeLine(row, to: &text)
        text.write(end)
      }
    }
    output.flush()
  }

  /// Prints rows and nothing else: the number of each and its depth stand before it.
  ///
  ///     2  0  Sources/
  ///     3  1    README.md  1.5 kB
  ///
  /// - Returns: how many rows there are, at least.
  func print(_ rows: Rows, in range: Range<Int>) -> Int {
    let count = rows.tell(in: range) { row in
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

  /// Writes a row; deeper levels than the deepest one drawn say their depth instead.
  private func write(_ row: Row, indentedBy depth: Int, to text: inout OutputText) {
    text.write(Self.space.utf8.span.extracting(first: 2 * min(depth, Self.deepest)))
    if depth > Self.deepest { text.write("(\(grouped(depth))) ") }
    tree.writeLine(row, to: &text)
    text.write("\n")
  }

  /// A hundred thousand levels would be ten billion spaces.
  private static let deepest = 500
  private static let space = String(repeating: "  ", count: deepest)
}
