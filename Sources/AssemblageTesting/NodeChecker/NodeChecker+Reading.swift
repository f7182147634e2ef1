@_spi(NodeAuthors) import Assemblage

extension NodeChecker {
  /// Law 1: every position below the count is a child.
  func checkCount(of node: any TreeNode<Element>) throws(Finding) {
    let count = node.count
    guard count >= 0 else { throw Finding(.countIsEnumerated, at: [], "the count is \(count)") }
    guard node.isEmpty == (count == 0) else {
      throw Finding(.countIsEnumerated, at: [], "the count is \(count) and isEmpty \(node.isEmpty)")
    }
    if emptyLeaves == .allowed { return }
    for position in 0..<count where node.element(at: position) == nil && node.child(at: position) == nil {
      throw Finding(
        .countIsEnumerated, at: [position],
        "the count is \(count), but there is neither a value nor a node at \(position)")
    }
  }

  /// Law 2: all ways to read the values agree with `element(at:)`.
  func checkAccess(to node: any TreeNode<Element>) throws(Finding) {
    let count = node.count
    let values = (0..<count).map { node.element(at: $0) }
    let present = values.compactMap(\.self)
    let elements = node.elements
    guard elements.count == present.count else {
      throw Finding(
        .accessAgrees, at: [],
        "enumeration yields \(counted(elements.count, "value")), element(at:) \(present.count) of \(count) children")
    }
    let reader = node.reader
    for (position, value) in values.enumerated() {
      try compare(reader.element(at: position), value, "the reader", at: position)
      try compare(node.element(at: [position]), value, "the path [\(position)]", at: position)
      try compare(node[[position]], value, "the subscript", at: position)
    }
    for range in Set([0..<count, 0..<0, count..<count, count / 3..<count * 2 / 3, count / 2..<count, 0..<min(1, count)])
    {
      try checkSpans(of: range, values, "forEachSpan") { node.forEachSpan(in: range, $0) }
      try checkSpans(of: range, values, "the reader") { reader.forEachSpan(in: range, $0) }
    }
    try checkPaths(from: node)
    withExtendedLifetime(node) {}
  }

  /// Law 2: a path through a child reads the same values as the child.
  private func checkPaths(from node: any TreeNode<Element>) throws(Finding) {
    for position in 0..<node.count {
      guard let child = node.child(at: position) else { continue }
      let count = child.count
      guard node.count(at: [position]) == count else {
        throw Finding(
          .accessAgrees, at: [position],
          "the count is \(count), and by path \(node.count(at: [position]).map(String.init) ?? "nil")")
      }
      for place in Set([-1, 0, count - 1, count]) {
        let path: IndexPath = [position, place]
        try compare(node.element(at: path), child.element(at: place), "the path \(path)", at: position)
      }
    }
  }

  private func compare(_ found: Element?, _ value: Element?, _ way: String, at position: Int) throws(Finding) {
    guard isSame(found, value) else {
      throw Finding(.accessAgrees, at: [], "\(way) yields \(text(found)), element(at:) \(text(value))")
    }
  }

  /// Whether both are the same value, or both none.
  func isSame(_ left: Element?, _ right: Element?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left?, let right?): areEqual(left, right)
    default: false
    }
  }

  /// Checks that the spans of a range are not empty, ascend, stay within the range, and hold every value there.
  private func checkSpans(
    of range: Range<Int>, _ values: [Element?], _ way: String,
    _ visit: ((_ start: Int, _ span: Span<Element>) -> Void) -> Void
  ) throws(Finding) {
    var next = range.lowerBound
    var finding: Finding?
    visit { start, span in
      if finding != nil { return }
      do throws(Finding) {
        guard !span.isEmpty, start >= next, start + span.count <= range.upperBound else {
          throw Finding(
            .accessAgrees, at: [],
            "\(way) of \(range) passes \(span.count) values at \(start), where \(next)..<\(range.upperBound) is left")
        }
        for position in next..<start { try compare(nil, values[position], way, at: position) }
        for index in span.indices { try compare(span[index], values[start + index], way, at: start + index) }
        next = start + span.count
      } catch {
        finding = error
      }
    }
    if let finding { throw finding }
    for position in next..<range.upperBound { try compare(nil, values[position], way, at: position) }
  }

  /// The half of law 8 that can be checked in the same process: look-ups out of range find nothing.
  func checkBounds(of node: any TreeNode<Element>) throws(Finding) {
    let count = node.count
    for position in Set([-1, count, count + 1, Int.max, Int.min]) {
      func refuse(_ way: String, _ isNil: Bool) throws(Finding) {
        if isNil { return }
        throw Finding(
          .boundsAreKept, at: [],
          "\(way) finds something at \(position), of \(counted(count, "child", "children"))")
      }
      try refuse("element(at:)", node.element(at: position) == nil)
      try refuse("child(at:)", node.child(at: position) == nil)
      let beside: IndexPath = [position]
      try refuse("element(at:) with a path", node.element(at: beside) == nil)
      try refuse("child(at:) with a path", node.child(at: beside) == nil)
      try refuse("count(at:)", node.count(at: beside) == nil)
      try refuse("element(at:) with a path of two", node.element(at: beside.appending(0)) == nil)
    }
    for position in Set([0, count - 1]) where position >= 0 && position < count && node.child(at: position) == nil {
      guard node.element(at: [position, 0]) == nil, node.count(at: [position]) == nil else {
        throw Finding(.boundsAreKept, at: [position], "there is something below \(position), which is a leaf")
      }
    }
  }
}
