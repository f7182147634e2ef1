/// The styles of the parts of a JSON document.
enum JSONStyle {
  static let key = "01;34"

  /// The style of a value; nil for none.
  static func style(_ kind: JSONDocument.Kind) -> String? {
    switch kind {
    case .string: "32"
    case .number: "36"
    case .boolean: "33"
    case .null: "90"
    case .object, .array, .sequence: nil
    }
  }
}
