import Assemblage

extension Suite {
  /// Followers of n random integers: how long it takes to make them.
  ///
  /// The competitors are made of the integers once, and follow nothing.
  static var followers: Suite {
    Suite("followers") {
      Operation(
        "identity-index",
        subject("IdentityIndex", .library) { node, _ in IdentityIndex(of: node, id: { $0 }).count },
        subject("Dictionary", .competitor) { _, numbers in
          Dictionary(zip(numbers, 0...)) { first, _ in first }.count
        })
      Operation(
        "aggregate-index",
        subject("AggregateIndex", .library) { node, _ in AggregateIndex(of: node, .sum { $0 }).total },
        subject("PrefixArray", .competitor) { _, numbers in
          numbers.reduce(into: [0]) { sums, number in sums.append(sums[sums.count - 1] &+ number) }.last!
        })
      Operation(
        "anchors",
        subject("AnchorSet", .library) { node, _ in
          let anchors = AnchorSet(of: node)
          let made = (0..<node.count).map { anchors.anchor(at: [$0]) }
          return made.count
        },
        subject("Array", .competitor) { _, numbers in numbers.indices.map { $0 }.count })
    }
  }

  private static func subject(
    _ name: String, _ origin: Subject.Origin, _ make: @escaping (ArrayNode<Int>, [Int]) -> Int
  ) -> Subject {
    Subject(name, origin) { context in
      let numbers = context.integers(below: 1_000_000)
      return Trial((ArrayNode(numbers), numbers), elementsPerOperation: context.n) { state in make(state.0, state.1) }
    }
  }
}
