extension Suite {
  /// A tree of fan-out 10 with n elements, sorted by a nearly random key. 1,111,110 elements are six full levels.
  ///
  /// Also such a tree with a filter below the sort, and an outline above (`pipeline-…`).
  static var treeSort: Suite {
    Suite(
      "tree-sort", of: SortSubject<BranchTree<Int>>.works, SortSubject<ForestTree<Int>>.works, SortedArrays.works,
      PipelineSubject<BranchTree<Int>>.pipelineWorks, PipelineSubject<ForestTree<Int>>.pipelineWorks,
      FilteredRows.pipelineWorks)
  }
}

extension TreeSorting {
  @WorkList @inline(__always)
  fileprivate static var works: [Work] {
    work("build") { build(&$0) }
    // Another comparator changes the order of every level, and one observer is notified.
    work("change") { context in
      var sorted = Self(NumberedTree(n: context.n), multiplier: sortMultipliers[0])
      let received = sorted.observe()
      return Trial((sorted, received, 0), elementsPerOperation: context.n) { state, operations in
        for _ in 0..<operations {
          state.2 = 1 - state.2
          state.0.change(multiplier: sortMultipliers[state.2])
        }
        return state.1.sum
      }
    }
    edit("edit") { Self($0, multiplier: sortMultipliers[0]) }
  }
}

extension FolderSorting {
  @WorkList @inline(__always)
  fileprivate static var pipelineWorks: [Work] {
    work("pipeline-build") { build(&$0) }
    edit("pipeline-edit") { Self($0, multiplier: sortMultipliers[0]) }
  }
}
