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
      operations: zip(zip(works(of: Contact.self), works(of: Entry.self)), works(of: Int.self)).map { work, integers in
        let (objects, structs) = work
        let subjects = objects.subjects("object") + structs.subjects("struct")
        return Operation(
          name: objects.name, subjects: subjects + (integers.hasIntegers ? integers.subjects("Int") : []))
      })
  }

  /// A line of the table below: a name, and how the library and an array do it.
  private struct Work {
    let name: String
    /// Whether no other suite does the same with integers.
    var hasIntegers = false
    let node: (inout Context) -> Trial
    let array: (inout Context) -> Trial

    func subjects(_ kind: String) -> [Subject] {
      [
        Subject("Node<\(kind)>", .library, trial: node), Subject("Array<\(kind)>", .competitor, trial: array),
      ]
    }
  }

  // Each type calls for code of its own, as it does where a user writes it down: so there are no protocols between, and
  // this is inlined, so that its closures are compiled for the type.
  @inline(__always)
  private static func works<Item: NumberedElement>(of _: Item.Type) -> [Work] {
    var works: [Work] = []
    func add(
      _ name: String, hasIntegers: Bool = false, ofTens: Bool = false,
      _ node: @escaping (HeldInNodes<Item>) -> Trial, _ array: @escaping (HeldInArray<Item>) -> Trial
    ) {
      works.append(
        Work(
          name: name, hasIntegers: hasIntegers, node: { node(HeldInNodes($0, ofTens: ofTens)) },
          array: { array(HeldInArray($0)) }))
    }
    func add(
      tree name: String, _ node: @escaping (HeldInForest<Item>) -> Trial,
      _ array: @escaping (HeldInFolders<Item>) -> Trial
    ) {
      works.append(Work(name: name, node: { node(HeldInForest($0)) }, array: { array(HeldInFolders($0)) }))
    }

    add("filter-build", hasIntegers: true, { $0.filterBuild() }, { $0.filterBuild() })
    add("filter-change", hasIntegers: true, { $0.filterChange() }, { $0.filterChange() })
    add("filter-stricter", hasIntegers: true, { $0.filterStricter() }, { $0.filterStricter() })
    add("filter-scan", hasIntegers: true, { $0.filterScan() }, { $0.scan($0.passing) })
    add("filter-change-of-tens", hasIntegers: true, ofTens: true, { $0.filterChange() }, { $0.filterChange() })
    add("filter-scan-of-tens", hasIntegers: true, ofTens: true, { $0.filterScan() }, { $0.scan($0.passing) })
    add("sort-build", hasIntegers: true, { $0.sortBuild() }, { $0.sortBuild() })
    add("group-build", hasIntegers: true, { $0.groupBuild() }, { $0.groupBuild() })
    add("array-insert", { $0.arrayInsert() }, { $0.insert { _ in } })
    add("join-element", { $0.joinElement() }, { $0.element(of: $0.elements) })
    add("join-scan", { $0.scan($0.join) }, { $0.scan($0.elements) })
    add("join-insert", { $0.insert { join in join.observe { _ in } } }, { $0.insert { _ in } })
    add("filter-element", { $0.filterElement() }, { $0.element(of: $0.passing) })
    add("filter-insert", { $0.insert { join in FilterNode(join) { Predicates.first($0.number) }.observe { _ in } } }) {
      $0.insert { state in blackHole(state.filter { Predicates.first($0.number) }.count) }
    }
    add("sort-reverse", { $0.reorder { $0.number > $1.number } }, { $0.reorder { $0.number > $1.number } })
    add("sort-element", { $0.sortElement() }, { $0.element(of: $0.elements.sorted { $0.number < $1.number }) })
    add("sort-insert", { $0.insert { SortNode($0) { $0.number < $1.number }.observe { _ in } } }, { $0.sortInsert() })
    add("sort-update", { $0.update { SortNode($0) { $0.number < $1.number }.observe { _ in } } }, { $0.sortUpdate() })
    add("sort-change", { $0.reorder { Predicates.mixed($0.number) < Predicates.mixed($1.number) } }) {
      $0.reorder { Predicates.mixed($0.number) < Predicates.mixed($1.number) }
    }
    add("group-insert", { $0.insert { GroupNode($0) { $0.number & 255 }.observe { _ in } } }) {
      $0.insert { state in blackHole(Dictionary(grouping: state) { $0.number & 255 }.count) }
    }
    add("group-update", { $0.update { GroupNode($0) { $0.number & 255 }.observe { _ in } } }) {
      $0.update { state in blackHole(Dictionary(grouping: state) { $0.number & 255 }.count) }
    }
    add("chain-element", { $0.chainElement() }) { $0.element(of: $0.elements.filter { Predicates.links($0.number) }) }
    add("chain-insert", { $0.insert { HeldInNodes.chain(of: $0).observe { _ in } } }) {
      $0.insert { state in blackHole(state.filter { Predicates.links($0.number) }.count) }
    }
    add("map-element", { $0.mapElement() }, { $0.mapElement() })
    add("map-scan", { $0.mapScan() }, { $0.mapScan() })
    add("slice-scan", { $0.scan(SliceNode($0.join, $0.count / 4..<$0.count)) }) {
      $0.scan($0.elements[($0.elements.count / 4)...])
    }
    add("unique-build", { $0.uniqueBuild() }, { $0.uniqueBuild() })
    add("flatten-scan", { $0.scan(FlattenNode(BranchNode($0.members))) }, { $0.scan($0.elements) })
    add(tree: "tree-filter-change", { $0.filterChange() }, { $0.filterChange() })
    add(tree: "tree-sort-build", { $0.sortBuild() }, { $0.sortBuild() })
    add(tree: "outline-row", { $0.outlineRow() }, { $0.outlineRow() })
    add(tree: "nest-build", { $0.nestBuild() }, { $0.nestBuild() })
    return works
  }
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
