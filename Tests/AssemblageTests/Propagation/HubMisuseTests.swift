@_spi(NodeAuthors) @testable import Assemblage
import TestSupport
import Testing

private let early = "A node was changed after it had been released, or before its author was attached to it."

/// Misuse of authors, slots and observers.
@Suite struct HubMisuseTests: MisuseSuite {
  static let misuses = [
    // MARK: Authors
    Misuse("This author already belongs to Bare; each node needs one of its own.") {
      let author = NodeAuthor()
      let node = Bare(author)
      author.attach(to: node)
      author.attach(to: Bare(author))
    },
    Misuse(early) { NodeAuthor().prepareForChange() },
    Misuse(early) {
      let author = NodeAuthor()
      let node = Bare(author)
      author.attach(to: node)
      author.prepareForChange()
      author.detach()
      author.prepareForChange()
    },
    Misuse("The slot 0 of JoinNode<Int> is already in use.") {
      let join = JoinNode<Int>([ArrayNode([1])])
      join.hub.link(ArrayNode([2]), slot: 0)
    },
    Misuse("The slot -1 of a source is negative.") { JoinNode<Int>().hub.link(ArrayNode([2]), slot: -1) },
    Misuse("JoinNode<Int> has no source in slot 1.") {
      let join = JoinNode<Int>([ArrayNode([1])])
      join.hub.unlink(slot: 1)
    },
    // MARK: Observers
    Misuse(
      """
      An observer of ArrayNode<Int> was notified 1000 times in one delivery, because an observer changes the graph \
      each time that it is notified.
      """
    ) {
      let source = ArrayNode([1])
      let token = source.observe { _ in source.append(2) }
      source.append(3)
      token.cancel()
    },
    Misuse("An observer of SingleNode<Int> was notified 1000 times in one delivery") {
      // Two observers that answer each other.
      let first = SingleNode(0)
      let second = SingleNode(0)
      let both = JoinNode([first, second])
      let tokens = [
        first.observe { _ in second.content = second.content! + 1 },
        second.observe { _ in first.content = first.content! + 1 },
      ]
      first.content = 1
      withExtendedLifetime((both, tokens)) {}
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }

  /// A node whose author is accessible without the node.
  private final class Bare: TreeNode {
    let port: NodePort
    let count = 0
    init(_ author: NodeAuthor) { port = author.port }
    func element(at position: Int) -> Int? { nil }
  }

  @Test func aLoopThatEndsInTimeIsNone() {
    let source = ArrayNode([1])
    var received = 0
    let token = source.observe { _ in
      received += 1
      if source.count < 999 { source.append(2) }
    }
    source.append(3)
    #expect(source.count == 999 && received == 998)
    // Each delivery counts for itself.
    source.removeSubrange(1..<999)
    #expect(source.count == 999)
    token.cancel()
  }
}
