import Assemblage
import Foundation
import TestSupport
import Testing

/// Moves between parents: how nodes report them, how they are followed, and the changes that are refused.
@Suite struct ChangeSetTransferTests: MisuseSuite {
  private typealias Transfer = ChangeSet.Transfer

  /// A library of two shelves with two books each.
  private final class Fixture {
    let shelves = (0..<2).map { shelf in
      BranchNode(value: Row(id: shelf), leaves: (0..<2).map { Row(id: 10 * (shelf + 1) + $0) })
    }
    let library: BranchNode<Row>
    var received: [ChangeSet] = []
    private var token: NodeObservation?

    init() {
      library = BranchNode(shelves)
      token = library.observe { [unowned self] in received.append($0) }
    }
  }

  @Test func aRowMovesIntoASectionThatComes() {
    let fixture = Fixture()
    let new = BranchNode(value: Row(id: 3), leaves: [Row(id: 30)])
    fixture.library.performUpdates {
      fixture.library.insert(.node(new), at: 0)
      fixture.library.move(from: [1, 1], to: [0, 0])
      fixture.library.replace(at: [0, 0], with: Row(id: 11, version: 1))
    }
    #expect(new.elements == [Row(id: 11, version: 1), Row(id: 30)])
    #expect(fixture.received.map(\.description) == ["[+0; 1: [-1]] {[0, 1]→[0, 0]: ~[]}"])
    #expect(fixture.received[0].paths.removals == [] && fixture.received[0].paths.insertions == [[0]])
    #expect(fixture.received[0].paths.updates == [[0, 0]])
  }

  @Test func aRowMovesOutOfASectionThatLeaves() {
    let fixture = Fixture()
    fixture.library.performUpdates {
      fixture.library.move(from: [0, 0], to: [1, 2])
      fixture.library.remove(at: [0])
    }
    #expect(fixture.received.map(\.description) == ["[-0; 0: [+2]] {[0, 0]→[0, 2]}"])
    #expect(fixture.received[0].paths.removals == [[0]] && fixture.received[0].paths.insertions == [])
    #expect(fixture.received[0].inverse().description == "[+0; 1: [-2]] {[0, 2]→[0, 0]}")
  }

  @Test func aSectionMovesIntoAnotherWithWhatHappensInIt() {
    let fixture = Fixture()
    fixture.library.performUpdates {
      fixture.library.remove(at: [1, 0])
      fixture.library.move(from: [1], to: [0, 1])
      fixture.library.insert(Row(id: 5), at: [0, 1, 0])
    }
    #expect(fixture.shelves[0].child(at: 1) === fixture.shelves[1])
    #expect(fixture.received.map(\.description) == ["[-1; 0: [+1]] {[1]→[0, 1]: [-0, +0]}"])
    #expect(fixture.received[0].path(after: [1, 1]) == [0, 1, 1])
    #expect(fixture.received[0].path(after: [1, 0]) == nil && fixture.received[0].path(before: [0, 1, 0]) == nil)
    #expect(fixture.received[0].path(before: [0, 1, 1]) == [1, 1] && fixture.received[0].path(after: []) == [])
  }

  @Test func aRowMovesIntoASectionThatThenMovesItself() {
    let fixture = Fixture()
    fixture.library.insert(.node(BranchNode(value: Row(id: 3), leaves: [])), at: 2)
    fixture.received = []
    fixture.library.performUpdates {
      fixture.library.move(from: [0, 0], to: [1, 0])
      fixture.library.move(from: [1], to: [0, 0])
    }
    #expect(fixture.received.map(\.description) == ["[-1; 0: [-0, +0]] {[1]→[0, 0]: [+0], [0, 0]→[0, 0, 0]}"])
  }

  @Test func thereAndBackIsNothing() {
    let fixture = Fixture()
    fixture.library.performUpdates {
      fixture.library.move(from: [0, 1], to: [1, 0])
      fixture.library.move(from: [1, 0], to: [0, 1])
    }
    #expect(fixture.received.isEmpty)
    fixture.library.performUpdates {
      fixture.library.move(from: [0, 1], to: [1, 0])
      fixture.library.move(from: [1, 0], to: [0, 0])
    }
    #expect(fixture.received.map(\.description) == ["[; 0: [0→1]]"])
  }

  @Test func whoShowsOneParentAloneIsNotifiedOfARemovalOrAnInsertion() {
    let fixture = Fixture()
    var received: [[ChangeSet]] = [[], []]
    let tokens = fixture.shelves.enumerated().map { shelf, node in node.observe { received[shelf].append($0) } }
    fixture.library.move(from: [0, 1], to: [1, 0])
    #expect(received == [[ChangeSet(.removal(1..<2))], [ChangeSet(.insertion(0..<1))]])
    #expect(received[0][0].transfers.isEmpty)
    withExtendedLifetime(tokens) {}
  }

  @Test func joinsTellOfMovesBetweenTheirMembers() {
    let fixture = Fixture()
    let books = JoinNode(fixture.shelves)
    let odd = FilterNode(books) { $0.id % 2 == 1 }
    var received: [ChangeSet] = []
    let tokens = [books.observe { received.append($0) }, odd.observe { received.append($0) }]
    fixture.library.move(from: [0, 1], to: [1, 2])
    #expect(received == [ChangeSet(.move(1..<2, to: 3)), ChangeSet(.move(0..<1, to: 1))])
    withExtendedLifetime(tokens) {}
  }

  @Test(.smallStack) func aTransferFarDownATallTreeIsReportedInLinearTime() {
    let depth = TallTree.depth
    let bottom = BranchNode([ArrayNode([1, 2]), ArrayNode([3])])
    var root: BranchNode<Int> = bottom
    for _ in 0..<depth { root = BranchNode([root]) }
    var received: [ChangeSet] = []
    let token = root.observe { received.append($0) }
    bottom.move(from: [0, 0], to: [1, 1])
    let transfer = received.first?.transfers.first
    #expect(received.count == 1 && transfer?.source.count == depth + 2)
    #expect(transfer?.destination.last == 1 && received[0].path(after: transfer!.source) == transfer?.destination)
    #expect(received[0].inverse().inverse() == received[0])
    withExtendedLifetime(token) {}
  }

  // MARK: Changes that are made by hand

  /// A row leaves the first section, and arrives in the second.
  private let rows: [(position: Int, change: ChangeSet)] = [
    (0, ChangeSet(.removal(0..<1))), (1, ChangeSet(.insertion(0..<1))),
  ]

  private var moved: ChangeSet {
    ChangeSet(delta: Delta(), children: rows, transfers: [Transfer(from: [0, 0], to: [1, 0])])
  }

  @Test func transfersOfChildrenStay() {
    let change = ChangeSet(
      delta: Delta(), children: [(0, moved), (1, rows[0].change), (2, rows[1].change)],
      transfers: [Transfer(from: [1, 0], to: [2, 0])])
    #expect(change.transfers == [Transfer(from: [0, 0, 0], to: [0, 1, 0]), Transfer(from: [1, 0], to: [2, 0])])
  }

  @Test func aTransferOfARemovedRowLeavesNoTrace() {
    let removal = ChangeSet(.removal(0..<1)).wrapped(at: 1)
    let change = moved.composed(with: removal)
    #expect(change == ChangeSet(.removal(0..<1)).wrapped(at: 0))
    #expect(Transfer(from: [3], to: [4], change: change).change == change)
    // The row that the inverse inserts is another row.
    let thereAndBack = change.composed(with: change.inverse())
    #expect(thereAndBack == ChangeSet(Delta(removals: [0..<1], insertions: [0..<1])).wrapped(at: 0))
  }

  @Test func transfersOfManyMovedChildrenTakeLinearTime() {
    let (count, moved) = (5_000, moved)
    let moves = (0..<count).map { Delta.Move(from: 2 * $0 + 1..<2 * $0 + 2, to: 2 * $0..<2 * $0 + 1) }
    let change = ChangeSet(delta: Delta(moves: moves), children: (0..<2 * count).map { ($0, moved) })
    #expect(change.transfers.count == 2 * count)
    #expect(change.transfers.first == Transfer(from: [1, 0, 0], to: [0, 1, 0]))
  }

  // MARK: Faults

  static let misuses = [
    Misuse("ChangeSet: the path [] is the node itself, which has no parent to leave.") {
      _ = Transfer(from: [], to: [1])
    },
    Misuse("ChangeSet: a child moves to [1, 0] after the change, where another one stays.") {
      let move = Transfer(from: [0], to: [1, 0])
      let change = ChangeSet(
        delta: .removal(0..<1), children: [(0, ChangeSet(.insertion(0..<1)))], transfers: [move])
      _ = Transfer(from: [2], to: [3], change: change)
    },
    Misuse("ChangeSet: the child at [3] before the change moves, but stays where it was.") {
      _ = ChangeSet(delta: .insertion(0..<1), children: [], transfers: [Transfer(from: [3], to: [0])])
    },
    Misuse("ChangeSet: a child moves to [3] after the change, where another one stays.") {
      _ = ChangeSet(delta: .removal(0..<1), children: [], transfers: [Transfer(from: [0], to: [3])])
    },
    Misuse("ChangeSet: the child at [0, 0, 0] before the change moves twice.") {
      let moved = ChangeSet(
        delta: Delta(), children: [(0, ChangeSet(.removal(0..<1))), (1, ChangeSet(.insertion(0..<1)))],
        transfers: [Transfer(from: [0, 0], to: [1, 0])])
      _ = ChangeSet(
        delta: .insertion(1..<2), children: [(0, moved)], transfers: [Transfer(from: [0, 0, 0], to: [1])])
    },
    Misuse("ChangeSet: the child at [0] before the change moves twice.") {
      _ = ChangeSet(
        delta: Delta(removals: [0..<1], insertions: [0..<2]), children: [],
        transfers: [Transfer(from: [0], to: [0]), Transfer(from: [0], to: [1])])
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
