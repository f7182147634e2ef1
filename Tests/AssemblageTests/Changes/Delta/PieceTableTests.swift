@testable import Assemblage
import TestSupport
import Testing

/// Tables of pieces, compared with a list of origins.
@Suite struct PieceTableTests {
  @Test func everyDeltaOfUpToThreeGoesInAndOut() {
    for old in 0...3 {
      for new in 0...3 {
        for model in DeltaModel.all(oldCount: old, newCount: new) {
          let delta = model.delta
          var table = PieceTable()
          table.apply(delta)
          #expect(PieceTable(delta).delta == delta && table.delta == delta, "\(delta)")
        }
      }
    }
  }

  /// Changes that are applied to one table one after the other, and changes that are composed table by table.
  @Test func scriptsAgreeWithAModel() {
    for iteration in 0..<TestSeed.iterations(100) {
      var generator = TestSeed.generator("piece-table", iteration: iteration)
      var table = PieceTable()
      var composed = PieceTable()
      var net = DeltaModel(identity: Int.random(in: 0...12, using: &generator))
      for _ in 0..<TestSeed.length(8) {
        let count = net.newCount
        var origins: [Int?] = (0..<count).filter { _ in generator.chance(4, in: 5) }
        if generator.chance(1, in: 3) { origins.shuffle(using: &generator) }
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
          origins.insert(nil, at: Int.random(in: 0...origins.count, using: &generator))
        }
        let next = DeltaModel(
          oldCount: count, origins: origins, isUpdated: origins.map { _ in generator.chance(1, in: 4) })
        table.apply(next.delta)
        composed = composed.composed(with: PieceTable(next.delta))
        net = net.composed(with: next)
        #expect(table.delta == net.delta && composed.delta == net.delta)
      }
    }
  }
}
