import Assemblage
import Foundation

/// Shows a JSON document as a tree: objects and arrays are branches.
///
/// Items are places on the tape.
final class JSONTree: ItemTree {
  let document: JSONDocument
  private let options: Options
  private let names: NameFilter?
  private let matches: JSONMatches?
  /// The colours of the output; nil without colours.
  private let look: Look?
  /// The number of values before each place on the tape; empty unless sorted by size.
  private let ordinals: [UInt32]
  /// The last element of an array that was written at each depth, and its ordinal.
  private var elements: [(parent: Item, index: Int, ordinal: Int)] = []

  init(_ document: JSONDocument, options: Options, colors: LSColors? = nil) {
    self.document = document
    self.options = options
    let names = NameFilter(options, hasPaths: false)
    self.names = names
    matches = names.map { JSONMatches(document, $0) }
    look = colors.map { Look(colors: $0, filter: names) }
    ordinals = options.sort == .size ? document.tape.ordinals : []
  }

  private var tape: JSONTape { document.tape }

  // MARK: The tree

  /// All values in their visible order; an empty object or array is a leaf.
  var node: any TreeNode<Item> {
    ForestNode(children(of: Item(0))) { self.tape.isBranch($0.index) ? self.children(of: $0) : nil }
  }

  var isKnown: Bool { true }

  var filter: ItemFilter? {
    matches.map { matches in ItemFilter(policy: .keepingDescendants) { matches.contains($0.index) } }
  }

  /// A document of one value has no rows, but the value may match.
  var hasMatches: Bool { matches.map { $0.counts != JSONMatches.Counts() } ?? true }

  func isBranch(_ item: Item) -> Bool { document.isBranch(item.index) }

  /// Returns the children of a value.
  ///
  /// Members of objects are sorted; elements of arrays always keep their order.
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
    let keys = children.map { FileName(document.key($0.index) ?? "") }
    return options.nameOrder.sorted(keys).map { children[$0] }
  }

  /// The number of descendants of a value.
  private func size(_ item: Item) -> UInt32 {
    tape.isBranch(item.index) ? ordinals[tape.end(item.index)] - ordinals[item.index] - 1 : 0
  }

  // MARK: Words

  func writeHeadline(to output: inout OutputText) { writeValue(Item(0), to: &output) }
  var separator: String { ": " }

  func writeLine(_ row: Row, to output: inout OutputText) {
    if let look { return writeLine(row, look, to: &output) }
    if let key = document.plainKey(row.item.index), 1...JSONDocument.longestText ~= key.count {
      output.write(document.data.span.extracting(key))
    } else if let key = document.shownKey(row.item.index) {
      output.write(key)
    } else {
      output.write(ordinal(row))
    }
    output.write(": ")
    writeValue(row.item, to: &output)
  }

  /// Writes a row in colours, and highlights the matches of the filter.
  private func writeLine(_ row: Row, _ look: Look, to output: inout OutputText) {
    let index = row.item.index
    if let (key, isWhole) = document.shortKey(index, limit: JSONDocument.longestText) {
      if key.isEmpty { output.write("\"\"", style: JSONStyle.key) }
      look.write(Array(key.utf8).span, style: JSONStyle.key, to: &output)
      if !isWhole { output.write("…") }
    } else {
      output.write("\(ordinal(row))", style: nil)
    }
    output.write(": ")
    let kind = document.kind(index)
    let style = JSONStyle.style(kind)
    guard !document.isBranch(index) else { return writeValue(row.item, to: &output) }
    let (text, isWhole) = document.text(index, limit: JSONDocument.longestText)
    if kind == .string { output.write("\"", style: style) }
    look.write(Array(text.utf8).span, style: style, isQuoted: kind == .string, to: &output)
    if kind == .string, isWhole { output.write("\"", style: style) }
    if !isWhole { output.write("…") }
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
    case .sequence: output.write(tape.count(item.index), "document", "documents")
    case .string:
      if let plain = document.plainText(item.index), plain.count <= JSONDocument.longestText + 2 {
        return output.write(document.data.span.extracting(plain))
      }
      let (text, isWhole) = document.text(item.index, limit: JSONDocument.longestText)
      output.write("\"" + text.printed.replacing("\"", with: "\\\"") + (isWhole ? "\"" : "…"))
    case .number, .boolean, .null:
      let (text, isWhole) = document.scalar(item.index, limit: JSONDocument.longestText)
      output.write(document.data.span.extracting(text))
      if !isWhole { output.write("…") }
    }
  }

  func summary(rows: Int) -> String {
    let counts =
      matches?.counts
      ?? JSONMatches.Counts(scalars: tape.scalarCount, objects: tape.objectCount, arrays: tape.arrayCount)
    let text =
      "\(counted(counts.scalars, "value", "values")) in \(counted(counts.objects, "object", "objects")) and "
      + counted(counts.arrays, "array", "arrays")
    return text + (names.map { ", shown for \($0.words)" } ?? "")
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
    case .object, .array, .sequence:
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

  /// The ordinal of a row in its array.
  ///
  /// The method counts the elements between the last written row of the array and this row. So each of several
  /// successive rows needs one step.
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
