public import Assemblage

extension NodeChecker {
  /// Checks law 3 between a node and one source.
  ///
  /// ```swift
  /// try checker.checkMapping(
  ///   of: reversed, to: source,
  ///   toSource: { source.count - 1 - $0 }, fromSource: { reversed.count - 1 - $0 })
  /// ```
  ///
  /// - Parameters:
  ///   - node: the node that derives from the source.
  ///   - source: the source.
  ///   - toSource: the position in the source of a child of `node`, or nil where it comes from somewhere else; asked
  ///     about 0 ..< `node.count`.
  ///   - fromSource: the position in `node` of a child of the source, or nil where it is hidden; asked about
  ///     0 ..< `source.count`.
  /// - Throws: the first violation.
  /// - Complexity: O(n) calls for n children of both.
  public func checkMapping(
    of node: any TreeNode<Element>, to source: any TreeNode<Element>,
    toSource: (Int) -> Int?, fromSource: (Int) -> Int?
  ) throws(LawViolation) {
    do {
      try checkMapping(
        of: node, [source], at: [], toSource: { toSource($0).map { SourcePlace(source: 0, position: $0) } },
        fromSource: { fromSource($0.position) })
    } catch {
      throw error.violation(of: name(of: node))
    }
  }

  func checkMapping(of node: any PositionMapping<Element>, at path: [Int]) throws(Finding) {
    try checkMapping(
      of: node, node.mappedSources, at: path, toSource: { node.sourcePlace(of: $0) },
      fromSource: { node.position(of: $0) })
  }

  private func checkMapping(
    of node: any TreeNode<Element>, _ sources: [any TreeNode<Element>], at path: [Int],
    toSource: (Int) -> SourcePlace?, fromSource: (SourcePlace) -> Int?
  ) throws(Finding) {
    let count = node.count
    func fail(_ position: Int, _ text: String) -> Finding {
      Finding(.mapsAreInverse, at: path + [position], text)
    }
    var mapped = 0
    for position in 0..<count {
      guard let place = toSource(position) else { continue }
      mapped += 1
      guard sources.indices.contains(place.source) else {
        throw fail(position, "\(position) maps to source \(place.source), of \(sources.count)")
      }
      let source = sources[place.source]
      guard place.position >= 0, place.position < source.count else {
        throw fail(
          position,
          "\(position) maps to \(place), where the source has \(counted(source.count, "child", "children"))")
      }
      let back = fromSource(place)
      guard back == position else {
        throw fail(position, "\(position) maps to \(place), and that back to \(text(back))")
      }
      guard isSame(node.element(at: position), source.element(at: place.position)) else {
        throw fail(
          position,
          "\(text(node.element(at: position))) maps to \(place), which is \(text(source.element(at: place.position)))")
      }
    }
    var visible = 0
    for (number, source) in sources.enumerated() {
      for position in 0..<source.count {
        let place = SourcePlace(source: number, position: position)
        guard let image = fromSource(place) else { continue }
        visible += 1
        guard image >= 0, image < count else {
          throw fail(image, "\(place) maps to \(image), of \(counted(count, "child", "children"))")
        }
        let back = toSource(image)
        guard back == place else { throw fail(image, "\(place) maps to \(image), and that back to \(text(back))") }
      }
    }
    guard visible == mapped else {
      throw Finding(.mapsAreInverse, at: path, "\(mapped) children come from sources, \(visible) are visible there")
    }
  }
}
