/// The options of the command line.
struct Options: Equatable {
  enum Format: String, CaseIterable { case table, markdown, json, csv }
  enum Action: Equatable { case measure, list, help }

  var action = Action.measure
  /// The suites to run, in the order of the catalogue. Empty means all suites.
  var suites: [String] = []
  /// The operations to run. Empty means all operations.
  var operations: [String] = []
  var sizes = stride(from: 10, through: 20, by: 2).map { 1 << $0 }
  var samples = 11
  var format = Format.table
  var chartDirectory: String?
  /// The file with a user's own data, which is measured in place of random data; `-` is standard input.
  var input: String?
  /// The file of an earlier run whose figures are compared with this run's.
  var comparedRun: String?
  /// The file of a run. No ratio of this run must be worse than the ratio in that file.
  var baseline: String?
  var seed: UInt64 = 1

  static let largestSize = 1 << 26

  static let help = """
    Measures the library's structures and nodes, each beside naive competitors of the same job.

    USAGE: swift run -c release benchmark [options]

      --suite NAME       run this suite; may be given several times; all suites by default
      --operation NAME   run this operation of the suites; may be given several times; all by default
      --sizes N,N,…      numbers of elements, as 1048576 or 2^20; by default 2^10, 2^12 … 2^20
      --input FILE       measure a join, a filter, a sort, a tree filter and an outline of your own data beside plain
                         arrays: the lines of FILE, its paths where a line has a slash, or its JSON values; - is
                         standard input
      --samples N        samples of each measurement, whose median is reported; by default 11
      --format FORMAT    table (nanoseconds, spread and ratio), markdown (a page of such tables), json (one object
                         a line) or csv
      --chart DIRECTORY  also write a log-log SVG chart for each suite and operation
      --compare FILE     say at the end what has changed since the run that wrote FILE with --format json
      --baseline FILE    fail where one of the library's subjects, beside its competitor, is worse than in FILE
                         by 1.5 ×, three times
      --seed N           the seed of all random input; by default 1
      --list             print the suites with their operations and subjects
      --help             print this

    Times are nanoseconds for one operation; for build and scan, for one element; for compose, for one
    edit. All subjects of an operation get the same input. A sample lasts a millisecond or longer; the
    samples of the subjects take turns, and then, as "warm", those of each follow one another. A subject
    is left out from the size on at which one operation is expected to take over four seconds, and the
    output says so; one that takes over a second is sampled three times.

    EXIT CODES: 0 done; 1 refused, because this is a debug build; 2 worse than the baseline; 64 bad option;
    65 FILE holds no results, or none of these, or no data; 66 FILE could not be read; 73 the chart could not be written;
    74 the output could not be written.
    """
}

/// The error of a command line that is not understood, in one sentence.
struct UsageError: Error, Equatable, CustomStringConvertible {
  let description: String
}

extension Options {
  /// Parses the arguments that follow the command's name.
  ///
  /// - Parameters:
  ///   - arguments: the command line without its first word.
  ///   - catalogue: the suites that exist.
  /// - Throws: `UsageError` for an option, a value or a name that is not known.
  init(_ arguments: [String], catalogue: [Suite]) throws {
    var words = arguments[...]
    var givesSizes = false

    while let word = words.popFirst() {
      var (option, value) = (word, String?.none)
      if word.hasPrefix("--"), let equals = word.firstIndex(of: "=") {
        option = String(word[..<equals])
        value = String(word[word.index(after: equals)...])
      }
      func argument() throws -> String {
        guard let text = value ?? words.popFirst() else {
          throw UsageError(description: "\(option) needs a value; see --help")
        }
        value = nil
        return text
      }

      switch option {
      case "--help", "-h": action = .help
      case "--list": if action != .help { action = .list }
      case "--suite": suites.append(try argument())
      case "--operation": operations.append(try argument())
      case "--sizes":
        sizes = try Self.sizes(try argument())
        givesSizes = true
      case "--input": input = try argument()
      case "--samples": samples = try Self.number(try argument(), option, in: 1...1_000)
      case "--seed": seed = UInt64(try Self.number(try argument(), option, in: 0...Int.max))
      case "--chart": chartDirectory = try argument()
      case "--compare": comparedRun = try argument()
      case "--baseline": baseline = try argument()
      case "--format":
        let name = try argument()
        guard let known = Format(rawValue: name) else {
          throw UsageError(description: "--format takes table, markdown, json or csv, not \"\(name)\"")
        }
        format = known
      default:
        throw UsageError(description: "there is no option \"\(word)\"; see --help")
      }
      if let value {
        throw UsageError(description: "\(option) takes no value, and \"\(value)\" was given")
      }
    }
    if input != nil, givesSizes || !suites.isEmpty {
      throw UsageError(description: "--input measures all of its data; --suite and --sizes are for random data")
    }
    try checkNames(input == nil ? catalogue : [Suite.input(InputData.none)])
  }

  private func checkNames(_ catalogue: [Suite]) throws {
    let names = catalogue.map(\.name)
    for suite in suites where !names.contains(suite) {
      throw UsageError(
        description: "there is no suite \"\(suite)\"; the suites are \(names.joined(separator: ", "))")
    }
    let chosen = catalogue.filter { suites.isEmpty || suites.contains($0.name) }
    for operation in operations
    where !chosen.contains(where: { $0.operations.contains { $0.name == operation } }) {
      throw UsageError(
        description: "the chosen suites have no operation \"\(operation)\"; see --list")
    }
  }

  private static func sizes(_ text: String) throws -> [Int] {
    let sizes = try text.split(separator: ",", omittingEmptySubsequences: false).map { item in
      if item.hasPrefix("2^") {
        return 1 << (try number(String(item.dropFirst(2)), "--sizes", in: 0...26))
      }
      return try number(String(item), "--sizes", in: 1...largestSize)
    }
    return Set(sizes).sorted()
  }

  private static func number(
    _ text: String, _ option: String, in range: ClosedRange<Int>
  ) throws -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        description: "\(option) takes numbers from \(range.lowerBound) to \(range.upperBound), "
          + "not \"\(text)\"")
    }
    return number
  }
}
