import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Random trees with random edits at every depth, beside a model that walks everything.
@Suite struct OutlineFuzzTests {
  enum Operation: CaseIterable {
    case insertLeaf, insertSubtree, remove, replaceChild, replaceValue, moveAmongSiblings, moveToAnotherParent
    case editArray, replaceArray
    case expand, collapse, toggle, expandHidden, expandAll, collapseAll, restore, temporary
    case transaction, rollback, writeThrough
  }

  struct Stop: Error {}

  @Test func theRowsAreThoseOfANaiveWalk() throws {
    var tally = OperationTally<Operation>()
    for iteration in 0..<TestSeed.iterations(150) {
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
        // What is collapsed and expanded again within one transaction leaves and comes: only singles must be minimal.
        shadow.minimality = .fewestMoves
        let count = shadow.deliveryCount
        outline.performUpdates {
          for _ in 0..<4 {
            var inner = tally.random(using: &generator)
            if inner == .transaction || inner == .rollback { inner = .remove }
            if edit(inner, using: &generator) { tally.count(inner) }
          }
        }
        #expect(shadow.deliveryCount <= count + 1)
        tally.count(.transaction)
      } else if operation == .rollback {
        let restore = tree.memento()
        let former = expansion
        let count = shadow.deliveryCount
        #expect(throws: Stop.self) {
          try outline.performUpdates {
            for _ in 0..<4 { _ = edit(tally.random(using: &generator), using: &generator) }
            throw Stop()
          }
        }
        restore()
        expansion = former
        #expect(outline.expansion == former)
        #expect(shadow.deliveryCount == count)
        tally.count(.rollback)
      } else {
        shadow.minimality = .standard
        let count = shadow.deliveryCount
        if edit(operation, using: &generator) { tally.count(operation) }
        // A temporary expansion begins and ends: two deliveries.
        #expect(shadow.deliveryCount <= count + (operation == .temporary ? 2 : 1))
      }
      try check(operation)
    }

    func check(_ operation: Operation) throws {
      let expected = tree.rows(expansion)
      let rows = (0..<outline.count).map { row in
        let found = outline.row(at: row)
        return OutlineModel.Row(
          item: outline.element(at: row),
          row: OutlineModel.OutlineRowModel(
            path: Array(found.path), hasChildren: found.hasChildren, isExpanded: found.isExpanded,
            isLastSibling: found.isLastSibling))
      }
      try #require(rows == expected, "after \(operation)")
      for (row, expected) in expected.enumerated() {
        let path = IndexPath(indexes: expected.row.path)
        #expect(outline.row(ofPath: path) == row)
        #expect(outline.path(ofRow: row) == path)
      }
      try shadow.check()
      try checker.check(outline)
    }

    // MARK: Edits

    /// Makes one edit of the nodes and of the model; false where there is nothing to edit.
    mutating func edit(_ operation: Operation, using generator: inout SeededGenerator) -> Bool {
      switch operation {
      case .insertLeaf, .insertSubtree:
        let (_, parent) = tree.places(where: \.isBranch).randomElement(using: &generator)!
        let position = Int.random(in: 0...parent.children.count, using: &generator)
        nextID += 1
        let child =
          operation == .insertLeaf
          ? OutlineModel(OutlineItem(id: nextID)) : OutlineModel.random(depth: 3, &nextID, using: &generator)
        parent.children.insert(child, at: position)
        parent.branch.insert(child.child, at: position)
      case .remove:
        guard let parent = anyParent(&generator) else { return false }
        let position = Int.random(in: 0..<parent.children.count, using: &generator)
        parent.children.remove(at: position)
        parent.branch.remove(at: position)
      case .replaceChild:
        guard let parent = anyParent(&generator) else { return false }
        let position = Int.random(in: 0..<parent.children.count, using: &generator)
        let child = OutlineModel.random(depth: 2, &nextID, using: &generator)
        parent.children[position] = child
        parent.branch[position] = child.child
      case .replaceValue:
        guard let parent = anyParent(&generator) else { return false }
        let position = Int.random(in: 0..<parent.children.count, using: &generator)
        guard var item = parent.children[position].item else { return false }
        item.version += 1
        parent.children[position].item = item
        parent.branch.replace(at: position, with: item)
      case .moveAmongSiblings:
        guard let parent = anyParent(&generator) else { return false }
        let from = Int.random(in: 0..<parent.children.count, using: &generator)
        let to = Int.random(in: 0..<parent.children.count, using: &generator)
        parent.children.insert(parent.children.remove(at: from), at: to)
        parent.branch.move(from: from, to: to)
      case .moveToAnotherParent: return transfer(using: &generator)
      case .editArray, .replaceArray:
        let arrays = tree.places { if case .array = $0.kind { true } else { false } }
        guard let (_, model) = arrays.randomElement(using: &generator), case .array(let node) = model.kind else {
          return false
        }
        if operation == .editArray {
          nextID += 1
          let range = generator.range(in: node.count)
          node.replaceSubrange(range, with: [OutlineItem(id: nextID)])
        } else {
          node.replaceAll(with: node.elements.shuffled(using: &generator).dropFirst())
        }
        model.children = node.elements.map { OutlineModel($0) }
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
      case .transaction, .rollback: return false
      }
      #expect(outline.expansion == expansion)
      return true
    }

    private func anyParent(_ generator: inout SeededGenerator) -> OutlineModel? {
      tree.places { $0.isBranch && !$0.children.isEmpty }.randomElement(using: &generator)?.model
    }

    private mutating func transfer(using generator: inout SeededGenerator) -> Bool {
      guard let parent = anyParent(&generator) else { return false }
      let from = Int.random(in: 0..<parent.children.count, using: &generator)
      let path = tree.places { $0 === parent }[0].path + [from]
      let child = parent.children.remove(at: from)
      let goal = tree.places(where: \.isBranch).randomElement(using: &generator)!
      let to = Int.random(in: 0...goal.model.children.count, using: &generator)
      if (goal.path + [to]).starts(with: path) {
        // Refused, because it cannot be told from a move below itself.
        parent.children.insert(child, at: from)
        return false
      }
      goal.model.children.insert(child, at: to)
      tree.branch.move(from: IndexPath(indexes: path), to: IndexPath(indexes: goal.path + [to]))
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
