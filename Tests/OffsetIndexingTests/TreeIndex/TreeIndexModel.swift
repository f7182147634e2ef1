import OffsetIndexing

/// A tree index, and a tree of objects that gets the same edits.
struct TreeIndexModel {
  /// An element of the naive tree, or the top of a forest.
  final class Node {
    var children: [Node]
    /// The handle, if the element is a branch.
    var branch: TreeIndex.Branch?
    var isCollapsed = false

    init(_ children: [Node] = [], branch: TreeIndex.Branch? = nil) {
      self.children = children
      self.branch = branch
    }

    /// The node's own handle and the handles below it.
    var handles: [TreeIndex.Branch] { (branch.map { [$0] } ?? []) + children.flatMap(\.handles) }

    func copy() -> Node {
      let copy = Node(children.map { $0.copy() }, branch: branch)
      copy.isCollapsed = isCollapsed
      return copy
    }
  }

  /// An element that a walk through a forest visits.
  struct Row {
    let node: Node
    let parent: Node
    let position: Int
    let depth: Int
  }

  var index: TreeIndex
  /// The root, and the pieces that were cut out.
  var tops: [Node]

  /// Node capacities, from the smallest to the usual; nil means the usual ones.
  static let shapes: [(leafCapacity: Int, fanOut: Int)?] = [(4, 4), (5, 4), (9, 6), nil]

  init(depths: [Int], shape: (leafCapacity: Int, fanOut: Int)?) {
    index = shape.map { TreeIndex(leafCapacity: $0.leafCapacity, fanOut: $0.fanOut) } ?? TreeIndex()
    tops = [Node(branch: TreeIndex.root)]
    let handles = index.insert(TreeIndex(depths: depths), into: TreeIndex.root, at: 0)
    tops[0].children = Self.nodes(depths)
    // Both the index and the model number branches in document order.
    let branches = rows(of: tops[0]).filter { !$0.node.children.isEmpty }.map(\.node)
    let numbers = handles.values.sorted { $0.number < $1.number }
    for (node, branch) in zip(branches, numbers) { node.branch = branch }
  }

  private init(index: TreeIndex, tops: [Node]) {
    self.index = index
    self.tops = tops
  }

  func copy() -> TreeIndexModel { TreeIndexModel(index: index, tops: tops.map { $0.copy() }) }

  /// Returns the forest of objects that has the given depths.
  static func nodes(_ depths: [Int]) -> [Node] {
    let top = Node()
    var open = [top]
    for depth in depths {
      open.removeSubrange((depth + 1)...)
      let node = Node()
      open[depth].children.append(node)
      open.append(node)
    }
    return top.children
  }

  /// Returns the elements of a forest in document order, without the elements below collapsed ones.
  func rows(of top: Node) -> [Row] {
    var rows: [Row] = []
    func visit(_ node: Node, depth: Int) {
      for (position, child) in node.children.enumerated() {
        rows.append(Row(node: child, parent: node, position: position, depth: depth))
        if !child.isCollapsed { visit(child, depth: depth + 1) }
      }
    }
    visit(top, depth: 0)
    return rows
  }

  /// The tops of all forests, including the forests of collapsed branches.
  var forests: [Node] {
    var forests = tops
    var next = 0
    while next < forests.count {
      forests += rows(of: forests[next]).map(\.node).filter(\.isCollapsed)
      next += 1
    }
    return forests
  }

  /// All branches: elements, the root and the tops of pieces.
  var branches: [Node] {
    forests.flatMap { top in
      [top] + rows(of: top).map(\.node).filter { $0.branch != nil && !$0.isCollapsed }
    }
  }

  /// Returns a fault of the index, or nil. Every answer of the index is compared with the objects.
  func complaint() -> String? {
    index.checkInvariants()
    for top in forests {
      if let complaint = complaint(of: top) { return "in the forest of \(top.branch!): \(complaint)" }
    }
    return nil
  }

  private func complaint(of top: Node) -> String? {
    let forest = top.branch!
    let rows = rows(of: top)
    if index.count(in: forest) != rows.count { return "count \(index.count(in: forest)), not \(rows.count)" }
    if index.descendants(of: forest) != 0..<rows.count { return "descendants of the top" }
    if index.childCount(of: forest) != top.children.count { return "children of the top" }
    if index.isCollapsed(forest) != top.isCollapsed { return "isCollapsed" }
    if index.isPiece(forest) != tops.dropFirst().contains(where: { $0 === top }) { return "isPiece" }
    if let complaint = complaintOfChildren(of: top) { return complaint }
    var path: [Int] = []
    for (number, row) in rows.enumerated() {
      path.removeSubrange(row.depth...)
      path.append(row.position)
      let place = TreeIndex.Place(
        parent: row.parent.branch!, position: row.position, depth: row.depth, branch: row.node.branch)
      if index.locate(number, in: forest) != place { return "\(number): \(index.locate(number, in: forest))" }
      let (depth, branch) = index.depth(ofNumber: number, in: forest)
      if depth != row.depth || branch != row.node.branch { return "depth of number \(number)" }
      let child = index.child(at: row.position, of: place.parent)
      if child.number != number || child.branch != row.node.branch { return "\(number) as a child: \(child)" }
      if index.branch(at: row.position, of: place.parent) != row.node.branch { return "\(number) as a branch" }
      let run = index.run(at: row.position, of: place.parent)
      let siblings = row.parent.children[row.position..<row.position + run.numbers.count]
      if run.numbers.lowerBound != number || run.branch != row.node.branch { return "\(number) in a run: \(run)" }
      if siblings.count > 1, siblings.contains(where: { $0.branch != nil }) { return "a run with a branch: \(run)" }
      if index.number(ofInsertionAt: row.position, into: place.parent) != number { return "insertion at \(number)" }
      if index.path(to: number, in: forest) != path { return "path to \(number)" }
      if index.number(at: path, in: forest) != number { return "number at \(path)" }
      if let branch = row.node.branch {
        if let complaint = complaint(of: branch, number, row, forest, rows) { return "\(number): \(complaint)" }
      } else if index.number(at: path + [0], in: forest) != nil {
        return "a leaf has a child"
      }
    }
    if index.number(at: [top.children.count], in: forest) != nil { return "a child too many" }
    return complaintOfScans(of: rows, forest)
  }

  private func complaint(
    of branch: TreeIndex.Branch, _ number: Int, _ row: Row, _ forest: TreeIndex.Branch, _ rows: [Row]
  ) -> String? {
    if !index.contains(branch) { return "not contained" }
    if index.number(of: branch) != number { return "its number is \(index.number(of: branch))" }
    if index.depth(of: branch) != row.depth { return "its depth is \(index.depth(of: branch))" }
    if index.position(of: branch) != row.position { return "its position is \(index.position(of: branch))" }
    if index.parent(of: branch) != row.parent.branch { return "its parent" }
    if index.forest(of: branch) != forest { return "its forest" }
    if index.childCount(of: branch) != row.node.children.count { return "its children" }
    if index.isCollapsed(branch) != row.node.isCollapsed { return "whether it is collapsed" }
    if row.node.isCollapsed { return nil }
    if index.isPiece(branch) { return "it is no piece" }
    if let complaint = complaintOfChildren(of: row.node) { return complaint }
    let below = rows[(number + 1)...].prefix { $0.depth > row.depth }.count
    let range = number + 1..<number + 1 + below
    return index.descendants(of: branch) == range ? nil : "its descendants are not \(range)"
  }

  private func complaintOfChildren(of node: Node) -> String? {
    let count = node.children.count
    if index.number(ofInsertionAt: count, into: node.branch!) != index.descendants(of: node.branch!).upperBound {
      return "insertion at the end"
    }
    for start in Set([0, count / 3, count]) {
      for end in Set([start, (start + count + 1) / 2, count]) {
        let found = index.branches(in: start..<end, of: node.branch!)
        let expected = node.children.indices.filter { $0 >= start && $0 < end && node.children[$0].branch != nil }
        if found.map(\.position) != expected { return "branches among \(start)..<\(end)" }
        if found.map(\.branch) != expected.map({ node.children[$0].branch }) { return "handles of branches" }
      }
    }
    return nil
  }

  private func complaintOfScans(of rows: [Row], _ forest: TreeIndex.Branch) -> String? {
    for start in Set([0, rows.count / 3, rows.count - 1, rows.count]) where start >= 0 {
      for end in Set([start, (start + rows.count + 1) / 2, rows.count]) {
        let scanned = Array(index.rows(in: start..<end, of: forest))
        if scanned.map(\.number) != Array(start..<end) { return "numbers of the rows in \(start..<end)" }
        for row in scanned where row.place != index.locate(row.number, in: forest) {
          return "row \(row) in \(start..<end)"
        }
        let runs = Array(index.runs(in: start..<end, of: forest))
        if runs.flatMap(\.numbers) != Array(start..<end) { return "numbers of the runs in \(start..<end)" }
        for run in runs {
          if run.branch != nil && run.numbers.count != 1 { return "a run of branches" }
          if run.numbers.count != run.positions.count { return "positions of a run" }
        }
      }
    }
    return nil
  }
}
