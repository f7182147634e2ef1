extension Suite {
  /// A tree of fan-out 10 with n elements, sorted by a key that is as good as random; 1,111,110 elements are six full
  /// levels.
  static var treeSort: Suite {
    Suite("tree-sort") {
      Operation(
        "build",
        build(SortableBranches.self),
        build(SortableForest.self),
        Subject(SortedArrays.self) { context in
          Trial(NumberedTree(n: context.n), elementsPerOperation: context.n) { tree in
            SortedArrays(tree, multiplier: multipliers[0]).total
          }
        })
      Operation(
        "change", change(TreeSortSubject<SortableBranches>.self), change(TreeSortSubject<SortableForest>.self),
        change(SortedArrays.self))
      Operation(
        "edit", edit(TreeSortSubject<SortableBranches>.self), edit(TreeSortSubject<SortableForest>.self),
        edit(SortedArrays.self))
      // A filter below, and an outline above.
      Operation(
        "pipeline-build",
        buildPipeline(SortableBranches.self),
        buildPipeline(SortableForest.self),
        Subject(FilteredRows.self) { context in
          Trial(NumberedTree(n: context.n), elementsPerOperation: context.n) { tree in
            FilteredRows(tree, multiplier: multipliers[0]).count
          }
        })
      Operation("pipeline-edit", editPipeline(SortableBranches.self), editPipeline(SortableForest.self), editRows)
    }
  }

  private static var multipliers: [UInt32] { [2_654_435_761, 2_246_822_519] }

  /// The sorted tree alone, and a look at every level: its source is there.
  @inline(__always)
  private static func build<Source: SortableTree>(_: Source.Type) -> Subject {
    Subject(Source.subject, .library) { context in
      Trial(Source(NumberedTree(n: context.n)), elementsPerOperation: context.n) { source in
        TreeSortSubject<Source>.build(source, multiplier: multipliers[0])
      }
    }
  }

  /// Another comparator sorts every level otherwise, and one observer is told.
  @inline(__always)
  private static func change<Sorted: TreeSorting>(_: Sorted.Type) -> Subject {
    Subject(Sorted.self) { context in
      var sorted = Sorted(NumberedTree(n: context.n), multiplier: multipliers[0])
      let heard = Heard()
      sorted.observer = { heard.sum &+= $0 }
      return Trial((sorted, heard, 0), elementsPerOperation: context.n) { state, operations in
        for _ in 0..<operations {
          state.2 = 1 - state.2
          state.0.change(multiplier: multipliers[state.2])
        }
        return state.1.sum
      }
    }
  }

  /// A leaf is inserted in a random folder, and one observer told.
  @inline(__always)
  private static func edit<Sorted: TreeSorting>(_: Sorted.Type) -> Subject {
    .folderEdit { Sorted($0, multiplier: multipliers[0]) }
  }

  // MARK: A filter below, and an outline above

  /// The three views, with all that passes expanded: their source is there.
  @inline(__always)
  private static func buildPipeline<Source: SortableTree>(_: Source.Type) -> Subject {
    Subject(PipelineSubject<Source>.name, .library) { context in
      Trial(Source(NumberedTree(n: context.n)), elementsPerOperation: context.n) { source in
        PipelineSubject<Source>.build(source, multiplier: multipliers[0]).count
      }
    }
  }

  /// A leaf that passes is inserted in a random folder, and one observer of the outline told.
  @inline(__always)
  private static func editPipeline<Source: SortableTree>(_: Source.Type) -> Subject {
    .folderEdit { PipelineSubject<Source>($0, multiplier: multipliers[0]) }
  }

  private static var editRows: Subject { .folderEdit { FilteredRows($0, multiplier: multipliers[0]) } }
}
