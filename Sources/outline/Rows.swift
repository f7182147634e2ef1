import Assemblage

/// Provides the visible rows of a tree from top to bottom.
///
/// The rows are made of the library's nodes: the tree's own node, a `TreeFilterNode` on it if there is a filter, and an
/// `OutlineNode` with the rows.
struct Rows {
  let tree: any ItemTree
  /// The number of levels that are shown; nil shows all.
  let levels: Int?
  /// The tree's node, or the filter on this node.
  private let shown: any TreeNode<Item>

  init(tree: any ItemTree, levels: Int? = nil) {
    self.tree = tree
    self.levels = levels
    shown = tree.filter.map { TreeFilterNode(tree.node, policy: $0.policy, where: $0.predicate) } ?? tree.node
  }

  /// Passes rows to a closure.
  ///
  /// A tree that is read on request is expanded row by row. So each row is passed before its descendants are known, and
  /// nothing behind the last row is read.
  ///
  /// - Parameters:
  ///   - range: the numbers of the rows to pass; numbers without a row are left out.
  ///   - countsAll: whether the walk goes on to the end in order to count the rows.
  ///   - body: receives each row; its result false ends the walk.
  /// - Returns: the number of rows found so far: all rows with `countsAll`, else at least the number of rows passed.
  func forEach(in range: Range<Int>, countsAll: Bool = false, _ body: (Row) -> Bool) -> Int {
    guard levels != 0 else { return 0 }
    let outline = outline()
    var row = tree.isKnown ? min(range.lowerBound, outline.count) : 0
    // The ancestors of the next row.
    var above = ancestors(ofRow: row, in: outline)
    while row < outline.count, row < range.upperBound || countsAll && !tree.isKnown {
      var end = min(row + Self.window, range.upperBound, outline.count)
      if !tree.isKnown {
        if opens(outline.row(at: row).depth) { outline.expand(row: row, by: .program) }
        end = row + 1
      }
      for shown in outline.rows(in: row..<end) {
        guard let item = shown.value else { continue }
        above.removeSubrange(shown.depth...)
        if range.contains(row) {
          let isOpened = opens(shown.depth) && tree.isBranch(item)
          let next = Row(item: item, parent: above.last, number: row, depth: shown.depth, isOpened: isOpened)
          guard body(next) else { return row + 1 }
        }
        above.append(item)
        row += 1
      }
    }
    return outline.count
  }

  /// The number of rows that are read at a time.
  private static let window = 1_024

  private func outline() -> OutlineNode<Item, Item> {
    let policy = tree.isKnown ? levels.map { .depth($0 - 1) } ?? .expanded : ExpansionPolicy.collapsed
    return OutlineNode(shown, expansion: ExpansionState(policy: policy), id: { $0 })
  }

  /// Whether the children of a branch at a depth are shown.
  private func opens(_ depth: Int) -> Bool { levels.map { depth + 1 < $0 } ?? true }

  private func ancestors(ofRow row: Int, in outline: OutlineNode<Item, Item>) -> [Item] {
    guard row > 0, row < outline.count else { return [] }
    var node = outline.root
    var items: [Item] = []
    for position in outline.path(ofRow: row).dropLast() {
      guard let item = node.element(at: position), let child = node.child(at: position) else { break }
      items.append(item)
      node = child
    }
    return items
  }
}
