import Assemblage
import AssemblageTesting

/// The parameters of a moving world.
struct WorldCase: Codable, Sendable {
  let seed: UInt64
  let number: Int
  let source: MovingWorld.Source
  /// The number of edits in a transaction.
  let edits: Int
  /// Whether views are read between the edits. Then law 5 is not demanded, and every read is compared.
  let looks: Bool

  /// The world with another number.
  func numbered(_ number: Int) -> WorldCase {
    WorldCase(seed: seed, number: number, source: source, edits: edits, looks: looks)
  }
}

extension WorldCase: CustomStringConvertible {
  var description: String { "World \(number) of the seed \(seed), \(source), \(edits) edits\(looks ? ", read" : "")" }
}

/// The result of one transaction for one view.
struct WorldOutcome: Codable, Sendable {
  /// The name of the view.
  let view: String
  /// The fault; nil where the view is right.
  let fault: Fault?
  /// The finding, with Swift code.
  let finding: String

  enum Fault: Codable, Hashable, Sendable {
    /// The node or its change breaks a law.
    case law(NodeLaw)
    /// The node does not show the contents that it should.
    case contents
    /// The node of a child is empty, because the child moved to a place that its view has not read yet. This fault is
    /// counted, but is no failure: a view that reads children only on demand does not promise more.
    case lost
  }
}

/// A run of one world: a few transactions, observed at all views.
struct WorldRun {
  private struct Observed {
    let view: WorldView
    var shadow: ShadowTree<PipelineRow>
    /// The number of deliveries before the transaction.
    var deliveries = 0
    /// Whether the child of the view has left. Each kind of view has its own rule for a child that returns.
    var isLost = false
  }

  /// Receives the code of the next transaction, because that transaction may end the process.
  var willRun: (String) -> Void = { _ in }

  private let world: WorldCase
  private var state: MovingWorld
  private var observed: [Observed] = []
  private var code: [String] = []
  private var outcomes: [WorldOutcome] = []
  /// Undoes transactions, in some worlds.
  private let log: UndoLog?

  private static let transactions = 3
  private static var checker: NodeChecker<PipelineRow> { NodeChecker<PipelineRow>(id: \.id).allowingEmptyLeaves() }

  init(_ world: WorldCase) {
    self.world = world
    var mixer = SeededGenerator(seed: world.seed)
    let salt = UInt64(world.edits) << 40 ^ UInt64(MovingWorld.Source.allCases.firstIndex(of: world.source)!) << 50
    state = MovingWorld(world.source, SeededGenerator(seed: mixer.next() ^ salt &+ UInt64(world.number)))
    log = state.chance(1, in: 3) ? UndoLog(of: state.root) : nil
  }

  /// Runs the world.
  ///
  /// - Returns: an outcome for each view and each transaction that the view reported to its observer or that was wrong.
  consuming func run() -> [WorldOutcome] {
    observed = state.views().map { Observed(view: $0, shadow: Self.shadow(of: $0)) }
    for _ in 0..<Self.transactions { transact() }
    return outcomes
  }

  private static func shadow(of view: WorldView) -> ShadowTree<PipelineRow> {
    ShadowTree(of: view.node, checker: checker, minimality: demands)
  }

  private static let demands: Minimality = [.survivors, .fewestMoves, .acrossParents]

  private mutating func transact() {
    let former = state.tree
    let undoCount = log?.undoCount
    // The plan is first, because the shadows must know the rows that will be in several places.
    let edits = (0..<world.edits).map { _ in (edit: state.planEdit(), tree: state.tree) }
    let isReverted = state.chance(1, in: 5)
    expect(former, state.tree)
    code.append(isReverted ? "try? root.performUpdates {" : "root.performUpdates {")
    code += edits.map { "  \($0.edit.code)" }
    if isReverted { code.append("  throw CancellationError()") }
    code.append("}")
    willRun(program(""))
    try? state.root.performUpdates {
      for (edit, tree) in edits {
        edit.run(state.root)
        if world.looks, state.chance(1, in: 2) { look(tree) }
      }
      if isReverted { throw CancellationError() }
    }
    if isReverted { state.revert(to: former) }
    check(isReverted: isReverted)
    guard let log, log.undoCount != undoCount, state.chance(1, in: 2) else { return }
    let latter = state.tree
    change(to: former, "log.undo()") { log.undo() }
    if state.chance(1, in: 2) { change(to: latter, "log.redo()") { log.redo() } }
  }

  /// Undoes or redoes a transaction.
  private mutating func change(to tree: NaiveTree<PipelineRow>, _ call: String, _ body: () -> Void) {
    expect(state.tree, tree)
    code.append(call)
    willRun(program(""))
    state.revert(to: tree)
    body()
    check(isReverted: false)
  }

  /// Prepares the observers for a transaction between two states of the source.
  private mutating func expect(_ former: NaiveTree<PipelineRow>, _ latter: NaiveTree<PipelineRow>) {
    for index in observed.indices {
      observed[index].deliveries = observed[index].shadow.deliveryCount
      let contents = [former, latter].compactMap(observed[index].view.contents)
      let repeated = contents.reduce(into: Set<Int>()) { $0.formUnion($1.repeatedIDs) }
      observed[index].shadow.identifies = { !repeated.contains($0.id) }
      // A view whose source has left the tree may show rows in several places, too.
      observed[index].shadow.minimality = world.looks || contents.count < 2 ? [] : Self.demands
    }
  }

  private mutating func check(isReverted: Bool) {
    noteLost(state.tree)
    for index in observed.indices { check(index, isReverted: isReverted) }
  }

  /// Records the children that are not in their sources when the graph settles.
  private mutating func noteLost(_ tree: NaiveTree<PipelineRow>) {
    for index in observed.indices where observed[index].view.contents(tree) == nil { observed[index].isLost = true }
  }

  /// Reads a random view inside the transaction.
  private mutating func look(_ tree: NaiveTree<PipelineRow>) {
    noteLost(tree)
    let index = state.random(below: observed.count)
    let view = observed[index].view
    if !observed[index].isLost, let finding = difference(of: view, from: tree) {
      note(index, fault(of: index), "inside the transaction, \(finding)")
    }
  }

  private mutating func check(_ index: Int, isReverted: Bool) {
    let (view, shadow) = (observed[index].view, observed[index].shadow)
    let deliveries = shadow.deliveryCount - observed[index].deliveries
    do {
      try shadow.check()
    } catch {
      note(index, .law(error.law), "\(error)")
      observed[index].shadow = Self.shadow(of: view)
      return
    }
    if deliveries > 1 || isReverted && !world.looks && deliveries > 0 {
      return note(index, .law(.oneDeliveryATransaction), "there were \(deliveries) deliveries")
    }
    if !observed[index].isLost, let finding = difference(of: view, from: state.tree) {
      return note(index, fault(of: index), finding)
    }
    if deliveries > 0 { outcomes.append(WorldOutcome(view: view.name, fault: nil, finding: "")) }
  }

  /// Returns the fault of a view that does not show the contents that it should.
  private mutating func fault(of index: Int) -> WorldOutcome.Fault {
    let view = observed[index].view
    guard view.isLazy, view.node.value == nil, view.node.isEmpty else { return .contents }
    observed[index].isLost = true
    return .lost
  }

  /// Describes how a view differs from the contents that it should show; nil where there is no difference.
  private func difference(of view: WorldView, from tree: NaiveTree<PipelineRow>) -> String? {
    guard let expected = view.contents(tree) else { return nil }
    let shown = NaiveTree(of: view.node)
    return shown == expected ? nil : "it shows \(shown), but should show \(expected)"
  }

  private mutating func note(_ index: Int, _ fault: WorldOutcome.Fault, _ finding: String) {
    let view = observed[index].view
    let text = "\(world), \(view.name):\n\(finding)\n\(program(view.code))"
    outcomes.append(WorldOutcome(view: view.name, fault: fault, finding: text))
  }

  private func program(_ view: String) -> String {
    var lines = ["let root = \(state.code)"]
    if log != nil { lines.append("let log = UndoLog(of: root)") }
    if !view.isEmpty {
      lines += [
        "let view = \(view)",
        "let shadow = ShadowTree(of: view, id: \\.id, minimality: [.survivors, .fewestMoves, .acrossParents])",
      ]
    }
    lines += code
    if !view.isEmpty { lines.append("try shadow.check()") }
    return lines.joined(separator: "\n")
  }
}

extension NaiveTree<PipelineRow> {
  /// The ids of rows that are in several places.
  fileprivate var repeatedIDs: Set<Int> {
    var (seen, repeated): (Set<Int>, Set<Int>) = ([], [])
    for path in paths.dropFirst() {
      if let id = self[path].value?.id, !seen.insert(id).inserted { repeated.insert(id) }
    }
    return repeated
  }
}
