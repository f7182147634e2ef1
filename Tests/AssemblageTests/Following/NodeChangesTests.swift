import Assemblage
import AssemblageTesting
import TestSupport
import Testing

@MainActor @Suite struct NodeChangesTests {
  /// Reads a node's changes in a task, and replays them.
  @MainActor final class Reader {
    private(set) var heard: [ChangeSet] = []
    private(set) var hasEnded = false
    private(set) var task: Task<Void, Never>?

    init(_ node: some TreeNode) {
      let changes = node.changes
      task = Task { @MainActor [weak self] in
        for await change in changes { self?.heard.append(change) }
        self?.hasEnded = true
      }
    }

    /// Lets the task run until something has become true.
    func wait(until isTrue: (Reader) -> Bool) async {
      for _ in 0..<10_000 where !isTrue(self) { await Task.yield() }
      #expect(isTrue(self))
    }
  }

  /// Lets other tasks of the main actor run.
  private static func pause() async { for _ in 0..<20 { await Task.yield() } }

  @Test func theExampleHolds() async {
    let names = ArrayNode<String>([])
    let reader = Reader(names)
    await Self.pause()
    names.append("Ada")
    names.append("Grace")
    await reader.wait { !$0.heard.isEmpty }
    #expect(reader.heard == [ChangeSet(.insertion(0..<2))])
    reader.task?.cancel()
    await reader.wait { $0.hasEnded }
  }

  @Test func whatIsDoneAndUndoneIsNotHeard() async {
    let names = ArrayNode(["Ada"])
    let reader = Reader(names)
    await Self.pause()
    names.append("Grace")
    names.remove(at: 1)
    await Self.pause()
    #expect(reader.heard.isEmpty && !reader.hasEnded)
    names.append("Grace")
    await reader.wait { $0.heard.count == 1 }
    reader.task?.cancel()
    await reader.wait { $0.hasEnded }
  }

  @Test func eachLoopIsAReaderOfItsOwn() async {
    let names = ArrayNode<Int>([])
    let readers = [Reader(names), Reader(names)]
    await Self.pause()
    names.append(1)
    for reader in readers { await reader.wait { $0.heard.count == 1 } }
    readers[0].task?.cancel()
    await readers[0].wait { $0.hasEnded }
    names.append(2)
    await readers[1].wait { $0.heard.count == 2 }
    #expect(readers[0].heard.count == 1)
    readers[1].task?.cancel()
    await readers[1].wait { $0.hasEnded }
  }

  @Test func itEndsWithTheNodeAndNothingIsLost() async {
    var names: ArrayNode<Int>? = ArrayNode([])
    weak let watched = names
    let reader = Reader(names!)
    await Self.pause()
    names?.append(1)
    names = nil
    #expect(watched == nil)
    await reader.wait { $0.hasEnded }
    #expect(reader.heard == [ChangeSet(.insertion(0..<1))])
    // Of a node that has gone there is nothing to hear.
    let gone = ArrayNode([1]).changes
    for await _ in gone { Issue.record("A node that has gone told something.") }
  }

  @Test func aReaderThatEndsIsObservedNoLonger() async {
    let names = ArrayNode<Int>([])
    let author = Task { @MainActor in
      for await _ in names.changes { break }
    }
    await Self.pause()
    names.append(1)
    await author.value
    // Nobody listens: an edit makes no change.
    var isAsked = false
    let filter = FilterNode(names) { _ in
      isAsked = true
      return true
    }
    names.append(2)
    #expect(filter.count == 2 && isAsked)
  }

  /// A reader that reads at random times can follow the node, and hears no more than there was.
  @Test func slowReadersFollow() async throws {
    for iteration in 0..<TestSeed.iterations(20) {
      var generator = TestSeed.generator("node-changes", iteration: iteration)
      let source = ArrayNode(Array(0..<Int.random(in: 0...6, using: &generator)))
      let filter = FilterNode(source) { $0 % 3 > 0 }
      var shown = TreeSnapshot(leaves: filter.elements)
      let reader = Reader(filter)
      await Self.pause()
      var next = 100
      var (edits, read) = (0, 0)
      for _ in 0..<TestSeed.length(40) {
        edits += 1
        next += 1
        switch Int.random(in: 0..<4, using: &generator) {
        case 0 where source.count > 0: source.remove(at: Int.random(in: 0..<source.count, using: &generator))
        case 1 where source.count > 0: source[Int.random(in: 0..<source.count, using: &generator)] = next
        case 2 where source.count > 1:
          source.move(
            from: Int.random(in: 0..<source.count, using: &generator),
            to: Int.random(in: 0..<source.count, using: &generator))
        default: source.insert(next, at: Int.random(in: 0...source.count, using: &generator))
        }
        guard generator.chance(1, in: 3) else { continue }
        await Self.pause()
        // Once for all that happened since the last time.
        #expect(reader.heard.count - read <= 1)
        for change in reader.heard[read...] {
          shown = try shown.applying(change, new: TreeSnapshot(leaves: filter.elements))
        }
        read = reader.heard.count
        #expect(shown == TreeSnapshot(leaves: filter.elements))
      }
      reader.task?.cancel()
      await reader.wait { $0.hasEnded }
    }
  }
}
