import Assemblage
import AssemblageTesting

/// Work in the background that has not ended.
final class PipelineWork {
  let specimen: Specimen
  let planned: PlannedWork
  let task: StepTask
  var isCancelled = false

  init(_ specimen: Specimen, _ planned: PlannedWork, _ task: StepTask) {
    self.specimen = specimen
    self.planned = planned
    self.task = task
  }

  /// Whether the work has been asked to end: by a cancellation, or because a later setting replaced its setting.
  var isGivenUp: Bool { isCancelled || !planned.isLatest(specimen.model) }
}

/// A reader of a node's stream of changes.
final class PipelineReader {
  let serial: Int
  let name: String
  let number: NodeNumber
  let stream: StreamShadow<PipelineRow>

  init(serial: Int, name: String, _ number: NodeNumber, _ stream: StreamShadow<PipelineRow>) {
    self.serial = serial
    self.name = name
    self.number = number
    self.stream = stream
  }
}

// Makes background work and streams of changes run step by step, with all other operations in between.
extension PipelineRun {
  private static let workLimit = 4

  /// Begins to change a setting of a node in the background.
  func begin(_ kind: String, _ name: String, _ operation: PipelineOperation) -> Bool {
    // A transaction makes no steps, because no code can wait in a transaction.
    guard depth == 1, works.count < Self.workLimit, let kind = kinds[kind] else { return false }
    var choice = PipelineDraw(self, operation)
    guard let number = choice.pick({ $0.kind == kind.name }), let specimen = specimens[number] else { return false }
    var draw = PipelineDraw(self, operation.droppingFirst, for: number)
    guard let planned = kind.begin(specimen, name, &draw) else { return false }
    prepareSteps()
    workCount += 1
    let workName = "work\(workCount)"
    setModel(planned.begun, of: specimen)
    code?.declare(
      workName, type: "StepTask", "steps.begin(\(self.name(of: number))) { \(planned.code) }")
    works.append((workName, PipelineWork(specimen, planned, planned.begin(steps))))
    // The first step goes to the actor of the work, the second to the call. After them, the work replaces earlier
    // settings.
    for _ in 0..<2 where fault == nil { step(steps.waitingCount - 1) }
    return true
  }

  /// Follows the stream of changes of a node.
  func read(_ operation: PipelineOperation) -> Bool {
    guard depth == 1, readers.count < Self.workLimit, !readers.contains(where: { $0.serial == operation.serial })
    else { return false }
    var draw = PipelineDraw(self, operation)
    guard let number = draw.pick({ _ in true }), let node = specimens[number]?.node else { return false }
    prepareSteps()
    workCount += 1
    let name = "reader\(workCount)"
    code?.declare(
      name, type: "StreamShadow<PipelineRow>", "StreamShadow(of: \(self.name(of: number)), steppedBy: steps)")
    readers.append(
      PipelineReader(serial: operation.serial, name: name, number, StreamShadow(of: node, steppedBy: steps)))
    return true
  }

  private func prepareSteps() {
    if workCount == 0 { code?.declare("steps", type: "StepScheduler", "StepScheduler()") }
  }

  /// Makes a few steps of the background work, in any order.
  func advance(_ operation: PipelineOperation) -> Bool {
    guard depth == 1, steps.waitingCount > 0 else { return false }
    var draw = PipelineDraw(self, operation)
    for _ in 0...draw.number(below: 8) where fault == nil && steps.waitingCount > 0 {
      step(draw.number(below: steps.waitingCount))
    }
    return true
  }

  /// Cancels one piece of background work, or one reader.
  func giveUp(_ operation: PipelineOperation) -> Bool {
    var draw = PipelineDraw(self, operation)
    guard depth == 1, works.count + readers.count > 0 else { return false }
    let choice = draw.number(below: works.count + readers.count)
    if choice < works.count {
      cancel(works[choice].work, works[choice].name)
    } else {
      let reader = readers.remove(at: choice - works.count)
      code?.add("\(reader.name).cancel()")
      reader.stream.cancel()
    }
    return true
  }

  private func cancel(_ work: PipelineWork, _ name: String) {
    work.isCancelled = true
    code?.add("\(name).cancel()")
    work.task.cancel()
  }

  /// Reverts every change of a model in a transaction, but for edits that stay. Background work that a setting replaced
  /// stays replaced.
  ///
  /// - Parameter length: the length that the journal had when the transaction began.
  func rollBackModels(to length: Int) {
    let later = replacedModels(since: length).map { (specimen: $0.specimen, model: $0.specimen.model) }
    rewind(to: length)
    for (specimen, model) in later {
      if let former = specimen.model as? any BackgroundModel { specimen.model = former.restored(from: model) }
    }
    for index in lasting.indices where lasting[index].mark >= length {
      lasting[index].specimen.model = lasting[index].model
      lasting[index].mark = length
    }
  }

  private func step(_ choice: Int) {
    isComposite = true
    // This step may show the new setting of any work. So in this step, the nodes may show the rows of these settings.
    let former = works.map { ($0.work.specimen, $0.work.specimen.model) }
    for (name, work) in works where !work.isGivenUp {
      let model = work.specimen.model
      setModel(work.planned.shown(model), of: work.specimen)
      if keepsChildren() { continue }
      setModel(model, of: work.specimen)
      cancel(work, name)
    }
    demandMinimality()
    setModels(former)
    demandMinimality()
    code?.add("steps.step(\(choice))")
    isStepping = true
    steps.step(choice)
    isStepping = false
    for (name, work) in works {
      guard let outcome = work.task.outcome else { continue }
      works.removeAll { $0.work === work }
      take(outcome, of: work, name)
    }
    for reader in readers {
      do {
        try reader.stream.check()
      } catch {
        fail(.law(error.law), "a stream of \(name(of: reader.number)): \(error)", code: "try \(reader.name).check()")
      }
    }
    checkNodes()
  }

  private func take(_ outcome: Result<Void, any Error>, of work: PipelineWork, _ name: String) {
    let wasGivenUp = work.isGivenUp
    switch outcome {
    case .success where !wasGivenUp: setModel(work.planned.shown(work.specimen.model), of: work.specimen)
    case .failure(is CancellationError) where wasGivenUp:
      if work.planned.isLatest(work.specimen.model) {
        setModel(work.planned.givenUp(work.specimen.model), of: work.specimen)
      }
    default:
      fail(
        .contents,
        "\(name) of \(self.name(of: work.specimen.number)) ended with \(outcome), though it had "
          + (wasGivenUp ? "been given up" : "not been given up"),
        code: "precondition(\(name).outcome == nil)")
    }
  }

  /// Ends all background work at the end of the run.
  func endSteps() {
    for (_, work) in works {
      work.isCancelled = true
      work.task.cancel()
    }
    let ending = readers
    for reader in ending { reader.stream.cancel() }
    readers = []
    while fault == nil, steps.waitingCount > 0 { step(0) }
    withExtendedLifetime(ending) {}
  }
}
