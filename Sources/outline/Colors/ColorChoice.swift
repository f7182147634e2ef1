/// Decides when colours are written.
enum ColorChoice: String, CaseIterable {
  case auto, always, never

  /// Whether colours are written.
  ///
  /// `auto` depends on the terminal and on the user's environment: `NO_COLOR`, with any value except an empty one, and
  /// `TERM=dumb` switch colours off.
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
