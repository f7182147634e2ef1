@testable import Assemblage
import OffsetIndexing
import TestSupport
import Testing

@Suite struct BranchLoadsTests {
  private struct Failure: Error {}

  /// A simple model of the knowledge about one branch.
  private struct Known: Equatable {
    var isLoaded = false
    var hasOnlyLeaves: Bool?
    var outcome = "never"
    var isUnreported = false
    var suspender: Int?
  }

  private enum Step: CaseIterable { case load, fail, cancel, look, suspend, resume, examine, forget }

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
    for iteration in 0..<TestSeed.iterations(20) {
      var generator = TestSeed.generator("branch loads", iteration: iteration)
      var shape = TreeIndex(leafCount: 8)
      let branches = [TreeIndex.root] + (0..<8).map { shape.makeBranch(at: $0, of: TreeIndex.root) }
      var loads = BranchLoads()
      var model = Array(repeating: Known(), count: branches.count)
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
        case .look:
          loads.unreported.touch(branch)
          model[number].isUnreported = true
        case .suspend:
          let other = branches.indices.randomElement(using: &generator)!
          loads.setSuspender(branches[other], of: branch)
          model[number].suspender = other
        case .resume:
          loads.setSuspender(nil, of: branch)
          model[number].suspender = nil
        case .examine:
          let answer: Bool? = generator.chance(1, in: 3) ? nil : generator.chance(1, in: 2)
          guard model[number].isLoaded else { continue }
          loads.setHasOnlyLeaves(answer, of: branch)
          model[number].hasOnlyLeaves = answer
        case .forget:
          loads.forget(branch)
          model[number] = Known()
        }
        tally.count(step)
        for (number, branch) in branches.enumerated() {
          try #require(loads.isLoaded(branch) == model[number].isLoaded)
          try #require(loads.hasOnlyLeaves(branch) == model[number].hasOnlyLeaves)
          try #require(word(loads.outcome(of: branch)) == model[number].outcome)
          try #require(loads.unreported.contains(branch) == model[number].isUnreported)
          let suspended = model.indices.filter { model[$0].suspender == number }
          try #require(Set(loads.suspended(by: branch)) == Set(suspended.map { branches[$0] }))
        }
      }
    }
    try tally.check()
  }
}
