@testable import Assemblage
import Foundation
import Testing

/// Programmer errors trap, each with one sentence that says what was wrong.
@Suite struct MisuseTests {
  /// In release builds the sentence is compiled away.
  private func expect(
    _ result: ExitTest.Result?, says sentence: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #if DEBUG
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      let line = text.split(separator: "\n").first { $0.contains("Fatal error") } ?? text[...]
      #expect(text.contains(sentence), "\(line)", sourceLocation: sourceLocation)
    #endif
  }

  // MARK: Positions

  @Test func aPositionOfAnArrayNodeIsOutOfRange() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = ArrayNode([1, 2])[2]
      }, says: "ArrayNode: the position 2 is out of range 0..<2.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        ArrayNode([1, 2]).insert(3, at: 3)
      }, says: "ArrayNode: the position 3 of an insertion is out of range 0...2.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        ArrayNode([1, 2]).replaceSubrange(1..<4, with: [])
      }, says: "ArrayNode: the range 1..<4 is out of range 0..<2.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        ArrayNode([1, 2]).removeLast(3)
      }, says: "ArrayNode: cannot remove 3 of 2 elements.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        ArrayNode([1, 2]).removeFirst(-1)
      }, says: "ArrayNode: cannot remove -1 elements.")
  }

  /// Every other edit and reading, in one function each: that they trap is what counts.
  @Test func everyEditOfAnArrayNodeChecksItsPositions() async {
    await #expect(processExitsWith: .failure) { ArrayNode([1])[-1] = 2 }
    await #expect(processExitsWith: .failure) { ArrayNode([1]).remove(at: 1) }
    await #expect(processExitsWith: .failure) { ArrayNode<Int>().removeFirst() }
    await #expect(processExitsWith: .failure) { ArrayNode<Int>().removeLast() }
    await #expect(processExitsWith: .failure) { ArrayNode([1]).removeFirst(2) }
    await #expect(processExitsWith: .failure) { ArrayNode([1]).removeSubrange(-1..<1) }
    await #expect(processExitsWith: .failure) { ArrayNode([1]).insert(contentsOf: [], at: 2) }
    await #expect(processExitsWith: .failure) { ArrayNode([1]).move(from: 0, to: 1) }
    await #expect(processExitsWith: .failure) { ArrayNode([1]).move(from: 1, to: 0) }
    await #expect(processExitsWith: .failure) { ArrayNode([1]).swapAt(0, 1) }
    await #expect(processExitsWith: .failure) { ArrayNode([1]).update(at: 1) }
    await #expect(processExitsWith: .failure) { ArrayNode([1]).update(at: 1) { $0 = 2 } }
    await #expect(processExitsWith: .failure) { ArrayNode([1]).replace(at: 1, with: 2) }
    await #expect(processExitsWith: .failure) { ArrayNode([1]).forEachSpan(in: 0..<2) { _, _ in } }
  }

  @Test func aPositionOfAnotherNodeIsOutOfRange() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = BranchNode(leaves: [1])[1]
      }, says: "BranchNode: the position 1 is out of range 0..<1.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = JoinNode([ArrayNode([1])]).locate(1)
      }, says: "JoinNode: the position 1 is out of range 0..<1.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        JoinNode([ArrayNode([1])]).removeMember(at: 1)
      }, says: "JoinNode's members: the position 1 is out of range 0..<1.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = JoinNode([ArrayNode([1])]).position(of: 1, inMember: 0)
      }, says: "JoinNode's member: the position 1 is out of range 0..<1.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = FilterNode(ArrayNode([1, 2])) { $0 > 1 }.sourcePosition(of: 1)
      }, says: "FilterNode: the position 1 is out of range 0..<1.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = FilterNode(ArrayNode([1, 2])) { $0 > 1 }.position(ofSource: 2)
      }, says: "FilterNode's source: the position 2 is out of range 0..<2.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        FilterNode(ArrayNode([1, 2])) { $0 > 1 }.refresh(1..<3)
      }, says: "FilterNode's source: the range 1..<3 is out of range 0..<2.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        SingleNode(1).replace(at: 1, with: 2)
      }, says: "SingleNode: the position 1 is out of range 0..<1.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        ProviderNode(count: 3) { $0 }.forEachSpan(in: 2..<4) { _, _ in }
      }, says: "ProviderNode: the range 2..<4 is out of range 0..<3.")
  }

  @Test func everyEditOfOtherNodesChecksItsPositions() async {
    await #expect(processExitsWith: .failure) { BranchNode(leaves: [1]).insert(.leaf(2), at: 2) }
    await #expect(processExitsWith: .failure) { BranchNode(leaves: [1]).remove(at: 1) }
    await #expect(processExitsWith: .failure) { BranchNode(leaves: [1]).move(from: 0, to: 1) }
    await #expect(processExitsWith: .failure) { BranchNode(leaves: [1]).replace(at: -1, with: .leaf(2)) }
    await #expect(processExitsWith: .failure) { JoinNode<Int>().insertMember(ArrayNode<Int>(), at: 1) }
    await #expect(processExitsWith: .failure) { JoinNode<Int>([ArrayNode([1])]).moveMember(from: 0, to: 1) }
    await #expect(processExitsWith: .failure) { JoinNode<Int>([ArrayNode([1])]).move(from: 0, to: 1) }
    await #expect(processExitsWith: .failure) { JoinNode<Int>([ArrayNode([1])]).insert(2, at: 2) }
    await #expect(processExitsWith: .failure) { FilterNode(ArrayNode([1])) { _ in false }.insert(2, at: 1) }
    await #expect(processExitsWith: .failure) { FilterNode(ArrayNode([1])) { _ in false }.remove(at: 0) }
    await #expect(processExitsWith: .failure) { SingleNode<Int>().remove(at: 0) }
    await #expect(processExitsWith: .failure) { SingleNode(1).move(from: 0, to: 1) }
  }

  // MARK: Paths

  @Test func aPathIsOutOfRange() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = BranchNode([ArrayNode([1]), ArrayNode([2, 3])])[[1, 2]]
      }, says: "The path [1, 2] is out of range: there are 2 children at [1].")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = BranchNode([ArrayNode([1])])[[1, 0, 0]]
      }, says: "The path [1, 0, 0] is out of range: there are 1 children at [].")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = BranchNode([ArrayNode([1])])[[0, 0, 0]]
      }, says: "The path [0, 0, 0] leads through [0, 0], which is a leaf.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        BranchNode([ArrayNode([1])]).insert(2, at: [0, 2])
      }, says: "ArrayNode: the position 2 of an insertion is out of range 0...1.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        BranchNode([ArrayNode([1])]).remove(at: [])
      }, says: "The path [] is the node itself, not a child that could be written.")
    await #expect(processExitsWith: .failure) { _ = ArrayNode([1])[[-1]] }
    await #expect(processExitsWith: .failure) { BranchNode([ArrayNode([1])]).remove(at: [1, 0]) }
    await #expect(processExitsWith: .failure) { BranchNode([ArrayNode([1])]).replace(at: [0, 1], with: 2) }
    await #expect(processExitsWith: .failure) {
      BranchNode([ArrayNode([1])]).move(from: [0, 1], to: [0, 0])
    }
    await #expect(processExitsWith: .failure) {
      BranchNode([ArrayNode([1])]).move(from: [0, 0], to: [0, 1])
    }
  }

  @Test func aPlaceCannotBeWritten() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        BranchNode([ProviderNode(count: 1) { $0 }]).insert(2, at: [0, 0])
      }, says: "The path [0, 0] leads into a ProviderNode<Int>, which cannot be written.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        JoinNode<Int>([ArrayNode([1]), ProviderNode(count: 1) { $0 }]).remove(at: [1])
      }, says: "JoinNode: its member 1 is a ProviderNode<Int>, which cannot be written.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        FilterNode(ProviderNode(count: 1) { $0 }) { _ in true }.replace(at: [0], with: 1)
      }, says: "FilterNode: its source is a ProviderNode<Int>, which cannot be written.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        JoinNode<Int>().insert(1, at: [0])
      }, says: "JoinNode: there is no member that could take an insertion.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        SingleNode(1).insert(2, at: [1])
      }, says: "SingleNode: it has a child already and cannot hold a second one.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        BranchNode([ArrayNode([1])]).replace(at: [0], with: 2)
      }, says: "BranchNode: its child 0 is a ArrayNode<Int>, which has no value that could be replaced.")
  }

  @Test func aNodeIsMovedWhereItCannotStand() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        BranchNode([BranchNode([ArrayNode([1])]), ArrayNode([2])]).move(from: [0, 0], to: [1, 0])
      }, says: "ArrayNode<Int>: its children are elements; it cannot take the node ArrayNode [")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        BranchNode([BranchNode<Int>([BranchNode()])]).move(from: [0], to: [0, 0, 0])
      }, says: "The path [0, 0, 0] is out of range: there are 0 children at [].")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        BranchNode([BranchNode<Int>([BranchNode()])]).move([0], into: [0, 0], at: 0)
      }, says: "The child at [0] cannot move into itself, to [0, 0].")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        BranchNode([ArrayNode([1]), ArrayNode([2])]).move([0, 0], into: [1], at: 2)
      }, says: "The position 2 is out of range: there are 1 children at [1].")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        JoinNode<Int>([BranchNode([ArrayNode([1])]), ArrayNode([2])]).move(from: 0, to: 1)
      }, says: "ArrayNode<Int>: its children are elements; it cannot take the node ArrayNode [")
  }

  // MARK: Counts

  @Test func aProviderIsToldWhatCannotBe() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = ProviderNode(count: -1) { $0 }
      }, says: "ProviderNode: the count -1 is negative.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        ProviderNode(count: 3) { $0 }.announce(.removal(2..<4))
      },
      says: """
        ProviderNode: the announced change reaches beyond the 3 elements there were, or beyond the 1 there are.
        """)
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        ProviderNode(count: 3) { $0 }.announceReplacement(count: -2)
      }, says: "ProviderNode: the count -2 is negative.")
    await #expect(processExitsWith: .failure) { ProviderNode(count: 3) { $0 }.announce(.insertion(4..<5)) }
    await #expect(processExitsWith: .failure) { ProviderNode(count: 3) { $0 }.announce(.update(3..<4)) }
    await #expect(processExitsWith: .failure) { ProviderNode(count: 3) { $0 }.announce(.move(0..<1, to: 3)) }
  }

  @Test func theTotalOverflows() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let half = ProviderNode(count: Int.max / 2 + 1) { $0 }
        _ = JoinNode([half, half])
      }, says: "sum of sizes does not fit in an Int")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let half = ProviderNode(count: Int.max / 2 + 1) { $0 }
        let join = JoinNode([half])
        join.appendMember(half)
      }, says: "sum of sizes does not fit in an Int")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let first = ProviderNode(count: Int.max / 2) { $0 }
        let second = ProviderNode(count: Int.max / 2 + 1) { $0 }
        let join = JoinNode([first, second])
        first.announce(.insertion(0..<1))
        _ = join.count
      }, says: "sum of sizes does not fit in an Int")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        ProviderNode(count: Int.max - 1) { $0 }.announce(.insertion(0..<2))
      }, says: "ProviderNode: 2 more elements than 9223372036854775806 would overflow the count.")
  }

  // MARK: Cycles

  @Test func aCycleIsRefused() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let join = JoinNode<Int>()
        join.appendMember(JoinNode([join]))
      },
      says: """
        A cycle: JoinNode<Int> (0 children, no value) cannot become a source of JoinNode<Int> (0 children, no value), \
        because it derives from it.
        """)
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let branch = BranchNode<Int>()
        branch.append(branch)
      }, says: "A cycle: BranchNode<Int> (0 children, no value) cannot become its own source.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let branch = BranchNode(leaves: [1])
        branch[0] = .node(FilterNode(FilterNode(branch) { _ in true }) { _ in true })
      },
      says:
        "A cycle: FilterNode<Int> (1 children, no value) cannot become a source of BranchNode<Int> (1 children, no value)"
    )
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let join = JoinNode<Int>([ArrayNode([1])])
        _ = join.replaceMember(at: 0, with: BranchNode([join]))
      },
      says:
        "A cycle: BranchNode<Int> (1 children, no value) cannot become a source of JoinNode<Int> (1 children, no value)"
    )
  }

  // MARK: Closures that must not change the graph

  @Test func aPredicateChangesTheGraph() async {
    let sentence =
      "was changed from a closure that a derived node of the same graph calls while it is made or translates a change"
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let source = ArrayNode([1, 2])
        _ = FilterNode(source) { _ in
          source.append(3)
          return true
        }
      }, says: "ArrayNode<Int> \(sentence)")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let source = ArrayNode([1, 2])
        FilterNode(source) { _ in true }.setPredicate { _ in
          source.removeAll()
          return true
        }
      }, says: "ArrayNode<Int> \(sentence)")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let source = ArrayNode([1, 2])
        let other = SingleNode<Int>()
        let join = JoinNode([source, other])
        let filter = FilterNode(join) { element in
          if element == 3 { other.content = element }
          return true
        }
        source.append(3)
        _ = filter.count
      }, says: "SingleNode<Int> \(sentence)")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let source = ArrayNode([1, 2])
        var filter: FilterNode<Int>?
        filter = FilterNode(source) { element in
          if element == 3 { filter?.setPredicate { _ in false } }
          return true
        }
        source.append(3)
      }, says: "FilterNode<Int> \(sentence)")
    await #expect(processExitsWith: .failure) {
      let source = ArrayNode([1, 2])
      var armed = false
      let filter = FilterNode(source) { _ in
        if armed { source.removeLast() }
        return true
      }
      armed = true
      filter.refresh()
    }
  }

  @Test func aPredicateLinksTheGraph() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let source = ArrayNode([1, 2])
        _ = FilterNode(source) { _ in !JoinNode([source]).isEmpty }
      },
      says: """
        ArrayNode<Int> was linked to JoinNode<Int> from a closure that a derived node of the same graph calls
        """)
    await #expect(processExitsWith: .failure) {
      let source = ArrayNode([1, 2])
      let branch = BranchNode([source])
      let filter = FilterNode(source) { element in
        if element == 3 { branch.append(ArrayNode<Int>()) }
        return true
      }
      source.append(3)
      _ = filter.count
    }
  }

  /// What a predicate may do: read the graph, and change another one.
  @Test func aPredicateReadsTheGraphAndChangesAnother() {
    let source = ArrayNode([1, 2])
    let log = ArrayNode<Int>()
    let filter = FilterNode(source) { element in
      log.append(element)
      return element >= source[0]
    }
    source.append(0)
    #expect(filter.elements == [1, 2] && log.elements == [1, 2, 0])
  }

  // MARK: Authors

  /// A node whose author can be had without it.
  private final class Bare: TreeNode {
    let port: NodePort
    let count = 0
    init(_ author: NodeAuthor) { port = author.port }
    func element(at position: Int) -> Int? { nil }
  }

  @Test func anAuthorIsMisused() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let author = NodeAuthor()
        let node = Bare(author)
        author.attach(to: node)
        author.attach(to: Bare(author))
      }, says: "This author already belongs to Bare; each node needs one of its own.")
    let sentence = "A node was changed after it had been released, or before its author was attached to it."
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        NodeAuthor().prepareForChange()
      }, says: sentence)
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let author = NodeAuthor()
        let node = Bare(author)
        author.attach(to: node)
        author.prepareForChange()
        author.detach()
        author.prepareForChange()
      }, says: sentence)
  }

  @Test func aSlotIsMisused() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let join = JoinNode<Int>([ArrayNode([1])])
        join.hub.link(ArrayNode([2]), slot: 0)
      }, says: "The slot 0 of JoinNode<Int> is already in use.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        JoinNode<Int>().hub.link(ArrayNode([2]), slot: -1)
      }, says: "The slot -1 of a source is negative.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let join = JoinNode<Int>([ArrayNode([1])])
        join.hub.unlink(slot: 1)
      }, says: "JoinNode<Int> has no source in slot 1.")
  }

  // MARK: Observers

  @Test func anObserverLoopsForEver() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let source = ArrayNode([1])
        let token = source.observe { _ in source.append(2) }
        source.append(3)
        token.cancel()
      },
      says: """
        An observer of ArrayNode<Int> was told 1000 times in one delivery, because an observer changes the graph \
        each time it hears of a change.
        """)
    // Two that answer one another.
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let first = SingleNode(0)
        let second = SingleNode(0)
        let both = JoinNode([first, second])
        let tokens = [
          first.observe { _ in second.content = second.content! + 1 },
          second.observe { _ in first.content = first.content! + 1 },
        ]
        first.content = 1
        withExtendedLifetime((both, tokens)) {}
      }, says: "An observer of SingleNode<Int> was told 1000 times in one delivery")
  }

  @Test func aLoopThatEndsInTimeIsNone() {
    let source = ArrayNode([1])
    var heard = 0
    let token = source.observe { _ in
      heard += 1
      if source.count < 999 { source.append(2) }
    }
    source.append(3)
    #expect(source.count == 999 && heard == 998)
    // Each delivery counts for itself.
    source.removeSubrange(1..<999)
    #expect(source.count == 999)
    token.cancel()
  }

  // MARK: Threads and transactions

  #if DEBUG
    @Test func twoThreadsChangeOneGraph() async {
      expect(
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          let numbers = ArrayNode([1, 2])
          let filter = FilterNode(numbers) { $0 > 1 }
          withExtendedLifetime(filter) {
            numbers.performUpdates {
              let end = DispatchSemaphore(value: 0)
              nonisolated(unsafe) let shared = numbers
              Thread {
                unsafe shared.append(3)
                end.signal()
              }.start()
              end.wait()
            }
          }
        },
        says: "ArrayNode<Int> was changed while another thread was inside a change or a transaction of its graph")
    }
  #endif

  @Test func aGraphIsHandedFromOneThreadToAnother() async {
    let numbers = ArrayNode([1])
    let filter = FilterNode(numbers) { $0 > 1 }
    for number in 2...4 {
      nonisolated(unsafe) let shared = numbers
      let end = DispatchSemaphore(value: 0)
      Thread {
        unsafe shared.performUpdates { unsafe shared.append(number) }
        end.signal()
      }.start()
      end.wait()
    }
    #expect(filter.elements == [2, 3, 4])
  }

  @Test func aSharedTransactionBeginsInAPredicate() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let numbers = ArrayNode([1])
        let others = ArrayNode([1])
        let filter = FilterNode(numbers) { number in performUpdates(on: [numbers, others]) { number > 1 } }
        numbers.append(2)
        _ = filter
      },
      says: "A transaction of ArrayNode<Int> and ArrayNode<Int> began in a closure that a derived node calls")
  }
}
