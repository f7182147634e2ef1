import Assemblage
import Foundation
import Testing

/// The examples on the pages of the types that changes are made of.
@Suite struct ChangeExampleTests {
  @Test func changesInsideChildren() {
    let one = ChangeSet(delta: Delta(), children: [(2, ChangeSet(.insertion(4..<6)))])
    let child = one.children[0]
    #expect(child.position == 2 && child.delta.insertions == [4..<6])
    let two = ChangeSet(
      delta: Delta(), children: [(0, ChangeSet(.removal(3..<4))), (2, ChangeSet(.insertion(4..<6)))])
    #expect(two.children.map(\.position) == [0, 2])
    #expect(two.children.map(\.delta.countChange) == [-1, 2])
  }

  @Test func moves() {
    let sections = BranchNode([ArrayNode(["a", "b"]), ArrayNode(["c"])])
    var printed: [String] = []
    let token = sections.observe { for move in $0.paths.moves { printed.append("\(move.source) \(move.destination)") } }
    sections.move(from: [0, 1], to: [1, 0])
    #expect(printed == ["[0, 1] [1, 0]"])
    token.cancel()

    let change = ChangeSet(
      delta: Delta(), children: [(0, ChangeSet(.removal(1..<2))), (1, ChangeSet(.insertion(0..<1)))],
      transfers: [ChangeSet.Transfer(from: [0, 1], to: [1, 0], change: ChangeSet(updatesValue: true))])
    #expect(change.paths.moves == [ChangeSet.Paths.Move(from: [0, 1], to: [1, 0])])
    #expect(change.paths.updates == [[1, 0]])

    let delta = Delta.move(0..<2, to: 3)
    #expect(delta.moves[0].source == 0..<2 && delta.moves[0].destination == 3..<5)
  }

  @Test func stages() {
    let calls = ChangeSet(delta: .removal(0..<1), children: [(0, ChangeSet(.insertion(1..<3)))])
    var received: [[ChangeSet.OutlineCall]] = []
    for case .batch(let batch) in calls.stages(for: .outline) { received.append(batch.calls) }
    #expect(received == [[.remove(at: [0], inParent: []), .insert(at: [1, 2], inParent: [0])]])

    let change = ChangeSet(delta: .move(2..<3, to: 0), children: [(0, ChangeSet(.update(4..<5)))])
    #expect(change.stages(for: .list).count == 2)
    #expect(change.stages(for: .outline).count == 1)
    var performed = 0
    for stage in change.stages(reloadingAbove: 100) {
      switch stage {
      case .batch(let batch): performed += batch.moves.count + batch.reloads.count
      case .reload: Issue.record("Two elements changed.")
      }
    }
    #expect(performed == 2)
    #expect(ChangeSet(.insertion(0..<500)).stages(reloadingAbove: 100) == [.reload])
  }

  @Test func snapshots() {
    let old = TreeSnapshot(leaves: ["a"])
    do {
      let new = try old.applying(ChangeSet(.removal(1..<2)), new: old)
      Issue.record("The change fits: \(new)")
    } catch {
      #expect(error.path == [] && error.description == "[-1] does not fit 1 child.")
    }

    let tree = TreeSnapshot(
      children: [TreeSnapshot(leaf: "x.txt"), TreeSnapshot(value: "notes", leaves: ["a.md", "b.md"])])
    let notes = tree.children[1]
    #expect(notes.value == "notes" && notes.children[0].value == "a.md" && !notes.children[0].isNode)
    #expect(tree.children.map(\.count) == [0, 2])
    #expect(tree.elements == ["x.txt", "notes"])
  }
}
