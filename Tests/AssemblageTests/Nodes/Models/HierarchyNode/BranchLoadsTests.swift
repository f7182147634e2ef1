@testable import Assemblage
import OffsetIndexing
import TestSupport
import Testing

@Suite struct BranchLoadsTests {
  private struct Failure: Error {}

  /// What is known of one branch, done simply.
  private struct Known: Equatable {
    var isLoaded = false
    var hasOnlyLeaves: Bool?
    var outcome = "never"
    var load: Int?
    var suspender: Int?
  }

  private enum Step: CaseIterable { case load, fail, cancel, begin, end, suspend, examine, forget }

  private func word(_ outcome: BranchLoads.Outcome) -> String {
    switch outcome {
    case .never: "never"
    case .underWay: "under way"
    case .cancelled: "cancelled"
    case .failed: "failed"
    case .done: "done"
    }
  }

  @Test func randomScripts() throws {
    var tally = OperationTally<Step>()
    for iteration in 0..<TestSeed.iterations(40) {
      var generator = TestSeed.generator("branch loads", iteration: iteration)
      var shape = TreeIndex(leafCount: 8)
      let branches = [TreeIndex.root] + (0..<8).map { shape.makeBranch(at: $0, of: TreeIndex.root) }
      var loads = BranchLoads()
      var model = Array(repeating: Known(), count: branches.count)
      var nextLoad = 0
      for _ in 0..<TestSeed.length(60) {
        let number = branches.indices.randomElement(using: &generator)!
        let branch = branches[number]
        let step = tally.random(using: &generator)
        switch step {
        case .load:
          loads.setLoaded(branch)
          model[number].isLoaded = true
          model[number].outcome = "done"
        case .fail:
          loads.setOutcome(.failed(Failure()), of: branch)
          model[number].outcome = "failed"
        case .cancel:
          loads.setOutcome(.cancelled, of: branch)
          model[number].outcome = "cancelled"
        case .begin:
          loads.setLoad(nextLoad, of: branch)
          model[number].load = nextLoad
          model[number].suspender = nil
          nextLoad += 1
        case .end:
          loads.setLoad(nil, of: branch)
          model[number].load = nil
        case .suspend:
          let other = branches.indices.randomElement(using: &generator)!
          loads.suspend(branch, by: branches[other])
          model[number].suspender = other
        case .examine:
          let answer: Bool? = generator.chance(1, in: 3) ? nil : generator.chance(1, in: 2)
          guard model[number].isLoaded else { continue }
          loads.setHasOnlyLeaves(answer, of: branch)
          model[number].hasOnlyLeaves = answer
        case .forget:
          try #require(loads.forget(branch) == model[number].load)
          model[number] = Known()
        }
        tally.count(step)
        for (number, branch) in branches.enumerated() {
          try #require(loads.isLoaded(branch) == model[number].isLoaded)
          try #require(loads.hasOnlyLeaves(branch) == model[number].hasOnlyLeaves)
          try #require(word(loads.outcome(of: branch)) == model[number].outcome)
          try #require(loads.load(of: branch) == model[number].load)
          try #require(loads.suspender(of: branch) == model[number].suspender.map { branches[$0] })
          let suspended = model.indices.filter { model[$0].suspender == number && model[$0].load == nil }
          try #require(Set(loads.suspended(by: branch)) == Set(suspended.map { branches[$0] }))
        }
        try #require(loads.allLoads.map(\.load) == model.compactMap(\.load).sorted())
      }
    }
    try tally.check()
  }
}
