public import OffsetIndexing

/// Which row of a source stands below which, where each row has an id and names that of its parent.
///
///     source     c of a · a · d of b · b of a · x of ?
///     order        0      1     2        3       4        an OrderIndex of the rows' numbers
///
///     tree       a ┬ c                                    a ForestStorage of the same numbers
///                  └ b ─ d
///                x
///     keys       for each id the row that holds it, those that have it too, and those that wait for it
///
/// Siblings stand in the order of the source, so that the place of a row among them is found by its position there. A branch is
/// a row with children; a subtree that moves is cut out of the tree and put in again, however large it is.
///
/// Ids are slots of a `KeyTable`, 0 for none. A row is *linked* to the one that holds its parent's id, but for itself. Links form
/// trees and cycles; of each cycle the row that comes first in the source is *cut*: it stands on the top level.
///
/// A change of the source is taken apart into edits of one row. Each leaves everything as it follows from the order, the ids and
/// the parents; what is told of all of them is composed.
@usableFromInline
struct NestTranslation {
  @usableFromInline typealias Branch = TreeIndex.Branch

  /// What is known of a row, in 24 bytes.
  struct Row {
    private var linkedRow: Int32 = -1
    private var parentRow: Int32 = -1
    private var ownSlot: Int32
    private var parentSlot: Int32
    /// Its branch, where it has children.
    var branch: Branch?

    init(_ link: NestLink) {
      ownSlot = Int32(truncatingIfNeeded: link.id)
      parentSlot = Int32(truncatingIfNeeded: link.parent)
    }

    /// The slots of its id and its parent's.
    var link: NestLink {
      get { NestLink(id: Int(ownSlot), parent: Int(parentSlot)) }
      set {
        ownSlot = Int32(truncatingIfNeeded: newValue.id)
        parentSlot = Int32(truncatingIfNeeded: newValue.parent)
      }
    }

    /// The row that it is linked to.
    var above: Int? {
      get { linkedRow < 0 ? nil : Int(linkedRow) }
      set { linkedRow = newValue.map { Int32(truncatingIfNeeded: $0) } ?? -1 }
    }

    /// The row that it stands below; nil: it stands on the top level.
    var stand: Int? {
      get { parentRow < 0 ? nil : Int(parentRow) }
      set { parentRow = newValue.map { Int32(truncatingIfNeeded: $0) } ?? -1 }
    }

    var isCut: Bool { linkedRow >= 0 && parentRow < 0 }
  }

  /// What is known of an id: the first row in the source that has it, and how many rows and lost nodes know its slot.
  private struct Key {
    private var row: Int32 = -1
    private var useCount: Int32 = 0

    var holder: Int? {
      get { row < 0 ? nil : Int(row) }
      set { row = newValue.map { Int32(truncatingIfNeeded: $0) } ?? -1 }
    }

    var uses: Int {
      get { Int(useCount) }
      set { useCount = Int32(truncatingIfNeeded: newValue) }
    }
  }

  /// The rows in the order of the source.
  private(set) var order: OrderIndex
  @usableFromInline private(set) var tree: ForestStorage<Int32>
  private(set) var rows: [Row]
  private var freeRows: [Int] = []
  private var keys: [Key]
  /// For each id of several rows all of these, in the order of the source.
  private var duplicates: [Int: [Int]] = [:]
  /// For each id the rows whose parent has it, and which are linked to none.
  private var waiting: [Int: Set<Int>] = [:]
  /// The rows that are nodes in the source. Here they are not: what the nest shows below a row is not what is below that node.
  var nodes: Set<Int> = []
  /// How many rows are cut.
  private(set) var cutCount = 0
  /// The nodes that were made for rows.
  var parts = NestParts()
  /// What moved from one parent to another in the transaction under way.
  var passage: NestPassage?
  /// What moved below a row of the source, where it is not shown, in the transaction under way.
  var disappearances = Disappearances()

  /// The number of rows.
  var count: Int { order.count }

  /// The memory of the order, the shape and the rows, in bytes.
  var byteCount: Int {
    order.byteCount + tree.shape.byteCount + count * MemoryLayout<Int32>.stride
      + rows.capacity * MemoryLayout<Row>.stride + keys.capacity * MemoryLayout<Key>.stride
  }

  // MARK: Look-ups

  /// The branch of a row, or that of the top level for nil; nil where the row has no children.
  func branch(of row: Int?) -> Branch? {
    guard let row else { return TreeIndex.root }
    return rows[row].branch
  }

  /// The number of children of a branch.
  @usableFromInline
  func count(of branch: Branch) -> Int { tree.shape.childCount(of: branch) }

  /// The row that is a child of a branch.
  func row(at position: Int, of branch: Branch) -> Int {
    Int(tree.contents[0][tree.shape.child(at: position, of: branch).number])
  }

  /// The row of a branch that is an element.
  func row(of branch: Branch) -> Int { Int(tree.element(of: branch, in: 0)) }

  /// The row at a position of the source.
  func row(atSource position: Int) -> Int { order[position].number }

  /// The position of a row in the source.
  func sourcePosition(ofRow row: Int) -> Int { order.position(of: OrderIndex.Handle(number: row)) }

  /// The position in the source of a child of a branch.
  @usableFromInline
  func sourcePosition(of position: Int, in branch: Branch) -> Int {
    sourcePosition(ofRow: row(at: position, of: branch))
  }

  /// The positions in the source of some children of a branch.
  ///
  /// - Complexity: O(r · log n) for r rows, and never more than O(n).
  @usableFromInline
  func sourcePositions(of range: Range<Int>, in branch: Branch) -> [Int] {
    var children: [Int] = []
    children.reserveCapacity(range.count)
    let elements = tree.contents[0]
    var position = range.lowerBound
    while position < range.upperBound {
      let numbers = tree.shape.run(at: position, of: branch).numbers.prefix(range.upperBound - position)
      elements.forEachSpan(in: numbers) { _, span in
        for index in span.indices { children.append(Int(span[index])) }
      }
      position += numbers.count
    }
    // A look-up takes about as long as 16 steps of a walk over the order.
    if children.count <= count / 16 { return children.map { sourcePosition(ofRow: $0) } }
    var positions = [Int](repeating: 0, count: order.handleLimit)
    for (position, handle) in order.enumerated() { positions[handle.number] = position }
    return children.map { positions[$0] }
  }

  /// Where a row stands: its parent's branch, and its position among the children of that.
  ///
  /// - Complexity: O(log² n) for a row without children, O(log n) for a branch.
  func place(of row: Int) -> (branch: Branch, position: Int) {
    if let branch = rows[row].branch {
      return (tree.shape.parent(of: branch)!, tree.shape.position(of: branch))
    }
    let parent = branch(of: rows[row].stand)!
    return (parent, rank(of: sourcePosition(ofRow: row), in: parent))
  }

  /// The path of a row from the top level.
  func path(of row: Int) -> [Int] {
    let (branch, position) = place(of: row)
    return tree.path(of: branch, from: TreeIndex.root) + [position]
  }

  /// The row that holds the id in a slot.
  func holder(of slot: Int) -> Int? { slot > 0 ? keys[slot].holder : nil }

  /// How many children of a branch stand in the source before a position.
  ///
  /// - Parameters:
  ///   - position: a position in the source.
  ///   - branch: the branch.
  ///   - skipped: a child that does not count, and may stand anywhere.
  /// - Returns: their number.
  func rank(of position: Int, in branch: Branch, skipping skipped: Int? = nil) -> Int {
    let count = count(of: branch) - (skipped == nil ? 0 : 1)
    func precedes(_ index: Int) -> Bool {
      let child = if let skipped, index >= skipped { index + 1 } else { index }
      return sourcePosition(of: child, in: branch) < position
    }
    // Rows often come at the end.
    if count == 0 || precedes(count - 1) { return count }
    return (0..<count).partitioningIndex { !precedes($0) }
  }

  /// Whether a row stands below another one, at any depth.
  func isBelow(_ row: Int, _ other: Int) -> Bool {
    guard let branch = rows[other].branch else { return false }
    let (parent, position) = place(of: row)
    return tree.shape.descendants(of: branch).contains(tree.shape.child(at: position, of: parent).number)
  }
}

// MARK: - Rows

extension NestTranslation {
  /// Makes room for slots.
  mutating func reserveSlots(_ count: Int) {
    while keys.count < count { keys.append(Key()) }
  }

  /// Notes that a row, or a lost node, knows slots.
  mutating func use(_ link: NestLink) {
    for slot in [link.id, link.parent] where slot > 0 { keys[slot].uses += 1 }
  }

  /// Notes that a row, or a lost node, does not know a slot any longer.
  mutating func leave(_ slot: Int) {
    if slot > 0 { keys[slot].uses -= 1 }
  }

  /// Whether no row and no lost node knows a slot.
  func isUnused(_ slot: Int) -> Bool { keys[slot].uses == 0 }

  /// Makes a row that stands in the source, and not in the tree yet.
  mutating func makeRow(_ link: NestLink, at position: Int) -> Int {
    let row = freeRows.popLast() ?? rows.count
    if row == rows.count { rows.append(Row(link)) } else { rows[row] = Row(link) }
    order.put(OrderIndex.Handle(number: row), at: position)
    return row
  }

  /// Takes a row out of the source, which is not in the tree any more. Its number is given again after `freeRows(_:)`.
  mutating func removeRow(_ row: Int) {
    setLink(of: row, nil, parent: 0)
    setStand(of: row, nil)
    nodes.remove(row)
    order.takeOut(OrderIndex.Handle(number: row))
  }

  mutating func freeRows(_ rows: [Int]) { freeRows += rows }

  mutating func moveRow(from position: Int, to destination: Int) { order.move(from: position, to: destination) }

  mutating func setID(of row: Int, _ id: Int) { rows[row].link.id = id }

  /// Links a row to another one, or to none, so that it waits.
  mutating func setLink(of row: Int, _ above: Int?, parent: Int? = nil) {
    let former = rows[row].link.parent
    if former > 0, rows[row].above == nil {
      waiting[former]?.remove(row)
      if waiting[former]?.isEmpty == true { waiting[former] = nil }
    }
    if let parent { rows[row].link.parent = parent }
    let wasCut = rows[row].isCut
    rows[row].above = above
    noteCut(row, wasCut)
    if above == nil, rows[row].link.parent > 0 { waiting[rows[row].link.parent, default: []].insert(row) }
  }

  /// Notes below which row one stands.
  mutating func setStand(of row: Int, _ parent: Int?) {
    let wasCut = rows[row].isCut
    rows[row].stand = parent
    noteCut(row, wasCut)
  }

  private mutating func noteCut(_ row: Int, _ wasCut: Bool) {
    cutCount += (rows[row].isCut ? 1 : 0) - (wasCut ? 1 : 0)
  }

  // MARK: The holders of ids

  /// Notes that a row has an id.
  ///
  /// - Returns: the row that is to hold it.
  mutating func addHolder(_ row: Int, of slot: Int) -> Int {
    guard let holder = keys[slot].holder else { return row }
    duplicates[slot] = duplicates[slot] ?? [holder, row]
    return sortHolders(of: slot, moved: row)
  }

  /// Notes that a row does not have an id any longer.
  ///
  /// - Returns: the row that is to hold it; nil: none.
  mutating func removeHolder(_ row: Int, of slot: Int) -> Int? {
    guard var all = duplicates.removeValue(forKey: slot) else { return nil }
    all.removeAll { $0 == row }
    if all.count > 1 { duplicates[slot] = all }
    return all[0]
  }

  /// Brings the rows that have an id into order again.
  ///
  /// - Parameters:
  ///   - slot: the id's, which several rows have.
  ///   - row: the one of these that has moved in the source.
  /// - Returns: the row that is to hold it.
  mutating func sortHolders(of slot: Int, moved row: Int) -> Int {
    var all = duplicates.removeValue(forKey: slot)!
    all.removeAll { $0 == row }
    let position = sourcePosition(ofRow: row)
    all.insert(row, at: all.indices.partitioningIndex { sourcePosition(ofRow: all[$0]) > position })
    duplicates[slot] = all
    return all[0]
  }

  /// Whether several rows have an id.
  func isDuplicated(_ slot: Int) -> Bool { duplicates[slot] != nil }

  mutating func setHolder(of slot: Int, _ row: Int?) { keys[slot].holder = row }

  /// The rows that wait for an id, in the order of the source.
  func rowsWaiting(for slot: Int) -> [Int] {
    guard let rows = waiting[slot] else { return [] }
    return rows.count == 1 ? Array(rows) : rows.map { ($0, sourcePosition(ofRow: $0)) }.sorted { $0.1 < $1.1 }.map(\.0)
  }
}

// MARK: - The tree

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

// MARK: - Building

extension NestTranslation {
  /// Creates the translation of a source.
  ///
  /// - Parameters:
  ///   - links: what each row says, in the order of the source.
  ///   - slotCount: how many slots there are; all in `links` are less.
  ///   - nodes: the positions of the rows that are nodes in the source.
  /// - Complexity: O(n) for n rows.
  init(_ links: [NestLink], slotCount: Int, nodes: Set<Int> = []) {
    self.nodes = nodes
    order = OrderIndex(count: links.count)
    rows = links.map { Row($0) }
    keys = [Key](repeating: Key(), count: slotCount)
    // Made anew once the rows are linked.
    tree = ForestStorage(shape: TreeIndex(), elements: ChunkedArray([]))
    for (row, link) in links.enumerated() {
      use(link)
      if link.id == 0 { continue }
      if let holder = keys[link.id].holder {
        duplicates[link.id, default: [holder]].append(row)
      } else {
        keys[link.id].holder = row
      }
    }
    for (row, link) in links.enumerated() where link.parent > 0 {
      if let holder = keys[link.parent].holder, holder != row {
        rows[row].above = holder
        rows[row].stand = holder
      } else {
        waiting[link.parent, default: []].insert(row)
      }
    }
    cutCycles()
    tree = makeTree()
  }

  private mutating func cutCycles() {
    // The row from which a walk along the links came to each, plus one.
    var walks = [Int](repeating: 0, count: rows.count)
    for start in rows.indices {
      var next: Int? = start
      while let row = next, walks[row] == 0 {
        walks[row] = start + 1
        next = rows[row].above
      }
      guard let met = next, walks[met] == start + 1 else { continue }
      var first = met
      var row = rows[met].above!
      while row != met {
        first = min(first, row)
        row = rows[row].above!
      }
      rows[first].stand = nil
      cutCount += 1
    }
  }

  private mutating func makeTree() -> ForestStorage<Int32> {
    // The children of each row, those of the top level first, one after the other.
    var starts = [Int](repeating: 0, count: rows.count + 2)
    for row in rows { starts[(row.stand ?? -1) + 2] += 1 }
    for index in 1..<starts.count { starts[index] += starts[index - 1] }
    var children = [Int32](repeating: 0, count: rows.count)
    var filled = starts
    for (number, row) in rows.enumerated() {
      children[filled[(row.stand ?? -1) + 1]] = Int32(truncatingIfNeeded: number)
      filled[(row.stand ?? -1) + 1] += 1
    }
    var shape = TreeIndex.Builder()
    var elements: ContiguousArray<Int32> = []
    elements.reserveCapacity(rows.count)
    var open = [0..<starts[1]]
    while let range = open.popLast() {
      guard let next = range.first else {
        if !open.isEmpty { shape.closeBranch() }
        continue
      }
      open.append(range.dropFirst())
      let row = Int(children[next])
      elements.append(children[next])
      let own = starts[row + 1]..<starts[row + 2]
      if own.isEmpty {
        shape.appendLeaves(1)
      } else {
        rows[row].branch = shape.openBranch()
        open.append(own)
      }
    }
    return ForestStorage(shape: shape.finish(), elements: ChunkedArray(elements))
  }
}

/// What a row says of itself: the slots of its id and of its parent's, 0 for none.
struct NestLink: Hashable {
  var id: Int
  var parent: Int
}
