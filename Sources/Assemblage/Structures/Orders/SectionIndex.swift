import OffsetIndexing

/// Finds the section of each row of a source, and the position of the row in that section.
///
///     source       d0  a0  d1  b0  a1       handles, in the order of the source
///     grouped      a0  a1  b0  d0  d1       the same handles, section by section
///     sizes           2     1     2         an OffsetIndex, by slot
///
/// A section is known by its *slot*, a small number that stays the same while the section is known. The order in which
/// sections are shown is not kept here: so a section can be shown elsewhere without a change to its rows. The rows of a
/// section are in the order of the source. The index takes about 18 bytes a row.
@usableFromInline
struct SectionIndex: Sendable {
  /// A section, and a position among its rows.
  @usableFromInline
  struct Place: Hashable {
    @usableFromInline var slot: Int
    @usableFromInline var row: Int
  }

  var source: OrderIndex
  var grouped: OrderIndex
  /// How many rows each section has, by slot.
  var sizes: OffsetIndex

  /// Creates the index of a source.
  ///
  /// - Parameters:
  ///   - slots: the section of each row, in the order of the source.
  ///   - slotCount: how many slots there are; all of `slots` are less.
  /// - Complexity: O(n + m) for n rows and m slots.
  init(_ slots: [Int], slotCount: Int) {
    let layout = Self.layout(slots, slotCount: slotCount)
    source = OrderIndex(count: slots.count)
    grouped = OrderIndex(numbers: layout.sources)
    sizes = layout.sizes
  }

  /// The number of rows.
  var count: Int { source.count }

  /// The memory of both orders and the sizes, in bytes.
  var byteCount: Int { source.byteCount + grouped.byteCount + sizes.byteCount }

  /// The number of rows in a section.
  @usableFromInline
  func count(ofSlot slot: Int) -> Int { sizes[slot] }

  /// The place of a row.
  ///
  /// - Parameter position: `0..<count`, in the source.
  /// - Returns: the section's slot, and the row.
  /// - Complexity: O(log n) for n rows.
  func place(of position: Int) -> Place {
    let (slot, row) = sizes.locate(grouped.position(of: source[position]))
    return Place(slot: slot, row: row)
  }

  /// The position in the source of a row of a section.
  ///
  /// - Complexity: O(log n) for n rows.
  @usableFromInline
  func position(slot: Int, row: Int) -> Int { source.position(of: grouped[sizes.offset(of: slot) + row]) }

  /// The positions in the source of some rows of a section.
  ///
  /// - Complexity: O(r · log n) for r rows, and never more than O(n).
  @usableFromInline
  func positions(slot: Int, rows: Range<Int>) -> [Int] {
    // A look-up takes about as long as 16 steps of a walk over both orders.
    if rows.count <= count / 16 { return rows.map { position(slot: slot, row: $0) } }
    let start = sizes.offset(of: slot)
    let positions = positionsByHandle
    return (start + rows.lowerBound..<start + rows.upperBound).map { positions[grouped[$0].number] }
  }

  /// The position in the source of a section's first row; nil where the section has no rows.
  func firstPosition(ofSlot slot: Int) -> Int? { sizes[slot] == 0 ? nil : position(slot: slot, row: 0) }

  /// Makes room for slots.
  mutating func reserveSlots(_ count: Int) {
    if count > sizes.count { sizes.insert(repeating: 0, count: count - sizes.count, at: sizes.count) }
  }

  /// The position in the source of each handle.
  var positionsByHandle: [Int] {
    var positions = [Int](repeating: 0, count: source.handleLimit)
    for (position, handle) in source.enumerated() { positions[handle.number] = position }
    return positions
  }

  /// Lays rows out section by section, given the section of each row.
  ///
  /// - Returns: for each place in that order, the position in the source; for each position, the row in its section;
  ///   and the sizes.
  static func layout(_ slots: [Int], slotCount: Int) -> (sources: [Int32], rows: [Int32], sizes: OffsetIndex) {
    var sizes = [Int](repeating: 0, count: slotCount)
    var rows: [Int32] = []
    rows.reserveCapacity(slots.count)
    for slot in slots {
      rows.append(Int32(truncatingIfNeeded: sizes[slot]))
      sizes[slot] += 1
    }
    var starts: [Int] = []
    starts.reserveCapacity(slotCount)
    var start = 0
    for size in sizes {
      starts.append(start)
      start += size
    }
    var sources = [Int32](repeating: 0, count: slots.count)
    for (position, slot) in slots.enumerated() {
      sources[starts[slot] + Int(rows[position])] = Int32(truncatingIfNeeded: position)
    }
    return (sources, rows, OffsetIndex(sizes))
  }

  /// Traps unless the two orders and the sizes agree.
  func checkInvariants() {
    source.checkInvariants()
    grouped.checkInvariants()
    sizes.checkInvariants()
    require(
      source.count == grouped.count && source.count == sizes.total,
      "SectionIndex: \(source.count) rows, \(grouped.count).")
    require(source.allSatisfy { grouped.contains($0) }, "SectionIndex: a row of the source is in no section.")
  }
}
