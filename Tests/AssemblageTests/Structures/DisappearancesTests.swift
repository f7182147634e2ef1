@testable import Assemblage
import Testing

/// What vanishes from a view and comes back, told step by step.
@Suite struct DisappearancesTests {
  private let insertion = ChangeSet(.insertion(0..<1))

  @Test func nothingIsFollowedOutsideOfATransaction() {
    var vanished = Disappearances()
    let crossings = vanished.follow(
      ChangeSet(.update(0..<1)), from: [], leaving: [(position: 0, former: 0)], coming: []
    ) { _ in nil }
    #expect(crossings.isEmpty && vanished.isEmpty && !vanished.isFollowing)
  }

  @Test func aChildIsFollowedUntilItComesBack() {
    var vanished = Disappearances()
    vanished.begin(1)
    let token = vanished.leave(2)
    // It moves on in the source, and changes inside.
    _ = vanished.follow(insertion, from: [], leaving: [], coming: []) { _ in nil }
    _ = vanished.follow(ChangeSet(delta: Delta(), children: [(3, insertion)]), from: [], leaving: [], coming: []) { _ in
      nil
    }
    #expect(vanished.comeBack(3, to: 7) == [Crossing(arrivalOf: token, at: 7, insertion)])
    #expect(vanished.comeBack(3, to: 7).isEmpty && vanished.isEmpty)
  }

  @Test func anotherTransactionForgets() {
    var vanished = Disappearances()
    vanished.begin(1)
    _ = vanished.leave(0)
    vanished.begin(1)
    #expect(!vanished.isEmpty)
    vanished.begin(2)
    #expect(vanished.isEmpty && vanished.isFollowing)
    vanished.begin(nil)
    #expect(!vanished.isFollowing)
  }

  @Test func whatMovesIntoAHiddenChildComesBackWithIt() {
    var vanished = Disappearances()
    vanished.begin(1)
    let parent = vanished.leave(0)
    // The child at 1, shown at 0, moves below the hidden one at 0.
    var change = ChangeSet(delta: .removal(1..<2), children: [(0, insertion)])
    change.crossings = [
      Crossing(from: .inside(Crossing.Place([1])), to: .inside(Crossing.Place([0, 0])), change: ChangeSet())
    ]
    let origins = vanished.origins(of: change.crossings) { $0.mappingFirst { $0 == 1 ? 0 : nil } }
    let departure = vanished.follow(change, from: origins, leaving: [], coming: []) { _ in nil }
    #expect(departure.map { $0.from } == [.inside(Crossing.Place([0]))])
    let arrivals = vanished.comeBack(0, to: 0)
    #expect(arrivals.map { $0.from } == [.outside(parent), departure[0].to])
    #expect(arrivals.map { $0.to } == [.inside(Crossing.Place([0])), .inside(Crossing.Place([0, 0]))])
  }

  @Test func whatLeavesAHiddenChildAloneDoesNotGoWithIt() {
    var vanished = Disappearances()
    vanished.begin(1)
    let parent = vanished.leave(0)
    func place(_ path: Int...) -> Crossing.End { .inside(Crossing.Place(path)) }
    var coming = ChangeSet(delta: .removal(1..<2), children: [(0, insertion)])
    coming.crossings = [Crossing(from: place(1), to: place(0, 0), change: ChangeSet())]
    let first = vanished.origins(of: coming.crossings) { $0 == place(1) ? place(0) : nil }
    let departure = vanished.follow(coming, from: first, leaving: [], coming: []) { _ in nil }
    // The hidden child goes elsewhere, and what has moved into it becomes its parent's child.
    let token = Crossing.Token()
    var going = ChangeSet(Delta(removals: [0..<1], insertions: [0..<1]))
    going.crossings = [
      Crossing(from: place(0), to: .outside(token), change: ChangeSet(.removal(0..<1))),
      Crossing(from: place(0, 0), to: place(0), change: ChangeSet()),
    ]
    let origins = vanished.origins(of: going.crossings) { _ in nil }
    let told = vanished.follow(going, from: origins, leaving: [], coming: []) { $0 }
    #expect(told.map(\.from) == [.outside(parent), departure[0].to])
    #expect(told.map(\.to) == [.outside(token), place(0)])
  }

  @Test func whatMovesOutOfAHiddenChildIsKnownByTheChildsToken() {
    var vanished = Disappearances()
    vanished.begin(1)
    let parent = vanished.leave(0)
    // First a new child before it, so that its place is another one than when the parent left.
    _ = vanished.follow(ChangeSet(delta: Delta(), children: [(0, insertion)]), from: [], leaving: [], coming: []) { _ in
      nil
    }
    var change = ChangeSet(delta: .insertion(1..<2), children: [(0, ChangeSet(.removal(1..<2)))])
    change.crossings = [
      Crossing(from: .inside(Crossing.Place([0, 1])), to: .inside(Crossing.Place([1])), change: ChangeSet())
    ]
    let origins = vanished.origins(of: change.crossings) { _ in nil }
    let told = vanished.follow(change, from: origins, leaving: [], coming: []) {
      $0.mappingFirst { $0 == 1 ? 0 : nil }
    }
    #expect(told == [Crossing(arrivalOf: parent.descendant([0]), at: 0)])
  }
}
