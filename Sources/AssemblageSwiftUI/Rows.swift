public import Assemblage
public import Foundation

/// The rows of a list, as SwiftUI shows them: the children of a node at one moment, as a collection.
///
/// A view makes its rows in its body. It is evaluated again when the node has changed, once for each transaction:
///
/// ```swift
/// struct PeopleList: View {
///   let found: FilterNode<Person>
///
///   var body: some View {
///     List(Rows(found)) { person in Text(person.name) }
///   }
/// }
/// ```
///
/// Where elements are not `Identifiable`, `List` and `ForEach` need `id:`, as they do for an array.
///
/// ## A value
/// SwiftUI keeps the collection of its last update, reads ids from this collection after the node has changed, and
/// skips an update where the collection is the same as before. So rows are a value: they show the children of the
/// moment in which they were made. They share the storage of the node as a `TreeSnapshot` does: the rows of an array, a
/// filter or a sort copy no element.
///
/// Until the node changes, all its rows are the same value. To make them again costs nothing.
///
/// ## Tracking
/// To make rows is to read the node: `withObservationTracking` notifies its reader when the children, or the node's own
/// value, have changed. Changes below the children do not count. The reader need not keep the rows.
///
/// ## Editing
/// `remove(atOffsets:)` and `move(fromOffsets:toOffset:)` write through the node. Offsets are positions of these rows.
/// If the node has changed since, each row is found at its present position, and a row that has left is skipped.
public struct Rows<Element>: RandomAccessCollection {
  /// The node that is shown.
  public let node: any TreeNode<Element>

  let moment: RowMoment<TreeSnapshot<Element>>

  /// Reads the rows of a node.
  ///
  /// - Parameter node: the node whose children are the rows.
  /// - Complexity: that of a snapshot, if the node has changed since it was last read; otherwise O(1).
  @MainActor
  public init(_ node: any TreeNode<Element>) { self.init(node, delivery: RowDelivery()) }

  /// Reads the rows of a node.
  ///
  /// - Parameters:
  ///   - node: the node whose children are the rows.
  ///   - delivery: how the reader is notified.
  @MainActor
  package init(_ node: any TreeNode<Element>, delivery: RowDelivery) {
    self.init(node, RowReading(.rows, delivery))
  }

  /// Takes the rows of a node.
  ///
  /// - Parameters:
  ///   - node: the node.
  ///   - reading: how they are tracked; nil: not at all.
  @MainActor
  private init(_ node: any TreeNode<Element>, _ reading: RowReading?) {
    self.node = node
    let readers = RowReaders<TreeSnapshot<Element>>.readers(of: node) { node.observeWhileAlive($0) }
    if let reading { readers.note(reading) }
    moment = readers.moment { node.snapshot() }
  }

  /// The value of the node itself, as it was.
  public var value: Element? { moment.contents.value }

  /// The present header of the node.
  public var header: Element? { node.header(at: []) }

  /// The present footer of the node.
  public var footer: Element? { node.footer(at: []) }

  // MARK: Reading

  /// Always 0.
  public var startIndex: Int { 0 }

  /// The number of rows.
  public var endIndex: Int { moment.contents.count }

  /// The value in a row.
  ///
  /// - Parameter position: `0..<count`.
  /// - Precondition: there is such a row, and it has a value.
  /// - Complexity: O(log n) in most nodes.
  public subscript(position: Int) -> Element {
    checkRow(position, in: count, of: "Rows")
    guard let element = moment.contents.element(at: position) else { trapMissing(position, of: "Rows") }
    return element
  }

  /// Iterates over the values, which are read in pieces.
  public func makeIterator() -> some IteratorProtocol<Element> { moment.contents.makeIterator() }

  // MARK: Editing

  /// Removes rows from the node, in one transaction, as `onDelete(perform:)` asks for it.
  ///
  /// ```swift
  /// ForEach(rows) { … }.onDelete(perform: rows.remove(atOffsets:))
  /// ```
  ///
  /// - Parameter offsets: positions of these rows.
  /// - Precondition: there are such rows, and the node can be written.
  /// - Complexity: O(log n) for each row, and the propagation.
  public func remove(atOffsets offsets: IndexSet) {
    checkRows(offsets, in: count, of: "Rows")
    node.remove(atOffsets: moment.present(offsets))
  }

  /// Moves rows before another one, in one transaction, as `onMove(perform:)` asks for it.
  ///
  /// The rows keep their order. The rows of a node that shows a tree as a list move with all below them.
  ///
  /// ```swift
  /// let rows = Rows(ArrayNode(["a", "b", "c", "d"]))
  /// rows.move(fromOffsets: [0, 3], toOffset: 2)     // the node holds "b", "a", "d", "c"
  /// ```
  ///
  /// - Parameters:
  ///   - source: positions of these rows.
  ///   - destination: the position of the row that follows them afterwards, before the move; `count`: they come last.
  /// - Precondition: there are such rows, and the node can be written.
  /// - Complexity: O(log n) for each row, and the propagation.
  public func move(fromOffsets source: IndexSet, toOffset destination: Int) {
    checkRows(source, in: count, of: "Rows")
    checkDestination(destination, in: count, of: "Rows")
    let rows = moment.present(source)
    node.move(fromOffsets: rows, toOffset: moment.present(destination..<count) ?? node.count)
  }
}

@available(*, unavailable)
extension Rows: Sendable {}

extension Rows: Equatable {
  /// Whether both are rows of the same node, which has not changed between them.
  ///
  /// - Complexity: O(1).
  public static func == (left: Rows, right: Rows) -> Bool { left.moment === right.moment }
}

// MARK: - Sections

extension Rows: Identifiable {
  /// The identity of the node, not that of the moment.
  public var id: ObjectIdentifier { ObjectIdentifier(node) }

  /// Reads the sections of a node: the children that are nodes, each with its rows.
  ///
  /// ```swift
  /// List {
  ///   ForEach(Rows.sections(of: letters)) { section in
  ///     Section(section.value ?? "") {
  ///       ForEach(section) { … }.onDelete(perform: section.remove(atOffsets:))
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// The reader is notified when a section or one of its rows has changed. A section whose rows have not changed is the
  /// same value as before.
  ///
  /// - Parameter node: the node whose children are the sections.
  /// - Returns: the sections, in order.
  /// - Complexity: that of the rows of each section.
  @MainActor
  public static func sections(of node: any TreeNode<Element>) -> [Rows] { sections(of: node, delivery: RowDelivery()) }

  /// Reads the sections of a node.
  ///
  /// - Parameters:
  ///   - node: the node whose children are the sections.
  ///   - delivery: how the reader is notified.
  /// - Returns: the sections, in order.
  @MainActor
  package static func sections(of node: any TreeNode<Element>, delivery: RowDelivery) -> [Rows] {
    RowReaders<TreeSnapshot<Element>>.readers(of: node) { node.observeWhileAlive($0) }.note(
      RowReading(.sections, delivery))
    return (0..<node.count).compactMap { position in node.child(at: position).map { Rows($0, nil) } }
  }
}
