@testable import Assemblage
import AssemblageTesting
import TestSupport
import Testing

@MainActor @Suite struct NodeChangesTests {
  /// Reads a node's changes in a task.
  @MainActor final class Reader {
    private(set) var received: [ChangeSet] = []
    private(set) var hasEnded = false
    private(set) var task: Task<Void, Never>?
    private var hasBegun = false

    /// - Parameters:
    ///   - node: the node that is followed.
    ///   - receive: called with each change, in the body of the loop.
    init(_ node: some TreeNode, receive: @escaping @MainActor (ChangeSet) -> Void = { _ in }) {
      let changes = node.changes
      task = Task { @MainActor [weak self] in
        var reader = changes.makeAsyncIterator()
        self?.hasBegun = true
        while let change = await reader.next() {
          self?.received.append(change)
          receive(change)
        }
        self?.hasEnded = true
      }
    }

    func begin() async { #expect(await eventually { hasBegun }) }

    func receive(_ count: Int) async {
      #expect(await eventually { received.count >= count })
      #expect(received.count == count)
    }

    func end() async {
      task?.cancel()
      #expect(await eventually { hasEnded })
    }
  }

  @Test func theExampleHolds() async {
    let names = ArrayNode<String>([])
    let reader = Reader(names)
    await reader.begin()
    names.append("Ada")
    names.append("Grace")
    await reader.receive(1)
    #expect(reader.received == [ChangeSet(.insertion(0..<2))])
    await reader.end()
  }

  @Test func aChangeThatIsUndoneIsNotReceived() async {
    let names = ArrayNode(["Ada"])
    let reader = Reader(names)
    await reader.begin()
    names.append("Grace")
    names.remove(at: 1)
    try? await Task.sleep(for: .milliseconds(1))
    #expect(reader.received.isEmpty && !reader.hasEnded)
    names.append("Grace")
    await reader.receive(1)
    await reader.end()
  }

  @Test func eachLoopIsAReaderOfItsOwn() async {
    let names = ArrayNode<Int>([])
    let readers = [Reader(names), Reader(names)]
    for reader in readers { await reader.begin() }
    names.append(1)
    for reader in readers { await reader.receive(1) }
    await readers[0].end()
    names.append(2)
    await readers[1].receive(2)
    #expect(readers[0].received.count == 1)
    await readers[1].end()
  }

  @Test func itEndsWithTheNodeAndNothingIsLost() async {
    var names: ArrayNode<Int>? = ArrayNode([])
    weak let watched = names
    let reader = Reader(names!)
    await reader.begin()
    names?.append(1)
    names = nil
    #expect(watched == nil)
    #expect(await eventually { reader.hasEnded })
    #expect(reader.received == [ChangeSet(.insertion(0..<1))])
    // A node that was released reports nothing.
    let gone = ArrayNode([1]).changes
    for await _ in gone { Issue.record("A node that has gone told something.") }
  }

  @Test func aReaderThatEndsIsObservedNoLonger() async {
    let names = ArrayNode<Int>([])
    var hasBegun = false
    let author = Task { @MainActor in
      var reader = names.changes.makeAsyncIterator()
      hasBegun = true
      _ = await reader.next()
    }
    #expect(await eventually { hasBegun })
    #expect(names.hub.isObserved)
    names.append(1)
    await author.value
    // The node has no observer, so an edit makes no change.
    #expect(!names.hub.isObserved)
  }

  /// A reader that reads at random times can follow the node, and gets at most one change for each time that it reads.
  @Test func slowReadersFollow() async throws {
    for iteration in 0..<TestSeed.iterations(20) {
      var generator = TestSeed.generator("node-changes", iteration: iteration)
      let source = ArrayNode(Array(0..<Int.random(in: 0...6, using: &generator)))
      let filter = FilterNode(source) { $0 % 3 > 0 }
      var shown = TreeSnapshot(leaves: filter.elements)
      // When the body begins, the node is in the state after the change.
      let reader = Reader(filter) { change in
        do {
          shown = try shown.applying(change, new: TreeSnapshot(leaves: filter.elements))
        } catch {
          Issue.record(error)
        }
      }
      await reader.begin()
      var (next, read) = (100, 0)
      for _ in 0..<TestSeed.length(40) {
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
        #expect(await eventually { shown == TreeSnapshot(leaves: filter.elements) })
        // One change covers everything since the last check.
        #expect(reader.received.count - read <= 1)
        read = reader.received.count
      }
      await reader.end()
    }
  }

  /// A node that is released before its reader has read its last changes ends the stream. The node is not read any
  /// more.
  @Test func aNodeThatIsReleasedInATransactionEndsItsStream() async {
    let source = ArrayNode([1])
    var filter: FilterNode<Int>? = FilterNode(source) { $0 > 0 }
    var reader = filter!.changes.makeAsyncIterator()
    source.performUpdates {
      source.append(2)
      filter = nil
    }
    #expect(await reader.next() == nil)
    #expect(source.hub.state.value.dependents.isEmpty)
  }
}
