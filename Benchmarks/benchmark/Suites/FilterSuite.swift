@_spi(NodeAuthors) import Assemblage

extension Suite {
  /// A filter over a join of n random integers in 1,000 members. A third of the elements passes.
  static var filter: Suite {
    Suite("filter") {
      Operation(
        "build",
        node { filter, source, context in
          Trial(source, elementsPerOperation: context.n, byteCount: filter.byteCount) { source in
            FilterNode(source.join) { Predicates.first($0) }.count
          }
        },
        positions { filter, places, context in
          Trial(places.members, elementsPerOperation: context.n, byteCount: filter.positions.capacity * 8) { members in
            FilteredPositions(members: members) { Predicates.first($0) }.count
          }
        },
        array { all, passing, context in
          Trial(all, elementsPerOperation: context.n, byteCount: passing.capacity * 8) { all in
            all.filter { Predicates.first($0) }.count
          }
        })
      // The filter changes from one predicate to another and back.
      Operation(
        "change",
        node { filter, source, context in
          Trial((filter, false), elementsPerOperation: context.n) { state, operations in
            for _ in 0..<operations {
              state.1.toggle()
              if state.1 {
                state.0.setPredicate { Predicates.second($0) }
              } else {
                state.0.setPredicate { Predicates.first($0) }
              }
            }
            return state.0.count
          }
        },
        positions { filter, _, context in
          Trial((filter, false), elementsPerOperation: context.n) { state, operations in
            for _ in 0..<operations {
              state.1.toggle()
              if state.1 {
                state.0.change { Predicates.second($0) }
              } else {
                state.0.change { Predicates.first($0) }
              }
            }
            return state.0.count
          }
        },
        array { all, passing, context in
          Trial((all, passing, false), elementsPerOperation: context.n) { state, operations in
            for _ in 0..<operations {
              state.2.toggle()
              if state.2 {
                state.1 = state.0.filter { Predicates.second($0) }
              } else {
                state.1 = state.0.filter { Predicates.first($0) }
              }
            }
            return state.1.count
          }
        })
      // In the next two operations, one change is inside the timer, and the change back is outside.
      Operation(
        "stricter",
        node { filter, _, context in
          Trial(
            filter, elementsPerOperation: context.n, mostOperations: 1,
            reset: { filter, _ in filter.setPredicate(hint: .looser) { Predicates.first($0) } },
            run: { filter, _ in
              filter.setPredicate(hint: .stricter) { Predicates.stricter($0) }
              return filter.count
            })
        },
        positions { filter, _, context in
          Trial(
            filter, elementsPerOperation: context.n, mostOperations: 1,
            reset: { filter, _ in filter.makeLooser { Predicates.first($0) } },
            run: { filter, _ in
              filter.makeStricter { Predicates.stricter($0) }
              return filter.count
            })
        },
        array { _, passing, context in
          Trial(passing, elementsPerOperation: context.n) { passing in
            passing.filter { Predicates.stricter($0) }.count
          }
        })
      Operation(
        "looser",
        node { filter, _, context in
          Trial(
            filter, elementsPerOperation: context.n, mostOperations: 1,
            reset: { filter, _ in filter.setPredicate(hint: .stricter) { Predicates.first($0) } },
            run: { filter, _ in
              filter.setPredicate(hint: .looser) { Predicates.looser($0) }
              return filter.count
            })
        },
        positions { filter, _, context in
          Trial(
            filter, elementsPerOperation: context.n, mostOperations: 1,
            reset: { filter, _ in filter.makeStricter { Predicates.first($0) } },
            run: { filter, _ in
              filter.makeLooser { Predicates.looser($0) }
              return filter.count
            })
        },
        // The passing elements are not enough to find the hidden ones, so everything is filtered again.
        array { all, _, context in
          Trial(all, elementsPerOperation: context.n) { all in all.filter { Predicates.looser($0) }.count }
        })
      Operation(
        "element",
        node { filter, _, context in
          Trial((filter, context.places(in: max(1, filter.count)))) { state, operations in
            total(operations) { state.0.element(at: state.1.next()) ?? 0 }
          }
        },
        positions { filter, _, context in
          let filter = filter.count > 0 ? filter : FilteredPositions(members: [[1]]) { _ in true }
          return Trial((filter, context.places(in: filter.count))) { state, operations in
            total(operations) { state.0.element(at: state.1.next()) }
          }
        },
        array { _, passing, context in
          let passing = passing.isEmpty ? [1] : passing
          return Trial((passing, context.places(in: passing.count))) { state, operations in
            total(operations) { state.0[state.1.next()] }
          }
        })
      Operation(
        "visible-to-source",
        node { filter, source, context in
          let filter = filter.count > 0 ? filter : FilterNode(source.join) { _ in true }
          return Trial((filter, context.places(in: filter.count))) { state, operations in
            total(operations) { state.0.sourcePosition(of: state.1.next()) }
          }
        },
        positions { filter, _, context in
          let filter = filter.count > 0 ? filter : FilteredPositions(members: [[1]]) { _ in true }
          return Trial((filter, context.places(in: filter.count))) { state, operations in
            total(operations) { state.0.sourcePosition(of: state.1.next()) }
          }
        })
      Operation(
        "source-to-visible",
        node { filter, _, context in
          Trial((filter, context.places())) { state, operations in
            var sum = 0
            for _ in 0..<operations { sum &+= state.0.position(ofSource: state.1.next()) ?? -1 }
            return sum
          }
        },
        positions { filter, _, context in
          Trial((filter, context.places())) { state, operations in
            var sum = 0
            for _ in 0..<operations { sum &+= state.0.position(ofSource: state.1.next()) ?? -1 }
            return sum
          }
        })
      // One insertion in a member reaches one observer through join and filter.
      Operation(
        "edit",
        node { filter, source, context in
          let received = Heard()
          let observation = filter.observe { change in
            if let range = change.delta.insertions.first ?? change.delta.removals.first {
              received.sum &+= range.lowerBound
            }
          }
          return Trial(
            (source.members, source.places, received, observation), mostOperations: context.n / 4,
            reset: { state, operations in
              for _ in 0..<operations {
                let place = state.1.takeBack()
                state.0[place.member].remove(at: place.position)
              }
            },
            run: { state, operations in
              for _ in 0..<operations {
                let place = state.1.next()
                state.0[place.member].insert(place.element, at: place.position)
              }
              return state.2.sum
            })
        },
        positions { filter, places, context in
          var filter = filter
          let received = filter.observe()
          return Trial(
            (filter, places, received), mostOperations: context.n / 4,
            reset: { state, operations in
              for _ in 0..<operations {
                let place = state.1.takeBack()
                state.0.remove(member: place.member, position: place.position)
              }
            },
            run: { state, operations in
              for _ in 0..<operations {
                let place = state.1.next()
                state.0.insert(place.element, member: place.member, position: place.position) {
                  Predicates.first($0)
                }
              }
              return state.2.sum
            })
        })
      // In both scans, the time is the time of one visible element.
      Operation(
        "scan",
        node { filter, _, _ in
          Trial(filter, elementsPerOperation: filter.count) { filter in
            var sum = 0
            filter.forEachSpan(in: 0..<filter.count) { _, span in sum &+= benchmark.sum(of: span) }
            return sum
          }
        },
        positions { filter, _, _ in Trial(filter, elementsPerOperation: filter.count) { filter in filter.sum() } },
        array { _, passing, _ in
          Trial(passing, elementsPerOperation: passing.count) { passing in sum(of: passing.span) }
        })
      Operation(
        "scan-ordered",
        node { filter, _, _ in
          Trial(filter, elementsPerOperation: filter.count) { filter in
            var sum = 0
            filter.forEachSpan(in: 0..<filter.count) { _, span in sum = benchmark.orderedSum(of: span, after: sum) }
            return sum
          }
        },
        positions { filter, _, _ in
          Trial(filter, elementsPerOperation: filter.count) { filter in filter.orderedSum() }
        },
        array { _, passing, _ in
          Trial(passing, elementsPerOperation: passing.count) { passing in orderedSum(of: passing.span, after: 0) }
        })
    }
  }

  // MARK: Sources

  private struct Source {
    let places: MemberPlaces
    let members: [ArrayNode<Int>]
    let join: JoinNode<Int>

    init(_ context: inout Context) {
      places = MemberPlaces(&context)
      members = places.members.map { ArrayNode($0) }
      join = JoinNode(members)
    }
  }

  private static func node(_ trial: @escaping (FilterNode<Int>, Source, inout Context) -> Trial) -> Subject {
    Subject("FilterNode", .library) { context in
      let source = Source(&context)
      return trial(FilterNode(source.join) { Predicates.first($0) }, source, &context)
    }
  }

  private static func positions(
    _ trial: @escaping (FilteredPositions, MemberPlaces, inout Context) -> Trial
  ) -> Subject {
    Subject("PositionArray", .competitor) { context in
      let places = MemberPlaces(&context)
      let filter = FilteredPositions(members: places.members) { Predicates.first($0) }
      return trial(filter, places, &context)
    }
  }

  /// All elements in one array, and the passing elements in another.
  private static func array(
    _ trial: @escaping (_ all: [Int], _ passing: [Int], inout Context) -> Trial
  ) -> Subject {
    Subject("Array.filter", .competitor) { context in
      let places = MemberPlaces(&context)
      let all = Array(places.members.joined())
      return trial(all, all.filter { Predicates.first($0) }, &context)
    }
  }
}
