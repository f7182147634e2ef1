/// Prints an outline as one JSON document, with one entry in each line.
///
///     {"paths":["Sources"],"kind":"directory","files":1,"size":1500,"directories":1,"children":[
///     {"name":"README.md","kind":"file","size":1500}
///     ],"omitted":0}
///
/// Each row is written when it is known, so that neither depth nor size has a limit here.
struct JSONPrinter {
  let output: OutputBuffer
  let tree: any ItemTree
  let options: Options

  /// Prints the outline, up to the limit of the options or until the reader closes the output.
  func print(_ rows: Rows) {
    writeHead()
    output.write(",\"children\":[")
    let shown = options.limit ?? .max
    /// Whether the next row is the first one of its list.
    var isFirst = true
    /// The number of open lists below the top.
    var open = 0
    let count = rows.forEach(in: 0..<shown, countsAll: true) { row in
      while open > row.depth {
        output.write("\n]}")
        isFirst = false
        open -= 1
      }
      let start = isFirst ? "\n{" : ",\n{"
      isFirst = row.isOpened
      if row.isOpened { open += 1 }
      return output.writeRow { text in
        text.write(start)
        tree.writeMembers(row, to: &text)
        text.write(row.isOpened ? #","children":["# : "}")
      }
    }
    for _ in 0..<open { output.write("\n]}") }
    output.write("\n],\"omitted\":\(max(0, count - shown))}\n")
    output.flush()
  }

  /// Prints rows as one list, with their numbers and depths.
  ///
  /// - Returns: the number of rows found so far.
  func print(_ rows: Rows, in range: Range<Int>) -> Int {
    var isFirst = true
    // The output begins with the first row, because there may be no row to print.
    func begin() {
      writeHead()
      output.write(",\"rows\":[\n")
      isFirst = false
    }
    let count = rows.forEach(in: range) { row in
      if isFirst { begin() } else { output.write(",\n") }
      return output.writeRow { text in
        text.write(#"{"row":\#(row.number),"depth":\#(row.depth),"#)
        tree.writeMembers(row, to: &text)
        text.write("}")
      }
    }
    if isFirst {
      if range.lowerBound >= count, range.lowerBound > 0, !range.isEmpty { return count }
      begin()
      output.write("]}\n")
    } else {
      output.write("\n]}\n")
    }
    output.flush()
    return count
  }

  private func writeHead() {
    output.write(#"{"paths":[\#(options.paths.map { jsonString($0.text) }.joined(separator: ","))],"#)
    tree.writeMembers(to: &output.text)
    if let filter = options.filter { output.write(#","filter":\#(jsonString(filter))"#) }
    if let regex = options.regex { output.write(#","regex":\#(jsonString(regex.pattern))"#) }
    if let glob = options.glob { output.write(#","glob":\#(jsonString(glob.text))"#) }
  }
}
