import TestSupport
import Testing

/// Net changes of nested trees, compared with an oracle of identities, and all their stages, compared with the models
/// of views.
///
/// In a soak, none of 200,000 batches of up to 20 operations may be wrong.
@Suite struct NestedBatchSoakTests {
  private static let parts = 4
  /// The number of batches on one tree.
  private static let batchesATree = 10

  @Test(arguments: 0..<parts) func batchesAreReportedAsTheyAre(part: Int) throws {
    var counts: [NestedBatch.Edit: Int] = [:]
    let batches = TestSeed.iterations(TestSeed.isSoak ? 10_000 : 400) / Self.parts
    for iteration in 0..<max(1, batches / Self.batchesATree) {
      let script = NestedBatch(TestSeed.generator("nested-batch/\(part)", iteration: iteration))
      do {
        for batch in 0..<Self.batchesATree {
          // Every other batch is as long as possible. The others are sometimes so short that they are one stage.
          let length = batch % 2 == 0 ? TestSeed.length(20) : 1 + batch / 2
          try script.run(length)
        }
      } catch {
        Issue.record("script \(iteration) of part \(part): \(error)")
        return
      }
      for edit in NestedBatch.Edit.allCases { counts[edit, default: 0] += script.tally[edit] }
    }
    var tally = OperationTally<NestedBatch.Edit>()
    for (edit, count) in counts where count > 0 { tally.count(edit) }
    try tally.check()
  }
}
