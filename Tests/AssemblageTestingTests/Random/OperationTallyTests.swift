import Testing

@testable import AssemblageTesting

@Suite struct OperationTallyTests {
  enum Operation: CaseIterable { case insert, remove, update }

  @Test func tellsWhatIsMissing() throws {
    var tally = OperationTally<Operation>()
    tally.count(.insert)
    tally.count(.insert)
    #expect(tally.missing == [.remove, .update])
    #expect(tally[.insert] == 2 && tally[.remove] == 0)
    #expect(tally.description == "insert × 2, remove × 0, update × 0")
    #expect(throws: MissingOperations.self) { try tally.checkAlways() }

    tally.count(.remove)
    tally.count(.update)
    try tally.checkAlways()
    #expect(throws: MissingOperations.self) { try tally.checkAlways(atLeast: 2) }
  }

  @Test func drawsEachKind() {
    let tally = OperationTally(kinds: ["a", "b"])
    var generator = SeededGenerator(seed: 1)
    #expect(Set((0..<50).map { _ in tally.random(using: &generator) }) == ["a", "b"])
  }

  @Test func refusesAnUndeclaredKind() async {
    await #expect(processExitsWith: .failure) {
      var tally = OperationTally(kinds: ["a"])
      tally.count("b")
    }
  }
}
