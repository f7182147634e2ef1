@_spi(NodeAuthors) import Assemblage
import Testing

/// The examples on the pages of the types that nodes and their authors exchange.
@Suite struct ContractExampleTests {
  @Test func places() {
    let friends = ArrayNode(["Al", "Bo"])
    #expect(friends.allows(.move(to: 0), at: 1))
    #expect(!friends.allows(.remove, at: 2))
    #expect(!friends.allows(.insertNode, at: 0))

    var numbers = ArrayNode([3, 8]).makeIterator()
    #expect(numbers.next() == 3 && numbers.next() == 8)
    #expect(numbers.next() == nil)

    let rows = JoinNode([ArrayNode(["a"]), ArrayNode(["b", "c"])])
    let place = rows.owner(of: 2)
    #expect(place.node.elements == ["b", "c"] && place.position == 1 && place.member == 1)
  }

  /// A node whose elements are the counts of its sources.
  private final class CountsNode: TreeNode {
    private let author = NodeAuthor()
    var port: NodePort { author.port }
    private var counts: [Int]
    let sources: [any TreeNode]

    init(_ sources: [any TreeNode]) {
      self.sources = sources
      counts = sources.map { $0.count }
      author.attach(to: self) { node, reports in
        for report in reports { node.counts[report.slot] += report.change.delta.countChange }
        return ChangeSet(Delta(updates: reports.map { $0.slot..<$0.slot + 1 }))
      }
      for (slot, source) in sources.enumerated() { author.link(source, slot: slot) }
    }

    var count: Int { counts.count }
    func element(at position: Int) -> Int? { counts.indices.contains(position) ? counts[position] : nil }
  }

  @Test func reportsOfSources() {
    let (first, second) = (ArrayNode(["a"]), ArrayNode(["b", "c"]))
    let counts = CountsNode([first, JoinNode([first, second])])
    var received: [ChangeSet] = []
    let token = counts.observe { received.append($0) }
    second.removeAll()
    first.append("d")
    #expect(counts.elements == [2, 2])
    #expect(received == [ChangeSet(.update(1..<2)), ChangeSet(.update(0..<2))])
    token.cancel()
  }

  /// Two rows whose order can be reversed.
  private final class PairNode: TreeNode {
    private let author = NodeAuthor()
    var port: NodePort { author.port }
    private var isTurned = false

    init() { author.attach(to: self) }

    var count: Int { 2 }
    func element(at position: Int) -> Int? { (0..<2).contains(position) ? isTurned ? 1 - position : position : nil }

    func turn() {
      author.prepareForChange()
      isTurned.toggle()
      author.publish(ChangeSet(.move(0..<1, to: 1)), of: .view, inverse: { [self] in turn() })
    }
  }

  @Test func whatAChangeIsAbout() {
    struct Failure: Error {}
    let pair = PairNode()
    let log = UndoLog(of: pair)
    pair.turn()
    #expect(pair.elements == [1, 0] && !log.canUndo)
    #expect(throws: Failure.self) {
      try pair.performUpdates {
        pair.turn()
        throw Failure()
      }
    }
    #expect(pair.elements == [1, 0])
  }
}
