import Assemblage
import TestSupport
import Testing

/// The laws of deltas, on all short ones.
@Suite struct DeltaLawTests {
  /// All deltas between 0 to 3 elements.
  static let small: [DeltaModel] = (0...3).flatMap { old in
    (0...3).flatMap { DeltaModel.all(oldCount: old, newCount: $0) }
  }

  @Test func everyDeltaMeansItsModelAndMovesTheFewest() {
    for model in Self.small {
      let delta = model.delta
      #expect(DeltaModel(delta, oldCount: model.oldCount) == model)
      #expect(delta.moves.reduce(0) { $0 + $1.source.count } == model.fewestMoved)
      #expect(delta.countChange == model.newCount - model.oldCount)
    }
  }

  @Test func composingIsApplyingOneAfterTheOther() {
    var pairs = 0
    for first in Self.small {
      let delta = first.delta
      for second in Self.small where second.oldCount == first.newCount {
        let net = delta.composed(with: second.delta)
        let expected = first.composed(with: second).delta
        if net != expected { Issue.record("\(delta) then \(second.delta) is \(net), not \(expected)") }
        pairs += 1
      }
    }
    #expect(pairs > 10_000)
  }
}
