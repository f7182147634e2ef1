/// An error in the arguments of a fuzz command.
struct FuzzUsageError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// The settings that a worker needs, apart from the scripts' numbers.
struct FuzzSettings: Equatable, Sendable {
  var length = 40
  var usesSmallStorage = false
  /// Whether the kinds are the kinds of `FragileModel`, for tests. The command line has no option for this setting.
  var usesFragileKind = false

  init() {}

  /// Reads the settings from the arguments that `arguments` gave.
  init(arguments: ArraySlice<String>) {
    length = arguments.first.flatMap(Int.init) ?? length
    usesSmallStorage = arguments.contains("small")
    usesFragileKind = arguments.contains("fragile")
  }

  /// The settings as the arguments of a worker.
  var arguments: [String] {
    ["\(length)"] + (usesSmallStorage ? ["small"] : []) + (usesFragileKind ? ["fragile"] : [])
  }
}

/// The arguments of a fuzz command.
struct FuzzOptions: Equatable, Sendable {
  var seeds: ClosedRange<UInt64> = 1...1
  var scripts = 1_000
  var first = 0
  var jobs = 1
  var findings = 20
  /// The number of moving worlds of each source and size; nil where graphs are run. The worlds are run in place of
  /// graphs.
  var worlds: Int?
  /// Whether views are read inside the transactions of moving worlds.
  var looks = false
  var settings = FuzzSettings()
  var wantsHelp = false

  static let help = """
    Runs random graphs of nodes, and prints what they find with the Swift code that shows it.

      --seeds A-B      the seeds, one or a range (default 1)
      --scripts N      the scripts of each seed (default 1000)
      --from N         the number of the first script (default 0)
      --length N       the operations of a script, beside those that build its first nodes (default 40)
      --small          nodes keep little together, so that few rows fill many chunks
      --jobs N         the processes that run side by side (default 1)
      --findings N     ends the run after so many findings (default 20)
      --worlds N       runs N trees of each source and size whose rows move about instead, and prints a table of faults
                       by observed view and number of edits, with the code of the first finding of each cell
      --looks          with --worlds: views are read inside the transactions; law 5 is not demanded then
      --help           prints this

    Exit codes: 0 nothing was found, 1 something was, 64 wrong arguments, 70 a process could not be started,
    74 the report could not be written.
    """

  init() {}

  /// Reads arguments.
  ///
  /// - Throws: `FuzzUsageError` where an option is not known, or its value is missing or wrong.
  init(_ arguments: [String]) throws(FuzzUsageError) {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      switch name {
      case "--help", "-h": wantsHelp = true
      case "--small": settings.usesSmallStorage = true
      case "--seeds": seeds = try Self.range(Self.value(of: name, &rest), name)
      case "--scripts": scripts = try Self.number(Self.value(of: name, &rest), name, from: 1)
      case "--from": first = try Self.number(Self.value(of: name, &rest), name, from: 0)
      case "--length": settings.length = try Self.number(Self.value(of: name, &rest), name, from: 0)
      case "--looks": looks = true
      case "--jobs": jobs = try Self.number(Self.value(of: name, &rest), name, from: 1)
      case "--worlds": worlds = try Self.number(Self.value(of: name, &rest), name, from: 1)
      case "--findings": findings = try Self.number(Self.value(of: name, &rest), name, from: 1)
      default: throw FuzzUsageError("\"\(name)\" is not an option.")
      }
    }
  }

  private static func value(of name: String, _ rest: inout ArraySlice<String>) throws(FuzzUsageError) -> String {
    guard let value = rest.popFirst() else { throw FuzzUsageError("\(name) needs a value.") }
    return value
  }

  private static func number(_ text: String, _ name: String, from least: Int) throws(FuzzUsageError) -> Int {
    guard let number = Int(text), number >= least, number <= 1_000_000_000 else {
      throw FuzzUsageError("\(name) is \"\(text)\", which is no number from \(least) to 1000000000.")
    }
    return number
  }

  private static func range(_ text: String, _ name: String) throws(FuzzUsageError) -> ClosedRange<UInt64> {
    let bounds = text.split(separator: "-", omittingEmptySubsequences: false).map { UInt64($0) }
    guard bounds.count <= 2, let lower = bounds[0], let upper = bounds[bounds.count - 1], lower <= upper else {
      throw FuzzUsageError("\(name) is \"\(text)\", which is neither a seed nor a range of seeds like 1-50.")
    }
    return lower...upper
  }
}
