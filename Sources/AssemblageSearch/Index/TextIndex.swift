public import Assemblage
public import Observation
import OffsetIndexing

/// The folded texts of all elements of a node, in one column that is searched at memory speed.
///
/// ```swift
/// let names = ArrayNode(["Ada Lovelace", "Straße", "Οδός", "Grace Hopper"])
/// let index = TextIndex(of: names)
/// index.count(for: .substring("strasse"))             // 1
/// index.paths(for: .words("hopper gr"))               // [[3]]
/// names.insert("Lovelace Bridge", at: 0)
/// index.paths(for: .substring("lovelace"))            // [[0], [1]]
/// let found = FilterNode(names) { _ in true }
/// found.setSearch(.substring("love"), in: index)
/// found.elements                                      // ["Lovelace Bridge", "Ada Lovelace"]
/// ```
///
/// A closure gives the text of an element: its name, or several properties with a line break between them. The index
/// folds the texts (`TextFolding`) when elements arrive, and a search needs no call for each element. `FilterNode` and
/// `TreeFilterNode` show the results of the index with `setSearch(_:in:)`.
///
/// The index follows the node, flat or a tree, at every depth, through all changes. The index is never behind the node.
/// Inside a transaction, and in observers that are called before others, a search uses the elements that the node shows
/// at that moment. Elements are numbered in document order, and each element is before its descendants. In a flat node,
/// the number of an element is its position. Children without a value have a number, and never match. The node's own
/// value is not searched.
///
/// The closure must depend on the element only. Otherwise the owner of the element has to announce an update where
/// other data has changed. An index reads the whole tree: a `HierarchyNode` below the index loads all its children.
///
/// The index is `Observable`: `withObservationTracking`, or the body of a SwiftUI view, that searches is notified when
/// texts have changed.
///
/// - Complexity: for b bytes of text, a search takes O(b), at some gigabytes a second. A change takes O(log n) and the
///   folding of the new texts for each of its ranges, and moves some 16 KiB of text. A subtree that moves among its
///   siblings keeps its texts. A subtree that moves to another parent is read again. After a change with more than one
///   range for 64 elements, the children of the changed node are read again, with all their descendants. In a tree of
///   nodes, the index finds the node of a change in O(d) at depth d. The memory is the memory of the folded texts, 5
///   bytes for each element, and the memory of the tree's shape in a `TreeIndex`.
public final class TextIndex<Element>: Observable {
  /// The node at the root.
  public let node: any TreeNode<Element>

  /// The folding of the texts, and of the queries.
  public let folding: TextFolding

  let text: (Element) -> String
  let reading: TextReading<Element>
  /// The number of ranges of a change that are always followed one by one, whatever the size of the node.
  let fewRanges: Int
  /// The shape of the tree. For a flat node, this is one run of leaves.
  var shape = TreeIndex()
  /// The texts by document number.
  var column: TextColumn
  private(set) var observation: NodeObservation?
  let readers = TrackedReaders()
  /// How often texts that were left for later have been read, or may have been read with other ones.
  var readingCount = 0

  /// Creates the index of a node.
  ///
  /// - Parameters:
  ///   - node: the root. The index keeps the node alive.
  ///   - folding: decides which texts are equal.
  ///   - time: whether the texts are read now, or by `readTexts(atMost:)`.
  ///   - text: gives the text of an element. The text may be of any length, up to 4 GiB. The closure must not change
  ///     nodes.
  /// - Complexity: O(b) for b bytes of text in all, and a call of `text` for each element; with `.later`, O(n / 64 + r)
  ///   for n elements with r branches in a `ForestNode`, else O(n).
  @inlinable
  public convenience init(
    of node: any TreeNode<Element>, folding: TextFolding = .standard, reading time: TextReadingTime = .atOnce,
    text: @escaping (Element) -> String
  ) {
    self.init(
      node, folding, text, time,
      TextReading(
        children: { appendTexts(of: $0, $1, to: &$2, text) }, forest: { appendTexts(of: $0, to: &$1, text) }))
  }

  @usableFromInline
  convenience init(
    _ node: any TreeNode<Element>, _ folding: TextFolding, _ text: @escaping (Element) -> String,
    _ time: TextReadingTime, _ reading: TextReading<Element>
  ) {
    self.init(node, folding, text, time, reading, column: TextColumn())
  }

  /// Creates an index with chunks of another size and with another limit for reading again; for tests.
  init(
    _ node: any TreeNode<Element>, _ folding: TextFolding, _ text: @escaping (Element) -> String,
    _ time: TextReadingTime = .atOnce, _ reading: TextReading<Element>, column: TextColumn, fewRanges: Int = 256
  ) {
    self.node = node
    self.folding = folding
    self.text = text
    self.reading = reading
    self.fewRanges = fewRanges
    self.column = column
    observation = node.observe { [unowned self] change in follow(change) }
    let all = reading.read(node, 0..<node.count, builder(), time)
    shape = all.shape
    self.column.replaceSubrange(0..<0, with: all.texts)
    if time == .later { self.column.readingStart = 0 }
  }

  deinit { observation?.cancel() }

  // MARK: Reading later

  /// Reads some of the texts that were left for later.
  ///
  /// An element does not match before its text is read, except an empty pattern, which all texts match. The index
  /// follows its node meanwhile, and reads at once the elements that arrive or are updated.
  ///
  /// ```swift
  /// let index = TextIndex(of: ArrayNode(["Ada", "Adele", "Bob"]), reading: .later)
  /// index.count(for: .substring("ad"))       // 0
  /// while index.readTexts(atMost: 2) {}
  /// index.count(for: .substring("ad"))       // 2
  /// ```
  ///
  /// - Parameter count: the greatest number of texts to read, at least 1.
  /// - Returns: whether some texts were read; false where there are no more.
  /// - Precondition: `count` is at least 1; anything else traps.
  /// - Complexity: O(log n + b + r · d) for b bytes of text with r branches at depth d. The call that finds no more
  ///   texts goes through all texts, as a search does.
  public func readTexts(atMost count: Int) -> Bool {
    require(count > 0, "TextIndex: the number \(count) of texts to read is not positive.")
    catchUp()
    guard let first = column.firstUnread(from: column.readingStart) ?? column.firstUnread(from: 0) else {
      column.readingStart = .max
      return false
    }
    let end = first + min(count, shape.count - first)
    var nodes: [TreeIndex.Branch: any TreeNode<Element>] = [:]
    var builder = builder()
    for run in shape.runs(in: first..<end) {
      // A branch of the shape has a node.
      let parent = nodes[run.parent] ?? self.node(of: run.parent)!
      nodes[run.parent] = parent
      reading.readLevel(parent, run.positions, &builder)
    }
    column.replaceSubrange(first..<end, with: builder.finish())
    column.readingStart = end
    readingCount += 1
    readers.haveNews = true
    readers.notify()
    return true
  }

  /// The fraction of the texts before the next unread text, `0...1`. Unread texts that have moved before it are not
  /// counted: `readTexts(atMost:)` reads them last, and returns whether texts are left.
  public var readFraction: Double {
    readers.noteRead()
    return column.readingStart >= column.count ? 1 : Double(column.readingStart) / Double(column.count)
  }

  // MARK: Looking up

  /// The number of elements at all depths. Children without a value are counted, too.
  ///
  /// - Complexity: O(1).
  public var count: Int {
    catchUp()
    return shape.count
  }

  /// The memory of texts and shape, in bytes.
  ///
  /// - Complexity: O(c) for c chunks of text.
  public var byteCount: Int {
    catchUp()
    return column.byteCount + shape.byteCount
  }

  /// Returns the path of an element by its number.
  ///
  /// - Parameter number: `0..<count`, in document order.
  /// - Returns: the path from the index's node.
  /// - Precondition: `number` is in its range; anything else traps.
  /// - Complexity: O(d · log n) at depth d.
  public func path(ofNumber number: Int) -> IndexPath {
    catchUp()
    require(0..<shape.count ~= number, "TextIndex: the position \(number) is out of range 0..<\(shape.count).")
    return IndexPath(indexes: shape.path(to: number))
  }

  /// Returns the number of the element at a path.
  ///
  /// - Parameter path: any path from the index's node. The node itself, at [], has no number.
  /// - Returns: the number in document order, or nil where the path leads to no element.
  /// - Complexity: O(d · log n) for a path of length d.
  public func number(at path: IndexPath) -> Int? {
    catchUp()
    return path.isEmpty ? nil : shape.number(at: path)
  }

  /// Notes that the index is read, and follows the changes that the node has not reported yet.
  func catchUp() {
    readers.noteRead()
    observation?.catchUp()
  }

  /// Traps where the parts of the index do not fit together; for tests.
  func checkInvariants() {
    catchUp()
    column.checkInvariants()
    require(
      column.count == shape.count,
      "TextIndex: there are \(column.count) texts of \(shape.count) elements.")
  }
}

@available(*, unavailable)
extension TextIndex: Sendable {}

/// The time at which an index reads the texts of the first elements.
///
/// ```swift
/// TextIndex(of: ArrayNode(["Ada"]), reading: .later).readTexts(atMost: 1)     // true
/// ```
public enum TextReadingTime: Hashable, Sendable {
  /// The index reads all texts when it is made.
  case atOnce
  /// The index reads some texts at a time, when `TextIndex.readTexts(atMost:)` is called.
  case later
}

extension TextIndex where Element == String {
  /// Creates the index of a node of texts.
  ///
  /// - Parameters:
  ///   - node: the root. The index keeps the node alive.
  ///   - folding: decides which texts are equal.
  ///   - time: whether the texts are read now, or by `readTexts(atMost:)`.
  /// - Complexity: O(b) for b bytes of text in all. If they are read later, O(n) for n elements.
  public convenience init(
    of node: any TreeNode<String>, folding: TextFolding = .standard, reading time: TextReadingTime = .atOnce
  ) {
    self.init(of: node, folding: folding, reading: time) { $0 }
  }
}

extension TextIndex: CustomStringConvertible {
  public var description: String { "TextIndex(\(count) elements)" }
}
