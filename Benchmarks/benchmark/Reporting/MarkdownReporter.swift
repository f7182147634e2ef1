/// A page of tables for a reader to keep: a heading for each suite and operation, and its table below.
struct MarkdownReporter: Reporter {
  let header: String? = """
    # Performance tables

    `benchmark --format markdown` made this page. Read the ratios: more than 1 means that the library is faster.


    """
  let showsNotes = true

  func text(_ result: OperationResult) -> String {
    "## \(result.suite)/\(result.operation)\n\n```text\n\(TableReporter().text(result))```\n"
  }
}
