@_spi(NodeAuthors) import Assemblage

extension Suite {
  /// A filter that shows half of a join of 1,000 arrays, which hold n integers.
  static var snapshot: Suite {
    Suite("snapshot") {
      Operation(
        "take",
        scene("FilterNode.snapshot") { state, operations in total(operations) { state.filter.snapshot().count } },
        // The first snapshot after a change of the join's members.
        scene("the first", mostOperations: 64) { state, operations in
          total(operations) {
            if state.join.memberCount > 1_000 {
              state.join.removeMember(at: 1_000)
            } else {
              state.join.appendMember(ArrayNode())
            }
            return state.filter.snapshot().count
          }
        },
        scene("Array(FilterNode)", .competitor, mostOperations: 1) { state, operations in
          total(operations) { Array(state.filter).count }
        })
      Operation(
        "edit",
        scene("no snapshot") { state, operations in
          for _ in 0..<operations { state.edit() }
          return state.filter.count
        },
        scene("a snapshot before each", mostOperations: 64) { state, operations in
          for _ in 0..<operations {
            state.kept = state.filter.snapshot()
            state.edit()
          }
          return state.filter.count
        },
        scene("observeSnapshots(_:)", isObserved: true, mostOperations: 64) { state, operations in
          for _ in 0..<operations { state.edit() }
          return state.filter.count
        })
      Operation(
        "difference",
        Subject("TreeSnapshot.difference", .library) { context in
          var scene = Scene(count: context.n)
          let old = scene.filter.snapshot()
          scene.edit()
          return Trial((old, scene.filter.snapshot()), mostOperations: 16) { state, operations in
            total(operations) { state.0.difference(to: state.1).delta.removals.count }
          }
        },
        Subject("Delta of two arrays", .library) { context in
          var scene = Scene(count: context.n)
          let old = scene.filter.elements
          scene.edit()
          return Trial((old, scene.filter.elements), mostOperations: 1) { state, operations in
            total(operations) { Delta(from: state.0, to: state.1).removals.count }
          }
        })
      Operation(
        "scan",
        Subject("TreeSnapshot.forEachSpan", .library) { context in
          Trial(Scene(count: context.n).filter.snapshot(), elementsPerOperation: context.n) { snapshot in
            var sum = 0
            snapshot.forEachSpan(in: 0..<snapshot.count) { _, span in for index in span.indices { sum &+= span[index] }
            }
            return sum
          }
        },
        Subject("FilterNode.forEachSpan", .library) { context in
          Trial(Scene(count: context.n).filter, elementsPerOperation: context.n) { filter in
            var sum = 0
            filter.forEachSpan(in: 0..<filter.count) { _, span in for index in span.indices { sum &+= span[index] } }
            return sum
          }
        })
      Operation(
        "take-tree",
        woods("ForestNode.snapshot") { state, operations in total(operations) { state.forest.snapshot().count } },
        woods("a copy of the values", mostOperations: 1) { state, operations in
          total(operations) { state.forest.snapshot().mapValues { $0 }.placeCount }
        })
      Operation(
        "edit-tree",
        woods("no snapshot", mostOperations: 64) { state, operations in
          for _ in 0..<operations { state.edit() }
          return state.forest.count
        },
        woods("a snapshot before each", mostOperations: 64) { state, operations in
          for _ in 0..<operations {
            state.kept = state.forest.snapshot()
            state.edit()
          }
          return state.forest.count
        })
    }
  }

  private static func scene(
    _ name: String, _ origin: Subject.Origin = .library, isObserved: Bool = false, mostOperations: Int = .max,
    _ run: @escaping (inout Scene, Int) -> Int
  ) -> Subject {
    Subject(name, origin) { context in
      var scene = Scene(count: context.n)
      if isObserved { scene.token = scene.filter.observeSnapshots { _, _, _ in } }
      return Trial(scene, mostOperations: mostOperations, run: run)
    }
  }

  private static func woods(
    _ name: String, mostOperations: Int = .max, _ run: @escaping (inout Woods, Int) -> Int
  ) -> Subject {
    Subject(name, .library) { context in Trial(Woods(count: context.n), mostOperations: mostOperations, run: run) }
  }

  /// The filter, and the arrays below it.
  private struct Scene {
    let lists: [ArrayNode<Int>]
    let join: JoinNode<Int>
    let filter: FilterNode<Int>
    /// A snapshot whose contents an edit must not change.
    var kept: TreeSnapshot<Int>?
    var token: NodeObservation?
    var next = 0

    init(count: Int) {
      let size = max(1, count / 1_000)
      lists = (0..<1_000).map { ArrayNode($0 * size..<($0 + 1) * size) }
      join = JoinNode(lists)
      filter = FilterNode(join) { $0 % 2 == 0 }
    }

    /// Replaces one element by another visible one.
    mutating func edit() {
      next = (next + 617) % 1_000
      let list = lists[next]
      list[next % list.count] = 2 * next
    }
  }

  /// A forest of n elements: folders of ten, and each of them is inside another folder, except at the top level.
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

    /// Replaces the value of an element, and inserts and removes a leaf.
    mutating func edit() {
      next = (next + 617) % 10
      if let branch = forest.child(at: next) as? ForestNode<Int> {
        branch.replace(at: 0, with: next)
        branch.append(next)
        branch.remove(at: branch.count - 1)
      }
    }
  }
}
