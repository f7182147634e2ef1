@testable import Assemblage
import Foundation
import TestSupport
import Testing

/// Places followed through the change sets of random edits of a tree, compared with the places of its elements.
@Suite struct ChangeSetMapTests {
  @Test func everyPlaceIsFoundAfterAndBefore() throws {
    for iteration in 0..<TestSeed.iterations(150) {
      var generator = TestSeed.generator("change-set-map", iteration: iteration)
      var lastID = 0
      func tree(_ depth: Int) -> TreeChild<Int> {
        lastID += 1
        if depth == 0 || generator.chance(1, in: 3) { return .leaf(lastID) }
        let id = lastID
        return .node(BranchNode(value: id, (0..<Int.random(in: 0...3, using: &generator)).map { _ in tree(depth - 1) }))
      }
      let root = BranchNode((0..<3).map { _ in tree(3) })
      var received: [ChangeSet] = []
      let token = root.observe { received.append($0) }
      func places() -> [Int: [Int]] {
        let paths = TreeSnapshot(of: root).paths.filter { !$0.isEmpty }
        return Dictionary(uniqueKeysWithValues: paths.map { (root[$0]!, Array($0)) })
      }
      let before = places()
      root.performUpdates {
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let paths = TreeSnapshot(of: root).paths.filter { !$0.isEmpty }
          guard let path = paths.randomElement(using: &generator) else { continue }
          let parents = [[]] + paths.filter { root.child(at: $0) != nil && !$0.starts(with: path) }
          let parent = parents.randomElement(using: &generator)!
          let position = Int.random(in: 0...root.count(at: parent)!, using: &generator)
          lastID += 1
          switch Int.random(in: 0..<4, using: &generator) {
          case 0: root.insert(lastID, at: parent + [position])
          case 1: root.remove(at: path)
          default: root.move(path, into: parent, at: position)
          }
        }
      }
      let after = places()
      guard let change = received.last else { continue }
      let map = ChangeSetMap(change)
      for (id, path) in before {
        #expect(map.find(after: path)?.path == after[id], "\(change): \(id) at \(path)")
      }
      for (id, path) in after { #expect(map.find(before: path)?.path == before[id], "\(change): \(id) at \(path)") }
      // A single look-up walks without a map where nothing crosses.
      for (id, path) in before {
        let finding = map.find(after: path)
        #expect(change.path(after: IndexPath(indexes: path)).map(Array.init) == after[id])
        #expect(change.delta(at: IndexPath(indexes: path)) == finding.map { map.change(of: $0).delta })
      }
      for (id, path) in after { #expect(change.path(before: IndexPath(indexes: path)).map(Array.init) == before[id]) }
      #expect(change.path(after: []) == [] && change.path(before: []) == [] && change.delta(at: []) == change.delta)
      token.cancel()
    }
  }

  @Test func oneEndOfAMoveLeadsNowhere() {
    var change = ChangeSet(.removal(1..<2))
    change.mark(7)
    let map = ChangeSetMap(change)
    #expect(map.find(after: [1, 4]) == nil && map.find(after: [2])?.path == [1])
    // An arrival of the same name makes a move of the removal.
    var arrival = ChangeSet(.insertion(0..<1))
    arrival.mark(7)
    #expect(change.composed(with: arrival) == ChangeSet(.move(1..<2, to: 0)))
    arrival.crossings[0].name = 8
    #expect(change.composed(with: arrival).transfers.isEmpty)
  }
}
