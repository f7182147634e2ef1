@_spi(NodeAuthors) import Assemblage
import TestSupport
import Testing

/// Long random scripts of edits, compared with models that know only identities.
@Suite struct DeltaScriptTests {
  @Test func longScriptsComposeToTheNetChange() {
    var made: [String: Int] = [:]
    for iteration in 0..<TestSeed.iterations(30) {
      var generator = TestSeed.generator("delta/scripts", iteration: iteration)
      let count = Int.random(in: 0...60, using: &generator)
      var net = DeltaModel(identity: count)
      var fold = Delta()
      var composer = DeltaComposer()
      var deltas: [Delta] = []
      for _ in 0..<Int.random(in: 1...TestSeed.length(150), using: &generator) {
        // Shuffles move nearly everything. So they are rare, and two thirds of the scripts have none.
        var edit = DeltaModel.random(oldCount: net.newCount, using: &generator, made: &made)
        while edit.delta.moves.count > 1
          && (iteration % 3 < 2 || Int.random(in: 0..<40, using: &generator) > 0)
        {
          edit = DeltaModel.random(oldCount: net.newCount, using: &generator, made: &made)
        }
        let delta = edit.delta
        deltas.append(delta)
        net = net.composed(with: edit)
        fold = fold.composed(with: delta)
        composer.append(delta)
      }
      let expected = net.delta
      #expect(fold == expected)
      #expect(composer.net() == expected)
      #expect(composer.isEmpty && composer.net().isEmpty)
      #expect(DeltaModel(fold, oldCount: count) == net)
      #expect(fold.inverse() == net.inverse.delta)
      #expect(fold.moves.reduce(0) { $0 + $1.source.count } == net.fewestMoved)
      let later = deltas.reversed().reduce(Delta()) { $1.composed(with: $0) }
      #expect(later == expected)
      checkPositions(of: fold, net)
    }
    for kind in ["insert", "remove", "update", "move", "shuffle"] {
      #expect(TestSeed.isResized || made[kind, default: 0] > 0)
    }
  }

  private func checkPositions(of delta: Delta, _ model: DeltaModel) {
    let map = Delta.PositionMap(delta)
    for (new, old) in model.origins.enumerated() {
      #expect(map.position(before: new) == old && delta.position(before: new) == old)
      if let old { #expect(map.position(after: old) == new && delta.position(after: old) == new) }
    }
  }

  @Test func singleEditsOfManyElementsCompose() {
    // There are so many edits that tables fill up and are composed with each other, several levels high.
    for iteration in 0..<TestSeed.iterations(4) {
      var generator = TestSeed.generator("delta/many", iteration: iteration)
      var count = 300
      var ids = Array(0..<count)
      var updated: Set<Int> = []
      var nextID = count
      var composer = DeltaComposer()
      for _ in 0..<2_000 {
        switch Int.random(in: 0..<(iteration % 2 == 0 ? 3 : 4), using: &generator) {
        case 0:
          let position = Int.random(in: 0...count, using: &generator)
          ids.insert(nextID, at: position)
          composer.append(.insertion(position..<(position + 1)))
          nextID += 1
          count += 1
        case 1 where count > 0:
          let position = Int.random(in: 0..<count, using: &generator)
          ids.remove(at: position)
          composer.append(.removal(position..<(position + 1)))
          count -= 1
        case 2 where count > 0:
          let position = Int.random(in: 0..<count, using: &generator)
          updated.insert(ids[position])
          composer.append(.update(position..<(position + 1)))
        case 3 where count > 0:
          let position = Int.random(in: 0..<count, using: &generator)
          let destination = Int.random(in: 0..<count, using: &generator)
          let id = ids.remove(at: position)
          ids.insert(id, at: destination)
          composer.append(.move(position..<(position + 1), to: destination))
        default: break
        }
      }
      let model = DeltaModel(
        oldCount: 300, origins: ids.map { $0 < 300 ? $0 : nil }, isUpdated: ids.map { updated.contains($0) })
      #expect(composer.net() == model.delta)
    }
  }

  @Test func movesOfOneRangeAreCanonical() {
    for count in 0...3 {
      for source in 0...5 {
        for destination in 0...5 {
          let total = max(source, destination) + count
          var origins = Array(0..<total)
          let moved = origins[source..<(source + count)]
          origins.removeSubrange(source..<(source + count))
          origins.insert(contentsOf: Array(moved), at: destination)
          let model = DeltaModel(
            oldCount: total, origins: origins, isUpdated: Array(repeating: false, count: total))
          #expect(Delta.move(source..<(source + count), to: destination) == model.delta)
        }
      }
    }
  }

  @Test func membersOfAJoinChangeTogether() {
    var made: [String: Int] = [:]
    for iteration in 0..<TestSeed.iterations(300) {
      var generator = TestSeed.generator("delta/join", iteration: iteration)
      // The members before the change. After the change, some are gone, some are new, and sometimes the order has
      // changed.
      let counts = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
        Int.random(in: 0...4, using: &generator)
      }
      let starts = counts.indices.map { counts[..<$0].reduce(0, +) }
      let total = counts.reduce(0, +)
      var members: [Int?] = counts.indices.filter { _ in Int.random(in: 0..<4, using: &generator) > 0 }
      if Int.random(in: 0..<3, using: &generator) == 0 { members.shuffle(using: &generator) }
      if Bool.random(using: &generator) {
        members.insert(nil, at: Int.random(in: 0...members.count, using: &generator))
      }
      var builder = Delta.Builder()
      var model = DeltaModel(oldCount: total, origins: [], isUpdated: [])
      for member in members {
        guard let member else {
          builder.insert(3)
          model.origins += [nil, nil, nil]
          model.isUpdated += [false, false, false]
          continue
        }
        let inside = DeltaModel.random(oldCount: counts[member], using: &generator, made: &made)
        builder.append(
          inside.delta, preStart: starts[member], preCount: inside.oldCount, postCount: inside.newCount)
        model.origins += inside.origins.map { $0.map { $0 + starts[member] } }
        model.isUpdated += inside.isUpdated
      }
      #expect(builder.finish(preCount: total) == model.delta)
    }
  }

  @Test func updatesAreAdded() {
    let delta = Delta(insertions: [2..<4], updates: [0..<1])
    #expect(delta.updating([1..<3, 5..<6]) == Delta(insertions: [2..<4], updates: [0..<2, 5..<6]))
    #expect(delta.updating([]) == delta)
    #expect(Delta().updating([1..<2]) == .update(1..<2))
  }

  @Test func descriptionsAreShort() {
    let delta = Delta(
      removals: [1..<2], insertions: [4..<6], updates: [0..<1], moves: [Delta.Move(from: 6..<7, to: 3..<4)])
    #expect(delta.description == "[-1, +4..<6, ~0, 6→3]")
    #expect(Delta().description == "[]")
    #expect(delta.removals.description == "[1..<2]")
  }

  @Test func rangesAreCollections() {
    let ranges: Delta.Ranges = [4..<5, 0..<2, 2..<3]
    #expect(Array(ranges) == [0..<3, 4..<5])
    #expect(ranges.elementCount == 4)
    #expect((0..<6).filter { ranges.contains(position: $0) } == [0, 1, 2, 4])
    #expect(Delta.Ranges([]).isEmpty && Delta.Ranges([3..<3]).isEmpty)
    #expect(Delta.insertion(1..<2).insertions == [1..<2])
    #expect(Set([ranges, [0..<3, 4..<5], [0..<3]]).count == 2)
  }
}
