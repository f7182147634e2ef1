import Assemblage

extension Suite {
  /// n random integers in a node, and sorted.
  static var sort: Suite {
    Suite(
      name: "sort",
      operations: [
        Operation(name: "build", subjects: [buildNode, buildArray]),
        Operation(name: "change-comparator", subjects: [changeNode, changeArray]),
        Operation(name: "edit", subjects: [editNode, editArray]),
        Operation(name: "update", subjects: [updateNode, updateArray]),
        Operation(name: "element", subjects: [elementOfNode, elementOfArray]),
        Operation(name: "source-to-sorted", subjects: [sortedOfNode, sortedOfArray]),
      ])
  }

  /// The numbers are random in `0..<bound`.
  private static var bound: Int { 1 << 30 }

  private static func elements(_ context: inout Context) -> [Int] {
    (0..<context.n).map { _ in Int.random(in: 0..<bound, using: &context.generator) }
  }

  private static func node(
    _ trial: @escaping (SortNode<Int>, ArrayNode<Int>, inout Context) -> Trial
  ) -> Subject {
    Subject("SortNode", .library) { context in
      var context = context
      let source = ArrayNode(elements(&context))
      return trial(SortNode(source) { $0 < $1 }, source, &context)
    }
  }

  private static func array(_ trial: @escaping (PermutationArray, inout Context) -> Trial) -> Subject {
    Subject("PermutationArray", .competitor) { context in
      var context = context
      return trial(PermutationArray(elements(&context)) { $0 < $1 }, &context)
    }
  }

  // MARK: build

  private static var buildNode: Subject {
    node { sort, source, context in
      Trial(
        source, elementsPerOperation: context.n, bytesPerElement: Double(sort.byteCount) / Double(context.n)
      ) { source in
        SortNode(source) { $0 < $1 }.count
      }
    }
  }

  private static var buildArray: Subject {
    array { sort, context in
      Trial(
        sort.elements, elementsPerOperation: context.n,
        bytesPerElement: Double(sort.order.capacity * 8) / Double(context.n)
      ) { elements in
        PermutationArray(elements) { $0 < $1 }.count
      }
    }
  }

  // MARK: change-comparator, to one that has nothing to do with the other, and back

  private static var changeNode: Subject {
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
    }
  }

  private static var changeArray: Subject {
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
    }
  }

  // MARK: edit and update: one element, to one observer

  private static var editNode: Subject {
    node { sort, source, context in
      let heard = Heard()
      let observation = sort.observe { heard.sum &+= $0.delta.insertions.first?.lowerBound ?? 0 }
      let places = Places(in: context.n, using: &context.generator)
      return Trial(
        (source, places, heard, observation), mostOperations: context.n / 4,
        reset: { state, operations in
          for _ in 0..<operations { state.0.remove(at: state.1.takeBack()) }
        },
        run: { state, operations in
          for _ in 0..<operations {
            let place = state.1.next()
            state.0.insert(place &* 7_919 & (bound - 1), at: place)
          }
          return state.2.sum
        })
    }
  }

  private static var editArray: Subject {
    array { sort, context in
      var sort = sort
      let heard = Heard()
      sort.observer = { heard.sum &+= $0 }
      let places = Places(in: context.n, using: &context.generator)
      return Trial(
        (sort, places, heard), mostOperations: context.n / 4,
        reset: { state, operations in
          for _ in 0..<operations { state.0.remove(at: state.1.takeBack()) }
        },
        run: { state, operations in
          for _ in 0..<operations {
            let place = state.1.next()
            state.0.insert(place &* 7_919 & (bound - 1), at: place)
          }
          return state.2.sum
        })
    }
  }

  private static var updateNode: Subject {
    node { sort, source, context in
      let heard = Heard()
      let observation = sort.observe { heard.sum &+= $0.delta.updates.first?.lowerBound ?? 0 }
      let places = Places(in: context.n, using: &context.generator)
      return Trial((source, places, heard, observation)) { state, operations in
        for _ in 0..<operations {
          let place = state.1.next()
          state.0[place] = state.0[place] &* 7_919 & (bound - 1)
        }
        return state.2.sum
      }
    }
  }

  private static var updateArray: Subject {
    array { sort, context in
      var sort = sort
      let heard = Heard()
      sort.observer = { heard.sum &+= $0 }
      let places = Places(in: context.n, using: &context.generator)
      return Trial((sort, places, heard)) { state, operations in
        for _ in 0..<operations {
          let place = state.1.next()
          state.0.update(at: place, to: state.0.elements[place] &* 7_919 & (bound - 1))
        }
        return state.2.sum
      }
    }
  }

  // MARK: element, source-to-sorted

  private static var elementOfNode: Subject {
    node { sort, _, context in
      Trial((sort, Places(in: context.n, using: &context.generator))) { state, operations in
        var sum = 0
        for _ in 0..<operations { sum &+= state.0.element(at: state.1.next())! }
        return sum
      }
    }
  }

  private static var elementOfArray: Subject {
    array { sort, context in
      Trial((sort, Places(in: context.n, using: &context.generator))) { state, operations in
        var sum = 0
        for _ in 0..<operations { sum &+= state.0.element(at: state.1.next()) }
        return sum
      }
    }
  }

  private static var sortedOfNode: Subject {
    node { sort, _, context in
      Trial((sort, Places(in: context.n, using: &context.generator))) { state, operations in
        var sum = 0
        for _ in 0..<operations { sum &+= state.0.position(ofSource: state.1.next()) ?? -1 }
        return sum
      }
    }
  }

  private static var sortedOfArray: Subject {
    array { sort, context in
      Trial((sort, Places(in: context.n, using: &context.generator))) { state, operations in
        var sum = 0
        for _ in 0..<operations { sum &+= state.0.position(ofSource: state.1.next()) ?? -1 }
        return sum
      }
    }
  }
}
