import Assemblage
import AssemblageTesting
import AssemblageWidgets

/// A defect of all screens of a pipeline, for a test of the fuzzer.
package enum ScreenDefect: CaseIterable, Sendable {
  /// The widget is not notified of some of the stages.
  case forgottenStage
  /// A behavior receives the position in the node that the widget shows.
  case globalPosition
  /// The widget does not scroll with the row on top.
  case lostScrolling
}

/// A widget in memory on a node of a pipeline, with its coordinator and its user.
final class PipelineScreen {
  /// The kinds of widgets, with their coordinators.
  private enum Kind: CaseIterable {
    case list, sequentialList, sectionedList, sequentialSectionedList, outline

    var viewKind: ChangeSet.ViewKind {
      switch self {
      case .list, .sectionedList: .list
      case .sequentialList, .sequentialSectionedList: .sequentialList
      case .outline: .outline
      }
    }

    var coordinatorCode: String {
      switch self {
      case .list, .sequentialList: "ListCoordinator"
      case .sectionedList, .sequentialSectionedList: "SectionedListCoordinator"
      case .outline: "OutlineCoordinator"
      }
    }

    /// The length of the longest paths of a node that the widget shows.
    var depth: Int {
      switch self {
      case .list, .sequentialList: 1
      case .sectionedList, .sequentialSectionedList: 2
      case .outline: .max
      }
    }
  }

  let widget: WidgetModel<PipelineRow>
  let coordinator: WidgetCoordinator<PipelineRow>
  private let kind: Kind
  private let user: User
  private var isHeld = false

  /// The widget and the coordinator in Swift code.
  let declarations: [(type: String, value: String)]

  init(_ node: any TreeNode<PipelineRow>, name: String, _ draw: inout PipelineDraw, _ defect: ScreenDefect?) {
    kind = Kind.allCases[draw.number(below: Kind.allCases.count)]
    widget = WidgetModel(kind.viewKind)
    widget.forgetsStages = defect == .forgottenStage
    widget.ignoresScrolling = defect == .lostScrolling
    user = User(usesGlobalPosition: defect == .globalPosition)
    let limit = draw.chance(1, in: 4) ? draw.number(below: 4) : nil
    let limitCode = limit.map { ", reloadingAbove: \($0)" } ?? ""
    declarations = [
      ("WidgetModel<PipelineRow>", "WidgetModel<PipelineRow>(.\(kind.viewKind))"),
      ("\(kind.coordinatorCode)<PipelineRow>", "\(kind.coordinatorCode)(\(name)\(limitCode))"),
    ]
    switch kind {
    case .list, .sequentialList:
      let coordinator = ListCoordinator(node, reloadingAbove: limit)
      widget.follow(coordinator)
      self.coordinator = coordinator
    case .sectionedList, .sequentialSectionedList:
      let coordinator = SectionedListCoordinator(node, reloadingAbove: limit)
      widget.follow(coordinator)
      self.coordinator = coordinator
    case .outline:
      let coordinator = OutlineCoordinator(node, reloadingAbove: limit)
      widget.follow(coordinator)
      self.coordinator = coordinator
    }
    coordinator.behaviors = { [user] _ in [user] }
  }

  // MARK: The user

  /// Allows everything, and records the place of each question.
  private final class User: WritingUser {
    let usesGlobalPosition: Bool
    var globalPosition = 0
    var place: NodePlace?

    init(usesGlobalPosition: Bool) { self.usesGlobalPosition = usesGlobalPosition }

    private func note(_ place: NodePlace) -> Bool {
      self.place = place
      return true
    }

    func allowsDeletion(at place: NodePlace) -> Bool { note(place) }
    func allowsEditing(at place: NodePlace) -> Bool { note(place) }
    func allowsMoving(from place: NodePlace) -> Bool { note(place) }

    func delete(at place: NodePlace) {
      let position = usesGlobalPosition ? globalPosition : place.position
      func remove<Node: TreeNode>(from node: Node) {
        if position < node.count { node.writer?.removeChild(at: position) }
      }
      remove(from: place.node)
    }
  }

  /// An action of the user on a row, which replaces a write of the program.
  enum Action {
    case delete
    case edit(PipelineRow)
    /// Moves the row into a parent, before one of its children. The parent and the position are the ones before the
    /// move.
    case move(IndexPath, Int)
  }

  /// An action of the user that is about to happen.
  struct Step {
    let run: () -> Void
    let code: String
  }

  /// Makes the step by which the user does the same as the program; nil where the widget does not show the row.
  ///
  /// - Parameters:
  ///   - action: the action on the row.
  ///   - path: the path of the row in the node.
  ///   - name: the coordinator's name in Swift code.
  ///   - check: receives whether the action was done, and the place that the behavior received.
  /// - Returns: the step.
  func step(
    _ action: Action, at path: IndexPath, name: String, check: @escaping (Bool, NodePlace?) -> Void
  ) -> Step? {
    guard path.count <= kind.depth, let shown = coordinator.widgetPath(of: path) else { return nil }
    user.globalPosition = path.last ?? 0
    // The question whether a row may move is no action. Another action may be under way.
    let former = user.place
    defer { user.place = former }
    let (run, code): (() -> Bool, String)
    switch action {
    case .delete:
      run = { [coordinator] in coordinator.delete(at: shown) }
      code = "delete(at: \(Array(shown)))"
    case .edit(let row):
      run = { [coordinator] in coordinator.edit(at: shown, to: row) }
      code = "edit(at: \(Array(shown)), to: \(row.code))"
    case .move(let parent, let position):
      guard parent.count < kind.depth, let parent = coordinator.widgetPath(of: parent),
        coordinator.isCurrent,
        // A full node that is there twice receives back the row that it gives away. `allows(_:at:)` cannot know that.
        coordinator.canMove(shown, into: parent, at: position)
      else { return nil }
      run = { [coordinator] in coordinator.move(shown, into: parent, at: position) }
      code = "move(\(Array(shown)), into: \(Array(parent)), at: \(position))"
    }
    return Step(
      run: { [user] in
        // Meanwhile, observers may make the user do other actions.
        let former = user.place
        user.place = nil
        let isDone = run()
        let place = user.place
        user.place = former
        check(isDone, place)
      }, code: "\(name).\(code)")
  }

  /// Makes the step by which the user expands or collapses a row; nil where the widget does not show the row.
  ///
  /// - Parameters:
  ///   - isExpanded: whether the row is expanded after the step.
  ///   - path: the path of the row in the node.
  ///   - name: the coordinator's name in Swift code.
  ///   - check: receives whether the step was done.
  /// - Returns: the step.
  func step(expanding isExpanded: Bool, at path: IndexPath, name: String, check: @escaping (Bool) -> Void) -> Step? {
    guard let shown = coordinator.widgetPath(of: path) else { return nil }
    return Step(
      run: { [coordinator] in check(coordinator.setExpanded(isExpanded, at: shown)) },
      code: "\(name).setExpanded(\(isExpanded), at: \(Array(shown)))")
  }

  /// Uses the widget in another way: selects, scrolls, holds updates back.
  ///
  /// - Returns: the same action in Swift code.
  func use(name: String, widgetName: String, _ draw: inout PipelineDraw) -> String {
    let paths = widget.paths
    let path = paths.isEmpty ? nil : paths[draw.number(below: paths.count)]
    switch draw.number(below: 10) {
    case 0:
      isHeld.toggle()
      if isHeld { coordinator.suspend() } else { coordinator.resume() }
      return "\(name).\(isHeld ? "suspend" : "resume")()"
    case 1:
      coordinator.reload()
      return "\(name).reload()"
    case 2:
      let mode: SelectionMode = draw.chance(1, in: 2) ? .multiple : .single
      if draw.chance(1, in: 2) {
        coordinator.keepSelection(mode)
        return "\(name).keepSelection(.\(mode))"
      }
      coordinator.keepSelection(mode, id: \.id)
      return "\(name).keepSelection(.\(mode), id: \\.id)"
    case 3 where path != nil:
      let offset = draw.chance(1, in: 2) ? 1 : -1
      widget.scrollPosition = WidgetScrollPosition(path: path!, offset: Double(offset))
      return "\(widgetName).scrollPosition = WidgetScrollPosition(path: \(Array(path!)), offset: \(offset))"
    case 4:
      coordinator.deselectAll()
      return "\(name).deselectAll()"
    case 8:
      widget.invalidate()
      return "\(widgetName).invalidate()"
    case 9:
      let keeping = [PositionKeeping.always, .unlessAtTop, .never][draw.number(below: 3)]
      coordinator.keepsPosition = keeping
      return "\(name).keepsPosition = .\(keeping)"
    default:
      guard let path else { return "" }
      let effect = [SelectionEffect.only, .adding, .extending, .toggling][draw.number(below: 4)]
      coordinator.select(at: path, effect)
      return "\(name).select(at: \(Array(path)), .\(effect))"
    }
  }
}

/// Every kind of write by a user.
private protocol WritingUser: EditingBehavior, DeletionBehavior, MovingBehavior {}

// Makes and uses screens.
extension PipelineRun {
  /// Shows a node on a screen.
  func show(_ operation: PipelineOperation) -> Bool {
    var draw = PipelineDraw(self, operation)
    guard let number = draw.pick({ _ in true }), let node = specimens[number]?.node,
      !observers.contains(where: { $0.serial == operation.serial }), screens.count < screenLimit
    else { return false }
    observerCount += 1
    let names = ["widget\(observerCount)", "coordinator\(observerCount)"]
    let observer = PipelineObserver(operation, of: number, name: names[1])
    let screen = PipelineScreen(node, name: name(of: number), &draw, screenDefect)
    observer.screen = screen
    observer.otherName = names[0]
    observers.append(observer)
    for (name, declaration) in zip(names, screen.declarations) {
      code?.declare(name, type: declaration.type, declaration.value)
    }
    code?.add("\(names[0]).follow(\(names[1]))")
    code?.add("\(names[1]).behaviors = { _ in [WritingBehavior()] }")
    return true
  }

  private var screens: [(observer: PipelineObserver, screen: PipelineScreen)] {
    observers.compactMap { observer in observer.screen.map { (observer, $0) } }
  }

  /// Uses one of the screens.
  func use(_ operation: PipelineOperation) -> Bool {
    var draw = PipelineDraw(self, operation)
    let screens = screens
    // A screen reads its node, which settles the graph.
    guard !screens.isEmpty, maySettle() else { return false }
    let (observer, screen) = screens[draw.number(below: screens.count)]
    if draw.chance(1, in: 2), let isDone = unfold(observer, screen, &draw) { return isDone }
    let statement = screen.use(name: observer.name, widgetName: observer.otherName ?? "", &draw)
    code?.add(statement)
    return !statement.isEmpty
  }

  /// Expands a row of an outline and collapses it again, or the other way round.
  ///
  /// The result is nil where the node is no outline, or where something else might happen in between.
  private func unfold(_ observer: PipelineObserver, _ screen: PipelineScreen, _ draw: inout PipelineDraw) -> Bool? {
    let count = contents(of: observer.number).children.count
    guard let specimen = specimens[observer.number], var model = specimen.model as? OutlineModel, count > 0,
      observers.allSatisfy({ $0.token == nil || $0.reactionsLeft == 0 })
    else { return nil }
    let row = draw.number(below: count)
    // An outline expands an arriving row by its id. So a row below with the same id would expand, too.
    let ids = contents(of: model.source).paths.dropFirst().compactMap { contents(of: model.source)[$0].value?.id }
    guard Set(ids).count == ids.count else { return nil }
    isComposite = true
    for isExpanded in [!model.isExpanded, model.isExpanded] {
      let step = screen.step(expanding: isExpanded, at: [row], name: observer.name) { [unowned self] isDone in
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
      let (observer, screen) = screens.first(where: { $0.observer.number == number })
    else { return nil }
    let (name, owned) = (name(of: number), owner.map { ($0.0.node, self.name(of: $0.0.number), $0.1) })
    return screen.step(action, at: path, name: observer.name) { [unowned self] isDone, place in
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

  /// Checks that every screen shows its node, and gives the right answers about its rows.
  func checkScreens() {
    for (observer, screen) in screens {
      do { try screen.widget.check(by: ==) } catch {
        return fail(
          .widget, "\(name(of: observer.number)): \(error)", code: "try \(observer.otherName ?? "").check(by: ==)")
      }
    }
  }
}
