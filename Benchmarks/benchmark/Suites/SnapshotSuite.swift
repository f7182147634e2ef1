import Assemblage

extension Suite {
  /// A filter that shows half of a join of 1,000 arrays, which hold n integers.
  static var snapshot: Suite {
    Suite(
      name: "snapshot",
      operations: [
        Operation(name: "take", subjects: [take, takeFirst, takeArray]),
        Operation(name: "edit", subjects: [editAlone, editAfterSnapshot, editObserved]),
        Operation(name: "difference", subjects: [difference, differenceOfArrays]),
        Operation(name: "scan", subjects: [scan, scanNode]),
        Operation(name: "take-tree", subjects: [takeForest, takeTree]),
        Operation(name: "edit-tree", subjects: [editForestAlone, editForestAfterSnapshot]),
      ])
  }

  /// The filter, and the arrays below it.
  private struct Scene {
    let lists: [ArrayNode<Int>]
    let join: JoinNode<Int>
    let filter: FilterNode<Int>
    /// What an edit has to leave as it is.
    var kept: TreeSnapshot<Int>?
    var token: NodeObservation?
    var next = 0

    init(count: Int) {
      let size = max(1, count / 1_000)
      lists = (0..<1_000).map { ArrayNode($0 * size..<($0 + 1) * size) }
      join = JoinNode(lists)
      filter = FilterNode(join) { $0 % 2 == 0 }
    }

    /// Replaces one element by another that is shown.
    mutating func edit() {
      next = (next + 617) % 1_000
      let list = lists[next]
      list[next % list.count] = 2 * next
    }
  }

  private static var take: Subject {
    Subject("FilterNode.snapshot", .library) { context in
      Trial(Scene(count: context.n)) { state, operations in
        var sum = 0
        for _ in 0..<operations { sum &+= state.filter.snapshot().count }
        return sum
      }
    }
  }

  /// Behind a change of the join's members.
  private static var takeFirst: Subject {
    Subject("the first", .library) { context in
      Trial(Scene(count: context.n), mostOperations: 64) { state, operations in
        var sum = 0
        for _ in 0..<operations {
          if state.join.memberCount > 1_000 {
            state.join.removeMember(at: 1_000)
          } else {
            state.join.appendMember(ArrayNode())
          }
          sum &+= state.filter.snapshot().count
        }
        return sum
      }
    }
  }

  private static var takeArray: Subject {
    Subject("Array(FilterNode)", .competitor) { context in
      Trial(Scene(count: context.n), mostOperations: 1) { state, operations in
        var sum = 0
        for _ in 0..<operations { sum &+= Array(state.filter).count }
        return sum
      }
    }
  }

  private static var editAlone: Subject {
    Subject("no snapshot", .library) { context in
      Trial(Scene(count: context.n)) { state, operations in
        for _ in 0..<operations { state.edit() }
        return state.filter.count
      }
    }
  }

  private static var editAfterSnapshot: Subject {
    Subject("a snapshot before each", .library) { context in
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
    Subject("observe(withSnapshots:)", .library) { context in
      var scene = Scene(count: context.n)
      scene.token = scene.filter.observe(withSnapshots: { _, _, _ in })
      return Trial(scene, mostOperations: 64) { state, operations in
        for _ in 0..<operations { state.edit() }
        return state.filter.count
      }
    }
  }

  private static var difference: Subject {
    Subject("TreeSnapshot.difference", .library) { context in
      var scene = Scene(count: context.n)
      let old = scene.filter.snapshot()
      scene.edit()
      return Trial((old, scene.filter.snapshot()), mostOperations: 16) { state, operations in
        var sum = 0
        for _ in 0..<operations { sum &+= state.0.difference(to: state.1).delta.removals.count }
        return sum
      }
    }
  }

  private static var differenceOfArrays: Subject {
    Subject("Delta of two arrays", .library) { context in
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
    Subject("TreeSnapshot.forEachSpan", .library) { context in
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
    Subject("FilterNode.forEachSpan", .library) { context in
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

  // MARK: Trees

  /// A forest of n elements: folders of ten, of which each but those at the bottom is in another one.
  private struct Woods {
    let forest: ForestNode<Int>
    var kept: TreeSnapshot<Int>?
    var next = 0

    init(count: Int) {
      let branchCount = count / 10
      forest = ForestNode(0..<10) { number in
        number < branchCount ? 10 * number + 10..<min(count, 10 * number + 20) : nil
      }
    }

    /// Gives an element another value, and lets a leaf come and go.
    mutating func edit() {
      next = (next + 617) % 10
      if let branch = forest.child(at: next) as? ForestNode<Int> {
        branch.replace(at: 0, with: next)
        branch.append(next)
        branch.remove(at: branch.count - 1)
      }
    }
  }

  private static var takeForest: Subject {
    Subject("ForestNode.snapshot", .library) { context in
      Trial(Woods(count: context.n)) { state, operations in
        var sum = 0
        for _ in 0..<operations { sum &+= state.forest.snapshot().count }
        return sum
      }
    }
  }

  private static var takeTree: Subject {
    Subject("a copy of the values", .library) { context in
      Trial(Woods(count: context.n), mostOperations: 1) { state, operations in
        var sum = 0
        for _ in 0..<operations { sum &+= state.forest.snapshot().mapValues { $0 }.placeCount }
        return sum
      }
    }
  }

  private static var editForestAlone: Subject {
    Subject("no snapshot", .library) { context in
      Trial(Woods(count: context.n), mostOperations: 64) { state, operations in
        for _ in 0..<operations { state.edit() }
        return state.forest.count
      }
    }
  }

  private static var editForestAfterSnapshot: Subject {
    Subject("a snapshot before each", .library) { context in
      Trial(Woods(count: context.n), mostOperations: 64) { state, operations in
        for _ in 0..<operations {
          state.kept = state.forest.snapshot()
          state.edit()
        }
        return state.forest.count
      }
    }
  }
}
