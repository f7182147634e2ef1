import Assemblage
import AssemblageTesting
import AssemblageWidgets

// Makes and uses screens.
extension PipelineRun {
  /// Shows a node on a screen.
  func show(_ operation: PipelineOperation) -> Bool {
    var draw = PipelineDraw(self, operation)
    guard let number = draw.pick({ _ in true }), let node = specimens[number]?.node,
      !observers.contains(where: { $0.serial == operation.serial }), screens.count < screenLimit
    else { return false }
    observerCount += 1
    let names = PipelineScreen.Names(observerCount)
    let observer = PipelineObserver(operation, of: number, name: names.user)
    let defect = screenDefect
    let kindDraw = draw
    draw.skip(3)
    let manners = ScreenManners(rawValue: draw.chance(1, in: 2) ? draw.number(below: ScreenManners.limit) : 0)
    let seed = draw.number(below: 1_000)
    observer.reactionsLeft = draw.number(below: 6)
    var reactions: String?
    if code != nil, !operation.body.isEmpty {
      reactions = names.user + "Calls"
      code?.add("var \(reactions!) = 0")
    }
    let userCode = "ScreenUser(ScreenManners(rawValue: \(manners.rawValue)), seed: \(seed))"
    code?.declare(names.user, type: "ScreenUser", userCode + (reactions == nil ? "" : " {"))
    if let reactions {
      observer.reactions = code?.reactions(reactions)
      code?.add("}")
    }
    let user = ScreenUser(manners, seed: seed) { [unowned self, weak observer] in
      // A reaction may remove the screen, and the user may react once more before its last call returns.
      if let observer, !observer.body.isEmpty { react(observer) }
    }
    draw = kindDraw
    let screen = PipelineScreen(node, user, &draw, defect)
    observer.screen = screen
    observer.screenNames = names
    observers.append(observer)
    screen.begin(names, node: name(of: number), code)
    return true
  }

  private var screens: [(observer: PipelineObserver, screen: PipelineScreen, names: PipelineScreen.Names)] {
    observers.compactMap { observer in
      observer.screen.flatMap { screen in observer.screenNames.map { (observer, screen, $0) } }
    }
  }

  /// Uses one of the screens.
  func use(_ operation: PipelineOperation) -> Bool {
    var draw = PipelineDraw(self, operation)
    let screens = screens
    // A screen reads its node, which settles the graph.
    guard !screens.isEmpty, maySettle() else { return false }
    let (observer, screen, names) = screens[draw.number(below: screens.count)]
    if draw.chance(1, in: 2), let isDone = unfold(observer, screen, names.coordinator, &draw) { return isDone }
    return screen.use(names, &draw, code)
  }

  /// Expands a row of an outline and collapses it again, or the other way round.
  ///
  /// The result is nil where the node is no outline, or where something else might happen in between.
  private func unfold(
    _ observer: PipelineObserver, _ screen: PipelineScreen, _ name: String, _ draw: inout PipelineDraw
  ) -> Bool? {
    let count = contents(of: observer.number).children.count
    guard let specimen = specimens[observer.number], var model = specimen.model as? OutlineModel, count > 0,
      observers.allSatisfy({ $0.reactionsLeft == 0 || $0.screen?.user.editsInUpdates == false })
    else { return nil }
    let row = draw.number(below: count)
    // An outline expands an arriving row by its id. So a row below with the same id would expand, too.
    let ids = contents(of: model.source).paths.dropFirst().compactMap { contents(of: model.source)[$0].value?.id }
    guard Set(ids).count == ids.count else { return nil }
    isComposite = true
    for isExpanded in [!model.isExpanded, model.isExpanded] {
      let step = screen.step(expanding: isExpanded, at: [row], name: name) { [unowned self] isDone in
        if !isDone { fail(.widget, "the user may not unfold the row \(row)", code: "") }
      }
      guard let step else {
        if model.exception != nil { fail(.widget, "the row \(row) is gone that was unfolded", code: "") }
        return nil
      }
      model.exception = isExpanded == model.isExpanded ? nil : row
      let mark = journal.count
      setModel(model, of: specimen)
      guard keepsChildren() else {
        rewind(to: mark)
        return nil
      }
      demandMinimality()
      code?.add(step.code)
      step.run()
      checkNodes()
    }
    return true
  }

  /// Makes the user's step for a write on a node, if one of the node's screens shows the row.
  ///
  /// - Parameters:
  ///   - action: the action on the row.
  ///   - number: the node.
  ///   - path: the row's path in the node.
  ///   - owner: the node that owns the row, and the row's position in that node.
  /// - Returns: the step.
  func userStep(
    _ action: PipelineScreen.Action, in number: NodeNumber, at path: IndexPath, owner: (Specimen, Int)?
  ) -> PipelineScreen.Step? {
    // A screen reads its node, which settles the graph.
    guard openTransactions == 0 || hasSettledEarly,
      let (_, screen, names) = screens.first(where: { $0.observer.number == number })
    else { return nil }
    let (name, owned) = (name(of: number), owner.map { ($0.0.node, self.name(of: $0.0.number), $0.1) })
    return screen.step(action, at: path, name: names.coordinator) { [unowned self] isDone, place in
      if !isDone {
        return fail(.widget, "\(name): the user may not make an edit of the program, at \(Array(path))", code: "")
      }
      guard let (node, ownerName, position) = owned, let node else { return }
      guard let place, place.node === node, place.position == position else {
        let got = place.map { "\($0.position) of a \(type(of: $0.node))" } ?? "no place"
        return fail(
          .widget, "\(name): the behavior got \(got) instead of \(position) of \(ownerName)", code: "")
      }
    }
  }

  /// Checks that every screen shows its node, and gives the right answers about its rows. A widget that has not asked
  /// for its rows stays as it is.
  func checkScreens() {
    for (observer, screen, names) in screens {
      do {
        try screen.user.check()
        if let widget = screen.widget, widget.isLoaded { try widget.check() }
      } catch {
        return fail(
          .widget, "\(name(of: observer.number)): \(error)",
          code: "try \(names.user).check()\n  try \(names.widget)?.check()")
      }
    }
  }

  /// Lets every widget ask for its rows, and checks them.
  func layOutScreens() {
    for observer in observers { observer.reactionsLeft = 0 }
    for (_, screen, _) in screens { _ = screen.widget?.paths }
    checkScreens()
  }
}
