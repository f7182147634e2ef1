@_spi(NodeAuthors) import Assemblage
import Foundation

extension Suite {
  /// Views above each other, beyond the number through which values are read by calls. Also chains of n `BranchNode`s
  /// (`chain-…`).
  static var deep: Suite {
    Suite("deep") {
      Operation("scan", filters(32, scan), filters(33, scan), filters(64, scan), array(scan), filters(200, scan))
      Operation("element", filters(32, element), filters(33, element), filters(64, element), array(element))
      Operation(
        "chain-path",
        Subject("BranchNode", .library) { context in
          let (root, bottom) = chain(context.n)
          return Trial((root, bottom)) { state, operations in
            total(operations) { state.0.path(of: state.1)?.count ?? 0 }
          }
        })
      Operation(
        "chain-row-of-path",
        Subject("OutlineNode", .library) { context in
          let (root, _) = chain(context.n)
          let outline = OutlineNode(root, expansion: ExpansionState(policy: .expanded), id: { $0 })
          let path = IndexPath(indexes: Array(repeating: 0, count: context.n))
          return Trial((outline, path)) { state, operations in
            total(operations) { state.0.row(ofPath: state.1) ?? 0 }
          }
        })
    }
  }

  /// Filters of n integers, each of which hides another integer.
  private static func filters(_ depth: Int, _ trial: @escaping (any TreeNode<Int>, inout Context) -> Trial) -> Subject {
    Subject("\(depth) filters", .library) { context in
      var node: any TreeNode<Int> = ArrayNode(context.integers(below: 1_000_000))
      for level in 0..<depth { node = FilterNode(node) { $0 != level } }
      return trial(node, &context)
    }
  }

  private static func array(_ trial: @escaping (any TreeNode<Int>, inout Context) -> Trial) -> Subject {
    Subject("Array.filter", .competitor) { context in
      trial(ArrayNode(context.integers(below: 1_000_000).filter { $0 >= 64 }), &context)
    }
  }

  private static func scan(_ node: any TreeNode<Int>, _ context: inout Context) -> Trial {
    Trial(node, elementsPerOperation: context.n) { node in
      var sum = 0
      node.forEachSpan(in: 0..<node.count) { _, span in sum &+= benchmark.sum(of: span) }
      return sum
    }
  }

  private static func element(_ node: any TreeNode<Int>, _ context: inout Context) -> Trial {
    Trial((node, context.places(in: max(1, node.count)))) { state, operations in
      total(operations) { state.0.element(at: state.1.next()) ?? 0 }
    }
  }

  /// A chain of branches, each the only child of the one above.
  private static func chain(_ depth: Int) -> (root: BranchNode<Int>, bottom: BranchNode<Int>) {
    let bottom = BranchNode(value: depth, leaves: [0])
    var node = bottom
    for level in 1..<max(2, depth) { node = BranchNode(value: level, [node]) }
    return (node, bottom)
  }
}
