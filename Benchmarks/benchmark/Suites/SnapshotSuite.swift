import Assemblage

extension Suite {
  /// A filter that shows half of a join of 1,000 arrays, which hold n integers.
  static var snapshot: Suite {
    Suite(
      name: "snapshot",
      operations: [
        Operation(name: "take", subjects: [take, takeArray]),
        Operation(name: "edit", subjects: [editAlone, editAfterSnapshot, editObserved]),
        Operation(name: "difference", subjects: [difference, differenceOfArrays]),
        Operation(name: "scan", subjects: [scan, scanNode]),
      ])
  }

  /// The filter, and the arrays below it.
  private struct Scene {
    let lists: [ArrayNode<Int>]
    let filter: FilterNode<Int>
    /// What an edit has to leave as it is.
    var kept: FlatSnapshot<Int>?
    var token: NodeObservation?
    var next = 0

    init(count: Int) {
      let size = max(1, count / 1_000)
      lists = (0..<1_000).map { ArrayNode($0 * size..<($0 + 1) * size) }
      filter = FilterNode(JoinNode(lists)) { $0 % 2 == 0 }
    }

    /// Replaces one element by another that is shown.
    mutating func edit() {
      next = (next + 617) % 1_000
      let list = lists[next]
      list[next % list.count] = 2 * next
    }
  }

  private static var take: Subject {
    Subject("FilterNode.snapshot") { context in
      Trial(Scene(count: context.n)) { state, operations in
        var sum = 0
        for _ in 0..<operations { sum &+= state.filter.snapshot().count }
        return sum
      }
    }
  }

  private static var takeArray: Subject {
    Subject("Array(FilterNode)") { context in
      Trial(Scene(count: context.n), mostOperations: 1) { state, operations in
        var sum = 0
        for _ in 0..<operations { sum &+= Array(state.filter).count }
        return sum
      }
    }
  }

  private static var editAlone: Subject {
    Subject("no snapshot") { context in
      Trial(Scene(count: context.n)) { state, operations in
        for _ in 0..<operations { state.edit() }
        return state.filter.count
      }
    }
  }

  private static var editAfterSnapshot: Subject {
    Subject("a snapshot before each") { context in
      Trial(Scene(count: context.n), mostOperations: 64) { state, operations in
        for _ in 0..<operations {
          state.kept = state.filter.snapshot()
          state.edit()
        }
        return state.filter.count
      }
    }
  }

  private static var editObserved: Subject {
    Subject("observe(withSnapshots:)") { context in
      var scene = Scene(count: context.n)
      scene.token = scene.filter.observe(withSnapshots: { _, _, _ in })
      return Trial(scene, mostOperations: 64) { state, operations in
        for _ in 0..<operations { state.edit() }
        return state.filter.count
      }
    }
  }

  private static var difference: Subject {
    Subject("FlatSnapshot.difference") { context in
      var scene = Scene(count: context.n)
      let old = scene.filter.snapshot()
      scene.edit()
      return Trial((old, scene.filter.snapshot()), mostOperations: 16) { state, operations in
        var sum = 0
        for _ in 0..<operations { sum &+= state.0.difference(to: state.1).removals.count }
        return sum
      }
    }
  }

  private static var differenceOfArrays: Subject {
    Subject("Delta of two arrays") { context in
      var scene = Scene(count: context.n)
      let old = scene.filter.elements
      scene.edit()
      return Trial((old, scene.filter.elements), mostOperations: 1) { state, operations in
        var sum = 0
        for _ in 0..<operations { sum &+= Delta(from: state.0, to: state.1).removals.count }
        return sum
      }
    }
  }

  private static var scan: Subject {
    Subject("FlatSnapshot.forEachSpan") { context in
      Trial(
        Scene(count: context.n).filter.snapshot(), elementsPerOperation: context.n,
        each: { state in
          var sum = 0
          state.forEachSpan(in: 0..<state.count) { _, span in
            for index in span.indices { sum &+= span[index] }
          }
          return sum
        })
    }
  }

  private static var scanNode: Subject {
    Subject("FilterNode.forEachSpan") { context in
      Trial(
        Scene(count: context.n).filter, elementsPerOperation: context.n,
        each: { state in
          var sum = 0
          state.forEachSpan(in: 0..<state.count) { _, span in
            for index in span.indices { sum &+= span[index] }
          }
          return sum
        })
    }
  }
}
