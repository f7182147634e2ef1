import Assemblage
import AssemblageTesting

/// An observer of a node of a pipeline.
final class PipelineObserver {
  let serial: Int
  let number: NodeNumber
  /// Follows the node, if the observer is a shadow.
  var shadow: ShadowTree<PipelineRow>?
  /// Indices of the node, beside some shadows.
  var indices: PipelineIndices?
  /// Keeps the observation, if the observer runs a body.
  var token: NodeObservation?
  /// The widget, if the observer is a screen, and the names of the screen's objects in Swift code.
  var screen: PipelineScreen?
  var screenNames: PipelineScreen.Names?
  /// The number of times that the observer may still run its body.
  var reactionsLeft: Int
  let body: [PipelineOperation]
  var reactions: PipelineCode.Reactions?
  /// The number of deliveries that the shadow had received when the step began.
  var formerDeliveries = 0

  init(_ operation: PipelineOperation, of number: NodeNumber, name: String, reactionsLeft: Int = 0) {
    self.name = name
    serial = operation.serial
    self.number = number
    self.reactionsLeft = reactionsLeft
    body = operation.body
  }

  /// The name of the shadow, the token or the user in Swift code.
  let name: String

  /// The name of the indices in Swift code.
  var indicesName: String { name + "Indices" }

  /// The names of all its objects in Swift code, the first one to be released first.
  var names: [String] { screenNames.map { $0.all.reversed() } ?? (indices == nil ? [name] : [indicesName, name]) }
}

// Attaches and detaches observers, and checks the changes that they receive.
extension PipelineRun {
  /// Follows a node that is not followed yet.
  func observe(_ operation: PipelineOperation) -> Bool {
    var draw = PipelineDraw(self, operation)
    let number = draw.pick { specimen in
      !self.observers.contains { $0.number == specimen.number && $0.shadow != nil }
    }
    // An operation attaches its observer once, even if another observer runs the operation several times.
    guard let number, let specimen = specimens[number], let node = specimen.node, isFree(operation.serial) else {
      return false
    }
    let observer = PipelineObserver(operation, of: number, name: nextName("shadow"))
    let shadow = ShadowTree(of: node, checker: checker)
    demandMinimality(of: shadow, for: specimen)
    shadow.duringDelivery = { [unowned self, unowned specimen] in
      if isStepping { return }
      try compare(node, with: contents(of: number), of: specimen)
    }
    observer.shadow = shadow
    observers.append(observer)
    code?.declare(
      observer.name, type: "ShadowTree<PipelineRow>", "ShadowTree(of: \(name(of: number)), checker: \(checkerCode))")
    if draw.chance(1, in: 3) {
      observer.indices = PipelineIndices(of: node)
      code?.declare(observer.indicesName, type: "PipelineIndices", "PipelineIndices(of: \(name(of: number)))")
    }
    return true
  }

  /// Observes a node, to run the operation's body when it changes.
  func attach(_ operation: PipelineOperation) -> Bool {
    var draw = PipelineDraw(self, operation)
    guard let number = draw.pick({ _ in true }), let specimen = specimens[number], let node = specimen.node,
      isFree(operation.serial)
    else { return false }
    let observer = PipelineObserver(
      operation, of: number, name: nextName("token"), reactionsLeft: 1 + draw.number(below: 3))
    let reactions = observer.name + "Calls"
    code?.add("var \(reactions) = 0")
    code?.declare(observer.name, type: "NodeObservation", "\(name(of: specimen.number)).observe { _ in")
    observer.reactions = code?.reactions(reactions)
    code?.add("}")
    observer.token = node.observe { [unowned self, unowned observer] _ in react(observer) }
    observers.append(observer)
    return true
  }

  private func nextName(_ word: String) -> String {
    observerCount += 1
    return "\(word)\(observerCount)"
  }

  private func isFree(_ serial: Int) -> Bool { !observers.contains { $0.serial == serial } }

  func react(_ observer: PipelineObserver) {
    // The code counts every call, so every call has a block in the code. After a defect, the nodes differ from their
    // models until the next check, so nobody reacts before.
    let reactions = observer.reactions
    guard observer.reactionsLeft > 0, fault == nil, screenDefect == nil, !isRollingBack, !isStepping else {
      if let reactions { code?.reaction(of: reactions) {} }
      return
    }
    observer.reactionsLeft -= 1
    reactionCount += 1
    isComposite = true
    isReacting = true
    demandMinimality()
    let former = reaction
    reaction = reactionCount
    func body() {
      for operation in observer.body { perform(operation) }
    }
    if let code, let reactions { code.reaction(of: reactions, body) } else { body() }
    reaction = former
  }

  func cancel(_ operation: PipelineOperation) -> Bool {
    guard !observers.isEmpty else { return false }
    let salt = operation.numbers.first ?? 0
    let index = observers.indices.max {
      PipelineDraw.hash(observers[$0].serial, salt) < PipelineDraw.hash(observers[$1].serial, salt)
    }!
    let observer = observers.remove(at: index)
    for name in observer.names { code?.release(name) }
    // An observation can end in two ways: the observer is released here, or the observation is cancelled.
    if salt % 2 == 0 {
      observer.shadow?.cancel()
      observer.token?.cancel()
    }
    return true
  }

  // MARK: Checking

  /// Sets the demands of the shadows. Each edit may change these demands.
  func demandMinimality() {
    for (number, specimen) in specimens {
      specimen.staying.add(contents(of: number))
      specimen.settings.formUnion(settings.filter { reaches(number, $0) })
    }
    for observer in observers {
      guard let shadow = observer.shadow, let specimen = specimens[observer.number] else { continue }
      demandMinimality(of: shadow, for: specimen)
    }
  }

  private func demandMinimality(of shadow: ShadowTree<PipelineRow>, for specimen: Specimen) {
    shadow.minimality = [.survivors, .fewestMoves, .acrossParents]
    // Law 5 is about one settlement. There is one exception: a setting that changes and then changes back.
    if hasSettledEarly || isReacting
      || isComposite && !specimen.settings.isEmpty
    {
      shadow.minimality = .fewestMoves
    }
    var seen: Set<NodeNumber> = []
    addAmbiguous(of: specimen, for: specimen, views: reportsOwnMovesOnly ? [] : nil, &seen)
    let others = passage.others.union(specimen.ambiguous)
    shadow.identifies = { !others.contains($0.id) }
  }

  /// The ids of the rows that a node holds itself, its value included.
  private func ownRows(of specimen: Specimen) -> Set<Int> {
    if !holdsChildren(specimen) { return [] }
    return specimen.model.contents { _ in NaiveTree(value: nil, children: []) }.ids
  }

  /// Adds to `top` the rows that no id identifies.
  ///
  /// These are four kinds of rows:
  /// - Rows that were in several places of a node from which `top` derives.
  /// - Rows that reach `top` in two ways, or, in a step of several edits, first in one way and then in another.
  /// - Rows that reach `top` through other views than before, where these views report only their own moves.
  /// - Rows that a node with ids of its own may regard as another row.
  ///
  /// - Parameters:
  ///   - specimen: the node whose rows reach `top`.
  ///   - top: the node that is observed.
  ///   - views: the views in between that report only their own moves; nil where the script makes no such view.
  ///   - seen: the nodes whose rows have been added.
  private func addAmbiguous(
    of specimen: Specimen, for top: Specimen, views: [NodeNumber]?, _ seen: inout Set<NodeNumber>
  ) {
    guard seen.insert(specimen.number).inserted else { return top.ambiguous.formUnion(specimen.staying.ids) }
    var inner = views
    if let views {
      for id in ownRows(of: specimen) {
        if top.views[id, default: views] == views { top.views[id] = views } else { top.ambiguous.insert(id) }
      }
      if type(of: specimen.model).reportsOwnMovesOnly { inner = views + [specimen.number] }
    }
    top.ambiguous.formUnion(specimen.staying.repeated)
    for number in specimen.model.sources {
      guard let source = specimens[number] else { continue }
      top.ambiguous.formUnion(source.staying.ids(sharing: specimen.model.identity, isComposite: isComposite))
      top.ways[number, default: []].insert(specimen.number)
      if isComposite && top.ways[number]!.count > 1 { top.ambiguous.formUnion(source.staying.ids) }
      addAmbiguous(of: source, for: top, views: inner, &seen)
    }
  }

  /// Throws where a node does not show the contents that it should, at any depth.
  func compare(
    _ node: any TreeNode<PipelineRow>, with tree: NaiveTree<PipelineRow>, of specimen: Specimen
  ) throws(PipelineFault) {
    guard tree.value == node.value, tree.isShown(by: node) else {
      throw PipelineFault(
        kind: .contents,
        finding: "\(name(of: specimen.number)) shows \(NaiveTree(of: node)), but should show \(tree)",
        code: "precondition(NaiveTree(of: \(name(of: specimen.number))) == \(tree.code))")
    }
  }

  /// Reads nodes inside a transaction: all nodes, or one node by its contents or by a snapshot.
  func look(_ operation: PipelineOperation) -> Bool {
    var draw = PipelineDraw(self, operation)
    guard openTransactions > 0, let number = draw.pick({ _ in true }), let node = specimens[number]?.node else {
      return false
    }
    // From here on, the composed change has several settlements.
    demandMinimality()
    switch draw.number(below: 3) {
    case 0:
      code?.add("_ = NaiveTree(of: \(name(of: number)))")
      checkNodes([number])
    case 1:
      let statement = "_ = TreeSnapshot(of: \(name(of: number)))"
      code?.add(statement)
      let (rows, expected) = (TreeSnapshot(of: node).elements, contents(of: number).children.compactMap(\.value))
      if rows != expected {
        fail(.contents, "a snapshot of \(name(of: number)) has \(rows), but should have \(expected)", code: statement)
      }
      checkNodes([number])
    default:
      readNodes()
    }
    keepSnapshot()
    return true
  }

  /// Reads all nodes, and checks them.
  func readNodes() {
    let names = held.map { name(of: $0) }.joined(separator: ", ")
    code?.add("for node in [\(names)] as [any TreeNode<PipelineRow>] { _ = NaiveTree(of: node) }")
    checkNodes()
  }

  /// Checks all nodes that the run holds.
  func checkNodes() { checkNodes(held) }

  private func checkNodes(_ numbers: [NodeNumber]) {
    guard fault == nil else { return }
    for number in numbers {
      guard let specimen = specimens[number], let node = specimen.node else { continue }
      do {
        try compare(node, with: contents(of: number), of: specimen)
      } catch {
        return fail(error.kind, error.finding, code: error.code)
      }
    }
  }

  /// Checks the laws of every node that a change of a model may affect.
  func checkLaws() {
    guard fault == nil, !touched.isEmpty else { return }
    for number in held where touched.contains(where: { reaches(number, $0) }) {
      guard let node = specimens[number]?.node else { continue }
      do {
        try checker.check(node)
      } catch {
        return fail(
          .law(error.law), "\(name(of: number)): \(error)",
          code: "try \(checkerCode).check(\(name(of: number)))")
      }
    }
  }

  /// Checks the changes that the observers have received in a step.
  ///
  /// - Parameter limit: gives the number of deliveries that an observer may have received; nil where that is not known.
  func checkObservers(limit: (PipelineObserver) -> Int?) {
    for observer in observers {
      guard let shadow = observer.shadow else { continue }
      do {
        try shadow.check()
      } catch {
        return fail(.law(error.law), "\(name(of: observer.number)): \(error)", code: "try \(observer.name).check()")
      }
      let deliveries = shadow.deliveryCount - observer.formerDeliveries
      guard let limit = limit(observer), deliveries > limit else { continue }
      let finding =
        "\(name(of: observer.number)) made \(deliveries) deliveries of a transaction where \(limit) should be"
      return fail(
        limit == 0 ? .rollback : .law(.oneDeliveryATransaction), finding,
        code: "precondition(\(observer.name).deliveryCount <= \(observer.formerDeliveries + limit))")
    }
    // After all shadows, because a wrong change also makes indices wrong.
    for observer in observers {
      guard let difference = observer.indices?.difference(from: contents(of: observer.number)) else { continue }
      let (name, indices) = (name(of: observer.number), observer.indicesName)
      return fail(
        .contents, "indices of \(name): \(difference)",
        code: "precondition(\(indices).difference(from: NaiveTree(of: \(name))) == nil)")
    }
  }

  /// Releases everything, and checks that every node is released.
  func checkRelease() {
    struct Watched {
      weak let node: (any TreeNode<PipelineRow>)?
      let name: String
    }
    let watched = specimens.values.map { Watched(node: $0.node, name: name(of: $0.number)) }
    observers.removeAll()
    held.removeAll()
    journal.removeAll()
    lasting.removeAll()
    specimens.removeAll()
    let alive = watched.filter { $0.node != nil }.map(\.name).sorted()
    guard !alive.isEmpty else { return }
    fail(
      .release, "not released: \(alive.joined(separator: ", "))",
      code: "// Not released: \(alive.joined(separator: ", "))")
  }
}

extension NaiveTree<PipelineRow> {
  /// Whether a node has these children, at every depth.
  func isShown(by node: some TreeNode<PipelineRow>) -> Bool {
    guard node.count == children.count else { return false }
    for (position, child) in children.enumerated() {
      guard child.value == node.element(at: position) else { return false }
      if let inner = node.child(at: position) {
        if !child.isShown(by: inner) { return false }
      } else if !child.children.isEmpty {
        return false
      }
    }
    return true
  }
}
