extension Suite {
  /// All suites in the order in which they run: from the lowest layer up.
  static var catalogue: [Suite] {
    [
      .offsetIndex, .bitIndex, .treeIndex, .array, .forest, .paths, .join, .filter, .sort, .group, .map, .nest,
      .treeFilter, .treeSort, .outline, .hierarchy, .changes, .diff, .coordinator, .elements, .edits, .transactions,
      .background, .tracking, .log, .search, .snapshot, .deep, .followers,
    ]
  }
}
