public import Assemblage

extension NodeChecker {
  /// Checks law 3 between a node and one source of the same elements.
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
  ///   - toSource: returns the position in the source of a child of `node`, or nil where the child is not from the
  ///     source; called for 0..<`node.count`.
  ///   - fromSource: returns the position in `node` of a child of the source, or nil where the child is hidden; called
  ///     for 0..<`source.count`.
  /// - Throws: the first violation.
  /// - Complexity: O(n) calls for n children of both.
  public func checkMapping(
    of node: any TreeNode<Element>, to source: any TreeNode<Element>,
    toSource: (Int) -> Int?, fromSource: (Int) -> Int?
  ) throws(LawViolation) {
    try checkMapping(of: node, to: source, toSource: toSource, fromSource: fromSource, corresponds: areEqual)
  }

  /// Checks law 3 between a node and one source of other elements, for example of a node that transforms elements.
  ///
  /// - Parameters:
  ///   - node: the node that derives from the source.
  ///   - source: the source.
  ///   - toSource: returns the position in the source of a child of `node`, or nil where the child is not from the
  ///     source; called for 0..<`node.count`.
  ///   - fromSource: returns the position in `node` of a child of the source, or nil where the child is hidden; called
  ///     for 0..<`source.count`.
  ///   - corresponds: returns whether a value of `node` is right for a value of the source.
  /// - Throws: the first violation.
  /// - Complexity: O(n) calls for n children of both.
  public func checkMapping<Source>(
    of node: any TreeNode<Element>, to source: any TreeNode<Source>,
    toSource: (Int) -> Int?, fromSource: (Int) -> Int?, corresponds: (_ value: Element, _ source: Source) -> Bool
  ) throws(LawViolation) {
    do {
      try checkMaps(
        node.count, [source.count], toSource: { toSource($0).map { SourcePlace(source: 0, position: $0) } },
        fromSource: { fromSource($0.position) }
      ) { position, place in
        let (value, other) = (node.element(at: position), source.element(at: place.position))
        return switch (value, other) {
        case (nil, nil): nil
        case (let value?, let other?) where corresponds(value, other): nil
        default: "\(text(value)) maps to \(text(other))"
        }
      }
    } catch {
      throw error.violation(of: name(of: node))
    }
  }

  func checkMapping(of node: any TreeNode<Element>, _ map: SourceMap<Element>) throws(Finding) {
    let sources = map.sources
    try checkMaps(
      node.count, sources.map { $0.count }, toSource: map.place, fromSource: map.position
    ) { position, place in
      let (value, other) = (node.element(at: position), sources[place.source].element(at: place.position))
      return isSame(value, other) ? nil : "\(text(value)) maps to \(text(other))"
    }
  }

  /// Checks that both maps stay within the counts and are inverse, and that values agree.
  ///
  /// `difference` describes two values that do not agree.
  private func checkMaps(
    _ count: Int, _ sourceCounts: [Int], toSource: (Int) -> SourcePlace?, fromSource: (SourcePlace) -> Int?,
    difference: (Int, SourcePlace) -> String?
  ) throws(Finding) {
    func fail(_ position: Int, _ text: String) -> Finding { Finding(.mapsAreInverse, at: [position], text) }
    var mapped = 0
    for position in 0..<count {
      guard let place = toSource(position) else { continue }
      mapped += 1
      guard sourceCounts.indices.contains(place.source) else {
        throw fail(position, "\(position) maps to source \(place.source), of \(sourceCounts.count)")
      }
      let sourceCount = sourceCounts[place.source]
      guard place.position >= 0, place.position < sourceCount else {
        throw fail(position, "\(position) maps to \(place), of \(counted(sourceCount, "child", "children"))")
      }
      let back = fromSource(place)
      guard back == position else {
        throw fail(position, "\(position) maps to \(place), and that back to \(text(back))")
      }
      if let difference = difference(position, place) { throw fail(position, "\(difference) at \(place)") }
    }
    var visible = 0
    for (source, sourceCount) in sourceCounts.enumerated() {
      for position in 0..<sourceCount {
        let place = SourcePlace(source: source, position: position)
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
      throw Finding(.mapsAreInverse, at: [], "\(mapped) children have a source, \(visible) source children are shown")
    }
  }
}
