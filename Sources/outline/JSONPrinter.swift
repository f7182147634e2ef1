/// Prints an outline as one JSON document, an entry a line.
///
///     {"paths":["Sources"],"kind":"directory","files":1,"size":1500,"directories":1,"children":[
///     {"name":"README.md","kind":"file","size":1500}
///     ],"omitted":0}
///
/// It is written as the walk goes, so that neither depth nor size has a bound here.
struct JSONPrinter {
  let output: OutputBuffer

  /// Prints the outline, or as much of it as the reader wants.
  func print(_ outline: Outline, paths: [String], options: Options) {
    let total = outline.summary
    let names = paths.map(jsonString).joined(separator: ",")
    output.write(
      #"{"paths":[\#(names)],"kind":"directory","files":\#(total.files),"size":\#(total.size)"#
        + #","directories":\#(outline.directoryCount)"#
        + (options.filter.map { #","filter":\#(jsonString($0))"# } ?? "") + #","children":["#)
    var isFirst = true
    let left = Walk(outline: outline, depth: options.depth, limit: options.limit).run { event in
      switch event {
      case .open(let entry, let summary, _, let isOpened):
        let line =
          start(entry, isFirst) + #","files":\#(summary.files),"size":\#(summary.size)"#
          + (entry.error.map { #","error":\#(jsonString($0))"# } ?? "")
        isFirst = isOpened
        return output.write(line + (isOpened ? #","children":["# : "}"))
      case .close:
        isFirst = false
        return output.write("\n]}")
      case .leaf(let entry, _):
        let target = entry.target.map { #","target":\#(jsonString($0))"# } ?? ""
        let size = entry.kind == .file ? #","size":\#(entry.size)"# : ""
        defer { isFirst = false }
        return output.write(start(entry, isFirst) + size + target + "}")
      }
    }
    output.write("\n],\"omitted\":\(left)}\n")
    output.flush()
  }

  private func start(_ entry: Entry, _ isFirst: Bool) -> String {
    (isFirst ? "\n" : ",\n") + #"{"name":\#(jsonString(entry.name)),"kind":"\#(entry.kind.rawValue)""#
  }
}
