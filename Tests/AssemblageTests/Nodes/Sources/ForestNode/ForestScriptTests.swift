@testable import Assemblage
import AssemblageTesting
import Foundation
import OffsetIndexing
import TestSupport
import Testing

/// Random edits of two forests, with nodes that are held, compared with trees of values.
@Suite struct ForestScriptTests {
  private enum Edit: CaseIterable {
    case insert, insertBelowLeaf, insertMany, insertTree, remove, takeOut, putBack, removeSubrange, move, moveAcross
    case replace, setValue, updateWhere, turn, hold, letGo, undo, rollback
  }

  private struct Cancellation: Error {}

  private struct Script {
    /// The forests and the parts that were cut out of them, with their models.
    var trees: [(node: ForestNode<Int>, model: NaiveTree<Int>)]
    /// Nodes of branches, by their values. They stay the same objects wherever the branches move.
    var held: [Int: ForestNode<Int>] = [:]
    var generator: SeededGenerator
    var next = 100

    init(_ generator: SeededGenerator, isSmall: Bool) {
      self.generator = generator
      trees = (0..<2).map { value in
        let node = isSmall ? ForestNode<Int>(value: value, small: 2, chunk: 2) : ForestNode(value: value)
        return (node, NaiveTree(value: value, children: []))
      }
    }

    mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }

    mutating func fresh() -> Int {
      next += 1
      return next
    }

    /// Returns a random place that is suitable; [] is the root.
    mutating func path(in tree: Int, where isSuitable: (IndexPath, NaiveTree<Int>) -> Bool) -> IndexPath? {
      let model = trees[tree].model
      let paths = model.paths.filter { isSuitable($0, model[$0]) }
      return paths.isEmpty ? nil : paths[number(below: paths.count)]
    }

    mutating func branch(in tree: Int) -> IndexPath { path(in: tree) { !$1.isLeaf }! }

    mutating func element(in tree: Int) -> IndexPath? { path(in: tree) { path, _ in !path.isEmpty } }

    mutating func make(_ edit: Edit) -> Bool {
      let tree = number(below: trees.count)
      let (node, model) = trees[tree]
      let parent = branch(in: tree)
      let position = number(below: model[parent].children.count + 1)
      let place = parent.appending(position)
      switch edit {
      case .insert:
        let value = fresh()
        trees[tree].model.insert(NaiveTree(value: value), at: place)
        node.insert(value, at: place)
      case .insertBelowLeaf:
        guard let leaf = path(in: tree, where: { $1.isLeaf }) else { return false }
        let value = fresh()
        trees[tree].model[leaf].isLeaf = false
        trees[tree].model[leaf].children = [NaiveTree(value: value)]
        node.insert(value, at: leaf.appending(0))
      case .insertMany:
        let values = (0..<number(below: 12)).map { _ in fresh() }
        trees[tree].model[parent].children.insert(contentsOf: values.map { NaiveTree(value: $0) }, at: position)
        node.child(at: parent)!.insert(contentsOf: values, at: position)
      case .insertTree:
        let (value, below) = (fresh(), [fresh(), fresh()])
        let new = try! ForestNode(value: value, rows: [(0, below[0]), (1, below[1])])
        trees[tree].model.insert(
          NaiveTree(
            value: value, children: [NaiveTree(value: below[0], children: [NaiveTree(value: below[1])])]), at: place)
        node.child(at: parent)!.insert(new, at: position)
      case .remove:
        guard let path = element(in: tree) else { return false }
        trees[tree].model.remove(at: path)
        node.remove(at: path)
      case .takeOut:
        guard trees.count < 5, let path = path(in: tree, where: { !$0.isEmpty && !$1.isLeaf }) else { return false }
        let subtree = trees[tree].model.remove(at: path)
        trees.append((node.remove(at: path).node as! ForestNode<Int>, subtree))
      case .putBack:
        guard trees.count > 2 else { return false }
        let index = 2 + number(below: trees.count - 2)
        let goal = number(below: index)
        let home = branch(in: goal)
        let (taken, subtree) = trees.remove(at: index)
        trees[goal].model[home].children.append(subtree)
        trees[goal].node.child(at: home)!.append(taken)
      case .removeSubrange:
        let range = generator.range(in: model[parent].children.count, longest: 4)
        trees[tree].model[parent].children.removeSubrange(range)
        node.child(at: parent)!.removeSubrange(range)
      case .move:
        guard !model[parent].children.isEmpty else { return false }
        let count = model[parent].children.count
        let (from, to) = (number(below: count), number(below: count))
        trees[tree].model.move(from: parent.appending(from), to: parent.appending(to))
        node.child(at: parent)!.move(from: from, to: to)
      case .moveAcross:
        guard let path = element(in: tree) else { return false }
        let subtree = trees[tree].model.remove(at: path)
        var goal = branch(in: tree)
        goal.append(number(below: trees[tree].model[goal].children.count + 1))
        trees[tree].model.insert(subtree, at: goal)
        node.move(from: path, to: goal)
      case .replace, .setValue:
        guard let path = path(in: tree, where: { !$0.isEmpty && (edit == .replace || !$1.isLeaf) }) else {
          return false
        }
        let value = fresh()
        if let object = held.removeValue(forKey: model[path].value!) { held[value] = object }
        trees[tree].model[path].value = value
        if edit == .replace { node.replace(at: path, with: value) } else { node.child(at: path)!.value = value }
      case .updateWhere:
        node.update { $0 % 3 == 0 }
      case .turn:
        guard let path = path(in: tree, where: { !$0.isEmpty && $1.children.isEmpty }) else { return false }
        let (above, position) = (node.child(at: path.dropLast())!, path[path.count - 1])
        trees[tree].model[path].isLeaf.toggle()
        if model[path].isLeaf {
          above.turnIntoBranch(at: position)
        } else {
          held[model[path].value!] = nil
          above.turnIntoLeaf(at: position)
        }
      case .hold:
        guard let path = path(in: tree, where: { !$0.isEmpty && !$1.isLeaf }) else { return false }
        held[model[path].value!] = node.child(at: path)!
      case .letGo:
        guard let key = held.keys.min() else { return false }
        held[key] = nil
      case .undo, .rollback:
        // All edits of all trees, and of the parts that were cut out, are reverted.
        let former = (trees, held)
        var count = 1 + number(below: 6)
        let whole = BranchNode(trees.map(\.node))
        func some() {
          while count > 0 {
            count -= 1
            _ = make(Edit.allCases[number(below: Edit.allCases.count - 2)])
          }
        }
        if edit == .rollback {
          try? whole.performUpdates {
            some()
            throw Cancellation()
          }
        } else {
          let log = UndoLog(of: whole)
          some()
          let last = trees
          while log.undo() {}
          (trees, held) = former
          #expect(check())
          while log.redo() {}
          trees = last
          #expect(check(holds: false))
          while log.undo() {}
        }
        (trees, held) = former
      }
      return true
    }

    func check(holds: Bool = true) -> Bool {
      for (node, model) in trees {
        node.arena.storage.value.checkInvariants()
        guard NaiveTree(of: node) == model, model.paths.allSatisfy({ (node.child(at: $0) == nil) == model[$0].isLeaf })
        else { return false }
        guard holds else { continue }
        for path in model.paths.dropFirst() {
          if let object = held[model[path].value!], node.child(at: path) !== object { return false }
        }
      }
      return true
    }
  }

  @Test(arguments: [true, false]) func randomScriptsAgreeWithTreesOfValues(isSmall: Bool) throws {
    var tally = OperationTally<Edit>()
    for iteration in 0..<TestSeed.iterations(10) {
      var script = Script(TestSeed.generator("forest/\(isSmall)", iteration: iteration), isSmall: isSmall)
      for _ in 0..<TestSeed.length(80) {
        let edit = tally.random(using: &script.generator)
        if script.make(edit) { tally.count(edit) }
        let isRight = script.check()
        #expect(isRight, "\(edit), script \(iteration)")
        guard isRight else { return }
      }
    }
    try tally.check()
  }
}
