@_spi(NodeAuthors) import Assemblage
import Foundation

extension Suite {
  /// Integers in a node and in an array, with edits at random places.
  static var array: Suite {
    Suite("array") {
      Operation(
        "build",
        array("ArrayNode", .library) { elements, context in
          Trial(elements, elementsPerOperation: context.n) { elements in ArrayNode(elements)[0] }
        },
        array("Array", .competitor) { elements, context in
          Trial(elements, elementsPerOperation: context.n) { elements in
            // An assignment alone would share the storage.
            var copy: [Int] = []
            copy.reserveCapacity(elements.count)
            copy.append(contentsOf: elements)
            return copy[copy.count / 2]
          }
        })
      Operation(
        "insert",
        node { node, context in
          Trial(
            (node, context.places()), mostOperations: context.n / 4,
            reset: { state, operations in for _ in 0..<operations { state.0.remove(at: state.1.takeBack()) } },
            run: { state, operations in
              for _ in 0..<operations {
                let place = state.1.next()
                state.0.insert(place, at: place)
              }
              return state.0.count
            })
        },
        array("Array", .competitor) { elements, context in
          Trial(
            (elements, context.places()), mostOperations: context.n / 4,
            reset: { state, operations in for _ in 0..<operations { state.0.remove(at: state.1.takeBack()) } },
            run: { state, operations in
              for _ in 0..<operations {
                let place = state.1.next()
                state.0.insert(place, at: place)
              }
              return state.0.count
            })
        })
      Operation(
        "remove",
        node { node, context in
          // The places stay legal while a quarter of the elements is removed.
          return Trial(
            (node, context.places(in: max(1, context.n - context.n / 4))), mostOperations: context.n / 4,
            reset: { state, operations in
              for _ in 0..<operations {
                let place = state.1.takeBack()
                state.0.insert(place, at: place)
              }
            },
            run: { state, operations in total(operations) { state.0.remove(at: state.1.next()) } })
        },
        array("Array", .competitor) { elements, context in
          Trial(
            (elements, context.places(in: max(1, context.n - context.n / 4))), mostOperations: context.n / 4,
            reset: { state, operations in
              for _ in 0..<operations {
                let place = state.1.takeBack()
                state.0.insert(place, at: place)
              }
            },
            run: { state, operations in total(operations) { state.0.remove(at: state.1.next()) } })
        })
      // One element of 16 is removed, or moved to the front, as SwiftUI asks for it.
      Operation(
        "remove-offsets",
        node { node, context in
          Trial(
            (node, node.elements), mostOperations: 1,
            reset: { state, _ in state.0.replaceSubrange(0..<state.0.count, with: state.1) },
            run: { state, _ in
              state.0.remove(atOffsets: every16th(state.0.count))
              return state.0.count
            })
        },
        // By anchors, which follow the elements.
        array("BranchNode", .library) { elements, context in
          Trial(
            (BranchNode(leaves: elements), elements), mostOperations: 1,
            reset: { state, _ in state.0 = BranchNode(leaves: state.1) },
            run: { state, _ in
              state.0.remove(atOffsets: every16th(state.0.count))
              return state.0.count
            })
        },
        array("Array", .competitor) { elements, context in
          Trial(
            (elements, elements), mostOperations: 1, reset: { state, _ in state.0 = state.1 },
            run: { state, _ in
              let offsets = every16th(state.0.count)
              state.0 = state.0.indices.filter { !offsets.contains($0) }.map { [elements = state.0] in elements[$0] }
              return state.0.count
            })
        })
      Operation(
        "move-offsets",
        node { node, context in
          Trial(
            (node, node.elements), mostOperations: 1,
            reset: { state, _ in state.0.replaceSubrange(0..<state.0.count, with: state.1) },
            run: { state, _ in
              state.0.move(fromOffsets: every16th(state.0.count), toOffset: 0)
              return state.0.count
            })
        },
        array("BranchNode", .library) { elements, context in
          Trial(
            (BranchNode(leaves: elements), elements), mostOperations: 1,
            reset: { state, _ in state.0 = BranchNode(leaves: state.1) },
            run: { state, _ in
              state.0.move(fromOffsets: every16th(state.0.count), toOffset: 0)
              return state.0.count
            })
        },
        array("Array", .competitor) { elements, context in
          Trial(
            (elements, elements), mostOperations: 1, reset: { state, _ in state.0 = state.1 },
            run: { state, _ in
              let offsets = every16th(state.0.count)
              let order = Array(offsets) + state.0.indices.filter { !offsets.contains($0) }
              state.0 = order.map { [elements = state.0] in elements[$0] }
              return state.0.count
            })
        })
      Operation(
        "element",
        node { node, context in
          Trial((node, context.places())) { state, operations in
            total(operations) { state.0.element(at: state.1.next()) ?? 0 }
          }
        },
        array("Array", .competitor) { elements, context in
          Trial((elements, context.places())) { state, operations in total(operations) { state.0[state.1.next()] } }
        })
      Operation(
        "scan",
        node { node, context in
          Trial(node, elementsPerOperation: context.n) { node in
            var sum = 0
            node.forEachSpan(in: 0..<node.count) { _, span in sum &+= benchmark.sum(of: span) }
            return sum
          }
        },
        array("Array", .competitor) { elements, context in
          Trial(elements, elementsPerOperation: context.n) { elements in sum(of: elements.span) }
        })
      Operation(
        "scan-ordered",
        node { node, context in
          Trial(node, elementsPerOperation: context.n) { node in
            var sum = 0
            node.forEachSpan(in: 0..<node.count) { _, span in sum = benchmark.orderedSum(of: span, after: sum) }
            return sum
          }
        },
        array("Array", .competitor) { elements, context in
          Trial(elements, elementsPerOperation: context.n) { elements in orderedSum(of: elements.span, after: 0) }
        })
    }
  }

  private static func every16th(_ n: Int) -> IndexSet { IndexSet(stride(from: 0, to: n, by: 16)) }

  private static func node(_ trial: @escaping (ArrayNode<Int>, inout Context) -> Trial) -> Subject {
    Subject("ArrayNode", .library) { context in trial(ArrayNode(context.integers(below: 1_000_000)), &context) }
  }

  private static func array(
    _ name: String, _ origin: Subject.Origin, _ trial: @escaping ([Int], inout Context) -> Trial
  ) -> Subject {
    Subject(name, origin) { context in trial(context.integers(below: 1_000_000), &context) }
  }
}
