import Assemblage
import AssemblageTesting
import Foundation
import TestSupport

/// Random edits of a forest. Some of them move a branch to another forest, or back.
///
/// ```swift
/// var script = try ForestScript("a test", iteration: 0)
/// let filter = TreeFilterNode(script.forest) { $0 % 2 == 0 }
/// for _ in 0..<30 { script.step() }
/// ```
struct ForestScript {
  private struct Cancellation: Error {}

  var generator: SeededGenerator
  let forest: ForestNode<Int>
  let other: ForestNode<Int>
  private var next = 1000

  init(_ name: String, iteration: Int) throws {
    generator = TestSeed.generator(name, iteration: iteration)
    var rows: [(Int, Int)] = []
    for number in 0..<Int.random(in: 0...40, using: &generator) {
      rows.append((Int.random(in: 0...(rows.last.map { $0.0 + 1 } ?? 0), using: &generator), number))
    }
    forest = try ForestNode(rows: rows)
    other = try ForestNode(rows: [(0, 900), (1, 901), (0, 902)])
  }

  /// Makes a single edit, or a transaction of some edits, which may be rolled back.
  ///
  /// A forest reports a branch that is removed and inserted again in one transaction as removed and inserted. So no
  /// transaction that stays removes a branch.
  mutating func step() {
    let count = Int.random(in: 1...5, using: &generator)
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: performUpdates(on: [forest, other]) { for _ in 0..<count { edit(takesOut: false) } }
    case 1:
      try? performUpdates(on: [forest, other]) { () throws -> Void in
        for _ in 0..<count { edit() }
        throw Cancellation()
      }
    default: edit()
    }
  }

  private mutating func edit(takesOut: Bool = true) {
    next += 1
    switch Int.random(in: 0..<11, using: &generator) {
    case 0, 1, 2: forest.insert(next, at: place(in: branch(below: forest), of: forest))
    case 3, 4: if let path = path(below: forest) { forest.remove(at: path) }
    case 5: if let path = path(below: forest) { forest.replace(at: path, with: next) }
    case 6, 7:
      guard let path = path(below: forest) else { return }
      let goal = branch(below: forest)
      if goal.starts(with: path) { return }
      forest.move(path, into: goal, at: place(in: goal, of: forest).last!)
    case 8:
      guard let path = path(below: forest), let parent = forest.child(at: path.dropLast()) else { return }
      if let child = forest.child(at: path) {
        if child.isEmpty { parent.turnIntoLeaf(at: path.last!) }
      } else {
        parent.turnIntoBranch(at: path.last!)
      }
    case 9: if takesOut { carry(from: forest, to: other) }
    default: if takesOut { carry(from: other, to: forest) }
    }
  }

  /// Moves a branch to another forest, where all branches in it get other handles.
  private mutating func carry(from origin: ForestNode<Int>, to goal: ForestNode<Int>) {
    guard let path = path(below: origin), let child = origin.child(at: path) else { return }
    _ = origin.remove(at: path)
    let place = place(in: branch(below: goal), of: goal)
    goal.child(at: place.dropLast())!.insert(child, at: place.last!)
  }

  private mutating func path(below node: ForestNode<Int>) -> IndexPath? {
    NaiveTree(of: node).paths.dropFirst().randomElement(using: &generator)
  }

  private mutating func branch(below node: ForestNode<Int>) -> IndexPath {
    NaiveTree(of: node).paths.filter { $0.isEmpty || node.child(at: $0) != nil }.randomElement(using: &generator)!
  }

  private mutating func place(in parent: IndexPath, of node: ForestNode<Int>) -> IndexPath {
    parent.appending(Int.random(in: 0...(node.child(at: parent)?.count ?? node.count), using: &generator))
  }
}
