/// The element of a fuzzed pipeline: a row that can be told from every other, and changed.
///
/// ```swift
/// let row = PipelineRow(7, version: 2)
/// row.description                          // "7v2"
/// let rows: [PipelineRow] = [1, 2]         // integer literals are rows of version 0
/// ```
public struct PipelineRow: Hashable, Sendable, CustomStringConvertible, ExpressibleByIntegerLiteral {
  /// What makes the row the same row, whatever its version.
  public let id: Int

  /// How often the row was changed.
  public var version: Int

  /// Creates a row.
  ///
  /// - Parameters:
  ///   - id: what makes it the same row.
  ///   - version: how often it was changed.
  public init(_ id: Int, version: Int = 0) {
    self.id = id
    self.version = version
  }

  /// Creates the row with an id, of version 0.
  public init(integerLiteral id: Int) { self.init(id) }

  /// The id, and the version where it is not 0.
  public var description: String { version == 0 ? "\(id)" : "\(id)v\(version)" }

  /// The row as Swift code, where the type is known.
  public var code: String { version == 0 ? "\(id)" : "PipelineRow(\(id), version: \(version))" }

  /// The row with its version counted up.
  public var changed: PipelineRow { PipelineRow(id, version: version + 1) }
}

extension Collection<PipelineRow> {
  /// The rows as the code of an array literal.
  public var code: String { "[" + map(\.code).joined(separator: ", ") + "]" }
}

/// A predicate on rows that can be printed as Swift code.
///
/// ```swift
/// let odd = RowPredicate(remainder: 1, modulus: 2)
/// odd.code          // "($0.id + $0.version) % 2 == 1"
/// odd.passes(3)     // true
/// ```
public struct RowPredicate: Sendable {
  /// The predicate as the body of a closure.
  public let code: String

  /// Whether a row passes.
  public let passes: @Sendable (PipelineRow) -> Bool

  /// Creates the predicate that passes one in `modulus` rows.
  ///
  /// - Parameters:
  ///   - remainder: of id and version together; what is not less than `modulus` passes no row.
  ///   - modulus: at least 1.
  public init(remainder: Int, modulus: Int) {
    code = "($0.id + $0.version) % \(modulus) == \(remainder)"
    passes = { ($0.id + $0.version) % modulus == remainder }
  }

  private init(code: String, passes: @escaping @Sendable (PipelineRow) -> Bool) {
    self.code = code
    self.passes = passes
  }

  /// The predicate that passes what this one and another pass.
  public func and(_ other: RowPredicate) -> RowPredicate {
    let (left, right) = (passes, other.passes)
    return RowPredicate(code: "(\(code)) && (\(other.code))") { left($0) && right($0) }
  }

  /// The predicate that passes what this one or another passes.
  public func or(_ other: RowPredicate) -> RowPredicate {
    let (left, right) = (passes, other.passes)
    return RowPredicate(code: "(\(code)) || (\(other.code))") { left($0) || right($0) }
  }
}
