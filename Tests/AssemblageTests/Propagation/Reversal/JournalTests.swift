@testable import Assemblage
import Testing

/// A graph's journal of its transactions that may be rolled back.
@Suite struct JournalTests {
  private func transaction(_ number: Int) -> ReversibleTransaction {
    ReversibleTransaction(number: number, start: Graph().pendingState)
  }

  @Test func aLastingChangeIsTheInnermostTransactions() {
    var journal = Journal()
    journal.noteLastingChange()
    journal.transactions = [transaction(1), transaction(2)]
    journal.noteLastingChange()
    #expect(journal.transactions.map(\.reversibility) == [.reversible, .lasting])
  }

  @Test func mergedTransactionsNestAsTheyBegan() {
    var journal = Journal()
    var other = Journal()
    journal.transactions = [transaction(1), transaction(4)]
    other.transactions = [transaction(2), transaction(3)]
    journal.merge(&other)
    #expect(journal.transactions.map(\.number) == [1, 2, 3, 4] && !other.isRecording)
  }
}
