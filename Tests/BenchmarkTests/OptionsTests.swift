import Testing

@testable import benchmark

@Suite struct OptionsTests {
  private func parse(_ words: String...) throws -> Options {
    try Options(words, catalogue: Suite.catalogue)
  }

  @Test func defaultsMeasureEverything() throws {
    let options = try parse()
    #expect(options.action == .measure)
    #expect(options.suites.isEmpty && options.operations.isEmpty)
    #expect(options.sizes == [1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20])
    #expect(options.samples == 11 && options.format == .table && options.chartDirectory == nil)
  }

  @Test func everyOptionIsUnderstood() throws {
    let options = try parse(
      "--suite", "join", "--suite=filter", "--operation", "edit", "--sizes", "2^14,1024,1024", "--samples",
      "3", "--format=json", "--chart", "charts", "--seed", "7", "--compare", "old", "--baseline=base")
    #expect(options.suites == ["join", "filter"])
    #expect(options.operations == ["edit"])
    #expect(options.sizes == [1_024, 16_384])
    #expect(options.samples == 3 && options.format == .json && options.seed == 7)
    #expect(options.chartDirectory == "charts" && options.comparedRun == "old" && options.baseline == "base")
    #expect(try parse("--list").action == .list)
    #expect(try parse("--list", "--help").action == .help)
    #expect(try parse("--sizes", "2^23").sizes == [1 << 23])
  }

  @Test(arguments: [
    (["--suite", "joins"], #"there is no suite "joins""#),
    (["--operation", "compose", "--suite", "join"], #"no operation "compose""#),
    (["--sizes", "0"], "--sizes takes numbers from 1 to"),
    (["--sizes", "12,,13"], "--sizes takes numbers"),
    (["--sizes", "2^40"], "--sizes takes numbers from 0 to 26"),
    (["--sizes", ""], "--sizes takes numbers"),
    (["--samples", "none"], #"not "none""#),
    (["--samples", "0"], "from 1 to 1000"),
    (["--samples"], "--samples needs a value"),
    (["--format", "xml"], "--format takes table, markdown, json or csv"),
    (["--verbose"], #"there is no option "--verbose""#),
    (["--list=yes"], "--list takes no value"),
    (["join"], #"there is no option "join""#),
  ])
  func badOptionsAreOneSentence(words: [String], part: String) {
    let error = #expect(throws: UsageError.self) { try Options(words, catalogue: Suite.catalogue) }
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("\n") == false)
  }

  @Test func helpNamesEveryOptionAndExitCode() {
    for word in [
      "--suite", "--operation", "--sizes", "--samples", "--format", "--chart", "--seed", "--list", "--help",
      "--compare", "--baseline", "--input", "64", "65", "66", "73", "74", "debug build", "2 worse",
    ] {
      #expect(Options.help.contains(word))
    }
  }

  @Test func theListingNamesTheIssuesSuitesOperationsAndSubjects() {
    #expect(
      Suite.listing(Suite.catalogue) == """
        offset-index
          build: OffsetIndex, FenwickTree, PrefixArray, LinearScan
          offset: OffsetIndex, FenwickTree, PrefixArray, LinearScan
          locate: OffsetIndex, FenwickTree, PrefixArray, LinearScan
          update: OffsetIndex, FenwickTree, PrefixArray, LinearScan
          insert: OffsetIndex, FenwickTree, PrefixArray, LinearScan
          remove: OffsetIndex, FenwickTree, PrefixArray, LinearScan
          build-lazy: OffsetIndex, PrefixArray
        bit-index
          build: BitIndex, PositionArray
          rank: BitIndex, PositionArray
          select: BitIndex, PositionArray
          flip: BitIndex, PositionArray
          insert: BitIndex, PositionArray
        tree-index
          build: TreeIndex, NestedArrays, DepthArray
          locate: TreeIndex, NestedArrays, DepthArray
          number-of-branch: TreeIndex, NestedArrays, DepthArray
          child-position: TreeIndex, NestedArrays, DepthArray
          path: TreeIndex, NestedArrays, DepthArray
          insert-leaf: TreeIndex, NestedArrays, DepthArray
          remove-leaf: TreeIndex, NestedArrays, DepthArray
          cut-paste: TreeIndex, NestedArrays, DepthArray
          scan: TreeIndex, NestedArrays, DepthArray
          chain-build: TreeIndex, NestedArrays, DepthArray
          chain-locate: TreeIndex, NestedArrays, DepthArray
          chain-number-of-branch: TreeIndex, NestedArrays, DepthArray
          chain-child-position: TreeIndex, NestedArrays, DepthArray
          chain-path: TreeIndex, NestedArrays, DepthArray
          chain-insert-leaf: TreeIndex, NestedArrays, DepthArray
          chain-remove-leaf: TreeIndex, NestedArrays, DepthArray
          chain-cut-paste: TreeIndex, NestedArrays, DepthArray
          chain-scan: TreeIndex, NestedArrays, DepthArray
        array
          build: ArrayNode, Array
          insert: ArrayNode, Array
          remove: ArrayNode, Array
          remove-offsets: ArrayNode, BranchNode, Array
          move-offsets: ArrayNode, BranchNode, Array
          element: ArrayNode, Array
          scan: ArrayNode, Array
          scan-ordered: ArrayNode, Array
        forest
          build: ForestNode, BranchNode, NestedArrays, ForestNode<Int>, BranchNode<Int>, NestedArrays<Int>
          element: ForestNode, BranchNode, NestedArrays, ForestNode<Int>, BranchNode<Int>, NestedArrays<Int>
          insert-deepest: ForestNode, BranchNode, NestedArrays, ForestNode<Int>, BranchNode<Int>, NestedArrays<Int>
          insert-random: ForestNode, BranchNode, NestedArrays, ForestNode<Int>, BranchNode<Int>, NestedArrays<Int>
          remove-deepest: ForestNode, BranchNode, NestedArrays, ForestNode<Int>, BranchNode<Int>, NestedArrays<Int>
          remove-random: ForestNode, BranchNode, NestedArrays, ForestNode<Int>, BranchNode<Int>, NestedArrays<Int>
          update-deepest: ForestNode, BranchNode, NestedArrays, ForestNode<Int>, BranchNode<Int>, NestedArrays<Int>
          update-random: ForestNode, BranchNode, NestedArrays, ForestNode<Int>, BranchNode<Int>, NestedArrays<Int>
          move: ForestNode, BranchNode, NestedArrays, ForestNode<Int>, BranchNode<Int>, NestedArrays<Int>
          scan: ForestNode, BranchNode, NestedArrays, ForestNode<Int>, BranchNode<Int>, NestedArrays<Int>
        paths
          element: ForestNode, any TreeNode, TreeFilterNode, TreeSortNode, NestedArrays
        join
          build: JoinNode, CachedOffsets
          element: JoinNode, LinearJoin, CachedOffsets
          local-to-global: JoinNode, LinearJoin, CachedOffsets
          global-to-local: JoinNode, LinearJoin, CachedOffsets
          edit: JoinNode, LinearJoin, CachedOffsets
          member-insert: JoinNode, LinearJoin, CachedOffsets
          scan: JoinNode, LinearJoin, CachedOffsets, Array
          scan-ordered: JoinNode, LinearJoin, CachedOffsets, Array
          outline-build: JoinNode
        filter
          build: FilterNode, PositionArray, Array.filter
          change: FilterNode, PositionArray, Array.filter
          stricter: FilterNode, PositionArray, Array.filter
          looser: FilterNode, PositionArray, Array.filter
          element: FilterNode, PositionArray, Array.filter
          visible-to-source: FilterNode, PositionArray
          source-to-visible: FilterNode, PositionArray
          edit: FilterNode, PositionArray
          scan: FilterNode, PositionArray, Array.filter
          scan-ordered: FilterNode, PositionArray, Array.filter
        sort
          build: SortNode, PermutationArray
          change-comparator: SortNode, PermutationArray
          edit: SortNode, PermutationArray
          update: SortNode, PermutationArray
          element: SortNode, PermutationArray
          source-to-sorted: SortNode, PermutationArray
        group
          build: GroupNode, DictionaryGrouping
          edit: GroupNode, DictionaryGrouping
          update-key: GroupNode, DictionaryGrouping
          update-total: SortNode, SortedTotals
          element: GroupNode, DictionaryGrouping
        map
          element: MapNode, Array.map
          edit: MapNode, Array.map
          scan: MapNode, Array.map
        nest
          build: NestNode, ParentDictionary
          insert: NestNode, ParentDictionary
          change-parent: NestNode, ParentDictionary
        tree-filter
          build: TreeFilterNode, OnForest, RecursiveWalk
          change: TreeFilterNode, OnForest, RecursiveWalk
          stricter: TreeFilterNode, OnForest, RecursiveWalk
          edit: TreeFilterNode, OnForest, RecursiveWalk
        tree-sort
          build: TreeSortNode, OnForest, SortedArrays
          change: TreeSortNode, OnForest, SortedArrays
          edit: TreeSortNode, OnForest, SortedArrays
          pipeline-build: OutlineOfViews, OnForest, FilteredRows
          pipeline-edit: OutlineOfViews, OnForest, FilteredRows
        outline
          build: OutlineNode, OnForest, OnForest-Object, OnMap, OnFilter, OnSort, FlatArray
          release: OutlineNode, OnForest, OnForest-Object, OnMap, OnFilter, OnSort, FlatArray
          expand-all: OutlineNode, OnForest, OnForest-Object, OnMap, OnFilter, OnSort, FlatArray
          collapse: OutlineNode, OnForest, OnForest-Object, OnMap, OnFilter, OnSort, FlatArray
          row: OutlineNode, OnForest, OnForest-Object, OnMap, OnFilter, OnSort, FlatArray
          row-full: OutlineNode, OnForest, OnForest-Object, OnMap, OnFilter, OnSort, FlatArray
          window: OutlineNode, OnForest, OnForest-Object, OnMap, OnFilter, OnSort, FlatArray
          path-of-row: OutlineNode, OnForest, FlatArray
          row-of-path: OutlineNode, OnForest, FlatArray
          toggle: OutlineNode, OnForest, FlatArray
          edit: OutlineNode, OnForest, OnForest-Object, OnMap, OnFilter, OnSort, FlatArray
          deep-edit: OutlineNode, OnForest, OnForest-Object, OnMap, OnFilter, OnSort, FlatArray
          chain-row: OutlineNode, OnForest, FlatArray
          chain-edit: OutlineNode, OnForest, FlatArray
        hierarchy
          build: HierarchyNode, FolderObjects
          browse: HierarchyNode, FolderObjects
          window: HierarchyNode, FolderObjects
          toggle: HierarchyNode, FolderObjects
          reload: HierarchyNode, FolderObjects
        changes
          compose: Delta, IndexSets
        diff
          append-1%: Delta, CollectionDifference
          shuffle-1%: Delta, CollectionDifference
          random-10%: Delta, CollectionDifference
          reverse: Delta, CollectionDifference
          disjoint: Delta, CollectionDifference
          random-10%-names: Delta<struct>, Dictionary<struct>, Delta<object>, Dictionary<object>
        coordinator
          edit: ListCoordinator, ArrayNode.observe, CollectionDifference
          edit-in-section: SectionedListCoordinator, BranchNode.observe
        elements
          filter-build: Node<object>, Array<object>, Node<struct>, Array<struct>, Node<Int>, Array<Int>
          filter-change: Node<object>, Array<object>, Node<struct>, Array<struct>, Node<Int>, Array<Int>
          filter-stricter: Node<object>, Array<object>, Node<struct>, Array<struct>, Node<Int>, Array<Int>
          filter-scan: Node<object>, Array<object>, Node<struct>, Array<struct>, Node<Int>, Array<Int>
          filter-change-of-tens: Node<object>, Array<object>, Node<struct>, Array<struct>, Node<Int>, Array<Int>
          filter-scan-of-tens: Node<object>, Array<object>, Node<struct>, Array<struct>, Node<Int>, Array<Int>
          sort-build: Node<object>, Array<object>, Node<struct>, Array<struct>, Node<Int>, Array<Int>
          group-build: Node<object>, Array<object>, Node<struct>, Array<struct>, Node<Int>, Array<Int>
          array-insert: Node<object>, Array<object>, Node<struct>, Array<struct>
          join-element: Node<object>, Array<object>, Node<struct>, Array<struct>
          join-scan: Node<object>, Array<object>, Node<struct>, Array<struct>
          join-insert: Node<object>, Array<object>, Node<struct>, Array<struct>
          filter-element: Node<object>, Array<object>, Node<struct>, Array<struct>
          filter-insert: Node<object>, Array<object>, Node<struct>, Array<struct>
          sort-reverse: Node<object>, Array<object>, Node<struct>, Array<struct>
          sort-element: Node<object>, Array<object>, Node<struct>, Array<struct>
          sort-insert: Node<object>, Array<object>, Node<struct>, Array<struct>
          sort-update: Node<object>, Array<object>, Node<struct>, Array<struct>
          sort-change: Node<object>, Array<object>, Node<struct>, Array<struct>
          group-insert: Node<object>, Array<object>, Node<struct>, Array<struct>
          group-update: Node<object>, Array<object>, Node<struct>, Array<struct>
          chain-element: Node<object>, Array<object>, Node<struct>, Array<struct>
          chain-insert: Node<object>, Array<object>, Node<struct>, Array<struct>
          map-element: Node<object>, Array<object>, Node<struct>, Array<struct>
          map-scan: Node<object>, Array<object>, Node<struct>, Array<struct>
          slice-scan: Node<object>, Array<object>, Node<struct>, Array<struct>
          unique-build: Node<object>, Array<object>, Node<struct>, Array<struct>
          flatten-scan: Node<object>, Array<object>, Node<struct>, Array<struct>
          tree-filter-change: Node<object>, Array<object>, Node<struct>, Array<struct>
          tree-sort-build: Node<object>, Array<object>, Node<struct>, Array<struct>
          outline-row: Node<object>, Array<object>, Node<struct>, Array<struct>
          nest-build: Node<object>, Array<object>, Node<struct>, Array<struct>
        edits
          array: Node, Array
          filter: Node, Array
          sort: Node, Array
          group: Node, Array
          slice: Node, Array
          map: Node, Array
          unique: Node, Array
          join: Node, Array
          filter-sort: Node, Array
          join-filter: Node, Array
          join-filter-sort: Node, Array
        transactions
          insert: one transaction, no transaction, Array
          insert-tree: one transaction, no transaction
          hide: one transaction, no transaction, Array
          throw: rolled back, committed
          move: outline, no observer, Array of rows
        background
          set-predicate: inBackground: .concurrently, inBackground: .inSlices(of: 1 ms), FilterNode.setPredicate
          occupation: inBackground: .concurrently, inBackground: .inSlices(of: 1 ms), FilterNode.setPredicate
          set-comparator: SortNode .concurrently, SortNode .inSlices(of: 1 ms), SortNode.setComparator
          sort-occupation: SortNode .concurrently, SortNode .inSlices(of: 1 ms), SortNode.setComparator
        tracking
          build: ElementTracker, withObservationTracking
          change: ElementTracker, ArrayNode.update(at:)
        log
          load: FilterNode of JoinNode
          live-busy: FilterNode of JoinNode
          live-occupation: FilterNode of JoinNode
          frame: FilterNode of JoinNode, Array.filter
        search
          build: TextIndex, String.contains, memmem
          substring: TextIndex, String.contains, localizedStandardContains, memmem
          frequent: TextIndex, String.contains, localizedStandardContains, memmem
          objects: TextIndex, String.contains
          words: TextIndex, String.contains
          fuzzy: TextIndex, UTF8View
          best: TextIndex
          filter: TextIndex, String.contains
          narrow: TextIndex, String.contains
          filter-tree: TextIndex, String.contains
          edit: TextIndex, String.contains, memmem
        snapshot
          take: FilterNode.snapshot, the first, Array(FilterNode)
          edit: no snapshot, a snapshot before each, observeSnapshots(_:)
          difference: TreeSnapshot.difference, Delta of two arrays
          scan: TreeSnapshot.forEachSpan, FilterNode.forEachSpan
          take-tree: ForestNode.snapshot, a copy of the values
          edit-tree: no snapshot, a snapshot before each
        deep
          scan: 32 filters, 33 filters, 64 filters, Array.filter, 200 filters
          element: 32 filters, 33 filters, 64 filters, Array.filter
          chain-path: BranchNode
          chain-row-of-path: OutlineNode
        followers
          identity-index: IdentityIndex, Dictionary
          aggregate-index: AggregateIndex, PrefixArray
          anchors: AnchorSet, Array
        """)
  }
}
