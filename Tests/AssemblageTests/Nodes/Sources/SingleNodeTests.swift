import Assemblage
import Foundation
import Testing

@Suite struct SingleNodeTests {
  @Test func theExampleHolds() {
    let status = SingleNode<String>()
    var received: [ChangeSet] = []
    let token = status.observe { received.append($0) }
    #expect(status.count == 0)
    status.content = "Offline"
    #expect(status.count == 1)
    status.content = "Online"
    status.content = nil
    #expect(received == [ChangeSet(.insertion(0..<1)), ChangeSet(.update(0..<1)), ChangeSet(.removal(0..<1))])
    token.cancel()
  }

  /// nil and a value, before and after: the four cases.
  @Test func everyTransition() {
    let cases: [(String?, String?, Delta?)] = [
      (nil, nil, nil), (nil, "a", .insertion(0..<1)), ("a", nil, .removal(0..<1)), ("a", "b", .update(0..<1)),
      ("a", "a", .update(0..<1)),
    ]
    for (before, after, delta) in cases {
      let node = SingleNode(before)
      var received: [ChangeSet] = []
      let token = node.observe { received.append($0) }
      node.content = after
      #expect(received == (delta.map { [ChangeSet($0)] } ?? []))
      #expect(node.content == after && node.count == (after == nil ? 0 : 1))
      #expect(node.elements == [after].compactMap(\.self))
      #expect(node.element(at: 0) == after && node.element(at: 1) == nil && node.element(at: -1) == nil)
      token.cancel()
    }
  }

  @Test func aTransactionDeliversTheNetChange() {
    let node = SingleNode("a")
    var received: [ChangeSet] = []
    let token = node.observe { received.append($0) }
    node.performUpdates {
      node.content = nil
      node.content = "b"
    }
    // Another element arrived, so there is no update.
    #expect(received == [ChangeSet(Delta(removals: [0..<1], insertions: [0..<1]))])
    node.performUpdates {
      node.content = "c"
      node.content = nil
    }
    #expect(received.last == ChangeSet(.removal(0..<1)))
    token.cancel()
  }

  @Test func itIsWrittenThrough() {
    let node = SingleNode<String>()
    node.insert("a", at: [0])
    #expect(node.content == "a")
    node.replace(at: [0], with: "b")
    node.move(from: [0], to: [0])
    #expect(node.content == "b")
    #expect(node.remove(at: [0]).value == "b")
    #expect(node.content == nil)
  }

  /// An element whose release uses the node.
  private final class Reentrant {
    let onRelease: () -> Void
    init(_ onRelease: @escaping () -> Void) { self.onRelease = onRelease }
    deinit { onRelease() }
  }

  @Test func anElementMayUseTheNodeWhileItIsReleased() {
    let node = SingleNode<Reentrant>()
    var counts: [Int] = []
    node.content = Reentrant { [unowned node] in
      counts.append(node.count)
      node.content = nil
    }
    node.content = Reentrant { [unowned node] in counts.append(node.count) }
    #expect(counts == [1, 0])
    #expect(node.isEmpty)
  }
}
