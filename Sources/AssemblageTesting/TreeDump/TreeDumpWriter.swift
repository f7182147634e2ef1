import Assemblage

/// Numbers the nodes of a graph, and writes a paragraph about each node.
struct TreeDumpWriter<Element> {
  private let childLimit: Int
  /// The nodes in the order of their numbers. They are kept alive, because a node's number is found by its identity.
  private var nodes: [any TreeNode<Element>] = []
  private var numbers: [ObjectIdentifier: Int] = [:]
  /// By number, how many places there are below each node.
  private var sizes: [Int] = []
  private var lines: [String] = []

  init(childLimit: Int, root: any TreeNode<Element>) {
    self.childLimit = childLimit
    discover(root)
  }

  mutating func write() -> String {
    measure()
    for number in nodes.indices { writeNode(number) }
    return lines.joined(separator: "\n")
  }

  // MARK: Numbering

  /// Numbers the root, all nodes below, and all nodes that these derive from, nearest first.
  private mutating func discover(_ root: any TreeNode<Element>) {
    note(root)
    var next = 0
    while next < nodes.count {
      let node = nodes[next]
      next += 1
      for source in SourceMap(of: node)?.sources ?? [] { note(source) }
      for position in 0..<node.count {
        if let child = node.child(at: position) { note(child) }
      }
    }
  }

  private mutating func note(_ node: any TreeNode<Element>) {
    let id = ObjectIdentifier(node)
    if numbers[id] != nil { return }
    numbers[id] = nodes.count
    nodes.append(node)
  }

  private func number(of node: any TreeNode<Element>) -> Int? { numbers[ObjectIdentifier(node)] }

  /// Counts the places below each node; children before their parents, without recursion.
  private mutating func measure() {
    sizes = Array(repeating: -1, count: nodes.count)
    for start in nodes.indices {
      var open = [start]
      while let top = open.last {
        let node = nodes[top]
        let children = (0..<node.count).compactMap { node.child(at: $0).flatMap(number) }
        let missing = sizes[top] < 0 ? children.filter { sizes[$0] < 0 } : []
        if missing.isEmpty {
          // Shared nodes count in each place, so the sum may overflow.
          if sizes[top] < 0 { sizes[top] = children.reduce(node.count) { saturatingSum($0, sizes[$1]) } }
          open.removeLast()
        } else {
          open += missing
        }
      }
    }
  }

  private func saturatingSum(_ left: Int, _ right: Int) -> Int {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
  }

  // MARK: Writing

  private mutating func writeNode(_ number: Int) {
    let node = nodes[number]
    let kind = String(describing: type(of: node)).prefix { $0 != "<" }
    var title = "#\(number + 1) \(kind) (\(counted(node.count, "child", "children")))"
    if let value = node.value { title += ": \(value)" }
    lines.append(title)
    if let map = SourceMap(of: node) { writeSources(of: node, map) }
    var offset = 0
    for position in 0..<node.count {
      let child = node.child(at: position)
      let size = child.flatMap(self.number).map { sizes[$0] } ?? 0
      if position < childLimit { writeChild(position, of: node, offset: offset, size: size) }
      offset = saturatingSum(offset, saturatingSum(size, 1))
    }
    if node.count > childLimit { lines.append("   … \(node.count - childLimit) more") }
  }

  private mutating func writeSources(of node: any TreeNode<Element>, _ map: SourceMap<Element>) {
    let sources = map.sources
    var shown = sources.map { _ in (count: 0, first: Int.max, last: -1) }
    for position in 0..<node.count {
      guard let source = map.place(position)?.source, shown.indices.contains(source) else { continue }
      shown[source].count += 1
      shown[source].first = min(shown[source].first, position)
      shown[source].last = max(shown[source].last, position)
    }
    for (source, (count, first, last)) in zip(sources, shown) {
      let total = counted(source.count, "child", "children")
      var line = "   shows \(count) of \(total) of #\(number(of: source).map { $0 + 1 } ?? 0)"
      if count > 0 { line += last - first + 1 == count ? " at \(first)..<\(last + 1)" : " among \(first)...\(last)" }
      lines.append(line)
    }
  }

  private mutating func writeChild(_ position: Int, of node: any TreeNode<Element>, offset: Int, size: Int) {
    var line = "   [\(position)]"
    var (current, place) = (node, position)
    while let map = SourceMap(of: current), let origin = map.place(place) {
      let sources = map.sources
      guard sources.indices.contains(origin.source), let number = number(of: sources[origin.source]) else { break }
      (current, place) = (sources[origin.source], origin.position)
      line += " ← #\(number + 1)[\(place)]"
    }
    if let child = node.child(at: position), let number = number(of: child) {
      line += " = #\(number + 1) (offset \(offset), size \(size))"
    }
    if let value = node.element(at: position) { line += ": \(value)" }
    lines.append(line)
  }
}
