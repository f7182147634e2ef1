import Synchronization

/// Numbers observers, transactions, moves between parents and mapped trees in the order in which they begin.
///
/// The numbers run across graphs, which may belong to different isolation domains, because graphs may become one later.
enum SerialNumber {
  private static let last = Atomic<Int>(0)

  /// A number greater than all before.
  static func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
