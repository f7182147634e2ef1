/// When colours are written.
enum ColorChoice: String, CaseIterable {
  case auto, always, never

  /// Whether colours are written.
  ///
  /// `auto` asks whether there is a terminal, and what the user's environment says: `NO_COLOR`, with whatever value but an
  /// empty one, and `TERM=dumb` want none.
  ///
  /// - Parameters:
  ///   - isTerminal: whether the output goes to a terminal.
  ///   - environment: the variables of the process.
  /// - Returns: whether escapes are printed.
  func isOn(isTerminal: Bool, environment: [String: String]) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto: isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }
  }
}
