import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// The parts of a change that belong in each stage, rule by rule.
@Suite struct StageTests {
  private func texts(
    _ change: ChangeSet, for view: ChangeSet.ViewKind = .list, countBefore: (IndexPath) -> Int? = { _ in nil }
  ) -> [String] {
    batches(change, for: view, countBefore: countBefore).map(\.description)
  }

  private func batches(
    _ change: ChangeSet, for view: ChangeSet.ViewKind = .list, countBefore: (IndexPath) -> Int? = { _ in nil }
  ) -> [ChangeSet.Batch] {
    change.stages(for: view, countBefore: countBefore).compactMap {
      if case .batch(let batch) = $0 { batch } else { nil }
    }
  }

  private func rows(_ delta: Delta, in section: Int) -> ChangeSet { ChangeSet(delta).wrapped(at: section) }

  // MARK: Lists

  @Test func oneStageWhereNothingCollides() {
    let change = ChangeSet(
      delta: Delta(removals: [0..<1], insertions: [2..<3]),
      children: [
        (0, ChangeSet(Delta(removals: [1..<3], insertions: [0..<1], updates: [5..<6]))),
        (1, ChangeSet(.move(3..<4, to: 0))),
      ])
    #expect(
      texts(change) == [
        "deletes [0], [1, 1], [1, 2]; inserts [0, 0], [2]; moves [2, 3]→[1, 0]; reloads [1, 6]"
      ])
    #expect(ChangeSet().stages().isEmpty && ChangeSet(updatesValue: true).stages().isEmpty)
  }

  @Test func aMovedRowIsReloadedLater() {
    let change = rows(Delta(updates: [0..<1], moves: [.init(from: 4..<5, to: 0..<1)]), in: 2)
    #expect(texts(change) == ["moves [2, 4]→[2, 0]", "reloads [2, 0]"])
    // Two neighbours exchange places. The row that moves is the one without an update.
    #expect(texts(rows(Delta.move(0..<1, to: 1).updating([0..<1]), in: 2)) == ["moves [2, 0]→[2, 1]; reloads [2, 1]"])
    #expect(texts(rows(Delta.move(0..<1, to: 1).updating([1..<2]), in: 2)) == ["moves [2, 1]→[2, 0]; reloads [2, 0]"])
  }

  @Test func sectionsMoveWhenTheirRowsRest() {
    let change = ChangeSet(delta: .move(2..<3, to: 0), children: [(0, ChangeSet(.removal(1..<2)))])
    #expect(texts(change) == ["deletes [2, 1]", "moves [2]→[0]"])
    let reload = ChangeSet(delta: .move(2..<3, to: 0), children: [(0, ChangeSet(.update(4..<5)))])
    #expect(texts(reload) == ["moves [2]→[0]", "reloads [0, 4]"])
    // The section exchanges places with one neighbour. So the neighbour moves instead, and one stage is enough.
    let neighbour = ChangeSet(delta: .move(1..<2, to: 0), children: [(0, ChangeSet(.update(4..<5)))])
    #expect(texts(neighbour) == ["moves [0]→[1]; reloads [1, 4]"])
  }

  @Test func sectionsAreReloadedWhereTheyStay() {
    #expect(texts(ChangeSet(Delta(insertions: [0..<1], updates: [2..<3]))) == ["inserts [0]", "reloads [2]"])
    #expect(texts(ChangeSet(Delta(insertions: [3..<4], updates: [2..<3]))) == ["inserts [3]; reloads [2]"])
    let both = ChangeSet(
      delta: .update(2..<3), children: [(2, ChangeSet(Delta(insertions: [0..<1], updates: [3..<4])))])
    #expect(texts(both) == ["inserts [2, 0]", "reloads [2]"])
  }

  @Test func rowsMoveIntoSectionsThatAreThere() throws {
    let change = ChangeSet(
      delta: .insertion(1..<2), children: [(0, ChangeSet(.removal(3..<4)))],
      transfers: [.init(from: [0, 3], to: [1, 2])])
    let stages = batches(change)
    #expect(stages.map(\.description) == ["inserts [1]", "moves [0, 3]→[1, 2]"])
    // The final tree has 7 rows in section 0 and 5 in section 1.
    let final = { (path: IndexPath) in [[]: 2, [0]: 7, [1]: 5][path] ?? 0 }
    let first = try #require(stages.first)
    #expect(first.count(of: [], finalCount: final) == 2)
    #expect(first.count(of: [0], finalCount: final) == 8 && first.count(of: [1], finalCount: final) == 4)
    #expect(first.finalPath(of: [1, 2]) == [1, 3] && first.finalPath(of: [0, 3]) == [1, 2])
    #expect(first.finalPath(of: [0, 4]) == [0, 3])
  }

  @Test func sectionsLeaveWhenRowsHaveMovedOut() throws {
    let change = ChangeSet(
      delta: .removal(1..<2), children: [(0, ChangeSet(.insertion(3..<4)))],
      transfers: [.init(from: [1, 2], to: [0, 3])])
    let stages = batches(change) { $0 == [1] ? 4 : 0 }
    #expect(stages.map(\.description) == ["deletes [1, 0], [1, 1], [1, 3]; moves [1, 2]→[0, 3]", "deletes [1]"])
    let first = try #require(stages.first)
    #expect(first.finalPath(of: [1]) == nil && first.count(of: [1]) { _ in 9 } == 0)
    #expect(first.count(of: []) { _ in 6 } == 7)
    // Without its count, the section cannot be emptied first.
    #expect(texts(change) == ["deletes [1]; inserts [0, 3]"])
  }

  @Test func rowsWaitInASectionThatLeavesForOneThatComes() throws {
    let change = ChangeSet(
      delta: Delta(removals: [0..<1], insertions: [0..<1]), children: [],
      transfers: [.init(from: [0, 1], to: [0, 0], change: ChangeSet(updatesValue: true))])
    let stages = batches(change) { _ in 3 }
    #expect(
      stages.map(\.description) == [
        "deletes [0, 0], [0, 2]; inserts [1]", "moves [0, 0]→[1, 0]", "deletes [0]; reloads [1, 0]",
      ])
    let first = try #require(stages.first)
    #expect(first.count(of: [0]) { _ in 9 } == 1 && first.finalPath(of: [0, 0]) == [0, 0])
  }

  @Test func whatIsBelowRowsIsLeftOut() {
    let deep = ChangeSet(.insertion(0..<1)).wrapped(at: 3).wrapped(at: 1)
    #expect(deep.stages().isEmpty)
    #expect(texts(deep, for: .outline) == ["inserts [1, 3, 0]"])
    // A section that becomes a row arrives as a row.
    let change = ChangeSet(
      delta: .removal(1..<2), children: [(0, ChangeSet(.insertion(0..<1)))], transfers: [.init(from: [1], to: [0, 0])])
    #expect(texts(change) == ["deletes [1]; inserts [0, 0]"])
    #expect(texts(change, for: .outline) == ["moves [1]→[0, 0]"])
  }

  @Test func aboveTheLimitEverythingIsReloaded() {
    let change = ChangeSet(
      delta: .removal(0..<2), children: [(0, ChangeSet(.insertion(0..<3))), (4, ChangeSet(.move(5..<6, to: 0)))])
    #expect(change.stages(reloadingAbove: 5) == [.reload])
    #expect(change.stages(reloadingAbove: 6).count == 1 && change.stages(reloadingAbove: 6) != [.reload])
    #expect(ChangeSet(.insertion(0..<1_000_000_000)).stages(reloadingAbove: 100) == [.reload])
    let deep = ChangeSet(.insertion(0..<9)).wrapped(at: 3).wrapped(at: 1)
    #expect(deep.stages(reloadingAbove: 5) == [] && deep.stages(for: .outline, reloadingAbove: 5) == [.reload])
    #expect(ChangeSet().stages(reloadingAbove: 0) == [])
  }

  @Test func sectionsAndRowsAreTakenApart() throws {
    let change = ChangeSet(
      delta: Delta(removals: [0..<1], insertions: [4..<5], moves: [.init(from: 3..<4, to: 0..<1)]),
      children: [(1, ChangeSet(Delta(removals: [0..<1], moves: [.init(from: 3..<4, to: 0..<1)])))])
    let batch = try #require(batches(change).first)
    #expect(batch.sections(\.deletions) == [0] && batch.rows(\.deletions) == [[1, 0]])
    #expect(batch.sections(\.insertions) == [4] && batch.rows(\.insertions) == [])
    #expect(batch.sections(\.moves).map(\.source) == [3] && batch.sections(\.moves).map(\.destination) == [0])
    #expect(batch.rows(\.moves) == [.init(from: [1, 3], to: [1, 0])])
  }

  // MARK: Outlines

  @Test func callsFollowEachOther() throws {
    // a, b (c, d), e → b (d, x), a (c)
    let change = ChangeSet(
      delta: Delta(removals: [2..<3], moves: [.init(from: 1..<2, to: 0..<1)]),
      children: [
        (0, ChangeSet(Delta(removals: [0..<1], insertions: [1..<2]), updatesValue: true)),
        (1, ChangeSet(.insertion(0..<1))),
      ], transfers: [.init(from: [1, 0], to: [1, 0])])
    let batch = try #require(batches(change, for: .outline).first)
    #expect(
      batch.calls == [
        .remove(at: [2], inParent: []), .move(at: 0, inParent: [], to: 1, inNewParent: []),
        .move(at: 0, inParent: [0], to: 0, inNewParent: [1]), .insert(at: [1], inParent: [0]), .reload([0]),
      ])
    #expect(batches(change).flatMap(\.calls) == [])
  }

  @Test func parentAndChildChangePlaces() throws {
    // a (b) → b (a)
    let change = ChangeSet(
      delta: Delta(removals: [0..<1], insertions: [0..<1]), children: [],
      transfers: [
        .init(from: [0, 0], to: [0], change: ChangeSet(.insertion(0..<1))),
        .init(from: [0], to: [0, 0], change: ChangeSet(.removal(0..<1))),
      ])
    let batch = try #require(batches(change, for: .outline).first)
    #expect(
      batch.calls == [
        .move(at: 0, inParent: [0], to: 1, inNewParent: []), .move(at: 0, inParent: [], to: 0, inNewParent: [1]),
      ])
  }

  @Test func aTallTreeIsStagedWithoutRecursion() throws {
    var change = ChangeSet(.insertion(0..<1))
    for _ in 0..<20_000 { change.wrap(at: 1) }
    let batch = try #require(batches(change, for: .outline).first)
    #expect(batch.change == change && batch.remaining.isEmpty)
    #expect(batch.insertions.first?.count == 20_001 && batch.calls.count == 1)
  }
}
