@testable import Assemblage
import TestSupport
import Testing

/// Rows that one update hides and another one shows again have survived the transaction.
@Suite struct HiddenRowsTests {
  private enum Kind: CaseIterable {
    case update, insert, remove, move, replaceAll, setPredicate
  }

  @Test func aRowHiddenAndShownAgainIsOnlyUpdated() {
    let source = ArrayNode([Row(id: 1), Row(id: 2), Row(id: 3)])
    let visible = FilterNode(source) { $0.version % 2 == 0 }
    var heard: [ChangeSet] = []
    let token = visible.observe { heard.append($0) }
    source.performUpdates {
      source[1].version = 1
      #expect(visible.elements.map(\.id) == [1, 3])
      source.remove(at: 0)
      source[0].version = 2
    }
    #expect(heard == [ChangeSet(Delta(removals: [0..<1], updates: [0..<1]))])
    // In two transactions it goes and comes.
    source[0].version = 3
    source[0].version = 4
    #expect(heard.dropFirst() == [ChangeSet(.removal(0..<1)), ChangeSet(.insertion(0..<1))])
    withExtendedLifetime(token) {}
  }

  /// The net change of each transaction, against what the rows' identities say.
  @Test func transactionsAreMinimal() {
    var tally = OperationTally<Kind>()
    for iteration in 0..<TestSeed.iterations(300) {
      var generator = TestSeed.generator("filter/hidden", iteration: iteration)
      var nextID = 0
      func row() -> Row {
        nextID += 1
        return Row(id: nextID)
      }
      let source = ArrayNode((0..<Int.random(in: 0...8, using: &generator)).map { _ in row() })
      let filter = FilterNode(source) { ($0.id + $0.version) % 3 != 0 }
      let above = FilterNode(JoinNode([filter, ArrayNode([row()])])) { ($0.id + $0.version) % 5 != 0 }
      var heard: [ChangeSet] = []
      let token = above.observe { heard.append($0) }
      for _ in 0..<6 {
        let before = above.elements
        var predicateChanged = false
        source.performUpdates {
          for _ in 0..<Int.random(in: 1...8, using: &generator) {
            let kind = tally.random(using: &generator)
            let position = Int.random(in: 0...max(0, source.count - 1), using: &generator)
            let other = Int.random(in: 0...max(0, source.count - 1), using: &generator)
            switch kind {
            case .insert: source.insert(row(), at: position)
            case .setPredicate where Bool.random(using: &generator):
              predicateChanged = true
              filter.setPredicate { ($0.id + $0.version) % 3 != 1 }
            case .update where !source.isEmpty: source[position].version += 1
            case .remove where !source.isEmpty: source.remove(at: position)
            case .move where !source.isEmpty: source.move(from: position, to: other)
            case .replaceAll:
              source.replaceAll(
                with: source.shuffled(using: &generator).map { Row(id: $0.id, version: $0.version + 1) }, by: \.id,
                areEqual: ==)
            default: continue
            }
            tally.count(kind)
          }
        }
        let after = above.elements
        let origins = after.map { row in before.firstIndex { $0.id == row.id } }
        let expected = DeltaModel(
          oldCount: before.count, origins: origins,
          isUpdated: zip(after, origins).map { row, origin in
            origin.map { before[$0].version != row.version } ?? false
          }
        ).delta
        // What a predicate hides and another shows comes and goes.
        if !predicateChanged { #expect(heard == (expected.isEmpty ? [] : [ChangeSet(expected)])) }
        heard = []
      }
      withExtendedLifetime(token) {}
    }
    #expect(tally.missing.isEmpty)
  }

  /// The structure alone, beside one that knows every row of the source.
  @Test func rowsAreFollowedThroughEveryChange() {
    for iteration in 0..<TestSeed.iterations(200) {
      var generator = TestSeed.generator("filter/hidden-rows", iteration: iteration)
      var hidden = HiddenRows()
      var model: [Crossing.Token?] = Array(repeating: nil, count: Int.random(in: 1...12, using: &generator))
      for _ in 0..<TestSeed.length(40) {
        if !model.isEmpty, generator.chance(1, in: 2) {
          let position = Int.random(in: 0..<model.count, using: &generator)
          let token = Crossing.Token()
          hidden.insert(token, at: position)
          model[position] = token
        } else {
          // Any change at all: some leave, some stay, in any order, some come.
          var origins: [Int?] = model.indices.filter { _ in generator.chance(4, in: 5) }
          if generator.chance(1, in: 3) { origins.shuffle(using: &generator) }
          for _ in 0..<Int.random(in: 0...2, using: &generator) {
            origins.insert(nil, at: Int.random(in: 0...origins.count, using: &generator))
          }
          hidden.translate(
            DeltaModel(oldCount: model.count, origins: origins, isUpdated: origins.map { _ in false }).delta)
          model = origins.map { $0.flatMap { model[$0] } }
        }
        #expect(model.indices.map { hidden.token(at: $0) } == model)
        #expect(hidden.isEmpty == model.allSatisfy { $0 == nil })
      }
    }
  }
}
