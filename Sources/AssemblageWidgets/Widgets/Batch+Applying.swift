public import Assemblage

extension ChangeSet.Batch {
  /// Applies the batch to the rows of sections, as a widget of your own keeps them.
  ///
  /// ```swift
  /// func perform(_ batch: ChangeSet.Batch, commit: @escaping () -> Void) {
  ///   commit()
  ///   var shown = sections
  ///   batch.apply(to: &shown) { section in rows(ofSection: section) } row: { path in row(at: path) }
  ///   sections = shown
  /// }
  /// ```
  ///
  /// Pass a copy, as above: while the closures ask the coordinator, the coordinator may ask the widget for a count.
  ///
  /// Rows and sections that move keep their values. The closures are called for sections and rows that are inserted or
  /// reloaded, and for no others.
  ///
  /// - Parameters:
  ///   - sections: the rows of each section, as they are before the batch.
  ///   - rows: yields the rows of a section, at its position after the batch.
  ///   - row: yields a row, at its path after the batch.
  /// - Precondition: the batch belongs to a list, with as many sections and rows as `sections` has; otherwise the
  ///   method traps.
  /// - Complexity: O(c · log c + n) for a batch with c entries, and n sections and rows of the sections that change.
  public func apply<Row>(
    to sections: inout [[Row]], rows: (_ section: Int) -> [Row], row: (_ path: IndexPath) -> Row
  ) {
    let arriving = self.rows(\.moves).map { ($0.destination, sections[$0.source[0]][$0.source[1]]) }
    let leaving = self.rows(\.deletions) + self.rows(\.moves).map(\.source)
    for (section, paths) in Dictionary(grouping: leaving, by: { $0[0] }) {
      sections[section].remove(at: Set(paths.map { $0[1] }))
    }
    let moved = self.sections(\.moves).map { ($0.destination, sections[$0.source]) }
    sections.remove(at: Set(self.sections(\.deletions)).union(self.sections(\.moves).map(\.source)))
    sections.insert(moved + self.sections(\.insertions).map { ($0, rows($0)) })
    let inserted = arriving + self.rows(\.insertions).map { ($0, row($0)) }
    for (section, rows) in Dictionary(grouping: inserted, by: { $0.0[0] }) {
      sections[section].insert(rows.map { ($0.0[1], $0.1) })
    }
    for section in self.sections(\.reloads).map(\.destination) { sections[section] = rows(section) }
    for path in self.rows(\.reloads).map(\.destination) { sections[path[0]][path[1]] = row(path) }
  }

  /// Applies the batch to the rows of a list without sections, as a widget of your own keeps them.
  ///
  /// ```swift
  /// batch.apply(to: &shown) { position in row(at: position) }
  /// ```
  ///
  /// - Parameters:
  ///   - rows: the rows, as they are before the batch.
  ///   - row: yields a row, at its position after the batch. The method calls this closure for rows that are inserted
  ///     or reloaded.
  /// - Precondition: the batch belongs to a `ListCoordinator`, with as many rows as `rows` has; otherwise the method
  ///   traps.
  /// - Complexity: O(c · log c + n) for a batch with c entries, and n rows.
  public func apply<Row>(to rows: inout [Row], row: (_ position: Int) -> Row) {
    var sections = [rows]
    rows = []
    apply(to: &sections) { _ in
      fatalError("The batch has sections: apply it to the rows of all sections, with apply(to:rows:row:).")
    } row: { path in
      row(path[1])
    }
    rows = sections[0]
  }
}

extension Array {
  /// Removes the elements at some positions.
  fileprivate mutating func remove(at positions: Set<Int>) {
    if positions.isEmpty { return }
    var position = -1
    removeAll { _ in
      position += 1
      return positions.contains(position)
    }
  }

  /// Inserts elements, each at its position after all insertions.
  fileprivate mutating func insert(_ elements: [(position: Int, element: Element)]) {
    if elements.isEmpty { return }
    var result: [Element] = []
    result.reserveCapacity(count + elements.count)
    var rest = self[...]
    for (position, element) in elements.sorted(by: { $0.position < $1.position }) {
      let staying = rest.prefix(position - result.count)
      rest = rest[staying.endIndex...]
      result += staying
      result.append(element)
    }
    self = result + rest
  }
}
