import Assemblage
import AssemblageSearch
import AssemblageTerminal
import Foundation

/// Shows a JSON document in a terminal outline.
///
/// Items are places on its tape.
///
/// A thread of its own parses the text. The values are added to the forest some milliseconds at a time, the values at
/// the top first. A small value is added as a complete tree. A large value is added as a branch that is filled later.
@MainActor
final class JSONBrowser: BrowseSource {
  private let path: FileName
  /// The title of the document.
  private let name: String
  private let extent: JSONDocument.Extent
  private let stream: (descriptor: Int32, start: [UInt8])?
  private let forest = ForestNode<Item>()
  private(set) var contents: TerminalContents<Item, Item>
  var onChange: () -> Void = {}
  var failure: Command.Failure?
  private var document: JSONDocument?
  private var isReading = true
  /// The reason why the document could not be read again.
  private var problem: String?
  /// The values with incomplete branches, each with its branch and the place of the next value to add.
  private var open: [(branch: ForestNode<Item>, item: Item, next: Int)] = []

  /// The parent of the value at each place of the tape; empty until a search needs it.
  private var parents: [UInt32] = []

  /// The largest number of the tape's words that are built as one tree.
  private static let builtAtOnce = 4_096

  /// Creates the outline of a document.
  ///
  /// - Parameters:
  ///   - path: the path of the document's file.
  ///   - name: the title of the document; nil for the path.
  ///   - extent: the number of documents.
  ///   - stream: an open source of the document, and the bytes that were read from this source; nil for the file.
  init(
    _ path: FileName, name: String? = nil, extent: JSONDocument.Extent = .any,
    stream: (descriptor: Int32, start: [UInt8])? = nil
  ) {
    self.path = path
    self.name = name ?? path.printed
    self.extent = extent
    self.stream = stream
    let filter = TreeFilterNode(forest) { _ in true }
    let sort = TreeSortNode(filter, by: nil)
    let forest = forest
    contents = TerminalContents(
      filter: filter, sort: sort, rows: OutlineNode(sort, id: { (item: Item) in item }), id: { $0 }, text: { _ in "" },
      row: { _ in TerminalRow(label: []) }, makeIndex: { _ in TextIndex(of: forest, text: { _ in "" }) })
    var contents = TerminalContents(
      filter: filter, sort: sort, rows: contents.rows, id: { (item: Item) in item },
      text: { [unowned self] in text($0) },
      row: { [unowned self] in row($0) },
      makeIndex: { [unowned self] _ in TextIndex(of: forest, reading: .later, text: { [unowned self] in text($0) }) })
    contents.parent = { [unowned self] in parent($0) }
    contents.name = { [unowned self] in document?.shownKey($0.index) ?? "" }
    contents.title = { [unowned self] in title($0) }
    contents.summary = { [unowned self] in summary }
    contents.total = { [forest] in forest.descendantCount }
    contents.progress = { [unowned self] in
      isReading
        ? "reading \(self.name) …" : open.isEmpty ? nil : "\(grouped(forest.descendantCount)) values so far …"
    }
    contents.orders = [
      TerminalOrder("n", "document", nil),
      TerminalOrder("k", "name") { [unowned self] in key($0) < key($1) },
      TerminalOrder("s", "size") { [unowned self] in (size($0), $1.number) > (size($1), $0.number) },
    ]
    contents.sourceOrder = { $0.number < $1.number }
    contents.element = { [unowned self] in $0.index < (document?.tape.words.count ?? 0) ? $0 : nil }
    contents.hasValues = true
    contents.preview = { [unowned self] in preview($0, in: $1) }
    self.contents = contents
  }

  // MARK: Reading

  func start() {
    isReading = true
    let (path, name, extent, stream) = (path, name, extent, stream)
    Thread.detachNewThread { [weak self] in
      let result = Self.read(path, name, extent, stream)
      DispatchQueue.main.async { MainActor.assumeIsolated { self?.take(result) } }
    }
  }

  private nonisolated static func read(
    _ path: FileName, _ name: String, _ extent: JSONDocument.Extent, _ stream: (descriptor: Int32, start: [UInt8])?
  ) -> Result<JSONDocument, Command.Failure> {
    let data: Data
    do {
      if let stream {
        data = try Data(stream.start) + FileContents.read(stream.descriptor)
      } else {
        data = try bytes(of: path)
      }
    } catch {
      return .failure(Command.Failure(code: 2, description: "this could not be read: \(name): \(error)"))
    }
    let beginning = Array(data.prefix(4))
    do throws(Command.Failure) {
      try Opening.checkEncoding(beginning.span, name)
    } catch {
      return .failure(error)
    }
    do {
      return .success(try JSONDocument(data, extent))
    } catch {
      return .failure(Command.Failure(code: 65, description: "this is no JSON document: \(name): \(error)"))
    }
  }

  /// Reads a file.
  ///
  /// The file is not mapped, because another program may cut it while it is shown. A read behind the end of a mapped
  /// file would end the process.
  private nonisolated static func bytes(of path: FileName) throws -> Data {
    let descriptor = path.open()
    guard descriptor >= 0 else { throw FileSystemError(code: errno) }
    defer { close(descriptor) }
    return try FileContents.readToEnd(descriptor)
  }

  private func take(_ result: Result<JSONDocument, Command.Failure>) {
    isReading = false
    switch result {
    case .failure(let failure):
      // Another program may be writing the document: the user can read it again later, and the former contents stay.
      if document == nil { self.failure = failure } else { problem = failure.description }
    case .success(let document):
      problem = nil
      parents = []
      let isFilling = !open.isEmpty
      forest.performUpdates {
        forest.removeAll()
        self.document = document
        if document.tape.isBranch(0) {
          open = [(forest, Item(0), document.tape.first(0))]
          fill()
        } else {
          // The document is one value, or empty.
          open = []
          if !document.isBranch(0) { forest.append(Item(0)) }
        }
      }
      if !isFilling { takeSlice() }
    }
    onChange()
  }

  private func takeSlice() {
    let end = ContinuousClock.now + EntryBrowser.slice
    forest.performUpdates {
      while !open.isEmpty, ContinuousClock.now < end { fill() }
    }
    onChange()
    if !open.isEmpty { DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.takeSlice() } } }
  }

  /// Fills a part of the last open branch.
  private func fill() {
    guard let document, let last = open.popLast() else { return }
    let (node, tape) = (last.branch, document.tape)
    let end = tape.end(last.item.index)
    var (next, words) = (last.next, 0)
    var leaves: [Item] = []
    var later: [(branch: ForestNode<Item>, item: Item, next: Int)] = []
    func flush() {
      node.append(contentsOf: leaves)
      leaves = []
    }
    while next < end, words < Self.builtAtOnce {
      let item = Item(next)
      let length = tape.end(next) - next
      if !tape.isBranch(next) {
        leaves.append(item)
        words += 1
      } else if length > Self.builtAtOnce {
        leaves.append(item)
        flush()
        node.turnIntoBranch(at: node.count - 1)
        later.append((node.child(at: [node.count - 1])!, item, tape.first(next)))
        words += 1
      } else {
        flush()
        node.append(tree(of: item, tape))
        words += length
      }
      next = tape.end(next)
    }
    flush()
    // Parents are filled before their children, because a user sees them first.
    open += later.reversed()
    if next < end { open.append((node, last.item, next)) }
  }

  private func tree(of item: Item, _ tape: JSONTape) -> ForestNode<Item> {
    ForestNode(value: item, Self.children(of: item, tape)) { child -> [Item]? in
      guard tape.isBranch(child.index) else { return nil }
      return Self.children(of: child, tape)
    }
  }

  private static func children(of item: Item, _ tape: JSONTape) -> [Item] {
    var children: [Item] = []
    children.reserveCapacity(tape.count(item.index))
    var (next, end) = (tape.first(item.index), tape.end(item.index))
    while next < end {
      children.append(Item(next))
      next = tape.end(next)
    }
    return children
  }

  func stop() {}

  /// Reads the document again.
  ///
  /// A value stays expanded if its place on the tape is the same: this is true before the first difference in shape.
  func reload() -> Bool {
    if stream != nil { return false }
    if !isReading { start() }
    return true
  }

  func watch(_ visible: [Item], expanded: [Item]) {}

  // MARK: Words

  private func key(_ item: Item) -> String { document?.key(item.index) ?? "" }

  private func size(_ item: Item) -> Int { document.map { $0.tape.end(item.index) - item.index } ?? 0 }

  private func value(_ item: Item) -> (text: String, kind: JSONDocument.Kind)? {
    guard let document else { return nil }
    let kind = document.kind(item.index)
    let count = document.tape.count(item.index)
    switch kind {
    case .object: return ("{\(counted(count, "member", "members"))}", kind)
    case .array, .sequence: return ("[\(counted(count, "element", "elements"))]", kind)
    case .string:
      let (text, isWhole) = document.text(item.index, limit: JSONDocument.longestText)
      return ("\"" + text.printed + (isWhole ? "\"" : "…"), kind)
    default: return (document.text(item.index, limit: JSONDocument.longestText).text, kind)
    }
  }

  /// The text that is searched: the name and the value, as they are shown.
  private func text(_ item: Item) -> String {
    guard let document, let value = value(item) else { return "" }
    return (document.shownKey(item.index).map { $0 + ": " } ?? "") + value.text
  }

  private func row(_ item: Item) -> TerminalRow {
    guard let document, let value = value(item) else { return TerminalRow(label: []) }
    var label: [TerminalSpan] = []
    if let key = document.shownKey(item.index) {
      label.append(TerminalSpan(key, TerminalStyle(.named(4))))
      label.append(TerminalSpan(": "))
    }
    label.append(TerminalSpan(value.text, Self.style(value.kind)))
    return TerminalRow(label: label, mayHaveChildren: document.tape.isBranch(item.index))
  }

  /// The colours of a value.
  nonisolated static func style(_ kind: JSONDocument.Kind) -> TerminalStyle {
    switch kind {
    case .string: TerminalStyle(.named(2))
    case .number: TerminalStyle(.named(3))
    case .boolean, .null: TerminalStyle(.named(5))
    case .object, .array, .sequence: TerminalStyle.plain.adding(.dim)
    }
  }

  private func preview(_ item: Item, in place: TerminalSize) -> TerminalPreview {
    guard let document, let value = value(item) else { return TerminalPreview("") }
    let heading = value.kind == .string ? "a text" : document.isBranch(item.index) ? value.text : "\(value.kind)"
    return TerminalPreview(heading, JSONPreview(document, item, in: place).lines)
  }

  private func title(_ item: Item?) -> String {
    guard let item else { return name }
    return name + "  " + pointer(item).printed
  }

  private var summary: String {
    guard let document else { return "" }
    let tape = document.tape
    return "\(counted(tape.scalarCount, "value", "values")), \(counted(tape.objectCount, "object", "objects")), "
      + counted(tape.arrayCount, "array", "arrays")
      + leftOut(document.errors) + (problem.map { " · " + $0 } ?? "")
  }

  private func leftOut(_ errors: [JSONError]) -> String {
    errors.first.map { " · \(counted(errors.count, "document", "documents")) left out, the first in \($0)" } ?? ""
  }

  /// The parent of a value; nil at the top.
  private func parent(_ item: Item) -> Item? {
    guard let tape = document?.tape, item.index > 0 else { return nil }
    if parents.isEmpty { parents = tape.parents }
    let parent = Int(parents[item.index])
    return parent == 0 ? nil : Item(parent)
  }

  // MARK: Output

  /// The JSON pointer of a value (RFC 6901): `/tags/0`.
  ///
  /// The search begins with the whole document. At each level, it goes to the member or element whose part of the tape
  /// contains the value.
  private func pointer(_ item: Item) -> String {
    guard let document else { return "" }
    let tape = document.tape
    var (pointer, here) = ("", 0)
    while here != item.index, tape.isBranch(here) {
      var (next, position) = (tape.first(here), 0)
      while tape.end(next) <= item.index {
        next = tape.end(next)
        position += 1
      }
      let part = document.key(next) ?? "\(position)"
      pointer += "/" + part.replacing("~", with: "~0").replacing("/", with: "~1")
      here = next
    }
    return pointer
  }

  func output(_ item: Item, _ part: TerminalAction<Item>.Part) -> [UInt8] {
    guard part == .value, let document else { return Array(pointer(item).utf8) }
    // The characters of a string, or the source text of any other value.
    if document.kind(item.index) == .string { return Array(document.text(item.index).text.utf8) }
    return document.source(of: item.index)
  }

  func file(_ item: Item) -> [UInt8]? { nil }
}

extension JSONDocument {
  /// The source text of a value.
  fileprivate func source(of index: Int) -> [UInt8] {
    let bytes = data.span
    let start = tape.offset(index)
    if !isBranch(index) { return Array(bytes, scalar(index).range) }
    var (end, depth) = (start, 0)
    repeat {
      switch bytes[end] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""):
        // Brackets inside a string close nothing.
        end += 1
        while bytes[end] != UInt8(ascii: "\"") { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
      default: break
      }
      end += 1
    } while depth > 0
    return Array(bytes, start..<end)
  }
}

extension Array<UInt8> {
  fileprivate init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    self = range.map { bytes[$0] }
  }
}
