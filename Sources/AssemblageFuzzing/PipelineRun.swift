import Assemblage
import AssemblageTesting

/// One run of a script: the nodes beside their models, and all their observers.
final class PipelineRun {
  let kinds: [String: NodeKind]
  let script: PipelineScript
  let usesSmallStorage: Bool
  /// Receives each operation before it is made.
  let trace: ((String) -> Void)?
  /// The code of the run, where it is wanted.
  let code: PipelineCode?

  /// Every node that was made, those that were let go included: others may derive from them.
  var specimens: [NodeNumber: Specimen] = [:]
  /// The names of the nodes in Swift code: the kind, and a number in the order in which they were made.
  private var names: [NodeNumber: String] = [:]
  /// The nodes that the run holds, in the order in which they were made.
  var held: [NodeNumber] = []
  /// The nodes that the outermost transaction of this step is known to cover.
  private(set) var connected: Set<NodeNumber> = []
  /// The nodes whose models have changed since all were checked, and those that are new.
  private(set) var touched: Set<NodeNumber> = []
  /// The observations, in the order in which they were made.
  var observers: [PipelineObserver] = []
  /// How many observers were attached so far.
  var observerCount = 0
  /// The snapshots that were taken so far.
  var kept: [KeptSnapshot] = []
  /// How often each action was made.
  private(set) var made: [PipelineOperation.Action: Int] = [:]
  private(set) var fault: PipelineFault?
  /// What is wrong with all screens, where that is wanted.
  var screenDefect: ScreenDefect?
  /// How many screens there are at a time.
  var screenLimit = 3

  /// Whether the run ends by letting go of everything, to see that it is released.
  var releasesAtEnd = true

  /// How many observers have reacted so far.
  var reactionCount = 0
  /// Whether a transaction is being taken back, and the models are not yet: observers that hear of it do not react then.
  var isRollingBack = false
  /// The number of the reaction under way, or 0.
  var reaction = 0
  /// Whether more than one edit is told at once.
  var isComposite = false
  /// How many transactions are open whose bodies run.
  var openTransactions = 0
  /// Whether the transaction under way must not settle before its end.
  var isQuiet = false
  /// Whether a transaction of this step may have settled before its end. Law 5 holds between two settlements, so it is not
  /// demanded of the composed change.
  private(set) var hasSettledEarly = false
  /// The last move by index path.
  var trail: PathTrail?
  /// Whether an observer has made edits in this step: of one transaction each, but told to others with the first one.
  var isReacting = false
  /// The views whose own settings, members included, were changed in this step.
  var settings: Set<NodeNumber> = []
  /// What the sources did with their rows in this step.
  var passage = PipelinePassage()
  /// The models that were replaced, for taking edits back; the latest last.
  var journal: [(specimen: Specimen, model: any NodeModel)] = []
  let checker: NodeChecker<PipelineRow>
  /// Whether the script makes views that report moves only within their own source.
  let reportsOwnMovesOnly: Bool
  /// The checker in Swift code.
  let checkerCode: String
  /// Makes the steps of what goes on in the background.
  let steps = StepScheduler()
  /// What goes on there, with the names in Swift code.
  var works: [(name: String, work: PipelineWork)] = []
  var readers: [PipelineReader] = []
  /// How many works and readers were begun so far.
  var workCount = 0
  /// Whether a step is made, in which a node may come to show what its model does not show yet.
  var isStepping = false
  /// How the edits under way are going to be taken back, if they are.
  var reversal: Reversal?
  private(set) var depth = 0

  /// Pipelines with more nodes than this get no further ones; with a greater tree, no edit that made it so.
  private static let nodeLimit = 16
  private static let sizeLimit = 200

  init(
    _ script: PipelineScript, kinds: [NodeKind], usesSmallStorage: Bool, recordsCode: Bool,
    trace: ((String) -> Void)? = nil
  ) {
    self.script = script
    self.kinds = Dictionary(uniqueKeysWithValues: kinds.map { ($0.name, $0) })
    // Any node may come to show another one, so it is a matter of the whole script.
    let hasEmptyLeaves = kinds.contains { $0.hasEmptyLeaves && script.operations.makes($0.name) }
    reportsOwnMovesOnly = kinds.contains { $0.reportsOwnMovesOnly && script.operations.makes($0.name) }
    let checker = NodeChecker<PipelineRow>(id: \.id)
    self.checker = hasEmptyLeaves ? checker.allowingEmptyLeaves() : checker
    checkerCode = "NodeChecker<PipelineRow>(id: \\.id)" + (hasEmptyLeaves ? ".allowingEmptyLeaves()" : "")
    self.usesSmallStorage = usesSmallStorage
    self.trace = trace
    code = recordsCode ? PipelineCode() : nil
  }

  /// Runs the script until something is found.
  ///
  /// - Returns: how many of the outermost operations were made, and what was found.
  func run() -> (length: Int, fault: PipelineFault?) {
    for (index, operation) in script.operations.enumerated() {
      step(operation)
      if let fault { return (index + 1, fault) }
    }
    endSteps()
    touched = Set(held)
    checkLaws()
    checkSnapshots()
    kept = []
    if releasesAtEnd, fault == nil { checkRelease() }
    return (script.operations.count, fault)
  }

  /// Makes one of the outermost operations, and checks what its observers heard.
  private func step(_ operation: PipelineOperation) {
    let count = reactionCount
    isComposite = false
    isReacting = false
    hasSettledEarly = false
    trail = nil
    settings = []
    passage = PipelinePassage()
    for specimen in specimens.values {
      specimen.standing = PipelinePlaces()
      specimen.ambiguous = []
      specimen.ways = [:]
      specimen.views = [:]
      specimen.settings = []
    }
    connected = []
    demandMinimality()
    for observer in observers { observer.formerDeliveries = observer.shadow?.deliveryCount ?? 0 }
    journal.removeAll(keepingCapacity: true)
    perform(operation)
    guard fault == nil else { return }
    // An observer that edits makes further transactions, of which others hear.
    // What is not in the graph of a transaction hears at once.
    checkObservers { observer in
      switch operation.action {
      case .transaction: reactionCount == count && connected.contains(observer.number) ? 1 : nil
      // After a settlement the inverses are changes, and observers receive the composition.
      case .rollback: hasSettledEarly ? nil : 0
      case .undo, .begin, .read, .advance, .giveUp: nil
      // Unfolded, and folded again.
      case .use: 2
      default: reactionCount == count ? 1 : nil
      }
    }
    if fault == nil { checkScreens() }
  }

  /// Makes an operation at any depth, and checks that every node shows it.
  ///
  /// Inside a transaction nothing is read: that would settle the graph. A script says there when it looks.
  func perform(_ operation: PipelineOperation) {
    // Bodies nest no deeper than scripts are generated; observers that start each other do.
    guard fault == nil, depth < 12 else { return }
    depth += 1
    defer { depth -= 1 }
    trace?("\(operation.serial) \(operation.action)")
    if execute(operation) {
      made[operation.action, default: 0] += 1
      if openTransactions > 0 { return }
      checkNodes()
      keepSnapshot()
    }
  }

  func fail(_ kind: PipelineFault.Kind, _ finding: String, code: String) {
    if fault == nil { fault = PipelineFault(kind: kind, finding: finding, code: code) }
  }

  func setModel(_ model: any NodeModel, of specimen: Specimen) { setModels([(specimen, model)]) }

  /// Gives nodes other models at once: half of them would be a graph that there never was, with a cycle perhaps.
  func setModels(_ models: [(specimen: Specimen, model: any NodeModel)]) {
    let sources = models.map(\.specimen).filter(holdsChildren)
    let former = sources.map(rows)
    for (specimen, model) in models {
      journal.append((specimen, specimen.model))
      if !holdsChildren(specimen) { settings.insert(specimen.number) }
      specimen.model = model
      touched.insert(specimen.number)
    }
    forgetContents()
    for (source, former) in zip(sources, former) { passage.change(former, to: rows(of: source)) }
  }

  private func rows(of specimen: Specimen) -> PipelinePassage.Rows {
    PipelinePassage.Rows(contents(of: specimen.number))
  }

  /// Whether a node holds children of its own, rather than showing those of others.
  func holdsChildren(_ specimen: Specimen) -> Bool { kinds[specimen.kind]?.holdsChildren == true }

  /// Notes that the next operation may settle the graph, if a transaction is open.
  ///
  /// - Returns: false where nothing may settle it.
  func maySettle() -> Bool {
    guard openTransactions > 0 else { return true }
    if isQuiet { return false }
    hasSettledEarly = true
    demandMinimality()
    return true
  }

  /// Takes back every change of a model since the journal had `length` entries.
  func rewind(to length: Int) {
    while journal.count > length {
      let entry = journal.removeLast()
      entry.specimen.model = entry.model
    }
    forgetContents()
  }

  /// The nodes whose models were replaced since the journal had `length` entries, with what they were before.
  func replacedModels(since length: Int) -> [(specimen: Specimen, model: any NodeModel)] {
    var seen: Set<NodeNumber> = []
    return journal[length...].filter { seen.insert($0.specimen.number).inserted }
  }

  private func forgetContents() {
    for specimen in specimens.values { specimen.contents = nil }
  }

  /// Makes one graph of all nodes, so that a transaction covers them all.
  ///
  /// - Returns: a node that shows all of them.
  @discardableResult
  func connect(as name: String = "_") -> BranchNode<PipelineRow> {
    // Inside a transaction it is too late for what some have told already.
    if depth == 1 { connected.formUnion(held) }
    let list = held.map { self.name(of: $0) }.joined(separator: ", ")
    code?.add("\(name == "_" ? "_" : "let \(name)") = BranchNode<PipelineRow>([\(list)])")
    return BranchNode(held.compactMap { specimens[$0]?.node })
  }

  // MARK: What there is

  /// The name of a node in Swift code, known from when it is going to be made.
  func name(of number: NodeNumber) -> String { names[number] ?? "node\(number.serial)" }

  /// What a node should show.
  func contents(of number: NodeNumber) -> NaiveTree<PipelineRow> {
    guard let specimen = specimens[number] else { return NaiveTree(value: nil, children: []) }
    if let contents = specimen.contents { return contents }
    let contents = specimen.model.contents { self.contents(of: $0) }
    specimen.contents = contents
    return contents
  }

  /// Whether `target` is the node `number`, or one that it derives from.
  func reaches(_ number: NodeNumber, _ target: NodeNumber) -> Bool {
    if number == target { return true }
    guard let specimen = specimens[number] else { return false }
    return specimen.model.sources.contains { reaches($0, target) }
  }

  // MARK: Operations

  /// Makes an operation; false where the pipeline has no place for it.
  private func execute(_ operation: PipelineOperation) -> Bool {
    guard reversal == nil || operation.action.isReversible else { return false }
    guard operation.action.knowsWhetherItSettles || maySettle() else { return false }
    return switch operation.action {
    case .make(let kind): make(kind, operation)
    case .edit(let kind, let name): edit(kind, name, operation)
    case .write(let write): self.write(write, operation)
    case .transaction: transact(operation)
    case .rollback: rollBack(operation)
    case .undo: undo(operation)
    case .look: look(operation)
    case .observe: observe(operation)
    case .react: attach(operation)
    case .show: show(operation)
    case .use: use(operation)
    case .cancel: cancel(operation)
    case .release: release(operation)
    case .begin(let kind, let name): begin(kind, name, operation)
    case .read: read(operation)
    case .advance: advance(operation)
    case .giveUp: giveUp(operation)
    }
  }

  private func make(_ kind: String, _ operation: PipelineOperation) -> Bool {
    // What an observer makes, it makes once.
    let number = NodeNumber(serial: operation.serial)
    guard held.count < Self.nodeLimit, specimens[number] == nil, let kind = kinds[kind] else { return false }
    names[number] = "\(kind.name)\(specimens.count + 1)"
    var draw = PipelineDraw(self, operation)
    guard let specimen = kind.make(&draw) else { return false }
    specimens[specimen.number] = specimen
    guard contents(of: specimen.number).nodeCount < Self.sizeLimit else {
      specimens[specimen.number] = nil
      return false
    }
    held.append(specimen.number)
    touched.insert(specimen.number)
    for variable in specimen.variables {
      code?.declare(variable.name, type: variable.type, variable.value, isVariable: true)
    }
    code?.declare(name(of: number), type: specimen.typeCode, specimen.code)
    return true
  }

  private func edit(_ kind: String, _ name: String, _ operation: PipelineOperation) -> Bool {
    guard let kind = kinds[kind] else { return false }
    var choice = PipelineDraw(self, operation)
    guard let number = choice.pick({ $0.kind == kind.name }), let specimen = specimens[number] else { return false }
    var draw = PipelineDraw(self, operation.droppingFirst, for: number)
    guard let step = kind.edit(specimen, name, &draw) else { return false }
    if let reversal, step.reversal.rawValue < reversal.rawValue { return false }
    let mark = journal.count
    // A node that is linked settles the graph first.
    let links = !Set(step.model.sources).isSubset(of: specimen.model.sources)
    passage.beginEdit()
    setModel(step.model, of: specimen)
    guard isSmall(), keepsChildren(replacing: step.replaced), holdsChildren(specimen) && !links || maySettle() else {
      rewind(to: mark)
      return false
    }
    passage.replaced.formUnion(step.replaced)
    if step.isComposite { isComposite = true }
    demandMinimality()
    code?.add(step.code)
    step.run()
    return true
  }

  /// Whether no node of the pipeline has become too large.
  func isSmall() -> Bool { held.allSatisfy { contents(of: $0).nodeCount < Self.sizeLimit } }

  private func release(_ operation: PipelineOperation) -> Bool {
    var draw = PipelineDraw(self, operation)
    guard held.count > 1, let number = draw.pick({ _ in true }), let specimen = specimens[number] else { return false }
    held.removeAll { $0 == number }
    // The code is added to while the observers can be read: it prints them.
    let names = observers.filter { $0.number == number }.flatMap { [$0.name] + ($0.otherName.map { [$0] } ?? []) }
    observers.removeAll { $0.number == number }
    for name in names { code?.release(name) }
    specimen.node = nil
    code?.release(name(of: number))
    return true
  }
}

extension [PipelineOperation] {
  /// Whether nodes of a kind may be made, by these or inside of them.
  fileprivate func makes(_ kind: String) -> Bool {
    contains { $0.action == .make(kind) || $0.body.makes(kind) }
  }
}

extension PipelineOperation {
  /// The operation without its first number, by which its node was chosen.
  var droppingFirst: PipelineOperation {
    var operation = self
    operation.numbers = Array(numbers.dropFirst())
    return operation
  }
}
