import Assemblage

extension Suite {
  /// The difference between n rows and the rows after an edit.
  static var diff: Suite {
    Suite(
      name: "diff",
      operations: RowsEdit.allCases.map { edit in
        Operation(name: edit.rawValue, subjects: [delta(edit), collectionDifference(edit)])
      } + [
        Operation(
          "random-10%-names", deltaOfNamed(NamedRow.self, "struct"), dictionaryOfNamed(NamedRow.self, "struct"),
          deltaOfNamed(NamedRowObject.self, "object"), dictionaryOfNamed(NamedRowObject.self, "object"))
      ])
  }

  @inline(__always)
  private static func deltaOfNamed<Item: NamedItem>(_: Item.Type, _ kind: String) -> Subject {
    Subject("Delta<\(kind)>", .library) { context in
      let pair = RowsPair(.random, n: context.n, using: &context.generator)
      return Trial((pair.old.map { Item($0) }, pair.new.map { Item($0) }), elementsPerOperation: context.n) {
        old, new in
        Delta(from: old, to: new, id: { $0.name }).changeCount
      }
    }
  }

  /// No difference at all, but the table of names that every difference needs first.
  @inline(__always)
  private static func dictionaryOfNamed<Item: NamedItem>(_: Item.Type, _ kind: String) -> Subject {
    Subject("Dictionary<\(kind)>", .competitor) { context in
      let pair = RowsPair(.random, n: context.n, using: &context.generator)
      return Trial(pair.old.map { Item($0) }, elementsPerOperation: context.n) { old in
        Dictionary(uniqueKeysWithValues: old.lazy.enumerated().map { ($1.name, $0) }).count
      }
    }
  }

  private static func delta(_ edit: RowsEdit) -> Subject {
    Subject("Delta", .library) { context in
      let pair = RowsPair(edit, n: context.n, using: &context.generator)
      return Trial(pair, elementsPerOperation: context.n) { $0.delta.changeCount }
    }
  }

  /// The standard library finds no updates. It receives the ids alone, and has less work.
  private static func collectionDifference(_ edit: RowsEdit) -> Subject {
    Subject("CollectionDifference", .competitor, largest: edit.largestForMyers) { context in
      let pair = RowsPair(edit, n: context.n, using: &context.generator)
      return Trial((pair.old.map(\.id), pair.new.map(\.id)), elementsPerOperation: context.n) { old, new in
        RowsPair.difference(from: old, to: new).changeCount
      }
    }
  }
}

extension Delta {
  /// The number of rows that left or arrived.
  fileprivate var changeCount: Int { removals.elementCount + insertions.elementCount }
}

extension CollectionDifference {
  /// The number of elements that left or arrived, without the moved elements.
  fileprivate var changeCount: Int {
    count { change in
      switch change {
      case .insert(_, _, let partner), .remove(_, _, let partner): partner == nil
      }
    }
  }
}

/// An element with an identity, and with contents that may change.
struct Row: Hashable {
  var id: Int
  var version = 0
}

/// A row whose id is a string of up to 20 characters.
protocol NamedItem: Equatable {
  init(_ row: Row)
  var name: String { get }
}

struct NamedRow: NamedItem {
  let name: String
  let version: Int

  init(_ row: Row) {
    name = String(row.id)
    version = row.version
  }
}

final class NamedRowObject: NamedItem {
  let name: String
  let version: Int

  init(_ row: Row) {
    name = String(row.id)
    version = row.version
  }

  static func == (left: NamedRowObject, right: NamedRowObject) -> Bool {
    left.name == right.name && left.version == right.version
  }
}

/// The edit of the rows between two states.
enum RowsEdit: String, CaseIterable {
  /// One row in a hundred is appended.
  case append = "append-1%"
  /// One row in a hundred moves to another place.
  case shuffle = "shuffle-1%"
  /// One row in ten is edited. It is removed, updated or moved, or a new row is inserted before it, all with equal
  /// frequency.
  case random = "random-10%"
  /// The order is reversed.
  case reverse
  /// All rows are replaced.
  case disjoint

  /// The largest size for the standard library's algorithm. If a fixed fraction of the rows differs, its time grows
  /// with the square of the size.
  var largestForMyers: Int {
    switch self {
    case .append, .shuffle: .max
    case .random, .reverse, .disjoint: 1 << 13
    }
  }
}

/// Rows before and after an edit, with random ids.
struct RowsPair {
  let old: [Row]
  let new: [Row]

  init(_ edit: RowsEdit, n: Int, using generator: inout SplitMix) {
    // The ids differ, because an odd factor permutes the numbers below 2^64.
    let factor = Int(bitPattern: UInt(truncatingIfNeeded: generator.next() | 1))
    let old = (0..<n).map { Row(id: $0 &* factor) }
    let fresh = (n..<(2 * n + 1)).lazy.map { Row(id: $0 &* factor) }
    self.old = old
    switch edit {
    case .append: new = old + fresh.prefix(n / 100 + 1)
    case .shuffle: new = Self.moving(n / 100 + 1, of: old, using: &generator)
    case .random:
      var fresh = fresh.makeIterator()
      var edited: [Row] = []
      var moving: [Row] = []
      for row in old {
        switch Int.random(in: 0..<40, using: &generator) {
        case 0: continue
        case 1: edited.append(Row(id: row.id, version: row.version + 1))
        case 2: moving.append(row)
        case 3: edited += [fresh.next()!, row]
        default: edited.append(row)
        }
      }
      new = Self.inserting(moving, into: edited, using: &generator)
    case .reverse: new = old.reversed()
    case .disjoint: new = Array(fresh.prefix(n))
    }
  }

  /// `rows`, with some of them at random other places.
  private static func moving(_ count: Int, of rows: [Row], using generator: inout SplitMix) -> [Row] {
    var isMoving = [Bool](repeating: false, count: rows.count)
    for _ in 0..<count { isMoving[Int.random(in: 0..<rows.count, using: &generator)] = true }
    let pairs = zip(rows, isMoving)
    return inserting(
      pairs.filter(\.1).map(\.0), into: pairs.filter { !$0.1 }.map(\.0), using: &generator)
  }

  /// `rows` with `inserted` at random places among them.
  private static func inserting(_ inserted: [Row], into rows: [Row], using generator: inout SplitMix) -> [Row] {
    let places = inserted.map { (Int.random(in: 0...rows.count, using: &generator), $0) }
      .sorted { $0.0 < $1.0 }
    var result: [Row] = []
    var position = 0
    for (place, row) in places {
      result += rows[position..<place]
      result.append(row)
      position = place
    }
    return result + rows[position...]
  }

  /// The library's difference, which also contains the updates.
  var delta: Delta { Delta(from: old, to: new, id: { $0.id }) }

  /// The standard library's difference, with moves.
  static func difference(from old: [Int], to new: [Int]) -> CollectionDifference<Int> {
    new.difference(from: old).inferringMoves()
  }
}
