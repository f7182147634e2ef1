import Assemblage
@testable import AssemblageSearch
import Foundation
import TestSupport
import Testing

/// Random edits of flat nodes and of trees. An index finds the same rows as a walk.
@Suite struct TextIndexScriptTests {
  private static let texts = ["Ada", "ada b", "Straße", "é a", "b", "", "Σίγμας", "aab", "BA b", "strasse"]

  private static func text(_ row: Row) -> String { texts[(row.id * 7 + row.version) % texts.count] }

  /// Returns two queries, of which the second is often narrower or wider than the first.
  private static func queries(using generator: inout SeededGenerator) -> [TextQuery] {
    let words = ["a", "ad", "ada", "s", "str", "stras", "b", "a b", "é", "σ", "", "bb", "ss"]
    return (0..<2).map { _ in
      TextQuery(
        TextQuery.Kind.allCases.randomElement(using: &generator)!, words.randomElement(using: &generator)!)
    }
  }

  /// Returns the paths of all children in document order, with their elements.
  private static func walk(_ node: any TreeNode<Row>) -> [(path: IndexPath, element: Row?)] {
    var rows: [(path: IndexPath, element: Row?)] = []
    func visit(_ node: any TreeNode<Row>, _ path: IndexPath) {
      for position in 0..<node.count {
        rows.append((path.appending(position), node.element(at: position)))
        if let child = node.child(at: position) { visit(child, path.appending(position)) }
      }
    }
    visit(node, [])
    return rows
  }

  private static func check(
    _ index: TextIndex<Row>, _ node: any TreeNode<Row>, using generator: inout SeededGenerator
  ) throws {
    index.checkInvariants()
    let rows = walk(node)
    try #require(index.count == rows.count)
    for number in rows.indices where generator.chance(1, in: 4) {
      try #require(index.path(ofNumber: number) == rows[number].path && index.number(at: rows[number].path) == number)
    }
    for query in queries(using: &generator) {
      let expected = rows.filter { $0.element.map { query.matches(text($0)) } ?? false }.map(\.path)
      try #require(index.paths(for: query) == expected, "\(query)")
      try #require(index.count(for: query) == expected.count)
      try #require(index.matches(for: query).ranges.flatMap { Array($0) }.map { rows[$0].path } == expected)
      let scores = rows.indices.compactMap { number -> (number: Int, score: Int, length: Int)? in
        guard let element = rows[number].element, let score = query.score(of: text(element)) else { return nil }
        return (number, score, NaiveText(text(element)).scalars.count)
      }
      let best = scores.sorted { left, right in
        query.kind == .fuzzy && (left.score, -left.length) != (right.score, -right.length)
          ? (left.score, -left.length) > (right.score, -right.length) : left.number < right.number
      }
      try #require(index.best(for: query, limit: 5).map(\.number) == best.prefix(5).map(\.number))
    }
  }

  private static func index(
    _ node: any TreeNode<Row>, _ target: Int, fewRanges: Int = 256, reading time: TextReadingTime = .atOnce
  ) -> TextIndex<Row> {
    TextIndex(
      node, .standard, text, time,
      TextReading(
        children: { appendTexts(of: $0, $1, to: &$2, text) }, forest: { appendTexts(of: $0, to: &$1, text) }),
      column: TextColumn(target: target), fewRanges: fewRanges)
  }

  // MARK: Reading later

  /// Reads texts while the node changes. The index finds all texts that it has read, and in the end it has read all of
  /// them.
  @Test(arguments: [TreeScript.View.allCases.first!, .treeInTransactions])
  func whatIsReadLaterIsFoundThen(view: TreeScript.View) throws {
    for iteration in 0..<TestSeed.iterations(20) {
      var generator = TestSeed.generator("text index later \(view)", iteration: iteration)
      let script = TreeScript(&generator)
      let node = view.node(script.root)
      let target = [4, 32, 1 << 15].randomElement(using: &generator)!
      let index = Self.index(node, target, fewRanges: iteration % 3 == 0 ? 1 : 256, reading: .later)
      for _ in 0..<TestSeed.length(10) {
        script.step(using: &generator)
        _ = index.readTexts(atMost: Int.random(in: 1...4, using: &generator))
        index.checkInvariants()
        let rows = Self.walk(node)
        #expect(index.count == rows.count && 0...1 ~= index.readFraction)
        for query in Self.queries(using: &generator) where !query.isEmpty {
          let found = index.paths(for: query)
          let all = rows.filter { $0.element.map { query.matches(Self.text($0)) } ?? false }.map(\.path)
          #expect(Set(all).isSuperset(of: found))
        }
      }
      while index.readTexts(atMost: 3) {}
      try Self.check(index, node, using: &generator)
    }
  }

  @Test func aForestIsReadLater() throws {
    var generator = TestSeed.generator("text index later forest")
    var script = ForestEdits()
    for _ in 0..<40 { script.step(using: &generator) }
    let index = Self.index(script.forest, 32, reading: .later)
    #expect(index.count(for: .substring("a")) == 0)
    var calls = 0
    while index.readTexts(atMost: 5) {
      script.step(using: &generator)
      calls += 1
      try #require(calls < 10_000)
    }
    try Self.check(index, script.forest, using: &generator)
    #expect(!index.readTexts(atMost: .max))
  }

  // MARK: Trees of nodes, and views of them

  @Test(arguments: TreeScript.View.allCases)
  func treesAreSearchedAsAWalkIs(view: TreeScript.View) throws {
    for iteration in 0..<TestSeed.iterations(6) {
      var generator = TestSeed.generator("text index \(view)", iteration: iteration)
      let script = TreeScript(&generator)
      let node = view.node(script.root)
      let index = Self.index(
        node, [4, 32, 1 << 15].randomElement(using: &generator)!, fewRanges: iteration % 3 == 0 ? 1 : 256)
      let log = UndoLog(of: script.root)
      for _ in 0..<TestSeed.length(30) {
        if view == .treeInTransactions {
          try script.root.performUpdates {
            for _ in 0..<3 {
              script.step(using: &generator)
              if generator.chance(1, in: 4) { try Self.check(index, node, using: &generator) }
            }
          }
        } else {
          script.step(using: &generator)
        }
        if generator.chance(1, in: 5) { log.undo() }
        if generator.chance(1, in: 5) { log.redo() }
        try Self.check(index, node, using: &generator)
      }
    }
  }

  @Test func aRollBackIsFollowed() throws {
    var generator = TestSeed.generator("text index rollback queries")
    try TreeScript.rollBack("text index rollback", iterations: 20) { script in
      let index = Self.index(script.root, 32)
      return (
        reading: { try Self.check(index, script.root, using: &generator) },
        checking: { try Self.check(index, script.root, using: &generator) }
      )
    }
  }

  // MARK: Forests

  @Test func forestsAreSearchedAsAWalkIs() throws {
    for iteration in 0..<TestSeed.iterations(8) {
      var generator = TestSeed.generator("text index forest", iteration: iteration)
      var script = ForestEdits()
      for _ in 0..<15 { script.step(using: &generator) }
      let index = Self.index(script.forest, [4, 32].randomElement(using: &generator)!)
      // A branch is a node too, but not a root.
      let branch = (0..<script.forest.count).lazy.compactMap { script.forest.child(at: $0) }.first
      let inner = branch.map { Self.index($0, 16) }
      for _ in 0..<TestSeed.length(40) {
        if generator.chance(1, in: 3) {
          script.forest.performUpdates { for _ in 0..<3 { script.step(using: &generator) } }
        } else {
          script.step(using: &generator)
        }
        try Self.check(index, script.forest, using: &generator)
        if let branch, let inner { try Self.check(inner, branch, using: &generator) }
      }
    }
  }

  // MARK: Hierarchies

  @Test func hierarchiesAreSearchedAsAWalkIs() throws {
    for iteration in 0..<TestSeed.iterations(10) {
      var generator = TestSeed.generator("text index hierarchy", iteration: iteration)
      let model = RowModel()
      for _ in 0..<8 { model.step(using: &generator) }
      let node = HierarchyNode(Row(id: 0), id: \.id) { model.children($0.id) }
      let index = Self.index(node, 16, fewRanges: iteration % 2 == 0 ? 1 : 256)
      for _ in 0..<TestSeed.length(25) {
        for _ in 0..<Int.random(in: 1...4, using: &generator) { model.step(using: &generator) }
        node.reload()
        try Self.check(index, node, using: &generator)
      }
    }
  }

  // MARK: Flat nodes

  @Test func flatNodesAreSearchedAsAWalkIs() throws {
    struct Stop: Error {}
    for iteration in 0..<TestSeed.iterations(8) {
      var generator = TestSeed.generator("text index flat", iteration: iteration)
      var edits = FlatEdits()
      let members = (0..<3).map { _ in ArrayNode(edits.rows(0..<20, using: &generator)) }
      let join = JoinNode(members)
      let filter = FilterNode(join) { $0.version % 3 != 0 }
      let nodes: [any TreeNode<Row>] = [members[0], join, filter, SortNode(join) { $0.version < $1.version }]
      let indexes = nodes.map {
        Self.index($0, [4, 32].randomElement(using: &generator)!, fewRanges: iteration % 3 == 0 ? 2 : 256)
      }
      for _ in 0..<TestSeed.length(30) {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
          try join.performUpdates {
            for _ in 0..<4 {
              edits.step(members.randomElement(using: &generator)!, using: &generator)
              if generator.chance(1, in: 5) { try Self.check(indexes[1], join, using: &generator) }
            }
          }
        case 1:
          #expect(throws: Stop.self) {
            try join.performUpdates {
              for _ in 0..<3 { edits.step(members.randomElement(using: &generator)!, using: &generator) }
              if generator.chance(1, in: 2) { try Self.check(indexes[2], filter, using: &generator) }
              throw Stop()
            }
          }
        default: edits.step(members.randomElement(using: &generator)!, using: &generator)
        }
        for (node, index) in zip(nodes, indexes) { try Self.check(index, node, using: &generator) }
      }
    }
  }
}

/// Random edits of an array of rows.
struct FlatEdits {
  private var lastID = 0

  mutating func rows(_ count: Range<Int>, using generator: inout SeededGenerator) -> [Row] {
    (0..<Int.random(in: count, using: &generator)).map { _ in
      lastID += 1
      return Row(id: lastID, version: Int.random(in: 0...3, using: &generator))
    }
  }

  mutating func step(_ node: ArrayNode<Row>, using generator: inout SeededGenerator) {
    let position = Int.random(in: 0...node.count, using: &generator)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: node.insert(contentsOf: rows(0..<10, using: &generator), at: position)
    case 1: node.removeSubrange(generator.range(in: node.count, longest: 8))
    case 2 where position < node.count: node[position] = Row(id: node[position].id, version: node[position].version + 1)
    case 3 where position < node.count:
      node.move(from: position, to: Int.random(in: 0..<node.count, using: &generator))
    case 4:
      var rows = node.elements.shuffled(using: &generator)
      if !rows.isEmpty { rows.removeLast() }
      for index in rows.indices where index % 3 == 0 { rows[index].version += 1 }
      node.replaceAll(with: rows, id: \.id)
    default: node.insert(rows(1..<2, using: &generator)[0], at: position)
    }
  }
}

/// Random edits of a forest of rows.
struct ForestEdits {
  let forest = ForestNode<Row>()
  private var lastID = 0

  private mutating func row(_ generator: inout SeededGenerator) -> Row {
    lastID += 1
    return Row(id: lastID, version: Int.random(in: 0...3, using: &generator))
  }

  private var branches: [ForestNode<Row>] {
    var found = [forest]
    var next = 0
    while next < found.count {
      let branch = found[next]
      found += (0..<branch.count).compactMap { branch.child(at: $0) as? ForestNode<Row> }
      next += 1
    }
    return found
  }

  mutating func step(using generator: inout SeededGenerator) {
    let branches = branches
    let branch = branches.randomElement(using: &generator)!
    let position = Int.random(in: 0...branch.count, using: &generator)
    switch Int.random(in: 0..<9, using: &generator) {
    case 8 where position < branch.count && branch.isBranch(at: position):
      forest.performUpdates {
        (branch.child(at: position) as? ForestNode<Row>)?.removeAll()
        branch.turnIntoLeaf(at: position)
      }
    case 0: branch.insert(contentsOf: (0..<3).map { _ in row(&generator) }, at: position)
    case 1 where position < branch.count: branch.removeSubrange(position..<position + 1)
    case 2 where position < branch.count:
      branch.replace(at: position, with: Row(id: branch[position].id, version: branch[position].version + 1))
    case 3 where position < branch.count:
      branch.move(from: position, to: Int.random(in: 0..<branch.count, using: &generator))
    case 4:
      let other = ForestNode(value: row(&generator), leaves: [row(&generator), row(&generator)])
      branch.insert(other, at: position)
    case 5 where position < branch.count && !branch.isBranch(at: position): branch.turnIntoBranch(at: position)
    case 6 where position < branch.count:
      let moved = branch.child(at: position)
      var below = moved.map { [$0] } ?? []
      var next = 0
      while next < below.count {
        let node = below[next]
        below += (0..<node.count).compactMap { node.child(at: $0) }
        next += 1
      }
      let targets = branches.filter { target in
        target !== branch && !below.contains { ($0 as? ForestNode<Row>) === target }
      }
      guard let target = targets.randomElement(using: &generator), let source = forest.path(of: branch),
        let destination = forest.path(of: target)
      else { return }
      forest.move(
        source.appending(position), into: destination, at: Int.random(in: 0...target.count, using: &generator))
    default: branch.insert(row(&generator), at: position)
    }
  }
}

/// A tree of rows from which a hierarchy is loaded.
final class RowModel {
  private var below: [Int: [Row]] = [0: []]
  private var lastID = 0

  func children(_ id: Int) -> [Row] { below[id] ?? [] }

  func step(using generator: inout SeededGenerator) {
    let parent = below.keys.sorted().randomElement(using: &generator)!
    var rows = below[parent]!
    let position = Int.random(in: 0...rows.count, using: &generator)
    switch Int.random(in: 0..<5, using: &generator) {
    case 0 where position < rows.count: rows.remove(at: position)
    case 1 where position < rows.count: rows[position].version += 1
    case 2: rows.shuffle(using: &generator)
    default:
      lastID += 1
      rows.insert(Row(id: lastID), at: position)
      below[lastID] = []
    }
    below[parent] = rows
  }
}
