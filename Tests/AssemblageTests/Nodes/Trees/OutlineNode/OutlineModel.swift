import Assemblage
import Foundation
import TestSupport

/// A value with an identity. The value can change.
struct OutlineItem: Hashable, Identifiable, CustomStringConvertible {
  let id: Int
  var version = 0
  var description: String { version == 0 ? "#\(id)" : "#\(id).\(version)" }
}

/// A place of a random tree, with the node at that place.
final class OutlineModel {
  enum Kind {
    case leaf
    case branch(BranchNode<OutlineItem>)
    /// A node of leaves, without a value of its own.
    case array(ArrayNode<OutlineItem>)
  }

  var item: OutlineItem?
  var kind: Kind
  var children: [OutlineModel] = []

  init(_ item: OutlineItem?, _ kind: Kind = .leaf) {
    self.item = item
    self.kind = kind
  }

  var isNode: Bool { if case .leaf = kind { false } else { true } }

  var isBranch: Bool { if case .branch = kind { true } else { false } }

  var branch: BranchNode<OutlineItem> {
    guard case .branch(let node) = kind else { preconditionFailure("not a branch") }
    return node
  }

  var child: TreeChild<OutlineItem> {
    switch kind {
    case .leaf: .leaf(item!)
    case .branch(let node): .node(node)
    case .array(let node): .node(node)
    }
  }

  /// Returns a random subtree of new items, made of new nodes.
  static func random(depth: Int, _ nextID: inout Int, using generator: inout SeededGenerator) -> OutlineModel {
    nextID += 1
    let item = OutlineItem(id: nextID)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0..<3 where depth > 0:
      let children = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
        random(depth: depth - 1, &nextID, using: &generator)
      }
      return branch(item, children)
    case 3 where depth > 0:
      let leaves = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
        nextID += 1
        return OutlineItem(id: nextID)
      }
      let model = OutlineModel(nil, .array(ArrayNode(leaves)))
      model.children = leaves.map { OutlineModel($0) }
      return model
    default: return OutlineModel(item)
    }
  }

  static func branch(_ item: OutlineItem?, _ children: [OutlineModel]) -> OutlineModel {
    let model = OutlineModel(item, .branch(BranchNode(value: item, children.map(\.child))))
    model.children = children
    return model
  }

  /// Returns all places that satisfy a condition, each with its path.
  func places(where condition: (OutlineModel) -> Bool) -> [(path: [Int], model: OutlineModel)] {
    var found: [(path: [Int], model: OutlineModel)] = []
    func visit(_ model: OutlineModel, _ path: [Int]) {
      if condition(model) { found.append((path, model)) }
      for (position, child) in model.children.enumerated() { visit(child, path + [position]) }
    }
    visit(self, [])
    return found
  }

  /// Returns a closure that restores the present contents of the model.
  func memento() -> () -> Void {
    var memories: [(model: OutlineModel, item: OutlineItem?, children: [OutlineModel])] = []
    func visit(_ model: OutlineModel) {
      memories.append((model, model.item, model.children))
      model.children.forEach(visit)
    }
    visit(self)
    return {
      for memory in memories {
        memory.model.item = memory.item
        memory.model.children = memory.children
      }
    }
  }

  func model(at path: some Sequence<Int>) -> OutlineModel { path.reduce(self) { $0.children[$1] } }

  /// An expected row, with its path.
  struct Row: Equatable {
    var path: [Int]
    var row: OutlineRow<OutlineItem>
  }

  /// Returns the visible rows, found by a walk through the whole tree.
  func rows(_ expansion: ExpansionState<Int>) -> [Row] {
    var rows: [Row] = []
    func visit(_ model: OutlineModel, _ path: [Int]) {
      for (position, child) in model.children.enumerated() {
        let isExpanded = child.isNode && expansion.isExpanded(child.item?.id, depth: path.count)
        rows.append(
          Row(
            path: path + [position],
            row: OutlineRow(
              value: child.item, depth: path.count, hasChildren: !child.children.isEmpty, isExpanded: isExpanded,
              isLastSibling: position == model.children.count - 1)))
        if isExpanded { visit(child, path + [position]) }
      }
    }
    visit(self, [])
    return rows
  }
}
