import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Random trees with random edits at every depth, compared with a model that walks through the whole tree.
@Suite struct TreeFilterFuzzTests {
  enum Operation: String, CaseIterable {
    // Edits of a `TreeModelEdit`.
    case insertLeaf, insertSubtree, remove, replaceChild, replaceValue, moveAmongSiblings, moveToAnotherParent
    case editArray, replaceArray, updateArray, becomeNode
    // Edits of the filter.
    case setPredicate, reevaluate, reevaluateOne
    case transaction, rollback, undo, writeThrough, watch, unwatch
  }

  struct Stop: Error {}

  @Test(arguments: TreeFilterPolicy.allCases) func whatIsShownIsWhatAWalkFinds(_ policy: TreeFilterPolicy) throws {
    var tally = OperationTally<Operation>()
    for iteration in 0..<TestSeed.iterations(10) {
      var generator = TestSeed.generator("tree filter \(policy)", iteration: iteration)
      let script = Script(policy, &generator)
      for step in 0..<TestSeed.length(40) {
        try script.step(&tally, "iteration \(iteration), step \(step)", using: &generator)
      }
      script.shadow.cancel()
    }
    try tally.check()
  }

  /// The state on which a predicate depends.
  final class Rule {
    var remainder = 0
    var modulus = 3
    /// An exception from the rule, which a test changes without a report to the filter.
    var extra = -1
    var calls = 0

    func passes(_ item: OutlineItem) -> Bool { (item.id + item.version) % modulus == remainder || item.id == extra }
  }

  final class Script {
    let tree: OutlineModel
    let filter: TreeFilterNode<OutlineItem>
    let policy: TreeFilterPolicy
    var rule: Rule
    let shadow: ShadowTree<OutlineItem>
    let outline: OutlineNode<OutlineItem, Int>
    let outlineShadow: ShadowTree<OutlineItem>
    let checker: NodeChecker<OutlineItem>
    /// Nodes of children that are observed.
    var watched: [ShadowTree<OutlineItem>] = []
    var nextID = 0

    init(_ policy: TreeFilterPolicy, _ generator: inout SeededGenerator) {
      self.policy = policy
      var children: [OutlineModel] = []
      for _ in 0..<Int.random(in: 0...5, using: &generator) {
        children.append(OutlineModel.random(depth: 4, &nextID, using: &generator))
      }
      tree = OutlineModel.branch(nil, children)
      let rule = Self.rule(&generator)
      self.rule = rule
      filter = TreeFilterNode(tree.branch, policy: policy) { rule.passes($0) }
      var checker = NodeChecker<OutlineItem>(id: \.id)
      checker.emptyLeaves = .allowed
      self.checker = checker
      shadow = ShadowTree(of: filter, checker: checker)
      outline = OutlineNode(filter, expansion: ExpansionState(policy: .expanded))
      outlineShadow = ShadowTree(of: outline, checker: checker)
    }

    static func rule(_ generator: inout SeededGenerator) -> Rule {
      let rule = Rule()
      rule.modulus = Int.random(in: 1...5, using: &generator)
      rule.remainder = Int.random(in: 0..<rule.modulus + 1, using: &generator)
      return rule
    }

    var model: TreeFilterModel { TreeFilterModel(policy: policy) { [rule] in rule.passes($0) } }

    func step(
      _ tally: inout OperationTally<Operation>, _ place: String, using generator: inout SeededGenerator
    ) throws {
      let operation = tally.random(using: &generator)
      let count = shadow.deliveryCount
      switch operation {
      case .transaction:
        let (inner, settlesOnce) = operations(tally, using: &generator)
        // A branch reports a leaf that becomes a node as a removal and an insertion.
        demand(settlesOnce && !inner.contains(.becomeNode) ? [.standard, .acrossParents] : .fewestMoves)
        filter.performUpdates {
          for inner in inner where edit(inner, using: &generator) { tally.count(inner) }
        }
        #expect(shadow.deliveryCount <= count + 1, "\(place)")
      case .rollback:
        let restore = tree.memento()
        let former = rule
        let (inner, settlesOnce) = operations(tally, using: &generator)
        demand([])
        #expect(throws: Stop.self) {
          try filter.performUpdates {
            for inner in inner { _ = edit(inner, using: &generator) }
            throw Stop()
          }
        }
        restore()
        rule = former
        #expect(shadow.deliveryCount <= (settlesOnce ? count : count + 1), "\(place)")
      case .undo:
        let restore = tree.memento()
        demand(.fewestMoves)
        let log = UndoLog(of: filter)
        let inner = tally.random(using: &generator)
        guard inner.isEdit, inner != .setPredicate, inner != .reevaluate, inner != .reevaluateOne,
          edit(inner, using: &generator)
        else { return }
        try check("\(place), \(inner) before undo")
        let redo = tree.memento()
        log.undo()
        restore()
        try check("\(place), undo of \(inner)")
        log.redo()
        redo()
      case .watch:
        guard let node = child(using: &generator) else { return }
        watched.append(ShadowTree(of: node, checker: checker))
      case .unwatch:
        guard !watched.isEmpty else { return }
        watched.remove(at: Int.random(in: 0..<watched.count, using: &generator))
      default:
        // A branch reports a leaf that becomes a node as a removal and an insertion.
        demand(operation == .becomeNode ? .fewestMoves : [.standard, .acrossParents])
        guard edit(operation, using: &generator) else { return }
        #expect(shadow.deliveryCount <= count + 1, "\(place)")
      }
      tally.count(operation)
      try check("\(place), \(operation)")
    }

    /// Returns the operations of a transaction. If all are edits of the tree, no operation reads the filter, so the
    /// transaction settles once.
    private func operations(
      _ tally: OperationTally<Operation>, using generator: inout SeededGenerator
    ) -> (operations: [Operation], settlesOnce: Bool) {
      let settlesOnce = generator.chance(1, in: 2)
      var operations: [Operation] = []
      while operations.count < 4 {
        let operation = tally.random(using: &generator)
        if operation.isEdit, !settlesOnce || TreeModelEdit(rawValue: operation.rawValue) != nil {
          operations.append(operation)
        }
      }
      return (operations, settlesOnce)
    }

    private func demand(_ minimality: Minimality) {
      for shadow in [shadow, outlineShadow] + watched { shadow.minimality = minimality }
    }

    func check(_ place: String) throws {
      let expected = model.children(of: tree)
      try #require(NaiveTree(of: filter).children == expected, "\(place)")
      do {
        try shadow.check()
        for shadow in watched { try shadow.check() }
        try checker.check(filter)
      } catch {
        Issue.record(error, "\(place)")
        throw error
      }
      var rows: [OutlineItem?] = []
      func visit(_ tree: NaiveTree<OutlineItem>) {
        rows.append(tree.value)
        tree.children.forEach(visit)
      }
      expected.forEach(visit)
      try outlineShadow.check()
      try #require((0..<outline.count).map { outline.element(at: $0) } == rows, "\(place)")
      if place.hashValue % 4 == 0 || policy != .hidingSubtrees {
        try #require(filter.matchCount == model.matchCount(of: tree), "\(place)")
      }
      for (path, place) in tree.places(where: { $0 !== tree }).prefix(8) {
        let source = IndexPath(indexes: path)
        guard let shown = filter.path(ofSource: source) else { continue }
        #expect(filter.sourcePath(of: shown) == source)
        #expect(filter.element(at: shown) == place.item)
        #expect(filter.isMatch(at: shown) == model.isMatch(place))
        if policy != .hidingSubtrees { #expect(filter.matchCount(at: shown) == model.matchCount(of: place)) }
      }
    }

    /// Returns a shown node, at any depth.
    private func child(using generator: inout SeededGenerator) -> (any TreeNode<OutlineItem>)? {
      var found: [any TreeNode<OutlineItem>] = []
      var open: [any TreeNode<OutlineItem>] = [filter]
      while let node = open.popLast() {
        for position in 0..<node.count {
          guard let child = node.child(at: position) else { continue }
          found.append(child)
          open.append(child)
        }
      }
      return found.randomElement(using: &generator)
    }
  }
}

extension TreeFilterFuzzTests.Operation {
  /// Whether the operation may be part of a transaction.
  var isEdit: Bool {
    switch self {
    case .transaction, .rollback, .undo, .watch, .unwatch: false
    default: true
    }
  }
}

// MARK: Edits

extension TreeFilterFuzzTests.Script {
  /// Makes one edit of the nodes and of the model; returns false where there is nothing to edit.
  func edit(_ operation: TreeFilterFuzzTests.Operation, using generator: inout SeededGenerator) -> Bool {
    if let edit = TreeModelEdit(rawValue: operation.rawValue) {
      return tree.edit(edit, nextID: &nextID, using: &generator)
    }
    switch operation {
    case .setPredicate:
      let rule = Self.rule(&generator)
      self.rule = rule
      let nodes = tree.places(where: \.isNode).count
      if nodes % 2 == 0 {
        filter.setPredicate { rule.passes($0) }
      } else {
        (filter.count > 0 ? filter.child(at: 0) as? TreeFilterNode ?? filter : filter).setPredicate { rule.passes($0) }
      }
    case .reevaluate, .reevaluateOne:
      // The new predicate reads a rule of its own. A rollback of the setting restores the former predicate with its
      // rule.
      let rule = Self.copy(rule)
      filter.setPredicate { rule.passes($0) }
      self.rule = Self.copy(rule)
      guard let (path, place) = tree.places(where: { $0.item != nil }).randomElement(using: &generator) else {
        return true
      }
      if rule.extra >= 0 {
        // Another element was the exception, so the predicate must be called for all elements.
        self.rule.extra = place.item!.id
        rule.extra = place.item!.id
        filter.refresh()
      } else {
        self.rule.extra = place.item!.id
        rule.extra = place.item!.id
        if operation == .reevaluate || policy == .hidingSubtrees {
          filter.refresh()
        } else {
          filter.refresh(at: IndexPath(indexes: path))
        }
      }
    case .writeThrough: return writeThrough(using: &generator)
    default: return false
    }
    return true
  }

  private static func copy(_ rule: TreeFilterFuzzTests.Rule) -> TreeFilterFuzzTests.Rule {
    let copy = TreeFilterFuzzTests.Rule()
    copy.remainder = rule.remainder
    copy.modulus = rule.modulus
    copy.extra = rule.extra
    return copy
  }

  private func writeThrough(using generator: inout SeededGenerator) -> Bool {
    let shown = tree.places(where: { $0 !== tree }).compactMap { filter.path(ofSource: IndexPath(indexes: $0.path)) }
    guard let path = shown.randomElement(using: &generator) else { return false }
    let source = filter.sourcePath(of: path)!
    let parent = tree.model(at: source.dropLast())
    nextID += 1
    if generator.chance(1, in: 2) {
      let position = path.last! == 0 ? 0 : filter.sourcePath(of: path.dropLast() + [path.last! - 1])!.last! + 1
      filter.insert(OutlineItem(id: nextID), at: path)
      parent.children.insert(OutlineModel(OutlineItem(id: nextID)), at: position)
    } else {
      filter.remove(at: path)
      parent.children.remove(at: source.last!)
    }
    return true
  }
}
