/// The three forms of a leaf, which are all of the same size in memory. A reference to a leaf contains the leaf's form.
///
/// The form is in the upper two bits of the reference, so that it is known before the leaf is read.
enum LeafForm: UInt32 {
  /// Sums of 16 bits: many sizes of at most 4095.
  case small = 0
  /// Sums of 32 bits: half as many sizes of at most 2²⁸ − 1.
  case large = 1
  /// Runs of equal sizes, each any `Int`.
  case runs = 2

  static let blockSize = 320

  @inline(__always) init(of reference: UInt32) {
    self = reference >> 30 == 0 ? .small : reference >> 30 == 1 ? .large : .runs
  }

  @inline(__always) func reference(_ number: UInt32) -> UInt32 { rawValue << 30 | number }

  @inline(__always) static func number(_ reference: UInt32) -> UInt32 { reference & (1 << 30 - 1) }
}
