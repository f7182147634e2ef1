import Assemblage

extension Suite {
  /// Integers in a node and in an array, with edits in random places.
  static var array: Suite {
    Suite(
      name: "array",
      operations: [
        Operation(name: "build", subjects: [buildNode, buildArray]),
        Operation(name: "insert", subjects: [insertNode, insertArray]),
        Operation(name: "remove", subjects: [removeNode, removeArray]),
        Operation(name: "element", subjects: [elementOfNode, elementOfArray]),
        Operation(name: "scan", subjects: [scanNode, scanArray]),
        Operation(name: "scan-ordered", subjects: [scanNodeInOrder, scanArrayInOrder]),
      ])
  }

  private static func elements(_ context: inout Context) -> [Int] {
    (0..<context.n).map { _ in Int.random(in: 0..<1_000_000, using: &context.generator) }
  }

  private static func node(_ trial: @escaping (ArrayNode<Int>, inout Context) -> Trial) -> Subject {
    Subject("ArrayNode", .library) { context in
      var context = context
      return trial(ArrayNode(elements(&context)), &context)
    }
  }

  private static func array(
    _ name: String, _ origin: Subject.Origin, _ trial: @escaping ([Int], inout Context) -> Trial
  ) -> Subject {
    Subject(name, origin) { context in
      var context = context
      return trial(elements(&context), &context)
    }
  }

  // MARK: build

  private static var buildNode: Subject {
    array("ArrayNode", .library) { elements, context in
      Trial(elements, elementsPerOperation: context.n) { elements in
        ArrayNode(elements)[0]
      }
    }
  }

  private static var buildArray: Subject {
    array("Array", .competitor) { elements, context in
      Trial(elements, elementsPerOperation: context.n) { elements in
        // An assignment alone would share the storage.
        var copy: [Int] = []
        copy.reserveCapacity(elements.count)
        copy.append(contentsOf: elements)
        return copy[copy.count / 2]
      }
    }
  }

  // MARK: insert, remove

  private static var insertNode: Subject {
    node { node, context in
      Trial(
        (node, Places(in: context.n, using: &context.generator)), mostOperations: context.n / 4,
        reset: { state, operations in
          for _ in 0..<operations { state.0.remove(at: state.1.takeBack()) }
        },
        run: { state, operations in
          for _ in 0..<operations {
            let place = state.1.next()
            state.0.insert(place, at: place)
          }
          return state.0.count
        })
    }
  }

  private static var insertArray: Subject {
    array("Array", .competitor) { elements, context in
      Trial(
        (elements, Places(in: context.n, using: &context.generator)), mostOperations: context.n / 4,
        reset: { state, operations in
          for _ in 0..<operations { state.0.remove(at: state.1.takeBack()) }
        },
        run: { state, operations in
          for _ in 0..<operations {
            let place = state.1.next()
            state.0.insert(place, at: place)
          }
          return state.0.count
        })
    }
  }

  private static var removeNode: Subject {
    node { node, context in
      // The places stay legal while a quarter of the elements is removed.
      let places = Places(in: max(1, context.n - context.n / 4), using: &context.generator)
      return Trial(
        (node, places), mostOperations: context.n / 4,
        reset: { state, operations in
          for _ in 0..<operations {
            let place = state.1.takeBack()
            state.0.insert(place, at: place)
          }
        },
        run: { state, operations in
          var sum = 0
          for _ in 0..<operations { sum &+= state.0.remove(at: state.1.next()) }
          return sum
        })
    }
  }

  private static var removeArray: Subject {
    array("Array", .competitor) { elements, context in
      let places = Places(in: max(1, context.n - context.n / 4), using: &context.generator)
      return Trial(
        (elements, places), mostOperations: context.n / 4,
        reset: { state, operations in
          for _ in 0..<operations {
            let place = state.1.takeBack()
            state.0.insert(place, at: place)
          }
        },
        run: { state, operations in
          var sum = 0
          for _ in 0..<operations { sum &+= state.0.remove(at: state.1.next()) }
          return sum
        })
    }
  }

  // MARK: element

  private static var elementOfNode: Subject {
    node { node, context in
      Trial((node, Places(in: context.n, using: &context.generator))) { state, operations in
        var sum = 0
        for _ in 0..<operations { sum &+= state.0.element(at: state.1.next()) ?? 0 }
        return sum
      }
    }
  }

  private static var elementOfArray: Subject {
    array("Array", .competitor) { elements, context in
      Trial((elements, Places(in: context.n, using: &context.generator))) { state, operations in
        var sum = 0
        for _ in 0..<operations { sum &+= state.0[state.1.next()] }
        return sum
      }
    }
  }

  // MARK: scan

  private static var scanNode: Subject {
    node { node, context in
      Trial(node, elementsPerOperation: context.n) { node in
        var sum = 0
        node.forEachSpan(in: 0..<node.count) { _, span in sum &+= benchmark.sum(of: span) }
        return sum
      }
    }
  }

  private static var scanArray: Subject {
    array("Array", .competitor) { elements, context in
      Trial(elements, elementsPerOperation: context.n) { elements in
        sum(of: elements)
      }
    }
  }

  private static var scanNodeInOrder: Subject {
    node { node, context in
      Trial(node, elementsPerOperation: context.n) { node in
        var sum = 0
        node.forEachSpan(in: 0..<node.count) { _, span in
          sum = benchmark.orderedSum(of: span, after: sum)
        }
        return sum
      }
    }
  }

  private static var scanArrayInOrder: Subject {
    array("Array", .competitor) { elements, context in
      Trial(elements, elementsPerOperation: context.n) { elements in
        orderedSum(of: elements, after: 0)
      }
    }
  }
}
