import Assemblage
import Foundation
import TestSupport
import Testing

@testable import outline

/// Rows that come in pieces are those of a walk that calls itself, whatever the size of the pieces.
@Suite struct RowStreamTests {
  /// What a row is compared by.
  private struct Told: Equatable {
    let item: Item
    let parent: Item?
    let depth: Int
    let isOpened: Bool
  }

  private struct Walk {
    let tree: any ItemTree
    let levels: Int

    /// Whether a subtree has something to show.
    func hasMatch(_ item: Item) -> Bool {
      guard let filter = tree.filter else { return true }
      return filter.predicate(item) || tree.isBranch(item) && tree.children(of: item).contains(where: hasMatch)
    }

    func rows(below parent: Item, depth: Int = 0, showsAll: Bool = false) -> [Told] {
      guard depth < levels else { return [] }
      var rows: [Told] = []
      for item in tree.children(of: parent) where showsAll || hasMatch(item) {
        let isOpened = tree.isBranch(item) && depth + 1 < levels
        rows.append(Told(item: item, parent: parent, depth: depth, isOpened: isOpened))
        guard isOpened else { continue }
        let matches = tree.filter.map { $0.policy == .keepingDescendants && $0.predicate(item) } ?? true
        rows += self.rows(below: item, depth: depth + 1, showsAll: showsAll || matches)
      }
      return rows
    }
  }

  private func check(_ tree: any ItemTree, root: Item, using generator: inout SeededGenerator) {
    for levels in [nil, 0, 1, 2, 3] as [Int?] {
      let expected = Walk(tree: tree, levels: levels ?? .max).rows(below: root)
      for weight in [1, 2, 5, 20, 1 << 17] {
        let stream = RowStream(tree: tree, levels: levels, pieceWeight: weight)
        var told: [Told] = []
        var numbers: [Int] = []
        let first = Int.random(in: 0...expected.count + 1, using: &generator)
        let end = Int.random(in: first...expected.count + 2, using: &generator)
        let range = generator.chance(1, in: 3) ? 0..<Int.max : first..<end
        let wanted = expected[min(range.lowerBound, expected.count)..<min(range.upperBound, expected.count)]
        let countsAll = generator.chance(1, in: 2)
        let count = stream.run(in: range, countsAll: countsAll) { row in
          told.append(Told(item: row.item, parent: row.parent, depth: row.depth, isOpened: row.isOpened))
          numbers.append(row.number)
          return true
        }
        #expect(told == Array(wanted), "levels \(levels ?? -1), weight \(weight), \(range)")
        #expect(numbers == Array(wanted.indices))
        #expect(countsAll ? count == expected.count : count >= wanted.endIndex || wanted.isEmpty)
        guard !wanted.isEmpty else { continue }
        let stop = Int.random(in: 1...wanted.count, using: &generator)
        var left = stop
        _ = stream.run(in: range, countsAll: countsAll) { _ in
          left -= 1
          return left > 0
        }
        #expect(left == 0, "a run ends where it is told to")
      }
    }
  }

  @Test func documents() throws {
    var (filtered, shown) = (0, 0)
    for iteration in 0..<TestSeed.iterations(60) {
      var generator = TestSeed.generator("outline/pieces", iteration: iteration)
      let model = JSONModel.array((0..<4).map { _ in JSONModel.random(depth: 4, using: &generator) })
      let document = try JSONDocument(Data(model.text(using: &generator).utf8))
      let filter =
        [[], ["--filter", "a"], ["--filter", "1"], ["--filter", "b"]].randomElement(using: &generator) ?? []
      let sort = [[], ["--sort", "name"], ["--sort", "size"]].randomElement(using: &generator) ?? []
      let tree = JSONTree(document, options: try Options(filter + sort + ["x"]))
      check(tree, root: Item(0), using: &generator)
      if tree.filter != nil { filtered += 1 }
      shown += Walk(tree: tree, levels: .max).rows(below: Item(0)).count
    }
    #expect(filtered > 0 && shown > 0)
  }

  @Test func lists() throws {
    for iteration in 0..<TestSeed.iterations(30) {
      var generator = TestSeed.generator("outline/pieces-of-lists", iteration: iteration)
      let paths = (0..<Int.random(in: 1...40, using: &generator)).map { _ in
        (0..<Int.random(in: 1...4, using: &generator)).map { _ in
          ["a", "b", "c", "ab"].randomElement(using: &generator) ?? ""
        }.joined(separator: "/")
      }
      let store = try PathListReader.read(Array(paths.joined(separator: "\n").utf8).span)
      let filter = generator.chance(1, in: 2) ? ["--filter", "b"] : []
      check(EntryTree(paths: store, options: try Options(filter + ["-"])), root: Item(0), using: &generator)
    }
  }

  /// Elements keep their ordinals, in whatever pieces and with whatever left out between them.
  @Test func ordinalsOfElements() throws {
    let text = "[" + (0..<50).map { "[\($0), [\($0 * 2), \"x\($0)\"]]" }.joined(separator: ", ") + "]"
    let document = try JSONDocument(Data(text.utf8))
    for weight in [1, 7, 1 << 17] {
      let tree = JSONTree(document, options: try Options(["--filter", "x4", "x"]))
      var lines: [String] = []
      _ = RowStream(tree: tree, pieceWeight: weight).run(in: 0..<Int.max) { row in
        lines.append("\(row.depth) " + tree.line(row))
        return true
      }
      let expected = [4] + Array(40..<50)
      #expect(
        lines
          == expected.flatMap { ["0 \($0): [2 elements]", "1 1: [2 elements]", "2 1: \"x\($0)\""] })
    }
  }
}
