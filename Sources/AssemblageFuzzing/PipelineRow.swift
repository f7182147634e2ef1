/// The element of a fuzzed pipeline: a row that has an identity, and can be changed.
///
/// ```swift
/// let row = PipelineRow(7, version: 2)
/// row.description                          // "7v2"
/// let rows: [PipelineRow] = [1, 2]         // integer literals are rows of version 0
/// ```
package struct PipelineRow: Hashable, Sendable, CustomStringConvertible, ExpressibleByIntegerLiteral {
  /// The identity of the row, whatever its version.
  package let id: Int

  /// The number of changes of the row.
  package var version: Int

  /// Creates a row.
  ///
  /// - Parameters:
  ///   - id: the identity of the row.
  ///   - version: the number of changes of the row.
  package init(_ id: Int, version: Int = 0) {
    self.id = id
    self.version = version
  }

  /// Creates the row with an id, of version 0.
  package init(integerLiteral id: Int) { self.init(id) }

  /// The id, and the version where it is not 0.
  package var description: String { version == 0 ? "\(id)" : "\(id)v\(version)" }

  /// The row as Swift code, where the type is known.
  package var code: String { version == 0 ? "\(id)" : "PipelineRow(\(id), version: \(version))" }

  /// The row with its version counted up.
  package var changed: PipelineRow { PipelineRow(id, version: version + 1) }
}

extension Collection<PipelineRow> {
  /// The rows as the code of an array literal.
  package var code: String { "[" + map(\.code).joined(separator: ", ") + "]" }
}

/// A predicate on rows that can be printed as Swift code.
///
/// ```swift
/// let odd = RowPredicate(remainder: 1, modulus: 2)
/// odd.code          // "($0.id + $0.version) % 2 == 1"
/// odd.passes(3)     // true
/// ```
package struct RowPredicate: Sendable {
  /// The predicate as the body of a closure.
  package let code: String

  /// Whether a row passes.
  package let passes: @Sendable (PipelineRow) -> Bool

  /// Creates the predicate that passes one in `modulus` rows.
  ///
  /// - Parameters:
  ///   - remainder: the remainder of id plus version. A remainder that is not less than `modulus` passes no row.
  ///   - modulus: at least 1.
  package init(remainder: Int, modulus: Int) {
    code = "($0.id + $0.version) % \(modulus) == \(remainder)"
    passes = { ($0.id + $0.version) % modulus == remainder }
  }

  private init(code: String, passes: @escaping @Sendable (PipelineRow) -> Bool) {
    self.code = code
    self.passes = passes
  }

  /// The predicate that passes a row if both this predicate and another one pass the row.
  package func and(_ other: RowPredicate) -> RowPredicate {
    let (left, right) = (passes, other.passes)
    return RowPredicate(code: "(\(code)) && (\(other.code))") { left($0) && right($0) }
  }

  /// The predicate that passes a row if this predicate or another one passes the row.
  package func or(_ other: RowPredicate) -> RowPredicate {
    let (left, right) = (passes, other.passes)
    return RowPredicate(code: "(\(code)) || (\(other.code))") { left($0) || right($0) }
  }
}
