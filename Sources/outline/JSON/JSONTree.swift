import Assemblage
import Foundation

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

  /// All values in the order in which they are shown; what is empty is a leaf.
  var node: any TreeNode<Item> {
    ForestNode(children(of: Item(0))) { self.tape.isBranch($0.index) ? self.children(of: $0) : nil }
  }

  var isKnown: Bool { true }

  var filter: ItemFilter? {
    guard let pattern else { return nil }
    return ItemFilter(policy: .keepingDescendants) { [document] item in
      if let key = document.key(item.index), pattern.isContained(in: key) { return true }
      return !document.isBranch(item.index) && pattern.isContained(in: document.text(item.index).text)
    }
  }

  func isBranch(_ item: Item) -> Bool { document.isBranch(item.index) }

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
    tape.isBranch(item.index) ? ordinals[tape.end(item.index)] - ordinals[item.index] - 1 : 0
  }

  // MARK: Words

  func writeHeadline(to output: inout OutputText) { writeValue(Item(0), to: &output) }
  var separator: String { ": " }

  func writeLine(_ row: Row, to output: inout OutputText) {
    if let key = document.plainKey(row.item.index), !key.isEmpty {
      output.write(document.data.span.extracting(key))
    } else if let key = document.key(row.item.index) {
      output.write(key.isEmpty ? "\"\"" : key.printed)
    } else {
      output.write(ordinal(row))
    }
    output.write(": ")
    writeValue(row.item, to: &output)
  }

  private func writeValue(_ item: Item, to output: inout OutputText) {
    switch document.kind(item.index) {
    case .object:
      output.write("{")
      output.write(tape.count(item.index), "member", "members")
      output.write("}")
    case .array:
      output.write("[")
      output.write(tape.count(item.index), "element", "elements")
      output.write("]")
    case .string:
      if let plain = document.plainText(item.index), plain.count <= Self.longestText + 2 {
        return output.write(document.data.span.extracting(plain))
      }
      let (text, isWhole) = document.text(item.index, limit: Self.longestText)
      output.write("\"" + text.printed.replacing("\"", with: "\\\"") + (isWhole ? "\"" : "…"))
    case .number, .boolean, .null:
      let (text, isWhole) = document.scalar(item.index, limit: Self.longestText)
      output.write(document.data.span.extracting(text))
      if !isWhole { output.write("…") }
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

  func writeMembers(to output: inout OutputText) { writeMembers(Item(0), to: &output) }

  func writeMembers(_ row: Row, to output: inout OutputText) {
    if let key = document.plainKey(row.item.index) {
      output.write("\"name\":\"")
      output.write(document.data.span.extracting(key))
      output.write("\"")
    } else if let key = document.key(row.item.index) {
      output.write("\"name\":" + jsonString(key))
    } else {
      output.write("\"index\":")
      output.write(ordinal(row))
    }
    output.write(",")
    writeMembers(row.item, to: &output)
  }

  private func writeMembers(_ item: Item, to output: inout OutputText) {
    let kind = document.kind(item.index)
    output.write("\"kind\":\"")
    output.write(kind.rawValue)
    switch kind {
    case .object, .array:
      output.write("\",\"count\":")
      output.write(tape.count(item.index))
    case .string:
      output.write("\",\"value\":")
      if let plain = document.plainText(item.index) {
        output.write(document.data.span.extracting(plain))
      } else {
        output.write(jsonString(document.text(item.index).text))
      }
    case .number, .boolean, .null:
      output.write("\",\"value\":")
      output.write(document.data.span.extracting(document.scalar(item.index).range))
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
