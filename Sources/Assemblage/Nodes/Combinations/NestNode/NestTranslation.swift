public import OffsetIndexing

/// Says which row of a source lies below which other row, where each row has an id and names the id of its parent.
///
///     source     c of a · a · d of b · b of a · x of ?
///     order        0      1     2        3       4        an OrderIndex of the rows' numbers
///
///     tree       a ┬ c                                    a ForestStorage of the same numbers
///                  └ b ─ d
///                x
///     holders    for each id the row that holds it
///     duplicates, waiting    the other rows that have it, and the rows that wait for it
///
/// Siblings lie in the order of the source. So the place of a row among its siblings is found by its position in the
/// source. A branch is a row with children. A subtree that moves is cut out of the tree and pasted elsewhere, however
/// large it is.
///
/// Ids are slots of a `KeyTable`, 0 for none. A row is *linked* to the row that holds its parent's id, but never to
/// itself. Links form trees and cycles. In each cycle, the first row in the source is *cut*: it lies on the top level.
///
/// A change of the source is divided into edits of one row. After each edit, the tree agrees with the order, the ids
/// and the parents. The changes of the edits are composed.
@usableFromInline
struct NestTranslation {
  @usableFromInline typealias Branch = TreeIndex.Branch

  /// The number of a row, or none, in four bytes.
  @propertyWrapper
  struct RowNumber {
    private var number: Int32 = -1

    var wrappedValue: Int? {
      get { number < 0 ? nil : Int(number) }
      set { number = newValue.map { Int32(truncatingIfNeeded: $0) } ?? -1 }
    }
  }

  /// The id, the parent and the branch of a row, in 24 bytes.
  struct Row {
    /// The slots of the row's id and of its parent's id.
    var link: NestLink
    /// The row that this row is linked to.
    @RowNumber var above: Int?
    /// The row that this row lies below; nil on the top level.
    @RowNumber var parent: Int?
    /// The row's branch, where it has children.
    var branch: Branch?

    init(_ link: NestLink) { self.link = link }

    var isCut: Bool { above != nil && parent == nil }
  }

  /// The rows in the order of the source.
  var order: OrderIndex
  @usableFromInline var tree: ForestStorage<Int32>
  var rows: [Row]
  var freeRows: [Int] = []
  /// For each id, the first row in the source that has it.
  var holders: [RowNumber]
  /// For each id of several rows, all these rows in the order of the source.
  var duplicates: [Int: [Int]] = [:]
  /// For each id, the rows that name it as their parent's id and are linked to no row.
  var waiting: [Int: Set<Int>] = [:]
  /// The number of cut rows.
  var cutCount = 0

  /// The number of rows.
  var count: Int { order.count }

  /// The memory of the order, the shape and the rows, in bytes.
  var byteCount: Int {
    order.byteCount + tree.shape.byteCount + count * MemoryLayout<Int32>.stride
      + rows.capacity * MemoryLayout<Row>.stride + holders.capacity * MemoryLayout<RowNumber>.stride
  }
}

/// The slots of a row's id and of its parent's id, 0 for none.
struct NestLink: Hashable {
  private let ownSlot: Int32
  private let parentSlot: Int32

  init(id: Int, parent: Int) {
    ownSlot = Int32(truncatingIfNeeded: id)
    parentSlot = Int32(truncatingIfNeeded: parent)
  }

  var id: Int { Int(ownSlot) }

  var parent: Int { Int(parentSlot) }
}

// MARK: - Rows

extension NestTranslation {
  /// Makes room for slots.
  mutating func reserveSlots(_ count: Int) {
    while holders.count < count { holders.append(RowNumber()) }
  }

  /// Whether no row holds the id of a slot, and no row waits for this id.
  func isUnused(_ slot: Int) -> Bool { holder(of: slot) == nil && waiting[slot] == nil }

  /// Makes a row that lies in the source, but not in the tree yet.
  mutating func makeRow(_ link: NestLink, at position: Int) -> Int {
    let row = freeRows.popLast() ?? rows.count
    if row == rows.count { rows.append(Row(link)) } else { rows[row] = Row(link) }
    order.put(OrderIndex.Handle(number: row), at: position)
    return row
  }

  /// Links a row to another row, or to none; without a link, the row waits for its parent's id.
  mutating func setLink(of row: Int, _ above: Int?, parent: Int? = nil) {
    let link = rows[row].link
    if link.parent > 0, rows[row].above == nil {
      waiting[link.parent]?.remove(row)
      if waiting[link.parent]?.isEmpty == true { waiting[link.parent] = nil }
    }
    if let parent { rows[row].link = NestLink(id: link.id, parent: parent) }
    change(row) { $0.above = above }
    if above == nil, rows[row].link.parent > 0 { waiting[rows[row].link.parent, default: []].insert(row) }
  }

  /// Notes the row that a row lies below; nil for the top level.
  mutating func setParent(of row: Int, _ parent: Int?) { change(row) { $0.parent = parent } }

  private mutating func change(_ row: Int, _ body: (inout Row) -> Void) {
    let wasCut = rows[row].isCut
    body(&rows[row])
    cutCount += (rows[row].isCut ? 1 : 0) - (wasCut ? 1 : 0)
  }

  // MARK: The holders of ids

  /// The row that holds the id in a slot.
  func holder(of slot: Int) -> Int? { slot > 0 ? holders[slot].wrappedValue : nil }

  /// Notes that a row has an id.
  ///
  /// - Returns: the row that should hold the id now.
  mutating func addHolder(_ row: Int, of slot: Int) -> Int {
    guard let holder = holder(of: slot) else { return row }
    duplicates[slot] = duplicates[slot] ?? [holder, row]
    return sortHolders(of: slot, moved: row)
  }

  /// Notes that a row no longer has an id.
  ///
  /// - Returns: the row that should hold the id now; nil for none.
  mutating func removeHolder(_ row: Int, of slot: Int) -> Int? {
    guard var all = duplicates.removeValue(forKey: slot) else { return nil }
    all.removeAll { $0 == row }
    if all.count > 1 { duplicates[slot] = all }
    return all[0]
  }

  /// Restores the order of the rows that share an id.
  ///
  /// - Parameters:
  ///   - slot: the slot of the id, which several rows have.
  ///   - row: the one of these rows that has moved in the source.
  /// - Returns: the row that should hold the id now.
  mutating func sortHolders(of slot: Int, moved row: Int) -> Int {
    var all = duplicates.removeValue(forKey: slot)!
    all.removeAll { $0 == row }
    let position = sourcePosition(ofRow: row)
    all.insert(row, at: all.indices.partitioningIndex { sourcePosition(ofRow: all[$0]) > position })
    duplicates[slot] = all
    return all[0]
  }

  /// The rows that wait for an id, in the order of the source.
  func rowsWaiting(for slot: Int) -> [Int] {
    guard let rows = waiting[slot] else { return [] }
    return rows.count == 1 ? Array(rows) : rows.map { ($0, sourcePosition(ofRow: $0)) }.sorted(byNumber: \.1).map(\.0)
  }
}

// MARK: - Where rows lie, in the source and in the tree

extension NestTranslation {
  /// The number of children of a branch.
  @usableFromInline
  func count(of branch: Branch) -> Int { tree.shape.childCount(of: branch) }

  /// The row that is a child of a branch.
  func row(at position: Int, of branch: Branch) -> Int {
    Int(tree.contents[0][tree.shape.child(at: position, of: branch).number])
  }

  /// The row whose children a branch holds; not for the top level.
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
    // A look-up takes about as long as 16 steps of a walk through the order.
    if children.count <= count / 16 { return children.map { sourcePosition(ofRow: $0) } }
    var positions = [Int](repeating: 0, count: order.handleLimit)
    for (position, handle) in order.enumerated() { positions[handle.number] = position }
    return children.map { positions[$0] }
  }

  /// The place of a row in the tree: its parent's branch, and its position among the children of that branch.
  ///
  /// - Complexity: O(log² n) for a row without children, O(log n) for a branch.
  func place(of row: Int) -> (branch: Branch, position: Int) {
    if let branch = rows[row].branch {
      return (tree.shape.parent(of: branch)!, tree.shape.position(of: branch))
    }
    let parent = rows[row].parent.map { rows[$0].branch! } ?? TreeIndex.root
    return (parent, rank(of: sourcePosition(ofRow: row), in: parent))
  }

  /// The path of a row from the top level.
  func path(of row: Int) -> [Int] {
    let (branch, position) = place(of: row)
    return tree.path(of: branch, from: TreeIndex.root)! + [position]
  }

  /// The path of a row from the top level, and the number of its children.
  func nodePlace(of row: Int) -> NestPlan.Place { (path(of: row), rows[row].branch.map { count(of: $0) } ?? 0) }

  /// The number of children of a branch that lie in the source before a position.
  ///
  /// - Parameters:
  ///   - position: a position in the source.
  ///   - branch: the branch.
  ///   - skipped: the position of a child that is not counted, and may lie anywhere in the source.
  /// - Returns: the number.
  func rank(of position: Int, in branch: Branch, skipping skipped: Int? = nil) -> Int {
    let count = count(of: branch) - (skipped == nil ? 0 : 1)
    func precedes(_ index: Int) -> Bool {
      let child = if let skipped, index >= skipped { index + 1 } else { index }
      return sourcePosition(of: child, in: branch) < position
    }
    // Rows are often appended, so the last child is compared first.
    if count == 0 || precedes(count - 1) { return count }
    return (0..<count).partitioningIndex { !precedes($0) }
  }

  /// Whether a row lies below another one, at any depth.
  func isBelow(_ row: Int, _ other: Int) -> Bool {
    guard let branch = rows[other].branch else { return false }
    let (parent, position) = place(of: row)
    return tree.shape.descendants(of: branch).contains(tree.shape.child(at: position, of: parent).number)
  }
}
