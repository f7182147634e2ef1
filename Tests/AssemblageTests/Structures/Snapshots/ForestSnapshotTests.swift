import AssemblageTesting
import Foundation
import TestSupport
import Testing

@_spi(NodeAuthors) @testable import Assemblage

@Suite struct ForestSnapshotTests {
  /// Checks that every way to read a snapshot agrees with a copy of the tree.
  private func check(_ snapshot: TreeSnapshot<Int>, _ tree: TreeSnapshot<Int>, _ message: String) {
    let paths = Array(tree.paths.dropFirst())
    let values = paths.map { tree.value(at: $0)! }
    let names = snapshot.descendants
    #expect(snapshot.value == tree.value && names.count == values.count, "\(message)")
    #expect(Array(names) == values && names.indices.map { names[$0] } == values, "\(message)")
    var read: [Int] = []
    names.forEachSpan(in: names.startIndex..<names.endIndex) { start, span in
      #expect(start == read.count && !span.isEmpty)
      for index in span.indices { read.append(span[index]) }
    }
    #expect(read == values, "\(message)")
    #expect(snapshot.elements == paths.filter { $0.count == 1 }.map { tree.value(at: $0)! }, "\(message)")
    for (number, path) in paths.enumerated() {
      let name = "\(message), \(path)"
      #expect(names.path(to: number) == path && names.number(at: path) == number, "\(name)")
      #expect(snapshot.value(at: path) == values[number] && names.depth(of: number) == path.count - 1, "\(name)")
      #expect(snapshot.count(at: path) == tree.count(at: path) && snapshot[path] == tree[path], "\(name)")
      let below = paths.indices.filter { paths[$0].count > path.count && paths[$0].prefix(path.count) == path }
      #expect(names.numbers(below: path)! == number + 1..<number + 1 + below.count, "\(name)")
      #expect(names.parent(of: number).map { paths[$0] } ?? [] == path.dropLast(), "\(name)")
      for wrong in [path.appending(100), path.appending(-1)] {
        #expect(names.number(at: wrong) == nil && snapshot.place(at: wrong) == nil && snapshot.count(at: wrong) == nil)
        #expect(names.numbers(below: wrong) == nil && snapshot.value(at: wrong) == nil)
      }
    }
    #expect(names.numbers(below: []) == 0..<values.count && names.number(at: []) == nil)
    #expect(snapshot == tree && snapshot.hashValue == tree.hashValue && snapshot.paths == tree.paths, "\(message)")
    #expect(snapshot.description == tree.description && snapshot.depth == tree.depth, "\(message)")
  }

  /// Returns a copy that shares no storage with the node.
  private func copy(of node: any TreeNode<Int>) -> TreeSnapshot<Int> {
    TreeSnapshot(
      value: node.value,
      children: (0..<node.count).map { position in
        node.child(at: position).map { copy(of: $0) } ?? TreeSnapshot(leaf: node.element(at: position))
      })
  }

  /// Snapshots of a forest, of a branch and of a part that was cut out are kept while the forest changes.
  @Test func keptSnapshotsStayAsTheyWere() throws {
    var tally = [Int](repeating: 0, count: 7)
    for iteration in 0..<TestSeed.iterations(30) {
      var generator = TestSeed.generator("forest-snapshots", iteration: iteration)
      func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }
      let forest = ForestNode<Int>(value: Bool.random(using: &generator) ? 7 : nil)
      var next = 0
      var cut: [ForestNode<Int>] = []
      func place() -> IndexPath? {
        forest.snapshot().paths.dropFirst().randomElement(using: &generator)
      }
      var kept: [(TreeSnapshot<Int>, TreeSnapshot<Int>)] = []
      func keep(_ node: any TreeNode<Int>) { kept.append((node.snapshot(), copy(of: node))) }
      for _ in 0..<TestSeed.length(25) {
        let kind = random(0..<tally.count)
        tally[kind] += 1
        next += 1
        switch kind {
        case 0, 1: forest.insert(next, at: (place() ?? []).appending(0))
        case 2: forest.append(next)
        case 3: if let path = place() { forest.replace(at: path, with: next) }
        case 4:
          guard let path = place() else { break }
          if case .node(let node) = forest.remove(at: path), let node = node as? ForestNode<Int> { cut.append(node) }
        case 5: if let node = cut.popLast() { forest.insert(node, at: random(0..<forest.count + 1)) }
        default: if let node = cut.last { node.append(next) }
        }
        keep(forest)
        if let path = place(), let branch = forest.child(at: path) { keep(branch) }
        if let node = cut.randomElement(using: &generator) { keep(node) }
      }
      for (index, (snapshot, tree)) in kept.enumerated() { check(snapshot, tree, "\(iteration).\(index)") }
      for (first, second) in zip(kept, kept.dropFirst()) {
        #expect((first.0 == second.0) == (first.1 == second.1))
        let change = first.0.difference(to: second.0)
        #expect(change == first.1.difference(to: second.1))
        #expect(try first.1.applying(change, new: second.1) == second.1)
      }
    }
    #expect(tally.allSatisfy { $0 > 0 })
  }

  /// Where only values have changed, updates are found without a comparison of the rest.
  @Test func updatesAreFoundByChunks() throws {
    let forest = try ForestNode(rows: (0..<20_000).map { ($0 % 10 == 0 ? 0 : 1, (id: $0, version: 0)) })
    let before = forest.snapshot()
    forest.replace(at: [0, 3], with: (4, 1))
    forest.replace(at: [1_500], with: (15_000, 1))
    forest.replace(at: [1_500, 8], with: (15_009, 1))
    var asked = 0
    let change = before.difference(to: forest.snapshot()) {
      asked += 1
      return $0.id
    } areEqual: {
      $0.version == $1.version
    }
    #expect(change.paths.updates == [[0, 3], [1_500], [1_500, 8]])
    #expect(asked < 10_000)
    // Another element at the same place is no update.
    forest.replace(at: [0, 3], with: (-1, 0))
    let replaced = before.difference(to: forest.snapshot()) {
      $0.id
    } areEqual: {
      $0.version == $1.version
    }
    #expect(replaced.paths.removals == [[0, 3]] && replaced.paths.insertions == [[0, 3]])
  }

  @Test(.smallStack) func updatesFarDownATallForestTakeLinearTime() throws {
    let depth = TallTree.depth
    let above = (0..<depth).map { ($0, -1 - $0) }
    let forest = try ForestNode(rows: above + (0..<depth).map { (depth, $0) })
    let before = forest.snapshot()
    let path = IndexPath(indexes: [Int](repeating: 0, count: depth))
    let bottom = try #require(forest.child(at: path) as ForestNode<Int>?)
    for position in 0..<depth { bottom.replace(at: position, with: position + depth) }
    let change = before.difference(to: forest.snapshot(), id: { $0 < 0 ? $0 : $0 % depth })
    var expected = ChangeSet(.update(0..<depth))
    for _ in 0..<depth { expected.wrap(at: 0) }
    #expect(change == expected)
  }

  /// A snapshot keeps its elements alive, but no node.
  @Test func elementsLiveAsLongAsASnapshotShowsThem() throws {
    try withLifetimeTracking { tracker in
      var snapshot: TreeSnapshot<Tracked<Int>>?
      do {
        let forest = ForestNode(leaves: tracker.track(0..<4))
        forest.insert(tracker.track(4..<5)[0], at: [1, 0])
        tracker.expectRelease(of: forest, "forest")
        snapshot = TreeSnapshot(of: forest)
        forest.removeAll()
        #expect(tracker.liveCount == 5)
      }
      #expect(snapshot!.descendants.map(\.payload) == [0, 1, 4, 2, 3] && snapshot!.value(at: [1, 0])?.payload == 4)
      snapshot = nil
      #expect(tracker.liveCount == 0)
    }
  }

  @Test func anotherTaskReads() async throws {
    let forest = try ForestNode(rows: (0..<10_000).map { ($0 % 2, "\($0)") })
    let snapshot = TreeSnapshot(of: forest)
    let sum = Task.detached { snapshot.descendants.reduce(0) { $0 + $1.count } }
    while forest.count > 4_900 { forest.remove(at: forest.count / 2) }
    #expect(await sum.value == (0..<10_000).reduce(0) { $0 + "\($1)".count })
  }
}
