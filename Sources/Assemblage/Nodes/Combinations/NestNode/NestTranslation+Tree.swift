import OffsetIndexing

// Rows that come, go and move in the tree.
extension NestTranslation {
  /// Puts a row that has no children among the children of a branch.
  ///
  /// - Returns: its position there.
  mutating func insertLeaf(_ row: Int, into branch: Branch) -> Int {
    let place = rank(of: sourcePosition(ofRow: row), in: branch)
    tree.insertLeaf(Int32(truncatingIfNeeded: row), at: place, of: branch, in: 0)
    return place
  }

  /// Takes a row out of the tree, with all that is below it.
  ///
  /// - Returns: what was taken out; nil where that is the row alone.
  mutating func cut(_ row: Int, at place: Int, of branch: Branch) -> ForestTree? {
    if rows[row].branch != nil { return tree.cut(place..<place + 1, of: branch, in: 0) }
    _ = tree.removeLeaf(at: place, of: branch, in: 0)
    return nil
  }

  /// Puts what was taken out among the children of a branch.
  ///
  /// - Returns: its position there.
  mutating func paste(_ piece: ForestTree?, _ row: Int, into branch: Branch) -> Int {
    guard let piece else { return insertLeaf(row, into: branch) }
    let place = rank(of: sourcePosition(ofRow: row), in: branch)
    tree.paste(piece, at: place, of: branch, in: 0)
    return place
  }

  /// Moves a row among its siblings.
  mutating func moveChild(from place: Int, to destination: Int, of branch: Branch) {
    tree.move(from: place, to: destination, of: branch, in: 0)
  }

  /// The branch of a row, which is made where it has none.
  mutating func makeBranch(of row: Int) -> Branch {
    if let branch = rows[row].branch { return branch }
    let (parent, position) = place(of: row)
    let branch = tree.makeBranch(at: position, of: parent)
    rows[row].branch = branch
    return branch
  }

  /// Makes a leaf of a row whose branch has no children.
  ///
  /// - Returns: whether it has children.
  mutating func makeLeafIfEmpty(_ row: Int) -> Bool {
    guard let branch = rows[row].branch else { return false }
    if count(of: branch) > 0 { return true }
    tree.shape.makeLeaf(branch)
    rows[row].branch = nil
    return false
  }
}
