@_spi(NodeAuthors) import Assemblage

/// The library's subjects of the suite `elements` for trees: a forest of fan-out 10, and its elements as rows.
struct HeldInForest<Item: NumberedElement> {
  var context: Context

  private var tree: NumberedTree { NumberedTree(n: context.n) }
  private var forest: ForestNode<Item> { ForestTree(tree).forest }

  func filterChange() -> Trial {
    let filter = TreeFilterNode(forest) { isFound($0.number, 0) }
    return Trial((filter, 0), elementsPerOperation: tree.n) { state, operations in
      for _ in 0..<operations {
        state.1 = (state.1 + 1) & 127
        let remainder = state.1
        state.0.setPredicate { isFound($0.number, remainder) }
      }
      return state.0.matchCount
    }
  }

  /// Builds the sorted tree alone, and reads every level.
  func sortBuild() -> Trial {
    Trial(forest, elementsPerOperation: tree.n) { forest in
      var sum = 0
      var open: [any TreeNode<Item>] = [
        TreeSortNode(forest) { sortKey($0.number, 2_654_435_761) < sortKey($1.number, 2_654_435_761) }
      ]
      while let node = open.popLast() {
        node.forEachSpan(in: 0..<node.count) { start, span in
          for index in span.indices { sum &+= (start + index) &* span[index].number }
        }
        for position in 0..<node.count {
          if let child = node.child(at: position) { open.append(child) }
        }
      }
      return sum
    }
  }

  /// Reads a random row of a fully expanded outline.
  mutating func outlineRow() -> Trial {
    let outline = OutlineNode(forest, expansion: ExpansionState(policy: .expanded)) { $0.number }
    return Trial((outline, context.places(in: tree.n))) { state, operations in
      var sum = 0
      for _ in 0..<operations { sum &+= state.0.element(at: state.1.next())!.number }
      return sum
    }
  }

  /// Builds a nest of rows in no order that give the ids of their parents. A row's id is its number.
  mutating func nestBuild() -> Trial {
    let rows = ArrayNode((1...tree.n).shuffled(using: &context.generator).map { Item($0) })
    return Trial(rows, elementsPerOperation: tree.n) { rows in
      NestNode(rows, id: { $0.number }, parent: { $0.number <= 10 ? nil : ($0.number - 1) / 10 }).count
    }
  }
}

/// The competitors: an array of children for each folder of the same tree, the rows in one array, and a dictionary by
/// parents.
struct HeldInFolders<Item: NumberedElement> {
  var context: Context

  private var tree: NumberedTree { NumberedTree(n: context.n) }
  private var folders: [[Item]] { tree.folders.map { tree.children(of: $0).map { Item($0) } } }

  /// The children that are shown, by folder.
  private struct Shown {
    let folders: [[Item]]
    var shown: [[Item]]
    var matchCount = 0

    init(_ folders: [[Item]]) {
      self.folders = folders
      shown = folders.map { _ in [] }
    }

    /// Finds the shown children below a folder, and returns whether there are any.
    mutating func visit(_ folder: Int, _ remainder: Int) -> Bool {
      shown[folder].removeAll(keepingCapacity: true)
      for child in folders[folder] {
        let matches = isFound(child.number, remainder)
        if matches { matchCount += 1 }
        let holds = child.number < shown.count && visit(child.number, remainder)
        if matches || holds { shown[folder].append(child) }
      }
      return !shown[folder].isEmpty
    }
  }

  func filterChange() -> Trial {
    Trial((Shown(folders), 0), elementsPerOperation: tree.n) { state, operations in
      for _ in 0..<operations {
        state.1 = (state.1 + 1) & 127
        state.0.matchCount = 0
        _ = state.0.visit(0, state.1)
      }
      return state.0.matchCount
    }
  }

  func sortBuild() -> Trial {
    Trial(folders, elementsPerOperation: tree.n) { folders in
      var sum = 0
      for folder in folders {
        let sorted = folder.sorted {
          sortKey($0.number, 2_654_435_761) < sortKey($1.number, 2_654_435_761)
        }
        for (position, element) in sorted.enumerated() { sum &+= position &* element.number }
      }
      return sum
    }
  }

  mutating func outlineRow() -> Trial {
    var rows: [Item] = []
    func append(_ folder: Int) {
      for child in tree.children(of: folder) {
        rows.append(Item(child))
        append(child)
      }
    }
    append(0)
    return Trial((rows, context.places(in: tree.n))) { state, operations in
      total(operations) { state.0[state.1.next()].number }
    }
  }

  mutating func nestBuild() -> Trial {
    let rows = (1...tree.n).shuffled(using: &context.generator).map { Item($0) }
    return Trial(rows, elementsPerOperation: tree.n) { rows in
      Dictionary(grouping: rows) { $0.number <= 10 ? nil : ($0.number - 1) / 10 }[nil]?.count ?? 0
    }
  }
}
