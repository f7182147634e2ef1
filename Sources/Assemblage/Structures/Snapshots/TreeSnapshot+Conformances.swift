import OffsetIndexing

extension TreeSnapshot: Equatable where Element: Equatable {
  /// Whether both have the same shape and the same values; a leaf is not a node without children.
  ///
  /// - Complexity: O(p) for p places.
  public static func == (left: TreeSnapshot, right: TreeSnapshot) -> Bool {
    guard left.isNode == right.isNode, left.value == right.value, left.count == right.count,
      left.placeCount == right.placeCount
    else { return false }
    let (shape, other) = (left.structure, right.structure)
    let (base, otherBase) = (shape.depth, other.depth)
    return zip(shape.rows, other.rows).allSatisfy { row, same in
      row.place.depth - base == same.place.depth - otherBase
        && (row.place.branch == nil) == (same.place.branch == nil)
        && left.contents.element(at: row.number) == right.contents.element(at: same.number)
    }
  }
}

extension TreeSnapshot: Hashable where Element: Hashable {
  /// Hashes the shape and the values.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(value)
    hasher.combine(isNode)
    let shape = structure
    let base = shape.depth
    for row in shape.rows {
      hasher.combine(row.place.depth - base)
      hasher.combine(row.place.branch == nil)
      hasher.combine(contents.element(at: row.number))
    }
  }
}

extension TreeSnapshot: CustomStringConvertible {
  /// A text like `a[b, c[d], e[]]`. The children of a node are in brackets behind its value; `·` is a leaf without a
  /// value.
  public var description: String {
    var text = ""
    func write(_ value: Element?, isNode: Bool) {
      if let value { text += "\(value)" } else if !isNode { text += "·" }
      if isNode { text += "[" }
    }
    write(value, isNode: isNode)
    let shape = structure
    let base = shape.depth
    var depth = base
    var isFirst = true
    func close(to end: Int) {
      text += String(repeating: "]", count: depth - end)
      if end < depth { isFirst = false }
      depth = end
    }
    for row in shape.rows {
      close(to: row.place.depth)
      if !isFirst { text += ", " }
      let isNode = row.place.branch != nil
      write(contents.element(at: row.number), isNode: isNode)
      isFirst = isNode
      if isNode { depth += 1 }
    }
    close(to: base)
    return isNode ? text + "]" : text
  }
}

/// The form is flat, so that neither encoder nor decoder recurses.
private enum TreeSnapshotKeys: String, CodingKey {
  case values
  case counts
  case valueless
}

extension TreeSnapshot: Encodable where Element: Encodable {
  /// Encodes the values level by level, the number of each place's children (null for a leaf), and the places without a
  /// value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: TreeSnapshotKeys.self)
    let levels = levels
    try container.encode(levels.values.compactMap(\.self), forKey: .values)
    let counts = levels.values.indices.map { levels.isNode[$0] ? levels.children(of: $0).count : nil }
    try container.encode(counts, forKey: .counts)
    let valueless = levels.values.indices.filter { levels.values[$0] == nil }
    if !valueless.isEmpty { try container.encode(valueless, forKey: .valueless) }
  }
}

extension TreeSnapshot: Decodable where Element: Decodable {
  /// Decodes a snapshot.
  ///
  /// - Throws: the errors of `decoder`, and `DecodingError.dataCorrupted` where the counts describe no tree of the
  ///   values.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: TreeSnapshotKeys.self)
    let present = try container.decode([Element].self, forKey: .values)
    let counts = try container.decode([Int?].self, forKey: .counts)
    var valueless = try container.decodeIfPresent([Int].self, forKey: .valueless).map { $0[...] } ?? []
    func corrupted(_ sentence: String) -> DecodingError {
      DecodingError.dataCorruptedError(forKey: .counts, in: container, debugDescription: sentence)
    }
    guard !counts.isEmpty, present.count + valueless.count == counts.count else {
      throw corrupted(
        "There are \(present.count) values, \(valueless.count) places without one, and \(counts.count) numbers of children."
      )
    }
    var values: [Element?] = []
    var rest = present[...]
    for place in counts.indices {
      if valueless.first == place {
        valueless.removeFirst()
        values.append(nil)
      } else if let value = rest.popFirst() {
        values.append(value)
      }
    }
    guard values.count == counts.count else {
      throw corrupted("The places without a value are out of range, or not in ascending order.")
    }
    var starts = [1]
    starts.reserveCapacity(counts.count + 1)
    for (place, count) in counts.enumerated() {
      // Each place except the root must be the child of a place before it.
      guard let last = starts.last, last > place else {
        throw corrupted("Place \(place) is the child of no place before it.")
      }
      guard count ?? 0 >= 0, count ?? 0 <= values.count - last else {
        throw corrupted("Place \(place) has \(countedChildren(count ?? 0)), of which \(values.count - last) are left.")
      }
      starts.append(last + (count ?? 0))
    }
    guard starts.last == values.count else {
      throw corrupted("\(values.count) values, but places for \(starts.last ?? 0).")
    }
    self.init(SnapshotLevels(values: values, starts: starts, isNode: counts.map { $0 != nil }))
  }
}
