/// When a node shows what is found out in the background.
///
/// ```swift
/// try await filter.setPredicate(concurrently: .whenDone) { $0.contains("error") }            // one change
/// try await filter.setPredicate(concurrently: .asItGoes(from: 400..<450)) { $0.contains("error") }
/// // many changes: first the rows 400..<450 that are on the screen, then those below, and at last those above
/// ```
public enum ResultDelivery: Sendable {
  /// The former answer is shown until everything is known, and then the new one, as one change.
  case whenDone

  /// Each piece is shown as soon as it is known, as a change of its own.
  ///
  /// - Parameter from: what is asked about first, in the index space of the node; may be empty. The rest follows below it, and
  ///   then from the beginning. What is out of range counts as the end.
  case asItGoes(from: Range<Int> = 0..<0)
}
