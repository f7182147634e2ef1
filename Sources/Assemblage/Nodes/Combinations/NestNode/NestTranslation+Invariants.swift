import OffsetIndexing

extension NestTranslation {
  /// Traps where the tree is not what follows from the order and from what the rows say.
  func checkInvariants() {
    order.checkInvariants()
    tree.checkInvariants()
    let numbers = order.map(\.number)
    let rebuilt = NestTranslation(numbers.map { rows[$0].link }, slotCount: keys.count)
    require(tree.shape.count == count, "A nest of \(count) rows shows \(tree.shape.count).")
    require(cutCount == rebuilt.cutCount, "A nest cuts \(cutCount) cycles of \(rebuilt.cutCount).")
    for (position, row) in numbers.enumerated() {
      // By parents, for all paths together may be as long as the square of the depth.
      let (branch, place) = place(of: row)
      require(
        rows[row].stand == rebuilt.rows[position].stand.map { numbers[$0] }
          && place == rebuilt.place(of: position).position && self.row(at: place, of: branch) == row,
        "A nest shows row \(position) as the child \(place) of its parent.")
      require(
        rows[row].above == rebuilt.rows[position].above.map { numbers[$0] },
        "A nest links row \(position) to another one.")
      require(
        (rows[row].branch == nil) == (rebuilt.rows[position].branch == nil), "A branch of a nest has no children.")
    }
    for slot in keys.indices {
      require(keys[slot].holder == rebuilt.keys[slot].holder.map { numbers[$0] }, "Another row of a nest holds an id.")
      require(
        waiting[slot] == rebuilt.waiting[slot].map { Set($0.map { numbers[$0] }) }, "Other rows of a nest wait.")
      require(
        duplicates[slot] == rebuilt.duplicates[slot]?.map { numbers[$0] }, "Other rows of a nest have an id in common.")
    }
  }
}
