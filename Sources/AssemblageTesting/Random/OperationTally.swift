/// Counts each kind of operation that a random script made, and reports the kinds that it never made.
///
/// A random test that never makes one of its operations tests less than it promises. Count each operation where it is
/// *made*, not where it is drawn: a removal that is drawn for an empty sequence is not made.
///
/// ```swift
/// enum Operation: CaseIterable { case insert, remove }
/// var tally = OperationTally<Operation>()
/// for _ in 0..<TestSeed.length(100) {
///   switch tally.random(using: &generator) {
///   case .insert: model.append(1); tally.count(.insert)
///   case .remove: if model.popLast() != nil { tally.count(.remove) }
///   }
/// }
/// try tally.check()
/// ```
public struct OperationTally<Kind: Hashable>: CustomStringConvertible {
  private let kinds: [Kind]
  private var counts: [Kind: Int] = [:]

  /// Creates a tally that expects each of `kinds` to be made.
  public init(kinds: some Sequence<Kind>) {
    self.kinds = Array(kinds)
    precondition(!self.kinds.isEmpty, "a tally without kinds of operations checks nothing")
  }

  /// Returns one of the kinds, each equally probable, without counting it.
  public func random(using generator: inout SeededGenerator) -> Kind {
    kinds[Int.random(in: 0..<kinds.count, using: &generator)]
  }

  /// Counts operations of `kind`.
  ///
  /// - Parameters:
  ///   - kind: one of the declared kinds.
  ///   - times: how many; one by default.
  /// - Precondition: `kind` is one of the declared kinds.
  public mutating func count(_ kind: Kind, times: Int = 1) {
    precondition(kinds.contains(kind), "\(kind) is not among the declared operations \(kinds)")
    counts[kind, default: 0] += times
  }

  /// The number of operations of `kind` made so far.
  public subscript(kind: Kind) -> Int { counts[kind, default: 0] }

  /// The kinds not made so far, in the order of declaration.
  public var missing: [Kind] { kinds.filter { self[$0] == 0 } }

  /// Throws where a declared kind was made fewer than `minimum` times.
  ///
  /// A run whose size was set from outside, or in a debug build, may be too short to make each kind. In such a run the
  /// method does nothing: see `TestSeed.isResized`.
  ///
  /// - Throws: `MissingOperations`.
  public func check(atLeast minimum: Int = 1) throws {
    if !TestSeed.isResized { try checkAlways(atLeast: minimum) }
  }

  func checkAlways(atLeast minimum: Int = 1) throws {
    let rare = kinds.filter { self[$0] < minimum }
    guard rare.isEmpty else {
      throw MissingOperations(
        description: "made fewer than \(minimum) times: \(rare); the script made \(self)")
    }
  }

  /// Each kind with the number of operations made: `insert × 2, remove × 0`.
  public var description: String {
    kinds.map { "\($0) × \(self[$0])" }.joined(separator: ", ")
  }
}

extension OperationTally where Kind: CaseIterable {
  /// Creates a tally that expects each case to be made.
  public init() { self.init(kinds: Kind.allCases) }
}

/// Reports the operations that a random script did not make.
///
/// ```swift
/// var tally = OperationTally(kinds: ["insert", "remove"])
/// tally.count("insert", times: 3)
/// do {
///   try tally.check()
/// } catch {
///   print(error)    // made fewer than 1 times: ["remove"]; the script made insert × 3, remove × 0
/// }
/// ```
public struct MissingOperations: Error, CustomStringConvertible {
  /// The rare kinds, and the number of operations of each kind.
  public let description: String
}
