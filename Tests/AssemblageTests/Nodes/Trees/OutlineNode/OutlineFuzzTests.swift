import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Random trees with random edits at every depth, compared with a model that walks through the whole tree.
@Suite struct OutlineFuzzTests {
  enum Operation: String, CaseIterable {
    // Edits of a `TreeModelEdit`.
    case insertLeaf, insertSubtree, remove, replaceChild, replaceValue, moveAmongSiblings, moveToAnotherParent
    case editArray, replaceArray
    // Edits of the outline.
    case expand, collapse, toggle, expandHidden, expandAll, collapseAll, restore, temporary
    case transaction, rollback, writeThrough
  }

  struct Stop: Error {}

  @Test func theRowsAreThoseOfANaiveWalk() throws {
    var tally = OperationTally<Operation>()
    for iteration in 0..<TestSeed.iterations(80) {
      var generator = TestSeed.generator("outline", iteration: iteration)
      var script = Script(&generator)
      for _ in 0..<TestSeed.length(40) {
        try script.step(&tally, using: &generator)
      }
      script.shadow.cancel()
    }
    try tally.check()
  }

  struct Script {
    let tree: OutlineModel
    let outline: OutlineNode<OutlineItem, Int>
    let shadow: ShadowTree<OutlineItem>
    let checker: NodeChecker<OutlineItem>
    var expansion: ExpansionState<Int>
    var saved: [ExpansionState<Int>] = []
    var nextID = 0

    init(_ generator: inout SeededGenerator) {
      var id = 0
      var children: [OutlineModel] = []
      for _ in 0..<Int.random(in: 0...5, using: &generator) {
        children.append(OutlineModel.random(depth: 4, &id, using: &generator))
      }
      tree = OutlineModel.branch(nil, children)
      nextID = id
      expansion = ExpansionState(policy: generator.chance(1, in: 2) ? .collapsed : .expanded)
      for _ in 0..<3 where id > 0 {
        expansion.choose(generator.chance(1, in: 2), for: Int.random(in: 1...id, using: &generator))
      }
      outline = OutlineNode(tree.branch, expansion: expansion)
      var checker = NodeChecker<OutlineItem>(id: \.id)
      checker.emptyLeaves = .allowed
      self.checker = checker
      shadow = ShadowTree(of: outline, checker: checker)
    }

    mutating func step(_ tally: inout OperationTally<Operation>, using generator: inout SeededGenerator) throws {
      let operation = tally.random(using: &generator)
      if operation == .transaction {
        let (inner, settlesOnce) = operations(tally, using: &generator)
        shadow.minimality = settlesOnce ? [.standard, .acrossParents] : .fewestMoves
        let count = shadow.deliveryCount
        outline.performUpdates {
          for inner in inner where edit(inner, using: &generator) { tally.count(inner) }
        }
        #expect(shadow.deliveryCount <= count + 1)
        tally.count(.transaction)
      } else if operation == .rollback {
        let (inner, settlesOnce) = operations(tally, using: &generator)
        shadow.minimality = []
        let restore = tree.memento()
        let former = expansion
        let count = shadow.deliveryCount
        #expect(throws: Stop.self) {
          try outline.performUpdates {
            for inner in inner { _ = edit(inner, using: &generator) }
            throw Stop()
          }
        }
        restore()
        expansion = former
        #expect(outline.expansion == former)
        #expect(shadow.deliveryCount <= (settlesOnce ? count : count + 1))
        tally.count(.rollback)
      } else {
        shadow.minimality = .standard
        let count = shadow.deliveryCount
        if edit(operation, using: &generator) { tally.count(operation) }
        // A temporary expansion begins and ends, so there are two deliveries.
        #expect(shadow.deliveryCount <= count + (operation == .temporary ? 2 : 1))
      }
      try check(operation)
    }

    /// Returns the operations of a transaction. If all are edits of the tree, no operation reads the outline, so the
    /// transaction settles once.
    private func operations(
      _ tally: OperationTally<Operation>, using generator: inout SeededGenerator
    ) -> (operations: [Operation], settlesOnce: Bool) {
      let settlesOnce = generator.chance(1, in: 2)
      var operations: [Operation] = []
      while operations.count < 4 {
        let operation = tally.random(using: &generator)
        if operation == .transaction || operation == .rollback { continue }
        if settlesOnce, TreeModelEdit(rawValue: operation.rawValue) == nil { continue }
        operations.append(operation)
      }
      return (operations, settlesOnce)
    }

    func check(_ operation: Operation) throws {
      let expected = tree.rows(expansion)
      let rows = outline.rows(in: 0..<outline.count)
      try #require(rows == expected.map(\.row), "after \(operation)")
      for (row, expected) in expected.enumerated() {
        #expect(outline.row(at: row) == expected.row && outline.element(at: row) == expected.row.value)
        let path = IndexPath(indexes: expected.path)
        #expect(outline.row(ofPath: path) == row)
        #expect(outline.path(ofRow: row) == path)
      }
      try shadow.check()
      try checker.check(outline)
    }

    // MARK: Edits

    /// Makes one edit of the nodes and of the model; returns false where there is nothing to edit.
    mutating func edit(_ operation: Operation, using generator: inout SeededGenerator) -> Bool {
      if let edit = TreeModelEdit(rawValue: operation.rawValue) {
        return tree.edit(edit, nextID: &nextID, using: &generator)
      }
      switch operation {
      case .expand, .collapse, .toggle:
        guard outline.count > 0 else { return false }
        let row = Int.random(in: 0..<outline.count, using: &generator)
        let model = tree.model(at: outline.path(ofRow: row))
        guard model.isNode, let id = model.item?.id else { return false }
        let isExpanded = expansion.isExpanded(id, depth: outline.row(at: row).depth)
        let origin = generator.chance(1, in: 2) ? ExpansionOrigin.user : .program
        switch operation {
        case .expand: outline.expand(row: row, by: origin)
        case .collapse: outline.collapse(row: row, by: origin)
        default: outline.toggle(row: row, by: origin)
        }
        expansion.choose(operation == .expand || (operation == .toggle && !isExpanded), for: id, by: origin)
      case .expandHidden:
        guard
          let (path, model) = tree.places(where: { $0.isNode && $0.item != nil }).randomElement(using: &generator)
        else { return false }
        let isExpanded = generator.chance(2, in: 3)
        outline.setExpanded(isExpanded, at: IndexPath(indexes: path))
        expansion.choose(isExpanded, for: model.item!.id)
        #expect(outline.isExpanded(at: IndexPath(indexes: path)) == isExpanded)
      case .expandAll:
        outline.expandAll()
        expansion = ExpansionState(policy: .expanded)
      case .collapseAll:
        outline.collapseAll()
        expansion = ExpansionState(policy: .collapsed)
      case .restore:
        saved.append(expansion)
        expansion = saved.randomElement(using: &generator)!
        outline.expansion = expansion
      case .temporary:
        outline.beginTemporaryExpansion(generator.chance(1, in: 2) ? .expanded : .depth(2))
        outline.endTemporaryExpansion()
      case .writeThrough: return writeThrough(using: &generator)
      default: return false
      }
      #expect(outline.expansion == expansion)
      return true
    }

    private mutating func writeThrough(using generator: inout SeededGenerator) -> Bool {
      guard outline.count > 0 else { return false }
      let row = Int.random(in: 0..<outline.count, using: &generator)
      let path = outline.path(ofRow: row)
      let parent = tree.model(at: path.dropLast())
      nextID += 1
      if generator.chance(1, in: 2) {
        outline.insert(OutlineItem(id: nextID), at: [row])
        parent.children.insert(OutlineModel(OutlineItem(id: nextID)), at: path.last!)
        #expect(outline.element(at: row)?.id == nextID)
      } else {
        outline.remove(at: [row])
        parent.children.remove(at: path.last!)
      }
      return true
    }
  }
}
