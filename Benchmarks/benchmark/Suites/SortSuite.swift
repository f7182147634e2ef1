import Assemblage

extension Suite {
  /// A sort of n random integers in a node.
  static var sort: Suite {
    Suite("sort") {
      Operation(
        "build",
        node { sort, source, context in
          Trial(source, elementsPerOperation: context.n, byteCount: sort.byteCount) { source in
            SortNode(source) { $0 < $1 }.count
          }
        },
        array { sort, context in
          Trial(sort.elements, elementsPerOperation: context.n, byteCount: sort.order.capacity * 8) { elements in
            PermutationArray(elements) { $0 < $1 }.count
          }
        })
      // The sort changes to a comparator that is independent of the first one, and back.
      Operation(
        "change-comparator",
        node { sort, _, context in
          Trial((sort, false), elementsPerOperation: context.n) { state, operations in
            for _ in 0..<operations {
              state.1.toggle()
              if state.1 {
                state.0.setComparator { Predicates.mixed($0) < Predicates.mixed($1) }
              } else {
                state.0.setComparator { $0 < $1 }
              }
            }
            return state.0.count
          }
        },
        array { sort, context in
          Trial((sort, false), elementsPerOperation: context.n) { state, operations in
            for _ in 0..<operations {
              state.1.toggle()
              if state.1 {
                state.0.sort { Predicates.mixed($0) < Predicates.mixed($1) }
              } else {
                state.0.sort { $0 < $1 }
              }
            }
            return state.0.count
          }
        })
      // In the next two operations, one element changes, and one observer is notified.
      Operation(
        "edit",
        node { sort, source, context in
          let received = Heard()
          let observation = sort.observe { received.sum &+= $0.delta.insertions.first?.lowerBound ?? 0 }
          return Trial(
            (source, context.places(), received, observation), mostOperations: context.n / 4,
            reset: { state, operations in for _ in 0..<operations { state.0.remove(at: state.1.takeBack()) } },
            run: { state, operations in
              for _ in 0..<operations {
                let place = state.1.next()
                state.0.insert(place &* 7_919 & (bound - 1), at: place)
              }
              return state.2.sum
            })
        },
        array { sort, context in
          var sort = sort
          let received = sort.observe()
          return Trial(
            (sort, context.places(), received), mostOperations: context.n / 4,
            reset: { state, operations in for _ in 0..<operations { state.0.remove(at: state.1.takeBack()) } },
            run: { state, operations in
              for _ in 0..<operations {
                let place = state.1.next()
                state.0.insert(place &* 7_919 & (bound - 1), at: place)
              }
              return state.2.sum
            })
        })
      Operation(
        "update",
        node { sort, source, context in
          let received = Heard()
          let observation = sort.observe { received.sum &+= $0.delta.updates.first?.lowerBound ?? 0 }
          return Trial((source, context.places(), received, observation)) { state, operations in
            for _ in 0..<operations {
              let place = state.1.next()
              state.0[place] = state.0[place] &* 7_919 & (bound - 1)
            }
            return state.2.sum
          }
        },
        array { sort, context in
          var sort = sort
          let received = sort.observe()
          return Trial((sort, context.places(), received)) { state, operations in
            for _ in 0..<operations {
              let place = state.1.next()
              state.0.update(at: place, to: state.0.elements[place] &* 7_919 & (bound - 1))
            }
            return state.2.sum
          }
        })
      Operation(
        "element",
        node { sort, _, context in
          Trial((sort, context.places())) { state, operations in
            total(operations) { state.0.element(at: state.1.next())! }
          }
        },
        array { sort, context in
          Trial((sort, context.places())) { state, operations in
            total(operations) { state.0.element(at: state.1.next()) }
          }
        })
      Operation(
        "source-to-sorted",
        node { sort, _, context in
          Trial((sort, context.places())) { state, operations in
            total(operations) { state.0.position(ofSource: state.1.next()) ?? -1 }
          }
        },
        array { sort, context in
          Trial((sort, context.places())) { state, operations in
            total(operations) { state.0.position(ofSource: state.1.next()) ?? -1 }
          }
        })
    }
  }

  /// The numbers are random in `0..<bound`.
  private static var bound: Int { 1 << 30 }

  private static func node(
    _ trial: @escaping (SortNode<Int>, ArrayNode<Int>, inout Context) -> Trial
  ) -> Subject {
    Subject("SortNode", .library) { context in
      let source = ArrayNode(context.integers(below: bound))
      return trial(SortNode(source) { $0 < $1 }, source, &context)
    }
  }

  private static func array(_ trial: @escaping (PermutationArray, inout Context) -> Trial) -> Subject {
    Subject("PermutationArray", .competitor) { context in
      trial(PermutationArray(context.integers(below: bound)) { $0 < $1 }, &context)
    }
  }
}
