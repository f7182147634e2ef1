/// Prints an outline as one JSON document, an entry a line.
///
///     {"paths":["Sources"],"kind":"directory","files":1,"size":1500,"directories":1,"children":[
///     {"name":"README.md","kind":"file","size":1500}
///     ],"omitted":0}
///
/// It is written as the rows come, so that neither depth nor size has a bound here.
struct JSONPrinter {
  let output: OutputBuffer
  let tree: any ItemTree
  let options: Options

  /// Prints the outline, or as much of it as the reader wants.
  func print(_ stream: RowStream) {
    output.write("{\(head),\"children\":[")
    let shown = options.limit ?? .max
    /// Whether something stands before in the same list, by depth.
    var isFirst = true
    /// The lists that are open below the top.
    var open = 0
    let rows = stream.run(in: 0..<shown, countsAll: true) { row in
      while open > row.depth {
        output.write("\n]}")
        isFirst = false
        open -= 1
      }
      let start = isFirst ? "\n{" : ",\n{"
      isFirst = row.isOpened
      if row.isOpened { open += 1 }
      return output.write(start + tree.members(row) + (row.isOpened ? #","children":["# : "}"))
    }
    for _ in 0..<open { output.write("\n]}") }
    output.write("\n],\"omitted\":\(max(0, rows - shown))}\n")
    output.flush()
  }

  /// Prints rows as one list, with their numbers and depths.
  ///
  /// - Returns: how many rows there are, at least.
  func print(_ stream: RowStream, rows: Range<Int>) -> Int {
    var isFirst = true
    let count = stream.run(in: rows) { row in
      // Begun with the first row, because there may be none to print.
      let start = isFirst ? "{\(head),\"rows\":[\n" : ",\n"
      isFirst = false
      return output.write(
        start + #"{"row":\#(row.number),"depth":\#(row.depth),"# + tree.members(row) + "}")
    }
    if isFirst, rows.lowerBound >= count, !rows.isEmpty { return count }
    output.write(isFirst ? "{\(head),\"rows\":[\n]}\n" : "\n]}\n")
    output.flush()
    return count
  }

  private var head: String {
    #""paths":[\#(options.paths.map(jsonString).joined(separator: ","))],"# + tree.members
      + (options.filter.map { #","filter":\#(jsonString($0))"# } ?? "")
  }
}
