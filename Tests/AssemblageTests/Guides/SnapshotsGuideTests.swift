import Assemblage
import Foundation
import Testing

/// The code of Docs/Snapshots.md.
@MainActor @Suite struct SnapshotsGuideTests {
  @Test func workOnAnotherThread() async {
    let lines = ArrayNode(["error: disk", "ok", "error: net"])
    let errors = FilterNode(lines) { $0.hasPrefix("error") }
    let state = errors.snapshot()
    let export = Task.detached { state.joined(separator: "\n") }
    lines.removeAll()
    #expect(errors.count == 0)
    #expect(await export.value == "error: disk\nerror: net")
  }

  @Test func whatWasRemoved() {
    var left: [String] = []
    var came: [String] = []
    let names = ArrayNode(["Ada", "Grace", "Edsger"])
    let token = names.observeSnapshots { old, change, new in
      left += change.delta.removals.joined().map { old[$0] }
      came += change.delta.insertions.joined().map { new[$0] }
    }
    names.performUpdates {
      names.remove(at: 1)
      names.append("Alan")
    }
    #expect(left == ["Grace"])
    #expect(came == ["Alan"])
    token.cancel()
  }

  @Test func whatChangedBetweenTwoStates() {
    let numbers = ArrayNode(0..<100_000)
    let even = FilterNode(numbers) { $0.isMultiple(of: 2) }
    let before = even.snapshot()
    numbers.remove(at: 50_000)
    numbers.append(200_000)
    let change = before.difference(to: even.snapshot())
    #expect(change.delta.removals == [25_000..<25_001])
    #expect(change.delta.insertions == [49_999..<50_000])
  }

  @Test func twoStatesOfATree() {
    let tree = BranchNode([ArrayNode(["Dad", "Mum"]), ArrayNode(["Bo"])])
    let old = tree.snapshot()
    tree.remove(at: [0, 0])
    #expect(old.difference(to: tree.snapshot()).paths.removals == [[0, 0]])
    #expect(old.value(at: [0, 0]) == "Dad")
  }

  @Test func aTreeThatIsShared() async throws {
    let forest = try ForestNode(rows: [(0, "notes"), (1, "a.md"), (1, "b.md"), (0, "x.txt")])
    let taken = forest.snapshot()
    let size = Task.detached { taken.descendants.reduce(0) { $0 + $1.utf8.count } }
    forest.remove(at: [0, 0])
    #expect(await size.value == 18)
    #expect(taken.value(at: [0, 1]) == "b.md")
    #expect(taken.descendants.numbers(below: [0]) == 1..<3)
    #expect(taken.descendants.path(to: 3) == [1])
    #expect(taken.descendants.parent(of: 2) == 0)
    #expect(taken.difference(to: forest.snapshot()).paths.removals == [[0, 0]])
  }
}
