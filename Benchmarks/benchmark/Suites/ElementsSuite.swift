import Assemblage

extension Suite {
  /// The loops over elements, with elements that have references beside integers: in members as the other suites have them,
  /// and in members of ten elements.
  static var elements: Suite {
    Suite(
      name: "elements",
      operations: Work.allCases.map { work in
        Operation(
          name: work.rawValue,
          subjects: subjects(Contact.self, "object", work) + subjects(Entry.self, "struct", work)
            + subjects(Int.self, "Int", work))
      })
  }

  // Each type calls for code of its own, as it does where a user writes it down: so there are no protocols between.
  private static func subjects<Item: MeasuredElement>(
    _ type: Item.Type, _ name: String, _ work: Work
  ) -> [Subject] {
    [
      Subject("Node<\(name)>") { HeldInNodes<Item>($0, ofTen: work.isOfTens).trial(work) },
      Subject("Array<\(name)>") { HeldInArray<Item>($0).trial(work) },
    ]
  }
}

/// What is done with n elements.
private enum Work: String, CaseIterable {
  case build = "filter-build"
  case change = "filter-change"
  case makeStricter = "filter-stricter"
  case scan = "filter-scan"
  case changeOfTens = "filter-change-of-tens"
  case scanOfTens = "filter-scan-of-tens"
  case sort = "sort-build"
  case group = "group-build"

  var isOfTens: Bool { self == .changeOfTens || self == .scanOfTens }
}

/// An element that has a number, which is all that predicates, comparators and keys look at.
private protocol MeasuredElement {
  init(_ number: Int)
  var number: Int { get }
}

extension Int: MeasuredElement {
  fileprivate var number: Int { self }
}

private final class Contact: MeasuredElement {
  let number: Int
  init(_ number: Int) { self.number = number }
}

private struct Entry: MeasuredElement {
  let name: String
  let number: Int

  init(_ number: Int) {
    name = "entry with the number \(number)"
    self.number = number
  }
}

private struct HeldInNodes<Item: MeasuredElement> {
  let count: Int
  let join: JoinNode<Item>
  let filter: FilterNode<Item>

  init(_ context: Context, ofTen: Bool) {
    var generator = context.generator
    count = context.n
    let all = MemberPlaces(n: context.n, bound: Predicates.bound, using: &generator).members
    if ofTen {
      let elements = Array(all.joined())
      join = JoinNode(
        stride(from: 0, to: count, by: 10).map { start in
          ArrayNode(elements[start..<min(start + 10, elements.count)].map { Item($0) })
        })
    } else {
      join = JoinNode(all.map { ArrayNode($0.map { Item($0) }) })
    }
    filter = FilterNode(join) { Predicates.first($0.number) }
  }

  func trial(_ work: Work) -> Trial {
    switch work {
    case .build: build()
    case .change, .changeOfTens: change()
    case .makeStricter: makeStricter()
    case .scan, .scanOfTens: scan()
    case .sort: sort()
    case .group: group()
    }
  }

  func build() -> Trial {
    Trial(join, elementsPerOperation: count) { join in FilterNode(join) { Predicates.first($0.number) }.count }
  }

  func change() -> Trial {
    Trial((filter, false), elementsPerOperation: count) { state, operations in
      for _ in 0..<operations {
        state.1.toggle()
        if state.1 {
          state.0.setPredicate { Predicates.second($0.number) }
        } else {
          state.0.setPredicate { Predicates.first($0.number) }
        }
      }
      return state.0.count
    }
  }

  func makeStricter() -> Trial {
    Trial(
      filter, elementsPerOperation: count, mostOperations: 1,
      reset: { filter, _ in filter.setPredicate(hint: .looser) { Predicates.first($0.number) } },
      run: { filter, _ in
        filter.setPredicate(hint: .stricter) { Predicates.stricter($0.number) }
        return filter.count
      })
  }

  func scan() -> Trial {
    Trial(filter, elementsPerOperation: filter.count) { filter in
      var sum = 0
      filter.forEachSpan(in: 0..<filter.count) { _, span in
        for index in span.indices { sum &+= span[index].number }
      }
      return sum
    }
  }

  func sort() -> Trial {
    Trial(join, elementsPerOperation: count) { join in SortNode(join) { $0.number < $1.number }.count }
  }

  func group() -> Trial {
    Trial(join, elementsPerOperation: count) { join in GroupNode(join) { $0.number & 255 }.count }
  }
}

private struct HeldInArray<Item: MeasuredElement> {
  let elements: [Item]
  let passing: [Item]

  init(_ context: Context) {
    var generator = context.generator
    let members = MemberPlaces(n: context.n, bound: Predicates.bound, using: &generator).members
    elements = members.joined().map { Item($0) }
    passing = elements.filter { Predicates.first($0.number) }
  }

  func trial(_ work: Work) -> Trial {
    switch work {
    case .build: build()
    case .change, .changeOfTens: change()
    case .makeStricter: makeStricter()
    case .scan, .scanOfTens: scan()
    case .sort: sort()
    case .group: group()
    }
  }

  func build() -> Trial {
    Trial(elements, elementsPerOperation: elements.count) { $0.filter { Predicates.first($0.number) }.count }
  }

  func change() -> Trial {
    Trial((elements, passing, false), elementsPerOperation: elements.count) { state, operations in
      for _ in 0..<operations {
        state.2.toggle()
        if state.2 {
          state.1 = state.0.filter { Predicates.second($0.number) }
        } else {
          state.1 = state.0.filter { Predicates.first($0.number) }
        }
      }
      return state.1.count
    }
  }

  func makeStricter() -> Trial {
    Trial(passing, elementsPerOperation: elements.count) { $0.filter { Predicates.stricter($0.number) }.count }
  }

  func scan() -> Trial {
    Trial(passing, elementsPerOperation: passing.count) { passing in
      var sum = 0
      for element in passing { sum &+= element.number }
      return sum
    }
  }

  func sort() -> Trial {
    Trial(elements, elementsPerOperation: elements.count) { $0.sorted { $0.number < $1.number }.count }
  }

  func group() -> Trial {
    Trial(elements, elementsPerOperation: elements.count) { Dictionary(grouping: $0) { $0.number & 255 }.count }
  }
}
