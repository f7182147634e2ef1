import AssemblageTesting

/// The faults of many worlds, by the observed view and the number of edits of a transaction.
struct WorldReport: Sendable {
  /// The result of one view with transactions of one size.
  struct Cell: Sendable {
    /// The transactions that were reported to an observer of the view.
    var received = 0
    var faults: [WorldOutcome.Fault: Int] = [:]
  }

  private struct Key: Hashable {
    let view: String
    let edits: Int
  }

  private var views: [String] = []
  private var sizes: Set<Int> = []
  private var cells: [Key: Cell] = [:]

  /// The first finding of each cell, with code.
  private(set) var findings: [String] = []

  /// The number of worlds that ended the process, by the sentence of the end.
  private var endings: [String: Int] = [:]

  init() {}

  var isClean: Bool { findings.isEmpty && endings.isEmpty }

  /// Adds the outcomes of a world.
  mutating func add(_ outcomes: [WorldOutcome], of world: WorldCase) {
    sizes.insert(world.edits)
    for outcome in outcomes {
      let name = "\(world.source): \(outcome.view)"
      if !views.contains(name) { views.append(name) }
      let key = Key(view: name, edits: world.edits)
      cells[key, default: Cell()].received += 1
      guard let fault = outcome.fault else { continue }
      let former = cells[key]!.faults.updateValue(cells[key]!.faults[fault, default: 0] + 1, forKey: fault)
      if former == nil, fault != .lost { findings.append(outcome.finding) }
    }
  }

  /// Adds a world that ended the process.
  mutating func addEnding(_ sentence: String, of world: WorldCase, code: String) {
    sizes.insert(world.edits)
    if endings.updateValue(endings[sentence, default: 0] + 1, forKey: sentence) == nil {
      findings.append("\(world) ended the process: \(sentence)\n\(code)")
    }
  }

  /// Adds the contents of another report.
  mutating func add(_ other: WorldReport) {
    views += other.views.filter { !views.contains($0) }
    sizes.formUnion(other.sizes)
    cells.merge(other.cells) { first, second in
      Cell(received: first.received + second.received, faults: first.faults.merging(second.faults, uniquingKeysWith: +))
    }
    findings += other.findings
    endings.merge(other.endings, uniquingKeysWith: +)
  }
}

extension WorldReport: CustomStringConvertible {
  /// A table with a row for each view and a column for each size. Each cell has the faults of law 5 and the number of
  /// reported transactions, and then the faults of other kinds.
  var description: String {
    let sizes = sizes.sorted()
    var lines = [
      "| edits of a transaction | " + sizes.map(String.init).joined(separator: " | ") + " |",
      "|---|" + sizes.map { _ in "---|" }.joined(),
    ]
    for view in MovingWorld.Source.allCases.flatMap({ source in views.filter { $0.hasPrefix("\(source): ") } }) {
      let row = sizes.map { cells[Key(view: view, edits: $0)]?.description ?? "" }
      lines.append("| \(view) | \(row.joined(separator: " | ")) |")
    }
    lines += endings.sorted { $0.value > $1.value }.map { "\($0.value) worlds ended the process: \($0.key)" }
    return lines.joined(separator: "\n")
  }
}

extension WorldReport.Cell: CustomStringConvertible {
  var description: String {
    let minimality = WorldOutcome.Fault.law(.changesAreMinimal)
    let others = faults.filter { $0.key != minimality }.map { ", \($0.value) × \($0.key)" }
    return "\(faults[minimality, default: 0])/\(received)" + others.sorted().joined()
  }
}

extension WorldOutcome.Fault: CustomStringConvertible {
  var description: String {
    switch self {
    case .law(let law): "law \(law.rawValue)"
    case .contents: "contents"
    case .lost: "lost"
    }
  }
}
