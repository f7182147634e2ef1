@testable import Assemblage
import Testing

/// What a graph knows of its transactions that may be rolled back.
@Suite struct JournalTests {
  private func inverse() -> Inverse {
    Inverse(hub: NodeHub(), change: {}, mark: nil, formerCount: nil, recorders: [])
  }

  @Test func itRemembersOnlyForInversesThatMayBePerformed() {
    var journal = Journal()
    #expect(!journal.isRecording && !journal.isRollingBack && !journal.isRemembering)
    journal.transactions = [ReversibleTransaction(number: 1)]
    #expect(journal.isRecording && !journal.isRemembering)
    journal.transactions[0].inverses = [inverse()]
    #expect(journal.isRemembering)
    journal.carried = .lasting
    #expect(!journal.isRemembering)
    journal.carried = .reversible
    journal.transactions[0].phase = .rollingBack(nil)
    #expect(journal.isRollingBack && !journal.isRemembering && journal.transactions[0].performed == nil)
    journal.transactions[0].phase = .rollingBack(inverse())
    #expect(journal.transactions[0].performed != nil)
  }

  @Test func aLastingChangeIsTheInnermostTransactions() {
    var journal = Journal()
    journal.noteLastingChange()
    journal.transactions = [ReversibleTransaction(number: 1), ReversibleTransaction(number: 2)]
    journal.noteLastingChange()
    #expect(journal.transactions.map(\.reversibility) == [.reversible, .lasting])
  }

  @Test func mergedTransactionsNestAsTheyBegan() {
    var journal = Journal()
    var other = Journal()
    journal.transactions = [ReversibleTransaction(number: 1), ReversibleTransaction(number: 4)]
    other.transactions = [ReversibleTransaction(number: 2), ReversibleTransaction(number: 3)]
    journal.merge(&other)
    #expect(journal.transactions.map(\.number) == [1, 2, 3, 4] && !other.isRecording)
  }
}
