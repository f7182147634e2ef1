import Assemblage

extension Suite {
  /// A tree of fan-out 10 with n elements, of which one in 128 is found; 1,111,110 elements are six full levels.
  static var treeFilter: Suite {
    Suite("tree-filter") {
      Operation(
        "build",
        // The filter alone: its source is there.
        Subject(TreeFilterSubject.self) { context in
          let root = TreeFilterSubject.folders(of: NumberedTree(n: context.n))[0]
          return Trial(root, elementsPerOperation: context.n) { root in
            TreeFilterNode(root) { isFound($0, 0) }.matchCount
          }
        },
        Subject(ForestFilterSubject.self) { context in
          let root = ForestFilterSubject.forest(of: NumberedTree(n: context.n))
          return Trial(root, elementsPerOperation: context.n) { root in
            TreeFilterNode(root) { isFound($0, 0) }.matchCount
          }
        },
        build(RecursiveWalk.self))
      Operation("change", change(TreeFilterSubject.self), change(ForestFilterSubject.self), change(RecursiveWalk.self))
      Operation(
        "stricter", narrow(TreeFilterSubject.self), narrow(ForestFilterSubject.self), narrow(RecursiveWalk.self))
      Operation("edit", edit(TreeFilterSubject.self), edit(ForestFilterSubject.self), edit(RecursiveWalk.self))
    }
  }

  @inline(__always)
  private static func build<Filter: TreeFiltering>(_: Filter.Type) -> Subject {
    Subject(Filter.self) { context in
      Trial(NumberedTree(n: context.n), elementsPerOperation: context.n) { tree in
        Filter(tree, remainder: 0).matchCount
      }
    }
  }

  /// Another predicate finds others, and one observer is told.
  @inline(__always)
  private static func change<Filter: TreeFiltering>(_: Filter.Type) -> Subject {
    Subject(Filter.self) { context in
      var filter = Filter(NumberedTree(n: context.n), remainder: 0)
      let heard = Heard()
      filter.observer = { heard.sum &+= $0 }
      return Trial((filter, heard, 0), elementsPerOperation: context.n) { state, operations in
        for _ in 0..<operations {
          state.2 = (state.2 + 1) & 127
          state.0.change(remainder: state.2)
        }
        return state.1.sum
      }
    }
  }

  /// The next letter of a search: half of the matches stay, and one observer is told. The way back is not timed.
  @inline(__always)
  private static func narrow<Filter: TreeFiltering>(_: Filter.Type) -> Subject {
    Subject(Filter.self) { context in
      var filter = Filter(NumberedTree(n: context.n), remainder: 0)
      let heard = Heard()
      filter.observer = { heard.sum &+= $0 }
      return Trial(
        (filter, heard), elementsPerOperation: context.n, mostOperations: 1,
        reset: { state, _ in state.0.narrow(false) },
        run: { state, _ in
          state.0.narrow(true)
          return state.1.sum
        })
    }
  }

  /// A leaf is inserted in a random folder, and one observer told.
  @inline(__always)
  private static func edit<Filter: TreeFiltering>(_: Filter.Type) -> Subject {
    .folderEdit { Filter($0, remainder: 0) }
  }
}
