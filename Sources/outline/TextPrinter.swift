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

  /// Prints the outline, or as much of it as the reader wants.
  func print(_ outline: Outline, title: String, options: Options) {
    let total = outline.summary
    output.write("\(sanitized(title))  \(text(total))\n")
    let left = Walk(outline: outline, depth: options.depth, limit: options.limit).run { event in
      switch event {
      case .open(let entry, let summary, let depth, _):
        output.write(indent(depth) + sanitized(entry.name) + "/  " + directory(entry, summary) + "\n")
      case .leaf(let entry, let depth):
        output.write(indent(depth) + sanitized(entry.name) + detail(entry) + "\n")
      case .close:
        true
      }
    }
    if left > 0 {
      output.write("  … and \(counted(left, "more entry", "more entries"))\n")
    }
    let files = counted(total.files, "file", "files")
    let matching = options.filter.map { " with \"\(sanitized($0))\" in the name" } ?? ""
    let directories = counted(outline.directoryCount, "directory", "directories")
    output.write("\n\(files)\(matching) in \(directories), \(formattedSize(total.size))\n")
    output.flush()
  }

  private func indent(_ depth: Int) -> String { String(repeating: "  ", count: depth + 1) }

  private func directory(_ entry: Entry, _ summary: Outline.Summary) -> String {
    entry.error.map { "unreadable: \(sanitized($0))" } ?? text(summary)
  }

  private func text(_ summary: Outline.Summary) -> String {
    "\(counted(summary.files, "file", "files")), \(formattedSize(summary.size))"
  }

  private func detail(_ entry: Entry) -> String {
    switch entry.kind {
    case .file: "  \(formattedSize(entry.size))"
    case .link: entry.target.map { " -> \(sanitized($0))" } ?? " -> ?"
    case .directory: "/"
    case .other: "  (special file)"
    case .unknown: "  (unknown)"
    }
  }
}
