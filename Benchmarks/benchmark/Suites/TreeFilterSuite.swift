import Assemblage

extension Suite {
  /// A tree of fan-out 10 with n elements. One element in 128 is a match. 1,111,110 elements are six full levels.
  static var treeFilter: Suite {
    Suite(
      "tree-filter", of: FilterSubject<BranchTree<Int>>.works, FilterSubject<ForestTree<Int>>.works, RecursiveWalk.works
    )
  }
}

extension TreeFiltering {
  @WorkList @inline(__always)
  fileprivate static var works: [Work] {
    work("build") { build(&$0) }
    // Another predicate has other matches, and one observer is notified.
    work("change") { context in
      var filter = Self(NumberedTree(n: context.n), remainder: 0)
      let received = filter.observe()
      return Trial((filter, received, 0), elementsPerOperation: context.n) { state, operations in
        for _ in 0..<operations {
          state.2 = (state.2 + 1) & 127
          state.0.change(remainder: state.2)
        }
        return state.1.sum
      }
    }
    // The next letter of a search: half of the matches stay, and one observer is notified. The change back is not
    // timed.
    work("stricter") { context in
      var filter = Self(NumberedTree(n: context.n), remainder: 0)
      let received = filter.observe()
      return Trial(
        (filter, received), elementsPerOperation: context.n, mostOperations: 1,
        reset: { state, _ in state.0.narrow(false) },
        run: { state, _ in
          state.0.narrow(true)
          return state.1.sum
        })
    }
    edit("edit") { Self($0, remainder: 0) }
  }
}
