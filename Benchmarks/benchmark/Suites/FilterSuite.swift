import Assemblage

extension Suite {
  /// A filter that a third passes, over a join of n random integers in 1,000 members.
  static var filter: Suite {
    Suite(
      name: "filter",
      operations: [
        Operation(name: "build", subjects: [buildNode, buildPositions, buildArray]),
        Operation(name: "change", subjects: [changeNode, changePositions, changeArray]),
        Operation(name: "stricter", subjects: [makeNodeStricter, makePositionsStricter, makeArrayStricter]),
        Operation(name: "looser", subjects: [makeNodeLooser, makePositionsLooser, makeArrayLooser]),
        Operation(name: "element", subjects: [elementOfNode, elementOfPositions, elementOfArray]),
        Operation(name: "visible-to-source", subjects: [sourceOfNode, sourceOfPositions]),
        Operation(name: "source-to-visible", subjects: [visibleOfNode, visibleOfPositions]),
        Operation(name: "edit", subjects: [editNode, editPositions]),
        Operation(name: "scan", subjects: [scanNode, scanPositions, scanArray]),
        Operation(
          name: "scan-ordered", subjects: [scanNodeInOrder, scanPositionsInOrder, scanArrayInOrder]),
      ])
  }

  // MARK: What is filtered

  private struct Source {
    let places: MemberPlaces
    let members: [ArrayNode<Int>]
    let join: JoinNode<Int>

    init(_ context: inout Context) {
      places = MemberPlaces(n: context.n, bound: Predicates.bound, using: &context.generator)
      members = places.members.map { ArrayNode($0) }
      join = JoinNode(members)
    }
  }

  private static func node(_ trial: @escaping (FilterNode<Int>, Source, inout Context) -> Trial) -> Subject {
    Subject("FilterNode", .library) { context in
      var context = context
      let source = Source(&context)
      return trial(FilterNode(source.join) { Predicates.first($0) }, source, &context)
    }
  }

  private static func positions(
    _ trial: @escaping (FilteredPositions, MemberPlaces, inout Context) -> Trial
  ) -> Subject {
    Subject("PositionArray", .competitor) { context in
      var context = context
      let places = MemberPlaces(n: context.n, bound: Predicates.bound, using: &context.generator)
      let filter = FilteredPositions(members: places.members) { Predicates.first($0) }
      return trial(filter, places, &context)
    }
  }

  /// All elements in one array, and those that pass in another.
  private static func array(
    _ trial: @escaping (_ all: [Int], _ passing: [Int], inout Context) -> Trial
  ) -> Subject {
    Subject("Array.filter", .competitor) { context in
      var context = context
      let places = MemberPlaces(n: context.n, bound: Predicates.bound, using: &context.generator)
      let all = Array(places.members.joined())
      return trial(all, all.filter { Predicates.first($0) }, &context)
    }
  }

  // MARK: build

  private static var buildNode: Subject {
    node { filter, source, context in
      Trial(
        source, elementsPerOperation: context.n, bytesPerElement: Double(filter.byteCount) / Double(context.n)
      ) { source in
        FilterNode(source.join) { Predicates.first($0) }.count
      }
    }
  }

  private static var buildPositions: Subject {
    positions { filter, places, context in
      Trial(
        places.members, elementsPerOperation: context.n,
        bytesPerElement: Double(filter.positions.capacity * 8) / Double(context.n)
      ) { members in
        FilteredPositions(members: members) { Predicates.first($0) }.count
      }
    }
  }

  private static var buildArray: Subject {
    array { all, passing, context in
      Trial(
        all, elementsPerOperation: context.n,
        bytesPerElement: Double(passing.capacity * 8) / Double(context.n)
      ) { all in
        all.filter { Predicates.first($0) }.count
      }
    }
  }

  // MARK: change, from one predicate to another and back

  private static var changeNode: Subject {
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
    }
  }

  private static var changePositions: Subject {
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
    }
  }

  private static var changeArray: Subject {
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
    }
  }

  // MARK: stricter and looser: one change in the timer, the way back outside

  private static var makeNodeStricter: Subject {
    node { filter, _, context in
      Trial(
        filter, elementsPerOperation: context.n, mostOperations: 1,
        reset: { filter, _ in filter.setPredicate(hint: .looser) { Predicates.first($0) } },
        run: { filter, _ in
          filter.setPredicate(hint: .stricter) { Predicates.stricter($0) }
          return filter.count
        })
    }
  }

  private static var makePositionsStricter: Subject {
    positions { filter, _, context in
      Trial(
        filter, elementsPerOperation: context.n, mostOperations: 1,
        reset: { filter, _ in filter.makeLooser { Predicates.first($0) } },
        run: { filter, _ in
          filter.makeStricter { Predicates.stricter($0) }
          return filter.count
        })
    }
  }

  private static var makeArrayStricter: Subject {
    array { _, passing, context in
      Trial(passing, elementsPerOperation: context.n) { passing in
        passing.filter { Predicates.stricter($0) }.count
      }
    }
  }

  private static var makeNodeLooser: Subject {
    node { filter, _, context in
      Trial(
        filter, elementsPerOperation: context.n, mostOperations: 1,
        reset: { filter, _ in filter.setPredicate(hint: .stricter) { Predicates.first($0) } },
        run: { filter, _ in
          filter.setPredicate(hint: .looser) { Predicates.looser($0) }
          return filter.count
        })
    }
  }

  private static var makePositionsLooser: Subject {
    positions { filter, _, context in
      Trial(
        filter, elementsPerOperation: context.n, mostOperations: 1,
        reset: { filter, _ in filter.makeStricter { Predicates.first($0) } },
        run: { filter, _ in
          filter.makeLooser { Predicates.looser($0) }
          return filter.count
        })
    }
  }

  /// What passes does not tell what does not: everything is filtered again.
  private static var makeArrayLooser: Subject {
    array { all, _, context in
      Trial(all, elementsPerOperation: context.n) { all in
        all.filter { Predicates.looser($0) }.count
      }
    }
  }

  // MARK: element, and both conversions

  private static var elementOfNode: Subject {
    node { filter, _, context in
      let places = Places(in: max(1, filter.count), using: &context.generator)
      return Trial((filter, places)) { state, operations in
        var sum = 0
        for _ in 0..<operations { sum &+= state.0.element(at: state.1.next()) ?? 0 }
        return sum
      }
    }
  }

  private static var elementOfPositions: Subject {
    positions { filter, _, context in
      let filter = filter.count > 0 ? filter : FilteredPositions(members: [[1]]) { _ in true }
      let places = Places(in: filter.count, using: &context.generator)
      return Trial((filter, places)) { state, operations in
        var sum = 0
        for _ in 0..<operations { sum &+= state.0.element(at: state.1.next()) }
        return sum
      }
    }
  }

  private static var elementOfArray: Subject {
    array { _, passing, context in
      let passing = passing.isEmpty ? [1] : passing
      let places = Places(in: passing.count, using: &context.generator)
      return Trial((passing, places)) { state, operations in
        var sum = 0
        for _ in 0..<operations { sum &+= state.0[state.1.next()] }
        return sum
      }
    }
  }

  private static var sourceOfNode: Subject {
    node { filter, source, context in
      let filter = filter.count > 0 ? filter : FilterNode(source.join) { _ in true }
      let places = Places(in: filter.count, using: &context.generator)
      return Trial((filter, places)) { state, operations in
        var sum = 0
        for _ in 0..<operations { sum &+= state.0.sourcePosition(of: state.1.next()) }
        return sum
      }
    }
  }

  private static var sourceOfPositions: Subject {
    positions { filter, _, context in
      let filter = filter.count > 0 ? filter : FilteredPositions(members: [[1]]) { _ in true }
      let places = Places(in: filter.count, using: &context.generator)
      return Trial((filter, places)) { state, operations in
        var sum = 0
        for _ in 0..<operations { sum &+= state.0.sourcePosition(of: state.1.next()) }
        return sum
      }
    }
  }

  private static var visibleOfNode: Subject {
    node { filter, _, context in
      let places = Places(in: context.n, using: &context.generator)
      return Trial((filter, places)) { state, operations in
        var sum = 0
        for _ in 0..<operations { sum &+= state.0.position(ofSource: state.1.next()) ?? -1 }
        return sum
      }
    }
  }

  private static var visibleOfPositions: Subject {
    positions { filter, _, context in
      let places = Places(in: context.n, using: &context.generator)
      return Trial((filter, places)) { state, operations in
        var sum = 0
        for _ in 0..<operations { sum &+= state.0.position(ofSource: state.1.next()) ?? -1 }
        return sum
      }
    }
  }

  // MARK: edit: one insertion in a member, through join and filter, to one observer

  private static var editNode: Subject {
    node { filter, source, context in
      let heard = Heard()
      let observation = filter.observe { change in
        if let range = change.delta.insertions.first ?? change.delta.removals.first {
          heard.sum &+= range.lowerBound
        }
      }
      return Trial(
        (source.members, source.places, heard, observation), mostOperations: context.n / 4,
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
    }
  }

  private static var editPositions: Subject {
    positions { filter, places, context in
      var filter = filter
      let heard = Heard()
      filter.observer = { heard.sum &+= $0 }
      return Trial(
        (filter, places, heard), mostOperations: context.n / 4,
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
    }
  }

  // MARK: scan: for each visible element

  private static var scanNode: Subject {
    node { filter, _, _ in
      Trial(filter, elementsPerOperation: filter.count) { filter in
        var sum = 0
        filter.forEachSpan(in: 0..<filter.count) { _, span in sum &+= benchmark.sum(of: span) }
        return sum
      }
    }
  }

  private static var scanPositions: Subject {
    positions { filter, _, _ in
      Trial(filter, elementsPerOperation: filter.count) { filter in
        filter.sum()
      }
    }
  }

  private static var scanArray: Subject {
    array { _, passing, _ in
      Trial(passing, elementsPerOperation: passing.count) { passing in
        sum(of: passing)
      }
    }
  }

  private static var scanNodeInOrder: Subject {
    node { filter, _, _ in
      Trial(filter, elementsPerOperation: filter.count) { filter in
        var sum = 0
        filter.forEachSpan(in: 0..<filter.count) { _, span in
          sum = benchmark.orderedSum(of: span, after: sum)
        }
        return sum
      }
    }
  }

  private static var scanPositionsInOrder: Subject {
    positions { filter, _, _ in
      Trial(filter, elementsPerOperation: filter.count) { filter in
        filter.orderedSum()
      }
    }
  }

  private static var scanArrayInOrder: Subject {
    array { _, passing, _ in
      Trial(passing, elementsPerOperation: passing.count) { passing in
        orderedSum(of: passing, after: 0)
      }
    }
  }
}
