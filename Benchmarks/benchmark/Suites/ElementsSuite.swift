import Assemblage

extension Suite {
  /// The loops over elements, and edits of them, with elements that have references beside integers: objects, and
  /// structs that hold a string. Each operation stands beside an array of the same elements.
  ///
  /// The elements are in members as the other suites have them, in members of ten, and in trees of fan-out 10. The
  /// same work on integers is in the suite of the node, as far as it is not here.
  static var elements: Suite {
    Suite(
      name: "elements",
      operations: ElementWork.allCases.map { work in
        operation(
          work.rawValue, withIntegers: work.hasIntegers,
          { HeldInNodes<Contact>($0, ofTens: work.isOfTens).trial(work) }, { HeldInArray<Contact>($0).trial(work) },
          { HeldInNodes<Entry>($0, ofTens: work.isOfTens).trial(work) }, { HeldInArray<Entry>($0).trial(work) },
          { HeldInNodes<Int>($0, ofTens: work.isOfTens).trial(work) }, { HeldInArray<Int>($0).trial(work) })
      }
        + TreeWork.allCases.map { work in
          operation(
            work.rawValue, withIntegers: false,
            { HeldInForest<Contact>($0).trial(work) }, { HeldInFolders<Contact>($0).trial(work) },
            { HeldInForest<Entry>($0).trial(work) }, { HeldInFolders<Entry>($0).trial(work) },
            { HeldInForest<Int>($0).trial(work) }, { HeldInFolders<Int>($0).trial(work) })
        })
  }

  // Each type calls for code of its own, as it does where a user writes it down: so there are no protocols between.
  private static func operation(
    _ name: String, withIntegers: Bool,
    _ objectNode: @escaping (inout Context) -> Trial, _ objectArray: @escaping (inout Context) -> Trial,
    _ structNode: @escaping (inout Context) -> Trial, _ structArray: @escaping (inout Context) -> Trial,
    _ integerNode: @escaping (inout Context) -> Trial, _ integerArray: @escaping (inout Context) -> Trial
  ) -> Operation {
    let integers = [
      Subject("Node<Int>", .library, trial: integerNode), Subject("Array<Int>", .competitor, trial: integerArray),
    ]
    return Operation(
      name: name,
      subjects: [
        Subject("Node<object>", .library, trial: objectNode),
        Subject("Array<object>", .competitor, trial: objectArray),
        Subject("Node<struct>", .library, trial: structNode),
        Subject("Array<struct>", .competitor, trial: structArray),
      ] + (withIntegers ? integers : []))
  }
}

/// What is done with n elements.
enum ElementWork: String, CaseIterable {
  case filterBuild = "filter-build"
  case filterChange = "filter-change"
  case filterStricter = "filter-stricter"
  case filterScan = "filter-scan"
  case filterChangeOfTens = "filter-change-of-tens"
  case filterScanOfTens = "filter-scan-of-tens"
  case sortBuild = "sort-build"
  case groupBuild = "group-build"
  case arrayInsert = "array-insert"
  case joinElement = "join-element"
  case joinScan = "join-scan"
  case joinInsert = "join-insert"
  case filterElement = "filter-element"
  case filterInsert = "filter-insert"
  case sortReverse = "sort-reverse"
  case sortElement = "sort-element"
  case sortInsert = "sort-insert"
  case sortUpdate = "sort-update"
  case sortChange = "sort-change"
  case groupInsert = "group-insert"
  case groupUpdate = "group-update"
  case chainElement = "chain-element"
  case chainInsert = "chain-insert"
  case mapElement = "map-element"
  case mapScan = "map-scan"
  case sliceScan = "slice-scan"
  case uniqueBuild = "unique-build"
  case flattenScan = "flatten-scan"

  var isOfTens: Bool { self == .filterChangeOfTens || self == .filterScanOfTens }

  /// Whether no other suite does the same with integers.
  var hasIntegers: Bool {
    switch self {
    case .filterBuild, .filterChange, .filterStricter, .filterScan, .filterChangeOfTens, .filterScanOfTens, .sortBuild,
      .groupBuild:
      true
    default: false
    }
  }
}

/// What is done with a tree of n elements.
enum TreeWork: String, CaseIterable {
  case filterChange = "tree-filter-change"
  case sortBuild = "tree-sort-build"
  case outlineRow = "outline-row"
  case nestBuild = "nest-build"
}

/// An element that has a number, which is all that predicates, comparators and keys look at.
protocol NumberedElement {
  init(_ number: Int)
  var number: Int { get }
}

extension Int: NumberedElement {
  var number: Int { self }
}

final class Contact: NumberedElement {
  let number: Int
  init(_ number: Int) { self.number = number }
}

struct Entry: NumberedElement {
  let name: String
  let number: Int

  init(_ number: Int) {
    name = "entry with the number \(number)"
    self.number = number
  }
}

/// Elements to insert, made outside the timer.
struct SpareElements<Item: NumberedElement> {
  private let items: [Item]
  private var next = 0

  init(using generator: inout SplitMix) {
    items = (0..<1_024).map { _ in Item(Int.random(in: 0..<Predicates.bound, using: &generator)) }
  }

  @inline(__always)
  mutating func take() -> Item {
    next = (next &+ 1) & 1_023
    return items[next]
  }

  mutating func takeBack() { next = (next &- 1) & 1_023 }
}
