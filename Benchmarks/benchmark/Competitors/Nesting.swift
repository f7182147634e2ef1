@_spi(NodeAuthors) import Assemblage

/// An element with the id of its parent.
struct NestRow {
  let id: Int
  var parent: Int?
}

/// The rows of a tree in no order, which are shown as a tree by their parents.
protocol Nesting: Measured, Notifying {
  init(_ rows: [NestRow])
  /// The sum of all ids times their positions. To compute it, the whole tree has to be known.
  var total: Int { get }
  /// Appends a row, and notifies the observer with the number of roots.
  mutating func append(_ row: NestRow)
  mutating func removeLast()
  /// Gives a row another parent, and notifies the observer with the number of roots.
  mutating func setParent(_ parent: Int, at position: Int)
}

/// The library's nest over an array.
struct NestSubject: Nesting, BoxedObserver {
  static let name = "NestNode"
  static var origin: Subject.Origin { .library }

  private let rows: ArrayNode<NestRow>
  private let nest: NestNode<NestRow, Int>
  let box = ObserverBox()
  private let token: NodeObservation

  init(_ rows: [NestRow]) {
    self.rows = ArrayNode(rows)
    nest = NestNode(self.rows, id: \.id, parent: \.parent)
    token = nest.observe { [unowned nest, box] _ in box.observer(nest.count) }
  }

  var total: Int {
    var sum = 0
    var open: [any TreeNode<NestRow>] = [nest]
    while let node = open.popLast() {
      node.forEachSpan(in: 0..<node.count) { start, span in
        for index in span.indices { sum &+= (start + index + 1) &* span[index].id }
      }
      for position in 0..<node.count {
        if let child = node.child(at: position) { open.append(child) }
      }
    }
    return sum
  }

  func append(_ row: NestRow) { rows.append(row) }
  func removeLast() { rows.removeLast() }
  func setParent(_ parent: Int, at position: Int) { rows[position].parent = parent }
}

/// The usual way: the rows grouped by their parents in a dictionary, which is made again after each change.
struct ParentDictionary: Nesting {
  static let name = "ParentDictionary"

  private var rows: [NestRow]
  private var children: [Int?: [NestRow]]
  var observer: (Int) -> Void = { _ in }

  init(_ rows: [NestRow]) {
    self.rows = rows
    children = Dictionary(grouping: rows, by: \.parent)
  }

  var total: Int {
    var sum = 0
    for siblings in children.values {
      for (position, row) in siblings.enumerated() { sum &+= (position + 1) &* row.id }
    }
    return sum
  }

  private mutating func group() {
    children = Dictionary(grouping: rows, by: \.parent)
    observer(children[nil]?.count ?? 0)
  }

  mutating func append(_ row: NestRow) {
    rows.append(row)
    group()
  }

  mutating func removeLast() {
    rows.removeLast()
    group()
  }

  mutating func setParent(_ parent: Int, at position: Int) {
    rows[position].parent = parent
    group()
  }
}
