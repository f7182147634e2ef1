import Assemblage
import AssemblageTesting

/// One run of a script: the nodes beside their models, and all their observers.
final class PipelineRun {
  let kinds: [String: NodeKind]
  let script: PipelineScript
  let usesSmallStorage: Bool
  /// Receives each operation before it is made.
  let trace: ((String) -> Void)?
  /// The code of the run, if the run records code.
  let code: PipelineCode?

  /// Every node that was made. Released nodes are included, because other nodes may derive from them.
  var specimens: [NodeNumber: Specimen] = [:]
  /// The names of the nodes in Swift code: the kind, and a number in the order in which they were made.
  private var names: [NodeNumber: String] = [:]
  /// The nodes that the run holds, in the order in which they were made.
  var held: [NodeNumber] = []
  /// The nodes that the outermost transaction of this step is known to cover.
  private(set) var connected: Set<NodeNumber> = []
  /// The nodes that are new, or whose models have changed since the last check of all nodes.
  private(set) var touched: Set<NodeNumber> = []
  /// The observations, in the order in which they were made.
  var observers: [PipelineObserver] = []
  /// The number of observers that were attached so far.
  var observerCount = 0
  /// The snapshots that were made so far.
  var kept: [KeptSnapshot] = []
  /// The number of times that each action was made.
  private(set) var made: [PipelineOperation.Action: Int] = [:]
  private(set) var fault: PipelineFault?
  /// The defect of all screens, if a test wants one.
  var screenDefect: ScreenDefect?
  /// The number of screens at a time.
  var screenLimit = 3

  /// Whether the run releases everything at its end, and checks that all nodes are released.
  var releasesAtEnd = true

  /// The number of reactions of observers so far.
  var reactionCount = 0
  /// Whether a transaction is being reverted, and the models are not reverted yet. Observers that are notified then do
  /// not react.
  var isRollingBack = false
  /// The number of the reaction under way, or 0.
  var reaction = 0
  /// Whether observers may receive more than one edit in one change.
  var isComposite = false
  /// The number of open transactions whose bodies run.
  var openTransactions = 0
  /// Whether the transaction under way must not settle before its end.
  var isQuiet = false
  /// Whether a transaction of this step may have settled before its end. Law 5 holds between two settlements, so the
  /// run does not demand it of the composed change.
  private(set) var hasSettledEarly = false
  /// The last move by index path.
  var trail: PathTrail?
  /// Whether an observer has made edits in this step. Each edit has its own transaction, but other observers receive
  /// the edits together with the first one.
  var isReacting = false
  /// The views whose own settings, members included, were changed in this step.
  var settings: Set<NodeNumber> = []
  /// The changes that the sources made to their rows in this step.
  var passage = PipelinePassage()
  /// The models that were replaced, in order. The run needs them to revert edits.
  var journal: [(specimen: Specimen, model: any NodeModel)] = []
  /// The edits in transactions that throw which stay: the models after them, and the length of the journal before them.
  var lasting: [(specimen: Specimen, model: any NodeModel, mark: Int)] = []
  let checker: NodeChecker<PipelineRow>
  /// Whether the script makes views that report moves only within their own source.
  let reportsOwnMovesOnly: Bool
  /// The checker in Swift code.
  let checkerCode: String
  /// Makes the steps of the background work.
  let steps = StepScheduler()
  /// The background work, with the names in Swift code.
  var works: [(name: String, work: PipelineWork)] = []
  var readers: [PipelineReader] = []
  /// The number of works and readers that were begun so far.
  var workCount = 0
  /// Whether a step is being made. During a step, a node may show contents that its model does not show yet.
  var isStepping = false
  /// The way in which the edits under way are going to be reverted, if they are.
  var reversal: Reversal?
  private(set) var depth = 0

  /// A pipeline with `nodeLimit` nodes gets no further ones. An edit that gives a node `sizeLimit` or more nodes in its
  /// tree is not made.
  private static let nodeLimit = 16
  private static let sizeLimit = 200

  init(
    _ script: PipelineScript, kinds: [NodeKind], usesSmallStorage: Bool, recordsCode: Bool,
    trace: ((String) -> Void)? = nil
  ) {
    self.script = script
    self.kinds = Dictionary(uniqueKeysWithValues: kinds.map { ($0.name, $0) })
    // Any node may later show any other node, so the whole script decides.
    let hasEmptyLeaves = kinds.contains { $0.hasEmptyLeaves && script.operations.makes($0.name) }
    reportsOwnMovesOnly = kinds.contains { $0.reportsOwnMovesOnly && script.operations.makes($0.name) }
    let checker = NodeChecker<PipelineRow>(id: \.id)
    self.checker = hasEmptyLeaves ? checker.allowingEmptyLeaves() : checker
    checkerCode = "NodeChecker<PipelineRow>(id: \\.id)" + (hasEmptyLeaves ? ".allowingEmptyLeaves()" : "")
    self.usesSmallStorage = usesSmallStorage
    self.trace = trace
    code = recordsCode ? PipelineCode() : nil
  }

  /// Runs the script until the run finds a fault.
  ///
  /// - Returns: the number of outermost operations that were made, and the fault.
  func run() -> (length: Int, fault: PipelineFault?) {
    for (index, operation) in script.operations.enumerated() {
      step(operation)
      if let fault { return (index + 1, fault) }
    }
    endSteps()
    layOutScreens()
    if let fault { return (script.operations.count, fault) }
    touched = Set(held)
    checkLaws()
    checkSnapshots()
    kept = []
    if releasesAtEnd, fault == nil { checkRelease() }
    return (script.operations.count, fault)
  }

  /// Makes one of the outermost operations, and checks the changes that its observers received.
  private func step(_ operation: PipelineOperation) {
    let count = reactionCount
    isComposite = false
    isReacting = false
    hasSettledEarly = false
    trail = nil
    settings = []
    passage = PipelinePassage()
    for specimen in specimens.values {
      specimen.staying = PipelinePlaces()
      specimen.ambiguous = []
      specimen.ways = [:]
      specimen.views = [:]
      specimen.settings = []
    }
    connected = []
    demandMinimality()
    for observer in observers { observer.formerDeliveries = observer.shadow?.deliveryCount ?? 0 }
    journal.removeAll(keepingCapacity: true)
    lasting = []
    perform(operation)
    guard fault == nil else { return }
    // An observer that makes edits makes further transactions, and other observers receive these too. An observer of a
    // node outside the graph of the transaction is notified at once.
    checkObservers { observer in
      switch operation.action {
      case .transaction: reactionCount == count && connected.contains(observer.number) ? 1 : nil
      // After a settlement, the inverses are changes, and observers receive the composition.
      case .rollback: hasSettledEarly ? nil : 0
      case .undo, .begin, .read, .advance, .giveUp: nil
      // A screen expands a row, and collapses it again.
      case .use: reactionCount == count ? 2 : nil
      default: reactionCount == count ? 1 : nil
      }
    }
    if fault == nil { checkScreens() }
  }

  /// Makes an operation at any depth, and checks that every node shows the result.
  ///
  /// Inside a transaction, the check reads no node, because that would settle the graph. There the operation `look`
  /// reads nodes. Screens with a defect are an exception, because they may make another edit than their models: a later
  /// edit would not fit the nodes, and trap. Screens act in transactions only where the graph has been settled already.
  func perform(_ operation: PipelineOperation) {
    // Bodies of a script are nested to a limited depth, but observers that notify each other are not.
    guard fault == nil, depth < 12 else { return }
    depth += 1
    defer { depth -= 1 }
    trace?("\(operation.serial) \(operation.action)")
    if execute(operation) {
      made[operation.action, default: 0] += 1
      if openTransactions > 0, screenDefect == nil || !hasSettledEarly || !maySettle() { return }
      checkNodes()
      keepSnapshot()
    }
  }

  func fail(_ kind: PipelineFault.Kind, _ finding: String, code: String) {
    if fault == nil { fault = PipelineFault(kind: kind, finding: finding, code: code) }
  }

  func setModel(_ model: any NodeModel, of specimen: Specimen) { setModels([(specimen, model)]) }

  /// Sets the models of several nodes at once. If only some were set, the graph could be one that never existed, and
  /// could even have a cycle.
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

  /// Whether a node holds children of its own, and does not show the children of others.
  func holdsChildren(_ specimen: Specimen) -> Bool { kinds[specimen.kind]?.holdsChildren == true }

  /// Records that the next operation may settle the graph, if a transaction is open.
  ///
  /// - Returns: false where no operation may settle the graph.
  func maySettle() -> Bool {
    guard openTransactions > 0 else { return true }
    if isQuiet { return false }
    hasSettledEarly = true
    demandMinimality()
    return true
  }

  /// Reverts every change of a model since the journal had `length` entries.
  func rewind(to length: Int) {
    while journal.count > length {
      let entry = journal.removeLast()
      entry.specimen.model = entry.model
    }
    forgetContents()
  }

  /// The nodes whose models were replaced since the journal had `length` entries, with their models before that.
  func replacedModels(since length: Int) -> [(specimen: Specimen, model: any NodeModel)] {
    var seen: Set<NodeNumber> = []
    return journal[length...].filter { seen.insert($0.specimen.number).inserted }
  }

  private func forgetContents() {
    for specimen in specimens.values { specimen.contents = nil }
  }

  /// Makes one graph of all nodes, so that a transaction covers all nodes.
  ///
  /// - Returns: a node that shows all nodes.
  @discardableResult
  func connect(as name: String = "_") -> BranchNode<PipelineRow> {
    // Inside a transaction this is too late, because some nodes may have reported edits already.
    if depth == 1 { connected.formUnion(held) }
    let list = held.map { self.name(of: $0) }.joined(separator: ", ")
    code?.add("\(name == "_" ? "_" : "let \(name)") = BranchNode<PipelineRow>([\(list)])")
    return BranchNode(held.compactMap { specimens[$0]?.node })
  }

  // MARK: Nodes

  /// The name of a node in Swift code. The name is known as soon as the node is about to be made.
  func name(of number: NodeNumber) -> String { names[number] ?? "node\(number.serial)" }

  /// The contents that a node should show.
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

  /// Makes an operation, and returns false where the pipeline does not allow the operation.
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
    // An operation makes its node once, even if an observer runs the operation several times.
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
    // An edit that is never reverted stays if the transaction throws. An inverse of an earlier edit would not fit then.
    let stays = reversal == .onRollback && step.reversal == .never
    if stays {
      if journal.contains(where: { $0.specimen === specimen }) { return false }
    } else if let reversal, step.reversal.rawValue < reversal.rawValue {
      return false
    }
    let mark = journal.count
    // An edit that links a node settles the graph first.
    let links = !Set(step.model.sources).isSubset(of: specimen.model.sources)
    passage.beginEdit()
    setModel(step.model, of: specimen)
    guard isSmall(), keepsChildren(replacing: step.replaced),
      holdsChildren(specimen) && !links && !stays || maySettle()
    else {
      rewind(to: mark)
      return false
    }
    if stays { lasting.append((specimen, step.model, mark)) }
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
    // Each addition to the code prints the observers. So no line is added while `removeAll` changes the observers.
    let names = observers.filter { $0.number == number }.flatMap(\.names)
    observers.removeAll { $0.number == number }
    for name in names { code?.release(name) }
    specimen.node = nil
    code?.release(name(of: number))
    return true
  }
}

extension [PipelineOperation] {
  /// Whether these operations, or operations inside them, may make nodes of a kind.
  fileprivate func makes(_ kind: String) -> Bool {
    contains { $0.action == .make(kind) || $0.body.makes(kind) }
  }
}

extension PipelineOperation {
  /// The operation without its first number. That number chose the node of the operation.
  var droppingFirst: PipelineOperation {
    var operation = self
    operation.numbers = Array(numbers.dropFirst())
    return operation
  }
}
