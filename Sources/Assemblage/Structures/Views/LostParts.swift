/// Holds the nodes that have lost the child that they showed, by the key of that child.
struct LostParts<Key: Hashable, Part: Hashable> {
  private var parts: [Key: [Part]] = [:]
  private var keys: [Part: Key] = [:]

  var isEmpty: Bool { keys.isEmpty }

  /// Whether a node waits for a child with a key.
  func contains(_ key: Key) -> Bool { parts[key] != nil }

  /// Notes that a node has lost its child.
  mutating func insert(_ part: Part, for key: Key) {
    parts[key, default: []].append(part)
    keys[part] = key
  }

  /// Removes and returns the last one of the nodes that wait for a key; nil where no node waits for the key.
  mutating func takeLast(for key: Key) -> Part? {
    guard let part = parts[key]?.last else { return nil }
    remove(part)
    return part
  }

  /// Forgets a node.
  ///
  /// - Returns: the key that the node no longer waits for.
  @discardableResult
  mutating func remove(_ part: Part) -> Key? {
    guard let key = keys.removeValue(forKey: part), let known = parts[key] else { return nil }
    parts[key] = known.count == 1 ? nil : known.filter { $0 != part }
    return key
  }
}
