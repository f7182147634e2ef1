import Synchronization

/// Numbers observers, transactions, moves between parents and mapped trees in the order of their beginning.
///
/// The numbers are shared by all graphs, because two graphs may later become one. The graphs may belong to different
/// isolation domains.
enum SerialNumber {
  private static let last = Atomic<Int>(0)

  /// A number greater than all earlier ones.
  static func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
