import Assemblage
import Foundation
import TestSupport
import Testing

@Suite struct TreeDifferenceTests {
  struct Item: Hashable, CustomStringConvertible {
    var id: Int
    var version = 0
    var description: String { version == 0 ? "\(id)" : "\(id)'\(version)" }
  }
  typealias Snapshot = TreeSnapshot<Item>

  /// Returns a fault of the difference of two trees, found from places and ids alone, or nil.
  ///
  /// `isUnique` means that no id occurs twice in either tree.
  private func flaw(_ old: Snapshot, _ new: Snapshot, isUnique: Bool) throws -> String? {
    let change = old.difference(to: new, id: \.id)
    let replayed = try old.applying(change, new: new)
    if replayed != new { return "it leads to \(replayed): \(change)" }
    let again = ChangeSet(
      delta: change.delta, updatesValue: change.updatesValue,
      children: change.children.map { (position: $0.position, change: $0.change) },
      transfers: change.transfers)
    if again != change { return "it is not canonical: \(change), which is \(again)" }
    if change.isEmpty != (old == new) { return "it is empty: \(change)" }

    var before: [IndexPath: Int] = [:]
    for path in old.paths.dropFirst() { before[path] = old.value(at: path)?.id }
    var after: [IndexPath: Int] = [:]
    for path in new.paths.dropFirst() { after[path] = new.value(at: path)?.id }
    var survivors: [Int: Int] = [:]
    for (path, id) in before {
      guard let there = change.path(after: path) else { continue }
      if after[there] != id { return "\(path) became \(there), which is another: \(change)" }
      if change.path(before: there) != path { return "\(there) was not \(path): \(change)" }
      survivors[id, default: 0] += 1
    }
    for (id, paths) in Dictionary(grouping: before.keys, by: { before[$0]! }) {
      let common = min(paths.count, after.values.count { $0 == id })
      if survivors[id, default: 0] != common { return "\(id) survives \(survivors[id, default: 0]) times: \(change)" }
    }
    if isUnique {
      // The transfers are exactly the children that have another parent now.
      let paths = Dictionary(uniqueKeysWithValues: after.map { ($1, $0) })
      let transferred = before.count { path, id in
        guard let there = paths[id] else { return false }
        return before[path.dropLast()] != after[there.dropLast()]
      }
      if change.transfers.count != transferred { return "\(change.transfers.count) transfers: \(change)" }
      // Of the children that keep their parent, all but a longest increasing subsequence move.
      var moved = 0
      var fewest = 0
      for path in old.paths {
        guard let there = path.isEmpty ? path : before[path].flatMap({ paths[$0] }) else { continue }
        let origins = new[there].children.map { child in
          child.value.flatMap { value in old[path].children.firstIndex { $0.value?.id == value.id } }
        }
        fewest +=
          DeltaModel(
            oldCount: old[path].count, origins: origins, isUpdated: origins.map { _ in false }
          ).fewestMoved
      }
      moved = change.paths.moves.count - transferred
      if moved != fewest { return "\(moved) moves, not \(fewest): \(change)" }
    }
    return nil
  }

  /// Every pair of forests of up to four places (three in a debug build), with their ids in every order. So every
  /// possible move and transfer occurs.
  @Test func allSmallTrees() throws {
    let most = TestSeed.isShortened ? 3 : 4
    let trees = Exhaustive.forests(upTo: most).map { snapshot(of: $0) }
    var pairs = 0
    for old in trees {
      let before = old.mapValues { Item(id: $0) }
      for shape in trees where shape.placeCount == old.placeCount {
        for order in Exhaustive.permutations(of: shape.placeCount - 1) {
          let after = shape.mapValues { Item(id: order[$0]) }
          pairs += 1
          if let flaw = try flaw(before, after, isUnique: true) { Issue.record("\(before) → \(after): \(flaw)") }
        }
      }
    }
    #expect(pairs == [1, 1, 4 * 2, 25 * 6, 196 * 24][...most].reduce(0, +))
  }

  /// Every pair of forests of up to three places over two ids, so that duplicates are everywhere.
  @Test func allSmallTreesWithDuplicates() throws {
    var trees: [Snapshot] = []
    for shape in Exhaustive.forests(upTo: 3).map({ snapshot(of: $0) }) {
      Exhaustive.forEachVector(over: [0, 1], count: shape.placeCount - 1) { ids in
        trees.append(shape.mapValues { Item(id: ids[$0], version: $0 % 2) })
      }
    }
    for old in trees {
      for new in trees {
        if let flaw = try flaw(old, new, isUnique: false) { Issue.record("\(old) → \(new): \(flaw)") }
      }
    }
  }

  private func random(
    _ count: Int, ids: Int, unique: Bool, using generator: inout SeededGenerator
  ) -> Snapshot {
    var free = Array(0..<ids).shuffled(using: &generator)
    var builder = Snapshot.Builder(value: Item(id: -1))
    var depth = 0
    for _ in 0..<count {
      let id = unique ? free.removeLast() : Int.random(in: 0..<ids, using: &generator)
      let value =
        !unique && generator.chance(1, in: 10)
        ? nil : Item(id: id, version: generator.chance(1, in: 5) ? 1 : 0)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0:
        builder.beginNode(value)
        depth += 1
      case 1 where depth > 0:
        builder.endNode()
        depth -= 1
        builder.appendLeaf(value)
      default: builder.appendLeaf(value)
      }
    }
    return builder.finish()
  }

  @Test func randomTrees() throws {
    for iteration in 0..<TestSeed.iterations(200) {
      var generator = TestSeed.generator("change-set/difference", iteration: iteration)
      let unique = iteration % 2 == 0
      let count = Int.random(in: 0...40, using: &generator)
      let ids = unique ? 60 : Int.random(in: 2...60, using: &generator)
      let old = random(count, ids: ids, unique: unique, using: &generator)
      let new = random(Int.random(in: 0...40, using: &generator), ids: ids, unique: unique, using: &generator)
      if let flaw = try flaw(old, new, isUnique: unique) { Issue.record("\(old) → \(new): \(flaw)") }
      #expect(try flaw(old, old, isUnique: unique) == nil)
    }
  }

  private func tree(_ text: String) -> TreeSnapshot<String> {
    var builder = TreeSnapshot<String>.Builder(value: "root")
    var name = ""
    func flush() {
      if !name.isEmpty { builder.appendLeaf(name) }
      name = ""
    }
    for character in text {
      switch character {
      case "(":
        builder.beginNode(name)
        name = ""
      case ")":
        flush()
        builder.endNode()
      case " ": flush()
      default: name.append(character)
      }
    }
    flush()
    return builder.finish()
  }

  private func expectDifference(_ old: String, _ new: String, _ description: String) throws {
    let change = tree(old).difference(to: tree(new))
    #expect(change.description == description)
    #expect(try tree(old).applying(change, new: tree(new)) == tree(new))
  }

  @Test func whatHappensToRowsAndSections() throws {
    try expectDifference("A(a b) B(c)", "A(b) B(c d)", "[; 0: [-0]; 1: [+1]]")
    try expectDifference("A(a b) B(c)", "A(a) B(b c)", "[; 0: [-1]; 1: [+0]] {[0, 1]→[1, 0]}")
    try expectDifference("A(a b) B(c)", "B(c) A(a b)", "[0→1]")
    try expectDifference("A(a) B(c)", "N(a) A() B(c)", "[+0; 1: [-0]] {[0, 0]→[0, 0]}")
    try expectDifference("A(a b) B(c)", "B(b c)", "[-0; 0: [+0]] {[0, 1]→[0, 0]}")
    // A parent moves into its own child. Then a parent exchanges places with a child inside.
    try expectDifference("A(B())", "B(A())", "[-0, +0] {[0, 0]→[0]: [+0], [0]→[0, 0]: [-0]}")
    try expectDifference(
      "A(B(C()))", "C(B(A()))", "[-0, +0] {[0, 0, 0]→[0]: [+0], [0, 0]→[0, 0]: [-0, +0], [0]→[0, 0, 0]: [-0]}")
    // A row of a transferred section stays in the section.
    try expectDifference("A(a) B(b)", "B(b A(a x))", "[-0; 0: [+1]] {[0]→[0, 1]: [+1]}")
    // A leaf that becomes a node is updated.
    try expectDifference("a", "a()", "[~0]")
  }

  @Test func theRootIsTheRoot() {
    let change = TreeSnapshot(value: "a", leaves: ["x"]).difference(to: TreeSnapshot(value: "x", leaves: ["a"]))
    #expect(change.updatesValue)
    #expect(change.description == "~[-0, +0]")
    #expect(TreeSnapshot(leaf: "a").difference(to: TreeSnapshot(leaf: "a")).isEmpty)
  }

  @Test(.smallStack) func deepTreesNeedNoStack() throws {
    let depth = TallTree.depth
    func chain(_ ids: some Sequence<Int>, inside: Int) -> TreeSnapshot<Int> {
      var builder = TreeSnapshot<Int>.Builder()
      for id in ids { builder.beginNode(id) }
      builder.appendLeaf(inside)
      return builder.finish()
    }
    let old = chain(0..<depth, inside: -1)
    let new = chain([-2] + Array(0..<depth), inside: -3)
    let change = old.difference(to: new)
    #expect(change.transfers.count == 1)
    #expect(try old.applying(change, new: new) == new)
    // In the reversed chain, the paths of all transfers would have five billion components together.
    let reversed = chain((0..<depth).reversed(), inside: -1)
    let turned = old.difference(to: reversed)
    #expect(try old.applying(turned, new: reversed) == reversed)
  }

  @Test func manyPlacesTakeLinearTime() throws {
    var generator = TestSeed.generator("change-set/difference/many")
    func sections(_ ids: [Int]) -> TreeSnapshot<Int> {
      TreeSnapshot(
        children: (0..<300).map { TreeSnapshot(value: -$0 - 1, leaves: ids[($0 * 100)..<($0 * 100 + 100)]) })
    }
    let ids = Array(0..<30_000)
    let (old, new) = (sections(ids), sections(ids.shuffled(using: &generator)))
    let change = old.difference(to: new)
    #expect(change.transfers.count > 29_000)
    #expect(try old.applying(change, new: new) == new)
  }
}
