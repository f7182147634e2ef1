import Assemblage

/// The visible rows of a tree from top to bottom, made of the library's nodes: a `HierarchyNode` that asks the tree
/// for children, a `TreeFilterNode` on it where something is filtered, and an `OutlineNode` that has the rows.
///
/// A tree whose size is known comes in **pieces** of at most `pieceWeight` items. A piece is a run of siblings with
/// all that is below them:
///
///     {                           too large for a piece: its row is told, and it is looked into
///       "a": 1, "b": [2, 3],      a piece
///       "rows": [                 too large again
///         …, …, …,                pieces
///       ]
///     }
///
/// Only the nodes of one piece are in memory at a time, so that memory does not depend on how much is expanded.
struct RowStream {
  let tree: any ItemTree
  /// The number of levels that are shown; nil shows all.
  var levels: Int?
  /// The largest piece; tests make it small.
  var pieceWeight = 1 << 17

  /// Tells rows.
  ///
  /// - Parameters:
  ///   - range: the numbers of the rows to tell; those that do not exist are left out.
  ///   - countsAll: whether to go on to the end in order to count the rows.
  ///   - body: told each row; false ends everything.
  /// - Returns: how many rows there are, as far as was looked: all with `countsAll`, else at least as many as told.
  func run(in range: Range<Int>, countsAll: Bool = false, _ body: (Row) -> Bool) -> Int {
    guard levels != 0 else { return 0 }
    var walk = RowWalk(stream: self, range: range, countsAll: countsAll)
    switch tree.extent {
    case .whole(let node): walk.tellWhole(node, body)
    case .pieces(let root): walk.tellPieces(below: root, body)
    }
    return walk.count
  }

  /// Whether the children of a branch at a depth are shown.
  func opens(depth: Int) -> Bool { levels.map { depth + 1 < $0 } ?? true }
}
