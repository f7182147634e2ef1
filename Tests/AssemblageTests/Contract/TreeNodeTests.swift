@_spi(NodeAuthors) import Assemblage
import Foundation
import Testing

/// The members that every node has from its protocols: the documentation's examples, and the defaults.
@Suite struct TreeNodeTests {
  @Test func theExampleOfTheProtocolHolds() {
    let family = ArrayNode(["Dad", "Mum"])
    let friends = ArrayNode(["Best mate"])
    let sections = BranchNode([family, friends])
    #expect(sections[[1, 0]] == "Best mate")
    #expect(sections[[1]] == nil)
    #expect(sections.element(at: 7) == nil)
  }

  @Test func theExampleOfObserveHolds() {
    let names = ArrayNode(["Ada", "Grace"])
    var printed: [String] = []
    let token = names.observe { change in printed.append("\(change.delta.insertions)") }
    names.append("Edsger")
    #expect(printed == ["[2..<3]"])
    token.cancel()
  }

  @Test func theExampleOfPerformUpdatesHolds() {
    let names = ArrayNode(["Ada"])
    var printed: [String] = []
    let token = names.observe { change in printed.append("\(change.delta.insertions)") }
    names.performUpdates {
      names.append("Grace")
      names.append("Edsger")
      names.remove(at: 0)
    }
    #expect(printed == ["[0..<2]"])
    token.cancel()
  }

  @Test func theExampleOfObservationHolds() {
    let names = ArrayNode(["Ada"])
    var log: [String] = []
    let token = names.observe { log.append("\($0.delta.insertions)") }
    names.append("Grace")
    #expect(log == ["[1..<2]"])
    token.cancel()
    names.append("Edsger")
    #expect(log == ["[1..<2]"])
  }

  @Test func theExampleOfWritingHolds() {
    let sections = BranchNode([ArrayNode(["a"]), ArrayNode(["b"])])
    sections.insert("c", at: [1, 1])
    #expect((0..<2).map { sections[[1, $0]] } == ["b", "c"])
  }

  @Test func theExamplesOfArrayNodeHold() {
    let friends = ArrayNode(["Best mate"])
    friends.append("Bo")
    friends.insert("Al", at: 0)
    #expect(friends[1] == "Best mate")
    #expect(friends.elements == ["Al", "Best mate", "Bo"])

    let letters = ArrayNode(["a", "b", "c", "d"])
    letters.move(from: 0, to: 2)
    #expect(letters.elements == ["b", "c", "a", "d"])

    let words = ArrayNode(["a", "b"])
    words.update(at: 1) { $0 += "!" }
    #expect(words.elements == ["a", "b!"])

    let replaced = ArrayNode(["a", "b", "c"])
    var received: [Delta] = []
    let token = replaced.observe { received.append($0.delta) }
    replaced.replaceAll(with: ["a", "x", "c"], id: { $0 }, areEqual: ==)
    #expect(received == [Delta(removals: [1..<2], insertions: [1..<2])])
    token.cancel()
  }

  @Test func aTransactionReturnsAndThrowsWhatItsBodyDoes() {
    enum Failure: Error { case first }
    let node = ArrayNode([1])
    let count = node.performUpdates { () -> Int in
      node.append(2)
      return node.count
    }
    #expect(count == 2)
    do throws(Failure) {
      try node.performUpdates { () throws(Failure) in
        node.append(3)
        throw .first
      }
      Issue.record("it throws")
    } catch {
      #expect(error == .first)
    }
    #expect(node.elements == [1, 2])
  }

  /// A node with only the members that the protocol requires.
  private final class Plain: TreeNode {
    private let author = NodeAuthor()
    var port: NodePort { author.port }
    let values: [Int?]
    var count: Int { values.count }

    init(_ values: [Int?]) {
      self.values = values
      author.attach(to: self)
    }

    func element(at position: Int) -> Int? { values.indices.contains(position) ? values[position] : nil }
  }

  @Test func theDefaultsSuitEveryNode() {
    // More values than are gathered at once, and some of them nil.
    let values = (0..<1_000).map { $0 % 7 == 3 ? nil : $0 }
    let node = Plain(values)
    #expect(node.value == nil && node.writer == nil && node.child(at: 0) == nil && !node.isEmpty)
    #expect(node.elements == values.compactMap(\.self))
    var pieces: [Int: [Int]] = [:]
    node.forEachSpan(in: 3..<999) { start, span in
      pieces[start] = span.indices.map { span[$0] }
    }
    #expect(pieces[3] == nil && pieces[4] == [4, 5, 6, 7, 8, 9] && pieces.values.allSatisfy { !$0.isEmpty })
    #expect(pieces.sorted { $0.key < $1.key }.flatMap(\.value) == values[3..<999].compactMap(\.self))
    // Other nodes keep the node's reader.
    let join = JoinNode<Int>([node, node])
    #expect(join.element(at: 1_001) == 1 && join.element(at: 1_003) == nil)
    #expect(FilterNode(join) { $0 == 5 }.elements == [5, 5])
  }

  @Test func longSpansArriveInPieces() {
    let node = Plain((0..<1_000).map { $0 })
    var counts: [Int] = []
    node.forEachSpan(in: 0..<1_000) { counts.append($1.count) }
    #expect(counts == [256, 256, 256, 232])
  }
}
