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
/// the parents; the changes that they make are composed.
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
  struct Key {
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
  var order: OrderIndex
  @usableFromInline var tree: ForestStorage<Int32>
  var rows: [Row]
  var freeRows: [Int] = []
  var keys: [Key]
  /// For each id of several rows all of these, in the order of the source.
  var duplicates: [Int: [Int]] = [:]
  /// For each id the rows whose parent has it, and which are linked to none.
  var waiting: [Int: Set<Int>] = [:]
  /// How many rows are cut.
  var cutCount = 0
  /// The nodes that were made for rows.
  var parts = NestParts()

  /// The number of rows.
  var count: Int { order.count }

  /// The memory of the order, the shape and the rows, in bytes.
  var byteCount: Int {
    order.byteCount + tree.shape.byteCount + count * MemoryLayout<Int32>.stride
      + rows.capacity * MemoryLayout<Row>.stride + keys.capacity * MemoryLayout<Key>.stride
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

  mutating func noteCut(_ row: Int, _ wasCut: Bool) {
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
