/// Computes the trees that a `NestNode` of some rows should show, each time from all rows.
package struct NaiveNest<Element, ID: Hashable> {
  private let values: [Element?]
  /// The rows below each row, by their positions in the source. The rows of the top level are below nil.
  private let children: [Int?: [Int]]

  package init(_ values: [Element?], id: (Element) -> ID?, parent: (Element) -> ID?) {
    self.values = values
    var holders: [ID: Int] = [:]
    for (row, value) in values.enumerated() {
      if let id = value.flatMap(id), holders[id] == nil { holders[id] = row }
    }
    let links = values.enumerated().map { row, value in
      value.flatMap(parent).flatMap { holders[$0] }.flatMap { $0 == row ? nil : $0 }
    }
    children = Dictionary(
      grouping: values.indices,
      by: { row in
        // The rows on the way up, until a row is met for the second time.
        var met: Set<Int> = [row]
        var last = links[row]
        while let next = last, met.insert(next).inserted { last = links[next] }
        return last == row && met.min() == row ? nil : links[row]
      })
  }

  /// The trees below a row, or on the top level.
  package func trees(below row: Int? = nil) -> [NaiveTree<Element>] {
    (children[row] ?? []).map { child in
      let below = trees(below: child)
      return below.isEmpty ? NaiveTree(value: values[child]) : NaiveTree(value: values[child], children: below)
    }
  }
}
