import Assemblage

extension Suite {
  /// A user's own data through a join, a filter, a sort, a tree filter and an outline, each beside plain arrays.
  ///
  /// An operation takes all elements, so its time is that of the whole. An edit inserts the first element once more at
  /// the end, reads the count, and takes the element away again.
  static func input(_ data: InputData) -> Suite {
    let edits = [
      edit("join-edit", data, node: { JoinNode([$0, ArrayNode<Int>([])]) }) { elements, _ in elements + [] },
      edit("filter-edit", data, node: { source, tree in FilterNode(source) { tree.isFound($0) } }) { elements, tree in
        elements.filter { tree.isFound($0) }
      },
      edit("sort-edit", data, node: { source, tree in SortNode(source) { tree.precedes($0, $1) } }) { elements, tree in
        elements.sorted { tree.precedes($0, $1) }
      },
    ]
    // Without a branch there is no row to expand.
    let outlines = data.hasBranch || data.elements.isEmpty ? [outlining(data)] : []
    return Suite(name: "input", operations: [joining(data)] + edits + [filtering(data)] + outlines)
  }

  /// The elements of all lists of children, read one after the other.
  private static func joining(_ data: InputData) -> Operation {
    Operation(
      "join-scan",
      Subject("JoinNode", .library) { context in
        let join = JoinNode(data.tree(context.n).lists.map { ArrayNode($0) })
        return Trial(join, elementsPerOperation: 1) { join in join.reduce(0) { $0 &+ $1 } }
      },
      Subject("joined arrays", .competitor) { context in
        Trial(data.tree(context.n).lists, elementsPerOperation: 1) { lists in
          lists.joined().reduce(0) { $0 &+ $1 }
        }
      })
  }

  private static func edit<Node: FlatNode<Int>>(
    _ name: String, _ data: InputData, node: @escaping (ArrayNode<Int>) -> Node,
    array: @escaping ([Int], InputTree) -> [Int]
  ) -> Operation {
    edit(name, data, node: { source, _ in node(source) }, array: array)
  }

  private static func edit<Node: FlatNode<Int>>(
    _ name: String, _ data: InputData, node: @escaping (ArrayNode<Int>, InputTree) -> Node,
    array: @escaping ([Int], InputTree) -> [Int]
  ) -> Operation {
    Operation(
      name,
      Subject("node", .library) { context in
        let source = ArrayNode(Array(0..<context.n))
        let view = node(source, data.tree(context.n))
        return Trial((source, view)) { state, operations in
          var sum = 0
          for _ in 0..<operations {
            state.0.append(0)
            sum &+= state.1.count
            state.0.remove(at: state.0.count - 1)
          }
          return sum
        }
      },
      Subject("array made anew", .competitor) { context in
        let tree = data.tree(context.n)
        return Trial(Array(0..<context.n)) { elements, operations in
          var sum = 0
          for _ in 0..<operations {
            elements.append(0)
            sum &+= array(elements, tree).count
            elements.removeLast()
          }
          return sum
        }
      })
  }

  /// The elements that are found, with their ancestors.
  private static func filtering(_ data: InputData) -> Operation {
    Operation(
      "tree-filter",
      Subject("TreeFilterNode", .library) { context in
        let tree = data.tree(context.n)
        return Trial(tree.forest, elementsPerOperation: 1) { forest in
          TreeFilterNode(forest) { tree.isFound($0) }.matchCount
        }
      },
      Subject("recursive walk", .competitor) { context in
        Trial(data.tree(context.n), elementsPerOperation: 1) { tree in
          var (shown, found): ([[Int]], Int) = (tree.children, 0)
          // Children have larger numbers than their parents.
          for number in tree.children.indices.reversed() {
            shown[number] = tree.children[number].filter { tree.isFound($0) || !shown[$0].isEmpty }
            if tree.isFound(number) { found += 1 }
          }
          blackHole(shown.count)
          return found
        }
      })
  }

  /// The rows of the expanded tree; the first branch is collapsed and expanded again.
  private static func outlining(_ data: InputData) -> Operation {
    Operation(
      "outline-toggle",
      Subject("OutlineNode", .library) { context in
        let tree = data.tree(context.n)
        let outline = OutlineNode(tree.forest, expansion: ExpansionState(policy: .expanded), id: { $0 })
        return Trial((outline, tree.firstBranch)) { state, operations in
          var sum = 0
          for _ in 0..<operations {
            state.0.toggle(row: state.1)
            sum &+= state.0.count
            state.0.toggle(row: state.1)
          }
          return sum
        }
      },
      Subject("array of rows", .competitor) { context in
        let tree = data.tree(context.n)
        return Trial(tree.rows(without: nil)) { rows, operations in
          var sum = 0
          for _ in 0..<operations {
            rows = tree.rows(without: tree.firstBranch)
            sum &+= rows.count
            rows = tree.rows(without: nil)
          }
          return sum
        }
      })
  }
}

extension InputTree {
  /// The elements as one of the library's nodes.
  fileprivate var forest: ForestNode<Int> {
    ForestNode(roots) { number in
      let below = children[number]
      return below.isEmpty ? nil : below
    }
  }

  /// The first element with children; its number is its row, because the numbers are in document order.
  fileprivate var firstBranch: Int { children.firstIndex { !$0.isEmpty } ?? 0 }

  /// The numbers of all elements in the order of their rows, except the descendants of one element.
  fileprivate func rows(without collapsed: Int?) -> [Int] {
    var rows: [Int] = []
    rows.reserveCapacity(texts.count)
    var open = Array(roots.reversed())
    while let number = open.popLast() {
      rows.append(number)
      if number != collapsed { open += children[number].reversed() }
    }
    return rows
  }
}
