public import Assemblage

/// Models `UITableView` and `UICollectionView`: keeps its rows, applies batches by the documented rules, and refuses
/// the batches that the real views refuse.
///
/// The model asks its data source only for the data that these views ask for: all counts after a batch, and the values
/// of inserted and reloaded places. It keeps all other values, so that a forgotten update becomes visible.
///
/// ```swift
/// var table = ListViewModel(TreeSnapshot(of: node))
/// let token = node.observe { change in
///   let tree = TreeSnapshot(of: node)
///   for case .batch(let batch) in change.stages(countBefore: { table.count(at: $0) }) {
///     try! table.perform(batch, from: ViewDataSource(tree, after: batch))
///   }
///   // table.sections are the node's now
/// }
/// ```
///
/// The rules are these; `ListViewError` says which of them are documented, and which are only observed:
/// - Deletions, reloads and the sources of moves are paths before the batch, insertions and destinations of moves after
///   it, at both levels.
/// - The count of sections, and of rows in each section that stays, must be the former count, plus the arrivals, less
///   the departures.
/// - No place is deleted, reloaded, moved away or moved to twice, and no place has two of these operations.
/// - No row moves into an inserted section, or out of a deleted section. No row changes in a section that moves or is
///   reloaded.
public struct ListViewModel<Element> {
  /// A section, and the rows in it.
  ///
  /// ```swift
  /// let tree = TreeSnapshot(children: [TreeSnapshot(value: "Friends", leaves: ["Al", "Bo"])])
  /// let section = ListViewModel(tree).sections[0]
  /// section.value    // "Friends"
  /// section.rows     // ["Al", "Bo"]
  /// ```
  public struct Section {
    /// The value that the section's header shows.
    public internal(set) var value: Element?
    /// The values that the rows show.
    public internal(set) var rows: [Element?]
  }

  /// The sections that the view shows.
  public internal(set) var sections: [Section]

  /// Creates a view that shows a tree's children as sections, and the children of these as rows.
  public init(_ tree: TreeSnapshot<Element>) {
    sections = tree.children.map { Section(value: $0.value, rows: $0.children.map(\.value)) }
  }

  /// The number of sections, or of rows in a section.
  ///
  /// - Parameter path: the empty path, or the path of a section.
  /// - Returns: the number of children that the view shows there.
  /// - Precondition: the section exists.
  public func count(at path: IndexPath) -> Int { path.isEmpty ? sections.count : sections[path[0]].rows.count }

  /// Reads all sections and rows again.
  public mutating func reload(from source: ViewDataSource<Element>) {
    sections = (0..<source.count([])).map { Self.section(at: $0, from: source) }
  }

  /// Applies a stage.
  ///
  /// - Parameters:
  ///   - batch: the stage.
  ///   - source: the data source, which the view asks after the stage.
  /// - Throws: the first rule that the batch breaks; the view stays unchanged.
  public mutating func perform(
    _ batch: ChangeSet.Batch, from source: ViewDataSource<Element>
  ) throws(ListViewError) {
    try perform(ListBatch(batch), from: source)
  }

  /// Applies a batch.
  ///
  /// - Parameters:
  ///   - batch: the batch, as lists of paths.
  ///   - source: the data source, which the view asks after the batch.
  /// - Throws: the first rule that the batch breaks; the view stays unchanged.
  public mutating func perform(
    _ batch: ListBatch, from source: ViewDataSource<Element>
  ) throws(ListViewError) {
    let check = try ListBatchCheck(batch, rowCounts: sections.map(\.rows.count), countAfter: source.count)

    var result: [Section] = []
    for (section, origin) in check.origins.enumerated() {
      guard let origin, !check.reloadedSections.contains(origin) else {
        result.append(Self.section(at: section, from: source))
        continue
      }
      var kept = sections[origin]
      if let rows = check.rowOrigins[section] {
        kept.rows = rows.enumerated().map { row, origin in
          guard let origin, !check.reloadedRows.contains(origin) else { return source.value([section, row]) }
          return sections[origin[0]].rows[origin[1]]
        }
      }
      result.append(kept)
    }
    sections = result
  }

  private static func section(at position: Int, from source: ViewDataSource<Element>) -> Section {
    Section(
      value: source.value([position]),
      rows: (0..<source.count([position])).map { source.value([position, $0]) })
  }
}

extension ListViewModel.Section: Equatable where Element: Equatable {}
extension ListViewModel: Equatable where Element: Equatable {}
extension ListViewModel.Section: Sendable where Element: Sendable {}
extension ListViewModel: Sendable where Element: Sendable {}
