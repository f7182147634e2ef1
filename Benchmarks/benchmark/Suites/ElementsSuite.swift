import Assemblage

extension Suite {
  /// The loops over elements, and edits of them, for elements that contain references.
  ///
  /// These elements are objects, and structs that hold a string. Some operations also run with integers. Each operation
  /// runs beside the same operation on an array of the same elements.
  ///
  /// The elements are in members as in the other suites, in members of ten, and in trees of fan-out 10. All other
  /// operations on integers are in the suites of the nodes.
  static var elements: Suite {
    let integers: Set = [
      "filter-build", "filter-change", "filter-stricter", "filter-scan", "filter-change-of-tens", "filter-scan-of-tens",
      "sort-build", "group-build",
    ]
    return Suite(
      "elements", of: works("object", of: Contact.self), works("struct", of: Entry.self),
      works("Int", of: Int.self).filter { integers.contains($0.operation) })
  }

  // Each type needs code of its own, as it does in a user's program. So there are no protocols between, and the
  // function is inlined, so that its closures are compiled for the type.
  @inline(__always)
  private static func works<Item: NumberedElement>(_ kind: String, of _: Item.Type) -> [Work] {
    var works: [Work] = []
    func add(
      _ name: String, _ node: @escaping (inout Context) -> Trial, beside array: @escaping (inout Context) -> Trial
    ) {
      works.append(Work(operation: name, subject: Subject("Node<\(kind)>", .library, trial: node)))
      works.append(Work(operation: name, subject: Subject("Array<\(kind)>", .competitor, trial: array)))
    }
    func add(
      _ name: String, ofTens: Bool = false, _ node: @escaping (inout HeldInNodes<Item>) -> Trial,
      _ array: @escaping (inout HeldInArray<Item>) -> Trial
    ) {
      add(name) { context in
        var held = HeldInNodes<Item>(context, ofTens: ofTens)
        return node(&held)
      } beside: { context in
        var held = HeldInArray<Item>(context)
        return array(&held)
      }
    }
    func add(
      tree name: String, _ node: @escaping (inout HeldInForest<Item>) -> Trial,
      _ array: @escaping (inout HeldInFolders<Item>) -> Trial
    ) {
      add(name) { context in
        var held = HeldInForest<Item>(context: context)
        return node(&held)
      } beside: { context in
        var held = HeldInFolders<Item>(context: context)
        return array(&held)
      }
    }

    add("filter-build", { $0.filterBuild() }, { $0.filterBuild() })
    add("filter-change", { $0.filterChange() }, { $0.filterChange() })
    add("filter-stricter", { $0.filterStricter() }, { $0.filterStricter() })
    add("filter-scan", { $0.filterScan() }, { $0.scan($0.passing) })
    add("filter-change-of-tens", ofTens: true, { $0.filterChange() }, { $0.filterChange() })
    add("filter-scan-of-tens", ofTens: true, { $0.filterScan() }, { $0.scan($0.passing) })
    add("sort-build", { $0.sortBuild() }, { $0.sortBuild() })
    add("group-build", { $0.groupBuild() }, { $0.groupBuild() })
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

  init(_ context: inout Context) {
    items = (0..<1_024).map { _ in Item(Int.random(in: 0..<Predicates.bound, using: &context.generator)) }
  }

  @inline(__always)
  mutating func take() -> Item {
    next = (next &+ 1) & 1_023
    return items[next]
  }

  mutating func takeBack() { next = (next &- 1) & 1_023 }
}
