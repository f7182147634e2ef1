@_spi(NodeAuthors) import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Nodes that a user writes, with the public interface alone.
@Suite struct CustomNodeTests {
  // MARK: A source

  /// The example of `NodeAuthor`, word for word.
  final class Countdown: TreeNode {
    private let author = NodeAuthor()
    var port: NodePort { author.port }
    private(set) var count: Int

    init(from count: Int) {
      self.count = count
      author.attach(to: self)
    }

    func element(at position: Int) -> Int? { position < count ? count - position : nil }

    func tick() {
      author.prepareForChange()
      count -= 1
      author.publish(ChangeSet(.removal(0..<1)))
    }

    var isObserved: Bool { author.isObserved }
  }

  @Test func theExampleOfTheAuthorHolds() {
    let countdown = Countdown(from: 5)
    #expect(!countdown.isObserved)
    let even = FilterNode(countdown) { $0 % 2 == 0 }
    let all = JoinNode<Int>([ArrayNode([100]), countdown, even])
    #expect(countdown.elements == [5, 4, 3, 2, 1] && countdown.isObserved)
    #expect(all.elements == [100, 5, 4, 3, 2, 1, 4, 2])
    var received: [ChangeSet] = []
    let token = all.observe { received.append($0) }
    countdown.tick()
    countdown.tick()
    #expect(all.elements == [100, 3, 2, 1, 2])
    #expect(received == [ChangeSet(.removal(1..<2)), ChangeSet(Delta(removals: [1..<2, 5..<6]))])
    countdown.performUpdates { while !countdown.isEmpty { countdown.tick() } }
    #expect(received.last == ChangeSet(.removal(1..<5)))
    #expect(countdown.writer == nil && countdown.value == nil && countdown.child(at: 0) == nil)
    token.cancel()
  }

  /// A plain source: an array of rows, each with its version.
  final class Ledger: TreeNode, WritableNode {
    private let author = NodeAuthor()
    var port: NodePort { author.port }
    private var rows: [Row]

    init(_ rows: [Row]) {
      self.rows = rows
      author.attach(to: self)
    }

    var count: Int { rows.count }

    func element(at position: Int) -> Row? { rows.indices.contains(position) ? rows[position] : nil }

    private func change(_ delta: Delta, _ edit: () -> Void) {
      author.prepareForChange()
      edit()
      author.publish(ChangeSet(delta))
    }

    func insert(_ element: Row, at position: Int) {
      change(.insertion(position..<position + 1)) { rows.insert(element, at: position) }
    }

    func removeChild(at position: Int) -> TreeChild<Row> {
      let row = rows[position]
      change(.removal(position..<position + 1)) { rows.remove(at: position) }
      return .leaf(row)
    }

    func move(from position: Int, to destination: Int) {
      change(.move(position..<position + 1, to: destination)) {
        rows.insert(rows.remove(at: position), at: destination)
      }
    }

    func replace(at position: Int, with element: Row) {
      change(.update(position..<position + 1)) { rows[position] = element }
    }
  }

  // MARK: A derived node

  /// Translates between a source's positions and the same positions counted from the end.
  struct ReversedTranslation {
    private(set) var count: Int

    init(count: Int) { self.count = count }

    func mirrored(_ position: Int) -> Int { count - 1 - position }

    mutating func translate(_ change: ChangeSet) -> ChangeSet {
      let former = count
      let present = former + change.delta.countChange
      func mirror(_ range: Range<Int>, _ count: Int) -> Range<Int> {
        count - range.upperBound..<count - range.lowerBound
      }
      var result = change
      let delta = Delta(
        removals: change.delta.removals.map { mirror($0, former) },
        insertions: change.delta.insertions.map { mirror($0, present) },
        updates: change.delta.updates.map { mirror($0, present) },
        moves: change.delta.moves.map {
          Delta.Move(from: mirror($0.source, former), to: mirror($0.destination, present))
        })
      NodeAuthor.translate(&result, to: delta, before: { former - 1 - $0 }, after: { present - 1 - $0 })
      count = present
      return result
    }
  }

  /// A source's children, the last child first.
  final class ReversedNode<Element>: SourceView {
    private let author = NodeAuthor()
    var port: NodePort { author.port }
    let source: any TreeNode<Element>
    private let translation: NodeBox<ReversedTranslation>

    init(_ source: any TreeNode<Element>) {
      self.source = source
      translation = author.box(ReversedTranslation(count: source.count))
      author.attach(to: self) { $0.translation.value.translate($1[0].change) }
      author.link(source, slot: 0)
    }

    var count: Int { translation.value.count }
    func sourcePosition(of position: Int) -> Int { translation.value.mirrored(position) }
    func position(ofSource position: Int) -> Int? { translation.value.mirrored(position) }
    func insertionPoint(at position: Int) -> Int { count - position }
  }

  @Test func everyShortChangeIsReversed() {
    for old in 0...3 {
      for new in 0...3 {
        for model in DeltaModel.all(oldCount: old, newCount: new) {
          var translation = ReversedTranslation(count: old)
          let children = model.origins.indices.filter { model.origins[$0] != nil }
            .map { (position: $0, change: ChangeSet(.insertion(0..<$0 + 1))) }
          let reversed = DeltaModel(
            oldCount: old, origins: model.origins.reversed().map { $0.map { old - 1 - $0 } },
            isUpdated: model.isUpdated.reversed())
          let expected = ChangeSet(
            delta: reversed.delta,
            children: children.map { (position: new - 1 - $0.position, change: $0.change) })
          #expect(translation.translate(ChangeSet(delta: model.delta, children: children)) == expected)
          #expect(translation.count == new)
        }
      }
    }
  }

  @Test func aDerivedNodeStandsInAGraph() {
    let array = ArrayNode(["a", "b"])
    let inner = ArrayNode(["x"])
    let branch = BranchNode([.leaf("l"), .node(inner)])
    let all = JoinNode<String>([ReversedNode(array), ReversedNode(branch), ReversedNode(ReversedNode(array))])
    var received: [ChangeSet.Paths] = []
    let token = all.observe { received.append($0.paths) }
    #expect((0..<all.count).map { all.element(at: $0) } == ["b", "a", nil, "l", "a", "b"])
    array.append("c")
    #expect(received.last?.insertions == [[0], [7]])
    inner.append("y")
    #expect(received.last?.insertions == [[3, 1]])
    all.insert("d", at: [1])
    #expect(array.elements == ["a", "b", "d", "c"])
    all.move(from: [0], to: [3])
    #expect(array.elements == ["c", "a", "b", "d"])
    all.replace(at: [0], with: "D")
    #expect(all.remove(at: [1]).value == "b")
    #expect(array.elements == ["c", "a", "D"])
    token.cancel()
  }

  /// Random edits of a user's source and a user's derived node, in a graph with the library's own nodes.
  @Test func randomGraphsWithCustomNodesObeyTheLaws() throws {
    enum Edit: CaseIterable {
      case insert, remove, move, update, transaction, predicate, throughFilter, value
    }
    var tally = OperationTally<Edit>()
    for iteration in 0..<TestSeed.iterations(12) {
      var generator = TestSeed.generator("custom-nodes", iteration: iteration)
      var next = 100
      func fresh() -> Row {
        next += 1
        return Row(id: next)
      }
      let ledger = Ledger((0..<Int.random(in: 0..<6, using: &generator)).map { Row(id: $0) })
      let folder = BranchNode(value: fresh(), leaves: [fresh()])
      let branch = BranchNode([.node(folder), .leaf(fresh())])
      let reversed = ReversedNode(JoinNode<Row>([ledger, branch]))
      var modulus = 2
      let filter = FilterNode(reversed) { ($0.id + $0.version) % 2 == 0 }
      let all = JoinNode<Row>([filter, ReversedNode(filter)])
      let shadows = [
        ShadowTree(of: reversed, id: \.id), ShadowTree(of: filter, id: \.id), ShadowTree(of: all, id: \.id),
      ]

      func edit(_ kind: Edit) -> Bool {
        let position = Int.random(in: 0...ledger.count, using: &generator)
        switch kind {
        case .insert: ledger.insert(fresh(), at: position)
        case .remove:
          guard position < ledger.count else { return false }
          _ = ledger.removeChild(at: position)
        case .move:
          guard position < ledger.count else { return false }
          ledger.move(from: position, to: Int.random(in: 0..<ledger.count, using: &generator))
        case .update:
          guard position < ledger.count, var row = ledger.element(at: position) else { return false }
          row.version += 1
          ledger.replace(at: position, with: row)
        case .predicate:
          let next = Int.random(in: 1..<4, using: &generator)
          modulus = next
          filter.setPredicate { ($0.id + $0.version) % next == 0 }
        case .throughFilter: all.insert(fresh(), at: [Int.random(in: 0...filter.count, using: &generator)])
        case .value:
          folder.append(.leaf(fresh()))
          folder.value = fresh()
        case .transaction: return false
        }
        return true
      }

      for _ in 0..<TestSeed.length(40) {
        let kind = tally.random(using: &generator)
        // For the shadows, a folder with another value is another row, and a row inserted by path is shown twice.
        for shadow in shadows { shadow.minimality = kind != .transaction && kind != .value ? .standard : [] }
        if kind == .transaction {
          reversed.performUpdates {
            for _ in 0..<5 {
              let inner = tally.random(using: &generator)
              if edit(inner) { tally.count(inner) }
            }
          }
          tally.count(kind)
        } else if edit(kind) {
          tally.count(kind)
        }
        let source = NaiveTree(of: ledger).children + NaiveTree(of: branch).children
        try checkNode(reversed, shows: source.reversed())
        let shown = source.reversed().filter { tree in
          tree.value.map { ($0.id + $0.version) % modulus == 0 } ?? true
        }
        try checkNode(filter, shows: shown)
        try checkNode(all, shows: shown + shown.reversed())
        for shadow in shadows { try shadow.check() }
      }
    }
    try tally.check()
  }

  @Test func customNodesAreReleased() throws {
    try withLifetimeTracking { tracker in
      let source = ArrayNode(tracker.track(0..<3))
      let reversed = ReversedNode(source)
      tracker.expectRelease(of: reversed, "the reversed node")
      let filter = FilterNode(reversed) { $0.payload > 0 }
      tracker.expectRelease(of: filter, "the filter")
      let token = filter.observe { _ in }
      source.removeLast()
      #expect(filter.count == 1)
      token.cancel()
    }
  }

  @Test func aLinkEndsWhenTheNodeSaysSo() {
    /// Records the slot of each change of the nodes that it follows.
    final class Follower: TreeNode {
      let author = NodeAuthor()
      var port: NodePort { author.port }
      private(set) var slots: [Int] = []
      var count: Int { 0 }

      init() {
        author.attach(to: self) { node, changes in
          node.slots += changes.map(\.slot).sorted()
          return ChangeSet()
        }
      }

      func element(at position: Int) -> Int? { nil }
    }
    let source = ArrayNode([1])
    let follower = Follower()
    follower.author.link(source, slot: 0)
    follower.author.link(source, slot: 3)
    source.append(2)
    #expect(follower.slots == [0, 3])
    follower.author.unlink(slot: 0)
    source.append(3)
    #expect(follower.slots == [0, 3, 3])
    follower.author.link(source, slot: 0)
    follower.author.detach()
    source.append(4)
    #expect(follower.slots == [0, 3, 3])
  }
}
