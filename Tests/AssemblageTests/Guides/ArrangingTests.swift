import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Offsets and orders against arrays.
@MainActor @Suite struct ArrangingTests {
  /// The semantics of `move(fromOffsets:toOffset:)` in SwiftUI.
  private func moved(_ array: [Int], _ offsets: IndexSet, _ destination: Int) -> [Int] {
    let moving = offsets.map { array[$0] }
    let before = array.indices.filter { $0 < destination && !offsets.contains($0) }.map { array[$0] }
    let after = array.indices.filter { $0 >= destination && !offsets.contains($0) }.map { array[$0] }
    return before + moving + after
  }

  @Test func allOffsetsOfShortArrays() {
    for count in 0...5 {
      for bits in 0..<1 << count {
        let offsets = IndexSet((0..<count).filter { bits >> $0 & 1 == 1 })
        let array = Array(0..<count)
        let rest = ArrayNode(array)
        rest.remove(atOffsets: offsets)
        #expect(rest.elements == array.filter { !offsets.contains($0) })
        for destination in 0...count {
          let node = ArrayNode(array)
          let log = ReceivedChanges(node)
          node.move(fromOffsets: offsets, toOffset: destination)
          let expected = moved(array, offsets, destination)
          #expect(node.elements == expected)
          if expected == array {
            #expect(log.changes.isEmpty)
          } else {
            #expect(log.only() == Delta(from: array, to: expected))
          }
        }
      }
    }
  }

  @Test(arguments: 0..<40) func randomScripts(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var next = Int.random(in: 0...60, using: &random)
    // The last digits decide the order, so elements tie.
    let node = ArrayNode((0..<next).map { 10 * $0 + Int.random(in: 0...9, using: &random) })
    let view = SortNode(node, by: >)
    let log = ReceivedChanges(node)
    for _ in 0..<60 {
      let former = node.elements
      var array = former
      let offsets = IndexSet(array.indices.filter { _ in Int.random(in: 0...5, using: &random) == 0 })
      switch Int.random(in: 0...4, using: &random) {
      case 0:
        array = array.enumerated().filter { !offsets.contains($0.offset) }.map(\.element)
        node.remove(atOffsets: offsets)
      case 1:
        let destination = Int.random(in: 0...array.count, using: &random)
        array = moved(array, offsets, destination)
        node.move(fromOffsets: offsets, toOffset: destination)
      case 2:
        array = array.enumerated().sorted { ($0.element % 10, $0.offset) < ($1.element % 10, $1.offset) }.map(\.element)
        node.sort { $0 % 10 < $1 % 10 }
      case 3:
        array.reverse()
        node.reverse()
      default:
        let start = Int.random(in: 0...array.count, using: &random)
        let new = (0..<Int.random(in: 0...6, using: &random)).map { 10 * (next + $0) + $0 }
        next += new.count
        array[start...] = new[...]
        node[start...] = new
      }
      #expect(node.elements == array)
      #expect(view.elements == array.sorted(by: >))
      #expect(log.changes.count <= 1)
      if array == former { continue }
      let delta = log.only()
      #expect(delta.applying(to: former) { array[$0] } == array)
      if Set(array) == Set(former) { #expect(delta.removals.isEmpty && delta.insertions.isEmpty) }
    }
  }
}
