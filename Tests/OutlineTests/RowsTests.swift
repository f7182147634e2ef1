import Assemblage
import Foundation
import TestSupport
import Testing

@testable import outline

/// Rows agree with the rows of a recursive walk.
@Suite struct RowsTests {
  /// The properties by which rows are compared.
  private struct ReportedRow: Equatable {
    let item: Item
    let parent: Item?
    let depth: Int
    let isOpened: Bool
  }

  private struct Walk {
    let tree: any ItemTree
    let children: (Item) -> [Item]
    let levels: Int

    /// Whether the item or an item below it passes the filter.
    func hasMatch(_ item: Item) -> Bool {
      guard let filter = tree.filter else { return true }
      return filter.predicate(item) || tree.isBranch(item) && children(item).contains(where: hasMatch)
    }

    func rows(below parent: Item, depth: Int = 0, showsAll: Bool = false) -> [ReportedRow] {
      guard depth < levels else { return [] }
      var rows: [ReportedRow] = []
      for item in children(parent) where showsAll || hasMatch(item) {
        let isOpened = tree.isBranch(item) && depth + 1 < levels
        rows.append(ReportedRow(item: item, parent: depth > 0 ? parent : nil, depth: depth, isOpened: isOpened))
        guard isOpened else { continue }
        let matches = tree.filter.map { $0.policy == .keepingDescendants && $0.predicate(item) } ?? true
        rows += self.rows(below: item, depth: depth + 1, showsAll: showsAll || matches)
      }
      return rows
    }
  }

  private func check(
    _ tree: any ItemTree, _ children: @escaping (Item) -> [Item], using generator: inout SeededGenerator
  ) {
    for levels in [nil, 0, 1, 2, 3] as [Int?] {
      let expected = Walk(tree: tree, children: children, levels: levels ?? .max).rows(below: Item(0))
      let rows = Rows(tree: tree, levels: levels)
      for _ in 0..<4 {
        var reported: [ReportedRow] = []
        var numbers: [Int] = []
        let first = Int.random(in: 0...expected.count + 1, using: &generator)
        let end = Int.random(in: first...expected.count + 2, using: &generator)
        let range = generator.chance(1, in: 3) ? 0..<Int.max : first..<end
        let wanted = expected[min(range.lowerBound, expected.count)..<min(range.upperBound, expected.count)]
        let countsAll = generator.chance(1, in: 2)
        let count = rows.forEach(in: range, countsAll: countsAll) { row in
          reported.append(ReportedRow(item: row.item, parent: row.parent, depth: row.depth, isOpened: row.isOpened))
          numbers.append(row.number)
          return true
        }
        #expect(reported == Array(wanted), "levels \(levels ?? -1), \(range)")
        #expect(numbers == Array(wanted.indices))
        #expect(countsAll ? count == expected.count : count >= wanted.endIndex || wanted.isEmpty)
        guard !wanted.isEmpty else { continue }
        let stop = Int.random(in: 1...wanted.count, using: &generator)
        var left = stop
        _ = rows.forEach(in: range, countsAll: countsAll) { _ in
          left -= 1
          return left > 0
        }
        #expect(left == 0, "telling ends where that is wanted")
      }
    }
  }

  @Test func documents() throws {
    var (filtered, shown) = (0, 0)
    for iteration in 0..<TestSeed.iterations(60) {
      var generator = TestSeed.generator("outline/rows", iteration: iteration)
      let model = JSONModel.array((0..<4).map { _ in JSONModel.random(depth: 4, using: &generator) })
      let document = try JSONDocument(Data(model.text(using: &generator).utf8))
      let filter =
        [[], ["--filter", "a"], ["--filter", "1"], ["--filter", "b"]].randomElement(using: &generator) ?? []
      let sort = [[], ["--sort", "name"], ["--sort", "size"]].randomElement(using: &generator) ?? []
      let tree = JSONTree(document, options: try Options(filter + sort + ["x"]))
      check(tree, tree.children, using: &generator)
      if tree.filter != nil { filtered += 1 }
      shown += Walk(tree: tree, children: tree.children, levels: .max).rows(below: Item(0)).count
    }
    #expect(filtered > 0 && shown > 0)
  }

  @Test func lists() throws {
    for iteration in 0..<TestSeed.iterations(30) {
      var generator = TestSeed.generator("outline/rows-of-lists", iteration: iteration)
      let paths = (0..<Int.random(in: 1...40, using: &generator)).map { _ in
        (0..<Int.random(in: 1...4, using: &generator)).map { _ in
          ["a", "b", "c", "ab"].randomElement(using: &generator) ?? ""
        }.joined(separator: "/")
      }
      let store = PathListReader.read(Array(paths.joined(separator: "\n").utf8).span)
      let filter = generator.chance(1, in: 2) ? ["--filter", "b"] : []
      let tree = EntryTree(paths: store, options: try Options(filter + ["-"]))
      check(tree, tree.children, using: &generator)
    }
  }

  /// Rows of directories are the same while directories are read one by one and after all are known.
  @Test func directories() throws {
    for iteration in 0..<TestSeed.iterations(30) {
      var generator = TestSeed.generator("outline/rows-of-directories", iteration: iteration)
      let fake = OutlineTests.randomTree(depth: 3, using: &generator)
      let tree = EntryTree(
        directories: ["/"], loader: DirectoryLoader(fileSystem: fake.fileSystem), options: try Options(["/"]))
      #expect(!tree.isKnown)
      check(tree, tree.children, using: &generator)
      tree.loadAll()
      #expect(tree.isKnown)
      check(tree, tree.children, using: &generator)
    }
  }

  /// Elements keep their ordinals, even if elements between them are left out.
  @Test func ordinalsOfElements() throws {
    let text = "[" + (0..<50).map { "[\($0), [\($0 * 2), \"x\($0)\"]]" }.joined(separator: ", ") + "]"
    let document = try JSONDocument(Data(text.utf8))
    let tree = JSONTree(document, options: try Options(["--filter", "x4", "x"]))
    var lines: [String] = []
    _ = Rows(tree: tree).forEach(in: 0..<Int.max) { row in
      var text = OutputText()
      tree.writeLine(row, to: &text)
      lines.append("\(row.depth) " + String(decoding: text.bytes, as: UTF8.self))
      return true
    }
    let expected = [4] + Array(40..<50)
    #expect(
      lines == expected.flatMap { ["0 \($0): [2 elements]", "1 1: [2 elements]", "2 1: \"x\($0)\""] })
  }
}
