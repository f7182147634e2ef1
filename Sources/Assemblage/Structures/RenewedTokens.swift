/// The hidden children that have got another token in the rollback under way.
///
/// Where the return of a hidden child is taken back, the child is followed with its former token: observers have not heard of the
/// return, and hear what had happened to the child when it returns for good. Dependents have heard of it. Where that took
/// children in and out, they must not carry it out again; so the child gets another token then, as one that is hidden for the
/// first time. Mostly the rollback goes on to show it again. If it does not, although the child was followed when the
/// transaction began, dependents are not brought back to what they were, and all observers hear of what was taken back as well.
struct RenewedTokens {
  /// Those of children that were followed when the transaction began, and have not been shown since.
  private final class Tokens {
    var hidden: Set<Crossing.Token> = []
  }

  /// Nil where there has been none.
  private var tokens: Tokens?
  private var hasDependents = false
  /// The number of the transaction that is being rolled back.
  private var transaction: Int?

  /// Begins the translation of a change of the source.
  mutating func begin(in hub: NodeHub) {
    hasDependents = !hub.state.value.dependents.isEmpty
    transaction = hub.graph.journal.isRollingBack ? hub.graph.journal.transactions.last?.number : nil
    if transaction == nil { tokens = nil }
  }

  /// Ends it.
  func end(in hub: NodeHub) {
    if let tokens { hub.rollsBackPartly { !tokens.hidden.isEmpty } }
  }

  /// The token of a child whose return is taken back.
  ///
  /// - Parameters:
  ///   - token: with which it was followed before.
  ///   - changes: what had happened to it, and was told with its return.
  /// - Returns: the token to follow it with.
  mutating func token(_ token: Crossing.Token, after changes: ChangeSet...) -> Crossing.Token {
    let movesChildren = changes.contains { change in
      change.level.movesPositions || change.nodes.contains { $0.delta.movesPositions }
    }
    if !hasDependents || !movesChildren { return token }
    let renewed = token.renewed
    if let transaction, !token.isNewer(than: transaction) {
      tokens = tokens ?? Tokens()
      tokens!.hidden.insert(renewed)
    }
    return renewed
  }

  /// Notes that a child is shown again.
  func remove(_ token: Crossing.Token) { tokens?.hidden.remove(token) }
}
