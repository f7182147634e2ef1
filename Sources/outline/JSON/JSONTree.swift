import Assemblage

/// A JSON document as a tree: objects and arrays are branches. Items are places on the tape.
final class JSONTree: ItemTree {
  private let document: JSONDocument
  private let options: Options
  private let pattern: Pattern?
  /// The number of values before each place on the tape; empty unless sorted by size.
  private let ordinals: [UInt32]
  /// By depth, the element of an array that was told last, and which one it is.
  private var elements: [(parent: Item, index: Int, ordinal: Int)] = []

  init(_ document: JSONDocument, options: Options) {
    self.document = document
    self.options = options
    pattern = options.filter.map { Pattern($0) }
    ordinals = options.sort == .size ? document.tape.ordinals : []
  }

  private var tape: JSONTape { document.tape }

  // MARK: The tree

  var extent: Extent { .pieces(below: Item(0)) }

  var filter: ItemFilter? {
    guard let pattern else { return nil }
    return ItemFilter(policy: .keepingDescendants) { [document] item in
      if let key = document.key(item.index), pattern.isContained(in: key) { return true }
      return !document.tape.isBranch(item.index) && pattern.isContained(in: document.text(item.index).text)
    }
  }

  func isBranch(_ item: Item) -> Bool { tape.isBranch(item.index) }
  func mayHaveChildren(_ item: Item) -> Bool { isBranch(item) && tape.count(item.index) > 0 }

  /// Objects' members as they are sorted; elements of arrays always in their order.
  func children(of item: Item) -> [Item] {
    guard tape.isBranch(item.index) else { return [] }
    var children: [Item] = []
    children.reserveCapacity(tape.count(item.index))
    var (index, end) = (tape.first(item.index), tape.end(item.index))
    while index < end {
      children.append(Item(index))
      index = tape.end(index)
    }
    guard options.sort != nil, document.kind(item.index) == .object else { return children }
    if options.sort == .size { return children.sorted { (size($0), $1.number) > (size($1), $0.number) } }
    let keys = children.map { (key: document.key($0.index) ?? "", item: $0) }
    return keys.sorted { ($0.key, $0.item.number) < ($1.key, $1.item.number) }.map(\.item)
  }

  /// The number of values in a value.
  private func size(_ item: Item) -> UInt32 {
    isBranch(item) ? ordinals[tape.end(item.index)] - ordinals[item.index] - 1 : 0
  }

  func isBelow(_ item: Item, _ parent: Item) -> Bool {
    item.index > parent.index && item.index < tape.end(parent.index)
  }

  func weight(of item: Item) -> Int { tape.end(item.index) - item.index }

  // MARK: Words

  var headline: String { value(Item(0)) }
  var separator: String { ": " }

  func line(_ row: Row) -> String {
    if let key = document.key(row.item.index) { return (key.isEmpty ? "\"\"" : key.printed) + ": " + value(row.item) }
    return "\(ordinal(row)): " + value(row.item)
  }

  private func value(_ item: Item) -> String {
    switch document.kind(item.index) {
    case .object: return "{\(counted(tape.count(item.index), "member", "members"))}"
    case .array: return "[\(counted(tape.count(item.index), "element", "elements"))]"
    case .string:
      let (text, isWhole) = document.text(item.index, limit: Self.longestText)
      return "\"" + text.printed.replacing("\"", with: "\\\"") + (isWhole ? "\"" : "…")
    case .number, .boolean, .null:
      let (text, isWhole) = document.text(item.index, limit: Self.longestText)
      return text + (isWhole ? "" : "…")
    }
  }

  /// The bytes of a value that are printed; what is longer ends with `…`.
  private static let longestText = 200

  func summary(rows: Int) -> String {
    let text =
      "\(counted(tape.scalarCount, "value", "values")) in \(counted(tape.objectCount, "object", "objects")) and "
      + counted(tape.arrayCount, "array", "arrays")
    return text + (options.filter.map { "; \(counted(rows, "row", "rows")) for \"\($0.printed)\"" } ?? "")
  }

  var members: String { kindMembers(Item(0)) }

  func members(_ row: Row) -> String {
    let place = document.key(row.item.index).map { #""name":\#(jsonString($0))"# } ?? #""index":\#(ordinal(row))"#
    return place + "," + kindMembers(row.item)
  }

  private func kindMembers(_ item: Item) -> String {
    let kind = document.kind(item.index)
    let text = #""kind":"\#(kind.rawValue)""#
    switch kind {
    case .object, .array: return text + #","count":\#(tape.count(item.index))"#
    case .string: return text + #","value":\#(jsonString(document.text(item.index).text))"#
    case .number, .boolean, .null: return text + #","value":\#(document.text(item.index).text)"#
    }
  }

  /// Which element of its array a row is.
  ///
  /// The elements between the row that was told before and this one are counted, so that rows that come one after the
  /// other are one step each.
  private func ordinal(_ row: Row) -> Int {
    let parent = row.parent ?? Item(0)
    var (index, ordinal) = (tape.first(parent.index), 0)
    if row.depth < elements.count {
      let last = elements[row.depth]
      if last.parent == parent, last.index <= row.item.index { (index, ordinal) = (last.index, last.ordinal) }
    }
    while index < row.item.index {
      index = tape.end(index)
      ordinal += 1
    }
    while elements.count <= row.depth { elements.append((Item(0), 0, 0)) }
    elements[row.depth] = (parent, index, ordinal)
    return ordinal
  }
}
