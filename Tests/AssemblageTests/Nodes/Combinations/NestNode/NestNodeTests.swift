@_spi(NodeAuthors) @testable import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@Suite struct NestNodeTests: MisuseSuite {
  private struct Stop: Error {}

  private struct Folder: Equatable { var id: Int, parent: Int?, name: String }

  @Test func identifiableElementsNeedNoID() {
    struct Message: Identifiable { let id: String, answered: String? }
    let messages = ArrayNode([Message(id: "b", answered: "a"), Message(id: "a", answered: nil)])
    let threads = NestNode(messages, parent: \.answered)
    #expect(threads[[0]]?.id == "a" && threads[[0, 0]]?.id == "b" && threads.path(ofID: "b") == [0, 0])
  }

  @Test func theExampleHolds() {
    let folders = ArrayNode([
      Folder(id: 2, parent: 1, name: "letters"), Folder(id: 1, parent: nil, name: "home"),
      Folder(id: 3, parent: 9, name: "lost"),
    ])
    let tree = NestNode(folders, id: \.id, parent: \.parent)
    #expect(tree.count == 2 && tree[[0, 0]]?.name == "letters" && tree[[1]]?.name == "lost")
    #expect(tree.path(ofSource: 0) == [0, 0] && tree.path(ofID: 2) == [0, 0] && tree.path(ofID: 7) == nil)
    var received: [ChangeSet] = []
    let token = tree.observe { received.append($0) }
    folders[2].parent = 2
    #expect(received.count == 1 && received[0].paths.moves == [.init(from: [1], to: [0, 0, 0])])
    #expect(received[0].paths.removals.isEmpty && received[0].paths.insertions.isEmpty)
    folders.remove(at: 1)
    #expect(received.count == 2 && received[1].paths.moves == [.init(from: [0, 0], to: [0])])
    #expect(received[1].paths.removals == [[0]] && received[1].paths.insertions.isEmpty)
    #expect(tree.count == 1 && tree[[0, 0]]?.name == "lost" && tree.descendantCount == 2)
    token.cancel()
  }

  // MARK: Contents

  @Test func aChildMayComeBeforeItsParent() {
    let items = ArrayNode<NestItem>(["c<b", "b<a"])
    let nest = NestItem.nest(items)
    #expect(NestItem.text(nest) == "b(c)")
    var received: [String] = []
    let token = nest.observe { received.append("\($0)") }
    items.append("a")
    #expect(NestItem.text(nest) == "a(b(c))" && nest.count == 1)
    #expect(received == ["[-0, +0] {[0]→[0, 0]}"])
    items.remove(at: 2)
    #expect(NestItem.text(nest) == "b(c)" && received.last == "[-0, +0] {[0, 0]→[0]}")
    token.cancel()
  }

  @Test func siblingsStandInTheOrderOfTheSource() {
    let items = ArrayNode<NestItem>(["a", "b<a", "c<a", "d"])
    let nest = NestItem.nest(items)
    var received: [String] = []
    let token = nest.observe { received.append("\($0)") }
    items.move(from: 1, to: 3)
    #expect(NestItem.text(nest) == "a(c b) d")
    #expect(received == ["\(ChangeSet(.move(1..<2, to: 0)).wrapped(at: 0))"])
    items.move(from: 0, to: 2)
    #expect(NestItem.text(nest) == "d a(c b)")
    items.move(from: 3, to: 2)
    #expect(NestItem.text(nest) == "d a(c b)" && received.count == 2, "another row went past it, and not a sibling")
    token.cancel()
  }

  @Test func theFirstOfEqualIDsHasTheChildren() {
    let items = ArrayNode<NestItem>(["x", "a", "a<x", "b<a"])
    let nest = NestItem.nest(items)
    #expect(NestItem.text(nest) == "x(a) a(b)")
    items.move(from: 2, to: 1)
    #expect(NestItem.text(nest) == "x(a(b)) a")
    items.remove(at: 1)
    #expect(NestItem.text(nest) == "x a(b)")
    items.insert("a<x", at: 0)
    #expect(NestItem.text(nest) == "x(a(b)) a")
    items.update(at: 0) { $0.id = "c" }
    #expect(NestItem.text(nest) == "x(c) a(b)")
  }

  @Test func theFirstOfACycleStandsOnTheTopLevel() {
    let items = ArrayNode<NestItem>(["a<c", "b<a", "c<b", "d<c"])
    let nest = NestItem.nest(items)
    #expect(NestItem.text(nest) == "a(b(c(d)))")
    items.move(from: 0, to: 3)
    #expect(NestItem.text(nest) == "b(c(d a))")
    items.update(at: 1) { $0.parent = nil }
    #expect(NestItem.text(nest) == "c(d a(b))", "the cycle is broken")
    items.update(at: 1) { $0.parent = "b" }
    #expect(NestItem.text(nest) == "b(c(d a))", "and closed again")
    items.update(at: 2) { $0.parent = "d" }
    #expect(NestItem.text(nest) == "b(c(a)) d", "an element that is its own parent is a root")
  }

  @Test func aCycleFollowsFromTheContentsAndNotFromTheEdits() {
    // Every way to give four elements parents, in every order, leads to the same tree.
    for code in 0..<625 {
      let digits = [code % 5, code / 5 % 5, code / 25 % 5, code / 125]
      let names: [Character] = ["a", "b", "c", "d"]
      let items = ArrayNode<NestItem>(["a", "b", "c", "d"])
      let nest = NestItem.nest(items)
      for step in 0..<4 {
        let position = (step * 3 + code) % 4
        items.update(at: position) { $0.parent = digits[position] == 4 ? nil : names[digits[position]] }
        nest.family.translation.value.checkInvariants()
      }
      #expect(NestItem.text(nest) == NestItem.text(NestItem.nest(ArrayNode(items.elements))))
    }
  }

  @Test func childrenWithoutAValueAreRoots() {
    let source = BranchNode<NestItem>([
      .leaf("a"), .node(BranchNode(leaves: ["x"])), .node(BranchNode(value: "b<a", leaves: ["y<a"])),
    ])
    let nest = NestNode(source, id: \.id, parent: \.parent)
    #expect(nest.count == 2 && nest.element(at: 1) == nil && nest.child(at: 1) == nil)
    #expect(nest[[0, 0]]?.id == "b" && nest.descendantCount == 3, "what is below them is not shown")
  }

  // MARK: Asking

  @Test func closuresAreAskedOnceForEachRowThatComesOrChanges() {
    var calls = 0
    let source = ArrayNode(1...100)
    let nest = NestNode(
      source, id: { $0 },
      parent: {
        calls += 1; return $0 / 2
      })
    #expect(calls == 100)
    source.append(200)
    source[50] = 4
    source.remove(at: 0)
    source.move(from: 0, to: 40)
    #expect(calls == 102)
    nest.refresh()
    #expect(calls == 202)
  }

  @Test func objectsThatChangedAreNestedAgain() {
    final class Node {
      let id: Int
      var parent: Int?
      init(_ id: Int, _ parent: Int?) { (self.id, self.parent) = (id, parent) }
    }
    let items = [Node(1, nil), Node(2, 1), Node(3, 1)]
    let source = ArrayNode(items)
    let nest = NestNode(source, id: \.id, parent: \.parent)
    var received: [ChangeSet] = []
    let token = nest.observe { received.append($0) }
    items[2].parent = 2
    nest.refresh()
    #expect(received.count == 1 && received[0].transfers == [.init(from: [0, 1], to: [0, 0, 0])])
    nest.refresh()
    #expect(received.count == 1)
    // A rollback returns the element to its former place, whatever its parent is now.
    #expect(throws: Stop.self) {
      try nest.performUpdates {
        source.remove(at: 2)
        items[2].parent = nil
        throw Stop()
      }
    }
    #expect(nest.path(ofID: 3) == [0, 0, 0] && received.count == 1)
    // But if the parents were read again, the rollback reads them once more.
    #expect(throws: Stop.self) {
      try nest.performUpdates {
        nest.child(at: [0])!.child(at: 0).map { ($0 as! NestNode<Node, Int>).refresh() }
        #expect(nest.path(ofID: 3) == [1])
        throw Stop()
      }
    }
    #expect(nest.path(ofID: 3) == [1] && received.count == 2)
    token.cancel()
  }

  // MARK: Writing and places

  @Test func writingGoesToTheSource() {
    let items = ArrayNode<NestItem>(["a", "b<a", "c<a", "d"])
    let nest = NestItem.nest(items)
    #expect(nest.allows(.remove, at: [0, 1]) && nest.allows(.replace, at: [1]) && nest.allows(.insert, at: [0, 2]))
    #expect(
      nest.allows(.move(to: 0), at: [0, 1]) && !nest.allows(.insertNode, at: [0]) && !nest.allows(.remove, at: [0, 2]))
    nest.insert("e<a", at: [0, 1])
    #expect(NestItem.text(nest) == "a(b e c) d")
    nest.insert("f<d", at: [0, 0])
    #expect(NestItem.text(nest) == "a(b e c) d(f)", "its parent's id says where it stands")
    nest.move(from: [0, 2], to: [0, 0])
    #expect(NestItem.text(nest) == "a(c b e) d(f)")
    nest.replace(at: [0, 1], with: "b<c")
    #expect(nest.remove(at: [0, 0]).value?.id == "c")
    #expect(NestItem.text(nest) == "a(e) b d(f)")
    #expect((0..<items.count).map { nest.path(ofSource: $0).map { Array($0) } } == [[0], [2, 0], [1], [0, 0], [2]])
    let d = nest.child(at: 2) as! NestNode<NestItem, Character>
    #expect(d.path(ofSource: 1) == [0] && d.path(ofSource: 0) == nil && d.path(ofID: "d") == nil)
    #expect(d.sourcePosition(of: 0) == 1 && d.position(ofSource: 1) == 0 && nest.position(ofSource: 1) == nil)
    #expect(d.root === nest && d.source === items && nest.path(of: d) == [2])
    nest.remove(at: [2])
    #expect(d.count == 0 && d.value == nil && !d.allows(.insert, at: 0))
  }

  @Test func aBranchIsMadeWhenItIsAskedFor() {
    let nest = NestItem.nest(ArrayNode(["a", "b<a", "c<b"]))
    #expect(!nest.family.hasParts)
    var branch = nest.child(at: [0, 0])
    #expect(branch === nest.child(at: [0, 0]) && branch?.value?.id == "b")
    #expect(nest.family.hasParts)
    branch = nil
    #expect(!nest.family.hasParts)
  }

  // MARK: Memory, depth and misuse

  @Test func idsThatAreGoneAreForgotten() {
    let source = ArrayNode([0])
    let nest = NestNode(source, id: { $0 }, parent: { $0 - 1_000 })
    for number in 1...500 { source[0] = number }
    #expect(nest.family.table.keys.count < 8 && nest.byteCount < 4_000)
  }

  @Test func theTreeTakesLittleMemory() {
    let nest = NestNode(ArrayNode(1...20_000), id: { $0 }, parent: { $0 / 10 })
    #expect(nest.byteCount <= 60 * 20_000, "\(nest.byteCount / 20_000)")
  }

  @Test(.smallStack) func aChainIsDeep() {
    let depth = min(20_000, TallTree.depth)
    let source = ArrayNode((0..<depth).reversed())
    let nest = NestNode(source, id: { $0 }, parent: { $0 - 1 })
    #expect(nest.count == 1 && nest.descendantCount == depth)
    var received = 0
    let token = nest.observe { received += $0.transfers.count }
    // The element in the middle moves to the top level, and so do the elements below it.
    source[depth / 2] = depth * 2
    #expect(nest.count == 3 && nest.descendantCount == depth && received == 2)
    source[depth / 2] = depth / 2 - 1
    #expect(nest.count == 1 && nest.descendantCount == depth && received == 4)
    token.cancel()
  }

  static let misuses = [
    Misuse("was changed from a closure that must only read") {
      let source = ArrayNode([2, 1])
      let nest = NestNode(
        source,
        id: { number in
          if source.count == 3 { source.removeLast() }
          return number
        }, parent: { $0 - 1 })
      withExtendedLifetime(nest) { source.append(3) }
    },
    Misuse("NestNode: its source is a ProviderNode<Int>, which cannot be written.") {
      NestNode(ProviderNode(count: 1) { $0 }, id: { $0 }, parent: { _ in nil }).remove(at: 0)
    },
    Misuse("NestNode: the position 1 is out of range 0..<1.") {
      _ = NestNode(ArrayNode([1]), id: { $0 }, parent: { _ in nil }).sourcePosition(of: 1)
    },
    Misuse("NestNode's source: the position 1 is out of range 0..<1.") {
      _ = NestNode(ArrayNode([1]), id: { $0 }, parent: { _ in nil }).path(ofSource: 1)
    },
    Misuse("NestNode's source: the position -1 is out of range 0..<1.") {
      _ = NestNode(ArrayNode([1]), id: { $0 }, parent: { _ in nil }).position(ofSource: -1)
    },
    Misuse("NestNode: the position 2 of an insertion is out of range 0...1.") {
      NestNode(ArrayNode([1]), id: { $0 }, parent: { _ in nil }).insert(1, at: 2)
    },
    Misuse("NestNode: the range 0..<2 is out of range 0..<1.") {
      NestNode(ArrayNode([1]), id: { $0 }, parent: { _ in nil }).forEachSpan(in: 0..<2) { _, _ in }
    },
    Misuse("NestNode: nothing can be inserted, because it shows no member, or because the child") {
      let source = ArrayNode([1, 2])
      let branch = NestNode(source, id: { $0 }, parent: { $0 - 1 }).child(at: 0) as! NestNode<Int, Int>
      source.removeAll()
      branch.insert(1, at: 0)
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
