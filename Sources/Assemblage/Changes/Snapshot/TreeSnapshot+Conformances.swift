extension TreeSnapshot: Equatable where Element: Equatable {
  /// Whether both have the same shape and the same values; a leaf is not a node without children.
  public static func == (left: TreeSnapshot, right: TreeSnapshot) -> Bool {
    left.storage === right.storage
      || (left.storage.starts == right.storage.starts && left.storage.isNode == right.storage.isNode
        && left.storage.values == right.storage.values)
  }
}

extension TreeSnapshot: Hashable where Element: Hashable {
  /// Hashes the shape and the values.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(storage.starts)
    hasher.combine(storage.isNode)
    hasher.combine(storage.values)
  }
}

extension TreeSnapshot: CustomStringConvertible {
  /// As `a[b, c[d], e[]]`: the children of a node in brackets behind its value; `·` is a leaf without a value.
  public var description: String {
    var text = ""
    // The places to be written, the next one on top; nil closes a node.
    var tasks: [(place: Int?, isFirst: Bool)] = [(0, true)]
    while let (place, isFirst) = tasks.popLast() {
      guard let place else {
        text += "]"
        continue
      }
      if !isFirst { text += ", " }
      if let value = storage.values[place] { text += "\(value)" }
      if storage.isNode[place] {
        text += "["
        tasks.append((nil, true))
        let first = storage.starts[place]
        for child in (first..<storage.starts[place + 1]).reversed() { tasks.append((child, child == first)) }
      } else if storage.values[place] == nil {
        text += "·"
      }
    }
    return text
  }
}

/// The form is flat, so that neither encoder nor decoder recurses.
private enum TreeSnapshotKeys: String, CodingKey {
  case values
  case counts
}

extension TreeSnapshot: Encodable where Element: Encodable {
  /// Encodes the values level by level, and the number of each place's children; null for a leaf.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: TreeSnapshotKeys.self)
    try container.encode(storage.values, forKey: .values)
    let counts = (0..<placeCount).map { place -> Int? in
      storage.isNode[place] ? storage.starts[place + 1] - storage.starts[place] : nil
    }
    try container.encode(counts, forKey: .counts)
  }
}

extension TreeSnapshot: Decodable where Element: Decodable {
  /// Decodes a snapshot.
  ///
  /// - Throws: what `decoder` throws, and `DecodingError.dataCorrupted` where the counts describe no tree of the values.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: TreeSnapshotKeys.self)
    let values = try container.decode([Element?].self, forKey: .values)
    let counts = try container.decode([Int?].self, forKey: .counts)
    func corrupted(_ sentence: String) -> DecodingError {
      DecodingError.dataCorruptedError(forKey: .counts, in: container, debugDescription: sentence)
    }
    guard !values.isEmpty, values.count == counts.count else {
      throw corrupted("There are \(values.count) values and \(counts.count) numbers of children.")
    }
    var starts = [1]
    starts.reserveCapacity(counts.count + 1)
    for (place, count) in counts.enumerated() {
      // A place other than the root has to be the child of one before it.
      guard let last = starts.last, last > place else {
        throw corrupted("Place \(place) is the child of no place before it.")
      }
      guard count ?? 0 >= 0, count ?? 0 <= values.count - last else {
        throw corrupted("Place \(place) has \(count ?? 0) children, of which \(values.count - last) are left.")
      }
      starts.append(last + (count ?? 0))
    }
    guard starts.last == values.count else {
      throw corrupted("\(values.count) values, but places for \(starts.last ?? 0).")
    }
    self.init(values: values, starts: starts, isNode: counts.map { $0 != nil })
  }
}
