@_spi(NodeAuthors) import Assemblage

extension Suite {
  /// A map of n random integers to other integers: by a node at each read, or in an array that `map` made.
  static var map: Suite {
    Suite("map") {
      Operation(
        "element",
        node { map, _, context in
          Trial((map, context.places())) { state, operations in
            total(operations) { state.0.element(at: state.1.next())! }
          }
        },
        array { elements, context in
          Trial((elements.map { transform($0) }, context.places())) {
            state, operations in
            total(operations) { state.0[state.1.next()] }
          }
        })
      // One element is inserted, and an observer reads the mapped element.
      Operation(
        "edit",
        node { map, source, context in
          let received = Heard()
          let observation = map.observe { [unowned map] change in
            received.sum &+= change.delta.insertions.first.flatMap { map.element(at: $0.lowerBound) } ?? 0
          }
          return Trial(
            (source, context.places(), received, observation), mostOperations: max(1, context.n / 4),
            reset: { state, operations in for _ in 0..<operations { state.0.remove(at: state.1.takeBack()) } },
            run: { state, operations in
              for _ in 0..<operations {
                let place = state.1.next()
                state.0.insert(place, at: place)
              }
              return state.2.sum
            })
        },
        array { elements, context in
          let places = context.places()
          return Trial(
            (elements, elements.map { transform($0) }, places, 0), mostOperations: max(1, context.n / 4),
            reset: { state, operations in for _ in 0..<operations { state.0.remove(at: state.2.takeBack()) } },
            run: { state, operations in
              for _ in 0..<operations {
                let place = state.2.next()
                state.0.insert(place, at: place)
                state.1 = state.0.map { transform($0) }
                state.3 &+= state.1[place]
              }
              return state.3
            })
        })
      Operation(
        "scan",
        node { map, _, context in
          Trial(map, elementsPerOperation: context.n) { map in
            var sum = 0
            map.forEachSpan(in: 0..<map.count) { _, span in sum &+= benchmark.sum(of: span) }
            return sum
          }
        },
        array { elements, context in
          Trial(elements, elementsPerOperation: context.n) { elements in
            var sum = 0
            for element in elements.map({ transform($0) }) { sum &+= element }
            return sum
          }
        })
    }
  }

  @inline(__always)
  private static func transform(_ element: Int) -> Int { element &* 7 &+ 1 }

  private static func node(
    _ trial: @escaping (MapNode<Int, Int>, ArrayNode<Int>, inout Context) -> Trial
  ) -> Subject {
    Subject("MapNode", .library) { context in
      let source = ArrayNode(context.integers(below: 1_000_000))
      return trial(MapNode(source) { transform($0) }, source, &context)
    }
  }

  private static func array(_ trial: @escaping ([Int], inout Context) -> Trial) -> Subject {
    Subject("Array.map", .competitor) { context in trial(context.integers(below: 1_000_000), &context) }
  }
}
